#!/usr/bin/env bash
# Scans, and writes the report as SARIF, as annotations and as the summary of the job, with what was counted.
# In: SCAN_PATHS (one a line), SCAN_ARGS (words, quoted as for a shell), CATEGORY, RUNNER_TEMP, GITHUB_STEP_SUMMARY.
# Out: GITHUB_OUTPUT.
set -euo pipefail

treaty="$RUNNER_TEMP/treaty/bin/treaty"
work=$(mktemp -d "$RUNNER_TEMP/treaty-XXXXXX")

# `xargs` takes quotes apart without running anything.
if ! printf '%s' "$SCAN_ARGS" | xargs printf '%s\n' > "$work/args"; then
    echo "::error title=treaty::a quote in \`args\` does not end"
    exit 2
fi
args=()
while IFS= read -r line; do
    # Without the last line there is nothing to count.
    case "$line" in "" | -q | --quiet) ;; *) args+=("$line") ;; esac
done < "$work/args"
paths=()
while IFS= read -r line; do
    line="${line#"${line%%[![:space:]]*}"}"
    line="${line%"${line##*[![:space:]]}"}"
    if [ -n "$line" ]; then paths+=("$line"); fi
done <<< "$SCAN_PATHS"

# An empty list is an unset variable to older shells.
scan() { "$treaty" scan "$@" ${args[@]+"${args[@]}"} -- ${paths[@]+"${paths[@]}"}; }

code=0
scan --format sarif -o "$work/treaty.sarif" || code=$?
# 1 means findings: they are shown first, and fail the job afterwards.
if [ "$code" -gt 1 ]; then exit "$code"; fi
scan --format github > "$work/notes" 2>/dev/null || true
scan --format markdown > "$work/summary" 2>/dev/null || true
# A summary may have 1 MiB: of more, what was counted is told.
if [ "$(wc -c < "$work/summary")" -gt 1000000 ]; then scan --format markdown --statistics > "$work/summary" 2>/dev/null || true; fi
cat "$work/summary" >> "$GITHUB_STEP_SUMMARY"
if ! NO_COLOR=1 CLICOLOR_FORCE=0 FORCE_COLOR=0 scan --statistics > "$work/counts" 2>/dev/null && [ ! -s "$work/counts" ]; then
    echo "::error title=treaty::what was found cannot be counted: leave options about the form of reports out of \`args\`"
    exit 2
fi

# The last line: `2 errors, 1 warning, 3 suppressed in 14 files (12 ms)`.
counted() { tail -n 1 "$work/counts" | grep -oE "[0-9]+ $1" | head -n 1 | cut -d ' ' -f 1 || true; }
errors=$(counted error)
warnings=$(counted warning)
verified=$(sed -nE 's/^.*: operations: [0-9]+ contracted, [0-9]+ found, ([0-9]+) verified.*$/\1/p' "$work/counts" | awk '{ all += $1 } END { print all + 0 }')

if [ -z "$CATEGORY" ]; then
    CATEGORY="treaty"
    joined=$(printf '%s\n' ${paths[@]+"${paths[@]}"} | LC_ALL=C sort | tr '\n' ' ' | sed 's/ *$//')
    if [ -n "$joined" ] && [ "$joined" != "." ]; then CATEGORY="treaty: $joined"; fi
fi

{
    echo "code=$code"
    echo "errors=${errors:-0}"
    echo "warnings=${warnings:-0}"
    echo "verified=$verified"
    echo "sarif=$work/treaty.sarif"
    echo "notes=$work/notes"
    # A line of its own could be another output.
    echo "category=$(printf '%s' "$CATEGORY" | tr '\r\n' '  ')"
} >> "$GITHUB_OUTPUT"
