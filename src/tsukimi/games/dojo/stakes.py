"""What a move of Dojo brings, risks or costs, as its seat may know it."""

from __future__ import annotations

from typing import cast

from tsukimi.core.spec import Json, Position
from tsukimi.core.stakes import played, points
from tsukimi.games.dojo.notation import BELTS, CARDS, HANDS, NUMBERS, SEATS, TROPHIES, WORDS, phase
from tsukimi.games.dojo.rules import Dojo

Stakes = list[Json]
PASS, KEEP, FIRST_PLACE = NUMBERS["pass"], NUMBERS["keep"], NUMBERS["place -2 -3"]
THROWS = NUMBERS["throw rock"]
CLASSIC, WHITE, BLACK = range(3)  # the variants
BELT_COUNT = len(BELTS)
BOUTS = 3


def stakes(game: Position, seat: int, move: int) -> Stakes:
    here: Dojo = game
    word = WORDS[move]
    if word in ("place", "trophy"):
        after = cast(Dojo, played(here, seat, move))
        brings = points(after.scores()[seat] - here.scores()[seat])
        if word == "trophy":
            return [brings]
        boxed = _awaits_trophy(here, seat) and after.with_trophy(seat, here.trophy) is None
        return [brings, *_column(after, seat), *([{"kind": "boxed", "trophy": TROPHIES[here.trophy]}] if boxed else [])]
    if word == "give":
        receiver = SEATS.index(f"p{move + 1}")
        return [_fits(here, receiver, seat, here.looking), *_threats(here, receiver)]
    if word == "challenge":
        return _challenge(here, seat)
    if word == "pass":
        return [{"kind": "safe"}, _fits(here, seat, seat, here.held[seat]) | {"kind": "fits-held"}]
    if word == "throw":
        return _throw(here, seat, move - THROWS)
    return _swap(here, seat, word)


def _column(after: Dojo, seat: int) -> Stakes:
    """Whether the column of the card just placed has two belts that are equal, and none besides."""
    cards = after.dojo(seat)
    belts = [card % BELT_COUNT for _, column, card in cards if column == cards[-1][1]]
    return [{"kind": "column", "belt": BELTS[belts[0]], "number": 2}] if len(belts) == 2 and len({*belts}) == 1 else []


def _threats(here: Dojo, receiver: int) -> Stakes:
    """Whose belts are then enough against the dealer's, as far as both have got their cards; throws are not foreseen."""
    cards = {
        **{owner: here.held[owner] for owner in range(here.players) if here.held[owner] >= 0},
        receiver: here.looking,
    }
    dealt = cards.pop(here.dealer, None)
    if dealt is None or here.belt == BLACK:
        return []
    able = [owner for owner, card in cards.items() if card % BELT_COUNT >= dealt % BELT_COUNT]
    if receiver == here.dealer:
        return [{"kind": "exposed", "seats": able}] if able else []
    return [{"kind": "threat", "to": receiver}] if receiver in able else []


def _awaits_trophy(here: Dojo, seat: int) -> bool:
    return here.winner == seat and here.belt != WHITE


def _swap(here: Dojo, seat: int, word: str) -> Stakes:
    """What each of the two cards can bring in the dojo where it goes, to the winner with the trophy just won."""
    loser = here.dealer if seat == here.attacker else here.attacker
    own, other = here.held[seat], here.held[loser]
    if word == "swap":
        own, other = other, own
    theirs = _fits(here, loser, seat, other)
    if here.belt == WHITE:
        return [_fits(here, seat, seat, own), theirs]
    worth = _trophy_worth(here, seat, own)
    if worth is None:
        return [_fits(here, seat, seat, own), theirs, {"kind": "boxed", "trophy": TROPHIES[here.trophy]}]
    best = _most(here, seat, own) + worth
    return [_worded({"kind": "fits-won", "card": CARDS[own], "best": best}), theirs]


