"""What the fields of messages may contain."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

PROTOCOL = 1

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Move = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-f]*$")]
Seat = Annotated[int, Meta(ge=0, le=4)]
NetworkName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
Level = Annotated[
    str,
    Meta(pattern=r"^(random|greedy|novice|regular|master|adaptive|net:[A-Za-z0-9][A-Za-z0-9._-]{0,39})$"),
]
"""A level of our bots, or one of the neural networks that the server offers (`networks` of a game)."""


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    pass
