"""The dashboard and the alert rules name metrics that exist, with labels that they have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from server.http_world import browser, world

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = re.compile(r"\b(?:tsukimi|process)_\w+")
GROUPED = re.compile(r"by \(([^)]*)\)")
ADDED = {"instance", "job", "le"}  # by Prometheus, and by every histogram


def dashboard() -> list[str]:
    panels = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", [])]


def alerts() -> list[dict[str, object]]:
    groups = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


@pytest.fixture(scope="module")
def metrics() -> dict[str, set[str]]:
    """What /metrics has: the names of the samples, with the names of their labels."""
    with world() as built:
        near = browser(built, known=False, address="127.0.0.1")
        near.get("/api/lobby")
        found: dict[str, set[str]] = {}
        for family in text_string_to_metric_families(near.get("/metrics").text):
            declared = getattr(built.state.metrics.registry, "_names_to_collectors", {}).get(family.name)
            labels = set(getattr(declared, "_labelnames", ()))
            suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(family.type, ("",))
            for suffix in suffixes:
                found[family.name.removesuffix("_total") + suffix] = labels
        return found


@pytest.mark.parametrize("expression", [*dashboard(), *(str(rule["expr"]) for rule in alerts())])
def test_every_metric_and_label_that_is_named_exists(metrics, expression):
    names = NAME.findall(expression)
    for name in names:
        assert name in metrics, f"{name} in {expression}"
    known = ADDED.union(*(metrics[name] for name in names))
    for group in GROUPED.findall(expression):
        assert {label.strip() for label in group.split(",")} <= known, expression
    for pair in ("()", "[]", "{}"):
        assert expression.count(pair[0]) == expression.count(pair[1]), expression


def test_the_dashboard_shows_every_metric_of_ours(metrics):
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for name in NAME.findall(" ".join(dashboard()))}
    ours = {re.sub(r"_(bucket|sum|count)$", "", name) for name in metrics if name.startswith("tsukimi_")}
    assert ours - shown == {"tsukimi_info"}


def test_panels_have_titles_and_do_not_overlap():
    panels = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 20
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["title"]
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not taken & cells, panel["title"]
        taken |= cells


def test_every_alert_says_what_is_wrong_and_how_urgent_it_is():
    rules = alerts()
    assert len({rule["alert"] for rule in rules}) == len(rules) > 10
    for rule in rules:
        assert rule["labels"]["severity"] in ("page", "ticket", "info")
        assert rule["annotations"]["summary"]
