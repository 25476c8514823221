#!/usr/bin/env python3
"""Single faults of 20 kinds in valid OpenAPI documents, for measuring validators.

    spec_faults.py OUT COUNT DOCUMENT.json...     writes OUT/000.json … and OUT/manifest.json
    spec_faults.py OUT score RESULTS              what a tool found of them

RESULTS has a line of JSON a document: {"file", "ok", "pointers": […]}. A fault is found where the document is refused,
and found at its place where a pointer is that of the fault, of what it stands in, or below it."""

import copy
import json
import pathlib
import random
import sys

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def pointer(way):
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in way)


def at(spec, way):
    for part in way:
        spec = spec[part]
    return spec


class Document:
    """A document and the ways to its objects, by what they are."""

    def __init__(self, spec):
        self.spec = spec
        self.version = str(spec.get("openapi") or spec.get("swagger"))
        self.operations, self.parameters, self.responses, self.schemas, self.items = [], [], [], [], []
        for path, item in (spec.get("paths") or {}).items():
            if path.startswith("x-") or not isinstance(item, dict):
                continue
            self.items.append(("paths", path))
            self.listed(("paths", path), item)
            for method in METHODS:
                if isinstance(item.get(method), dict):
                    way = ("paths", path, method)
                    self.operations.append(way)
                    self.listed(way, item[method])
                    for status, response in (item[method].get("responses") or {}).items():
                        self.response(way + ("responses", status), response)
                    self.content(way + ("requestBody",), item[method].get("requestBody"))
        parts = spec.get("components") or {}
        for name, schema in (parts.get("schemas") or {}).items():
            self.schema(("components", "schemas", name), schema)
        for name, schema in (spec.get("definitions") or {}).items():
            self.schema(("definitions", name), schema)
        for name, response in (parts.get("responses") or {}).items():
            self.response(("components", "responses", name), response)
        schemes = (("components", "securitySchemes"), parts.get("securitySchemes"))
        if "securityDefinitions" in spec:
            schemes = (("securityDefinitions",), spec["securityDefinitions"])
        self.schemes = [schemes[0] + (name,) for name, it in (schemes[1] or {}).items() if "$ref" not in it]

    def listed(self, way, holder):
        for index, parameter in enumerate(holder.get("parameters") or []):
            if isinstance(parameter, dict) and "$ref" not in parameter:
                self.parameters.append(way + ("parameters", index))
                self.schema(way + ("parameters", index, "schema"), parameter.get("schema"))

    def response(self, way, response):
        if isinstance(response, dict) and "$ref" not in response and not way[-1].startswith("x-"):
            self.responses.append(way)
            self.schema(way + ("schema",), response.get("schema"))
            self.content(way, response)

    def content(self, way, holder):
        if isinstance(holder, dict):
            for media, described in (holder.get("content") or {}).items():
                if isinstance(described, dict):
                    self.schema(way + ("content", media, "schema"), described.get("schema"))

    def schema(self, way, schema):
        if not isinstance(schema, dict):
            return
        self.schemas.append(way)
        for key in ("properties", "patternProperties"):
            if isinstance(schema.get(key), dict):
                for name, inner in schema[key].items():
                    self.schema(way + (key, name), inner)
        for key in ("items", "additionalProperties", "not"):
            self.schema(way + (key,), schema.get(key))
        for key in ("allOf", "anyOf", "oneOf"):
            for index, inner in enumerate(schema.get(key) or []):
                self.schema(way + (key, index), inner)


