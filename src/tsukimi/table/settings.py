"""What the host of a table chooses beside the game's own options."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Seconds = Annotated[int, Meta(ge=0, le=30 * 86400)]


class Clock(msgspec.Struct, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """Time to think. `none`: as long as you like; `live`: a reserve and an extra per decision; `days`: so long per decision."""

    kind: Literal["none", "live", "days"] = "none"
    reserve: Seconds = 300
    """live: what each seat has for the whole game, in seconds."""
    extra: Seconds = 20
    """live: what each decision has on top of it; days: what each decision has, in seconds."""

    @property
    def decent(self) -> bool:
        """Whether there is a limit, and time to play: so that nobody wins by the clock alone."""
        if self.kind == "days":
            return self.extra >= 3600
        return self.kind == "live" and (self.reserve >= 60 or self.extra >= 10)


class Settings(msgspec.Struct, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """Also in logs: a setting that this version does not know is never dropped silently."""

    public: bool = False
    """Listed in the lobby; otherwise only by its link."""
    clock: Clock = Clock()
    spectators: Literal["open", "delayed", "closed"] = "open"
    delay: Annotated[int, Meta(ge=0, le=3600)] = 60
    """How many seconds delayed spectators are behind."""
    hints: bool = False
    """Whether people may ask for hints."""
    forced: bool = True
    """Moves that everybody can see to be forced play themselves."""
    round_pause: bool = True
    """An intermission after each round (Charuma), until everybody is ready; with a live clock a minute at most."""
    takeover: bool = True
    """A bot plays for a person who is gone, until they come back."""
    rated: bool = False

    @property
    def ratable(self) -> bool:
        """Whether a game with these settings may be rated: nobody waits for ever, nobody is advised."""
        return self.clock.decent and not self.hints
