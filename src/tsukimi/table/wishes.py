"""What people at a table may wish for: each function gives the entries that grant it, or says why not.

Nothing here changes a table. A wish names the person; whether that person may have it is decided here alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tsukimi.core import setup
from tsukimi.games import spec
from tsukimi.table import entries as log
from tsukimi.table import fair
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table

Entries = list[log.Entry]
DAY = 86_400_000
EXTRA_LIVE = 15_000
BOT_NAMES = ("Kaguya", "Momotaro", "Kintaro", "Urashima", "Issun")


# ---- before the start ------------------------------------------------------------------------------


def opened(
    table: str,
    person: str,
    game: str,
    players: int,
    options: Mapping[str, str],
    settings: Settings,
    components: dict[str, Any] | None = None,
    local: bool = False,
) -> Entries:
    """A new table; the game's own checks say whether such a game exists."""
    whole = setup.make(spec(game), players, options, components, None).options
    return [
        log.Opened(
            by=person, table=table, game=game, players=players, options=whole, settings=settings,
            secret=fair.new_secret(), components=components, local=local,
        )
    ]  # fmt: skip


def sit(table: Table, person: str, handle: str, name: str, seat: int | None, nonce: str, key: str = "") -> Entries:
    """A seat that is free; who sits there already takes another name."""
    _only(table, "open")
    mine = table.seats_of(person)
    if seat in mine:
        nonce = nonce or table.seats[seat].nonce
        return [log.Sat(by=person, key=key, seat=seat, name=name, person=person, handle=handle, nonce=nonce)]
    if mine and not table.local:
        raise TableError("table-seated")
    return [log.Sat(by=person, key=key, seat=_free(table, seat), name=name, person=person, handle=handle, nonce=nonce)]


def stand(table: Table, person: str, key: str = "") -> Entries:
    """Before the start the seat is free again; during the game a bot plays on, until the person comes back."""
    seats = _own_seats(table, person)
    if table.status == "open":
        return [log.Left(by=person, key=key, seat=seat) for seat in seats] + _host_after(table, person)
    if table.ended:
        raise TableError("table-ended")
    return [log.Away(by=person, key=key, seat=seat) for seat in seats if not table.seats[seat].away]


def bot(table: Table, person: str, level: str, seat: int | None, key: str = "") -> Entries:
    _host(table, person)
    _only(table, "open")
    if seat is not None and _seat(table, seat).level:
        name = table.seats[seat].name
    else:
        seat = _free(table, seat)
        taken = {one.name for one in table.seats}
        name = next(name for name in BOT_NAMES if name not in taken)
    return [log.Sat(by=person, key=key, seat=seat, name=name, level=level)]


def kick(table: Table, person: str, seat: int, key: str = "") -> Entries:
    _host(table, person)
    victim = _seat(table, seat)
    if table.ended or not victim.taken or (victim.person == person and not table.local):
        raise TableError("table-cannot-kick", seat=seat)
    if table.status == "open":
        return [log.Left(by=person, key=key, seat=seat, kicked=True)]
    if victim.level:
        raise TableError("table-cannot-kick", seat=seat)
    return [log.Away(by=person, key=key, seat=seat, gone=True)]


def change(
    table: Table,
    person: str,
    settings: Settings | None,
    players: int | None,
    options: Mapping[str, str] | None,
    key: str = "",
) -> Entries:
    _host(table, person)
    _only(table, "open")
    number = table.players if players is None else players
    wanted = dict(table.options if options is None else options)
    begins = ["random", *(f"p{seat + 1}" for seat in range(number))]
    if wanted.get("first", "random") not in begins:
        wanted["first"] = "random"
    if any(seat.taken for seat in table.seats[number:]):
        raise TableError("table-seats-taken", players=number)
    whole = setup.make(spec(table.game), number, wanted, table.opened.components, None).options
    return [log.Changed(by=person, key=key, settings=settings or table.settings, players=number, options=whole)]


def start(table: Table, person: str, key: str = "") -> Entries:
    _host(table, person)
    _only(table, "open")
    if not all(seat.taken for seat in table.seats):
        raise TableError("table-seats-free", free=sum(not seat.taken for seat in table.seats))
    return [log.Started(by=person, key=key)]


# ---- moves -----------------------------------------------------------------------------------------


def play(table: Table, person: str, seat: int | None, decision: int, move: str, key: str = "", lag: int = 0) -> Entries:
    """A person's move: for the decision that is open, or not at all."""
    _only(table, "playing")
    mine = own_seat(table, person, seat)
    if mine not in table.asked or decision != table.decisions[mine]:
        raise TableError("table-stale", decision=decision)
    _legal(table, mine, move)
    entries: Entries = [log.Back(by=person, seat=mine)] if table.seats[mine].away else []
    return [*entries, log.Moved(by=person, key=key, seat=mine, move=move, lag=lag)]


