"""Why a move is the best in Charuma: facts of the position for one sentence."""

from __future__ import annotations

from itertools import combinations, islice

from tsukimi.bots.charuma.endgame import Endgame
from tsukimi.bots.charuma.greedy import beats, listed
from tsukimi.bots.charuma.judge import CharumaJudge
from tsukimi.bots.tree import Thought
from tsukimi.core.rng import Rng
from tsukimi.core.state import State
from tsukimi.games.charuma.notation import AMOUNTS, FIRST_SINGLE, GROUPS, HIDDEN, card_name, cards_of, deck, position
from tsukimi.games.charuma.rules import Charuma

DRAWN = 300  # hidden deals looked at when there are too many to list
RED, TWO_COLOURED = 1, 4  # kinds of a lead, as in `deck`

Fields = dict[str, object]
Why = tuple[str, Fields]


def why(judge: CharumaJudge, endgame: Endgame, state: State, world: Charuma, seat: int, thoughts: list[Thought]) -> Why:
    """The code of a sentence and its parameters."""
    share = round(100 * thoughts[0].share)
    if thoughts[0].move < FIRST_SINGLE:
        code, fields = _bid(judge, world, seat, thoughts[0].move)
    else:
        worlds = [
            (weight, position(dealt.copy()))
            for weight, dealt in islice(endgame.worlds(state, world, seat, Rng(0)), DRAWN)
        ]
        code, fields = _play(judge, worlds, endgame.unseen(world, seat), seat, thoughts)
    return f"charuma.{code}", {"share": share, **fields}


# ---- bids ----------------------------------------------------------------------------------------


def _bid(judge: CharumaJudge, world: Charuma, seat: int, move: int) -> Why:
    group, amount = move // AMOUNTS, move % AMOUNTS
    worth = [_hand_points(judge, world, seat, other) for other in range(world.players)]
    fields: Fields = {"group": GROUPS[group], "points": round(worth[group]), "amount": amount}
    most = min(world.owned[seat], AMOUNTS - 1)
    others = [other for other in range(world.players) if other != group and world.bid[other] < most]
    if not others:
        return "bid-alone", fields
    other = max(others, key=lambda which: worth[which] - world.bid[which])
    fields |= {"other": GROUPS[other], "other_points": round(worth[other]), "other_amount": world.bid[other] + 1}
    return ("bid-over" if world.bidder[group] >= 0 else "bid"), fields


def _hand_points(judge: CharumaJudge, world: Charuma, seat: int, group: int) -> float:
    """The points that a round brings on average to a hand like the one which that group makes."""
    size = deck(world).group_size + 2
    aces = 4 * size * world.players / deck(world).size
    rest = [judge.group_worth(world, seat, other) for other in range(world.players) if other != group]
    better = judge.group_worth(world, seat, group) - sum(rest) / len(rest)
    return max(0.0, (size + 2 + aces) / world.players + better)


# ---- plays ---------------------------------------------------------------------------------------


def _play(
    judge: CharumaJudge, worlds: list[tuple[float, Charuma]], unseen: list[int], seat: int, thoughts: list[Thought]
) -> Why:
    here, move = worlds[0][1], thoughts[0].move
    fields: Fields = {"cards": _text(move)}
    if len(thoughts) == 1:
        return "forced", fields
    if len(worlds) == 1:
        after = _after(here, seat, move)
        won = _won(after, seat, here) if after.round != here.round or after.over else 0
        return "solved", fields | {"points": judge.solver.points(after)[seat] + won}
    if not _ahead(here, seat, move):
        return _lost(here, seat, thoughts, fields)
    return _taken(worlds, unseen, seat, move, fields)


def _text(move: int) -> str:
    return " ".join(card_name(card) for card in cards_of(move))


def _after(world: Charuma, seat: int, move: int) -> Charuma:
    after = position(world.copy())
    after.apply(move, seat)
    return after


def _ahead(world: Charuma, seat: int, move: int) -> bool:
    """Whether a play is the best of its trick so far."""
    return _after(world, seat, move).ahead() == seat


