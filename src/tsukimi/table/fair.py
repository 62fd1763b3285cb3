"""Fair dice: the table commits to a secret before anyone sits down, every seat adds its own number,
and when the game has ended anyone can check that all chance followed from these alone. See docs/fair-chance.md.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from tsukimi.core.errors import BadRecord
from tsukimi.core.events import walk
from tsukimi.core.source import Source
from tsukimi.core.spec import CHANCE, Position
from tsukimi.core.state import State


def new_secret() -> str:
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is published when the table opens."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def source(secret: str, table: str, nonces: Sequence[str]) -> Source:
    """The dice of a table: fixed when the game starts, whoever sits there later."""
    text = "|".join([table, *nonces])
    return Source(hmac.digest(bytes.fromhex(secret), text.encode(), "sha256"))


def draw(position: Position, dice: Source, number: int) -> int:
    """The outcome of a table's chance event `number` in this position."""
    outcome: int = position.sample_outcome(dice.at(number))
    return outcome


def proof(secret: str, table: str, nonces: Sequence[str]) -> list[str]:
    """The last lines of a record: everything needed to check its chance."""
    lines = [f"verify table {table}", f"verify commitment {commitment(secret)}", f"verify secret {secret}"]
    return lines + [f"verify nonce {seat + 1} {nonce}".rstrip() for seat, nonce in enumerate(nonces)]


def promised(state: State) -> str:
    """The commitment in a record's proof: it must be the one shown when the table opened."""
    return _read(state)[1]


def check(state: State) -> int:
    """Check all chance in a replayed record against its proof; returns how many events were checked."""
    table, promised, secret, nonces = _read(state)
    if not hmac.compare_digest(commitment(secret), promised):
        raise BadRecord("verify-commitment", commitment=promised)
    dice, checked = source(secret, table, nonces), 0
    for before, mover, outcome, _ in walk(state.fresh(), state.history):
        if mover == CHANCE:
            if draw(before, dice, checked) != outcome:
                raise BadRecord("verify-chance", number=checked + 1, text=state.spec.text(before, CHANCE, outcome))
            checked += 1
    return checked


def _read(state: State) -> tuple[str, str, str, list[str]]:
    """The table, the commitment, the secret and the nonces of a record's proof."""
    found: dict[str, str] = {}
    for line in state.proof:
        words = line.split(" ")
        key = " ".join(words[1:3]) if words[1:2] == ["nonce"] else " ".join(words[1:2])
        found[key] = words[-1] if len(words) > (3 if key.startswith("nonce") else 2) else ""
    nonces = [found.get(f"nonce {seat + 1}") for seat in range(state.players)]
    if not {"table", "commitment", "secret"} <= found.keys() or None in nonces:
        raise BadRecord("verify-missing")
    try:
        bytes.fromhex(found["secret"])
    except ValueError:
        raise BadRecord("verify-missing") from None
    return found["table"], found["commitment"], found["secret"], [nonce or "" for nonce in nonces]
