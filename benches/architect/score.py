"""Holds what the architect tells of requirements documents against references that readers have written.

    cargo test --lib -- --ignored traces_of_documents        # ARCHITECT_TEXTS=DIR, writes ARCHITECT_TRACES (JSON lines)
    python3 benches/architect/score.py TRACES REFERENCES [-v]
    python3 benches/architect/score.py texts notations.jsonl DIR    # writes the documents of a file that has their texts

TRACES has one line a document: {"doc": stem, "out": Decomposition, "traced": [{"model", "about", "features"}]}.
REFERENCES is a folder of <stem>.json or one of rounds/*.jsonl, which has for each document the repository and path of the text, its
SHA-256 and the reference, since texts of others are not kept here: {"entities": [{"name", "must", "also"?}], "fields": [{"of", "name", "must"}],
"operations": [{"method", "path", "must"} or {"deed", "of", "must", "also"?}], "services", "events": [{"name", "must"}],
"relations": [{"from", "to", "must"}]}. notations.jsonl is of the same form and has the texts, too. What must be told and is not was missed; what is told and stands nowhere is wrong; what
may be told counts neither way.
"""

import collections
import json
import os
import re
import sys

IRREGULAR = {
    "categories": "category", "statuses": "status", "addresses": "address", "people": "person", "children": "child",
    "series": "series", "news": "news", "status": "status", "address": "address", "class": "class", "process": "process",
    "access": "access", "progress": "progress", "business": "business", "analysis": "analysis", "criteria": "criterion",
    "indices": "index", "matches": "match", "batches": "batch", "branches": "branch", "boxes": "box",
    "statistics": "statistic",
}

# Words of one deed.
DEEDS = {
    word: deed
    for deed, words in {
        "list": "list search filter browse find query sort",
        "read": "read get view see show display track monitor check preview look inspect access retrieve fetch",
        "create": "create add new make write compose record log post insert enter",
        "update": "update edit modify change set rename adjust alter",
        "delete": "delete remove",
        "login": "login signin authenticate",
        "register": "register signup",
        "logout": "logout signout",
        "export": "export download",
        "reject": "reject decline deny refuse",
        "cancel": "cancel",
        "import": "import upload",
        "reset": "reset forgot recover",
    }.items()
    for word in words.split()
}

# Verbs that make the thing that they are said of.
MAKING = set(
    "book schedule submit place open start post upload request generate issue record log add reserve publish send register "
    "report order rate leave write purchase buy define import take plan apply initiate launch begin invite set enroll subscribe "
    "follow comment review like bookmark favorite save vote pay configure".split()
)

# `order details` are an order.
ASPECTS = {"record", "detail", "information", "data", "list", "info", "status", "profile", "account", "history"}

# Whoever signs in.
ANYBODY = {
    "", "user", "account", "system", "customer", "member", "session", "admin", "app", "application", "password", "credential",
}

KINDS = ["entities", "fields", "operations", "services", "events"]


def singular(word):
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def split(name):
    """The words of a name in the singular, without what stands in brackets."""
    without = re.sub(r"\(.*?\)", " ", name)
    name = without if without.strip() else name
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", name)
    name = name.replace("'s", "").replace("’s", "")
    return [singular(word) for word in re.split(r"[^a-z0-9]+", name.lower()) if word]


def key(name):
    return "".join(split(name))


def names(item, of="name"):
    return [item[of]] + [it for it in item.get("also", []) if isinstance(it, str)]


def deed(text):
    """The deed of a verb, and the verb."""
    text = text.lower().strip()
    for two, one in [("sign in", "signin"), ("log in", "login"), ("sign up", "signup"), ("log out", "logout"), ("sign out", "signout")]:
        text = text.replace(two, one)
    first = re.split(r"[\s_]+", text.replace("-", ""))[0]
    return DEEDS.get(first, first), first


def thing(name):
    words = split(name)
    while len(words) > 1 and words[-1] in ASPECTS:
        words = words[:-1]
    return "".join(words)


def shape(path):
    """A path without its base, its query and the names of its parameters."""
    path = re.sub(r"\?.*", "", path)
    path = re.sub(r"(\{[^}]*\}|:[A-Za-z_]+|<[^>]*>|\[[^\]]*\])", "{}", path)
    path = "/" + "/".join(it for it in path.split("/") if it)
    return re.sub(r"^(/api)?(/v\d+)?(?=/|$)", "", path).rstrip("/").lower() or "/"


