-- What was agreed on: one document a service, type and version.
CREATE TABLE registry_contract (
    id TEXT PRIMARY KEY,
    service_name TEXT NOT NULL,
    type TEXT NOT NULL,
    version TEXT NOT NULL,
    spec TEXT NOT NULL,
    spec_hash TEXT NOT NULL,
    status TEXT NOT NULL,
    build_cycle_id TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    UNIQUE (service_name, type, version)
);

-- Documents that another one has taken the place of, under the same version.
CREATE TABLE registry_replaced (
    contract_id TEXT NOT NULL REFERENCES registry_contract (id),
    number INTEGER NOT NULL,
    spec TEXT NOT NULL,
    spec_hash TEXT NOT NULL,
    build_cycle_id TEXT,
    replaced_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    PRIMARY KEY (contract_id, number)
);

-- Who says that a contract is implemented, and what a scan of the evidence said of that.
CREATE TABLE registry_implementation (
    contract_id TEXT NOT NULL REFERENCES registry_contract (id),
    service_name TEXT NOT NULL,
    evidence_path TEXT NOT NULL,
    status TEXT NOT NULL,
    spec_hash TEXT NOT NULL,
    reasons TEXT NOT NULL,
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    PRIMARY KEY (contract_id, service_name)
);

-- Generated tests, as long as the document that they are of stays the same.
CREATE TABLE registry_test_suite (
    contract_id TEXT NOT NULL REFERENCES registry_contract (id),
    framework TEXT NOT NULL,
    negative INTEGER NOT NULL,
    spec_hash TEXT NOT NULL,
    generator TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (contract_id, framework, negative)
);
