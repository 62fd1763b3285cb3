"""Administrative operations on people, bans, reports and words. Every change is in the audit log."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

import msgspec

from tsukimi.server.accounts.names import clean_name
from tsukimi.server.admin import tables
from tsukimi.server.admin.views import (
    ActionView,
    BanView,
    PersonDetails,
    PersonView,
    ReportView,
    TableView,
)
from tsukimi.server.common.api import displayed_rating
from tsukimi.server.common.errors import ServerError
from tsukimi.server.moderation.bans import parse_network
from tsukimi.server.moderation.words import MAX_WORDS, clean_word
from tsukimi.store import Conflict, Person, Store
from tsukimi.store.moderation import NETWORK, PERSON, Ban, Report, Stats

DURATION = re.compile(r"(\d{1,5})([hdw])")
HOUR_MS = 3_600_000
UNITS = {"h": HOUR_MS, "d": 24 * HOUR_MS, "w": 7 * 24 * HOUR_MS}
PAGE = 50


def now_ms() -> int:
    return int(1000 * time.time())


def parse_duration(text: str) -> int:
    """12h, 7d or 4w in milliseconds."""
    found = DURATION.fullmatch(text.strip().lower())
    if found is None or not int(found[1]):
        raise ServerError("server-duration", 400, text=text[:20])
    return int(found[1]) * UNITS[found[2]]


class Admin:
    """`by`: who acts, for the audit log."""

    def __init__(self, store: Store, by: str) -> None:
        self.store, self.by = store, by

    # ---- people ----------------------------------------------------------------------------------

    async def find_people(self, text: str = "", page: int = 0) -> list[PersonView]:
        ids = await self.store.find_people(text, PAGE, PAGE * page)
        banned, admins = await self._banned(), set(await self.store.admins())
        people = [await self.store.person(id) for id in ids]
        return [_person_view(person, banned, admins) for person in people if person is not None]

    async def person(self, text: str) -> Person:
        """By account name or handle, or by a name that only one person has."""
        found = await self.store.person_by_account(text) or await self.store.person_by_handle(text)
        if found is not None:
            return found
        ids = await self.store.find_people(text, 6)
        people = [one for id in ids if (one := await self.store.person(id)) is not None]
        exact = [person for person in people if person.name.casefold() == text.casefold()] or people
        if not exact:
            raise ServerError("server-person-unknown", 404, text=text[:40])
        if len(exact) > 1:
            known = ", ".join(f"{person.handle} ({person.name})" for person in exact)
            raise ServerError("server-person-ambiguous", 409, text=text[:40], known=known)
        return exact[0]

    async def show_person(self, text: str) -> PersonDetails:
        person = await self.person(text)
        banned, admins = await self._banned(), set(await self.store.admins())
        return PersonDetails(
            person=_person_view(person, banned, admins),
            bans=[ban for ban in await self.bans() if ban.kind == PERSON and ban.value == person.handle],
            tables=[await self._table_view(listing.table) for listing in await self.store.tables_of(person.id)],
            ratings={game: displayed_rating(one) for game, one in (await self.store.ratings_of(person.id)).items()},
        )

    async def rename(self, text: str, name: str) -> PersonView:
        """Change a person's name, including on the seats of tables that are open or being played."""
        person, name = await self.person(text), clean_name(name)
        for _ in range(tables.ATTEMPTS):
            try:
                changed = await self.store.update_person(person, msgspec.structs.replace(person, name=name))
                break
            except Conflict:
                person = await self.person(person.handle)
        else:
            raise ServerError("server-conflict", 409)
        await self.store.record_action(
            now_ms(), self.by, "rename", f"person {person.handle}", f"{person.name} -> {name}"
        )
        for summary in await self.store.tables_of(person.id, running=True, limit=200):
            if await tables.rename(self.store, summary.table, person.id, name):
                await self.store.record_action(now_ms(), self.by, "rename", f"table {summary.table}", name)
        return _person_view(changed, await self._banned(), set(await self.store.admins()))

    async def set_admin(self, account: str, on: bool) -> PersonView:
        """Only someone with a password can be an administrator: anyone holding a guest's cookie is that guest."""
        person = await self.person(account)
        if on and person.account is None:
            raise ServerError("server-person-no-account", 409, text=account[:40])
        await self.store.set_admin(person.id, on, now_ms(), self.by, person.handle)
        return _person_view(person, await self._banned(), set(await self.store.admins()))

    async def admins(self) -> list[PersonView]:
        admins = await self.store.admins()
        people = [await self.store.person(id) for id in admins]
        banned = await self._banned()
        return [_person_view(person, banned, set(admins)) for person in people if person is not None]

    # ---- bans ------------------------------------------------------------------------------------

    async def bans(self) -> list[BanView]:
        return [await self._ban_view(ban) for ban in await self.store.bans()]

    async def ban_person(
        self, text: str, reason: str = "", for_ms: int | None = None, addresses: bool = False
    ) -> BanView:
        """`addresses`: also the addresses the person is connected from now. Otherwise a guest comes back as another one."""
        person, now = await self.person(text), now_ms()
        until = None if for_ms is None else now + for_ms
        add = self.store.add_ban
        ban = await add(PERSON, person.id, reason, now, until, self.by, person.handle, addresses=addresses)
        return await self._ban_view(ban)

    async def ban_network(self, text: str, reason: str = "", for_ms: int | None = None) -> BanView:
        try:
            network = parse_network(text)
        except ValueError as problem:
            raise ServerError("server-network", 400, name="ban", text=text[:60]) from problem
        now = now_ms()
        until = None if for_ms is None else now + for_ms
        return await self._ban_view(await self.store.add_ban(NETWORK, str(network), reason, now, until, self.by))

    async def remove_ban(self, number: int) -> BanView:
        found = next((ban for ban in await self.store.bans() if ban.number == number), None)
        shown = (await self._ban_view(found)).value if found is not None else ""
        ban = await self.store.remove_ban(number, now_ms(), self.by, shown)
        if ban is None:
            raise ServerError("server-ban-unknown", 404, number=number)
        return await self._ban_view(ban)

    async def _ban_view(self, ban: Ban) -> BanView:
        value, name = ban.value, ""
        if ban.kind == PERSON:
            person = await self.store.person(ban.value)
            value, name = (person.handle, person.name) if person is not None else ("?", "?")
        return BanView(ban.number, ban.kind, value, name, ban.reason, ban.at, ban.until, ban.by, ban.active(now_ms()))

    async def _banned(self) -> set[str]:
        now = now_ms()
        return {ban.value for ban in await self.store.bans() if ban.kind == PERSON and ban.active(now)}

    # ---- reports ---------------------------------------------------------------------------------

    async def reports(self, resolved: bool | None = None, page: int = 0) -> list[ReportView]:
        return [await self._report_view(report) for report in await self.store.reports(resolved, PAGE, PAGE * page)]

    async def report(self, number: int) -> ReportView:
        found = await self.store.report(number)
        if found is None:
            raise ServerError("server-report-unknown", 404, number=number)
        return await self._report_view(found)

    async def resolve(self, number: int, resolution: str) -> ReportView:
        await self.report(number)
        if not await self.store.resolve_report(number, resolution, now_ms(), self.by):
            raise ServerError("server-report-resolved", 409, number=number)
        return await self.report(number)

    async def drop_report(self, number: int) -> None:
        if not await self.store.drop_report(number, now_ms(), self.by):
            raise ServerError("server-report-unknown", 404, number=number)

    async def _report_view(self, report: Report) -> ReportView:
        reporter, person = await self.store.person(report.reporter), await self.store.person(report.person)
        return ReportView(
            number=report.number,
            at=report.at,
            reporter=reporter.handle if reporter else "?",
            reporter_name=reporter.name if reporter else "?",
            who=person.handle if person else "?",
            name=person.name if person else "?",
            table=report.table,
            reason=report.reason,
            text=report.text,
            line=report.line,
            chat=report.chat,
            resolved=report.resolved,
            resolved_by=report.resolved_by,
            resolution=report.resolution,
        )

    # ---- words, tables, and so on ----------------------------------------------------------------

    async def change_words(self, add: Sequence[str] = (), remove: Sequence[str] = ()) -> list[str]:
        new = [clean_word(word) for word in add]
        if new and len({*await self.store.filtered_words(), *new}) > MAX_WORDS:
            raise ServerError("server-words-full", 409, most=MAX_WORDS)
        gone = [" ".join(word.casefold().split()) for word in remove]
        return await self.store.change_words(new, gone, now_ms(), self.by)

    async def find_tables(self, status: str | None = None, page: int = 0) -> list[TableView]:
        return [await self._table_view(id) for id in await self.store.find_tables(status, PAGE, PAGE * page)]

    async def close_table(self, table: str) -> TableView:
        """End a table without a result."""
        await tables.close(self.store, table)
        await self.store.record_action(now_ms(), self.by, "close", f"table {table}")
        return await self._table_view(table)

    async def _table_view(self, table: str) -> TableView:
        return await tables.view(self.store, table)

    async def actions(self, page: int = 0) -> list[ActionView]:
        return [ActionView(*action) for action in await self.store.last_actions(PAGE, PAGE * page)]

    async def stats(self, days: int = 14) -> Stats:
        today = now_ms() // UNITS["d"]
        return await self.store.stats((today - days + 1) * UNITS["d"])


def _person_view(person: Person, banned: set[str], admins: set[str]) -> PersonView:
    return PersonView(
        person.handle, person.name, person.account, person.created, person.id in banned, person.id in admins
    )
