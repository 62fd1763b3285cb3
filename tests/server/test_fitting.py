"""Adaptive bots at a server's tables: as strong as the last games say, from the first move of a game to its last."""

from __future__ import annotations

import time

import pytest

from server.http_world import browser, person_of, world
from tsukimi.bots import Fit
from tsukimi.server.accounts import progress
from tsukimi.server.tables.fitting import NAME, Fits
from tsukimi.table import commands


@pytest.fixture(scope="module")
def served():
    with world(make_tables=None, bot_processes=1, bot_ms=40.0, rate=0.0) as built:
        yield built


def opened(served, visitor, players=2, bots=("adaptive",)):
    body = {"game": "daruma", "players": players, "bots": list(bots), "start": True}
    table = visitor.post("/api/tables", json=body).json()["id"]
    return served.test_portal.call(served.state.tables.live, table)


def fits(served, visitor) -> Fits:
    return served.test_portal.call(progress.read, served.state.store, person_of(served, visitor), NAME, Fits) or {}


def lose(served, visitor, live) -> None:
    person = person_of(served, visitor)
    served.test_portal.call(live.submit, lambda table: commands.resign(table, person))
    assert live.table.status == "over"


def until(condition) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_after_a_loss_the_next_bots_are_weaker_also_in_a_rematch_and_with_another_number_of_seats(served):
    ana = browser(served)
    first = opened(served, ana)
    assert first.table.seats[1].level == Fit().bot
    assert first.info().seats[1].level == "adaptive"
    meanwhile = opened(served, ana)
    lose(served, ana, first)
    after = Fit(round(Fit().strength)).after(0.0)
    until(lambda: fits(served, ana) == {"daruma/2": after})
    assert meanwhile.table.seats[1].level == Fit().bot  # it never changes during a game
    portal, tables = served.test_portal, served.state.tables
    person = portal.call(served.state.store.person, person_of(served, ana))
    again = portal.call(tables.live, portal.call(tables.rematch, first, person, "again"))
    assert again.table.seats[1].level == after.bot and again.info().seats[1].level == "adaptive"
    assert opened(served, ana, 3, ["adaptive"] * 2).table.seats[2].level == after.bot
    lose(served, ana, meanwhile)
    until(lambda: fits(served, ana) == {"daruma/2": after.after(0.0)})
    assert opened(served, browser(served)).table.seats[1].level == Fit().bot


def test_games_with_other_bots_teach_it_nothing(served):
    bo = browser(served)
    lose(served, bo, opened(served, bo, bots=["novice"]))
    last = opened(served, bo)
    lose(served, bo, last)
    until(lambda: fits(served, bo))
    assert fits(served, bo) == {"daruma/2": Fit(round(Fit().strength)).after(0.0)}
