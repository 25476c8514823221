"""What the runs of a program serve, as contracts, and edits of those that are wrong in every run."""
import copy
import json
import re

METHODS = ("get", "post", "put", "patch", "delete")


def key(method, path):
    """A route, whatever its variables are called."""
    return f"{method.upper()} {re.sub(r'{[^}]*}', '{}', path)}"


def operations(document):
    for path, item in document.get("paths", {}).items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def routes(document):
    return {key(method, path) for method, path, _ in operations(document)}


def schema_of(values):
    """The least schema that all of the values keep."""
    by_type = {}
    for value in values:
        by_type.setdefault(kind(value), []).append(value)
    if len(by_type) > 1:
        return {"anyOf": [schema_of(alike) for alike in by_type.values()]}
    [(name, alike)] = by_type.items()
    if name == "object":
        shared = set.intersection(*[set(it) for it in alike])
        names = dict.fromkeys(field for it in alike for field in it)
        return {"type": "object", "required": sorted(shared), "additionalProperties": False,
                "properties": {field: schema_of([it[field] for it in alike if field in it]) for field in names}}
    if name == "array":
        items = [item for it in alike for item in it]
        return {"type": "array", "items": schema_of(items) if items else {}}
    return {"type": name}


def kind(value):
    for types, name in ((type(None), "null"), (bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, types):
            return name
    return "object"


def document(result):
    """The contract that a run keeps: what its framework says, or what its answers were."""
    if "routes" not in result:
        return result
    paths = {}
    for route in result["routes"]:
        item = paths.setdefault(route["path"], {})
        if route["method"].lower() in item:
            continue
        responses = {}
        for status in sorted({answer[0] for answer in route["answers"]}):
            bodies = [answer[1] for answer in route["answers"] if answer[0] == status and answer[2]]
            content = {"content": {"application/json": {"schema": schema_of(bodies)}}} if bodies else {}
            responses[str(status)] = {"description": "seen", **content}
        item[route["method"].lower()] = {"responses": responses}
        names = re.findall(r"{([^}]*)}", route["path"])
        if names:
            item[route["method"].lower()]["parameters"] = [
                {"name": name, "in": "path", "required": True,
                 "schema": {"type": "integer" if name in route["numbers"] else "string"}} for name in names]
    return {"openapi": "3.1.0", "info": {"title": "run", "version": "1"}, "paths": paths}


def resolved(doc, schema):
    while isinstance(schema, dict) and "$ref" in schema:
        at = doc
        for part in schema["$ref"].split("/")[1:]:
            at = at[part]
        schema = at
    return schema


def bodies(doc, operation):
    """The schemas of successful answers."""
    for status, response in operation.get("responses", {}).items():
        content = response.get("content", {}).get("application/json")
        if status.startswith("2") and content is not None:
            yield status, content


def objects(doc, schema, seen=()):
    """Every object that a schema allows at its top, alternatives and elements of a list included."""
    schema = resolved(doc, schema)
    if not isinstance(schema, dict) or id(schema) in seen:
        return
    for part in schema.get("anyOf", []):
        yield from objects(doc, part, (*seen, id(schema)))
    if schema.get("type") == "array":
        yield from objects(doc, schema.get("items", {}), (*seen, id(schema)))
    if "properties" in schema:
        yield schema


def types(doc, schema):
    """The names of the types that a schema allows; None for any."""
    schema = resolved(doc, schema)
    if "anyOf" in schema:
        parts = [types(doc, part) for part in schema["anyOf"]]
        return None if None in parts else set().union(*parts)
    return {schema["type"]} if isinstance(schema.get("type"), str) else None


def inlined(doc, operation):
    """A copy of an operation whose first body has no references at its top, so that an edit is one of this operation only."""
    operation = copy.deepcopy(operation)
    for _, content in bodies(doc, operation):
        content["schema"] = flat(doc, content.get("schema", {}))
    return operation


def flat(doc, schema):
    schema = copy.deepcopy(resolved(doc, schema))
    if "anyOf" in schema:
        schema["anyOf"] = [flat(doc, part) for part in schema["anyOf"]]
    if schema.get("type") == "array" and "items" in schema:
        schema["items"] = flat(doc, schema["items"])
    return schema


def edits(rng, base, runs, blind, unknowable):
    """(what, operation, contract): contracts that no run keeps. `base` is one run's contract, `runs` all of them; `blind` is set
    where the program may serve paths that nobody can name without running it, and
    `unknowable` says which those are."""
    found = []
    served = set().union(*[routes(run) for run in runs])
    ops = list(operations(base))
    rng.shuffle(ops)
    for method, path, operation in ops[:1]:
        if blind:
            break
        for what, new_method, new_path in (("path", method, re.sub(r"[^/]+$", "never", path)),
                                           ("method", next(it for it in METHODS[::-1] if key(it, path) not in served), path)):
            if key(new_method, new_path) in served or any(fits(new_path, it.split(" ")[1]) for it in served if it.startswith(new_method.upper())):
                continue
            edited = copy.deepcopy(base)
            edited["paths"].setdefault(new_path, {})[new_method] = {"responses": {"200": {"description": "none"}}}
            if "{" in new_path and "parameters" in operation:
                edited["paths"][new_path][new_method]["parameters"] = [it for it in operation["parameters"] if it["in"] == "path"]
            found.append((what, f"{new_method.upper()} {new_path}", edited))
    rng.shuffle(ops)
    for method, path, operation in ops:
        mine = inlined(base, operation)
        if len(found) > 4:
            break
        if unknowable(path):
            continue
        for status, content in bodies(base, mine):
            tops = list(objects(base, content["schema"]))
            everywhere = same_answers(runs, method, path, status)
            if not tops or everywhere is None or "type" not in content["schema"] or len(tops) > 1:
                continue
            edited = copy.deepcopy(base)
            edited["paths"][path][method] = copy.deepcopy(mine)
            [top] = objects(base, edited["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"])
            top["required"] = [*top.get("required", []), "never"]
            top["properties"]["never"] = {"type": "string"}
            found.append(("required", f"{method.upper()} {path}", edited))
            for field in list(tops[0]["properties"]):
                seen = [types(doc, it["properties"][field]) for doc, top_objects in everywhere for it in top_objects if field in it["properties"]]
                if None in seen:
                    continue
                free = sorted({"boolean", "string", "array"} - set().union(*seen))
                if not free:
                    continue
                edited = copy.deepcopy(base)
                edited["paths"][path][method] = copy.deepcopy(mine)
                [top] = objects(base, edited["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"])
                wrong = rng.choice(free)
                top["properties"][field] = {"type": wrong, **({"items": {}} if wrong == "array" else {})}
                top["required"] = sorted({*top.get("required", []), field})
                found.append(("type", f"{method.upper()} {path}", edited))
                break
    return [(what, operation, json.loads(json.dumps(edited))) for what, operation, edited in found]


def fits(path, template):
    a, b = path.split("/"), template.split("/")
    return len(a) == len(b) and all(y == "{}" or x == y for x, y in zip(a, b))


def same_answers(runs, method, path, status):
    """The objects that each run which serves the operation may send; None where one of them may send something else than
    objects or lists of them, or says nothing."""
    found = []
    for doc in runs:
        operation = doc.get("paths", {}).get(path, {}).get(method)
        if operation is None:
            continue
        content = dict(bodies(doc, operation)).get(status)
        if content is None:
            return None
        schema = resolved(doc, content.get("schema", {}))
        if "properties" not in schema and schema.get("type") != "array":
            return None
        found.append((doc, list(objects(doc, schema))))
    return found
