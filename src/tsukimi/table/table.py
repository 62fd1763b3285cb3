"""A table as it is after the events of its log, and queries on it.

`transitions.apply` is the only way to change a table. A committed table is never changed: its
successor is a copy.
"""

from __future__ import annotations

from typing import Literal

from tsukimi.core.events import EventLog
from tsukimi.core.events import choices as choices_of
from tsukimi.core.lesson import Lesson, lesson
from tsukimi.core.source import Source
from tsukimi.core.spec import CHANCE
from tsukimi.core.state import State
from tsukimi.games import spec
from tsukimi.table import fair
from tsukimi.table.clocks import Clocks
from tsukimi.table.events import Opened, Rated, Said
from tsukimi.table.seats import NO_UNDO, MadeMove, Proposal, Refusal, Seat, UndoOption
from tsukimi.table.settings import Settings

TIMEOUTS_UNTIL_AWAY = 2
PAUSED_AT_MOST = {"live": 10 * 60_000, "days": 3 * 86_400_000}  # ms, in a whole rated game
INTERMISSION = 60_000  # ms at most, if clocks are running

Status = Literal["open", "playing", "paused", "round", "over", "aborted"]


class Table:
    opened: Opened
    game: str
    players: int
    options: dict[str, str]
    settings: Settings
    local: bool
    """Pass and play: one person in several seats."""
    events: EventLog
    """What happened in the game since its start, as each seat saw it, encoded."""
    clocks: Clocks
    dice: Source

    def __init__(self) -> None:
        self.rows = 0
        self.at = 0
        self.created = 0
        self.state: State | None = None
        self.seats: list[Seat] = []
        self.host = ""
        self.status: Status = "open"
        self.proposal: Proposal | None = None
        self.plans: dict[int, str] = {}
        self.decisions: list[int] = []
        self.asked: tuple[int, ...] = ()
        """Seats that have to decide now and have not yet."""
        self.made: list[MadeMove] = []
        """The moves so far, without those taken back."""
        self.drawn = 0
        """How many chance events the dice have decided; an undo does not reduce it."""
        self.step_times: list[int] = []
        """When the setup, every move and every undo was made."""
        self.chat: tuple[tuple[int, int, Said], ...] = ()
        """The last lines: number, time, text."""
        self.lines = 0
        self.muted: frozenset[str] = frozenset()
        self.kicked: frozenset[str] = frozenset()
        """Who was kicked before the start."""
        self.rematch: str | None = None
        self.refusal: Refusal | None = None
        """The last proposal, if it was refused."""
        self.ready_by: int | None = None
        """A quick match: when the ready check ends, if one is running."""
        self.movers: frozenset[int] = frozenset()
        """The seats whose people have made a move."""
        self.practice = False
        """Whether chance, something revealed or a bot's answer was taken back: such games are not rated."""
        self.paused_at = 0
        self.paused_for = 0
        """The total of finished pauses, in milliseconds."""
        self.rated: Rated | None = None
        """How the result changed the ratings."""
        self.keys: dict[str, tuple[str, ...]] = {}
        """The last command ids of each person, in order."""
        self.cached_choices: dict[int, dict[str, int]] = {}
        """For seats that have to decide, in this position."""

    def copy(self) -> Table:
        """A successor that can be changed; whatever is only ever replaced is shared."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.seats, twin.keys = self.seats.copy(), self.keys.copy()
        if self.state is not None:
            twin.state, twin.events, twin.clocks = self.state.copy(), self.events.copy(), self.clocks.copy()
            twin.plans, twin.decisions, twin.made = self.plans.copy(), self.decisions.copy(), self.made.copy()
            twin.step_times = self.step_times.copy()
        return twin

    @property
    def id(self) -> str:
        return self.opened.table

    @property
    def ended(self) -> bool:
        return self.status in ("over", "aborted")

    @property
    def running(self) -> bool:
        return self.state is not None and not self.ended

    @property
    def playing(self) -> State:
        """The game, if it is known to have started."""
        assert self.state is not None
        return self.state

    # ---- people ---------------------------------------------------------------------------------

    @property
    def nonces(self) -> list[str]:
        return [seat.nonce for seat in self.seats]

    def seats_of(self, person: str) -> list[int]:
        return [seat for seat, one in enumerate(self.seats) if person and one.person == person and not one.gone]

    def people(self) -> list[str]:
        """The people who sit here and have not left for good, each once."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.here))

    def accepted(self, person: str, key: str) -> bool:
        """Whether this person's command was accepted before."""
        return bool(key) and key in self.keys.get(person, ())

    # ---- the game -------------------------------------------------------------------------------

    def choices(self, seat: int) -> dict[str, int]:
        """The moves of a seat that has to decide: texts and numbers."""
        found = self.cached_choices.get(seat)
        if found is None:
            state = self.playing
            found = self.cached_choices[seat] = choices_of(state.spec, state.core, seat)
        return found

    def move(self, seat: int, text: str) -> int:
        """The number of a legal move; otherwise the game's own refusal."""
        found = self.cached_choices.get(seat, {}).get(text)
        if found is None:
            found = self.playing.parse(text, seat)
            self.playing.text(found, seat)
        return found

    def plannable(self, seat: int) -> list[str]:
        """The moves that a seat may decide in advance now."""
        state = self.state
        if state is None or self.ended or seat in self.asked:
            return []
        return state.spec.advance(state.core, seat)

    def undoable(self, seat: int) -> tuple[Literal["no", "free", "ask"], int]:
        """How a seat can take back its own last move, and how many moves that is."""
        how, moves, _ = self.undo_options()[seat]
        return how, moves

    def undo_options(self) -> list[UndoOption]:
        """How each seat can take back its own last move.

        Without asking if, since then, nothing was revealed, no chance followed and nobody else acted. A person alone
        with bots always may, but that makes the game practice. In a game that counts, all must agree, and what was
        revealed cannot be taken back.
        """
        options = [NO_UNDO] * self.players
        if self.status not in ("playing", "round"):
            return options
        counts, people = self.counts, {seat.person for seat in self.seats if seat.here}
        left, deciders, shown, practice = len(self.movers), set[str](), False, False
        for moves, move in enumerate(reversed(self.made), 1):
            me = self.seats[move.seat].person
            shown, practice = shown or move.shown, practice or move.makes_practice
            if move.decided:
                deciders.add(me)
            if counts and shown:
                break
            if move.person and options[move.seat] is NO_UNDO:
                asks = counts or ((shown or deciders != {me}) and not people <= {me})
                options[move.seat] = UndoOption("ask" if asks else "free", moves, practice and not self.practice)
                left -= 1
                if not left:
                    break
        return options

    def makes_practice(self, moves: int) -> bool:
        """Whether taking back that many moves makes the game practice: they include chance, something revealed or a bot's answer."""
        return not self.practice and any(move.makes_practice for move in self.made[len(self.made) - moves :])

    @property
    def chance(self) -> Literal["none", "first", "all"]:
        """What the table's dice decide in this game: nothing, only who starts, or more."""
        if not self.opened.promises_dice:
            return "none"
        if spec(self.game).chance:
            return "all"
        return "first" if self.options.get("first", "random") == "random" else "none"

    # ---- a lesson -------------------------------------------------------------------------------

    @property
    def lesson(self) -> Lesson | None:
        return lesson(spec(self.game)) if self.opened.lesson else None

    @property
    def lesson_reached(self) -> int | None:
        """How many events of the lesson's line have happened; None: not a lesson, or the game has left the line."""
        prepared = self.lesson
        return None if prepared is None else prepared.reached(self.playing)

    def prepared(self, mover: int) -> int | None:
        """What a seat (or CHANCE) has to do now, if the lesson prescribes it."""
        prepared = self.lesson
        following = None if prepared is None else prepared.following(self.playing)
        return following[1] if following is not None and following[0] == mover else None

    @property
    def bots_asked(self) -> list[int]:
        """The seats that a bot has to decide for now; in a lesson each waits for its turn in the line."""
        seats = [seat for seat in self.asked if self.seats[seat].by_bot]
        prepared = self.lesson
        following = None if prepared is None else prepared.following(self.playing)
        return seats if following is None else [seat for seat in seats if seat == following[0]]

    @property
    def step_ends(self) -> list[int]:
        """The number of game events after the setup, every move and every undo."""
        if self.state is None:
            return []
        history = self.state.history
        return [*(place for place, (mover, _) in enumerate(history) if mover != CHANCE), len(history)]

    def winners(self) -> list[int]:
        """Who won; a seat that resigned never does."""
        state = self.state
        if state is None or self.status != "over":
            return []
        left = [seat for seat, one in enumerate(self.seats) if not one.resigned]
        return [seat for seat in state.winners() if seat in left] or left

    @property
    def counts(self) -> bool:
        """Whether ratings are at stake: a rated table where several people sit."""
        return self.settings.rated and not self.practice and len({seat.person for seat in self.seats} - {""}) > 1

    @property
    def changes_ratings(self) -> bool:
        """Whether the result counts: a rated game among people that was played to its end."""
        return self.status == "over" and self.counts

    def allows_hints(self, person: str) -> bool:
        return not self.counts and (self.settings.hints or self.people() == [person])

    def record(self) -> str:
        """The game as a record, with the proof of its chance when it has ended."""
        state = self.playing.copy()
        state.names = {seat: one.name for seat, one in enumerate(self.seats) if one.name}
        if self.ended and self.opened.promises_dice:
            state.proof = fair.proof(self.opened.secret, self.id, self.nonces)
        text = state.record()
        return text.replace("\n", "\n# practice\n", 1) if self.practice else text

    # ---- time -----------------------------------------------------------------------------------

    def intermission_until(self) -> int | None:
        """When an intermission ends even if not everyone is ready; None: there is none, or no limit."""
        if self.status != "round" or self.settings.clock.kind != "live":
            return None
        return self.step_times[-1] + INTERMISSION

    def paused_until(self) -> int | None:
        """When a pause ends by itself; None: there is none, or no limit."""
        if self.status != "paused" or not self.counts or not self.clocks.limited:
            return None
        return self.paused_at + PAUSED_AT_MOST[self.settings.clock.kind] - self.paused_for

    def timed_out(self, now: int) -> list[int]:
        """The seats whose time is up."""
        if self.status != "playing":
            return []
        late = [(seat, self.clocks.deadline(seat)) for seat in self.asked]
        return [seat for seat, time in late if time is not None and time <= now]

    def due(self) -> int | None:
        """When the table must be in memory although nobody is connected: for bots, for clocks."""
        if self.status == "open" and self.opened.match:
            return 0  # someone may have to lose their seat
        if self.status != "playing":
            return self.paused_until() if self.status == "paused" else self.intermission_until()
        if self.settings.clock.kind == "live" or self.bots_asked:
            return 0  # it is in memory, and if not (after a crash), it is already late
        times = [time for seat in self.asked if (time := self.clocks.deadline(seat)) is not None]
        return min(times, default=None)
