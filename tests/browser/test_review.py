"""Review: asked for after a game, gone through, played on from; records brought in from files."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

import tsukimi
from browser.test_accessible import check
from browser.visitor import Visitor
from tsukimi import bots

Visit = Callable[..., Visitor]


def record(game: str = "daruma", players: int = 2, moves: int = 30) -> str:
    state = tsukimi.new(game, players=players, seed=6)
    seats = [bots.make("random", state, seed=seat) for seat in range(players)]
    while moves and not state.over:
        seat = state.actors[0]
        state.apply(seats[seat].choose(state, seat), seat)
        moves -= 1
    state.names = {0: "Naoko", 1: "Bruno"}
    return state.record()


def test_a_game_is_reviewed_after_its_end_and_played_on_from_a_decision(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("daruma", 2)
    ana.until("ask")
    ana.play_from_list()
    ana.menu()
    ana.press("resign")
    ana.press("sure")
    ana.find("result").wait_for()
    ana.tap(ana.find("result").get_by_test_id("to-review"))  # one press is enough
    expect(ana.find("review")).to_have_attribute("data-state", "done", timeout=60_000)
    players = ana.find("review-players").locator("tbody tr")
    expect(players).to_have_count(2)
    ana.find("review-all").check()
    decision = ana.find("decisions").get_by_test_id("decision").first
    ana.tap(decision)
    expect(decision).to_have_attribute("aria-current", "step")
    expect(ana.find("replay-at")).to_have_text(re.compile(r"^0 /"))
    shared = ana.page.url
    assert "review" in shared
    bruno = visit("Bruno", phone=True, lang="fr")
    bruno.go(shared)
    expect(bruno.find("review-players")).to_contain_text("Précision")
    check(bruno)
    ana.press("panel-play-on")
    ana.find("play-on-seat").select_option("1")
    ana.press("play-on-start")
    ana.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    ana.until("ask", "wait")
    expect(ana.find("seat-0")).to_contain_text("Kaguya")


def test_a_record_is_brought_in_and_a_bad_one_names_its_line(visit: Visit) -> None:
    ana = visit("Ana")
    ana.home()
    ana.press("bring-record")
    check(ana)
    good = record()
    ana.find("bring-text").fill(good + "p1 dance\n")
    ana.press("bring-start")
    expect(ana.find("bring-refused")).to_contain_text(f"Line {len(good.splitlines()) + 1}")
    ana.forgive("409")
    ana.find("bring-file").set_input_files({"name": "g.txt", "mimeType": "text/plain", "buffer": good.encode()})
    expect(ana.find("bring-text")).to_have_value(good)
    ana.press("bring-start")
    ana.press("ask-review")
    expect(ana.find("review")).to_have_attribute("data-state", "done", timeout=60_000)
    expect(ana.find("review-players")).to_contain_text("Naoko")
    ana.page.keyboard.press("Home")
    expect(ana.find("replay-at")).to_have_text(re.compile(r"^0 /"))