def _challenge(here: Dojo, seat: int) -> Stakes:
    """How many of the unseen cards the own belt beats, what the winner gets, and for whom that would be less."""
    belt = here.held[seat] % BELT_COUNT
    unseen = _unseen(here, seat)
    beaten = sum(number for kind, number in unseen if belt >= kind % BELT_COUNT)
    duel: Json = {"kind": "duel", "beaten": beaten, "total": sum(number for _, number in unseen)}
    found = [duel, {"kind": "throws", "most": BOUTS}] if here.belt == BLACK else [duel]
    if here.belt == WHITE:
        return [*found, {"kind": "win-white", "points": _trophy_points(here)}]
    trophy, worth = TROPHIES[here.trophy], _trophy_worth(here, seat, here.held[seat])
    if worth is None:
        found.append({"kind": "win-box", "trophy": trophy})
    else:
        found.append(_worded({"kind": "win", "trophy": trophy, "best": worth}))
    # Which lines are free does not depend on the dealer's card, which the seat may not know.
    if _trophy_worth(here, here.dealer, here.held[here.dealer]) is None:
        found.append({"kind": "lose-box", "dealer": here.dealer})
    elif worth is None:
        found.append({"kind": "lose", "dealer": here.dealer})
    return found


def _trophy_points(here: Dojo) -> int:
    """The points of a challenge won in the white belt variant, as the rules count them."""
    before = here.copy()
    before.apply(NUMBERS["challenge"], before.actors[0])
    return int(sum(before.scores()) - sum(here.scores()))


def _throw(here: Dojo, seat: int, hand: int) -> Stakes:
    """Each hand beats the one before it, and is beaten by the next."""
    mine = 0 if seat == here.attacker else 1
    belts = [here.duel[side] % BELT_COUNT + 1 + here.bonus[side] for side in range(2)]
    return [
        {"kind": "throw", "beats": HANDS[(hand - 1) % 3], "beaten_by": HANDS[(hand + 1) % 3]},
        {"kind": "belts", "own": belts[mine], "other": belts[1 - mine]},
    ]


# ---- what a card can bring -------------------------------------------------------------------


def _fits(here: Dojo, owner: int, seat: int, card: int) -> Json:
    """The most that a card brings at once in a dojo: it is tried on every free place."""
    found: Json = {"kind": "fits-you"} if owner == seat else {"kind": "fits", "to": owner}
    return _worded(found | {"card": CARDS[card], "best": _most(here, owner, card)})


def _worded(stake: Json) -> Json:
    """With `gain`, unless it is 0: then the texts have different words."""
    return stake | ({"gain": stake["best"]} if stake["best"] else {})


def _most(here: Dojo, owner: int, card: int) -> int:
    base = _in_training(here, owner, card)
    return max(int(after.scores()[owner]) for after in _placed(base, owner)) - int(base.scores()[owner])


def _trophy_worth(here: Dojo, owner: int, card: int) -> int | None:
    """What the trophy adds at once to the most that a card brings, both tried everywhere; None: no line will be free."""
    base = _in_training(here, owner, card)
    after = [(int(game.scores()[owner]), game.with_trophy(owner, here.trophy)) for game in _placed(base, owner)]
    if all(crowned is None for _, crowned in after):
        return None
    return max(points if crowned is None else crowned for points, crowned in after) - max(points for points, _ in after)


def _placed(base: Dojo, owner: int) -> list[Dojo]:
    """The round after the owner's card has been placed, everywhere."""
    return [cast(Dojo, played(base, owner, FIRST_PLACE + place)) for place in base.places(owner)]


def _in_training(here: Dojo, owner: int, card: int) -> Dojo:
    """This round without a challenge, or with the challenge as it ended, where the owner places that card."""
    game = cast(Dojo, here.copy())
    others = [other for other in range(game.players) if other != owner]
    while phase(game) != "place":
        now = phase(game)
        if now == "give":
            if game.held[owner] < 0 and game.looking == card:
                receiver = owner
            else:
                receiver = next(other for other in (*others, owner) if game.held[other] < 0)
            game.apply(receiver, game.dealer)
        elif now == "draw":
            game.apply(next(kind for kind, left in enumerate(game.left) if left))
        elif now == "challenge":
            game.apply(PASS, game.actors[0])
        else:
            game.apply(KEEP if game.held[owner] == card else NUMBERS["swap"], game.actors[0])
    return game


def _unseen(here: Dojo, seat: int) -> list[tuple[int, int]]:
    """Every kind of card that a seat has not seen, with how many there are: in the pile, or before the others."""
    counts = list(here.left)
    for owner in range(here.players):
        if owner != seat and here.held[owner] >= 0:
            counts[here.held[owner]] += 1
    return [(kind, number) for kind, number in enumerate(counts) if number]
