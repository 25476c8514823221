#!/usr/bin/env python3
"""Ours, ast-grep and semgrep on the same ideas: what each finds, by rule, file and line, and how long each takes.

  run.py --treaty BIN --ast-grep BIN --semgrep BIN --out FILE FOLDER...

Needs `pip install ast-grep-cli semgrep`. FILE gets one row for every place that any of the three reports, for somebody to read:
[folder, rule, path, line, [who], text of the line]. A row that was read gets "true" or "false" in front of it in FILE.read.json.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
OTHER_LANGUAGE = re.compile(r"-(py|cs)$")


def timed(command, folder, **more):
    began = time.monotonic()
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    return ended, time.monotonic() - began


def ours(options, folder, rules):
    ended, took = timed([options.treaty, "scan", ".", "--full", "--format", "json", "--select", ",".join(sorted(rules))], folder)
    found = json.loads(ended.stdout)["findings"]
    return {(it["check"], it["file_path"], it["line"]) for it in found}, took


def ast_grep(options, folder, rules):
    ended, took = timed([options.ast_grep, "scan", "-c", HERE / "sgconfig.yml", "--json=compact", "."], folder)
    found = json.loads(ended.stdout)
    at = lambda it: (OTHER_LANGUAGE.sub("", it["ruleId"]), it["file"].removeprefix("./"), it["range"]["start"]["line"] + 1)
    return {at(it) for it in found}, took


def semgrep(options, folder, rules):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [options.semgrep, "scan", "--metrics=off", "--no-git-ignore", "--config", HERE / "semgrep.yml", "--json", "-o", out.name, "."]
        _, took = timed(command, folder, env=dict(os.environ, SEMGREP_ENABLE_VERSION_CHECK="0"))
        found = json.load(open(out.name))["results"]
    at = lambda it: (OTHER_LANGUAGE.sub("", it["check_id"].rsplit(".", 1)[-1]), it["path"].removeprefix("./"), it["start"]["line"])
    return {at(it) for it in found}, took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ["treaty", "ast-grep", "semgrep", "out"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    written = (HERE / "ast-grep" / "ideas.yml").read_text() + (HERE / "semgrep.yml").read_text()
    rules = {OTHER_LANGUAGE.sub("", it) for it in re.findall(r"(?m)^(?:- )?id: (\S+)$", written)}
    print(f"{len(rules)} ideas")
    rows = []
    for folder in options.folders:
        who = collections.defaultdict(list)
        times = {}
        for name, run in [("treaty", ours), ("ast-grep", ast_grep), ("semgrep", semgrep)]:
            found, times[name] = run(options, folder, rules)
            for it in found:
                who[it].append(name)
        for (rule, path, line), names in sorted(who.items()):
            text = pathlib.Path(folder, path).read_text(encoding="utf-8", errors="replace").split("\n")[line - 1].strip()
            rows.append([folder, rule, path, line, names, text[:200]])
        counts = collections.Counter((rule, name) for (rule, _, _), names in who.items() for name in names)
        print(folder, {name: f"{took:.1f} s" for name, took in times.items()})
        for rule in sorted({rule for rule, _ in counts}):
            print(f"  {rule:9}", {name: counts[rule, name] for name in times})
    pathlib.Path(options.out).write_text(json.dumps(rows, indent=0))


if __name__ == "__main__":
    main()
