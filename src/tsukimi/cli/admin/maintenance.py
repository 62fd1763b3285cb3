"""`check`, `backup` and `restore`: whether everything can be read, and verified copies."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from tsukimi.cli.admin import show
from tsukimi.cli.console import Console
from tsukimi.cli.language import current, say
from tsukimi.cli.progress import Update, progress
from tsukimi.core.errors import BadOptions
from tsukimi.server.admin.integrity import Finding, all_tables, check_log
from tsukimi.server.admin.integrity import check as check_tables
from tsukimi.server.admin.operations import Admin, now_ms
from tsukimi.store import Refused, Row
from tsukimi.store import backup as copies

SAMPLE = 50  # games replayed from a copy


def require_yes(args: Namespace) -> None:
    if not args.yes:
        raise BadOptions("cli.needs-yes")


async def check(admin: Admin, args: Namespace) -> int:
    """Replay every log; 1 if one is bad."""
    total = len(await all_tables(admin.store))
    bad: list[Finding] = []
    checked = old = 0
    with progress(min(total, args.sample or total), say("admin", "checking", current())) as update:
        async for finding in check_tables(admin.store, args.sample):
            checked += 1
            old += finding.verdict == "old rules"
            update(advance=1)
            if finding.bad:
                bad.append(finding)
                if args.quarantine:
                    await admin.store.quarantine(finding.table, finding.row, finding.problem, now_ms())
    if args.json:
        show.show({"checked": checked, "old": old, "bad": bad}, as_json=True)
    else:
        if bad:
            show.show(bad, as_json=False)
        Console().write(say("admin", "checked", current(), checked=checked, old=old, bad=len(bad)))
    return 1 if bad else 0


def backup(args: Namespace, database: str) -> int:
    """Copy the database and verify the copy."""
    target, source = Path(args.backup_file), copies.sqlite_path(database)
    if target.exists():
        raise BadOptions("cli.file-exists", file=str(target))
    with progress(100, say("admin", "copying", current())) as update:
        if source is not None:
            copies.copy_sqlite(source, target, _percent(update))
        else:
            copies.dump_postgres(database, target)
    try:
        games = _verify(target, source is not None)
    except Refused:
        target.rename(target.with_name(target.name + ".bad"))
        raise
    _report(args, "backed-up", target, games)
    return 0


def restore(args: Namespace, database: str) -> int:
    """Verify a copy and replace the database with it; no server may be using the database."""
    require_yes(args)
    source, target = Path(args.backup_file), copies.sqlite_path(database)
    if not source.is_file():
        raise Refused(f"there is no file {source}")
    games = _verify(source, target is not None)
    if target is not None:
        with progress(100, say("admin", "copying", current())) as update:
            former = copies.restore_sqlite(source, target, _percent(update))
        if former is not None and not args.json:
            print(say("admin", "former", current(), file=former), file=sys.stderr)
    elif copies.postgres_in_use(database):
        raise Refused("a server is connected to the database: stop it first")
    else:
        copies.restore_postgres(source, database)
    _report(args, "restored", source, games)
    return 0


def _verify(path: Path, sqlite: bool) -> int:
    """How many games were replayed from a copy; `Refused` if it is damaged."""
    if sqlite:
        copies.check_sqlite(path)
        return _replay(copies.sqlite_logs(path, SAMPLE), path, copies.sqlite_quarantined(path))
    copies.check_postgres(path)
    return _replay(copies.postgres_logs(path, SAMPLE), path, copies.postgres_quarantined(path))


def _replay(logs: Iterable[tuple[str, list[Row]]], path: Path, known: set[str]) -> int:
    """Logs that are known to be unreadable are not the copy's fault."""
    games = 0
    for table, rows in logs:
        finding = check_log(table, rows, None)
        if finding.bad and table not in known:
            raise Refused(f"{path}: table {table}, row {finding.row}: {finding.problem}")
        games += 1
    return games


def _percent(update: Update) -> copies.Progress:
    def report(done: int, whole: int) -> None:
        update(completed=100 * done / max(1, whole))

    return report


def _report(args: Namespace, what: str, path: Path, games: int) -> None:
    size = path.stat().st_size
    if args.json:
        show.show({"file": str(path), "bytes": size, "games_replayed": games}, as_json=True)
    else:
        print(say("admin", what, current(), file=path, megabytes=f"{size / 1e6:.1f}", games=games))
