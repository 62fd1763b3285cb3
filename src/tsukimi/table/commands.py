"""The commands at a table. Each function decides one: it returns the resulting events, or says why it is refused.

Nothing here changes a table. A command names the person; permissions are decided only here.
`key` is the id that the client gave the command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.core import setup
from tsukimi.games import spec
from tsukimi.table import events as e
from tsukimi.table import fair
from tsukimi.table.errors import TableError
from tsukimi.table.leaving import host_after
from tsukimi.table.permissions import (
    free_seat,
    own_seat,
    own_seats,
    require_changeable,
    require_host,
    require_ratable,
    require_running,
    require_status,
    seat_at,
)
from tsukimi.table.settings import Settings
from tsukimi.table.table import PAUSED_AT_MOST, Table

Events = list[e.Event]
DAY = 86_400_000
EXTRA_LIVE = 15_000
BOT_NAMES = ("Kaguya", "Momotaro", "Kintaro", "Urashima", "Issun")


# ---- before the start ------------------------------------------------------------------------------


def open_table(
    table: str,
    person: str,
    game: str,
    players: int,
    options: Mapping[str, str],
    settings: Settings,
    components: dict[str, Any] | None = None,
    local: bool = False,
    match: bool = False,
    lesson: bool = False,
    record: bool = False,
) -> Events:
    """A new table; the game's own checks say whether such a game is possible."""
    rules = spec(game)
    require_ratable(settings, local, bots=False, own_components=components is not None)
    whole = setup.make(rules, players, options, components, None).options
    return [
        e.Opened(
            by=person, table=table, game=game, players=players, options=whole, settings=settings,
            secret=fair.new_secret(), components=components, local=local, match=match,
            lesson=lesson, record=record, rules=rules.version,
        )
    ]  # fmt: skip


def sit(table: Table, person: str, handle: str, name: str, seat: int | None, nonce: str, key: str = "") -> Events:
    """Take a free seat; the person already sitting there changes their name."""
    require_status(table, "open")
    if person in table.kicked:
        raise TableError("table-kicked", status=403)
    mine = table.seats_of(person)
    if table.opened.match and seat not in mine:
        raise TableError("table-match-seats", status=403)
    if seat in mine:
        nonce = table.seats[seat].nonce or nonce
        return [e.Sat(by=person, key=key, seat=seat, name=name, person=person, handle=handle, nonce=nonce)]
    if mine and not table.local:
        raise TableError("table-seated")
    return [
        e.Sat(by=person, key=key, seat=free_seat(table, seat), name=name, person=person, handle=handle, nonce=nonce)
    ]


def give_nonce(table: Table, person: str, seat: int | None, nonce: str, key: str = "") -> Events:
    """What a seat adds to the game's chance: given once, by someone who has seen the commitment."""
    require_status(table, "open")
    mine = own_seat(table, person, seat)
    if table.seats[mine].nonce:
        raise TableError("table-nonce-given")
    return [e.Nonce(by=person, key=key, seat=mine, nonce=nonce)]


def stand(table: Table, person: str, key: str = "") -> Events:
    """Before the start the seat becomes free. During the game a bot takes over until the person comes back; if
    ratings are at stake, leaving is a loss."""
    seats = own_seats(table, person)
    if table.status == "open":
        left: Events = [e.Left(by=person, key=key, seat=seat) for seat in seats]
        if table.opened.match and table.people() == [person]:
            return [*left, e.Aborted()]
        return left + host_after(table, person)
    if table.ended:
        raise TableError("table-ended")
    if table.counts:
        return [e.Resigned(by=person, key=key, seat=seat, lost_by="left") for seat in seats]
    return [e.Away(by=person, key=key, seat=seat) for seat in seats if not table.seats[seat].away]


def bot(table: Table, person: str, level: str, seat: int | None, key: str = "", name: str = "") -> Events:
    """`name`: the one it had in the game before."""
    require_host(table, person)
    require_status(table, "open")
    require_ratable(table.settings, table.local, bots=True, own_components=False)
    if seat is not None and seat_at(table, seat).level:
        name = table.seats[seat].name
    else:
        seat = free_seat(table, seat)
        taken = {seat.name for seat in table.seats}
        if not name or name in taken:
            name = next(name for name in BOT_NAMES if name not in taken)
    return [e.Sat(by=person, key=key, seat=seat, name=name, level=level)]


