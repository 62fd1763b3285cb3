"""Daruma: chance has the stated probabilities, random moves are uniform, and the compiled rules are the plain ones."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest

import tsukimi
from games.daruma.daruma_table import fortune, many_tokens, say, table
from tsukimi.core.rng import Rng
from tsukimi.games.daruma import SPEC, codes
from tsukimi.games.daruma.decode import dice_of, faces_in


def fits(counts, chances, draws):
    """Pearson's chi-square against a bound that a true law passes practically always (mean + 5 deviations)."""
    assert set(counts) <= set(chances)
    square = sum((counts[x] - draws * p) ** 2 / (draws * p) for x, p in chances.items())
    freedom = len(chances) - 1
    return square < freedom + 5 * (2 * freedom) ** 0.5 + 5


def core_at(*texts, players=2, **more):
    return say(table(players, **more), *texts).core.copy()


@pytest.mark.parametrize("number", range(1, 9))
def test_rolls_are_multinomially_distributed(number):
    counts = Counter(dice_of(faces) for faces in product(range(1, 7), repeat=min(number, 5)))
    if number <= 5:
        exact = {dice: ways / 6**number for dice, ways in counts.items()}
        assert dict(_rolls(number)) == pytest.approx(exact)
    assert sum(p for _, p in _rolls(number)) == pytest.approx(1)
    assert all(len(faces_in(dice)) == number for dice, _ in _rolls(number))


def _rolls(number):
    core = _rolling(number)
    return SPEC.outcomes(core)


def _rolling(number):
    if number == 8:
        return core_at()
    return core_at("roll 2 2 2 2 2 2 2 2", "sake 2", "reroll " + " ".join("2" * number))


@pytest.mark.parametrize("number", [1, 2, 3, 8])
def test_dice_are_drawn_with_their_probabilities(number):
    core, rng, draws = _rolling(number), Rng(number), 6000
    if number < 8:
        assert fits(Counter(core.sample_outcome(rng) for _ in range(draws)), dict(SPEC.outcomes(core)), draws)
    else:  # too many outcomes for their own counts: the number of fours instead
        fours = Counter(faces_in(core.sample_outcome(rng)).count(4) for _ in range(draws))
        law = Counter()
        for dice, chance in SPEC.outcomes(core):
            law[min(5, faces_in(dice).count(4))] += chance
        assert fits(Counter({n: sum(c for k, c in fours.items() if min(5, k) == n) for n in range(6)}), law, draws)


def test_all_faces_of_eight_dice_are_equally_likely():
    core, rng = core_at(), Rng(2)
    faces = Counter(face for _ in range(2000) for face in faces_in(core.sample_outcome(rng)))
    assert fits(faces, dict.fromkeys(range(1, 7), 1 / 6), 16000)


def test_cards_objectives_tracks_and_first_players_are_drawn_with_their_probabilities():
    state = tsukimi.new("daruma", players=2, chance="manual")
    rng, draws = Rng(1), 8000
    for text in ("first p2", "track blank four blank daruma blank blank", "objective p1 4", "objective p2 1"):
        law = dict(SPEC.outcomes(state.core))
        assert fits(Counter(state.core.sample_outcome(rng) for _ in range(draws)), law, draws)
        say(state, text)
    law = dict(SPEC.outcomes(state.core))
    assert fits(Counter(state.core.sample_outcome(rng) for _ in range(draws)), law, draws)


def uniform(state, draws=6000):
    seat = state.actors[0]
    moves = state.actions()
    rng = Rng(3)
    return fits(
        Counter(state.core.random_action(seat, rng) for _ in range(draws)), dict.fromkeys(moves, 1 / len(moves)), draws
    )


def test_random_moves_are_uniform_when_dice_are_used():
    assert uniform(say(table(), "roll 1 2 2 3 5 6 6 6"))
    state = say(fortune(table(4), "red.swap", "gold.fictive-four", "gold.fictive-four"), "roll 1 1 2 3 4 4 5 6")
    assert sum(text.startswith("give") for text in state.legal()) == 6
    assert uniform(state)


def test_random_moves_are_uniform_when_dice_are_chosen():
    assert uniform(say(table(), "roll 1 2 2 2 3 5 6 6", "sake 5"))
    assert uniform(say(table(), "roll 1 2 2 2 3 5 6 6", "sake 2"))
    assert uniform(say(table(), "roll 1 1 2 2 2 3 3 6", "paint 4"))
    five = ["red.shift-singles", "orange.swap", "yellow.swap", "green.reroll-all", "blue.reroll-singles"]
    assert uniform(say(table(five=five), "roll 1 1 2 3 5 6 6 6", "paint 1"))
    five[0] = "red.reroll-multiples"
    assert uniform(say(table(five=five), "roll 1 2 2 3 3 6 6 6", "paint 1"))


@pytest.mark.parametrize("others", [[], ["red.swap"], ["red.swap", "red.swap", "green.swap"]])
def test_random_exchanges_are_uniform(others):
    five = ["red.swap", "orange.swap", "yellow.reroll-all", "green.reroll-all", "blue.reroll-singles"]
    components = many_tokens()
    components["daruma"][5]["count"] = 5
    state = fortune(table(4, five=five, components=components), *others)
    say(state, "roll 2 2 2 3 3 3 5 5", "stop")
    fortune(state, "purple.swap", "blue.swap", "gold.fictive-four")
    assert uniform(say(state, "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1"))


def test_moves_are_the_same_at_the_same_number_and_far_below_the_limit():
    for players in SPEC.seats:
        core = table(players).core
        assert core.max_moves <= 8192
        assert core.observation_size <= 4096


CHECKSUMS = {
    (2, "fr"): (270, 5938856573334973266),
    (2, "es"): (270, 5938856573334973266),
    (3, "fr"): (444, 11692323415191293961),
    (3, "es"): (455, 17710350855615476892),
    (4, "fr"): (381, 10721610178838635746),
    (4, "es"): (482, 16289687289216303870),
    (5, "fr"): (536, 8308351086607106825),
    (5, "es"): (503, 4103648965019099740),
}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", ["fr", "es"])
def test_compiled_and_plain_rules_play_the_same_games(players, edition):
    """The generator's state after five random games, and how many decisions they had: the same everywhere."""
    start = tsukimi.new("daruma", players=players, chance="manual", edition=edition).core
    rng = Rng(players)
    decisions = start.playouts(rng, 5)
    assert (decisions, rng.state) == CHECKSUMS[players, edition]


def test_the_numbers_of_the_compiled_modules_are_those_of_the_plain_ones():
    text = (SPEC.folder / "position.pxd").read_text("utf-8")
    numbers = re.findall(r"^    ([A-Z_]+) = (-?\d+)$", text, re.MULTILINE)
    assert len(numbers) > 40
    for name, value in numbers:
        assert getattr(codes, name) == int(value)
