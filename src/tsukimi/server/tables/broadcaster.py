"""What is sent to the viewers of a table when something has been committed, or when someone comes or goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set

import msgspec

from tsukimi.server import messages
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.encoder import (
    CHAT_BYTES,
    GameEncoder,
    chat_line,
    encode,
    last_within,
    older_events,
    you,
)
from tsukimi.server.tables.moments import Moments
from tsukimi.server.tables.presence import Presence, Viewer
from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.table import Table

NOT_ALLOWED = 4003
CHAT_SENT = 50
STEPS_KEPT = 2000  # for delayed spectators

STEPS = {
    e.Started, e.Moved, e.Undone,  # the game advanced, or went back
    e.Paused, e.Ready, e.Given, e.Away, e.Back, e.Resigned, e.Aborted,  # or its clocks did
}  # fmt: skip
SEATING = {e.Sat, e.Left, e.Changed, e.Away, e.Started}
NOT_IN_INFO = {e.Moved, e.Said, e.Planned}  # they change nothing in the table's info

Info = Callable[[Table], messages.TableInfo]


class Broadcaster:
    """`info` returns the public state of a table; `thinking` are the seats whose bots are thinking now."""

    def __init__(self, presence: Presence, info: Info, thinking: Set[int], clock: Callable[[], int] = clock) -> None:
        self._clock = clock
        self._presence, self._info, self._thinking = presence, info, thinking
        self._thinking_sent: list[int] = []
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=STEPS_KEPT)

    def committed(self, before: Table, after: Table, events: Sequence[e.Event]) -> None:
        """Send what has happened to everyone who may know it."""
        if not events:
            for viewer in self._presence.greeted():
                self.welcome(viewer, after, 0)
            return
        kinds = {type(event) for event in events}
        self._send_chat(before, after)
        if kinds & SEATING:
            self._update_viewpoints(after)
        changed = (
            self._thinking_sent != sorted(self._thinking)
            or not kinds <= NOT_IN_INFO
            or before.status != after.status
            or (before.proposal is None) != (after.proposal is None)
        )
        if after.state is not None and kinds & STEPS:
            self._send_step(before, after, events, with_info=changed)
            if e.Hosted in kinds or any(type(event) is e.Away and event.gone for event in events):
                self.table_changed(after)  # a step does not say who "you" are
            return
        if changed:
            self.table_changed(after)
        for event in events:
            if isinstance(event, e.Planned) and after.state is not None:
                self._send_step(before, after, events, only=event.seat)

    def table_changed(self, table: Table) -> None:
        """Send the public state of the table, and who they are there, to everyone."""
        info = self._encoded_info(table)
        for viewer in self._presence.greeted():
            viewer.send(encode(messages.Table(self._you(viewer, table), info)))

    def welcome(self, viewer: Viewer, table: Table, since: int) -> None:
        """Send everything; of the events from number `since` on, the last ones; the viewer may request the others."""
        now = self._clock()
        if table.state is not None:
            since, _ = older_events(table, viewer.viewpoint, since, len(table.events))
        viewer.log_from = since
        message = messages.Welcome(
            v=messages.PROTOCOL,
            now=now,
            you=self._you(viewer, table),
            table=self._info(table),
            game=None if table.state is None else GameEncoder(table, since, now).game(viewer.viewpoint),
            chat=last_within([msgspec.Raw(encode(chat_line(*line))) for line in table.chat[-CHAT_SENT:]], CHAT_BYTES),
        )
        viewer.send(encode(message))

    def send_missed(self, viewer: Viewer, table: Table, since: int) -> None:
        """To a delayed spectator: the steps after that time, each when it may be seen."""
        for at, message in self._recent:
            if at > since:
                viewer.send_later(message, max(0, at + 1000 * table.settings.delay - self._clock()) / 1000)

    def _send_chat(self, before: Table, after: Table) -> None:
        if after.lines > before.lines:
            for line in after.chat[before.lines - after.lines :]:
                message = encode(messages.Chat(chat_line(*line)))
                for viewer in self._presence.greeted():
                    viewer.send(message)

    def _send_step(
        self, before: Table, after: Table, events: Sequence[e.Event], with_info: bool = False, only: int | None = None
    ) -> None:
        """The game to everyone, or to one seat; its events since `before`."""
        now = self._clock()
        step = _Step(before, after, events, now, self._encoded_info(after) if with_info else None)
        delay = after.settings.delay if after.settings.spectators == "delayed" else None
        for viewer in self._presence.greeted():
            viewpoint = viewer.viewpoint
            if only is not None and viewpoint != only:
                continue
            if delay is None or viewpoint is not None:
                viewer.send(step.message(viewpoint))
            elif after.ended:  # nothing is secret any more: send the rest at once
                viewer.cancel_later()
                self.welcome(viewer, after, 0)
            else:
                viewer.send_later(step.message(None), delay)
        if delay is not None and not after.ended and only is None:
            self._recent.append((now, step.message(None)))

    def _update_viewpoints(self, table: Table) -> None:
        for viewer in self._presence.greeted():
            try:
                viewer.viewpoint = viewpoint(table, viewer.person.id, viewer.viewpoint)
            except TableError:
                viewer.greeted = False
                viewer.close(NOT_ALLOWED)

    def _encoded_info(self, table: Table) -> messages.TableInfo:
        self._thinking_sent = sorted(self._thinking)
        encoded: messages.TableInfo = msgspec.Raw(encode(self._info(table)))  # type: ignore[assignment]
        return encoded

    def _you(self, viewer: Viewer, table: Table) -> messages.You:
        person = viewer.person
        return you(table, person.id, person.handle, person.name, viewer.viewpoint)


class _Step:
    """A step of the game, encoded once for each viewpoint present."""

    def __init__(
        self, before: Table, after: Table, events: Sequence[e.Event], now: int, info: messages.TableInfo | None
    ) -> None:
        since = 0 if before.state is None else len(before.events)
        self._encoder, self._moments = GameEncoder(after, since, now), Moments(before, after, events)
        self._info = info
        self._messages: dict[int | None, bytes] = {}

    def message(self, viewpoint: int | None) -> bytes:
        found = self._messages.get(viewpoint)
        if found is None:
            moments = self._moments
            info = self._encoder.game(viewpoint, moments.between(viewpoint), moments.automatic(viewpoint))
            message = messages.Game(info, self._info)
            found = self._messages[viewpoint] = encode(message)
        return found


def viewpoint(table: Table, person: str, *wanted: int | None) -> int | None:
    """The seat from which a person sees the table: the first wanted one that is theirs, or any; None: a spectator."""
    mine = table.seats_of(person)
    if not mine:
        if table.settings.spectators == "closed" and table.running:
            raise TableError("table-no-spectators", status=403)
        return None
    return next((seat for seat in wanted if seat in mine), mine[0])
