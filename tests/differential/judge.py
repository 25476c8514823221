"""Holds what treaty says of a program against what its runs serve."""
import json
import os
import random
import re
import subprocess

import contracts


class Verdict:
    """What was asked of one program, and what went wrong: (property, number of the part, what)."""

    def __init__(self):
        self.counts = {"contracts": 0, "routes": 0, "certain": 0, "edits": 0}
        self.failures = []


def treaty(binary, folder, *arguments):
    done = subprocess.run([binary, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        raise RuntimeError(f"treaty {' '.join(arguments)}: exit {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
    return json.loads(done.stdout)


def scan(binary, folder, name, contract):
    with open(os.path.join(folder, name), "w") as out:
        json.dump(contract, out, indent=1)
    return treaty(binary, folder, "scan", "code", "--contract", name, "--format", "json")


def part_of(text):
    """The number of the part that a path belongs to."""
    found = re.search(r"/s(\d+)(/|$)", text or "")
    return int(found[1]) if found else None


def errors(report):
    """(check, operation, message) of each error, by operation."""
    return {(it["check"], operation, it["message"]) for it in report["findings"] if it["severity"] == "error"
            for operation in it["operations"] or [it["operation"] or ""]}


def judge(binary, folder, program, runs):
    verdict = Verdict()
    fail = lambda what, part, text: verdict.failures.append((what, part, text))
    documents = {}
    for run in runs:
        documents.setdefault(json.dumps(contracts.document(run["result"]), sort_keys=True), run["values"])
    made = [(json.loads(text), values) for text, values in documents.items()]
    stated = read(binary, folder)
    reports = []
    for number, (document, values) in enumerate(made):
        verdict.counts["contracts"] += 1
        report = scan(binary, folder, f"run{number}.json", document)
        reports.append(report)
        for check, operation, message in sorted(errors(report)):
            fail("false error", part_of(operation), f"with {values}: {check} {operation}: {message}")
        verdict.counts["routes"] += len(contracts.routes(document))
        for route in lost(report, contracts.routes(document), set(stated)):
            fail("route lost", part_of(route), f"with {values}: {route}")
    certain(stated, program, [document for document, _ in made], verdict, fail)
    edited(binary, folder, program, [document for document, _ in made], reports, verdict, fail)
    return verdict


def read(binary, folder):
    """The routes that treaty reads, each with what it says of every place that registers it: whether that hangs on a condition.
    Not what `--as openapi` says, which has one of several alternatives."""
    stated = {}
    for service in treaty(binary, folder, "extract", "code", "--as", "facts")["services"]:
        for it in service.get("serves", []):
            stated.setdefault(contracts.key(it["method"], it["path"]), []).append(it.get("conditional", False))
    return stated


def lost(report, routes, extracted):
    """Routes that treaty says are missing, and those that are neither read nor counted as not known."""
    missing = {contracts.key(*it.split(" ", 1)) for finding in report["findings"]
               if finding["check"] == "CONTRACT-002" and finding["severity"] != "info"
               for it in finding["operations"] or [finding["operation"]] if it and " " in it}
    unread = routes - missing - extracted
    known = sum(it["operations"]["found"] for it in report["summary"]["contracts"])
    # Operations that have no route and are not missing are stated as unknown.
    unknown = len(routes) - known - len(missing & routes) if report["summary"]["contracts"] else 0
    return sorted(routes & missing | (unread if len(unread) > unknown else set()))


def certain(stated, program, documents, verdict, fail):
    """Routes that no condition decides are stated without a condition."""
    always = set.intersection(*[contracts.routes(it) for it in documents])
    for route in sorted(always):
        if part_of(route) not in program.certain:
            continue
        verdict.counts["certain"] += 1
        if all(stated.get(route, [True])):
            fail("not certain", part_of(route), route)


def edited(binary, folder, program, documents, reports, verdict, fail):
    rng = random.Random(program.seed)
    number = rng.randrange(len(documents))
    before = errors(reports[number])
    found = contracts.edits(rng, documents[number], documents, bool(program.unknowable),
                            lambda path: part_of(path) in program.unknowable)
    for at, (what, operation, contract) in enumerate(found):
        verdict.counts["edits"] += 1
        report = scan(binary, folder, f"edit{at}.json", contract)
        new = errors(report) - before
        if not any(it[1] == operation for it in new):
            fail("edit missed", part_of(operation), f"{what} of {operation} (edit{at}.json)")
