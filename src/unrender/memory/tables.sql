-- The tables of a brain file. A change of them needs a higher SCHEMA and a migration of that number.
-- born, died and seal stand in front of the long columns:
-- to skip a retired row SQLite then reads none of its content.

CREATE TABLE lesson (
    id INTEGER NOT NULL,
    seal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    details TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE symbol (
    id INTEGER NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER,
    seal INTEGER NOT NULL,
    name TEXT NOT NULL,
    attributes TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(born) REFERENCES lesson (id),
    FOREIGN KEY(died) REFERENCES lesson (id)
);

CREATE TABLE route (
    id INTEGER NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER,
    seal INTEGER NOT NULL,
    symbol TEXT NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    parts TEXT NOT NULL,
    given TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(born) REFERENCES lesson (id),
    FOREIGN KEY(died) REFERENCES lesson (id)
);

CREATE TABLE weights (
    id INTEGER NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER,
    seal INTEGER NOT NULL,
    route INTEGER NOT NULL,
    blob BLOB NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(born) REFERENCES lesson (id),
    FOREIGN KEY(died) REFERENCES lesson (id),
    FOREIGN KEY(route) REFERENCES route (id)
);

CREATE TABLE observation (
    id INTEGER NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER,
    seal INTEGER NOT NULL,
    route INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(born) REFERENCES lesson (id),
    FOREIGN KEY(died) REFERENCES lesson (id),
    FOREIGN KEY(route) REFERENCES route (id)
);

CREATE TABLE record (
    id INTEGER NOT NULL,
    born INTEGER NOT NULL,
    died INTEGER,
    seal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    "key" TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(born) REFERENCES lesson (id),
    FOREIGN KEY(died) REFERENCES lesson (id)
);

CREATE TABLE tally (
    id INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (id)
);

CREATE UNIQUE INDEX current_symbol ON symbol (name) WHERE died IS NULL;
CREATE UNIQUE INDEX current_route ON route (symbol, number) WHERE died IS NULL;
CREATE UNIQUE INDEX current_weights ON weights (route) WHERE died IS NULL;
CREATE UNIQUE INDEX current_record ON record (kind, "key") WHERE died IS NULL;
CREATE INDEX ix_observation_route ON observation (route);