def moved(table: Table, seat: int, move: str, maker: log.Maker) -> Entries:
    """A move that the table makes for a seat: a bot's, a forced or a planned one."""
    _only(table, "playing")
    if seat not in table.asked:
        raise TableError("table-stale", decision=0)
    _legal(table, seat, move)
    return [log.Moved(seat=seat, move=move, maker=maker)]


def plan(table: Table, person: str, seat: int | None, move: str | None, key: str = "") -> Entries:
    mine = own_seat(table, person, seat)
    if move is not None and move not in plans(table, mine):
        raise TableError("table-no-plan")
    return [log.Planned(by=person, key=key, seat=mine, move=move)]


def plans(table: Table, seat: int) -> list[str]:
    """The moves that a seat may decide in advance now."""
    state = table.state
    if state is None or table.ended or seat in table.asked:
        return []
    return state.spec.advance(state.core, seat)


def granted(table: Table, entries: Entries, now: int) -> Entries:
    """Grant entries, and with them every move that then plays itself: nobody is asked what is not a question."""
    done = [table.grant(entry, now) for entry in entries]
    while following := by_itself(table):
        done += [table.grant(entry, now) for entry in following]
    return done


def by_itself(table: Table) -> Entries:
    """A planned move that is asked now, or one that everybody can see to be forced."""
    state = table.state
    if state is None or table.status != "playing":
        return []
    for seat in table.asked:
        moves = table.choices(seat)
        if seat in table.plans and table.plans[seat] in moves:
            return [log.Moved(seat=seat, move=table.plans[seat], maker="plan")]
        if len(moves) == 1 and table.settings.forced and state.spec.open_choice(state.core, seat):
            return [log.Moved(seat=seat, move=next(iter(moves)), maker="forced")]
    return []


def _legal(table: Table, seat: int, move: str) -> None:
    """The game's own words where the move is none."""
    state = table.state
    assert state is not None
    if move not in table.choices(seat):
        state.text(state.parse(move, seat), seat)


# ---- undo ------------------------------------------------------------------------------------------


def back(table: Table, seat: int) -> tuple[Literal["no", "free", "ask"], int]:
    """How the last own move of a seat can be taken back, and how many moves that is.

    At once if since then nothing was revealed, no dice fell and no other person acted. Someone alone with bots
    may always.
    """
    state = table.state
    if state is None or table.status not in ("playing", "round"):
        return "no", 0
    moves, final = table.since_own(seat)
    if not moves:
        return "no", 0
    return ("ask" if final and not table.alone(seat) else "free"), moves


def undo(table: Table, person: str, seat: int | None, key: str = "") -> Entries:
    mine = own_seat(table, person, seat)
    how, moves = back(table, mine)
    if how == "no":
        raise TableError("table-nothing-to-undo")
    if how == "free":
        return [log.Undone(by=person, key=key, moves=moves, seat=mine)]
    if table.proposal is not None:
        raise TableError("table-proposal-stands")
    return [log.Proposed(by=person, key=key, what="undo", seat=mine, moves=moves)]


# ---- proposals, and how a game ends before its end ----------------------------------------------------


def abort(table: Table, person: str, key: str = "") -> Entries:
    """End without a result: at once if no other person plays, else if all agree. Before the start: the host."""
    if table.ended:
        raise TableError("table-ended")
    if table.status == "open":
        _host(table, person)
        return [log.Aborted(by=person, key=key)]
    mine = own_seat(table, person, None)
    if table.people() == [person]:
        return [log.Aborted(by=person, key=key)]
    if table.proposal is not None:
        raise TableError("table-proposal-stands")
    return [log.Proposed(by=person, key=key, what="abort", seat=mine)]


def vote(table: Table, person: str, yes: bool, key: str = "") -> Entries:
    """A person's answer for all their seats; the last yes carries the proposal out."""
    proposal = table.proposal
    if proposal is None:
        raise TableError("table-no-proposal")
    mine = [seat for seat in _own_seats(table, person) if seat not in proposal.votes]
    if not mine:
        raise TableError("table-voted")
    entries: Entries = [log.Voted(by=person, key=key, seat=seat, yes=yes) for seat in mine]
    voters = {seat for seat, one in enumerate(table.seats) if one.here}
    if yes and voters <= {*proposal.votes, *mine}:
        entries.append(_carried_out(table))
    return entries[:1] if not yes else entries


def _carried_out(table: Table) -> log.Entry:
    proposal = table.proposal
    assert proposal is not None
    if proposal.what == "undo":
        return log.Undone(moves=proposal.moves, seat=proposal.seat)
    return log.Aborted()


