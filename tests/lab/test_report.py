"""`tsukimi report`: one page that needs nothing else, with the figures of the simulation."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from cli.typist import run
from tsukimi.games import spec
from tsukimi.lab.report import page, plan
from tsukimi.lab.simulation import Simulation, simulate
from tsukimi.lab.summary import summary, unequal

SECTIONS = ("In short", "Is it balanced?", "Scores", "How long is it?", "When is the winner known?", "What is strong")


def reported(monkeypatch, tmp_path, *words):
    out = tmp_path / "page.html"
    done = run(monkeypatch, "report", *words, "--seed", "1", "--processes", "1", "--out", str(out))
    assert (done.code, done.err) == (0, "")
    assert str(out) in done.out
    return out.read_text("utf-8")


def drawn(text):
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


@pytest.mark.compiled
def test_the_page_of_any_game_stands_alone(monkeypatch, tmp_path):
    for game in ("leduc", "charuma"):
        text = reported(monkeypatch, tmp_path, game, "--games", "12", "--bots", "random", "--variants", "2")
        assert all(section in text for section in SECTIONS)
        assert not re.search(r"https?://|src=|href=|<script|@import|url\(", text)
        assert len(drawn(text)) >= 4
        assert all(svg.attrib["aria-label"] for svg in drawn(text))
        assert "nan" not in text.lower()
    assert "auction: off" in text
    assert all(f"{players} players" in text for players in spec("charuma").seats)


@pytest.mark.compiled
def test_two_component_files_stand_side_by_side(monkeypatch, tmp_path):
    own = (spec("daruma").folder / "components.toml").read_text("utf-8")
    more = tmp_path / "more-gold.toml"
    more.write_text(own.replace('action = "fictive-four"\ncount = 6', 'action = "fictive-four"\ncount = 8'), "utf-8")
    words = ["daruma", "--games", "12", "--bots", "random", "--variants", "0", "--compare", str(more)]
    text = reported(monkeypatch, tmp_path, *words)
    assert text.count("more-gold.toml") >= 2
    assert text.count("Luck and skill") == 2
    assert len(drawn(text)[0].findall("circle")) == 2 * 3, "each seat in both sets"


def test_the_figures_are_those_of_the_simulation():
    wanted = Simulation("leduc", 2, 200, "1")
    planned = plan(wanted, 0)
    figures = summary(wanted, simulate(wanted).tally)
    skilled = summary(planned.skill[0][1], simulate(planned.skill[0][1]).tally)
    text = page([("", figures)], [("", skilled)], [])
    for seat in figures["seats"]:
        assert f"{100 * seat['win_share']:.1f} %" in text
    assert f"The lead changes {figures['lead_changes']['mean']:.1f} times" in text


def test_a_seat_is_called_unequal_only_when_chance_would_hardly_do_it():
    def seats(*shares, games):
        rows = [{"seat": number, "win_share": share} for number, share in enumerate(shares, 1)]
        return {"players": len(rows), "games": games, "seats": rows}

    assert unequal(seats(0.45, 0.55, games=200)) == []
    assert [row["seat"] for row in unequal(seats(0.40, 0.60, games=200))] == [1, 2]


def test_a_match_is_a_page_with_its_ladder(tmp_path, monkeypatch):
    out = tmp_path / "match.html"
    words = ["arena", "dojo", "--players", "3", "--bots", "greedy,random", "--deals", "4", "--seed", "1"]
    assert run(monkeypatch, *words, "--out", str(out)).code == 0
    page = out.read_text("utf-8")
    assert "greedy is the strongest" in page
    assert page.index(">greedy</text>") < page.index(">random</text>"), "the best first"
    assert "equal: 33.3 %" in page
    assert "<script" not in page
