"""The distribution of the resampled hidden cards, checked by counting all cases."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

import tsukimi
from games.charuma.charuma_tables import auction, deal, deck, finish, play, tricks
from tsukimi.core.rng import Rng
from tsukimi.games.charuma import SPEC

DRAWS = 3000
OPEN = ("7b 7b 7r 7r 10b 10r", "9b 9b 9r 9r 8b 8r")
MINE = "10b 10r"
YOURS = "Ab 8r"


def table() -> tsukimi.State:
    return tricks(*OPEN, hidden=(MINE, YOURS))


def unseen(*known: str) -> list[str]:
    return list((Counter(deck(2)) - Counter(" ".join(known).split())).elements())


def far(counts: Counter, cases: Counter) -> float:
    """How far, in standard deviations of the chi-square, counts lie from equally likely cases."""
    assert set(counts) <= set(cases)
    total, size = counts.total(), cases.total()
    statistic = sum((counts[key] - total * n / size) ** 2 / (total * n / size) for key, n in cases.items())
    freedom = max(1, len(cases) - 1)
    return (statistic - freedom) / (2 * freedom) ** 0.5


def hidden_of(core, seat: int) -> tuple[str, ...]:
    return tuple(SPEC.view(core, seat)["hands"][seat]["hidden"])


def dealt(state: tsukimi.State, start: int, seat: int) -> tuple[str, str]:
    """The hidden cards of a seat in the deal that begins at that line, in the order dealt."""
    lines = state.lines()[start + 2 * seat :][:2]
    return lines[0].split()[1], lines[1].split()[1]


def test_resampling_draws_two_hidden_cards_evenly_from_the_unseen_ones() -> None:
    core, rng = table().core.copy(), Rng(1)
    counts = Counter()
    for _ in range(DRAWS):
        core = core.resample(0, rng)
        counts[frozenset(Counter(hidden_of(core, 1)).items())] += 1
        assert hidden_of(core, 0) == ("10b*", "10r*")
    pool = unseen(*OPEN, MINE)
    assert len(pool) == 10
    cases = Counter(frozenset(Counter(card + "*" for card in two).items()) for two in permutations(pool, 2))
    assert far(counts, cases) < 5


def test_resampling_keeps_the_cards_of_the_deck_together() -> None:
    core, rng = table().core.copy(), Rng(2)
    before = sorted(deck(2))
    for seat in (0, 1, -1):
        core = core.resample(seat, rng)
        rest = [kind for kind in range(20) for _ in range((core.rest >> kind & 1) + (core.rest_twins >> kind & 1))]
        names = ["A23456789"[kind % 10] if kind % 10 < 9 else "10" for kind in rest]
        names = [name + "br"[kind // 10] for name, kind in zip(names, rest, strict=True)]
        held = [card.rstrip("*") for owner in (0, 1) for card in hidden_of(core, owner)]
        assert sorted([*names, *held, *" ".join(OPEN).split()]) == before


def test_a_hidden_card_once_played_is_no_longer_drawn_and_the_other_comes_evenly_from_the_rest() -> None:
    state = play(table(), "play 7b", "play 9b", "play 9r", "play 7r", "play 9r", "play 7r", "play 8r*")
    core, rng = state.core.copy(), Rng(3)
    counts = Counter()
    for _ in range(DRAWS):
        core = core.resample(0, rng)
        counts[hidden_of(core, 1)] += 1
    assert far(counts, Counter((card + "*",) for card in unseen(*OPEN, MINE, "8r"))) < 5


def test_the_twin_of_a_shown_card_is_half_as_likely_as_any_other_card() -> None:
    """Every order of two unseen cards was dealt as often; those with the card that was shown are left."""
    state = play(tricks(*OPEN, hidden=(MINE, "Ab 6r")), "play 7b", "play 9b", "play 6r*")
    pool = unseen(*OPEN, MINE)
    assert pool.count("6r") == 2
    orders = Counter(two for two in permutations(pool, 2) if "6r" in two)
    counts = Counter(dealt(state.resample(0, seed), 0, 1) for seed in range(DRAWS))
    assert far(counts, orders) < 5
    others: Counter = Counter()
    for (one, two), number in orders.items():
        others[two if one == "6r" else one] += number
    core, rng = state.core.copy(), Rng(6)
    seen: Counter = Counter()
    for _ in range(2 * DRAWS):
        core = core.resample(0, rng)
        seen[hidden_of(core, 1)[0].rstrip("*")] += 1
    assert far(seen, others) < 5


def test_a_spectator_draws_everyones_hidden_cards() -> None:
    core, rng = table().core.copy(), Rng(4)
    counts = [Counter(), Counter()]
    for _ in range(DRAWS):
        core = core.resample(-1, rng)
        for seat in (0, 1):
            counts[seat].update(hidden_of(core, seat))
    for seat in (0, 1):
        assert far(counts[seat], Counter(card + "*" for card in unseen(*OPEN))) < 5


def test_a_half_dealt_hand_is_resampled_too() -> None:
    state = tsukimi.new("charuma", players=2, chance="manual", first="p1")
    play(state, "deal 7b", "deal 7b", "deal Ar")
    core, rng = state.core.copy(), Rng(5)
    counts = Counter()
    for _ in range(DRAWS):
        core = core.resample(0, rng)
        counts[hidden_of(core, 1)] += 1
    assert far(counts, Counter((card + "*",) for card in unseen("7b 7b"))) < 5
    redrawn = Counter(state.resample(0, seed).lines()[2] for seed in range(600))
    assert far(redrawn, Counter("deal " + card for card in unseen("7b 7b"))) < 5


def test_redrawing_a_history_draws_the_two_places_evenly() -> None:
    state = table()
    counts = Counter(dealt(state.resample(0, seed), 0, 1) for seed in range(900))
    assert far(counts, Counter(permutations(unseen(*OPEN, MINE), 2))) < 5
    assert dealt(state.resample(0, 1), 0, 0) == tuple(MINE.split())


def test_which_place_held_a_card_that_was_shown_is_drawn_evenly() -> None:
    state = play(table(), "play 7b", "play 9b", "play 9r", "play 7r", "play 9r", "play 7r", "play 8r*")
    counts = Counter(dealt(state.resample(0, seed), 0, 1) for seed in range(900))
    others = unseen(*OPEN, MINE, "8r")
    cases = Counter(("8r", card) for card in others) + Counter((card, "8r") for card in others)
    assert far(counts, cases) < 5


def test_a_hidden_card_shown_in_a_part_taken_back_stays_known() -> None:
    state = play(table(), "play 7b", "play 9b", "play 8r*")
    state.undo(1)
    assert hidden_of(state.core, 1) == ("Ab*", "8r*")
    for seed in range(60):
        drawn = state.resample(0, seed)
        assert "8r" in dealt(drawn, 0, 1)
        assert drawn.events(0) == state.events(0)
    assert len({dealt(state.resample(0, seed), 0, 1) for seed in range(60)}) > 5


def test_cards_shown_in_different_parts_taken_back_are_known_together() -> None:
    state = play(table(), "play 7b", "play 9b", "play 8r*")
    state.undo(1)
    play(state, "play Ab*")
    state.undo(1)
    assert {frozenset(dealt(state.resample(0, seed), 0, 1)) for seed in range(30)} == {frozenset({"8r", "Ab"})}


def test_the_same_card_shown_twice_in_different_parts_is_one_card() -> None:
    state = play(table(), "play 7b", "play 9b", "play 8r*")
    state.undo(1)
    play(state, "play 8r*")
    drawn = {frozenset(dealt(state.resample(0, seed), 0, 1)) for seed in range(80)}
    assert all("8r" in hand for hand in drawn)
    assert len(drawn) > 4


def test_two_equal_hidden_cards_shown_are_two_cards() -> None:
    state = play(tricks(*OPEN, hidden=(MINE, "6r 6r")), "play 7b", "play 9b", "play 6r* 6r*")
    assert {dealt(state.resample(0, seed), 0, 1) for seed in range(20)} == {("6r", "6r")}


def test_two_equal_cards_shown_stay_known_when_they_are_taken_back_and_one_is_shown_again() -> None:
    state = play(tricks(*OPEN, hidden=(MINE, "6r 6r")), "play 7b", "play 9b", "play 6r* 6r*")
    state.undo(1)
    play(state, "play 6r*")
    assert {dealt(state.resample(0, seed), 0, 1) for seed in range(20)} == {("6r", "6r")}


def test_a_deal_taken_back_is_drawn_on_its_own() -> None:
    state = auction(*OPEN, players=2, hidden=(MINE, YOURS))
    finish(play(state, "bid 0 A", "bid 0 B"))
    second = len(state.lines())
    deal(state, [], ["7b 7b", YOURS])  # by chance the same two cards again, not shown this time
    state.undo(2)
    play(state, state.legal()[0])
    play(state, state.legal()[0])
    third = len(state.lines())
    deal(state, [], ["9b 9b", "Ar 8b"])
    drawn = [state.resample(0, seed) for seed in range(60)]
    for where in (second, third):
        hands = {dealt(other, where, 1) for other in drawn}
        assert not set.intersection(*map(set, hands))
    for other in drawn:
        assert other.events(0) == state.events(0)
        assert dealt(other, second, 0) == ("7b", "7b")
        assert dealt(other, 0, 1) in (("Ab", "8r"), ("8r", "Ab"))  # all played in the first round


def test_what_is_drawn_does_not_depend_on_what_is_hidden() -> None:
    one = table()
    other = tricks(*OPEN, hidden=(MINE, "6r 6b"))
    for seed in range(20):
        assert one.resample(0, seed).lines() == other.resample(0, seed).lines()


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_resampled_game_can_be_continued(seat: int | None) -> None:
    state = tsukimi.new("charuma", players=3, seed=8)
    for _ in range(12):
        state.play(state.legal()[0])
    drawn = state.resample(seat, 3)
    while not drawn.over:
        drawn.play(drawn.legal()[0])
    assert tsukimi.replay(drawn.record()).scores() == drawn.scores()
