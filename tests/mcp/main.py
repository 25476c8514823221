"""The servers of `treaty mcp serve`, driven by the official clients and testers of the protocol: Python `mcp` 1.x and 2.x,
`@modelcontextprotocol/inspector`, `@modelcontextprotocol/conformance`; and under load."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import inspector  # noqa: E402
import load  # noqa: E402
import samples  # noqa: E402

PYTHON_CLIENTS = {"1": "mcp>=1.25,<2", "2": "mcp>=2,<3"}

# Those that need no tools, prompts or resources made for the test. All others ask for such, or for what treaty does not
# announce: completion, logging, sampling, elicitation, subscriptions, tasks, skills.
SCENARIOS = {
    "2025-11-25": ["server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list", "prompts-list",
                   "server-sse-multiple-streams", "dns-rebinding-protection"],
    "2026-07-28": ["tools-list", "resources-list", "prompts-list", "caching", "server-sse-multiple-streams",
                   "dns-rebinding-protection", "http-header-validation", "server-stateless"],
}
# Checks of server-stateless for which it wants a tool of its own: `test_missing_capability`, `test_streaming_elicitation`,
# `test_logging_tool`.
NOT_TESTABLE = "Not testable: server does not list the diagnostic tool"


def cache():
    return pathlib.Path(os.environ.get("TREATY_MCP", pathlib.Path.home() / ".cache" / "treaty-mcp"))


def python(generation):
    folder = cache() / f"python{sys.version_info[0]}.{sys.version_info[1]}-mcp{generation}"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", PYTHON_CLIENTS[generation]], check=True)
        (folder / "ready").touch()
    return folder / "bin" / "python"


def node():
    """The folder of the programs of the Node packages."""
    folder = cache() / "node"
    wanted = (HERE / "package.json").read_text()
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", folder)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts=false"], cwd=folder, check=True)
        ready.write_text(wanted)
    return folder / "node_modules" / ".bin"


def with_node(programs):
    return dict(os.environ, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")


def clients(program, work):
    passed = True
    for generation in PYTHON_CLIENTS:
        print(f"Python client {generation}.x")
        folder = work / f"client{generation}"
        folder.mkdir()
        done = subprocess.run([python(generation), HERE / "client.py", program, folder], env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        passed &= done.returncode == 0
    return passed


def checks_of(output):
    """The checks in what the tester printed: a list, after lines about what it does."""
    lines = output.splitlines()
    begin, end = lines.index("["), len(lines) - 1 - lines[::-1].index("]")
    return json.loads("\n".join(lines[begin:end + 1]))


def conformance(program, work):
    programs = node()
    root = samples.project(work / "conformance")
    command = [program, "mcp", "serve", "all", "--root", root, "--http", "127.0.0.1:0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    passed = True
    try:
        url = re.search(r"http://\S+", server.stderr.readline()).group(0)
        for version, scenarios in SCENARIOS.items():
            for scenario in scenarios:
                ask = [programs / "conformance", "server", "--url", url, "--scenario", scenario, "--spec-version", version]
                # A file: what it writes to a pipe may be cut where it ends.
                printed = work / "conformance.out"
                with printed.open("w") as out:
                    subprocess.run([*ask, "--verbose"], env=with_node(programs), stdout=out, timeout=120)
                checks = checks_of(printed.read_text())
                failed = [check.get("errorMessage", check["id"]) for check in checks if check["status"] in ("FAILURE", "ERROR")]
                errors = [message for message in failed if not message.startswith(NOT_TESTABLE)]
                succeeded = sum(check["status"] == "SUCCESS" for check in checks)
                untestable = len(failed) - len(errors)
                good = succeeded > 0 and not errors
                passed &= good
                left = f", {untestable} need a tool of the test's own" if untestable else ""
                print(f"conformance {version} {scenario}: {'passed' if good else 'FAILED'}, {succeeded} checks{left}")
                for line in errors:
                    print("  ", line[:300])
    finally:
        server.kill()
        server.wait()
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=HERE.parents[1] / "target" / "debug" / "treaty", help="the treaty to test")
    parser.add_argument("--install", action="store_true", help="only install what is needed, from the registries")
    parser.add_argument("--only", choices=["clients", "inspector", "conformance", "load"], action="append", help="not everything")
    parser.add_argument("--seconds", type=int, default=10, help="how long to load three servers on one database")
    parser.add_argument("--code", type=pathlib.Path, help="folder of code to index under load, rather than the sample")
    parser.add_argument("--limit", type=float, help="milliseconds within which 99 of 100 calls are to be answered")
    asked = parser.parse_args()
    if asked.install:
        [python(generation) for generation in PYTHON_CLIENTS]
        node()
        return 0
    started, passed = time.monotonic(), True
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        wanted = lambda part: not asked.only or part in asked.only
        if wanted("clients"):
            passed &= clients(asked.program, work)
        if wanted("inspector"):
            programs = node()
            passed &= inspector.drive(asked.program, programs / "mcp-inspector", with_node(programs), work / "inspector")
        if wanted("conformance"):
            passed &= conformance(asked.program, work)
        if wanted("load"):
            passed &= load.drive(asked.program, work / "load", asked.seconds, asked.code, asked.limit)
    print(f"{'passed' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
