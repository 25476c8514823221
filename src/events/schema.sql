-- What happened in each run, in order. Everything else follows from these rows.
CREATE TABLE events_event (
    run TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;
