#!/usr/bin/env python3
"""Writes what the fuzz targets begin with, from the fixtures, cases and rules of the repository: `python3 fuzz/seeds.py`."""
import json
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"
FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1`*$", re.M | re.S)
LANGUAGES = {"py": "python", "python": "python", "ts": "typescript", "tsx": "typescript", "js": "typescript", "vue": "typescript",
             "cs": "csharp", "yaml": "tree", "yml": "tree", "json": "tree", "toml": "config", "md": "requirements"}
# The first byte of a seed for `typescript` says what it is.
MARKS = {"ts": "\0", "tsx": "\1", "js": "\2", "vue": "\3"}

# What answers are held against.
SCHEMAS = {
    "family": {"discriminator": {"propertyName": "k", "mapping": {"b": "B"}}, "required": ["k"], "properties": {"k": {"type": "string"}}},
    "union": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"type": "null"}], "discriminator": {"propertyName": "k"}},
    "recursive": {"properties": {"a": {"type": "array", "items": {"$ref": "#/components/schemas/A"}, "nullable": True}}},
    "named": {"$id": "https://e.com/a", "$dynamicAnchor": "a", "$defs": {"n": {"$anchor": "n"}}, "items": {"$dynamicRef": "#a"}, "not": {"$ref": "#n"}},
    "bounds": {"type": "integer", "format": "int32", "minimum": 1, "exclusiveMinimum": True, "writeOnly": True, "x-nullable": True},
    "text": {"type": "string", "format": "byte", "pattern": "^(a|b)+$", "enum": ["a", None], "nullable": True},
}

# What servers of models answer; the first two characters of a seed say where it is cut, and whether it is a stream.
ANSWERS = {
    "messages": [
        {"type": "message_start", "message": {"usage": {"input_tokens": 12, "output_tokens": 1, "cache_read_input_tokens": 3}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "so"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "Zg=="}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "scan", "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"path\": \"a\"}"}},
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"}],
    "completions": [
        {"choices": [{"delta": {"content": "so"}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "scan", "arguments": "{\"a"}}]}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "\": 1}"}}]}, "finish_reason": "tool_calls"}]},
        {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}}}],
    "error": [{"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}],
    "whole-messages": {"content": [{"type": "text", "text": "so"}], "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}},
    "whole-completions": {"choices": [{"message": {"content": None, "refusal": "no", "tool_calls": [
        {"id": "", "function": {"name": "scan", "arguments": {}}}]}, "finish_reason": "stop"}]},
}


def put(target, name, text):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / re.sub(r"\W+", "-", name)[-120:]).write_text(text)


def put_file(path, name, text):
    end = path.rsplit(".", 1)[-1].lower()
    target = LANGUAGES.get(end)
    if target:
        put(target, name, MARKS.get(end, "") + text)
    if target == "tree":
        put("contract", name, text)
    if end == "json":
        put("spec", name, text)
    if end == "md":
        put("decompose", name, text)
    last = path.rsplit("/", 1)[-1].lower()
    if end in ("css", "scss", "html", "vue", "svelte", "md") or last.startswith(("compose", "docker-compose", "dockerfile", ".env", ".gitignore")):
        put("workspace", name, text)


def cases(page):
    """The files of each case of a page: a heading begins one, and a block that names a file is one of its files."""
    for number, case in enumerate(re.split(r"^#+ ", page.read_text(), flags=re.M)):
        files = []
        for _, info, text in FENCE.findall(case):
            path = re.search(r'title="([^"]+)"', info)
            if path:
                files.append((path[1], text))
        if files:
            yield number, files


def main():
    shutil.rmtree(CORPUS, ignore_errors=True)
    for page in [*ROOT.glob("src/**/*.md"), *ROOT.glob("rules/**/*.md")]:
        name = str(page.relative_to(ROOT))
        for number, files in cases(page):
            whole = "".join(f"--- {path}\n{text}\n" for path, text in files)
            if len(whole) < 4000:
                put("project", f"{name}-{number}", whole)
            for at, (path, text) in enumerate(files):
                put_file(path, f"{name}-{number}-{at}", text)
    for rule in ROOT.glob("rules/**/*.toml"):
        page = rule.with_suffix(".md").read_text()
        put("rule", rule.stem, f"{rule.read_text()}\n---\n{page[:1500]}")
    for path in (ROOT / "fixtures").rglob("*.*"):
        put_file(path.name, str(path.relative_to(ROOT)), path.read_text())
    for name, schema in SCHEMAS.items():
        answer = {"description": "x", "content": {"application/json": {"schema": schema}}}
        spec = {"openapi": "3.1.0" if "$" in str(schema.keys()) else "3.0.3", "info": {"title": "x", "version": "1"},
                "paths": {"/a/{b}": {"get": {"responses": {"200": answer, "4XX": answer}}}},
                "components": {"schemas": {"A": schema, "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}}},
                "x-body": {"k": "B", "a": [None, 1, "x"]}}
        put("spec", name, json.dumps(spec))
    for name, answer in ANSWERS.items():
        events = "".join(f"data: {json.dumps(it)}\n\n" for it in answer) + "data: [DONE]\n\n"
        put("answer", name, "\7\1" + events if isinstance(answer, list) else "\7\0" + json.dumps(answer))
    for folder in sorted(CORPUS.iterdir()):
        print(folder.name, len(list(folder.iterdir())))


main()