def resign(table: Table, person: str, key: str = "") -> Entries:
    """A bot plays on for the seat, but it cannot win any more; with two players the game is over."""
    _running(table)
    return [log.Resigned(by=person, key=key, seat=seat) for seat in _own_seats(table, person)]


# ---- time, presence, talk --------------------------------------------------------------------------


def pause(table: Table, person: str, on: bool, key: str = "") -> Entries:
    _host(table, person)
    _only(table, "playing" if on else "paused")
    return [log.Paused(by=person, key=key, on=on)]


def ready(table: Table, person: str, seat: int | None, key: str = "") -> Entries:
    _only(table, "round")
    if seat is None:
        return [log.Ready(by=person, key=key, seat=one) for one in _own_seats(table, person)]
    return [log.Ready(by=person, key=key, seat=own_seat(table, person, seat))]


def looked(table: Table, now: int) -> Entries:
    """Everybody has looked long enough: whoever did not say so is ready now."""
    until = table.looked_until()
    if until is None or now < until:
        return []
    return [log.Ready(seat=seat) for seat, one in enumerate(table.seats) if not one.ready]


def more_time(table: Table, person: str, seat: int, key: str = "") -> Entries:
    """A gift to somebody else whose clock runs."""
    _only(table, "playing")
    if seat in _own_seats(table, person) or seat not in table.asked or not table.clocks.limited:
        raise TableError("table-no-time-for", seat=seat)
    return [log.Given(by=person, key=key, seat=seat, ms=DAY if table.settings.clock.kind == "days" else EXTRA_LIVE)]


def timed_out(table: Table, now: int) -> list[int]:
    """The seats whose time is up."""
    if table.status != "playing":
        return []
    late = [(seat, table.clocks.deadline(seat)) for seat in table.asked]
    return [seat for seat, time in late if time is not None and time <= now]


def away(table: Table, seat: int) -> Entries:
    """A bot takes over for a person who is gone; the host's rights go to somebody who is there."""
    _running(table)
    return [] if table.seats[seat].by_bot else [log.Away(seat=seat)]


def returned(table: Table, person: str) -> Entries:
    """The person is back and takes the own seats again."""
    return [log.Back(by=person, seat=seat) for seat in table.seats_of(person) if table.seats[seat].away]


def host_gone(table: Table, present: Sequence[str]) -> Entries:
    """The first person who sits here and is present becomes the host."""
    heirs = [person for person in table.people() if person in present and person != table.host]
    return [log.Hosted(person=heirs[0])] if heirs else []


def say(table: Table, person: str, handle: str, name: str, text: str, key: str = "") -> Entries:
    if handle in table.muted:
        raise TableError("table-muted", status=403)
    seats = table.seats_of(person)
    return [log.Said(by=person, key=key, handle=handle, name=name, text=text, seat=seats[0] if seats else None)]


def mute(table: Table, person: str, handle: str, on: bool, key: str = "") -> Entries:
    _host(table, person)
    return [log.Muted(by=person, key=key, handle=handle, on=on)]


def again(table: Table, person: str, other: str, key: str = "") -> Entries:
    return [log.Again(by=person, key=key, table=other)]


# ---- who may ---------------------------------------------------------------------------------------


def own_seat(table: Table, person: str, seat: int | None) -> int:
    """The seat that the person means: the named one if it is theirs, else the asked one of theirs."""
    if seat is None:
        for asked in table.asked:
            one = table.seats[asked]
            if one.person == person and one.here:
                return asked
        return _own_seats(table, person)[0]
    mine = _own_seats(table, person)
    if seat not in mine:
        raise TableError("table-not-your-seat", status=403)
    return seat


def _own_seats(table: Table, person: str) -> list[int]:
    seats = [seat for seat in table.seats_of(person) if not table.seats[seat].resigned]
    if not seats:
        raise TableError("table-not-seated", status=403)
    return seats


def _host(table: Table, person: str) -> None:
    if person != table.host:
        raise TableError("table-host-only", status=403)


def _host_after(table: Table, person: str) -> Entries:
    others = [one for one in table.people() if one != person]
    return [log.Hosted(person=others[0])] if table.host == person and others else []


def _seat(table: Table, seat: int) -> Any:
    if not 0 <= seat < table.players:
        raise TableError("table-no-seat", status=404, seat=seat)
    return table.seats[seat]


def _free(table: Table, seat: int | None) -> int:
    free = [number for number, one in enumerate(table.seats) if not one.taken]
    if not free:
        raise TableError("table-full")
    if seat is None:
        return free[0]
    _seat(table, seat)
    if seat not in free:
        raise TableError("table-seat-taken", seat=seat)
    return seat


def _only(table: Table, status: str) -> None:
    if table.status != status:
        raise TableError(f"table-is-{table.status}")


def _running(table: Table) -> None:
    if not table.running:
        raise TableError(f"table-is-{table.status}")
