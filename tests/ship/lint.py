"""What actionlint and zizmor say of the action and the workflows: nothing."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The WebAssembly build of actionlint is older than these.
NEWER = ['label "ubuntu-22.04-arm" is unknown', 'label "macos-14" is unknown', 'unknown permission scope "attestations"']


class Failed(Exception):
    pass


def as_workflow(tools, path, folder):
    """The steps of an action as those of a job with the same inputs: actionlint reads workflows alone."""
    text = (
        "import json, sys, yaml\n"
        "action = yaml.safe_load(open(sys.argv[1]))\n"
        "inputs = {k: {'type': 'string', 'default': v.get('default', '')} for k, v in action['inputs'].items()}\n"
        "job = {'runs-on': 'ubuntu-latest', 'outputs': {k: v['value'] for k, v in action['outputs'].items()}, 'steps': action['runs']['steps']}\n"
        "json.dump({'on': {'workflow_call': {'inputs': inputs}}, 'jobs': {'action': job}}, open(sys.argv[2], 'w'))\n"
    )
    made = folder / "action.yml"
    subprocess.run([tools / "python", "-c", text, path, made], check=True)
    return made


def workflows(tools, packages, files):
    """What the two say, a line each."""
    here = pathlib.Path(__file__).resolve().parent
    ended = subprocess.run(["node", here / "lint.mjs", packages, *files], capture_output=True, text=True, check=True)
    said = [f"{it['file']}:{it['line']}: {it['message']}" for it in json.loads(ended.stdout)]
    said = [line for line in said if not any(it in line for it in NEWER)]
    real = [it for it in files if "runs-on" not in it.name and it.parent.name != "as-workflow"]
    if real:
        ended = subprocess.run([tools / "zizmor", "--offline", "--quiet", "--format", "plain", *real], capture_output=True, text=True)
        if ended.returncode != 0:
            said.append(ended.stdout + ended.stderr)
    return said


def all_files(tools, packages):
    own = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "as-workflow"
        folder.mkdir()
        said = workflows(tools, packages, [*own, as_workflow(tools, ROOT / "action.yml", folder)])
        # They would say so if something were wrong.
        wrong = folder / "wrong.yml"
        wrong.write_text("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.even.title }}\n")
        if not workflows(tools, packages, [wrong]):
            raise Failed("actionlint says nothing of a workflow that is wrong")
    ended = subprocess.run([tools / "zizmor", "--offline", "--quiet", ROOT / "action.yml"], capture_output=True, text=True)
    if ended.returncode != 0:
        said.append(ended.stdout + ended.stderr)
    if said:
        raise Failed("\n".join(said))
    return "actionlint and zizmor are silent"


if __name__ == "__main__":
    sys.exit("called by main.py")
