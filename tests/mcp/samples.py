"""The calls that `treaty mcp check` makes, for other clients: one source of what may be asked."""
import json
import pathlib
import shutil

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "src" / "mcp" / "sample"
SERVERS = ["architect", "contract-engine", "codebase-intelligence"]


def project(folder):
    """The sample project, in an empty folder."""
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
    (folder / "calls.json").unlink()
    return folder


def calls():
    return json.loads((SAMPLE / "calls.json").read_text())


def filled(value, kept):
    """Arguments with what their texts stand for: `@` a file of the sample, `$` what an earlier call gave."""
    if isinstance(value, dict):
        return {name: filled(it, kept) for name, it in value.items()}
    if isinstance(value, list):
        return [filled(it, kept) for it in value]
    if isinstance(value, str) and value.startswith("$"):
        return kept.get(value[1:])
    if isinstance(value, str) and value.startswith("@"):
        text = (SAMPLE / value[1:]).read_text()
        return json.loads(text) if value.endswith(".json") else text
    return value


def keep(sample, text, kept):
    """What later calls need of an answer."""
    for name, pointer in sample.get("keep", {}).items():
        value = json.loads(text)
        for part in pointer.strip("/").split("/"):
            value = value[int(part)] if isinstance(value, list) else value[part]
        kept[name] = value


def wrong(schema):
    """A value that no parameter of this schema takes; None where there is none."""
    kinds = schema.get("type")
    if kinds is None and "enum" not in schema:
        return None
    return [[{"wrong": True}]] if kinds != "array" else "wrong"
