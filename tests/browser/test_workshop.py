"""The workshop: a pond changed by hand, played at a table, saved, exported, imported, shared; bad files are explained."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browser.test_accessible import check
from browser.visitor import Visitor

Visit = Callable[..., Visitor]


def test_a_pond_is_changed_by_hand_played_exported_imported_and_shared(visit: Visit, tmp_path: Path) -> None:
    ana = visit("Ana")
    ana.go("/workshop/china-moon")
    expect(ana.find("verdict")).to_have_text("It can be played.")
    ana.press("place-1")
    ana.press("add-pad")
    expect(ana.find("verdict")).to_have_text("It can be played.")
    pads = ana.find("pond-editor").get_by_role("button")
    expect(pads).to_have_count(49)  # 46 pads, the start, the goal, and the new one
    before = ana.find("place-n47").bounding_box()
    assert before is not None
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    ana.page.mouse.move(x, y)
    ana.page.mouse.down()
    ana.page.mouse.move(x + 60, y - 80, steps=4)
    ana.page.mouse.up()
    after = ana.find("place-n47").bounding_box()
    assert after is not None
    assert (round(after["x"] - before["x"], -1), round(after["y"] - before["y"], -1)) == (60, -80)
    ana.press("kind-lily")
    expect(ana.find("verdict")).to_contain_text("14 lily pads")
    expect(ana.find("try-set")).to_be_disabled()
    ana.press("kind-butterfly")
    ana.press("draw-way")
    ana.press("place-3")
    expect(ana.find("verdict")).to_have_text("It can be played.")
    check(ana)

    ana.find("set-name").fill("Long pond")
    ana.press("save-set")
    with ana.page.expect_download() as download:
        ana.press("export-set")
    file = tmp_path / "pond.toml"
    download.value.save_as(file)
    assert 'id = "n47"' in file.read_text("utf-8")
    ana.press("share-set")
    link = ana.find("share-link").input_value()
    ana.press("balance")
    expect(ana.find("balance-report")).to_contain_text("Seat 3", timeout=60_000)
    ana.press("try-set")
    ana.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    ana.until("ask", "wait")
    expect(ana.page.locator('[data-key="n47"]')).to_have_count(1)

    bruno = visit("Bruno", phone=True, lang="fr")
    bruno.go(link)
    expect(bruno.find("set-name")).to_have_value("Long pond")
    expect(bruno.find("place-n47")).to_have_count(1)
    bruno.go("/workshop/china-moon")
    expect(bruno.find("place-1")).to_have_count(1)
    expect(bruno.find("place-n47")).to_have_count(0)
    bruno.find("import-set").set_input_files(file)
    expect(bruno.find("place-n47")).to_have_count(1)
    check(bruno)


def test_a_bad_file_shows_the_problem_and_a_saved_set_is_offered_when_a_table_is_opened(visit: Visit) -> None:
    ana = visit("Ana")
    ana.go("/workshop/dojo")
    ana.press("as-text")
    text = ana.find("set-text").input_value()
    ana.find("set-text").fill(text.replace('"monkey"', '"cat"', 1))
    expect(ana.find("verdict")).to_contain_text("cat")
    ana.find("set-text").fill("tatami = = 1")
    expect(ana.find("verdict")).to_contain_text("line 1")
    ana.find("set-text").fill(text.replace("count = 2", "count = 9", 1))
    expect(ana.find("verdict")).to_have_text("It can be played.")
    ana.find("set-name").fill("Nine monkeys")
    ana.press("save-set")
    check(ana)
    ana.go("/")
    card = ana.find("game-dojo")
    ana.tap(card.get_by_test_id("card-options"))
    card.get_by_test_id("own-set").select_option(label="Nine monkeys")
    ana.tap(card.get_by_test_id("open-table"))
    expect(ana.find("own-components")).to_be_visible()
