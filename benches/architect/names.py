"""Counts what public data models call things and their members, for the architect's judge (src/architect/judge/{names,pairs}.txt).

    python3 benches/architect/names.py REPOSITORIES OUT

REPOSITORIES is a folder of git repositories (checked out or bare, any depth of one). Read are schemas of Prisma, SQL, Rails, Laravel,
JHipster, Frappe, Drizzle, Mongoose and Sequelize, entities of JPA, TypeORM and .NET, models of Django and SQLAlchemy, and
`tables.json` of the Spider data set (Yu et al. 2018), each as far as expressions find names in them; each repository counts once
(each model of JHipster and Spider by itself). OUT gets names.txt (a name: how many models have a thing, how many a member of it) and
pairs.txt (the last noun of names of things, how many models have one, and its members with how many give it). Names that one model
alone has are left out. Leave out the repositories of texts that are measured with.
"""

import collections
import json
import os
import re
import subprocess
import sys

from score import split

READ = re.compile(
    r"(\.prisma|\.sql|schema\.rb|\.jdl|models?\.py|models/[^/]*\.py|[Mm]odels?/[^/]*\.(js|ts|cs|java|kt|py|php)"
    r"|[Ee]ntit(y|ies)/[^/]*\.(java|cs|ts|kt|py)|[Dd]omain/[^/]*\.(java|cs|kt|ts)|\.entity\.ts|\.model\.(ts|js)|migrations/.*\.php"
    r"|\.schema\.(ts|js)|schema\.ts|doctype/[^/]*/[^/]*\.json|tables\.json)$"
)
OTHERS = re.compile(r"node_modules|vendor/|dist/|/build/|test|spec")
NO_COLUMNS = {"primary", "foreign", "unique", "constraint", "key", "index", "check", "create", "references", "on", "comment"}
MOST_FILES, MOST_BYTES = 600, 1_500_000

# By the end of a path: what finds a thing and what it is made of, and what finds the members in the latter.
FORMS = [
    (r"\.prisma$", r"(?ms)^model\s+(\w+)\s*\{(.*?)^\}", r"(?m)^\s+([a-z]\w*)\s+\w"),
    (r"\.jdl$", r"(?s)\bentity\s+(\w+)[^{\n]*\{(.*?)\n\}", r"(?m)^\s*([a-z]\w*)\s+[A-Z]\w*"),
    (
        r"\.sql$",
        r'(?is)create\s+table\s+(?:if\s+not\s+exists\s+)?[`"\[]?(?:\w+[`"\]]?\.[`"\[]?)?(\w+)[`"\]]?\s*\((.*?)\n\s*\)',
        r'(?m)^\s*[`"\[]?(\w+)[`"\]]?\s+\w',
    ),
    (r"schema\.rb$", r'(?s)create_table "(\w+)".*?do \|t\|(.*?)\n  end', r't\.\w+\s+"(\w+)"'),
    (r"migrations/.*\.php$", r"(?s)Schema::create\('(\w+)'.*?\{(.*?)\n\s+\}\);", r"\$table->\w+\('(\w+)'"),
    (
        r"\.py$",
        r"(?ms)^class (\w+)\([^)]*\):(.*?)(?=^\S|\Z)",
        r"(?m)^    (\w+)\s*(?::[^=\n]+)?=\s*(?:models\.\w+(?:Field|Key)|db\.Column|Column|sa\.Column|mapped_column|relationship|Field)\(",
    ),
    (
        r"\.(java|kt)$",
        r"(?s)@(?:Entity|Document|Table)\b.*?class\s+(\w+)(.*)",
        r"(?m)^\s+(?:private|protected|public|val|var)\s+(?:final\s+)?[\w<>,. \[\]]+?\s+(\w+)\s*(?:;|=)",
    ),
    (
        r"\.cs$",
        r"(?s)class\s+(\w+?)(?:Entity|Model|Dto)?\b[^{]*\{(.*?)(?=\n\s{0,4}(?:public\s+)?(?:sealed\s+|abstract\s+)?class |\Z)",
        r"public\s+(?:virtual\s+|required\s+)?[\w<>?\[\],.]+\s+(\w+)\s*\{\s*get",
    ),
    (r"\.ts$", r"(?s)@(?:Entity|Schema)\(.*?class\s+(\w+?)(?:Entity)?\b[^{]*\{(.*?)\n\}", r"(?m)^\s+(?:public\s+)?(\w+)[?!]?:\s*[\w<>\[\]| ]+;"),
    (r"\.(ts|js)$", r"(?s)(\w+?)Schema(?:\s*:\s*\w+)?\s*=\s*new\s+(?:mongoose\.)?Schema(?:<[^>]*>)?\(\s*\{(.*?)\n\}", r"(?m)^(?:  |\t|    )(\w+)\s*:"),
    (r"\.(ts|js)$", r"(?s)(?:pgTable|mysqlTable|sqliteTable|defineTable)\(\s*[\"'](\w+)[\"']\s*,\s*\{(.*?)\n\}", r"(?m)^\s+(\w+)\s*:"),
    (r"\.(ts|js)$", r"(?s)sequelize\.define\(\s*[\"'](\w+)[\"']\s*,\s*\{(.*?)\n\s*\}\s*[,)]", r"(?m)^\s{2,4}(\w+)\s*:"),
]


