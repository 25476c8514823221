#!/bin/sh
# Stands in for Claude Code: without `-p` a team in a terminal, with the files that 2.1.330 keeps; with `-p` one session.
# What agents do is in the functions below, which a test replaces.
here=$(dirname "$0")
if [ "$1" = --version ]; then echo "2.1.330 (stand-in)"; exit 0; fi

# Makes the agents that it is told of.
spawn() { members "$@"; }
# In a worktree: what an implementer makes of a task, and in which round.
build() {
  d=services/diary-service
  if [ "$1" != TASK-001 ]; then cp "$here/../main.py" $d/main.py; fi
  echo "$1 $2" > $d/$1.txt
}
# The metadata of a review.
audit() { echo '{"critical_issues": 0, "warnings": 1, "passed": true, "findings": []}'; }
# Whether an agent does nothing, what happens at each look, and what a message of ours leads to.
asleep() { false; }
look() { :; }
heard() { :; }
. "$here/agents.sh"

if [ "$1" = -p ]; then
  cat > "$here/$TREATY_TASK-$TREATY_ATTEMPT.prompt"
  echo "$TREATY_TASK" >> "$here/plain"
  build "$TREATY_TASK" plain
  echo '{"type":"system","subtype":"init","claude_code_version":"2.1.330","mcp_servers":[],"session_id":"s"}'
  echo '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","session_id":"s","total_cost_usd":0.01,"result":"done","modelUsage":{"m-1":{"inputTokens":1000,"outputTokens":100,"costUSD":0.01}}}'
  exit 0
fi

[ -t 0 ] && [ -t 1 ] || { echo "this is no terminal" >&2; exit 3; }
[ "$CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS" = 1 ] || exit 4
session=$2
team=$CLAUDE_CONFIG_DIR/teams/session-${session%%-*}
tasks=$CLAUDE_CONFIG_DIR/tasks/session-${session%%-*}
books=$CLAUDE_CONFIG_DIR/projects/here
mkdir -p "$team/inboxes" "$books/$session/subagents"
trap 'rm -rf "$team"; echo ended >> "$here/ended"; exit 143' TERM HUP
echo "$session" >> "$here/sessions"
for it in "$@"; do prompt=$it; case $last in --settings) settings=$it ;; esac; last=$it; done
cp "$settings" "$here/$session.settings"
echo "$prompt" > "$here/$session.prompt"
pwd > "$here/$session.folder"
env | sort > "$here/$session.environment"
hook=$(tr -d '\n' < "$settings" | sed 's/.*"command":"\([^"]* hook session-start\)".*/\1/')
echo "{\"hook_event_name\":\"SessionStart\",\"session_id\":\"$session\"}" | sh -c "$hook" > /dev/null 2>&1

answer() { # FILE ID
  echo "{\"type\":\"assistant\",\"message\":{\"id\":\"msg_$2\",\"model\":\"m-1\",\"content\":[],\"usage\":{\"input_tokens\":1000,\"output_tokens\":100}}}" >> "$1"
}
members() {
  list='{"name":"team-lead"}'
  for it in "$@"; do list="$list,{\"name\":\"$it\"}"; done
  echo "{\"members\":[$list]}" > "$team/part" && mv "$team/part" "$team/config.json"
}
field() { sed -n "s/^  \"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" "$2"; }
set_to() { # FILE STATUS [METADATA]
  more=${3:+, \"metadata\": $3}
  sed "s|\"status\": \"[a-z_]*\"|\"status\": \"$2\"$more|" "$1" > "$team/part" && mv "$team/part" "$1"
}
turn() { # AGENT: the next of its tasks
  asleep "$1" && return 0
  for task in $(ls "$tasks" | sort -n); do
    task=$tasks/$task
    [ "$(field owner "$task")" = "$1" ] && [ "$(field status "$task")" = pending ] || continue
    answer "$books/$session/subagents/agent-a$1-1.jsonl" "$1-${task##*/}"
    case $1 in
      *-implementer)
        subject=$(field subject "$task")
        worktree=$(sed -n 's/.*You work in \([^ ]*\)\. You may change.*/\1/p' "$task")
        echo "$1 ${subject%%:*}" >> "$here/turns"
        set_to "$task" in_progress
        round=1; grep -q 'What the audit found' "$task" && round=2
        (cd "$worktree" && build "${subject%%:*}" $round) || return 0
        set_to "$task" completed ;;
      *-auditor)
        # A review begins when a message says so.
        [ -s "$team/inboxes/$1.json" ] || return 0
        heard "$1" "$team/inboxes/$1.json"
        rm "$team/inboxes/$1.json"
        set_to "$task" completed "$(audit "$1")" ;;
    esac
  done
}
names=$(echo "$prompt" | sed -n 's/^- `name`: `\([^`]*\)`.*/\1/p')
answer "$books/$session.jsonl" lead
spawn $names
while :; do
  look
  for name in $names; do
    if [ -s "$team/inboxes/$name.json" ] && grep -q shutdown_request "$team/inboxes/$name.json"; then
      echo "$name" >> "$here/asked-to-end"
      names=$(echo $names | tr ' ' '\n' | grep -v "^$name\$")
      members $names
      continue
    fi
    turn "$name"
  done
  sleep 0.1
done
