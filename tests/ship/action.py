"""The steps of action.yml are run as a runner does, with stand-ins for what is on the network: git, curl, rustup and cargo."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Failed(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failed(what)


def expression(text, contexts):
    """The value of what stands in `${{ }}`, or of an `if`: names, texts, `==`, `!=`, `&&`, `||` and parentheses."""
    tokens = re.findall(r"'[^']*'|[A-Za-z_][\w.-]*|==|!=|&&|\|\||[()]", text)

    def value(token):
        if token in ("==", "!=", "(", ")"):
            return token
        if token in ("&&", "||"):
            return {"&&": "and", "||": "or"}[token]
        if token.startswith("'"):
            return repr(token[1:-1])
        found = contexts
        for part in token.split("."):
            found = found.get(part, "") if isinstance(found, dict) else ""
        return repr(found)

    return eval(" ".join(value(token) for token in tokens), {"__builtins__": {}})


def filled(text, contexts):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda it: str(expression(it[1], contexts)), str(text))


class Runner:
    """A folder of a runner, in which actions of others are only noted."""

    def __init__(self, tools, work, treaty):
        self.work, self.treaty = work, treaty
        work.mkdir()
        self.temp, self.stand_ins = work / "temp", work / "bin"
        self.temp.mkdir()
        self.stand_ins.mkdir()
        text = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"
        self.action = json.loads(subprocess.run([tools / "python", "-c", text, ROOT / "action.yml"], capture_output=True, check=True).stdout)
        # The cargo of the test writes down what it was asked for, and installs the program that is there.
        self.stand_in("rustup", f'echo "rustup $*" >> "{work}/asked"\n')
        self.stand_in("cargo", f'echo "cargo $* with $RUSTUP_TOOLCHAIN in $PWD" >> "{work}/asked"\nmkdir -p "{self.temp}/treaty/bin"\ncp "{treaty}" "{self.temp}/treaty/bin/treaty"\n')
        self.stand_in("git", "exit 128\n")
        self.stand_in("curl", "exit 22\n")

    def stand_in(self, name, script):
        path = self.stand_ins / name
        path.write_text("#!/usr/bin/env bash\n" + script)
        path.chmod(0o755)

    def asked(self):
        path = self.work / "asked"
        return path.read_text() if path.exists() else ""

    def run(self, project, inputs=None, github=None, uploads=True, cached=False):
        """Runs all steps, and returns how that ended, what was printed, the outputs, and the actions of others that were used."""
        given = {name: it.get("default", "") for name, it in self.action["inputs"].items()} | (inputs or {})
        context = {
            "action_path": str(ROOT), "action_ref": "", "action_repository": "", "event_name": "push", "actor": "somebody",
            "repository": "shop/shop", "event": {},
        } | (github or {})
        steps, used, printed, code = {}, [], "", 0
        contexts = {"inputs": given, "github": context, "steps": steps, "runner": {"temp": str(self.temp), "os": "Linux", "arch": "X64"}}
        summary = self.work / "summary"
        summary.write_text("")
        for at, step in enumerate(self.action["runs"]["steps"]):
            condition = step.get("if", "")
            # As a runner does: a step that says nothing of failure is not run after one.
            if code or (condition and not expression(condition, contexts)):
                continue
            outputs, outcome = {}, "success"
            if "uses" in step:
                check(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), f"{step['uses']} is not pinned by a hash")
                used.append((step["uses"].split("@")[0], {key: filled(it, contexts) for key, it in step["with"].items()}))
                if "cache" in step["uses"]:
                    outputs["cache-hit"] = "true" if cached else ""
                elif not uploads:
                    check(step.get("continue-on-error"), "an upload that is refused ends the job")
                    outcome = "failure"
            else:
                check("${{" not in step["run"], f"`{step['name']}` has an expression in its script")
                file = self.work / f"output-{at}"
                file.write_text("")
                environment = {
                    "PATH": f"{self.stand_ins}{os.pathsep}{os.environ['PATH']}", "HOME": str(self.work), "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
                    "RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(file), "GITHUB_STEP_SUMMARY": str(summary),
                    "GITHUB_SERVER_URL": "https://git.example",
                } | {key: filled(it, contexts) for key, it in step.get("env", {}).items()}
                folder = project / filled(step.get("working-directory", "."), contexts)
                ended = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, text=True)
                printed += ended.stdout + ended.stderr
                outputs = dict(line.split("=", 1) for line in file.read_text().splitlines())
                if ended.returncode:
                    outcome, code = "failure", ended.returncode
            if "id" in step:
                steps[step["id"]] = {"outputs": outputs, "outcome": outcome}
        told = {name: filled(it["value"], contexts) for name, it in self.action["outputs"].items()}
        return code, printed, told, used, summary.read_text()


def every_way(tools, dist, work):
    treaty = work / "venv" / "bin" / "treaty"
    project = work / "checked"
    shutil.copytree(ROOT / "fixtures" / "kiosk", project / "services" / "the kiosk")
    shutil.copytree(ROOT / "fixtures" / "clean", project / "services" / "clean")
    # What the project says of toolchains and of cargo is none of the action's business.
    (project / "rust-toolchain.toml").write_text('[toolchain]\nchannel = "1.56"\n')
    ways = 0

    def runner():
        nonlocal ways
        ways += 1
        return Runner(tools, work / f"runner-{ways}", treaty)

    # From a fork or a branch: built, with its own toolchain; findings are uploaded, and fail the job.
    own = runner()
    code, printed, told, used, summary = own.run(project, {"paths": "services/the kiosk\n\n  services/clean  \n"})
    check(code == 1, f"findings end with {code}: {printed}")
    check(told["errors"] == "2" and told["warnings"] == "0" and told["verified"] != "0", f"outputs: {told}")
    check("rustup toolchain install 1.91" in own.asked() and f"with 1.91 in {ROOT}" in own.asked(), own.asked())
    upload = dict(used)["github/codeql-action/upload-sarif"]
    check(json.loads(pathlib.Path(upload["sarif_file"]).read_text())["runs"][0]["results"], "the report has no results")
    check(upload["category"] == "treaty: services/clean services/the kiosk", upload["category"])
    check("2 errors" in summary and "| CONTRACT-001 |" in summary, summary)
    check("::error" not in printed, f"annotations beside an upload: {printed}")

    # From a cache.
    own = runner()
    (own.temp / "treaty" / "bin").mkdir(parents=True)
    shutil.copy(treaty, own.temp / "treaty" / "bin" / "treaty")
    code, printed, told, used, summary = own.run(project, {"paths": "services/clean"}, cached=True)
    check(code == 0 and told["errors"] == "0" and not own.asked(), f"{code} {told} {own.asked()} {printed}")

    # A pull request from a fork, Dependabot, somebody who does not want it, and a refused upload: annotations.
    fork = {"event_name": "pull_request", "event": {"pull_request": {"head": {"repo": {"full_name": "else/shop"}}}}}
    for inputs, github, uploads in [({}, fork, True), ({}, {"actor": "dependabot[bot]"}, True), ({"upload": "false"}, {}, True), ({}, {}, False)]:
        own = runner()
        code, printed, told, used, summary = own.run(project, inputs | {"paths": "services/the kiosk"}, github, uploads)
        check(code == 1 and printed.count("::error file=") == 2, f"{inputs} {github} {uploads}: {code} {printed}")
        check(not uploads or "github/codeql-action/upload-sarif" not in dict(used), f"{inputs} {github}: uploaded")

    # Arguments on several lines, with a space in one; paths with what a shell would act on.
    own = runner()
    inputs = {"paths": "services", "args": "--contract\n'services/the kiosk/openapi.yaml'\n--ignore CONTRACT-001,XREF --fail-on never"}
    code, printed, told, used, summary = own.run(project, inputs)
    check(code == 0 and told["errors"] == "1", f"{code} {told} {printed}")
    own = runner()
    code, printed, *_ = own.run(project, {"args": "--ignore 'X"})
    check(code == 2 and "does not end" in printed, printed)
    own = runner()
    code, printed, *_ = own.run(project, {"paths": "$(touch hacked)\n`touch hacked`; touch hacked", "args": "; touch hacked"})
    check(code == 2 and not list(project.rglob("hacked")), f"{code} {printed}")
    own = runner()
    code, printed, told, used, summary = own.run(project, {"paths": ".", "working-directory": "services/clean", "category": "mine\nerrors=0"})
    check(code == 0 and dict(used)["github/codeql-action/upload-sarif"]["category"] == "mine errors=0", f"{code} {used}")

    # The program of a release: by the tag, by its hash, by a branch at the same commit; never for another commit.
    version = next(line for line in (ROOT / "Cargo.toml").read_text().splitlines() if line.startswith("version")).split('"')[1]
    one, other = "1" * 40, "2" * 40
    name = "treaty-x86_64-unknown-linux-gnu"
    asset = work / "released" / name
    asset.mkdir(parents=True)
    shutil.copy(treaty, asset / "treaty")
    subprocess.run(["tar", "-czf", work / f"{name}.tar.gz", "-C", work / "released", name], check=True)
    digest = hashlib.sha256((work / f"{name}.tar.gz").read_bytes()).hexdigest()
    git = f'for ref in "$@"; do case "$ref" in\n  refs/tags/v{version}) printf "%s\\t%s\\n" {other} "$ref" ;;\n  "refs/tags/v{version}^{{}}") printf "%s\\t%s\\n" {one} "$ref" ;;\n'
    git += f'  refs/heads/stable) printf "%s\\t%s\\n" {one} "$ref" ;;\n  refs/heads/main) printf "%s\\t%s\\n" {other} "$ref" ;;\nesac; done\n'
    curl = 'while [ "$#" -gt 1 ]; do if [ "$1" = --output ]; then out=$2; fi; shift; done\n'
    curl += f'case "$1" in\n  https://git.example/treaty/treaty/releases/download/v{version}/*) cp "{work}/${{1##*/}}" "$out" ;;\n  *) exit 22 ;;\nesac\n'
    for reference, sum_, expected in [
        (f"v{version}", digest, "taken"), (one, digest, "taken"), ("stable", digest, "taken"),
        ("main", digest, "built"), (other, digest, "built"), (f"v{version}", "0" * 64, "refused"),
    ]:
        (work / f"{name}.tar.gz.sha256").write_text(f"{sum_}  {name}.tar.gz\n")
        own = runner()
        own.stand_in("git", git)
        own.stand_in("curl", curl)
        code, printed, told, used, summary = own.run(project, {"paths": "services/clean"}, {"action_ref": reference, "action_repository": "treaty/treaty"})
        way = "built" if "cargo install" in own.asked() else "refused" if code else "taken"
        check(way == expected, f"{reference}: {way}, not {expected}: {printed}")
    # A tag whose release has no program yet.
    own = runner()
    own.stand_in("git", git)
    code, printed, *_ = own.run(project, {"paths": "services/clean"}, {"action_ref": f"v{version}", "action_repository": "treaty/treaty"})
    check(code == 0 and "cargo install" in own.asked() and "built from its source" in printed, printed)
    return f"{ways} ways"
