CREATE TABLE index_meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE index_file (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    checked INTEGER NOT NULL,
    language TEXT NOT NULL,
    service TEXT NOT NULL,
    is_test INTEGER NOT NULL
);
-- What is known of a text, whichever files hold it.
CREATE TABLE index_record (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    language TEXT NOT NULL,
    format INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (hash, language, format)
);
CREATE TABLE index_name (
    name TEXT NOT NULL,
    record INTEGER NOT NULL REFERENCES index_record (id) ON DELETE CASCADE,
    declares INTEGER NOT NULL,
    PRIMARY KEY (name, record)
) WITHOUT ROWID;
CREATE INDEX index_name_record ON index_name (record);
-- Files that were said to belong to a service.
CREATE TABLE index_artifact (
    path TEXT PRIMARY KEY,
    service TEXT NOT NULL
);
-- What search finds: a function, method or class.
CREATE TABLE index_unit (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    symbol TEXT NOT NULL,
    prior REAL NOT NULL,
    -- How many words its fields have.
    words_name INTEGER NOT NULL,
    words_signature INTEGER NOT NULL,
    words_body INTEGER NOT NULL,
    words_class INTEGER NOT NULL,
    words_path INTEGER NOT NULL
);
CREATE INDEX index_unit_file ON index_unit (file);
CREATE VIRTUAL TABLE index_search USING fts5 (name, signature, body, class, path, tokenize = 'ascii');
CREATE VIRTUAL TABLE index_term USING fts5vocab (index_search, row);
