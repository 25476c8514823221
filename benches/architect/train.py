"""Learns the trees of the architect's judge (src/architect/judge/*.trees) from documents and what readers wrote of them.

    python3 benches/architect/train.py parts DOCUMENTS OUT
    python3 benches/architect/train.py thing|member|deed|relation TRACES REFERENCES [-o FILE]

TRACES and REFERENCES are those of score.py. Prints the F1 that cross-validation over documents gives at several thresholds, or
writes trees learnt from all documents to FILE. Members are judged with the chances of things, and deeds with both: learn things first,
trace the documents anew, then members, then deeds. Needs numpy and scikit-learn.

`parts` writes each section of each document (*.md) as a document <stem>~<number>.md of its own. Traces of these are learnt from with
less weight, by the reference of the whole document, so that short texts are judged well, too; F1 does not count them.
"""

import glob
import json
import os
import re
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from score import aliases, field_in, fields_of, is_near, is_operation, key, names

# How much a part of a document counts beside a whole one.
PART = 0.3
# A feature that fewer rows have is not learnt from.
RARE = 30

TITLE = {
    "thing": "how likely a noun is a thing that a service keeps",
    "member": "how likely a noun is a member of a thing",
    "deed": "how likely an operation is meant",
    "relation": "how likely two things are related",
}


def things(reference, traced):
    """(features, what of the reference the noun is or None, what the noun is counted as when wrong, rivals) of each noun. Only one
    of rivals is told: here none are."""
    told = {key(name): (it["must"], key(it["name"])) for it in reference["entities"] for name in names(it)}
    for it in traced:
        found = told.get(key(it["about"]["key"]))
        if found is None or found[0]:
            yield it["features"], found and found[1], it["about"]["key"], None


def members(reference, traced):
    """Of documents of which the reader noted fields."""
    if not reference["fields"]:
        return
    fields = fields_of(reference, aliases(reference))
    alias = aliases(reference)
    for it in traced:
        about = it["about"]
        owner = alias.get(key(about["owner"]), key(about["owner"]))
        at = field_in(fields, owner, key(about["name"]))
        if at is None or reference["fields"][at]["must"]:
            yield it["features"], at, (about["owner"], about["name"]), (about["line"], about["name"])


def deeds(reference, traced):
    """Of documents of which the reader noted deeds, and no endpoints."""
    if not reference["operations"] or any(it.get("path") for it in reference["operations"]):
        return
    alias = aliases(reference)
    wanted = reference["operations"]
    for it in traced:
        operation = (it["about"]["method"], it["about"]["path"], it["about"]["id"])
        hit = [at for at, ref in enumerate(wanted) if ref["must"] and is_operation(ref, *operation, alias)]
        may = any(is_operation(ref, *operation, alias) or is_near(ref, *operation, alias) for ref in wanted)
        if hit or not may:
            yield it["features"], hit[0] if hit else None, operation[:2], None


def relations(reference, traced):
    """Of documents of which the reader noted relations."""
    alias = aliases(reference)
    wanted = {}
    for it in reference.get("relations", []):
        ends = frozenset(alias.get(key(it[end]), key(it[end])) for end in ("from", "to"))
        wanted[ends] = wanted.get(ends) or it["must"]
    for it in traced if wanted else []:
        ends = frozenset(alias.get(key(it["about"][end]), key(it["about"][end])) for end in ("from", "to"))
        if ends not in wanted or wanted[ends]:
            yield it["features"], ends if ends in wanted else None, ends, None


EXAMPLES = {
    "thing": (things, "entities"), "member": (members, "fields"), "deed": (deeds, "operations"),
    "relation": (relations, "relations"),
}


def examples(model, traces, references):
    """Rows of features, labels, documents, which are of whole documents, what each row is counted as, rivals, and how many items
    must be told."""
    of, kind = EXAMPLES[model]
    rows, labels, documents, whole, counted, rivals, total = [], [], [], [], [], [], 0
    for line in open(traces):
        document = json.loads(line)
        stem, _, part = document["doc"].partition("~")
        path = f"{references}/{stem}.json"
        if not os.path.exists(path):
            continue
        reference = json.load(open(path))
        if kind in ("fields", "operations") and not reference[kind]:
            continue
        if model == "deed" and any(it.get("path") for it in reference["operations"]):
            continue
        if not part:
            total += sum(it["must"] for it in reference.get(kind, []))
        traced = [it for it in document["traced"] if it["model"] == model]
        for features, hit, wrong, rival in of(reference, traced):
            rows.append(features)
            labels.append(int(hit is not None))
            documents.append(stem)
            whole.append(not part)
            counted.append((stem, hit if hit is not None else wrong))
            rivals.append(rival and (stem, *rival))
    return rows, np.array(labels), np.array(documents), np.array(whole), counted, rivals, total


