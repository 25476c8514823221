"""Tests that treaty makes of contracts are run: they must pass with what keeps the contract, and fail with each defect."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
DEFECTS = [
    "member missing", "wrong type", "wrong deep inside", "undeclared status", "knows nothing", "crashes",
    "refuses in another form", "accepts any parameter", "accepts any body",
]
# What only tests of what is ruled out can find.
NEGATIVE = ["crashes", "refuses in another form", "accepts any parameter", "accepts any body"]


def cache():
    return pathlib.Path(os.environ.get("TREATY_CONTRACTS", pathlib.Path.home() / ".cache" / "treaty-contracts"))


def python(name, *requirements):
    """The interpreter of an environment with these packages."""
    wanted = "\n".join((HERE / it).read_text() for it in requirements)
    folder = cache() / f"{name}{sys.version_info[0]}.{sys.version_info[1]}"
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        named = [argument for it in requirements for argument in ("-r", HERE / it)]
        subprocess.run([folder / "bin" / "pip", "install", "-q", *named], check=True)
        ready.write_text(wanted)
    return folder / "bin" / "python"


def node():
    """The folder that has the packages."""
    folder, wanted = cache() / "node", (HERE / "package.json").read_text()
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(HERE / "package.json", folder)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
        ready.write_text(wanted)
    return folder


class Contracts:
    """A registry of its own."""

    def __init__(self, binary, work):
        self.binary, self.work = binary, work

    def treaty(self, *arguments):
        return subprocess.run([self.binary, "contract", *arguments, "--root", self.work], check=True, capture_output=True, text=True).stdout

    def suite(self, document, framework, file, *options):
        contract = json.loads(self.treaty("add", HERE / document, "--service", "shop", "--version", "1.0.0", "--format", "json"))
        self.treaty("tests", contract["id"], "--framework", framework, "-o", file, *options)
        return file


class Service:
    """The service on a port of its own, while it is asked."""

    def __init__(self, defect):
        self.defect = defect

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, HERE / "service.py", "0", self.defect], stdout=subprocess.PIPE, text=True)
        return {"CONTRACT_BASE_URL": f"http://127.0.0.1:{self.process.stdout.readline().strip()}/api"}

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def run_pytest(interpreter):
    return lambda file, settings: subprocess.run(
        [interpreter, "-m", "pytest", "-q", "-p", "no:cacheprovider", file], cwd=file.parent, env={**os.environ, **settings}, capture_output=True, text=True
    )


def run_jest(folder):
    command = [folder / "node_modules" / ".bin" / "jest", "--rootDir", folder, "--ci", "--colors=false", "--runTestsByPath"]
    return lambda file, settings: subprocess.run([*command, file], cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True)


class Judge:
    def __init__(self):
        self.wrong = 0
        self.runs = 0

    def expect(self, passes, what, run):
        self.runs += 1
        # Both runners answer 1 where tests fail; anything else means that they could not be run.
        if run.returncode != (0 if passes else 1):
            self.wrong += 1
            print(f"WRONG {what}: exit code {run.returncode}\n{run.stdout[-6000:]}{run.stderr[-6000:]}")
        else:
            print(f"  {what}: {'passes' if passes else 'fails'}, as it should")


def write_messages(folder, values):
    folder.mkdir()
    for name, value in values.items():
        (folder / name).write_text(json.dumps(value))
    return {"CONTRACT_MESSAGES": str(folder)}


def try_framework(judge, contracts, framework, run, place):
    """`place` gives the file of a suite by name."""
    full = contracts.suite("shop.yaml", framework, place("shop"))
    mild = contracts.suite("shop.yaml", framework, place("shop_mild"), "--no-negative")
    for defect in ["", *DEFECTS]:
        with Service(defect) as settings:
            judge.expect(not defect, f"{framework}, {defect or 'no defect'}", run(full, settings))
            if not defect or defect in NEGATIVE:
                judge.expect(True, f"{framework} without negative cases, {defect or 'no defect'}", run(mild, settings))
    lines = {"good": {"price": 1}, "bad": {"price": "1"}}
    for document, kind, wrap in [("events.yaml", "OrderPlaced", lambda it: {"id": 1, "lines": [it]}), ("line.yaml", "Line", lambda it: {"price": 1, "parts": [it]})]:
        suite = contracts.suite(document, framework, place(kind))
        judge.expect(True, f"{framework}, samples of {kind}", run(suite, {}))
        for name, line in lines.items():
            settings = write_messages(contracts.work / f"{framework}-{kind}-{name}", {f"{kind}.1.json": wrap({"price": 2}), f"{kind}.2.json": wrap(line)})
            judge.expect(name == "good", f"{framework}, {name} messages of {kind}", run(suite, settings))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="install what the tests need, and stop")
    parser.add_argument("--treaty", type=pathlib.Path, default=HERE.parent.parent / "target" / "debug" / "treaty", help="the program")
    arguments = parser.parse_args()
    plain = python("plain", "requirements.txt")
    fuzzed = python("schemathesis", "requirements.txt", "requirements-schemathesis.txt")
    folder = node()
    if arguments.install:
        return
    judge = Judge()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        contracts = Contracts(arguments.treaty.resolve(), work)
        try_framework(judge, contracts, "pytest", run_pytest(plain), lambda name: work / f"test_{name}.py")
        suite = work / "test_shop.py"
        contracts.suite("shop.yaml", "pytest", suite)
        for defect in ["", "member missing", "undeclared status"]:
            with Service(defect) as settings:
                judge.expect(not defect, f"schemathesis, {defect or 'no defect'}", run_pytest(fuzzed)(suite, settings))
        suites = folder / "suites"
        shutil.rmtree(suites, ignore_errors=True)
        suites.mkdir()
        # Modules are looked for beside the tests.
        try_framework(judge, contracts, "jest", run_jest(folder), lambda name: suites / f"{name}.test.js")
        for defect in ["", "receipts"]:
            settings = {"CONTRACT_APP": str(HERE / "app.cjs"), "DEFECT": defect}
            judge.expect(not defect, f"jest with a module, {defect or 'no defect'}", run_jest(folder)(suites / "shop.test.js", settings))
    print(f"{judge.runs} runs of generated tests, {judge.wrong} wrong")
    sys.exit(1 if judge.wrong else 0)


if __name__ == "__main__":
    main()
