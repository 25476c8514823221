"""Small random programs, run with the real frameworks under every combination of their conditions; what treaty says of them is
held against what they serve."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import venv

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import express_program  # noqa: E402
import fastapi_program  # noqa: E402
import flask_program  # noqa: E402
import judge  # noqa: E402

MAKERS = {"fastapi": fastapi_program.make, "flask": flask_program.make, "express": express_program.make}
PROPERTIES = ["false error", "route lost", "not certain", "edit missed"]
ASKED = {"false error": "contracts", "route lost": "routes", "not certain": "certain", "edit missed": "edits"}


def cache():
    return pathlib.Path(os.environ.get("TREATY_DIFFERENTIAL", pathlib.Path.home() / ".cache" / "treaty-differential"))


def python():
    """The interpreter of an environment that has the frameworks."""
    folder = cache() / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        (folder / "ready").touch()
    return [folder / "bin" / "python", HERE / "run_python.py"]


def node():
    folder = cache() / "node"
    if not (folder / "ready").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", folder)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
        (folder / "ready").touch()
    shutil.copy(HERE / "run_node.cjs", folder)
    return ["node", folder / "run_node.cjs"]


RUNNERS = {"fastapi": python, "flask": python, "express": node}


def programs_of(framework, work):
    """The folder of its programs, which is not called like it: that a folder is called `flask` must not matter, and is tried elsewhere."""
    return work / f"{framework}-programs"


def write(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    for name, lines in program.files.items():
        path = folder / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")


def run(batch, folder, number):
    """What the runs of each program of a batch serve."""
    if not batch:
        return []
    framework = batch[0][0].framework
    asked, answered = folder / f"{framework}{number}.asked.json", folder / f"{framework}{number}.answered.json"
    asked.write_text(json.dumps([{"folder": str(at / "code"), "framework": framework, "entry": it.entry, **it.spec()} for it, at in batch]))
    subprocess.run([*RUNNERS[framework](), asked, answered], check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in answered.read_text().splitlines()]


def judged(binary, program, folder, runs):
    broken = [it for it in runs if "failed" in it]
    if broken:
        raise RuntimeError(f"{folder}: the generator made a program that does not run with {broken[0]['values']}:\n{broken[0]['failed']}")
    return judge.judge(binary, folder, program, runs)


def all_of(framework, seeds, binary, work, workers, only=None):
    """(program, folder, verdict) of each seed."""
    RUNNERS[framework]()
    programs = []
    for seed in seeds:
        program = MAKERS[framework](seed, only.get(seed) if only else None)
        folder = programs_of(framework, work) / (str(seed) if not only else f"{seed}-reduced")
        write(program, folder)
        programs.append((program, folder))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        size = max(1, -(-len(programs) // (workers * 4)))
        batches = [programs[at:at + size] for at in range(0, len(programs), size)]
        runs = [it for batch in pool.map(lambda it: run(it[1], programs_of(framework, work), it[0]), enumerate(batches)) for it in batch]
        verdicts = list(pool.map(lambda it: judged(binary, *it[0], it[1]), zip(programs, runs)))
    return [(program, folder, verdict) for (program, folder), verdict in zip(programs, verdicts)]


def figures(framework, results):
    counts = collections.Counter()
    failed = collections.Counter()
    for _, _, verdict in results:
        counts.update(verdict.counts)
        failed.update(what for what, _, _ in verdict.failures)
    share = 1 - failed["edit missed"] / max(1, counts["edits"])
    print(f"{framework}: {len(results)} programs, {counts['contracts']} different runs")
    print(f"  errors against a contract that a run keeps   {failed['false error']} in {counts['contracts']} contracts")
    print(f"  routes neither found nor stated as unknown   {failed['route lost']} of {counts['routes']}")
    print(f"  certain routes not stated as certain         {failed['not certain']} of {counts['certain']}")
    print(f"  wrong edits reported                         {share:.4f} of {counts['edits']}")
    return failed


def by_form(results):
    """Failures by property and form, each with one program."""
    table = {}
    for program, folder, verdict in results:
        for what, part, text in verdict.failures:
            form = program.forms.get(part) or program.forms.get("base") or "?"
            row = table.setdefault((what, form), [0, None])
            row[0] += 1
            if row[1] is None or len(program.forms) < row[2]:
                row[1:] = [(program, folder, part, text), len(program.forms)]
    return sorted(table.items(), key=lambda it: (PROPERTIES.index(it[0][0]), -it[1][0]))


def small_programs(framework, results, binary, work, workers):
    """A section of Markdown for each failing form: the part alone, run and judged again, and what is wrong with that."""
    wanted = {}
    for program, _, verdict in results:
        for _, part, _ in verdict.failures:
            form = program.forms.get(part)
            if form and form not in wanted.values() and program.seed not in wanted:
                wanted[program.seed] = form
    only = {program.seed: {part for part, form in program.forms.items() if form == wanted[program.seed] and part != "base"}
            for program, _, _ in results if program.seed in wanted}
    lines = []
    for program, folder, verdict in all_of(framework, sorted(only), binary, work, workers, only):
        failures = collections.Counter(what for what, _, _ in verdict.failures)
        lines += [f"## {framework}: {', '.join(program.forms.values())}", ""]
        if not failures:
            lines += [f"Fails only beside others: {programs_of(framework, work) / str(program.seed)}", ""]
            continue
        lines += [f"- {what}: {text}" for what, _, text in verdict.failures[:4]]
        lines += ["- in all: " + ", ".join(f"{what} {count}" for what, count in failures.items()), ""]
        for name, text in program.files.items():
            if text:
                lines += [f"`{folder}/code/{name}`", "", "```", *text, "```", ""]
    return lines


def main():
    options = argparse.ArgumentParser(prog=".ci/differential", description=__doc__)
    options.add_argument("--framework", action="append", choices=[*RUNNERS], help="default: all")
    options.add_argument("--count", type=int, default=40, help="programs of each framework")
    options.add_argument("--seed", type=int, default=0, help="the first program's number; the others follow")
    options.add_argument("--treaty", default=HERE.parent.parent / "target" / "debug" / "treaty", type=pathlib.Path)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--forms", action="store_true", help="failures by form, with one program each")
    options.add_argument("--keep", type=pathlib.Path, help="write every failing form with a small program into this file")
    options.add_argument("--gate", action="append", default=[], choices=PROPERTIES, help="exit 1 where one of this fails")
    options.add_argument("--install", action="store_true", help="install what is needed, and stop")
    given = options.parse_args()
    if given.install:
        for ready in {RUNNERS[it] for it in given.framework or RUNNERS}:
            ready()
        return 0
    work = cache() / "work"
    binary = str(given.treaty.resolve())
    wrong = 0
    kept = []
    for framework in given.framework or RUNNERS:
        results = all_of(framework, range(given.seed, given.seed + given.count), binary, work, given.workers)
        failed = figures(framework, results)
        wrong += sum(failed[it] for it in given.gate)
        if given.keep:
            kept += small_programs(framework, results, binary, work, given.workers)
        if given.forms:
            for (what, form), (count, (program, folder, part, text), _) in by_form(results):
                print(f"  {count:5} {what}: {form}\n        {folder}: {text[:200]}")
    if given.keep:
        given.keep.write_text("\n".join(kept) + "\n")
    return 1 if wrong else 0


sys.exit(main())