class Fault:
    """Puts one fault of a kind into a copy; gives the way to it, or None where the document has no room for it."""

    def __init__(self, document, dice):
        self.of, self.dice = document, dice
        self.spec = copy.deepcopy(document.spec)

    def any(self, ways, fits=lambda it: True):
        ways = [way for way in ways if fits(at(self.spec, way))]
        return self.dice.choice(ways) if ways else None

    def plain(self, fits=lambda it: True):
        return self.any(self.of.schemas, lambda it: "$ref" not in it and fits(it))

    def put(self, way, key, value):
        if way is None:
            return None
        at(self.spec, way)[key] = value
        return way + (key,)

    def drop(self, way, key):
        if way is None:
            return None
        del at(self.spec, way)[key]
        return way

    def reference_nowhere(self):
        way = self.any(self.of.schemas, lambda it: "$ref" in it)
        return self.put(way, "$ref", at(self.spec, way)["$ref"] + "Gone") if way else None

    def unknown_field(self):
        way = self.any(self.of.operations + self.of.parameters + self.of.responses + [("info",)])
        return self.put(way, self.dice.choice(["sumary", "desciption", "operationID", "tag", "note"]), "text")

    def missing_required(self):
        choices = [(("info",), "title"), (("info",), "version")]
        choices += [(way, key) for way in self.of.parameters for key in ("name", "in")][:40]
        if not self.of.version.startswith("3.2"):
            choices += [(way, "description") for way in self.of.responses if "description" in at(self.spec, way)][:40]
        for index, it in enumerate(self.spec.get("servers") or []):
            choices += [(("servers", index), "url")] if "url" in it else []
        way, key = self.dice.choice(choices)
        return self.drop(way, key)

    def text_of_another_type(self):
        keys = ("description", "summary", "operationId", "title")
        found = [(way, key) for way in self.of.operations + self.of.responses + [("info",)]
                 for key in keys if isinstance(at(self.spec, way).get(key), str)]
        if not found:
            return None
        way, key = self.dice.choice(found)
        return self.put(way, key, self.dice.choice([42, {"text": "x"}, ["x"]]))

    def container_of_another_type(self):
        choices = [(way, "responses", []) for way in self.of.operations]
        choices += [(way, "parameters", {}) for way in self.of.operations]
        choices += [(way, "tags", "one") for way in self.of.operations]
        choices += [(way, "properties", []) for way in self.of.schemas if "properties" in at(self.spec, way)]
        return self.put(*self.dice.choice(choices)) if choices else None

    def type_that_is_none(self):
        way = self.plain(lambda it: isinstance(it.get("type"), str))
        return self.put(way, "type", self.dice.choice(["strnig", "int", "dict", "str", "any"]))

    def place_that_is_none(self):
        return self.put(self.any(self.of.parameters), "in", self.dice.choice(["querry", "url", "headers", "route"]))

    def path_parameter_optional(self):
        way = self.any(self.of.parameters, lambda it: it.get("in") == "path")
        if way and self.dice.random() < 0.5:
            return self.drop(way, "required")
        return self.put(way, "required", False)

    def path_parameter_undeclared(self):
        way = self.any([way for way in self.of.items if "{" in way[1]])
        if way is None:
            return None
        renamed = way[1].replace("}", "Other}", 1)
        paths = self.spec["paths"]
        self.spec["paths"] = {renamed if key == way[1] else key: item for key, item in paths.items()}
        return ("paths", renamed)

    def operation_id_twice(self):
        ways = [way for way in self.of.operations if "operationId" in at(self.spec, way)]
        if len(ways) < 2:
            return None
        first, second = self.dice.sample(ways, 2)
        return self.put(max(first, second, key=ways.index), "operationId", at(self.spec, min(first, second, key=ways.index))["operationId"])

    def parameter_twice(self):
        way = self.any(self.of.parameters)
        if way is None:
            return None
        listed = at(self.spec, way[:-1])
        listed.append(copy.deepcopy(listed[way[-1]]))
        return way[:-1] + (len(listed) - 1,)

    def status_that_is_none(self):
        ways = [way for way in self.of.responses if way[-2] == "responses" and way[0] == "paths"]
        if not ways:
            return None
        way = self.dice.choice(ways)
        responses = at(self.spec, way[:-1])
        bad = self.dice.choice(["OK", "2000", "20", "success"])
        responses[bad] = responses[way[-1]]
        return way[:-1] + (bad,)

    def path_without_slash(self):
        way = self.any(self.of.items)
        if way is None:
            return None
        paths = self.spec["paths"]
        self.spec["paths"] = {key[1:] or "root" if key == way[1] else key: item for key, item in paths.items()}
        return ("paths", way[1][1:] or "root")

    def scheme_that_is_none(self):
        way = self.any(self.of.operations)
        if way is None:
            return None
        at(self.spec, way)["security"] = [{"noSuchScheme": []}]
        return way + ("security", 0, "noSuchScheme")

    def array_without_items(self):
        if not self.of.version.startswith(("2", "3.0")):
            return None
        return self.drop(self.plain(lambda it: it.get("type") == "array" and "items" in it), "items")

    def required_that_is_no_list(self):
        way = self.plain(lambda it: it.get("type") == "object" or "properties" in it)
        return self.put(way, "required", self.dice.choice([True, "name", {"name": True}]))

    def bound_that_is_none(self):
        way = self.plain(lambda it: it.get("type") in ("string", "array", "integer", "number"))
        if way is None:
            return None
        word = at(self.spec, way)["type"]
        key = {"string": "maxLength", "array": "maxItems"}.get(word, "maximum")
        return self.put(way, key, "ten" if key == "maximum" else self.dice.choice([-1, "10", 2.5]))

    def pattern_that_is_none(self):
        way = self.plain(lambda it: it.get("type") == "string")
        return self.put(way, "pattern", self.dice.choice(["^[a-z", "(abc", "*x", "a{2,1}"]))

    def default_of_another_type(self):
        way = self.plain(lambda it: it.get("type") in ("string", "integer", "boolean") and "enum" not in it)
        if way is None:
            return None
        wrong = {"string": {"a": 1}, "integer": "many", "boolean": 7}
        return self.put(way, "default", wrong[at(self.spec, way)["type"]])

    def scheme_incomplete(self):
        way = self.any(self.of.schemes, lambda it: it.get("type") in ("apiKey", "http", "oauth2"))
        if way is None:
            return None
        scheme = at(self.spec, way)
        if scheme["type"] == "oauth2" and "flows" in scheme:
            flow = self.dice.choice(sorted(scheme["flows"]))
            return self.drop(way + ("flows", flow), "scopes")
        keys = {"apiKey": ("in", "name"), "http": ("scheme",), "oauth2": ("flow", "scopes")}[scheme["type"]]
        return self.drop(way, self.dice.choice([key for key in keys if key in scheme]))


