"""What ended connections leave behind is taken away, seldom and rather in a calm second."""

from __future__ import annotations

import gc
import weakref

import pytest

from tsukimi.server import garbage
from tsukimi.server.garbage import Garbage


class Circle:
    def __init__(self) -> None:
        self.itself = self


def left_behind() -> weakref.ref[Circle]:
    return weakref.ref(Circle())


@pytest.fixture
def no_collector():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_it_is_taken_away_after_many_connections_in_a_calm_second() -> None:
    found, circle = Garbage(), left_behind()
    found.ended = garbage.MANY - 1
    assert not found.tidy(calm=True)
    found.ended += 1
    assert not found.tidy(calm=False)
    assert circle() is not None
    assert found.tidy(calm=True)
    assert circle() is None
    assert not found.tidy(calm=True), "from now on it is counted anew"


@pytest.mark.usefixtures("no_collector")
def test_very_much_of_it_is_taken_away_in_any_second() -> None:
    found, circle = Garbage(), left_behind()
    found.ended = 10 * garbage.MANY
    assert found.tidy(calm=False)
    assert circle() is None


def test_after_a_long_time_a_little_of_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Garbage()
    assert not found.tidy(calm=True)
    monkeypatch.setattr(garbage, "LONG", -1.0)
    assert found.tidy(calm=True)