def matrix(rows):
    """The names of features that are not rare, and their values by row."""
    times = {}
    for row in rows:
        for name, value in row.items():
            times[name] = times.get(name, 0) + (value != 0)
    columns = sorted(name for name, count in times.items() if count >= RARE)
    place = {name: at for at, name in enumerate(columns)}
    found = np.zeros((len(rows), len(columns)), dtype=np.float32)
    for at, row in enumerate(rows):
        for name, value in row.items():
            if name in place:
                found[at, place[name]] = value
    return columns, found


def boosting():
    return HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.06, max_leaf_nodes=20, min_samples_leaf=25, l2_regularization=5, max_features=0.3,
        early_stopping=False, random_state=1,
    )


def f1_at(threshold, chances, labels, counted, rivals, total):
    kept = range(len(chances))
    if any(it is not None for it in rivals):
        best = {}
        for at in kept:
            if rivals[at] not in best or chances[best[rivals[at]]] < chances[at]:
                best[rivals[at]] = at
        kept = best.values()
    kept = [at for at in kept if chances[at] >= threshold]
    right = len({counted[at] for at in kept if labels[at]})
    wrong = len({counted[at] for at in kept if not labels[at]})
    precision = right / (right + wrong) if right else 0
    recall = right / total
    return 2 * precision * recall / (precision + recall) if right else 0, precision, recall


def write(path, title, columns, learnt):
    """The form that src/architect/judge/trees.rs reads: a tree a line, each node before its branches."""

    def node(nodes, at):
        it = nodes[at]
        if it["is_leaf"]:
            return [f"={it['value']:.4f}".replace("0.", ".", 1)]
        here = f"{it['feature_idx']}:{it['num_threshold']:.4f}".rstrip("0").rstrip(".")
        return [here] + node(nodes, it["left"]) + node(nodes, it["right"])

    with open(path, "w") as out:
        out.write(f"# Gradient-boosted trees: {title}. Written by benches/architect/train.py.\n")
        out.write("|".join(columns) + "\n")
        out.write(f"{learnt._baseline_prediction.item():.4f}\n")
        for (tree,) in learnt._predictors:
            out.write(" ".join(node(tree.nodes, 0)) + "\n")


def parts(documents, out):
    for path in sorted(glob.glob(f"{documents}/*.md")):
        text = open(path, errors="replace").read()
        stem = os.path.basename(path)[: -len(".md")]
        title = re.match(r"# .*\n", text)
        sections = re.split(r"(?m)^(?=#{2,3} )", text)[1:]
        for number, section in enumerate(it for it in sections if len(it) > 200):
            with open(f"{out}/{stem}~{number}.md", "w") as part:
                part.write((title[0] if title else "# App\n") + "\n" + section)


def main():
    if sys.argv[1] == "parts":
        return parts(*sys.argv[2:4])
    model, traces, references = sys.argv[1:4]
    rows, labels, documents, whole, counted, rivals, total = examples(model, traces, references)
    columns, X = matrix(rows)
    weights = np.where(whole, 1.0, PART)
    if "-o" in sys.argv:
        return write(sys.argv[sys.argv.index("-o") + 1], TITLE[model], columns, boosting().fit(X, labels, weights))
    chances = np.zeros(len(labels))
    for train, test in GroupKFold(10).split(X, labels, documents):
        chances[test] = boosting().fit(X[train], labels[train], weights[train]).predict_proba(X[test])[:, 1]
    of_whole = np.flatnonzero(whole)
    counted, rivals = [counted[at] for at in of_whole], [rivals[at] for at in of_whole]
    reach = len({it for it, label in zip(counted, labels[of_whole]) if label})
    print(f"{model}: {len(of_whole)} rows, {labels[of_whole].sum()} right; {total} must be told, {reach} are within reach")
    for threshold in np.arange(0.3, 0.65, 0.05):
        f1 = f1_at(threshold, chances[of_whole], labels[of_whole], counted, rivals, total)
        print("at %.2f: F1 %.3f precision %.3f recall %.3f" % (threshold, *f1), flush=True)


if __name__ == "__main__":
    main()
