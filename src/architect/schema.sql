-- What documents came apart into, the newest last; of each project the last one is kept.
CREATE TABLE architect_decomposition (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    prd_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    kept_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
