"""A small program to be run and to be read: its files, the conditions that decide at start-up what it serves, and what the
generator knows of each of its parts."""
import random
import re

MOST_CONDITIONS = 4


class Full(Exception):
    """No further condition may be added, and none of those there are will do."""


class Program:
    def __init__(self, framework, seed, only=None):
        self.framework = framework
        self.seed = seed
        self.only = only  # the numbers of the parts to build; None for all
        self.rng = random.Random(f"{framework}/{seed}")
        self.files = {}
        self.conditions = []  # {"name": …, "kind": "env" or "module", "values": [None, …]}
        self.forms = {}  # number of a part -> what it does, in a few words
        self.certain = set()  # numbers of parts whose routes no condition decides
        self.unknowable = set()  # numbers of parts whose routes nobody can name without running the program
        self.queries = [""]  # what requests of each route are made with, to see every outcome

    def condition(self, kind, values):
        """The name of a condition of these values: a new one, or one that decides something else too."""
        alike = [it for it in self.conditions if (it["kind"], it["values"]) == (kind, values)]
        if alike and (len(self.conditions) >= MOST_CONDITIONS or self.rng.random() < 0.15):
            return self.rng.choice(alike)["name"]
        if len(self.conditions) >= MOST_CONDITIONS:
            raise Full
        name = f"C{len(self.conditions)}" if kind == "env" else f"extra{len(self.conditions)}"
        self.conditions.append({"name": name, "kind": kind, "values": values})
        return name

    def build(self, plain, makers, unknowable):
        """The lines of each part: the first is plain, the others are of any kind. A part is the same whether others are built
        or not, but for conditions that it shares with them."""
        plan = [(n, plain if n == 0 else unknowable if self.rng.random() < 0.03 else self.rng.choice(makers), self.rng.random())
                for n in range(self.rng.randint(1, 4) + 1)]
        later = self.rng.random()
        parts = []
        for n, maker, seed in plan:
            if self.only is not None and n not in self.only:
                continue
            self.rng.seed(seed)
            try:
                form, lines, certain = maker(self, n)
            except Full:
                form, lines, certain = plain(self, n)
            self.forms[n] = form
            if certain:
                self.certain.add(n)
            parts.append((n, lines))
        self.rng.seed(later)
        return parts

    def spec(self):
        return {"conditions": self.conditions, "queries": self.queries}


def used(blocks, code):
    """Those blocks of lines (each declares one name, on a line that begins with `class`, `def` or `const`) that code uses."""
    kept = []
    for lines in reversed(blocks):
        head = next(line for line in lines if line)
        name = re.match(r"(?:class|def|const|function)?\s*(\w+)", head)[1]
        if any(re.search(rf"\b{name}\b", line) for line in [*code, *(line for it in kept for line in it)]):
            kept.insert(0, lines)
    return [line for lines in kept for line in [*lines, ""]]


def indent(lines, by=1):
    return [("    " * by + line) if line else line for line in lines]


def pick(rng, makers, *args):
    """The lines of one of the forms, and its name; another form where one asks for a condition that cannot be had."""
    names = list(makers)
    rng.shuffle(names)
    for name in names:
        try:
            return name, makers[name](*args)
        except Full:
            continue
    raise Full
