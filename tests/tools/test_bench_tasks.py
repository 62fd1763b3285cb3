"""Long benchmarks keep every result, and resume where a run was stopped or killed."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))
from tasks import ResultFile, results


def power(number, exponent):
    return number**exponent


def test_only_what_is_missing_is_played(tmp_path):
    file = tmp_path / "lines.jsonl"
    stored = ResultFile(file)
    stored.add((2, 3), -1)
    assert sorted(results(power, [(2, 3), (3, 2), (5, 1)], stored, 1, minutes=1)) == [(3, 2), (5, 1)]
    again = ResultFile(file)
    assert [again.get(*task) for task in [(2, 3), (3, 2), (5, 1), (7, 7)]] == [-1, 9, 5, None]
    assert list(results(power, [(3, 2), (5, 1)], again, 1, minutes=1)) == []
    assert ResultFile(file, fresh=True).get(3, 2) is None


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    file = tmp_path / "lines.jsonl"
    ResultFile(file).add((2, 3), 8)
    with file.open("a") as opened:
        opened.write('{"task": [3, 2], "res')
    stored = ResultFile(file)
    assert stored.get(2, 3) == 8
    assert stored.get(3, 2) is None
    assert list(results(power, [(2, 3), (3, 2)], stored, 1, minutes=1)) == [(3, 2)]
    assert [ResultFile(file).get(2, 3), ResultFile(file).get(3, 2)] == [8, 9]


def test_nothing_starts_when_the_time_is_up(tmp_path):
    stored = ResultFile(tmp_path / "lines.jsonl")
    assert list(results(power, [(2, 3)], stored, 1, minutes=0)) == []