KINDS = [name for name, it in vars(Fault).items() if callable(it) and name not in ("__init__", "any", "plain", "put", "drop")]


def seed(out, count, files):
    dice = random.Random(14)
    documents = [(file, Document(json.loads(pathlib.Path(file).read_text()))) for file in files]
    out.mkdir(parents=True, exist_ok=True)
    manifest = []
    for kind in KINDS:
        made = 0
        for attempt in range(5000):
            if made == count // len(KINDS):
                break
            file, document = dice.choice(documents)
            fault = Fault(document, dice)
            way = getattr(fault, kind)()
            if way is None or fault.spec == document.spec:
                continue
            name = f"{len(manifest):03}.json"
            (out / name).write_text(json.dumps(fault.spec, indent=1))
            manifest.append({"file": name, "kind": kind, "pointer": pointer(way), "of": str(file)})
            made += 1
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1))
    print(len(KINDS), "kinds,", len(manifest), "faults")


def score(out, results):
    found = {}
    for line in pathlib.Path(results).read_text().splitlines():
        result = json.loads(line)
        found[pathlib.Path(result["file"]).name] = result
    kinds, total = {}, [0, 0, 0]
    for fault in json.loads((out / "manifest.json").read_text()):
        result, place = found[fault["file"]], fault["pointer"]
        near = [p for p in result.get("pointers", [])
                if p == place or p == place.rsplit("/", 1)[0] or p.startswith(place + "/")]
        row = kinds.setdefault(fault["kind"], [0, 0, 0])
        for counts in (row, total):
            counts[0] += 1
            counts[1] += not result["ok"]
            counts[2] += bool(near) and not result["ok"]
        if result["ok"] or not near:
            print("missed" if result["ok"] else "elsewhere", fault["kind"], fault["file"], place, fault["of"],
                  result.get("pointers", [])[:3])
    for kind, (all_, refused, placed) in kinds.items():
        print(f"{kind:28} {all_:3} refused {refused:3} at its place {placed:3}")
    print(f"{'all':28} {total[0]:3} refused {total[1] / total[0]:.3f} at its place {total[2] / total[0]:.3f}")


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "score":
        score(out, sys.argv[3])
    else:
        seed(out, int(sys.argv[2]), sys.argv[3:])
