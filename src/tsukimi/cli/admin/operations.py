"""One function for each command on people, tables, bans and so on; what it returns is shown, or printed as JSON."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tsukimi.cli.admin import maintenance, show
from tsukimi.core.errors import BadOptions
from tsukimi.server.admin import tables
from tsukimi.server.admin.operations import Admin, now_ms, parse_duration
from tsukimi.server.common.errors import ServerError
from tsukimi.server.moderation.bans import parse_network
from tsukimi.server.moderation.words import WordFilter
from tsukimi.store import connect

Command = Callable[[Admin, Namespace], Awaitable[Any]]
BY = "command line"
WORDS_AT_ONCE = 500


async def run(name: str, args: Namespace, database: str) -> int:
    store = connect(database, beside=True)
    await store.open()
    try:
        admin = Admin(store, BY)
        if name == "check":
            return await maintenance.check(admin, args)
        result = await COMMANDS[name](admin, args)
    finally:
        await store.close()
    show.show(result, as_json=args.json)
    return 0


def _for(args: Namespace) -> int | None:
    return None if args.duration is None else parse_duration(args.duration)


async def bans_add(admin: Admin, args: Namespace) -> Any:
    """An address or network if it parses as one, else a person."""
    try:
        parse_network(args.target)
    except ValueError:
        return await admin.ban_person(args.target, args.reason, _for(args), args.addresses)
    return await admin.ban_network(args.target, args.reason, _for(args))


async def reports_drop(admin: Admin, args: Namespace) -> Any:
    maintenance.require_yes(args)
    await admin.drop_report(args.number)
    return await admin.reports(False)


async def filter_load(admin: Admin, args: Namespace) -> Any:
    """One word per line; empty lines and those starting with # are ignored."""
    try:
        lines = Path(args.list_file).read_text("utf-8").splitlines()
    except UnicodeDecodeError as problem:
        raise BadOptions("cli.not-text", file=args.list_file) from problem
    words = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    for first in range(0, len(words), WORDS_AT_ONCE):
        await admin.change_words(add=words[first : first + WORDS_AT_ONCE])
    return await admin.store.filtered_words()


async def filter_test(admin: Admin, args: Namespace) -> Any:
    return WordFilter(await admin.store.filtered_words()).mask(args.text)


async def quarantine_show(admin: Admin, args: Namespace) -> Any:
    found = [table for table in await tables.quarantined(admin.store) if table.table == args.table]
    if not found:
        raise ServerError("server-table-running", 409)
    return found[0]


async def quarantine_retry(admin: Admin, args: Namespace) -> Any:
    await tables.retry(admin.store, args.table, now_ms(), admin.by)
    return await tables.view(admin.store, args.table)


async def quarantine_export(admin: Admin, args: Namespace) -> Any:
    sys.stdout.write(await tables.export(admin.store, args.table))


async def quarantine_drop(admin: Admin, args: Namespace) -> Any:
    maintenance.require_yes(args)
    await tables.drop(admin.store, args.table, now_ms(), admin.by)
    return await tables.quarantined(admin.store)


COMMANDS: dict[str, Command] = {
    "people_find": lambda admin, args: admin.find_people(args.text, args.page - 1),
    "people_show": lambda admin, args: admin.show_person(args.who),
    "people_rename": lambda admin, args: admin.rename(args.who, args.name),
    "people_ban": lambda admin, args: admin.ban_person(args.who, args.reason, _for(args), args.addresses),
    "tables_list": lambda admin, args: admin.find_tables(args.status, args.page - 1),
    "tables_show": lambda admin, args: tables.show(admin.store, args.table),
    "tables_close": lambda admin, args: admin.close_table(args.table),
    "bans_list": lambda admin, args: admin.bans(),
    "bans_add": bans_add,
    "bans_remove": lambda admin, args: admin.remove_ban(args.number),
    "reports_list": lambda admin, args: admin.reports(None if args.all else False, args.page - 1),
    "reports_show": lambda admin, args: admin.report(args.number),
    "reports_resolve": lambda admin, args: admin.resolve(args.number, args.note),
    "reports_drop": reports_drop,
    "filter_list": lambda admin, args: admin.store.filtered_words(),
    "filter_add": lambda admin, args: admin.change_words(add=args.words),
    "filter_remove": lambda admin, args: admin.change_words(remove=args.words),
    "filter_load": filter_load,
    "filter_test": filter_test,
    "quarantine_list": lambda admin, args: tables.quarantined(admin.store),
    "quarantine_show": quarantine_show,
    "quarantine_retry": quarantine_retry,
    "quarantine_export": quarantine_export,
    "quarantine_drop": quarantine_drop,
    "stats": lambda admin, args: admin.stats(args.days),
    "log": lambda admin, args: admin.actions(args.page - 1),
    "admins": lambda admin, args: admin.admins(),
    "grant": lambda admin, args: admin.set_admin(args.who, True),
    "revoke": lambda admin, args: admin.set_admin(args.who, False),
}
