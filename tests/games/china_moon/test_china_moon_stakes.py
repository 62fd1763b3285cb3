"""China Moon: everything that a move brings is known before it is made."""

from __future__ import annotations

from collections import Counter

import pytest

from conftest import COMPILED
from games.random_games import decisions, of_kind, the
from tsukimi.core.spec import SPECTATOR

GAMES = 3 if COMPILED else 1
ASKS = {"spring": "spring", "prankster": "trade", "butterfly": "drop"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_move_brings_what_its_stakes_say(players):
    seen = Counter()
    for state, seat, stakes in decisions("china-moon", players, GAMES):
        before = state.view(None)["points"]
        for text, found in stakes.items():
            seen.update(stake["kind"] for stake in found)
            after, move = state.core.copy(), state.parse(text, seat)
            after.apply(move, seat)
            event = state.spec.event(state.core, seat, move, after, SPECTATOR)
            change = {owner: new - old for owner, (old, new) in enumerate(zip(before, event["points"], strict=True))}
            expected = dict.fromkeys(range(players), 0)
            expected[seat] += (the(found, "points") or {"points": 0})["points"]
            for stake in of_kind(found, "their-points"):
                expected[stake["to"]] += stake["points"]
            assert expected == change
            assert (the(found, "ends") is not None) == after.over
            assert found
            if event["type"] == "drop":
                assert state.view(seat)["routes"][text] == [event["pad"]]
            if event["type"] == "move":
                gained = [leg["lily"] for leg in event["legs"] if "lily" in leg]
                gained += [event["prize"]] if "prize" in event else []
                assert Counter(stake["lily"] for stake in of_kind(found, "lily")) == Counter(gained)
                assert {stake.get("owner", seat) for stake in of_kind(found, "lily")} <= {event["owner"]}
                assert (the(found, "goal") or {"place": None})["place"] == event.get("place")
                asked = [ASKS[stake["kind"]] for stake in of_kind(found, *ASKS)]
                assert asked == ([event["asks"]] if "asks" in event else [])
                for stake in of_kind(found, "prankster", "butterfly"):
                    owner = event["owner"]
                    answers = [after.copy() for _ in after.actions(owner)]
                    for one, answer in zip(answers, after.actions(owner), strict=True):
                        one.apply(answer, owner)
                    assert stake["best"] == max(answer.scores()[owner] for answer in answers) - before[owner]
    assert {
        "points",
        "their-points",
        "lily",
        "goal",
        "ends",
        "even",
        "quiet",
        "prankster",
        "butterfly",
    } <= seen.keys()
