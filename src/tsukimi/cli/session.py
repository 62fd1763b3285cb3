"""A game being played at one terminal: whose turn it is, the screen, the answers, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tsukimi.cli import boards, story
from tsukimi.cli.console import Console
from tsukimi.cli.ending import ending
from tsukimi.cli.language import say, table
from tsukimi.cli.opponents import Choose, watched
from tsukimi.cli.picker import Picker
from tsukimi.cli.style import bare, rule, width, wrap
from tsukimi.cli.words import Words
from tsukimi.core.errors import IllegalMove, TsukimiError
from tsukimi.core.events import taken_back
from tsukimi.core.spec import UNDO, Json
from tsukimi.core.state import State

HINT_MS = 500


class Left(Exception):
    """The person leaves the game."""


class Session:
    def __init__(self, console: Console, state: State, humans: set[int], choose: Choose, lang: str) -> None:
        self.console, self.state, self.lang = console, state, lang
        self.humans, self.choose = humans, choose
        self.file: str | None = None
        self.names = [state.names.get(seat, f"p{seat + 1}") for seat in range(state.players)]
        self.words = Words(
            state.game, lang, self.names, lambda seat, name: console.style(name, f"p{seat + 1}", bold=True)
        )
        self.board = boards.of(state.game)
        self.told = dict.fromkeys(humans, 0)
        self.sitting: int | None = None
        self.secrets = False
        self.compared = 0

    def run(self) -> int:
        try:
            while not self.state.over:
                seat = self._next()
                if seat in self.humans:
                    self._sit(seat)
                    self._decide(seat)
                else:
                    self.state.apply(self._bots_choice(seat), seat)
            self._end()
        except (EOFError, Left):
            self.console.write(["", self._say("bye")])
        finally:
            self._save(self.file)
        return 0

    def _bots_choice(self, seat: int) -> int:
        """A bot's move; on a screen the person sees who is thinking, and for how long."""
        if not self.console.screen:
            return self.choose(self.state, seat)
        try:
            return watched(self.choose, self.state, seat, lambda seconds: self._tell_thinking(seat, seconds))
        finally:
            self.console.status("")

    def _tell_thinking(self, seat: int, seconds: float) -> None:
        self.console.status(self._say("thinking", name=self.words.name(seat), seconds=f"{seconds:.1f}"))

    # ---- whose turn --------------------------------------------------------------------------

    def _next(self) -> int:
        """Who decides: the person sitting there if they may, else another person, else an opponent."""
        actors = self.state.actors
        if self.sitting in actors:
            return self.sitting
        return next((seat for seat in actors if seat in self.humans), actors[0])

    def _sit(self, seat: int) -> None:
        """Another person takes the keyboard: behind a curtain, unless nobody has a secret."""
        if len(self.humans) > 1 and self.sitting != seat and not self._all_open():
            console = self.console
            moon = [console.style(line, "moon") for line in ("   ▄██▄", "  ██████", "   ▀██▀")]
            name, mark = self.words.name(seat), f"p{seat + 1}"
            whom = name if self.names[seat] == mark else f"{name} ({mark})"
            console.clear(scrollback=True)
            console.write(["", *moon, "", f"  {self._say('curtain', name=whom)}"])
            console.ask(console.style(f"  {self._say('enter')} ", "quiet"))
            console.clear(scrollback=True)
        self.sitting = seat

    def _all_open(self) -> bool:
        """Whether all seats have known the same so far, so that there is nothing to hide."""
        if not self.secrets:
            state, seats = self.state, range(self.state.players)
            knows = [({**state.view(seat), "seat": 0}, state.events(seat, self.compared)) for seat in seats]
            self.secrets = any(one != knows[0] for one in knows)
            self.compared = len(state.history)
        return not self.secrets

    # ---- a decision --------------------------------------------------------------------------

    def _decide(self, seat: int) -> None:
        """Ask until a move is made or taken back."""
        moves = self.state.legal(seat)
        view = {**self.state.view(seat), "moves": moves}
        picker = Picker(moves, [self.board.gloss(move, view, self.console.style, self.words) for move in moves])
        events = self.board.recall(self.state.events(seat, self.told[seat]), view)
        news = story.brief(events, self.words)
        self._draw(view, picker, news)
        while True:
            answer = self.console.ask(self._prompt(seat))
            if self._command(answer, seat, view, picker, news):
                return

    def _command(self, answer: str, seat: int, view: Json, picker: Picker, news: list[str]) -> bool:
        """Do what was typed; True when the decision is made (or taken back)."""
        word, _, rest = answer.partition(" ")
        name = self._known(word)
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
            self._complain(answer, seat)
        else:
            picker.turn() if not answer else None
            if name == "board":
                picker.narrow("")
            self._draw(view, picker, news)
        return False

    def _known(self, word: str) -> str:
        """The command that a word names, in the person's language or in English."""
        for lang in (self.lang, "en"):
            for name, spellings in table("command", lang).items():
                if word.lower() in spellings:
                    return name
        return ""

    def _play(self, move: str, seat: int) -> bool:
        self.told[seat] = len(self.state.history)
        self.state.play(move, seat)
        return True

    def _complain(self, answer: str, seat: int) -> None:
        """Say why what was typed is no move: the game's reason if it is one at another time."""
        why = self._say("what")
        if answer.isdecimal():
            answer = ""
        try:
            self.state.copy().play(answer, seat)
        except IllegalMove as problem:
            why = problem.why(self.lang)
        except TsukimiError as problem:
            why = f"{problem.message(self.lang)} {why}" if answer else why
        self.console.write(wrap(self.console.style(why, "danger"), self.console.columns, " "))

    def _undo(self, seat: int) -> bool:
        """Back to the last decision of a person."""
        line: list[tuple[int, int]] = []
        for mover, move in self.state.history:
            line = taken_back(line, move) if mover == UNDO else [*line, (mover, move)]
        movers = [mover for mover, _ in line if mover >= 0]
        mine = [i for i, mover in enumerate(movers) if mover in self.humans]
        if not mine:
            self.console.write(self.console.style(f" {self._say('nothing')}", "danger"))
            return False
        self.state.undo(len(movers) - mine[-1])
        for human in self.humans:
            self.told[human] = min(self.told[human], len(self.state.history) - 1)
        return True

    # ---- what is shown -----------------------------------------------------------------------

    def _draw(self, view: Json, picker: Picker, news: Sequence[str]) -> None:
        """The board, the news, the question, the moves: on a small screen without empty lines, and less of the lists."""
        console, style = self.console, self.console.style
        board = self.board.draw(view, style, self.names, self.lang)
        ask = [style(line, "moon", bold=True) for line in wrap(bare(self.words.ask(view)), console.columns, " ")]
        told = [line for sentence in news for line in wrap(sentence, console.columns, style(" · ", "quiet"), "   ")]
        gap = [""]
        if len(board) + len(ask) + min(5, len(told)) + 9 > console.rows:
            board, gap = [line for line in board if line], []
        room = console.rows - len(board) - len(ask) - 2 * len(gap) - 3 if console.screen else 72
        lines = picker.lines(style, console.columns, max(3, room - min(len(told), max(3, room // 2))))
        keep = max(2, room - len(lines)) if console.screen else 12
        if len(told) > keep:
            told = [style(f" … {self._say('earlier')}", "quiet"), *told[-keep + 1 :]]
        console.clear()
        console.write([self._title(view), *board, *(gap if told else []), *told, *gap, *ask, *lines])
        page, pages = picker.pages
        if pages > 1:
            console.write(style(f" {self._say('pages', page=page, pages=pages, moves=len(picker.found))}", "quiet"))

    def _title(self, view: Json) -> str:
        style, tip = self.console.style, self._say("tip")
        title = style(say("game", self.state.game, self.lang), "moon", bold=True)
        about = style(self.board.headline(view, self.words), "quiet")
        line = rule(self.console.columns - width(tip) - 1, style, f"{title} {about}" if bare(about) else title)
        return f"{line} {style(tip, 'quiet')}"

    def _prompt(self, seat: int) -> str:
        return f"{self.words.name(seat)} {self.console.style('▸', 'moon')} "

    def _look_up(self, name: str, rest: str, seat: int, view: Json) -> None:
        shown: dict[str, Callable[[], None]] = {
            "help": lambda: self.console.write(self._help()),
            "rules": lambda: self._rules(rest, view),
            "log": lambda: self._log(seat, view),
            "save": lambda: self._save(rest or self.file, True),
            "hint": lambda: self._hint(seat),
        }
        shown[name]()

    def _hint(self, seat: int) -> None:
        """What a strong bot would do here, and why."""
        from tsukimi import bots

        advice = bots.explain(self.state, seat, self.lang, bots.Budget(HINT_MS))
        style = self.console.style
        lines = [f" {style(f'{share:>4.0%}', 'moon')}  {text}" for text, share, _ in advice.moves[:3]]
        self.console.write(["", *lines, *wrap(style(advice.sentence, "quiet"), self.console.columns, " "), ""])

    def _help(self) -> list[str]:
        style, lines = self.console.style, []
        for name, spellings in table("command", self.lang).items():
            keys = style(f"{' '.join(spellings[:2]):<18}", "moon")
            lines.append(f" {keys} {say('explain', name, self.lang)}")
        return ["", *wrap(self._say("how"), self.console.columns, " "), "", *lines, ""]

    def _rules(self, rest: str, view: Json) -> None:
        from tsukimi.cli import guide, markdown

        wanted = [rest] if rest else self.board.anchors(view)
        text = guide.section_of(self.state.spec, self.lang, wanted) or guide.text(self.state.spec, self.lang)
        lines = markdown.render(text, self.console.style, min(96, self.console.columns - 2))
        self.console.page(["", *(f" {line}" for line in lines), ""])

    def _log(self, seat: int, view: Json) -> None:
        events = self.board.recall(self.state.events(seat), view)
        told = story.brief(events, self.words)
        style = self.console.style
        self.console.page(
            [line for one in told for line in wrap(one, self.console.columns, style(" · ", "quiet"), "   ")]
        )

    # ---- the end -----------------------------------------------------------------------------

    def _end(self) -> None:
        seat = next(iter(self.humans)) if len(self.humans) == 1 else None
        view = self.state.view(seat)
        since = min(self.told.values(), default=0)
        news = story.brief(self.state.events(seat, since), self.words)[-8:]
        style = self.console.style
        told = [line for one in news for line in wrap(one, self.console.columns, style(" · ", "quiet"), "   ")]
        self.console.clear()
        self.console.write([self._title(view), *self.board.draw(view, style, self.names, self.lang), "", *told, ""])
        self.console.write(ending(view, style, self.words))

    def _quit(self) -> None:
        if not self.file:
            try:
                self.file = self.console.ask(f" {self._say('save-where')} ") or None
            except EOFError:
                self.file = None
        raise Left

    def _save(self, file: str | None, told: bool = False) -> None:
        if not file:
            if told:
                self.console.write(self.console.style(f" {self._say('no-file')}", "danger"))
            return
        try:
            Path(file).expanduser().write_text(self.state.record(), "utf-8")
        except OSError as problem:
            if not told:
                raise
            self.console.write(self.console.style(f" {file}: {problem.strerror}", "danger"))
        else:
            self.console.write(f" {self._say('saved', file=file)}")

    def _say(self, code: str, **fields: object) -> str:
        return say("play", code, self.lang, **fields)
