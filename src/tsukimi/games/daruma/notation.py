"""Daruma in words: the text of every move and outcome, both ways, and what chance can bring.

The notation is described in docs/games/daruma.md.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.core.spec import CHANCE
from tsukimi.games.daruma.codes import (
    FIRST,
    MOVE_GIVE,
    MOVE_PAINT,
    MOVE_REROLL,
    MOVE_ROLL,
    MOVE_SAKE,
    MOVE_SHIFT,
    MOVE_STOP,
    MOVE_SWEEP,
    OBJECTIVE,
    ROLL,
    TOKENS,
    TRACK,
)
from tsukimi.games.daruma.decode import (
    Shift,
    dice_of,
    faces_in,
    move_of_reroll,
    move_of_shift,
    move_of_swap,
    reroll_of,
    shift_of,
    swap_base,
    swap_of,
)
from tsukimi.games.daruma.rules import Daruma

PLAIN = {"sweep": MOVE_SWEEP, "roll": MOVE_ROLL, "stop": MOVE_STOP}
EVENT_WORDS = {FIRST: "first", TRACK: "track", OBJECTIVE: "objective", ROLL: "roll"}
SEAT = r"p[1-5]"
CARD = r"[a-z-]{1,20}\.[a-z-]{1,20}"
GRAMMAR = re.compile(
    rf"sweep|roll|stop|paint [1-5]|sake [1-6]|reroll( [1-6]){{1,8}}|shift( [1-6][+-]){{1,8}}"
    rf"|give {CARD} {SEAT}|swap {SEAT} {CARD} {SEAT}( {CARD})?|swap {SEAT} {SEAT} {CARD}"
)
OUTCOME = re.compile(
    rf"first {SEAT}|track( ({'|'.join(TOKENS)})){{1,9}}|objective {SEAT} [1-9][0-9]?|draw {CARD}|roll( [1-6]){{1,8}}"
)


def text(game: Daruma, seat: int, move: int) -> str:
    if seat == CHANCE:
        return _outcome_text(game, move)
    return _dice_text(move) if move < MOVE_GIVE else _card_text(game, move)


def parse(game: Daruma, seat: int, text: str) -> int:
    if seat == CHANCE:
        outcome = _outcome(game, *_words(OUTCOME, text))
        return _checked(text, outcome, _outcome_text(game, outcome))
    if text.startswith(("give", "swap")):
        move = _card_move(game, *_words(GRAMMAR, text))
        return _checked(text, move, _card_text(game, move))
    return _dice_move(text)


def _words(grammar: re.Pattern[str], text: str) -> list[str]:
    if not grammar.fullmatch(text):
        raise MalformedMove("malformed-move", text=text[:60])
    return text.split(" ")


def _checked(text: str, move: int, canonical: str) -> int:
    if canonical != text:
        raise MalformedMove("daruma.wrong-order", text=text[:60], right=canonical)
    return move


# ---- moves ---------------------------------------------------------------------------------


@cache  # below MOVE_GIVE the numbers mean the same in every game
def _dice_text(move: int) -> str:
    for word, plain in PLAIN.items():
        if move == plain:
            return word
    if move < MOVE_SAKE:
        return f"paint {move - MOVE_PAINT + 1}"
    if move < MOVE_REROLL:
        return f"sake {move - MOVE_SAKE + 1}"
    if move < MOVE_SHIFT:
        return " ".join(["reroll", *map(str, reroll_of(move))])
    return " ".join(["shift", *(f"{face}{'+' if up > 0 else '-'}" for face, up in shift_of(move))])


def _card_text(game: Daruma, move: int) -> str:
    if move < swap_base(game):
        kind, to = divmod(move - MOVE_GIVE, game.players)
        return f"give {game.cards.names[kind]} p{to + 1}"
    words = ["swap"]
    for seat, kind in swap_of(game, move):
        words.append(f"p{seat + 1}")
        if kind >= 0:
            words.append(game.cards.names[kind])
    return " ".join(words)


@cache  # it keeps moves alone: any other text raises
def _dice_move(text: str) -> int:
    word, *rest = _words(GRAMMAR, text)
    move = _dice_number(word, rest)
    return _checked(text, move, _dice_text(move))


def _dice_number(word: str, rest: list[str]) -> int:
    if not rest:
        return PLAIN[word]
    if word == "paint":
        return MOVE_PAINT + int(rest[0]) - 1
    if word == "sake":
        return MOVE_SAKE + int(rest[0]) - 1
    if word == "reroll":
        return _reroll([int(face) for face in rest])
    return _shift([(int(die[0]), 1 if die[1] == "+" else -1) for die in rest])


def _card_move(game: Daruma, word: str, *rest: str) -> int:
    if word == "give":
        return MOVE_GIVE + _kind(game, rest[0]) * game.players + _seat(game, rest[1])
    return _swap(game, rest)


def _reroll(faces: list[int]) -> int:
    if 4 in faces or len(faces) > 7:
        raise IllegalMove("daruma.dice-not-there")
    return move_of_reroll(faces)


def _shift(dice: Shift) -> int:
    faces = {face for face, _ in dice}
    if 4 in faces or len(dice) > 7:
        raise IllegalMove("daruma.dice-not-there")
    if 1 < len(faces) < len(dice):
        raise IllegalMove("daruma.shift-mixed")
    return move_of_shift(dice)


def _swap(game: Daruma, rest: tuple[str, ...]) -> int:
    hands: list[tuple[int, int]] = []
    for word in rest:
        if "." in word:
            hands[-1] = (hands[-1][0], _kind(game, word))
        else:
            hands.append((_seat(game, word), -1))
    one, other = hands
    if one[0] == other[0]:
        raise IllegalMove("daruma.swap-one-player")
    return move_of_swap(game, one, other)


def _seat(game: Daruma, word: str) -> int:
    seat = int(word[1:]) - 1
    if seat >= game.players:
        raise IllegalMove("daruma.no-such-player", who=word, players=game.players)
    return seat


def _kind(game: Daruma, name: str) -> int:
    if name not in game.cards.names:
        raise IllegalMove("daruma.no-such-daruma", name=name)
    return game.cards.names.index(name)


# ---- chance --------------------------------------------------------------------------------


def _event_word(game: Daruma) -> str:
    return EVENT_WORDS.get(game.stage, "draw")


def _outcome_text(game: Daruma, outcome: int) -> str:
    word = _event_word(game)
    if word == "first":
        return f"first p{outcome + 1}"
    if word == "track":
        return " ".join(["track", *(TOKENS[token] for token in track_of(game, outcome))])
    if word == "objective":
        return f"objective p{objective_seat(game) + 1} {outcome + 1}"
    if word == "roll":
        return " ".join(["roll", *map(str, faces_in(outcome))])
    return f"draw {game.cards.names[outcome]}"


def _outcome(game: Daruma, word: str, *rest: str) -> int:
    if word != _event_word(game):
        raise IllegalMove("impossible-outcome")
    if word == "first":
        return _seat(game, rest[0])
    if word == "track":
        if len(rest) != game.tokens:
            raise IllegalMove("impossible-outcome")
        return sum(TOKENS.index(token) * 3**place for place, token in enumerate(rest))
    if word == "objective":
        number = int(rest[1])
        if _seat(game, rest[0]) != objective_seat(game) or number > game.cards.objectives:
            raise IllegalMove("impossible-outcome")
        return number - 1
    if word == "roll":
        return dice_of([int(face) for face in rest])
    return _kind(game, rest[0])


def track_of(game: Daruma, outcome: int) -> list[int]:
    """The tokens of the line, first to last."""
    return [outcome // 3**place % 3 for place in range(game.tokens)]


def objective_seat(game: Daruma) -> int:
    """Whose objective comes next."""
    return list(game.objective).index(-1)


def outcomes(game: Daruma) -> list[tuple[int, float]]:
    word = _event_word(game)
    if word == "first":
        return [(seat, 1 / game.players) for seat in range(game.players)]
    if word == "track":
        return list(_tracks(tuple(game.cards.tokens), game.tokens))
    if word == "objective":
        free = [number for number in range(game.cards.objectives) if number not in list(game.objective)]
        return [(number, 1 / len(free)) for number in free]
    if word == "roll":
        return list(_rolls(game.rolling))
    pile = game.pile_counts()
    return [(kind, count / game.pile_size) for kind, count in enumerate(pile) if count]


@cache
def _rolls(number: int) -> tuple[tuple[int, float], ...]:
    """What that many dice can show, with its multinomial probability."""
    found = []
    for faces in combinations_with_replacement(range(1, 7), number):
        ways = factorial(number) // prod(factorial(faces.count(face)) for face in set(faces))
        found.append((dice_of(faces), ways / 6**number))
    return tuple(found)


@cache
def _tracks(tokens: tuple[int, ...], length: int) -> tuple[tuple[int, float], ...]:
    """Every line of tokens drawn one after the other without putting back."""
    lines = [(0, 1.0, tokens)]
    for place in range(length):
        longer = []
        for line, chance, left in lines:
            for token in range(3):
                if left[token]:
                    rest = (*left[:token], left[token] - 1, *left[token + 1 :])
                    longer.append((line + token * 3**place, chance * left[token] / sum(left), rest))
        lines = longer
    return tuple((line, chance) for line, chance, _ in lines)
