"""Learns the trees of the architect's judge (src/architect/judge/*.trees) from documents and what readers wrote of them.

    python3 benches/architect/train.py parts DOCUMENTS OUT
    python3 benches/architect/train.py MODEL TRACES REFERENCES [-o FILE [--but DOCUMENTS]]

MODEL is 'first thing', 'first member', 'first deed', thing, member, deed or relation; TRACES and REFERENCES are those of score.py. Prints the F1 that cross-validation over documents gives at several thresholds, or
writes trees learnt from all documents to FILE, and to the same place with `.words` at its end the weights of the words around, where
traces tell these (a logistic regression; trees learn from weights that other documents gave).

A text is judged twice. The first reading's things are learnt first, its members and deeds from documents that are traced with these things,
then the second reading's things from documents that are traced with all three, its members and deeds, and relations last. What has learnt
from a document itself judges this document better than a new one, so trace each document with what learnt `--but` those that the file
DOCUMENTS names, a third of all at a time. Needs numpy and scikit-learn.

`parts` writes each section of each document (*.md) as a document <stem>~<number>.md of its own. Traces of these are learnt from with
less weight, by the reference of the whole document, so that short texts are judged well, too; F1 does not count them.
"""

import glob
import json
import os
import re
import sys

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from score import aliases, field_in, fields_of, is_near, is_operation, key, names

# How much a part of a document counts beside a whole one.
PART = 0.2
# A feature that fewer rows have is not learnt from.
RARE = 30
# A word around that fewer documents have is not learnt from.
DOCUMENTS = 8
# The inverse of how strongly weights of words are held near 0.
STRENGTH = 0.05

TITLE = {
    "thing": "how likely a noun is a thing that a service keeps",
    "member": "how likely a noun is a member of a thing",
    "deed": "how likely an operation is meant",
    "relation": "how likely two things are related",
}


def things(reference, traced):
    """(trace, what of the reference the noun is or None, what the noun is counted as when wrong, rivals) of each noun. Only one
    of rivals is told: here none are."""
    told = {key(name): (it["must"], key(it["name"])) for it in reference["entities"] for name in names(it)}
    for it in traced:
        found = told.get(key(it["about"]["key"]))
        if found is None or found[0]:
            yield it, found and found[1], it["about"]["key"], None


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
            yield it, at, (about["owner"], about["name"]), (about["line"], about["name"])


def deeds(reference, traced):
    """Of documents of which the reader noted deeds, and no endpoints."""
    if not reference["operations"] or any(it.get("path") for it in reference["operations"]):
        return
    alias = aliases(reference)
    wanted = reference["operations"]
    # What a part of a document tells, the whole document tells mostly, too.
    known = reference.setdefault("known", {})
    for it in traced:
        operation = (it["about"]["method"], it["about"]["path"], it["about"]["id"])
        if operation not in known:
            hit = [at for at, ref in enumerate(wanted) if ref["must"] and is_operation(ref, *operation, alias)]
            may = bool(hit) or any(is_operation(ref, *operation, alias) or is_near(ref, *operation, alias) for ref in wanted)
            known[operation] = hit[:1], may
        hit, may = known[operation]
        if hit or not may:
            yield it, hit[0] if hit else None, operation[:2], None


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
            yield it, ends if ends in wanted else None, ends, None


EXAMPLES = {
    "thing": (things, "entities"), "member": (members, "fields"), "deed": (deeds, "operations"),
    "relation": (relations, "relations"),
}


