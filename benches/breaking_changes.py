#!/usr/bin/env python3
"""Holds `treaty diff` against labelled pairs of OpenAPI documents.

    TREATY_PAIRS=<folder with cases.json and data/> python3 benches/breaking_changes.py [target/release/treaty] [-v]

A case has two documents, the rules of another tool that it is about (`scope_rule_ids`, all where null), and what that
tool finds. `KINDS` says which of our kinds speak of the same thing; where one of theirs is several of ours, any will do.
Reported are:

- verdict: breaking (an error or a warning, in scope) or not, on cases that have a verdict;
- recall: expected findings of their level ERR for which we have an error, each expectation by itself;
- false errors: our errors, in scope, on pairs that break nothing.
"""
import collections
import concurrent.futures
import fnmatch
import json
import os
import subprocess
import sys

# Theirs (a pattern; the first that matches counts) and ours.
KINDS = [
    ("api-path-removed-with-deprecation", "sunset-operation-removed"),
    ("api-removed-with-deprecation", "sunset-operation-removed"),
    ("api-path-removed-*", "operation-removed"),
    ("api-path-sunset-parse", "operation-removed"),
    ("api-removed-*", "operation-removed"),
    ("endpoint-added", "operation-added"),
    ("*-deprecated-sunset-missing", "notice"),
    ("*-sunset-date-too-small", "notice"),
    ("*-deprecated-sunset-*", "sunset"),
    ("endpoint-deprecated*", "deprecated"),
    ("re*-property-deprecated*", "deprecated"),
    ("re*-property-reactivated", ""),
    ("endpoint-reactivated", ""),
    ("request-parameter-deprecated*", "deprecated"),
    ("api-stability-*", "stability"),
    ("api-invalid-stability-level", "stability request-constraint response-constraint"),
    ("request-property-stability-*", "request-constraint"),
    ("response-property-stability-*", "response-constraint"),
    ("sunset-deleted", "sunset"),
    ("api-sunset-date-changed-too-small", "sunset"),
    ("request-parameter-sunset-deleted", "sunset"),
    ("request-parameter-sunset-date-changed-too-small", "sunset"),
    ("request-parameter-sunset-parse", "parameter-removed-early sunset"),
    ("request-parameter-removed-before-sunset", "parameter-removed-early"),
    ("request-parameter-removed-with-deprecation", "sunset-parameter-removed"),
    ("request-parameter-removed", "parameter-removed"),
    ("api-operation-id-*", "operation-id"),
    ("api-tag-*", "tag"),
    ("api-security-component-*", "security-scheme"),
    ("api-*security-*", "security-added security-removed"),
    ("webhook-removed", "webhook-removed"),
    ("webhook-added", "webhook-added"),
    ("new-required-request-default-parameter-to-existing-path", "parameter-required"),
    ("new-optional-request-default-parameter-to-existing-path", "parameter-added"),
    ("new-required-request-parameter", "parameter-required"),
    ("new-request-path-parameter", "parameter-required operation-removed"),
    ("new-optional-request-parameter", "parameter-added"),
    ("new-required-request-header-property", "request-field-required"),
    # What stands below `if`, `not` and the like is one constraint of ours.
    ("new-required-request-property*", "request-field-required request-constraint"),
    ("new-optional-request-property", "request-field-added"),
    ("request-property-removed", "request-field-removed request-field-forbidden request-alternative request-type request-constraint"),
    ("request-parameter-default-value-*", "parameter-default"),
    ("request-body-added-required", "request-body-required"),
    ("request-body-became-required", "request-body-required"),
    ("request-body-added-optional", "request-body-added"),
    ("request-body-removed", "request-body-removed"),
    ("request-body-media-type-removed", "request-media-removed"),
    ("request-body-media-type-added", "request-media-added"),
    ("request-*-became-required*", "request-became-required"),
    ("request-*-became-not-nullable", "request-null"),
    ("request-*-any-of-removed", "request-alternative request-type"),
    ("request-*-one-of-removed", "request-alternative request-type"),
    ("request-*-wrapped-in-one-of", "request-alternative request-type"),
    ("request-*-all-of-added", "request-field-required request-limit request-type request-constraint request-became-required request-alternative request-enum"),
    ("request-*-all-of-removed", "request-field-removed"),
    ("request-*x-extensible-enum-value-removed", "request-constraint"),
    ("request-*-enum-value-removed", "request-enum"),
    # Of another type as well, it is one finding of ours.
    ("request-*-became-enum", "request-enum request-type"),
    ("request-*-const-*", "request-constraint"),
    ("request-*-pattern-property-*", "request-constraint"),
    ("request-*-pattern-*", "request-pattern"),
    ("request-*-default-value-*", "request-default"),
    ("request-*-discriminator*", "request-discriminator"),
    ("request-*-prefix-items-*", "request-type"),
    ("request-*-contains-*", "request-constraint"),
    ("request-*-if-*", "request-constraint"),
    ("request-*-then-*", "request-constraint"),
    ("request-*-else-*", "request-constraint"),
    ("request-*-dependent-*", "request-constraint"),
    ("request-*-property-names-*", "request-constraint"),
    ("request-*-unevaluated-*", "request-constraint"),
    ("request-*-content-*", "request-constraint"),
    ("request-*-media-type-schema-added", "request-type"),
    # A list of one, as a value is read: what its elements must keep says it of ours.
    ("request-parameter-type-changed", "request-type request-pattern request-limit request-enum"),
    ("request-*-list-of-types-*", "request-type"),
    ("request-*-type-*", "request-type"),
    ("request-*max-*", "request-limit request-constraint"),
    ("request-*min-*", "request-limit"),
    ("response-success-status-removed", "status-removed"),
    ("response-non-success-status-removed", "error-status-removed"),
    ("response-*status-added", "status-added"),
    ("response-media-type-removed", "response-media-removed"),
    ("response-media-type-name-*", "response-media-removed"),
    ("response-media-type-added", "response-media-added"),
    ("required-response-header-removed", "header-removed"),
    ("optional-response-header-removed", "optional-header-removed"),
    ("response-header-became-optional", "header-became-optional"),
    ("response-header-added", "header-added"),
    ("response-header-type-*", "response-type"),
    ("response-header-became-nullable", "response-null"),
    ("response-required-property-removed", "response-field-removed"),
    ("response-optional-property-removed", "response-optional-field-removed"),
    ("response-*-property-added", "response-field-added response-field-unexpected"),
    ("response-required-property-became-not-write-only", "response-field-exposed"),
    ("response-property-became-optional", "response-became-optional"),
    ("response-*-became-nullable", "response-null"),
    ("response-*-enum-value-*", "response-enum"),
    ("response-*-const-*", "response-constraint"),
    ("response-*-pattern-property-*", "response-constraint"),
    ("response-*-pattern-*", "response-pattern"),
    ("response-*-default-value-*", "response-default"),
    ("response-*-discriminator*", "response-discriminator"),
    ("response-*-one-of-*", "response-alternative response-type"),
    ("response-*-wrapped-in-one-of", "response-alternative response-type response-became-optional"),
    ("response-*-any-of-*", "response-alternative response-type"),
    ("response-*-all-of-*", "response-field-removed response-field-added response-optional-field-removed"),
    ("response-*-prefix-items-*", "response-type"),
    ("response-*-contains-*", "response-constraint"),
    ("response-*-if-*", "response-constraint"),
    ("response-*-then-*", "response-constraint"),
    ("response-*-else-*", "response-constraint"),
    ("response-*-dependent-*", "response-constraint"),
    ("response-*-property-names-*", "response-constraint"),
    ("response-*-unevaluated-*", "response-constraint"),
    ("response-*-content-*", "response-constraint"),
    ("response-*-list-of-types-*", "response-type"),
    ("response-*-media-type-schema-*", "response-type"),
    ("response-*-type-*", "response-type"),
    ("response-*max-*", "response-limit"),
    ("response-*min-*", "response-limit"),
]


