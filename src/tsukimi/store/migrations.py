"""The schema of both databases, as a list of migrations.

`STEPS[n]` leads from version n to n + 1. A released step is never edited: add a new one.
Words in braces differ between the databases.
"""

from __future__ import annotations

import re

from tsukimi.store import Refused
from tsukimi.store.sql import Transaction

SQLITE = {"int": "integer", "real": "real", "blob": "blob", "end": "strict, without rowid", "only_sqlite": ""}
POSTGRES = {"int": "bigint", "real": "double precision", "blob": "bytea", "end": "", "only_sqlite": "--"}

STEPS: list[list[str]] = [
    [
        # `length` is the number of rows in the log: whoever increases it has won the seq.
        # `wake` and `summary` are `due` and `listing` of `Summary`.
        """create table tables (
            id text primary key, game text not null, players {int} not null, status text not null,
            public {int} not null, created {int} not null, updated {int} not null, wake {int},
            people text not null, summary {blob} not null, running {int} not null, length {int} not null
        ) {end}""",
        "create index tables_listed on tables (status, public, updated)",
        "create index tables_listed_by_game on tables (status, public, game, updated)",
        "create index tables_waking on tables (wake) where wake is not null",
        """create table log (
            table_id text not null, seq {int} not null, at {int} not null, data {blob} not null,
            primary key (table_id, seq)
        ) {end}""",
        # Who sits where, to find a person's tables; derived from `tables.people` and `tables.running`.
        """create table seats (
            table_id text not null, person text not null, running {int} not null,
            primary key (table_id, person)
        ) {end}""",
        "create index seats_of_person on seats (person, running)",
        """create table leases (
            table_id text primary key, worker text not null, until {int} not null
        ) {end}""",
        "create index leases_of_worker on leases (worker)",
        """create table people (
            id text primary key, handle text not null unique, name text not null, created {int} not null,
            lang text, account text, password text, account_key text unique
        ) {end}""",
        """create table tokens (
            digest {blob} primary key, person text not null, kind text not null, label text not null,
            at {int} not null
        ) {end}""",
        "create index tokens_of_person on tokens (person, kind)",
        """create table ratings (
            game text not null, person text not null, mu {real} not null, sigma {real} not null,
            games {int} not null, primary key (person, game)
        ) {end}""",
        "create index ratings_best on ratings (game, (mu - 3 * sigma))",
        "create table rated (table_id text primary key) {end}",
    ],
    # With a single writer the log itself gives its length.
    ["{only_sqlite} alter table tables drop column length"],
    [
        # What is written here is followed by all workers: see `moderation.py`.
        """create table actions (
            number {int} primary key, at {int} not null, author text not null, action text not null,
            target text not null, detail text not null
        ) {end}""",
        """create table bans (
            number {int} primary key, kind text not null, value text not null, reason text not null,
            at {int} not null, until {int}, author text not null
        ) {end}""",
        """create table reports (
            number {int} primary key, at {int} not null, reporter text not null, person text not null,
            table_id text not null, reason text not null, text text not null, chat text not null, line {int},
            resolved {int}, resolved_by text not null, resolution text not null
        ) {end}""",
        "create index reports_of_reporter on reports (reporter) where resolved is null",
        "create table filtered_words (word text primary key) {end}",
        "create table admins (person text primary key, at {int} not null) {end}",
        """create table quarantine (
            table_id text primary key, at {int} not null, row_number {int} not null, problem text not null
        ) {end}""",
    ],
    [
        "alter table people add column email text",
        "alter table people add column totp text",
        "alter table people add column totp_step {int} not null default 0",
        "alter table people add column sessions_from {int} not null default 0",
        "alter table tokens add column used {int} not null default 0",
        # Who has written in the chat of which table: their lines cannot be found by the seats.
        "create table speakers (person text not null, table_id text not null, primary key (person, table_id)) {end}",
    ],
    # Ratings change along with the rows that end a game, which a log takes only once.
    ["drop table rated"],
    [
        # Who opened a table and from where (a digest), and when someone was last connected to it.
        """create table openings (
            table_id text primary key, person text not null, address text not null, attended {int} not null
        ) {end}""",
        "create index openings_of_person on openings (person)",
        "create index openings_of_address on openings (address)",
    ],
    [
        # Without data: one in progress.
        """create table reviews (
            table_id text primary key, worker text not null, at {int} not null, done {int} not null,
            total {int} not null, data {blob}
        ) {end}""",
    ],
    # What a person has learned and set, by the name of what it is about.
    [
        """create table progress (
            person text not null, name text not null, data {blob} not null, primary key (person, name)
        ) {end}""",
    ],
]

_SQL = "\n".join(sql for step in STEPS for sql in step)
_DROPPED = re.findall(r"drop table (\w+)", _SQL)
TABLES = ["schema_version", *(name for name in re.findall(r"create table (\w+)", _SQL) if name not in _DROPPED)]
"""Their names."""


def upgrade(dialect: dict[str, str]) -> Transaction[None]:
    """Run all missing steps in one transaction; `Refused` if a newer version wrote the schema."""
    yield f"create table if not exists schema_version (version {dialect['int']} primary key)", ()
    [[version]] = yield "select coalesce(max(version), 0) from schema_version", ()
    if version > len(STEPS):
        raise Refused(f"the database has schema version {version}, this Tsukimi knows {len(STEPS)}: update Tsukimi")
    for number, step in enumerate(STEPS[version:], start=version + 1):
        for statement in step:
            yield statement.format(**dialect), ()
        yield "insert into schema_version (version) values ($1)", (number,)


def require_current() -> Transaction[None]:
    """`Refused` unless the schema is this version's, for callers that must not migrate it."""
    [[version]] = yield "select coalesce(max(version), 0) from schema_version", ()
    if version != len(STEPS):
        raise Refused(
            f"the database has schema version {version}, this Tsukimi has {len(STEPS)}:"
            " use the version of the server that is running"
        )
