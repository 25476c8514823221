"""How Python code decides something at start-up: truths, values that one of several alternatives becomes, and lines that only
some runs reach."""
import sys

from program import Full, indent, pick

PREAMBLE = ["import os", "import sys", "import importlib.util", "from contextlib import suppress"]
HELPERS = [
    ["def enabled(name):", "    return os.environ.get(name) is not None"],
    ["class Settings:", "    def __init__(self):", *[f"        self.c{n} = os.environ.get('C{n}')" for n in range(4)]],
    ["settings = Settings()"],
]


def truth(p):
    """An expression that is true in some runs only."""
    try:
        name = p.condition("env", [None, "1"])
    except Full:
        it = p.rng.choice(p.conditions)
        return f"os.environ.get({it['name']!r})" if it["kind"] == "env" else f"importlib.util.find_spec({it['name']!r})"
    return p.rng.choice([
        f"os.environ.get('{name}')", f"os.getenv('{name}') == '1'", f"'{name}' in os.environ", f"bool(os.getenv('{name}'))",
        f"os.environ.get('{name}', '').lower() in ('1', 'true')", f"int(os.environ.get('{name}', '0')) > 0",
        f"not os.environ.get('{name}')", f"enabled('{name}')", f"settings.{name.lower()}", f"os.environ.get('{name}', '0') != '0'",
        f"os.environ.get('{name}', 'on') == 'on'",
    ])


def _elif(p, name, alts):
    env = p.condition("env", [None, "a", "b"])
    last = alts[2] if len(alts) > 2 else alts[0]
    return [f"kind = os.environ.get('{env}')", "if kind == 'a':", f"    {name} = {alts[0]}", "elif kind == 'b':",
            f"    {name} = {alts[1]}", "else:", f"    {name} = {last}"]


def _match(p, name, alts):
    env = p.condition("env", [None, "a", "b"])
    middle = ["    case 'b':", f"        {name} = {alts[2]}"] if len(alts) > 2 else []
    return [f"match os.environ.get('{env}'):", "    case 'a':", f"        {name} = {alts[0]}", *middle, "    case _:",
            f"        {name} = {alts[1]}"]


def _early_kind(p, name, alts):
    env = p.condition("env", [None, "a"])
    return ["def choose(kind):", "    if kind == 'a':", f"        return {alts[0]}", f"    return {alts[1]}", "",
            f"{name} = choose(os.environ.get('{env}', 'b'))"]


def _try(p, name, alts, after=""):
    module = p.condition("module", [None, "1"])
    lines = ["try:", f"    import {module}"] + ([] if after else [f"    {name} = {alts[0]}"])
    lines += ["except ImportError:", f"    {name} = {alts[1]}"]
    return lines + ([f"{after}:", f"    {name} = {alts[0]}"] if after else [])


def _dict(p, name, alts):
    env = p.condition("env", [None, "a", "b"])
    return [f"{name} = {{'a': ({alts[0]}), 'b': ({alts[1]})}}.get(os.environ.get('{env}'), ({alts[-1]}))"]


def _loop_key(p, name, alts, end=()):
    env = p.condition("env", [None, "1"])
    return [f"{name} = {alts[1]}", "for key in os.environ:", f"    if key == '{env}':", f"        {name} = {alts[0]}", *end]


def _loop_else(p, name, alts):
    a, b = p.condition("env", [None, "1"]), p.condition("env", [None, "1"])
    return [f"for key in ('{a}', '{b}'):", "    if key in os.environ:", f"        {name} = {alts[0]}", "        break", "else:",
            f"    {name} = {alts[1]}"]


def _walrus(p, name, alts):
    env = p.condition("env", [None, "1"])
    return [f"if (value := os.environ.get('{env}')):", f"    {name} = {alts[0]}", "else:", f"    {name} = {alts[1]}"]


def _any_of(p, name, alts):
    p.condition("env", [None, "1"])
    return [f"{name} = {alts[1]}", "for _ in os.environ:", f"    {name} = {alts[0]}"]


# What one of several values becomes, where a condition decides.
BIND = {
    "if": lambda p, n, a: [f"if {truth(p)}:", f"    {n} = {a[0]}", "else:", f"    {n} = {a[1]}"],
    "if over a default": lambda p, n, a: [f"{n} = {a[1]}", f"if {truth(p)}:", f"    {n} = {a[0]}"],
    "elif": _elif,
    "match": _match,
    "try": _try,
    "try else": lambda p, n, a: _try(p, n, a, "else"),
    "early return": lambda p, n, a: ["def choose():", f"    if {truth(p)}:", f"        return {a[0]}", f"    return {a[1]}", "",
                                     f"{n} = choose()"],
    "early return by kind": _early_kind,
    "conditional expression": lambda p, n, a: [f"{n} = ({a[0]}) if {truth(p)} else ({a[1]})"],
    "and or": lambda p, n, a: [f"{n} = {truth(p)} and ({a[0]}) or ({a[1]})"],
    "table get": _dict,
    "table of truths": lambda p, n, a: [f"{n} = {{True: ({a[0]}), False: ({a[1]})}}[bool({truth(p)})]"],
    "pair by index": lambda p, n, a: [f"{n} = (({a[1]}), ({a[0]}))[bool({truth(p)})]"],
    "loop over the environment": _loop_key,
    "loop over the environment, break": lambda p, n, a: _loop_key(p, n, a, ["        break"]),
    "any variable at all": _any_of,
    "loop else": _loop_else,
    "nested if": lambda p, n, a: [f"if {truth(p)}:", f"    if {truth(p)}:", f"        {n} = {a[0]}", "    else:",
                                  f"        {n} = {a[-1]}", "else:", f"    {n} = {a[1]}"],
    "walrus": _walrus,
    "class body": lambda p, n, a: ["class Conf:", f"    if {truth(p)}:", f"        value = {a[0]}", "    else:",
                                   f"        value = {a[1]}", "", f"{n} = Conf.value"],
    "constructor": lambda p, n, a: ["class Conf:", "    def __init__(self):", f"        self.value = {a[1]}",
                                    f"        if {truth(p)}:", f"            self.value = {a[0]}", "", f"{n} = Conf().value"],
    "keyword argument": lambda p, n, a: ["def chosen(flag=False):", f"    return ({a[0]}) if flag else ({a[1]})", "",
                                         f"{n} = chosen(flag=bool({truth(p)}))"],
    "while": lambda p, n, a: [f"{n} = {a[1]}", f"while {truth(p)}:", f"    {n} = {a[0]}", "    break"],
}