def kick(table: Table, person: str, seat: int, key: str = "") -> Events:
    require_host(table, person)
    victim = seat_at(table, seat)
    if table.ended or not victim.taken or (victim.person == person and not table.local):
        raise TableError("table-cannot-kick", seat=seat)
    if table.status == "open":
        return [e.Left(by=person, key=key, seat=seat, kicked=True)]
    if table.counts:
        raise TableError("table-rated-kick")
    if victim.level:
        raise TableError("table-cannot-kick", seat=seat)
    return [e.Away(by=person, key=key, seat=seat, gone=True)]


def change(
    table: Table,
    person: str,
    settings: Settings | None,
    players: int | None,
    options: Mapping[str, str] | None,
    key: str = "",
) -> Events:
    require_host(table, person)
    require_status(table, "open")
    new = settings or table.settings
    require_changeable(table, new)
    custom = table.opened.components is not None
    require_ratable(new, table.local, any(seat.level for seat in table.seats), custom)
    number = table.players if players is None else players
    wanted = dict(table.options if options is None else options)
    begins = ["random", *(f"p{seat + 1}" for seat in range(number))]
    if wanted.get("first", "random") not in begins:
        wanted["first"] = "random"
    if any(seat.taken for seat in table.seats[number:]):
        raise TableError("table-seats-taken", players=number)
    whole = setup.make(spec(table.game), number, wanted, table.opened.components, None).options
    return [e.Changed(by=person, key=key, settings=new, players=number, options=whole)]


def start(table: Table, person: str, key: str = "") -> Events:
    require_host(table, person)
    require_status(table, "open")
    if not all(seat.taken for seat in table.seats):
        raise TableError("table-seats-free", free=sum(not seat.taken for seat in table.seats))
    return [e.Started(by=person, key=key)]


# ---- moves -----------------------------------------------------------------------------------------


def play(table: Table, person: str, seat: int | None, decision: int, move: str, key: str = "", lag: int = 0) -> Events:
    """A person's move: for the open decision, or not at all."""
    require_status(table, "playing")
    mine = own_seat(table, person, seat)
    if mine not in table.asked or decision != table.decisions[mine]:
        raise TableError("table-stale", decision=decision)
    table.move(mine, move)
    events: Events = [e.Back(by=person, seat=mine)] if table.seats[mine].away else []
    return [*events, e.Moved(by=person, key=key, seat=mine, move=move, lag=lag)]


def bot_move(table: Table, seat: int, move: str, maker: e.Maker) -> Events:
    """A move that a bot makes for a seat: its own, for a person who is gone, or when a clock has run out."""
    require_status(table, "playing")
    if seat not in table.asked:
        raise TableError("table-stale", decision=0)
    table.move(seat, move)
    return [e.Moved(seat=seat, move=move, maker=maker)]


def plan(table: Table, person: str, seat: int | None, move: str | None, key: str = "") -> Events:
    mine = own_seat(table, person, seat)
    if move is not None and move not in table.plannable(mine):
        raise TableError("table-no-plan")
    return [e.Planned(by=person, key=key, seat=mine, move=move)]


# ---- undo ------------------------------------------------------------------------------------------


def undo(table: Table, person: str, seat: int | None, key: str = "") -> Events:
    mine = own_seat(table, person, seat)
    how, moves = table.undoable(mine)
    if how == "no":
        raise TableError("table-nothing-to-undo")
    if how == "free":
        return [e.Undone(by=person, key=key, moves=moves, seat=mine)]
    if table.proposal is not None:
        raise TableError("table-proposal-stands")
    return [e.Proposed(by=person, key=key, what="undo", seat=mine, moves=moves)]


# ---- proposals, and ending a game early -----------------------------------------------------------


def abort(table: Table, person: str, key: str = "") -> Events:
    """End without a result: immediately if no other person plays, else if all agree. Before the start: the host."""
    if table.ended:
        raise TableError("table-ended")
    if table.status == "open":
        require_host(table, person)
        return [e.Aborted(by=person, key=key)]
    mine = own_seat(table, person, None)
    if table.people() == [person] and not table.counts:
        return [e.Aborted(by=person, key=key)]
    if table.proposal is not None:
        raise TableError("table-proposal-stands")
    return [e.Proposed(by=person, key=key, what="abort", seat=mine)]


def expire(table: Table) -> Events:
    """Nobody is coming any more: end without a result."""
    return [] if table.ended else [e.Aborted()]


