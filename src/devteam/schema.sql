-- What happened in each session of a team, in order. Everything else follows from these rows.
CREATE TABLE devteam_event (
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) WITHOUT ROWID;