def deeds_of(method, path, identifier):
    """The deeds, each with its thing, that an operation may be taken for: ((deed, verb), thing)."""
    found = set()
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", identifier).split()
    first = words[0].lower() if words else ""
    found.add((deed(first), re.sub(r"\d+$", "", thing(" ".join(words[1:]))) if len(words) > 1 else ""))
    segments = [it for it in path.split("/") if it and not re.fullmatch(r"api|v\d+", it)]
    said = [it for it in segments if not it.startswith("{")]
    if not said:
        return found
    last = thing(said[-1])
    if segments[-1].startswith("{"):
        does = {"GET": "read", "PUT": "update", "PATCH": "update", "DELETE": "delete", "POST": "create"}.get(method)
        found.add(((does, does), last))
        return found
    if method == "GET":
        found.add((("list", "list"), last))
    if method == "POST":
        found.add((("create", "create"), last))
        if len(said) > 1:
            found.add((deed(said[-1]), thing(said[-2])))
        found.add((deed(said[-1].lower().replace("-", "")), ""))
    if method in ("PUT", "PATCH"):
        found.add((("update", "update"), last))
        if len(said) > 1:
            found.add((deed(said[-1]), thing(said[-2])))
    if method == "DELETE":
        found.add((("delete", "delete"), last))
    return found


def is_operation(reference, method, path, identifier, alias):
    """Whether an operation that is told is one of a reference."""
    wordings = [reference] + [it for it in reference.get("also", []) if isinstance(it, dict)]
    for it in wordings:
        # A text may state a path and leave the method open.
        if it.get("path") and (it.get("method") or "").upper() in (method, "") and shape(it["path"]) == shape(path):
            return True
    told = deeds_of(method, path, identifier)
    for it in wordings:
        if not it.get("deed"):
            continue
        does, verb = deed(it["deed"])
        what = thing(it.get("of") or "")
        for (told_deed, told_verb), told_thing in told:
            signs = does in ("login", "logout", "register", "reset") and told_deed == does
            if signs and (what in ANYBODY and told_thing in ANYBODY or what == told_thing):
                return True
            same = told_thing == what or alias.get(told_thing, told_thing) == alias.get(what, what)
            if same and (told_deed == does or told_verb == verb):
                return True
            if same and (does == "create" and told_verb in MAKING or told_deed == "create" and verb in MAKING):
                return True
    return False


def is_near(reference, method, path, identifier, alias):
    """One is read where several are noted, or the other way round: neither right nor wrong."""
    if reference.get("path"):
        return False
    does, _ = deed(reference["deed"])
    if does not in ("list", "read"):
        return False
    other = dict(reference, deed="read" if does == "list" else "list")
    other.pop("also", None)
    return is_operation(other, method, path, identifier, alias)


def operations(out):
    """(method, path, operationId) of the stubs of a decomposition."""
    found = []
    for stub in out["contract_stubs"]:
        if stub["type"] != "openapi":
            continue
        for path, item in stub["spec"].get("paths", {}).items():
            for method, operation in item.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    found.append((method.upper(), path, operation.get("operationId", "")))
    return found


def aliases(reference):
    """Keys of the names of things to the key of each thing."""
    found = {}
    for entity in reference["entities"]:
        for name in names(entity):
            found.setdefault(key(name), key(entity["name"]))
            found.setdefault(thing(name), key(entity["name"]))
    return found


def fields_of(reference, alias):
    """(key of the thing, key of the field) to the place of the field in the reference. `order number` of orders is a `number`."""
    found = {}
    for at, field in enumerate(reference["fields"]):
        owner = alias.get(key(field["of"]), key(field["of"]))
        for name in names(field):
            name = key(name)
            for before in {owner, key(field["of"])}:
                if name.startswith(before) and len(name) > len(before):
                    found.setdefault((owner, name[len(before):]), at)
            found.setdefault((owner, name), at)
    return found


def field_in(fields, owner, name):
    found = fields.get((owner, name))
    if found is None and name.startswith(owner):
        found = fields.get((owner, name[len(owner):]))
    return found


