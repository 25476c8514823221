"""Drives the servers with the Python client of the Model Context Protocol that is installed, 1.x or 2.x: every tool with the
parameters it must have, with all of them and with wrong ones; a server that is killed; three servers at once.

usage: client.py PROGRAM FOLDER"""
import asyncio
import contextlib
import json
import os
import pathlib
import signal
import sys

import samples

try:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    MODES = ["auto", "legacy"]
except ImportError:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    MODES = ["session"]

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED:", message)


class Session:
    """One client and its server, whichever generation the client is of."""

    def __init__(self, inner):
        self.inner = inner

    async def tools(self):
        listed = (await self.inner.list_tools()).tools
        return {tool.name: tool for tool in listed}

    async def call(self, name, arguments):
        """Whether it is an error, the first text, the structured content."""
        result = await self.inner.call_tool(name, arguments)
        one = lambda *names: next((getattr(result, name) for name in names if hasattr(result, name)), None)
        text = result.content[0].text if result.content else ""
        return bool(one("is_error", "isError")), text, one("structured_content", "structuredContent")


def schema_of(tool, which):
    names = {"in": ("input_schema", "inputSchema"), "out": ("output_schema", "outputSchema")}[which]
    return next((getattr(tool, name) for name in names if hasattr(tool, name)), None)


@contextlib.asynccontextmanager
async def session(server, root, mode, pid_file=None):
    command, arguments = PROGRAM, ["mcp", "serve", server, "--root", str(root)]
    if pid_file:
        command, arguments = "sh", ["-c", f'echo $$ > "{pid_file}"; exec "$0" "$@"', command, *arguments]
    parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    if mode == "session":
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as inner:
            await inner.initialize()
            yield Session(inner)
    else:
        async with Client(stdio_client(parameters), mode=mode) as inner:
            yield Session(inner)


async def every_tool(root, mode):
    asked = 0
    kept = {}
    for server in samples.SERVERS:
        async with session(server, root, mode) as it:
            tools = await it.tools()
            known = [sample["tool"] for sample in samples.calls()]
            expect(not set(tools) - set(known), f"{server}: no sample call of {set(tools) - set(known)}")
            for sample in samples.calls():
                tool = tools.get(sample["tool"])
                if tool is None:
                    continue
                for which in ["required", "all"]:
                    error, text, structured = await it.call(tool.name, samples.filled(sample[which], kept))
                    asked += 1
                    expect(not error, f"{mode} {tool.name} ({which}): {text[:300]}")
                    if error:
                        continue
                    samples.keep(sample, text, kept)
                    if schema_of(tool, "out") is None:
                        expect(structured is None and text, f"{mode} {tool.name}: source alone")
                    else:
                        said = json.loads(text)
                        expect(said in (structured, (structured or {}).get("result", ...)), f"{mode} {tool.name}: text and structure differ")
                given = samples.filled(sample["all"], kept)
                for name, schema in schema_of(tool, "in")["properties"].items():
                    value = samples.wrong(schema)
                    if value is None:
                        continue
                    error, text, _ = await it.call(tool.name, dict(given, **{name: value}))
                    asked += 1
                    expect(error and text.startswith("invalid_arguments: ") and name in text, f"{mode} {tool.name}: wrong `{name}`: {text[:200]}")
                for name in schema_of(tool, "in").get("required", []):
                    error, text, _ = await it.call(tool.name, {key: value for key, value in given.items() if key != name})
                    asked += 1
                    expect(error and text.startswith("invalid_arguments: ") and name in text, f"{mode} {tool.name}: without `{name}`: {text[:200]}")
            try:
                error, text, _ = await it.call("no_such_tool", {})
                expect(False, f"{mode}: an unknown tool gave {text}")
            except Exception as error:
                expect("unknown tool" in str(error), f"{mode}: an unknown tool gave {error!r}")
    print(f"{mode}: {asked} calls")


async def killed(root, mode):
    """What was written before is there, and the next server answers."""
    pid_file = root / "pid"
    sample = next(it for it in samples.calls() if it["tool"] == "create_contract")
    try:
        async with session("contract-engine", root, mode, pid_file) as it:
            error, text, _ = await it.call("create_contract", samples.filled(dict(sample["required"], version="7.0.0"), {}))
            expect(not error, f"{mode}: {text}")
            os.kill(int(pid_file.read_text()), signal.SIGKILL)
            try:
                await asyncio.wait_for(it.call("list_contracts", {}), 10)
                expect(False, f"{mode}: a killed server answered")
            except Exception:
                pass
    except Exception:
        pass  # Clients end such a session each in their own way.
    async with session("contract-engine", root, mode) as it:
        _, text, _ = await it.call("list_contracts", {"service_name": "books", "page_size": 100})
        expect("7.0.0" in [item["version"] for item in json.loads(text)["items"]], f"{mode}: what was acknowledged is gone")