def ours(theirs):
    for pattern, kinds in KINDS:
        if fnmatch.fnmatchcase(theirs, pattern):
            return set(kinds.split())
    return set()


def diff(binary, folder, case):
    paths = [os.path.join(folder, "data", case[side]) for side in ("base", "revision")]
    # Their policy: days of notice for what is beta, and for what is stable.
    policy = [option["args"] for option in case.get("options") or [] if option["option"] == "Deprecation"]
    notice = ["--notice", str(policy[0][1])] if policy else []
    run = subprocess.run([binary, "diff", *paths, *notice, "--format", "json"], capture_output=True, text=True, timeout=120)
    return json.loads(run.stdout)["findings"] if run.returncode in (0, 1) else None


def main():
    folder = os.environ.get("TREATY_PAIRS") or sys.exit("TREATY_PAIRS names the folder with cases.json and data/")
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    verbose = "-v" in sys.argv
    binary = arguments[0] if arguments else "target/release/treaty"
    cases = json.load(open(os.path.join(folder, "cases.json")))["cases"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: diff(binary, folder, case), cases))
    verdicts, right, expected, found, false_errors, failed = 0, 0, 0, 0, 0, 0
    wrong = collections.Counter()
    for case, findings in zip(cases, results):
        if findings is None:
            failed += 1
            findings = []
        scope = case["scope_rule_ids"]
        if scope is not None:
            spoken = set().union(*(ours(theirs) for theirs in scope))
            findings = [finding for finding in findings if finding["kind"] in spoken]
        errors = [finding for finding in findings if finding["severity"] == "error"]
        told = []
        for expectation in case["expected"]:
            if expectation["level"] != "ERR":
                continue
            expected += 1
            kinds = ours(expectation["id"])
            operation = " ".join(filter(None, (expectation.get("operation"), expectation.get("path"))))
            about = [e for e in errors if not operation.count(" ") or operation in e.get("operations", [operation])]
            if any(error["kind"] in kinds for error in about):
                found += 1
            else:
                wrong[expectation["id"]] += 1
                told.append(f"missed {expectation['id']} {expectation.get('args') or ''}")
        if case["verdict"] != "unknown":
            verdicts += 1
            breaking = any(finding["severity"] != "info" for finding in findings)
            if breaking == (case["verdict"] == "breaking"):
                right += 1
            else:
                told.append(f"verdict {breaking}, expected {[e['id'] for e in case['expected']]}")
        if case["verdict"].startswith("non-breaking") and errors:
            false_errors += len(errors)
            told.append("false errors")
        if verbose and told:
            print(case["case"], case["base"], case["revision"])
            for line in told:
                print("   ", line)
            for finding in findings:
                print("      ", finding["severity"], finding["kind"], finding["message"], finding.get("operations"))
    print(f"verdict right: {right}/{verdicts} = {right / verdicts:.4f}")
    print(f"recall of errors: {found}/{expected} = {found / expected:.4f}")
    print(f"false errors on pairs that break nothing: {false_errors}")
    print(f"could not run: {failed}")
    if verbose:
        print(wrong.most_common())


main()
