"""A game at one terminal: whose turn it is, the screen, the answers, the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.padding import Padding
from rich.progress import Progress, RenderableColumn, SpinnerColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tsukimi.cli import guide, log
from tsukimi.cli.console import Console
from tsukimi.cli.language import say, table
from tsukimi.cli.opponents import Choose
from tsukimi.cli.picker import Picker
from tsukimi.cli.result import result, score_sheet
from tsukimi.core.errors import IllegalMove, TsukimiError
from tsukimi.core.events import taken_back
from tsukimi.core.spec import UNDO, Json
from tsukimi.core.state import State
from tsukimi.core.words import title
from tsukimi.terminal import Board, board_class, item, line

HINT_MS = 500
SMALL_MOON = "   ▄██▄\n  ██████\n   ▀██▀"


class Quit(Exception):
    """The person leaves the game."""


class Session:
    def __init__(self, console: Console, state: State, humans: set[int], choose: Choose, lang: str) -> None:
        self.console, self.state, self.lang = console, state, lang
        self.humans, self.choose = humans, choose
        self.file: str | None = None
        self.names = [state.names.get(seat, f"p{seat + 1}") for seat in range(state.players)]
        self.board: Board = board_class(state.spec)(state.game, lang, self.names, console.colour)
        self.words = self.board.words
        self.seen = dict.fromkeys(humans, 0)  # how many events each person had seen when they last decided
        self.sitting: int | None = None
        self.secrets = False
        self.compared = 0

    def run(self) -> int:
        try:
            while not self.state.over:
                seat = self._next()
                if seat in self.humans:
                    self._hand_over(seat)
                    self._decide(seat)
                else:
                    self.state.apply(self._bots_choice(seat), seat)
            self._end()
        except (EOFError, Quit):
            self.console.write("", self._say("bye"))
        finally:
            self._save(self.file)
        return 0

    def _bots_choice(self, seat: int) -> int:
        """A bot's move; on a screen the person sees who is thinking, and for how long."""
        if not self.console.on_screen:
            return self.choose(self.state, seat)
        text = self.board.sentence(self._say("thinking", name=self.names[seat]))
        columns = (SpinnerColumn(style="moon"), RenderableColumn(text), "{task.elapsed:.1f} s")
        with Progress(*columns, console=self.console, transient=True) as shown:
            shown.add_task("", total=None)
            return self.choose(self.state, seat)

    # ---- whose turn --------------------------------------------------------------------------

    def _next(self) -> int:
        """Who decides: the current person if they may, else another person, else a bot."""
        actors = self.state.actors
        if self.sitting in actors:
            return self.sitting
        return next((seat for seat in actors if seat in self.humans), actors[0])

    def _hand_over(self, seat: int) -> None:
        """Hand the keyboard to another person: with an empty screen in between, unless nobody has secrets."""
        if len(self.humans) > 1 and self.sitting != seat and not self._all_open():
            console, mark = self.console, f"p{seat + 1}"
            name = self.names[seat] if self.names[seat] == mark else f"{self.names[seat]} ({mark})"
            console.clear(scrollback=True)
            text = self.board.sentence(self._say("hand-over", name=name))
            console.write("", Text(SMALL_MOON, "moon"), "", line("  ", text))
            console.ask(Text(f"  {self._say('enter')} ", "quiet"))
            console.clear(scrollback=True)
        self.sitting = seat

    def _all_open(self) -> bool:
        """Whether all seats have known the same so far, so that there is nothing to hide."""
        if not self.secrets:
            state, seats = self.state, range(self.state.players)
            known = [({**state.view(seat), "seat": 0}, state.events(seat, self.compared)) for seat in seats]
            self.secrets = any(other != known[0] for other in known)
            self.compared = len(state.history)
        return not self.secrets

    # ---- a decision --------------------------------------------------------------------------

    def _decide(self, seat: int) -> None:
        """Ask until a move is made or taken back."""
        moves = self.state.legal(seat)
        view = {**self.state.view(seat), "moves": moves}
        stakes = self._stakes(seat, moves)
        picker = Picker(
            moves,
            [self.board.gloss(move, view) for move in moves],
            [self.words.stakes(stakes[move]) for move in moves],
        )
        events = self.board.recall(self.state.events(seat, self.seen[seat]), view)
        news = log.brief(events, self.words)
        self._draw(view, picker, news)
        while True:
            answer = self.console.ask(line(self.board.name(seat, 16), (" ▸ ", "moon")))
            if self._answered(answer, seat, view, picker, news):
                return

    def _stakes(self, seat: int, moves: Sequence[str]) -> dict[str, list[Json]]:
        return self.state.stakes(seat)

    def _answered(self, answer: str, seat: int, view: Json, picker: Picker, news: list[str]) -> bool:
        """Do what was typed; True when the decision is made (or taken back)."""
        word, _, rest = answer.partition(" ")
        name = self._command(word)
        move = picker.move(answer)
        if move is not None:
            return self._play(move, seat)
        if name == "undo":
            return self._undo(seat)
        if name == "quit":
            self._quit()
        if name in ("help", "rules", "log", "save", "hint"):
            self._look_up(name, rest.strip(), seat, view)
        elif answer and name != "board" and not picker.narrow(answer):
            self._explain_refusal(answer, seat)
        else:
            if not answer:
                picker.turn_page()
            if name == "board":
                picker.narrow("")
            self._draw(view, picker, news)
        return False

    def _command(self, word: str) -> str:
        """The command for a word, in the person's language or in English."""
        for lang in (self.lang, "en"):
            for name, spellings in table("command", lang).items():
                if word.lower() in spellings:
                    return name
        return ""

    def _play(self, move: str, seat: int) -> bool:
        self.seen[seat] = len(self.state.history)
        self.state.play(move, seat)
        return True

    def _explain_refusal(self, answer: str, seat: int) -> None:
        """Say why what was typed is not a move: the game's reason if it would be one at another time."""
        why = self._say("what")
        if answer.isdecimal():
            answer = ""
        try:
            self.state.copy().play(answer, seat)
        except IllegalMove as problem:
            why = problem.why(self.lang)
        except TsukimiError as problem:
            why = f"{problem.message(self.lang)} {why}" if answer else why
        self.console.write(item(" ", Text(why, "danger")))

    def _undo(self, seat: int) -> bool:
        """Back to the last decision by a person."""
        history: list[tuple[int, int]] = []
        for mover, move in self.state.history:
            history = taken_back(history, move) if mover == UNDO else [*history, (mover, move)]
        movers = [mover for mover, _ in history if mover >= 0]
        mine = [i for i, mover in enumerate(movers) if mover in self.humans]
        if not mine:
            self.console.write(Text(f" {self._say('nothing')}", "danger"))
            return False
        self.state.undo(len(movers) - mine[-1])
        for human in self.humans:
            self.seen[human] = min(self.seen[human], len(self.state.history) - 1)
        return True

    # ---- what is shown -----------------------------------------------------------------------

    def _draw(self, view: Json, picker: Picker, news: Sequence[str]) -> None:
        """The board, the news, the question, the moves: on a small screen, without empty lines and with shorter lists."""
        console = self.console
        board = console.lines(self.board.draw(view))
        ask = console.lines(item(" ", Text(self.words.ask(view, picker.moves), "moon.bold")))
        recent = console.lines(*map(self._news, news))
        gap = console.lines("")
        if len(board) + len(ask) + min(5, len(recent)) + 9 > console.height:
            board, gap = [line for line in board if line], []
        room = console.height - len(board) - len(ask) - 2 * len(gap) - 3 if console.on_screen else 72
        moves = picker.lines(console.width, max(3, room - min(len(recent), max(3, room // 2))))
        keep = max(0, room - len(moves)) if console.on_screen else 12
        if len(recent) > keep:
            earlier = console.lines(Text(f" … {self._say('earlier')}", "quiet"))
            recent = [*earlier[:keep], *recent[len(recent) - keep + 1 :]]
        console.clear()
        console.write(self._title(view))
        console.write_lines([*board, *(gap if recent else []), *recent, *gap, *ask, *console.lines(*moves)])
        page, pages = picker.pages
        if pages > 1:
            console.write(Text(f" {self._say('pages', page=page, pages=pages, moves=len(picker.found))}", "quiet"))

    def _news(self, sentence: str) -> RenderableType:
        return item((" · ", "quiet"), self.board.sentence(sentence))

    def _title(self, view: Json) -> RenderableType:
        headline = self.board.headline(view)
        name = line((title(self.state.game, self.lang), "moon.bold"), (f" {headline}" if headline else "", "quiet"))
        grid = Table.grid(expand=True, padding=(0, 1, 0, 0))
        grid.add_column(ratio=1)
        grid.add_column(no_wrap=True)
        grid.add_row(Rule(name, align="left"), Text(self._say("tip"), "quiet"))
        return grid

    def _look_up(self, name: str, rest: str, seat: int, view: Json) -> None:
        match name:
            case "help":
                self._help()
            case "rules":
                self._rules(rest, view)
            case "log":
                events = self.board.recall(self.state.events(seat), view)
                self.console.page(*map(self._news, log.brief(events, self.words)))
            case "save":
                self._save(rest or self.file, asked=True)
            case "hint":
                self._hint(seat)

    def _hint(self, seat: int) -> None:
        """What a strong bot would do here, and why."""
        from tsukimi import bots

        advice = bots.explain(self.state, seat, self.lang, bots.Budget(HINT_MS))
        moves = [line((f" {share:>4.0%}", "moon"), f"  {text}") for text, share, _ in advice.moves[:3]]
        self.console.write("", *moves, item(" ", Text(advice.sentence, "quiet")), "")

    def _help(self) -> None:
        commands = Table.grid(padding=(0, 1))
        for name, spellings in table("command", self.lang).items():
            commands.add_row(Text(f" {' '.join(spellings[:2])}", "moon"), f" {say('explain', name, self.lang)}")
        self.console.write("", item(" ", self._say("how")), "", commands, "")

    def _rules(self, rest: str, view: Json) -> None:
        text = guide.text(self.state.spec, self.lang)
        part = guide.section(text, [rest] if rest else self.board.anchors(view))
        self.console.page(Padding(guide.rendered(part or text, self.console.colour), (1, 1)))

    # ---- the end -----------------------------------------------------------------------------

    def _end(self) -> None:
        seat = next(iter(self.humans)) if len(self.humans) == 1 else None
        view = self.state.view(seat)
        since = min(self.seen.values(), default=0)
        news = log.brief(self.state.events(seat, since), self.words)[-8:]
        self.console.clear()
        self.console.write(self._title(view), self.board.draw(view), "", *map(self._news, news), "")
        self.console.write(result(view, self.board), score_sheet(self.state, self.board))

    def _quit(self) -> None:
        if not self.file:
            try:
                self.file = self.console.ask(f" {self._say('save-where')} ") or None
            except EOFError:
                self.file = None
        raise Quit

    def _save(self, file: str | None, asked: bool = False) -> None:
        """Write the record; if a person asked for it, an error is shown and the game continues."""
        if not file:
            if asked:
                self.console.write(Text(f" {self._say('no-file')}", "danger"))
            return
        try:
            Path(file).expanduser().write_text(self.state.record(), "utf-8")
        except OSError as problem:
            if not asked:
                raise
            self.console.write(Text(f" {file}: {problem.strerror}", "danger"))
        else:
            self.console.write(f" {self._say('saved', file=file)}")

    def _say(self, code: str, **fields: object) -> str:
        return say("play", code, self.lang, **fields)