# The same where nothing is undecided: what becomes of the name is the first alternative.
BIND_KNOWN = {
    "constant": lambda p, n, a: ["FLAG = True", "if FLAG:", f"    {n} = {a[0]}", "else:", f"    {n} = {a[1]}"],
    "constant, not": lambda p, n, a: [f"{n} = {a[0]}", "DEBUG = False", "if DEBUG:", f"    {n} = {a[1]}"],
    "version": lambda p, n, a: ["if sys.version_info >= (3, 0):", f"    {n} = {a[0]}", "else:", f"    {n} = {a[1]}"],
    "last of a loop": lambda p, n, a: [f"for it in (({a[1]}), ({a[0]})):", f"    {n} = it"],
    "constant argument": lambda p, n, a: ["def choose(kind):", "    if kind == 'a':", f"        return {a[0]}",
                                          f"    return {a[1]}", "", f"{n} = choose('a')"],
    "known key": lambda p, n, a: [f"{n} = {{'a': ({a[0]}), 'b': ({a[1]})}}['a']"],
    "conditional expression, known": lambda p, n, a: [f"{n} = ({a[0]}) if 'a' == 'a' else ({a[1]})"],
    "try, nothing fails": lambda p, n, a: ["try:", f"    {n} = {a[0]}", "except ValueError:", f"    {n} = {a[1]}"],
}


def bind(p, name, alts):
    return pick(p.rng, BIND, p, name, alts)


def bind_known(p, name, alts):
    return pick(p.rng, BIND_KNOWN, p, name, alts)


def _presence_try(p, body, other):
    module = p.condition("module", [None, "1"])
    return ["try:", f"    import {module}", *indent(body), "except ImportError:", *(indent(other) or ["    pass"])]


def _presence_match(p, body, other):
    env = p.condition("env", [None, "a", "b"])
    return [f"match os.environ.get('{env}'):", "    case 'a' | 'b':", *indent(body, 2), "    case _:",
            *(indent(other, 2) or ["        pass"])]


def _presence_loop(p, body, other):
    env = p.condition("env", [None, "1"])
    return [*other, "for key in os.environ:", f"    if key == '{env}':", *indent(body, 2)]


def _suppress(p, body, other):
    module = p.condition("module", [None, "1"])
    return [*other, "with suppress(ImportError):", f"    import {module}", *indent(body)]


# Lines that only some runs reach, and lines for the others (which may be none, or come in every run).
PRESENCE = {
    "in if": lambda p, b, o: [f"if {truth(p)}:", *indent(b), *(["else:", *indent(o)] if o else [])],
    "in if of if": lambda p, b, o: [f"if {truth(p)}:", f"    if {truth(p)}:", *indent(b, 2), *(["    else:", *indent(o, 2)] if o else [])],
    "in match": _presence_match,
    "in try": _presence_try,
    "in a function left early": lambda p, b, o: ["def register():", f"    if not ({truth(p)}):", *indent(o, 2), "        return",
                                                 *indent(b), "", "register()"],
    "in a loop over the environment": _presence_loop,
    "in a loop over flags": lambda p, b, o: [f"for name, on in (('a', True), ('b', {truth(p)})):", "    if name == 'b' and on:",
                                             *indent(b, 2), *o],
    "in a loop, continue": lambda p, b, o: ["for name in ('a', 'b'):", f"    if name == 'a' or not ({truth(p)}):", "        continue",
                                            *indent(b), *o],
    "where an import is suppressed": _suppress,
    "by a function that is chosen": lambda p, b, o: ["def some():", *indent(b), "", "def others():", *(indent(o) or ["    pass"]), "",
                                                     f"(some if {truth(p)} else others)()"],
    "by a name that is chosen": lambda p, b, o: ["def some():", *indent(b), "", "def others():", *(indent(o) or ["    pass"]), "",
                                                 "setup = others", f"if {truth(p)}:", "    setup = some", "setup()"],
    "after raising": lambda p, b, o: ["try:", f"    if not ({truth(p)}):", "        raise RuntimeError('off')", *indent(b),
                                      "except RuntimeError:", *(indent(o) or ["    pass"])],
    "short circuit": lambda p, b, o: ["def some():", *indent(b), "    return True", "", *o, f"{truth(p)} and some()"],
}


def present(p, body, other=()):
    return pick(p.rng, PRESENCE, p, body, list(other))


if sys.version_info < (3, 10):
    del BIND["match"], PRESENCE["in match"]