def examples(model, traces, references):
    """Rows of features, the words around each, labels, documents, which are of whole documents, what each row is counted as, rivals,
    and how many items must be told."""
    of, kind = EXAMPLES[model.removeprefix("first ")]
    rows, around, labels, documents, whole, counted, rivals, total = [], [], [], [], [], [], [], 0
    known = {}
    left_out = set(open(sys.argv[sys.argv.index("--but") + 1]).read().split()) if "--but" in sys.argv else ()
    for line in open(traces):
        document = json.loads(line)
        stem, _, part = document["doc"].partition("~")
        if stem in left_out:
            continue
        path = f"{references}/{stem}.json"
        if not os.path.exists(path):
            continue
        reference = known[stem] = known.get(stem) or json.load(open(path))
        if kind in ("fields", "operations") and not reference[kind]:
            continue
        if kind == "operations" and any(it.get("path") for it in reference["operations"]):
            continue
        if not part:
            total += sum(it["must"] for it in reference.get(kind, []))
        traced = [it for it in document["traced"] if it["model"] == model]
        for it, hit, wrong, rival in of(reference, traced):
            rows.append(it["features"])
            around.append([sys.intern(word) for word in it["about"].get("around", ())])
            labels.append(int(hit is not None))
            documents.append(stem)
            whole.append(not part)
            counted.append((stem, hit if hit is not None else wrong))
            rivals.append(rival and (stem, *rival))
    return rows, around, np.array(labels), np.array(documents), np.array(whole), counted, rivals, total


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


def words_around(around, documents):
    """The words that are not rare, each behind its place, and which row has which."""
    of = {}
    for said, document in zip(around, documents):
        for word in said:
            of.setdefault(word, set()).add(document)
    known = sorted(word for word, those in of.items() if len(those) >= DOCUMENTS)
    place = {word: at for at, word in enumerate(known)}
    cells = [(row, place[word]) for row, said in enumerate(around) for word in said if word in place]
    rows, columns = zip(*cells) if cells else ((), ())
    return known, csr_matrix((np.ones(len(cells)), (rows, columns)), shape=(len(around), len(known)))


def regression():
    return LogisticRegression(C=STRENGTH, max_iter=200, solver="liblinear", random_state=1)


def others_weights(said, labels, documents, weights):
    """The log odds that the words around give each row, learnt from other documents."""
    found = np.zeros(len(labels))
    for train, test in GroupKFold(5).split(said, labels, documents):
        found[test] = regression().fit(said[train], labels[train], weights[train]).decision_function(said[test])
    return found


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


def write_words(path, title, known, learnt):
    """The form that src/architect/judge/around.rs reads: a word a line, with a weight for each place."""
    of = {}
    for it, weight in zip(known, learnt.coef_[0]):
        place, word = it.split(" ", 1)
        if abs(weight) >= 0.015:
            of.setdefault(word, []).append(f"{place}:{weight:.2f}".replace("0.", ".", 1))
    with open(path, "w") as out:
        out.write(f"# Words around: {title}. Written by benches/architect/train.py.\n{learnt.intercept_[0]:.4f}\n")
        for word in sorted(of):
            out.write(f"{word} {' '.join(of[word])}\n")


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
    rows, around, labels, documents, whole, counted, rivals, total = examples(model, traces, references)
    weights = np.where(whole, 1.0, PART)
    known, said = words_around(around, documents)
    columns, X = matrix(rows)
    place = columns.index("around") if "around" in columns else len(columns)
    if known and place == len(columns):
        columns, X = [*columns, "around"], np.hstack([X, np.zeros((len(X), 1), dtype=np.float32)])
    if "-o" in sys.argv:
        path = sys.argv[sys.argv.index("-o") + 1]
        title = TITLE[model.removeprefix("first ")]
        if known:
            X[:, place] = others_weights(said, labels, documents, weights)
            write_words(
                path.replace(".trees", ".words"), title, known, regression().fit(said, labels, weights)
            )
        return write(path, title, columns, boosting().fit(X, labels, weights))
    chances = np.zeros(len(labels))
    for train, test in GroupKFold(10).split(X, labels, documents):
        if known:
            X[train, place] = others_weights(said[train], labels[train], documents[train], weights[train])
            X[test, place] = regression().fit(said[train], labels[train], weights[train]).decision_function(said[test])
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