def vote(table: Table, person: str, yes: bool, key: str = "") -> Events:
    """A person's answer for all their seats; the last yes executes the proposal."""
    proposal = table.proposal
    if proposal is None:
        raise TableError("table-no-proposal")
    mine = [seat for seat in own_seats(table, person) if seat not in proposal.votes]
    if not mine:
        raise TableError("table-voted")
    events: Events = [e.Voted(by=person, key=key, seat=seat, yes=yes) for seat in mine]
    voters = {seat for seat, one in enumerate(table.seats) if one.here}
    if yes and voters <= {*proposal.votes, *mine}:
        events.append(_carried_out(table))
    return events[:1] if not yes else events


def _carried_out(table: Table) -> e.Event:
    proposal = table.proposal
    assert proposal is not None
    if proposal.what == "undo":
        return e.Undone(moves=proposal.moves, seat=proposal.seat)
    return e.Aborted() if proposal.what == "abort" else e.Paused(on=True)


def resign(table: Table, person: str, key: str = "") -> Events:
    """A bot takes over the seat, but it can no longer win; with two players the game is over."""
    require_running(table)
    return [e.Resigned(by=person, key=key, seat=seat) for seat in own_seats(table, person)]


# ---- time, presence, chat --------------------------------------------------------------------------


def pause(table: Table, person: str, on: bool, key: str = "") -> Events:
    """The host's right; if ratings are at stake, all must agree to a pause, and anyone may end it."""
    if not table.counts:
        require_host(table, person)
    require_status(table, "playing" if on else "paused")
    if not (table.counts and on):
        return [e.Paused(by=person, key=key, on=on)]
    mine = own_seat(table, person, None)
    if table.proposal is not None:
        raise TableError("table-proposal-stands")
    if table.paused_for >= PAUSED_AT_MOST.get(table.settings.clock.kind, 0):
        raise TableError("table-pauses-used")
    return [e.Proposed(by=person, key=key, what="pause", seat=mine)]


def ready(table: Table, person: str, seat: int | None, key: str = "") -> Events:
    """After a round; or at a quick match, which starts when the last one is ready."""
    if table.ready_by is not None:
        mine = own_seats(table, person)
        answers: Events = [e.Ready(by=person, key=key, seat=seat) for seat in mine]
        all_ready = all(one.ready or number in mine for number, one in enumerate(table.seats))
        return [*answers, e.Started()] if all_ready else answers
    require_status(table, "round")
    if seat is None:
        return [e.Ready(by=person, key=key, seat=seat) for seat in own_seats(table, person)]
    return [e.Ready(by=person, key=key, seat=own_seat(table, person, seat))]


def more_time(table: Table, person: str, seat: int, key: str = "") -> Events:
    """Extra time for someone else whose clock is running."""
    require_status(table, "playing")
    if seat in own_seats(table, person) or seat not in table.asked or not table.clocks.limited:
        raise TableError("table-no-time-for", seat=seat)
    return [e.Given(by=person, key=key, seat=seat, ms=DAY if table.settings.clock.kind == "days" else EXTRA_LIVE)]


def away(table: Table, seat: int) -> Events:
    """A bot takes over for a person who is gone, but never if ratings are at stake."""
    require_running(table)
    return [] if table.seats[seat].by_bot or table.counts else [e.Away(seat=seat)]


def come_back(table: Table, person: str) -> Events:
    """The person is back and takes over their seats again."""
    return [e.Back(by=person, seat=seat) for seat in table.seats_of(person) if table.seats[seat].away]


def replace_host(table: Table, present: Sequence[str]) -> Events:
    """The first person who is seated and present becomes the host."""
    heirs = [person for person in table.people() if person in present and person != table.host]
    return [e.Hosted(person=heirs[0])] if heirs else []


def say(table: Table, person: str, handle: str, name: str, text: str, key: str = "") -> Events:
    if handle in table.muted:
        raise TableError("table-muted", status=403)
    seats = table.seats_of(person)
    return [e.Said(by=person, key=key, handle=handle, name=name, text=text, seat=seats[0] if seats else None)]


def mute(table: Table, person: str, handle: str, on: bool, key: str = "") -> Events:
    require_host(table, person)
    return [e.Muted(by=person, key=key, handle=handle, on=on)]


def rematch(table: Table, person: str, other: str, key: str = "") -> Events:
    return [e.Again(by=person, key=key, table=other)]
