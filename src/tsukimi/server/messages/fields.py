"""What the fields of messages may hold."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

PROTOCOL = 1

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Move = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-f]*$")]
Seat = Annotated[int, Meta(ge=0, le=4)]
Level = Literal["random", "greedy", "novice", "regular", "master", "adaptive"]


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    pass