def files(repository):
    """(path, text) of each file that may declare things."""
    git = ["git", "-C", repository] if os.path.isdir(f"{repository}/.git") else ["git", "--git-dir", repository]
    listed = subprocess.run([*git, "ls-tree", "-r", "-l", "HEAD"], capture_output=True, text=True, errors="replace").stdout
    wanted = []
    for line in listed.splitlines():
        about, _, path = line.partition("\t")
        _, kind, name, size = (about.split() + [""] * 4)[:4]
        fits = kind == "blob" and size.isdigit() and int(size) <= MOST_BYTES and READ.search(path)
        if fits and (path.endswith("tables.json") or not OTHERS.search(path)):
            wanted.append((name, path))
    for name, path in wanted[:MOST_FILES]:
        yield path, subprocess.run([*git, "cat-file", "blob", name], capture_output=True).stdout.decode("utf8", "replace")


def declared(path, text):
    """(thing, members) of each thing that a file declares."""
    if "doctype/" in path and path.endswith(".json"):
        try:
            found = json.loads(text)
        except ValueError:
            return
        if isinstance(found, dict) and found.get("doctype") == "DocType" and not found.get("istable"):
            breaks = ("Section Break", "Column Break", "Tab Break", "HTML", "Button")
            yield found["name"], [it.get("label") or it.get("fieldname", "") for it in found.get("fields", []) if it.get("fieldtype") not in breaks]
        return
    for end, thing, member in FORMS:
        if re.search(end, path):
            for it in re.finditer(thing, text):
                yield it[1], [name for name in re.findall(member, it[2]) if name.lower() not in NO_COLUMNS]


def models(folder):
    """Things with their members, by the name of a data model; all names as words in the singular."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for name in sorted(os.listdir(folder)):
        inner = f"{folder}/{name}/repo"
        for path, text in files(inner if os.path.isdir(inner) else f"{folder}/{name}"):
            if path.endswith("tables.json"):
                for database in json.loads(text):
                    for table, column in database["column_names"]:
                        if table >= 0:
                            thing = " ".join(split(database["table_names"][table]))
                            found[f"{name}/{database['db_id']}"][thing].add(" ".join(split(column)))
                continue
            model = f"{name}/{path}" if path.endswith(".jdl") else name
            for thing, members in declared(path, text):
                if members:
                    found[model][" ".join(split(thing))] |= {" ".join(split(it)) for it in members}
    return found


def is_name(name):
    plain = name.replace(" ", "").isascii() and len(name) <= 40 and len(name.split()) <= 4
    return bool(name) and plain and not name[0].isdigit()


def main():
    folder, out = sys.argv[1:3]
    all_models = models(folder)
    things, members, heads, pairs = (collections.Counter() for _ in range(4))
    for model in all_models.values():
        kept = {thing: {it for it in its if is_name(it)} for thing, its in model.items() if is_name(thing)}
        things.update(kept.keys())
        heads.update({thing.split()[-1] for thing in kept})
        members.update({it for its in kept.values() for it in its})
        pairs.update({(thing.split()[-1], it) for thing, its in kept.items() for it in its})
    with open(f"{out}/names.txt", "w") as file:
        file.write(f"# Names in the singular: how many of {len(all_models)} public data models have a thing of that name, and how many a member.\n")
        for name in sorted(set(things) | set(members)):
            if things[name] + members[name] >= 2:
                file.write(f"{name}: {things[name]} {members[name]}\n")
    of = collections.defaultdict(list)
    for (head, member), count in pairs.items():
        if count >= 2:
            of[head].append((count, member))
    with open(f"{out}/pairs.txt", "w") as file:
        file.write(
            f"# Last nouns of names of things, in how many of {len(all_models)} public data models things are called so, and which members "
            "these have in how many.\n"
        )
        for head in sorted(of):
            file.write(f"{head} {heads[head]}: " + ", ".join(f"{name} {count}" for count, name in sorted(of[head], reverse=True)) + "\n")


if __name__ == "__main__":
    main()
