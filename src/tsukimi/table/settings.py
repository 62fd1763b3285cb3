"""What a table's host chooses in addition to the game's own options."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Seconds = Annotated[int, Meta(ge=0, le=30 * 86400)]


class Clock(msgspec.Struct, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """Time to think. `none`: unlimited; `live`: a reserve and an extra per decision; `days`: a limit per decision."""

    kind: Literal["none", "live", "days"] = "none"
    reserve: Seconds = 300
    """live: what each seat has for the whole game, in seconds."""
    extra: Seconds = 20
    """live: the extra time per decision; days: the time per decision, in seconds."""

    @property
    def decent(self) -> bool:
        """Whether there is a limit that leaves time to play, so that nobody wins by the clock alone."""
        if self.kind == "days":
            return self.extra >= 3600
        return self.kind == "live" and (self.reserve >= 60 or self.extra >= 10)


class Settings(msgspec.Struct, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """Also in logs: a setting unknown to this version is never dropped silently."""

    public: bool = False
    """Listed in the lobby; otherwise reachable only by its link."""
    clock: Clock = Clock()
    spectators: Literal["open", "delayed", "closed"] = "open"
    delay: Annotated[int, Meta(ge=0, le=3600)] = 60
    """How many seconds delayed spectators are behind."""
    hints: bool = False
    """Whether people may ask for hints."""
    forced: bool = True
    """Moves that everyone can see are forced are played automatically."""
    round_pause: bool = True
    """An intermission after each round (Charuma), until everyone is ready; with a live clock, at most a minute."""
    takeover: bool = True
    """A bot plays for an absent person until they come back."""
    rated: bool = False

    @property
    def ratable(self) -> bool:
        """Whether a game with these settings may be rated: nobody waits for ever, nobody gets hints."""
        return self.clock.decent and not self.hints
