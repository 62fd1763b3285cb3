"""The generators: fair, the same in every build, and unpredictable."""

from __future__ import annotations

import hmac
from collections import Counter

import pytest

from tsukimi.core.rng import Rng
from tsukimi.core.source import Source


def test_splitmix_gives_its_published_numbers():
    rng = Rng(1234567)
    assert [rng.number() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_every_number_below_n_is_as_likely():
    rng = Rng(1)
    counts = Counter(rng.randrange(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5  # chi-square, 5 degrees, p = 0.001


def test_a_bound_that_divides_badly_is_fair_too():
    rng, n = Rng(2), 3 * 2**30
    low = sum(rng.randrange(n) < 2**30 for _ in range(30_000))
    assert abs(low - 10_000) < 330


@pytest.mark.parametrize("n", [0, -1, 2**32])
def test_a_bound_out_of_range_is_refused(n):
    with pytest.raises(ValueError, match="randrange"):
        Rng(1).randrange(n)


def test_event_n_depends_only_on_the_key_and_n():
    one, two = Source.of("a"), Source.of("a")
    first = [one.next().number() for _ in range(5)]
    assert first == [two.next().number() for _ in range(5)]
    assert len(set(first)) == 5
    late = Source(one.__getstate__()[0], count=3)
    assert late.next().number() == first[3]


def test_a_fork_reveals_nothing_of_its_parent_and_is_reproducible():
    one, two = Source.of(1), Source.of(1)
    forks = [one.fork(), one.fork(), two.fork()]
    numbers = [fork.next().number() for fork in forks]
    assert numbers[0] == numbers[2] != numbers[1]
    assert one.next().number() not in numbers


@pytest.mark.parametrize("key", [b"", b"k", b"k" * 32, b"k" * 64, b"k" * 65, b"k" * 200])
def test_event_number_n_follows_from_the_key_and_n_by_hmac(key):
    source = Source(key, count=12)
    number = hmac.digest(key, b"event 12", "sha256")
    assert source.next().number() == Rng(int.from_bytes(number[:8], "big")).number()