def score(reference, out, detail=None):
    """By kind: how many are right, wrong, missed. `detail` takes (kind, miss or wrong, text)."""
    found = collections.defaultdict(lambda: [0, 0, 0])

    def note(kind, at, text):
        found[kind][at] += 1
        if detail is not None and at:
            detail.append((kind, ["", "wrong", "miss"][at], text))

    def by_name(kind, wanted, told, key):
        places = {}
        for at, it in enumerate(wanted):
            for name in names(it):
                places.setdefault(key(name), at)
        seen = set()
        for name in told:
            at = places.get(key(name))
            if at is None:
                note(kind, 1, name)
            elif at not in seen:
                seen.add(at)
                if wanted[at]["must"]:
                    note(kind, 0, name)
        for at, it in enumerate(wanted):
            if it["must"] and at not in seen:
                note(kind, 2, it["name"])

    model = out["domain_model"]
    alias = aliases(reference)
    by_name("entities", reference["entities"], [it["name"] for it in model["entities"]], key)

    fields = fields_of(reference, alias)
    seen = set()
    for entity in model["entities"]:
        owner = alias.get(key(entity["name"]), key(entity["name"]))
        for field in entity["fields"]:
            at = field_in(fields, owner, key(field["name"]))
            if at is None:
                note("fields", 1, entity["name"] + "." + field["name"])
            elif at not in seen:
                seen.add(at)
                if reference["fields"][at]["must"]:
                    note("fields", 0, field["name"])
    for at, it in enumerate(reference["fields"]):
        if it["must"] and at not in seen:
            note("fields", 2, it["of"] + "." + it["name"])

    musts = [it for it in reference["operations"] if it["must"]]
    mays = [it for it in reference["operations"] if not it["must"]]
    seen = set()
    for operation in operations(out):
        hit = [at for at, it in enumerate(musts) if is_operation(it, *operation, alias)]
        for at in hit:
            if at not in seen:
                seen.add(at)
                note("operations", 0, "")
        may = any(is_operation(it, *operation, alias) for it in mays)
        near = any(is_near(it, *operation, alias) for it in reference["operations"])
        if not hit and not may and not near:
            note("operations", 1, " ".join(operation))
    for at, it in enumerate(musts):
        if at not in seen:
            note("operations", 2, f"{it['method']} {it['path']}" if it.get("path") else f"{it['deed']} {it.get('of') or ''}")

    def service(name):
        return re.sub(r"(micro)?service$", "", key(name)) or key(name)

    told = [it["name"] for it in out["service_map"]["services"] if not it.get("assumed") and not it.get("is_frontend")]
    by_name("services", reference["services"], told, service)
    by_name("events", reference["events"], [it["name"] for it in model["events"]], key)

    wanted = {}
    for it in reference.get("relations", []):
        ends = frozenset(alias.get(key(it[end]), key(it[end])) for end in ("from", "to"))
        wanted[ends] = it if it["must"] or ends not in wanted else wanted[ends]
    seen = set()
    for it in model["relationships"]:
        ends = frozenset(alias.get(key(it[end]), key(it[end])) for end in ("source_entity", "target_entity"))
        if ends not in wanted:
            note("relations", 1, it["source_entity"] + " - " + it["target_entity"])
        elif ends not in seen:
            seen.add(ends)
            if wanted[ends]["must"]:
                note("relations", 0, "")
    for ends, it in wanted.items():
        if it["must"] and ends not in seen:
            note("relations", 2, it["from"] + " - " + it["to"])
    return found


def f1(counts):
    right, wrong, missed = counts
    precision = right / (right + wrong) if right + wrong else 0
    recall = right / (right + missed) if right + missed else 0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0, precision, recall


def reader(references):
    """What gives the reference of a document; None where there is none."""
    if references.endswith(".jsonl"):
        known = {it["doc"]: it["reference"] for it in map(json.loads, open(references))}
        return known.get

    def of(stem):
        path = f"{references}/{stem}.json"
        return json.load(open(path)) if os.path.exists(path) else None

    return of


def write_texts(documents, out):
    for it in map(json.loads, open(documents)):
        with open(f"{out}/{it['doc']}.md", "w") as text:
            text.write(it["text"])


def main():
    if sys.argv[1] == "texts":
        return write_texts(*sys.argv[2:4])
    traces, references = sys.argv[1:3]
    verbose = "-v" in sys.argv
    of = reader(references)
    total = collections.defaultdict(lambda: [0, 0, 0])
    for line in open(traces):
        document = json.loads(line)
        reference = of(document["doc"])
        if reference is None:
            continue
        detail = []
        counts = score(reference, document["out"], detail)
        own = [sum(counts[kind][at] for kind in KINDS) for at in range(3)]
        print(f"{f1(own)[0]:.3f}", own, dict(counts), reference.get("style"), document["doc"])
        for it in detail if verbose else []:
            print("   ", *it)
        for kind, it in counts.items():
            for at in range(3):
                total[kind][at] += it[at]
    for kind in KINDS + ["relations"]:
        print(kind, total[kind], "F1 %.3f precision %.3f recall %.3f" % f1(total[kind]))
    whole = [sum(total[kind][at] for kind in KINDS) for at in range(3)]
    print("all but relations", whole, "F1 %.3f precision %.3f recall %.3f" % f1(whole))


if __name__ == "__main__":
    main()
