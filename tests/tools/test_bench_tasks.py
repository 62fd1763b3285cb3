"""Long benchmarks keep every result, and go on where a run was stopped or killed."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))
from tasks import Kept, results


def power(number, exponent):
    return number**exponent


def test_only_what_is_missing_is_played(tmp_path):
    file = tmp_path / "lines.jsonl"
    kept = Kept(file)
    kept.add((2, 3), -1)
    assert sorted(results(power, [(2, 3), (3, 2), (5, 1)], kept, 1, minutes=1)) == [(3, 2), (5, 1)]
    again = Kept(file)
    assert [again.get(*task) for task in [(2, 3), (3, 2), (5, 1), (7, 7)]] == [-1, 9, 5, None]
    assert list(results(power, [(3, 2), (5, 1)], again, 1, minutes=1)) == []
    assert Kept(file, fresh=True).get(3, 2) is None


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    file = tmp_path / "lines.jsonl"
    Kept(file).add((2, 3), 8)
    with file.open("a") as opened:
        opened.write('{"task": [3, 2], "res')
    kept = Kept(file)
    assert kept.get(2, 3) == 8
    assert kept.get(3, 2) is None
    assert list(results(power, [(2, 3), (3, 2)], kept, 1, minutes=1)) == [(3, 2)]
    assert [Kept(file).get(2, 3), Kept(file).get(3, 2)] == [8, 9]


def test_nothing_starts_when_the_time_is_up(tmp_path):
    kept = Kept(tmp_path / "lines.jsonl")
    assert list(results(power, [(2, 3)], kept, 1, minutes=0)) == []
