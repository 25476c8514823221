"""Run in the environment that has the frameworks: `run_python.py IN OUT`. IN lists programs (folder, framework, entry, conditions,
queries); OUT gets one line of JSON per program: what each of its runs serves."""
import importlib
import importlib.abc
import importlib.machinery
import itertools
import json
import logging
import os
import re
import sys
import traceback
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
import fastapi  # noqa: E402
import flask  # noqa: E402
from starlette.routing import Mount  # noqa: E402

AVAILABLE = set()
VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")


class Extras(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Packages that are there in some runs only."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name in AVAILABLE else None

    def exec_module(self, module):
        pass


def fastapi_document(app):
    """What the framework says of the routes that it would choose: of two alike it serves the first, and describes the last."""
    seen, kept = set(), []
    for route in app.router.routes:
        mark = (getattr(route, "path", None), tuple(sorted(getattr(route, "methods", None) or ())))
        if isinstance(route, Mount) or mark not in seen:
            kept.append(route)
        seen.add(mark)
    app.router.routes[:] = kept
    document = app.openapi()
    for route in app.routes:
        if isinstance(route, Mount) and isinstance(route.app, fastapi.FastAPI):
            inner = fastapi_document(route.app)
            for path, item in inner.get("paths", {}).items():
                document["paths"].setdefault(route.path + path, item)
            schemas = inner.get("components", {}).get("schemas", {})
            document.setdefault("components", {}).setdefault("schemas", {}).update(schemas)
    return document


def flask_answers(app, queries):
    """Routes, and for each the answers (status, body) that requests get."""
    client = app.test_client()
    routes = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static":
            continue
        url = VARIABLE.sub(lambda it: "7" if it[1] == "int" else "abc", rule.rule)
        path = VARIABLE.sub(r"{\2}", rule.rule)
        for method in sorted(rule.methods - {"HEAD", "OPTIONS"}):
            answers = []
            for query in queries:
                got = client.open(url + query, method=method, json={} if method in ("POST", "PUT", "PATCH") else None)
                answers.append([got.status_code, got.get_json(silent=True) if got.is_json else None, got.is_json])
            numbers = [it[2] for it in VARIABLE.finditer(rule.rule) if it[1] == "int"]
            routes.append({"method": method, "path": path, "numbers": numbers, "answers": answers})
    return {"routes": routes}


def run(program, values):
    os.environ.clear()
    AVAILABLE.clear()
    for condition, value in zip(program["conditions"], values):
        if value is not None and condition["kind"] == "env":
            os.environ[condition["name"]] = value
        elif value is not None:
            AVAILABLE.add(condition["name"])
    before = set(sys.modules)
    sys.path.insert(0, program["folder"])
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(program["entry"])
        if program["framework"] == "fastapi":
            return fastapi_document(module.app)
        return flask_answers(module.app, program["queries"])
    finally:
        sys.path.remove(program["folder"])
        for name in set(sys.modules) - before:
            if name in AVAILABLE or (getattr(sys.modules[name], "__file__", None) or "").startswith(program["folder"]):
                del sys.modules[name]


def main():
    sys.dont_write_bytecode = True
    sys.meta_path.append(Extras())
    programs = json.load(open(sys.argv[1]))
    with open(sys.argv[2], "w") as out:
        for program in programs:
            runs = []
            for values in itertools.product(*[it["values"] for it in program["conditions"]]):
                try:
                    runs.append({"values": values, "result": run(program, values)})
                except Exception:
                    runs.append({"values": values, "failed": traceback.format_exc()[-1500:]})
            out.write(json.dumps(runs) + "\n")


main()
