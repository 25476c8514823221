"""What people install and let run is built, installed and run: the wheel, the packages for npm, the hooks of pre-commit with the
real client on real repositories, the steps of the action with stand-ins for what is on the network, and `treaty init`."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import venv

import action
import lint

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def cache():
    return pathlib.Path(os.environ.get("TREATY_SHIP", pathlib.Path.home() / ".cache" / "treaty-ship"))


def python():
    """The folder of an environment with the tools."""
    wanted = (HERE / "requirements.txt").read_text()
    folder = cache() / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        ready.write_text(wanted)
    return folder / "bin"


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


class Failed(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failed(what)


def run(*command, cwd=None, code=0, **options):
    """What a command prints, both streams; its exit code must be `code`."""
    ended = subprocess.run([str(it) for it in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    check(code is None or ended.returncode == code, f"{command[:3]} ended with {ended.returncode}, not {code}:\n{ended.stdout}")
    return ended.stdout


def build(tools, dist, options):
    """The archive, the wheel and the packages; `dev` takes what tests have built already."""
    more = ["--no-default-features"] if options.no_default_features else []
    environment = dict(os.environ, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
    run(sys.executable, ROOT / "packaging" / "build.py", "--out", dist, "--profile", options.profile, *more, env=environment)


def project(folder):
    """A service that does not keep its contract, as a git repository."""
    shutil.copytree(ROOT / "fixtures" / "kiosk", folder)
    for command in [["init", "-q", "-b", "main"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]]:
        run("git", *command, cwd=folder)
    return folder


def wheel(tools, dist, work, _):
    """A new environment without a network, and the time until the first finding."""
    venv.create(work / "venv", with_pip=True)
    start = time.monotonic()
    run(work / "venv" / "bin" / "pip", "install", "--no-index", "-q", *dist.glob("*.whl"))
    said = run(work / "venv" / "bin" / "treaty", "scan", ROOT / "fixtures" / "kiosk", code=1)
    took = time.monotonic() - start
    check("`price` of `Ticket` is number" in said, said)
    return f"installed, first finding after {took:.1f} s"


def npm(tools, dist, work, _):
    """A new folder without a network."""
    folder = work / "npm"
    folder.mkdir()
    packages = sorted(dist.glob("*.tgz"))
    check(len(packages) == 2, f"packages for npm: {packages}")
    # The packages for other systems are nowhere yet.
    run("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", "--omit=optional", *packages, cwd=folder)
    said = run(folder / "node_modules" / ".bin" / "treaty", "scan", ROOT / "fixtures" / "kiosk", code=1)
    check("`price` of `Ticket` is number" in said, said)
    shutil.rmtree(next((folder / "node_modules").glob("treaty-scan-*")))
    said = run(folder / "node_modules" / ".bin" / "treaty", "--version", code=2)
    check("is not installed" in said, said)
    return "installed, run, and told what is missing"


def archive(tools, dist, work, _):
    path = next(dist.glob("*.tar.gz"))
    run("sha256sum", "--check", path.name + ".sha256", cwd=dist)
    run("tar", "-xzf", path, "-C", work)
    run(work / path.name.replace(".tar.gz", "") / "treaty", "--version")
    return path.name


def hook(tools, dist, work, _):
    """The hook of this repository, in another one: it finds, and is silent about commits of nothing that is read."""
    # pre-commit takes the hooks from a commit; this one has the files as they are now.
    hooks = work / "hooks"
    hooks.mkdir()
    for name in [".pre-commit-hooks.yaml", "pyproject.toml"]:
        shutil.copy(ROOT / name, hooks)
    for command in [["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]]:
        run("git", *command, cwd=hooks)
    revision = run("git", "rev-parse", "HEAD", cwd=hooks).strip()
    folder = project(work / "hooked")
    (folder / ".pre-commit-config.yaml").write_text(f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - id: treaty\n")
    environment = dict(os.environ, PRE_COMMIT_HOME=str(work / "pre-commit"), PIP_FIND_LINKS=str(dist))
    environment.pop("GIT_DIR", None)
    client = tools / "pre-commit"
    return hooked(client, folder, environment)


def hooked(client, folder, environment):
    """A commit of a note passes, one of code that keeps its contract, too, and one of other code is held."""
    run("git", "add", "-A", cwd=folder)
    run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "b", cwd=folder, env=environment)
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "c"]
    run(client, "install", cwd=folder, env=environment)
    (folder / "note.txt").write_text("a note\n")
    run("git", "add", "-A", cwd=folder)
    said = run(*commit, cwd=folder, env=environment)
    check("Skipped" in said, said)
    code = folder / "app.py"
    code.write_text(code.read_text().replace("event: str", "event: str  # what it is for"))
    run("git", "add", "-A", cwd=folder)
    said = run(*commit, cwd=folder, env=environment, code=1)
    check("`price` of `Ticket` is number" in said, said)
    code.write_text(code.read_text().replace("price: float", "price: int"))
    contract = folder / "openapi.yaml"
    head, tail = contract.read_text().split("    delete:\n")
    contract.write_text(head + "components:" + tail.split("components:")[1])
    run("git", "add", "-A", cwd=folder)
    said = run(*commit, cwd=folder, env=environment)
    check("Passed" in said, said)
    return "skips, finds, passes"


def init(tools, dist, work, _):
    """What `treaty init` writes works: the settings as they are, the hook with the real client, the workflow with the linters."""
    folder = project(work / "begun")
    treaty = work / "venv" / "bin" / "treaty"
    fingerprints = lambda: [it["fingerprint"] for it in json.loads(run(treaty, "scan", "--format", "json", cwd=folder, code=1))["findings"]]
    before = fingerprints()
    said = run(treaty, "init", cwd=folder)
    for line in ["found begun in .", "wrote treaty.toml", "wrote .pre-commit-config.yaml", "wrote .github/workflows/treaty.yml"]:
        check(line in said, said)
    check(len(before) == 2 and before == fingerprints(), "settings that were written changed what is found")
    written = {it: it.read_bytes() for it in folder.rglob("*") if it.is_file() and ".git/" not in str(it)}
    said = run(treaty, "init", cwd=folder)
    check("wrote" not in said and all(it.read_bytes() == old for it, old in written.items()), said)
    check(not lint.workflows(tools, node(), [folder / ".github" / "workflows" / "treaty.yml"]), "the linters speak")
    environment = dict(os.environ, PRE_COMMIT_HOME=str(work / "pre-commit"), PIP_FIND_LINKS=str(dist))
    # The workflow is no part of this: what it lints is a change of the repository.
    return hooked(tools / "pre-commit", folder, environment)


def speed(tools, dist, work, options):
    """A change of one file in a large repository."""
    if not options.repository:
        return "skipped, --repository names a folder of 1,000 files"
    folder = work / "large"
    shutil.copytree(options.repository, folder, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    treaty = options.binary or work / "venv" / "bin" / "treaty"
    (folder / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks:\n  - {id: treaty, name: treaty, language: system, pass_filenames: false, "
        f"entry: {treaty} scan --quiet --fail-on never}}\n"
    )
    for command in [["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]]:
        run("git", *command, cwd=folder)
    files = [it for it in run("git", "ls-files", cwd=folder).splitlines() if it.endswith((".py", ".ts", ".cs"))]
    lines = sum((folder / it).read_bytes().count(b"\n") for it in files)
    with open(folder / files[len(files) // 2], "ab") as out:
        out.write(b"\n")
    run("git", "add", "-A", cwd=folder)
    times = []
    for _ in range(11):
        start = time.monotonic()
        run(tools / "pre-commit", "run", cwd=folder)
        times.append(time.monotonic() - start)
    times.sort()
    return f"{len(files)} files, {lines} lines: median {times[5]:.2f} s, {times[0]:.2f} to {times[-1]:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="install the tools, and nothing else")
    parser.add_argument("--profile", default="dev", help="profile of cargo that is built with [dev]")
    parser.add_argument("--no-default-features", action="store_true", help="the scanner alone")
    parser.add_argument("--dist", type=pathlib.Path, help="packages that are built already")
    parser.add_argument("--repository", type=pathlib.Path, help="a large folder, for the time of the hook")
    parser.add_argument("--binary", type=pathlib.Path, help="the program whose time is taken, else that of the wheel")
    parser.add_argument("--only", help="one part")
    options = parser.parse_args()
    tools = python()
    packages = node()
    if options.install:
        return
    parts = {
        "wheel": wheel, "npm": npm, "archive": archive, "hook": hook, "init": init, "speed": speed,
        "linters": lambda *_: lint.all_files(tools, packages),
        "action": lambda tools, dist, work, _: action.every_way(tools, dist, work),
    }
    failed = passed = 0
    with tempfile.TemporaryDirectory(prefix="treaty-ship-") as work:
        work = pathlib.Path(work).resolve()
        dist = (options.dist or work / "dist").resolve()
        if not options.dist:
            build(tools, dist, options)
        for name, part in parts.items():
            if options.only and name not in (options.only, "wheel"):
                continue
            try:
                said = part(tools, dist, work, options)
                print(f"{'skip ' if said.startswith('skipped') else 'ok   '} {name}: {said}", flush=True)
                passed += 1
            except (Failed, action.Failed, lint.Failed) as error:
                print(f"WRONG {name}: {error}", flush=True)
                failed += 1
    print(f"ship: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
