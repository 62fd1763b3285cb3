"""Counters, gauges and histograms in Prometheus' text format. One `Metrics` per application, without a dependency.

moves = metrics.counter("tsukimi_moves_total", "Moves made.", ("game",))
moves.add(1, "daruma")
metrics.gauge("tsukimi_tables", "Tables in memory.", read=lambda: len(tables))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
TYPE = "text/plain; version=0.0.4; charset=utf-8"
Labels = tuple[str, ...]
M = TypeVar("M", bound="_Metric")


class _Metric:
    kind = ""

    def __init__(self, name: str, text: str, labels: Sequence[str]) -> None:
        self.name = name
        self.text = text
        self.labels = tuple(labels)

    def lines(self) -> list[str]:
        raise NotImplementedError

    def _mark(self, values: Labels, *more: tuple[str, str]) -> str:
        if len(values) != len(self.labels):
            raise ValueError(f"{self.name} has the labels {self.labels}, not {values}")
        pairs = [*zip(self.labels, values, strict=True), *more]
        return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in pairs) + "}" if pairs else ""


class Counter(_Metric):
    """A number that only grows."""

    kind = "counter"

    def __init__(self, name: str, text: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, text, labels)
        self.values: dict[Labels, float] = {} if self.labels else {(): 0}

    def add(self, amount: float = 1, *labels: str) -> None:
        self.values[labels] = self.values.get(labels, 0) + amount

    def lines(self) -> list[str]:
        return [f"{self.name}{self._mark(labels)} {_number(value)}" for labels, value in self.values.items()]


class Gauge(Counter):
    """A number that goes up and down; `read` asks for it when it is wanted."""

    kind = "gauge"

    def __init__(
        self, name: str, text: str, labels: Sequence[str] = (), read: Callable[[], float] | None = None
    ) -> None:
        super().__init__(name, text, labels)
        self.read = read

    def set(self, value: float, *labels: str) -> None:
        self.values[labels] = value

    def lines(self) -> list[str]:
        if self.read is not None:
            self.values[()] = self.read()
        return super().lines()


class Histogram(_Metric):
    """How often a measured value was how large."""

    kind = "histogram"

    def __init__(self, name: str, text: str, labels: Sequence[str] = (), bounds: Sequence[float] = SECONDS) -> None:
        super().__init__(name, text, labels)
        self.bounds = tuple(bounds)
        self.counts: dict[Labels, list[int]] = {}
        self.sums: dict[Labels, float] = {}

    def observe(self, value: float, *labels: str) -> None:
        counts = self.counts.get(labels)
        if counts is None:
            counts = self.counts[labels] = [0] * (len(self.bounds) + 1)
            self.sums[labels] = 0.0
        counts[bisect_left(self.bounds, value)] += 1
        self.sums[labels] += value

    def lines(self) -> list[str]:
        out = []
        for labels, counts in self.counts.items():
            total = 0
            for bound, count in zip([*map(_number, self.bounds), "+Inf"], counts, strict=True):
                total += count
                out.append(f"{self.name}_bucket{self._mark(labels, ('le', bound))} {total}")
            out.append(f"{self.name}_sum{self._mark(labels)} {_number(self.sums[labels])}")
            out.append(f"{self.name}_count{self._mark(labels)} {total}")
        return out


class Metrics:
    """All metrics of an application. Asking for a name again gives the same metric."""

    def __init__(self) -> None:
        self._all: dict[str, _Metric] = {}

    def counter(self, name: str, text: str, labels: Sequence[str] = ()) -> Counter:
        return self._known(Counter(name, text, labels))

    def gauge(self, name: str, text: str, labels: Sequence[str] = (), read: Callable[[], float] | None = None) -> Gauge:
        gauge = self._known(Gauge(name, text, labels))
        gauge.read = read or gauge.read
        return gauge

    def histogram(
        self, name: str, text: str, labels: Sequence[str] = (), bounds: Sequence[float] = SECONDS
    ) -> Histogram:
        return self._known(Histogram(name, text, labels, bounds))

    def _known(self, metric: M) -> M:
        found = self._all.setdefault(metric.name, metric)
        if not isinstance(found, type(metric)) or found.labels != metric.labels:
            raise ValueError(f"{metric.name} is known as another metric")
        return found

    def render(self) -> str:
        out = []
        for metric in self._all.values():
            out += [f"# HELP {metric.name} {metric.text}", f"# TYPE {metric.name} {metric.kind}", *metric.lines()]
        return "\n".join(out) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
