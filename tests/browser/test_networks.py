"""The host's neural networks are among the opponents, where they can play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bots.test_net import saved
from browser.visitor import Visitor
from server.live import Live, serving

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, web: Path) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("networks")
    saved(folder / "dojo.npz")
    networks = {"tanuki": str(folder / "dojo.npz")}
    with serving(folder, web=str(web), bot_ms=20.0, networks=networks) as found:
        yield found


@pytest.mark.parametrize(
    ("lang", "name"),
    [("en", "Neural network: tanuki"), ("fr", "Réseau de neurones\u00a0: tanuki"), ("es", "Red neuronal: tanuki")],
)
def test_a_network_is_offered_for_the_game_the_players_and_the_options_that_it_knows(
    lang: str, name: str, visit: Visit
) -> None:
    ana = visit("Ana", lang=lang, phone=lang == "fr")
    ana.home()
    card = ana.card("dojo")
    option = card.get_by_test_id("level").locator("option[value='net:tanuki']")
    expect(option).to_have_text(name)
    expect(ana.card("daruma").get_by_test_id("level").locator("option[value='net:tanuki']")).to_have_count(0)
    card.get_by_test_id("level").select_option("net:tanuki")
    card.get_by_test_id("players").select_option("4")
    expect(option).to_have_count(0)
    expect(card.get_by_test_id("level")).to_have_value("regular")
    card.get_by_test_id("players").select_option("3")
    expect(card.get_by_test_id("level")).to_have_value("net:tanuki")
    card.get_by_test_id("beginner").check()
    expect(option).to_have_count(0)
    card.get_by_test_id("beginner").uncheck()
    ana.tap(card.get_by_test_id("play-bots"))
    ana.page.wait_for_selector("[data-testid=board]")
    ana.press("seat-1")
    expect(ana.find("seat-dialog")).to_contain_text(name)


def test_a_network_is_given_a_seat_at_an_open_table_and_plays(visit: Visit) -> None:
    ana = visit("Ana")
    ana.open_table("dojo", 3)
    ana.fill_with_bots("net:tanuki")
    expect(ana.find("seat-1").locator("select")).to_have_value("net:tanuki")
    ana.start()
    ana.home()
    expect(ana.card("charuma").get_by_test_id("level")).to_have_value("novice")