async def interleaved(root, mode):
    async with contextlib.AsyncExitStack() as stack:
        open_ = [await stack.enter_async_context(session(server, root, mode)) for server in samples.SERVERS]
        kept, jobs = {}, []
        listed = [await it.tools() for it in open_]
        for sample in samples.calls():
            for it, tools in zip(open_, listed):
                if sample["tool"] not in tools:
                    continue
                if sample.get("keep"):
                    _, text, _ = await it.call(sample["tool"], samples.filled(sample["required"], kept))
                    samples.keep(sample, text, kept)
                else:
                    jobs += [(it, sample["tool"], samples.filled(sample[which], kept)) for which in ["required", "all"]]
        answers = await asyncio.gather(*(it.call(name, arguments) for it, name, arguments in jobs * 3))
        for (_, name, _), (error, text, _) in zip(jobs * 3, answers):
            expect(not error, f"{mode} {name} among others: {text[:300]}")
        print(f"{mode}: {len(answers)} calls at once")


MEMBERS = ["root_cause_analyst", "code_archaeologist", "pattern_matcher", "systems_thinker", "adversarial_tester"]
WRONG = ["a - b", "a * a - 3", "b - a"]


async def team(root, mode):
    """A whole session of the development team, against a project whose tests really fail and then pass."""
    (root / "src").mkdir(parents=True)
    (root / "treaty.toml").write_text('[gates]\nrun = ["tests"]\n[gates.commands]\ntests = "python3 -m unittest test_add"\n')
    (root / "test_add.py").write_text(
        "import unittest\nfrom src.add import add\n\n\nclass Adds(unittest.TestCase):\n"
        "    def test_adds(self):\n        self.assertEqual(add(2, 2), 4)\n        self.assertEqual(add(1, 4), 5)\n")
    async with session("devteam", root, mode) as it:
        tools = await it.tools()
        expect(len(tools) == 16, f"{mode}: {len(tools)} tools of the team")
        error, text, _ = await it.call("devteam_get_context", {})
        expect(error and "devteam_start_session" in text, f"{mode}: no session: {text}")

        async def does(name, **arguments):
            error, text, structured = await it.call("devteam_" + name, arguments)
            expect(not error and (structured or {}).get("text", text) == text, f"{mode} {name}: {text[:300]}")
            return text, structured or {}

        async def reports(body):
            (root / "src" / "add.py").write_text(f"def add(a, b):\n    return {body}\n")
            return await does("report_completion", filesChanged=["src/add.py"], summary=f"returns {body}")

        await does("start_session", command="mend the sum", commandType="bug")
        await does("start_task", taskId="adhoc", description="Fix add", acceptanceCriteria=["2 + 2 is 4"], scopeFiles=["src/**"], complexity=3)
        await does("get_session_status")
        _, structured = await does("check_scope", files=["src/add.py", "test_add.py"])
        expect(structured["violations"] == ["test_add.py"], f"{mode}: {structured}")
        _, structured = await does("save_checkpoint", description="before")
        await does("restore_checkpoint", checkpointId=structured["checkpointId"])
        text, _ = await does("list_checkpoints")
        expect([it["description"] for it in json.loads(text)] == ["before"], f"{mode}: {text}")
        await does("get_agent_info", agentId="code-writer")
        _, structured = await does("record_tokens", model="haiku", inputTokens=1000, outputTokens=1000)
        expect(structured["costCents"] == 0.15, f"{mode}: {structured}")
        decisions = []
        for body in WRONG:
            text, structured = await reports(body)
            decisions.append(structured["decision"])
            expect("EXIT_SIGNAL" not in text, f"{mode}: {text}")
        expect(decisions == ["iterate", "escalate", "bug_council"], f"{mode}: {decisions}")
        await does("bug_council_analyze")
        for ranking in [{}, {"ranking": ["pattern_matcher"]}]:
            for member in MEMBERS:
                _, structured = await does(
                    "bug_council_submit", member=member, findings=["it subtracts"], hypothesis="wrong operator",
                    suggestedFix=f"add, says {member}", confidence=60, **ranking)
        expect(structured.get("decision", {}).get("recommendedFix") == "add, says pattern_matcher", f"{mode}: {structured}")
        text, structured = await reports("a + b")
        expect(structured["decision"] == "complete" and "EXIT_SIGNAL: true" in text, f"{mode}: {text}")
        _, structured = await does("run_quality_gates", gates=["tests"])
        expect(structured["overall"] == "pass", f"{mode}: {structured}")
        await does("get_context")
        await does("start_task", taskId="adhoc", description="Another", acceptanceCriteria=["done"])
        _, structured = await does("escalate", reason="larger than it looked")
        expect(structured["toModel"] == "opus", f"{mode}: {structured}")
        text, _ = await does("end_session", status="completed")
        expect("1 of 1 tasks completed" in text, f"{mode}: {text}")
        listed = {str(it.uri) for it in (await it.inner.list_resources()).resources}
        expect("devteam://session/current" in listed and len(listed) == 4, f"{mode}: {listed}")
        history = await it.inner.read_resource("devteam://session/history")
        expect(json.loads(history.contents[0].text)[0]["status"] == "completed", f"{mode}: {history}")
        templates = await it.inner.list_resource_templates()
        listed = getattr(templates, "resource_templates", None) or getattr(templates, "resourceTemplates", [])
        expect(len(listed) == 1, f"{mode}: {templates}")
    print(f"{mode}: a session of the team")


async def main():
    for mode in MODES:
        root = samples.project(FOLDER / mode)
        await every_tool(root, mode)
        await killed(root, mode)
        await interleaved(root, mode)
        await team(FOLDER / f"{mode}-team", mode)

asyncio.run(main())
sys.exit(1 if failures else 0)
