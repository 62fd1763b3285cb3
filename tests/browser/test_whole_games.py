"""For each game: two people, one on a phone and one at a desk, and a bot play to the end by touching the board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.taps import BOARDS, Player, play_together
from browser.visitor import Visitor
from tsukimi import cli

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_two_people_and_a_bot_play_a_whole_game_by_touching_the_board(game: str, visit: Visit, tmp_path: Path) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True, theme="paper")
    link = ana.open_table(game)
    assert "/t/" in link
    bruno.join(link)
    expect(ana.find("seat-1")).to_contain_text("Bruno")
    for visitor in (ana, bruno):
        visitor.check_width()
    ana.fill_with_bots()
    ana.start()
    bruno.page.wait_for_selector("[data-testid=board]")

    players = [Player(ana, game, 1), Player(bruno, game, 2)]
    play_together(players, 4)
    for visitor in (ana, bruno):
        visitor.check_width()
    play_together(players)

    assert ana.played > 5
    assert bruno.played > 5
    assert sum(player.listed for player in players) <= 0.1 * (ana.played + bruno.played), [
        player.listed for player in players
    ]
    for visitor in (ana, bruno):
        visitor.find("result").wait_for()
        visitor.check_width()
        sheet = visitor.find("score-sheet")
        expect(sheet.locator("thead th")).to_have_count(3)
        expect(sheet.locator("tr.total td")).to_have_count(3)
        expect(sheet.locator("thead th.won")).not_to_have_count(0)
        expect(visitor.find("verdict")).to_contain_text("You ")
    won = ana.find("score-sheet").locator("thead th.won").all_inner_texts()
    assert all(name.strip() in ana.find("result").inner_text() for name in won)

    zoe = visit("Zoe", motion=True, pace="calm")
    zoe.go(link)
    expect(zoe.find("score-sheet")).to_have_attribute("data-counted", "false")
    zoe.press("skip-count")
    expect(zoe.find("score-sheet")).to_have_attribute("data-counted", "true")
    assert (
        zoe.find("score-sheet").locator("tr.total").inner_text()
        == ana.find("score-sheet").locator("tr.total").inner_text()
    )

    with bruno.page.expect_download() as coming:
        bruno.press("record")
    record = tmp_path / coming.value.suggested_filename
    coming.value.save_as(record)
    bruno.tap(bruno.find("fairness").locator("summary"))
    promised = bruno.find("fairness").locator("dd").first.inner_text()
    assert cli.main(["replay", str(record), "--verify", "--commitment", promised]) == 0