def _won(after: Charuma, seat: int, before: Charuma) -> int:
    """What a seat got for the round's last trick."""
    return after.owned[seat] - before.owned[seat] - before.trick_points[seat] - before.aces[seat]


def _points(world: Charuma, seat: int, move: int) -> int:
    """What the trick counts as it lies after a play, the last trick's two points included."""
    after = _after(world, seat, move)
    last = len(listed(world.hand[seat], world.twins[seat])) == len(cards_of(move))
    return len(cards_of(move)) + after.trick_aces + (2 if last else 0)


def _lost(here: Charuma, seat: int, thoughts: list[Thought], fields: Fields) -> Why:
    """A play that cannot take the trick."""
    winning = [thought for thought in thoughts if _ahead(here, seat, thought.move)]
    if not winning:
        return "cannot-win", fields
    best = winning[0]
    taken: Fields = {"other": _text(best.move), "points": _points(here, seat, best.move)}
    return "let-go", fields | taken | {"other_share": round(100 * best.share)}


def _taken(worlds: list[tuple[float, Charuma]], unseen: list[int], seat: int, move: int, fields: Fields) -> Why:
    """A play that is the best of its trick so far."""
    here = worlds[0][1]
    fields["points"] = _points(here, seat, move)
    later = _later(here, seat)
    if not later:
        return "take", fields
    table = _Table(_after(here, seat, move), seat)
    if any(table.beaten_by(_open(here, other)) for other in later):
        return ("lead-under" if here.led < 0 else "play-under"), fields
    if not any(table.beaten_by(hand) for other in later for hand in _possible(here, other, unseen)):
        return "sure", fields
    total = sum(weight for weight, _ in worlds)
    beaten = sum(w for w, world in worlds if any(table.beaten_by(_all(world, other)) for other in later))
    fields["chance"] = max(1, round(100 * beaten / total))
    threats = {kind for kind in unseen if table.beaten_by([HIDDEN + kind])}
    if len(threats) == 1 and table.single:
        return "only-threat", fields | {"threat": card_name(threats.pop())}
    return "hidden-threat", fields


class _Table:
    """A trick in which a seat is ahead."""

    def __init__(self, after: Charuma, seat: int) -> None:
        self.led = deck(after).suit[after.trick[after.leader]]
        self.single = self.led <= RED
        self._best, self._mine = after.best, after.ace_seat == seat

    def beaten_by(self, hand: list[int]) -> bool:
        """Whether something in a hand would take the trick (or raise another player's ace)."""
        return any(self._loses_to(value) for value in self._values(hand))

    def _loses_to(self, value: int) -> bool:
        return beats(value, self._best, self._mine)

    def _values(self, hand: list[int]) -> set[int]:
        """The values of a hand's cards, or pairs, of the led kind."""
        blue = [card % 10 for card in hand if card // 10 % 2 == 0]
        red = [card % 10 for card in hand if card // 10 % 2 == 1]
        if self.single:
            return set((blue, red)[self.led])
        if self.led == TWO_COLOURED:
            return set(blue) & set(red)
        same = (blue, red)[self.led - 2]
        return {value for value in same if same.count(value) == 2}


def _later(here: Charuma, seat: int) -> list[int]:
    """Who plays after a seat in this trick."""
    played = 0 if here.led < 0 else here.played
    return [(seat + step) % here.players for step in range(1, here.players - played)]


def _all(world: Charuma, other: int) -> list[int]:
    return listed(world.hand[other], world.twins[other])


def _open(world: Charuma, other: int) -> list[int]:
    return [card for card in _all(world, other) if card < HIDDEN]


def _possible(here: Charuma, other: int, unseen: list[int]) -> list[list[int]]:
    """Every hand that a seat may hold."""
    open_cards = _open(here, other)
    size = len(_all(here, other)) - len(open_cards)
    return [open_cards + [HIDDEN + kind for kind in kinds] for kinds in set(combinations(unseen, size))]
