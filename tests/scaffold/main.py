"""Services that treaty makes of contracts are installed, tested, started on the loopback address and asked by schemathesis."""
import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
KEY = "key-of-the-tests"
# Contracts of different style, each with what it sends and receives, where it is served, and how clients say who they are.
CONTRACTS = [
    ("tasks.yaml", ["--publishes", HERE / "events.yaml", "--consumes", HERE / "stock.yaml"], "/api/v1", f"Authorization: Bearer {KEY}"),
    ("pets.json", [], "/v2", None),
    ("library.yaml", [], "", f"X-Key: {KEY}"),
]
TARGETS = ["fastapi", "express", "nestjs", "aspnet"]


def cache():
    return pathlib.Path(os.environ.get("TREATY_SCAFFOLD", pathlib.Path.home() / ".cache" / "treaty-scaffold"))


def python():
    """The folder of the programs of an environment with all packages."""
    wanted = (HERE / "requirements.txt").read_text()
    folder = cache() / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        ready.write_text(wanted)
    return folder / "bin"


def node(target, manifest):
    """The folder that has the packages which services of this kind ask for, with the broker's client or without."""
    asked = json.loads(manifest)
    packages = {**asked["dependencies"], **asked["devDependencies"], "kafkajs": "^2.2.4"}
    wanted = json.dumps({"private": True, "dependencies": packages}, sort_keys=True)
    folder = cache() / target
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(wanted)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
        ready.write_text(wanted)
    return folder / "node_modules"


def make(treaty, work, contract, target, options):
    folder = work / f"{target}-{pathlib.Path(contract).stem}"
    subprocess.run([treaty, "scaffold", HERE / contract, "--target", target, "--into", folder, *options], check=True, capture_output=True)
    return folder


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


class Service:
    """A service, while it is asked."""

    def __init__(self, command, folder, port):
        self.command, self.folder, self.port = command, folder, port

    def __enter__(self):
        environment = {**os.environ, "SERVICE_KEY": KEY, "PORT": str(self.port)}
        self.log = open(self.folder / "log", "w+")
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(300):
            with socket.socket() as it:
                if it.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(f"{self.folder.name} does not listen:\n{(self.folder / 'log').read_text()[-4000:]}")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()


def passes(what, command, **options):
    run = subprocess.run(command, capture_output=True, text=True, **options)
    print(f"  {what}: {'passes' if run.returncode == 0 else 'FAILS'}", flush=True)
    if run.returncode != 0:
        print(f"{run.stdout[-8000:]}{run.stderr[-4000:]}")
    return run.returncode == 0


def judge(bin, folder, target, contract, base, header, examples):
    """How many of its trials a service fails."""
    port = free_port()
    wrong = 0
    if target == "fastapi":
        wrong += not passes(f"{folder.name}, its own tests", [bin / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=folder)
        command = [bin / "python", "-m", "uvicorn", "app.main:app", "--port", str(port), "--log-level", "warning"]
    elif target == "aspnet":
        if shutil.which("dotnet") is None:
            print(f"  {folder.name}, its own tests and schemathesis: not run, there is no `dotnet`", flush=True)
            return 0
        wrong += not passes(f"{folder.name}, its own tests", ["dotnet", "test", "tests"], cwd=folder)
        command = ["dotnet", "run", "--urls", f"http://127.0.0.1:{port}"]
    else:
        (folder / "node_modules").symlink_to(node(target, (folder / "package.json").read_text()))
        wrong += not passes(f"{folder.name}, its own tests", ["npm", "test"], cwd=folder)
        command = ["node", "dist/src/main.js"]
    if wrong:
        return wrong
    with Service(command, folder, port):
        document = folder / "contracts" / f"{pathlib.Path(contract).stem}.json"
        asked = [bin / "schemathesis", "run", document, "--url", f"http://127.0.0.1:{port}{base}", "--max-examples", str(examples)]
        named = ["--header", header] if header else []
        return int(not passes(f"{folder.name}, schemathesis", [*asked, "--request-timeout", "10", *named], cwd=folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="install what the tests need but for the packages of Node, and stop")
    parser.add_argument("--treaty", type=pathlib.Path, default=HERE.parent.parent / "target" / "debug" / "treaty", help="the program")
    parser.add_argument("--target", choices=TARGETS, action="append", help="only services of this kind")
    parser.add_argument("--examples", type=int, default=20, help="most examples that schemathesis makes of an operation")
    arguments = parser.parse_args()
    bin = python()
    if arguments.install:
        return
    treaty, wrong, runs = arguments.treaty.resolve(), 0, 0
    with tempfile.TemporaryDirectory() as work:
        for target in arguments.target or TARGETS:
            for contract, options, base, header in CONTRACTS:
                folder = make(treaty, pathlib.Path(work), contract, target, options)
                scanned = subprocess.run([treaty, "scan", folder, "--format", "json"], capture_output=True, text=True)
                report = json.loads(scanned.stdout)
                counts = [it["operations"] for it in report["summary"]["contracts"]]
                contracted, verified = (sum(it[key] for it in counts) for key in ["contracted", "verified"])
                print(f"  {folder.name}, scan: {len(report['findings'])} findings, {verified} of {contracted} operations verified", flush=True)
                wrong += scanned.returncode != 0 or len(report["findings"]) > 0 or verified != contracted
                wrong += judge(bin, folder, target, contract, base, header, arguments.examples)
                runs += 1
    print(f"{runs} services, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
