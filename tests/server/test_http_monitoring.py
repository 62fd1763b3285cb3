"""Logs and metrics: useful, and without secrets."""

import asyncio
import io
import json
import logging
import shutil
import time

import pytest
from prometheus_client.parser import text_string_to_metric_families

import tsukimi
from server.http_world import browser, program, refused, world
from tsukimi.server.monitoring import logs, loop, readiness
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.store import Unavailable


@pytest.fixture
def lines():
    """All that is logged, as JSON lines; the loggers are as before afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("debug", "json", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = before
    root.setLevel(level)


def test_a_request_leaves_one_line_with_its_route_and_number(lines):
    with world() as built:
        ana = browser(built)
        answer = ana.get("/api/tables/known?x=y")
        [line] = [line for line in lines() if line.get("route") == "/api/tables/{id}"]
        assert line.keys() == {
            "at",
            "level",
            "from",
            "event",
            "request",
            "method",
            "route",
            "status",
            "ms",
            "address",
        }
        assert line["request"] == answer.headers["x-request-id"]
        assert (line["status"], line["address"], line["event"]) == (200, "198.51.100.7", "request")


def test_no_secret_and_nothing_said_reaches_the_log(lines):
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # the test's own client
    with world() as built:
        ana = browser(built)
        link = ana.post("/api/me/link").json()["link"]
        token = ana.post("/api/me/token", json={"label": "my-label"}).json()["token"]
        ana.post("/api/account", json={"name": "ana-account", "password": "hunter2hunter2"})
        ana.get(link), ana.post(link), ana.get(link.upper()), ana.get("/typo" + link)
        program(built, token).get("/api/me")
        ana.get("/t/table-id-secret"), ana.get("/api/tables/table-id-secret"), ana.get("/api/tables/broken")
        with ana.websocket_connect("/ws/table/table-id-secret"):
            pass
        text = json.dumps([line for line in lines() if line["from"].startswith(("tsukimi", "uvicorn"))])
        assert "/ws/table/{id}" in text and "/p/{token}" in text
        secrets = [link[3:], link[3:].upper(), token, *ana.cookies["tsukimi"].split("."), "hunter2", "table-id-secret"]
        for secret in [*secrets, "my-label", "ana-account", "s" * 40]:
            assert secret not in text


def test_a_readable_line_cannot_be_forged():
    record = logging.LogRecord("tsukimi", logging.INFO, "", 1, "hello\n2026 forged", (), None)
    record.fields = {"name": "a\nb", "n": 1}
    line = logs.TextFormatter().format(record)
    assert "\n" not in line and "n=1" in line and line.startswith("20")
    assert "\n" not in logs.JsonFormatter().format(record)


def test_a_fault_is_logged_with_its_trace(lines):
    with world() as built:
        answer = browser(built).get("/api/tables/broken")
        found = next(line for line in lines() if line["event"] == "request failed")
        assert "RuntimeError" in found["trace"] and found["request"] == answer.headers["x-request-id"]


def test_every_application_has_metrics_of_its_own():
    one, other = Metrics(), Metrics()
    one.moves.labels("daruma").inc(3)
    assert b'tsukimi_moves_total{game="daruma"} 3.0\n' in one.render()
    assert b"tsukimi_moves_total{" not in other.render()


def test_metrics_are_in_the_text_format_of_prometheus():
    with world() as built:
        text = browser(built, known=False, address="127.0.0.1").get("/metrics").text
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert {
        "tsukimi_http_requests", "tsukimi_http_seconds", "tsukimi_sockets", "tsukimi_socket_handshakes", "tsukimi_moves",
        "tsukimi_tables_opened", "tsukimi_tables_loaded", "tsukimi_connections", "tsukimi_bots_thinking", "tsukimi_info",
        "tsukimi_store_queue", "tsukimi_disk_free_bytes", "tsukimi_loop_lag_seconds", "tsukimi_bus_healthy", "tsukimi_reports",
        "tsukimi_store_errors", "tsukimi_tables_quarantined",
        "process_resident_memory_bytes", "process_start_time_seconds",
    } <= families.keys()  # fmt: skip
    assert not [name for name in families if name.endswith("_created")]
    assert all(family.documentation for family in families.values())


def test_metrics_count_requests_by_route_and_are_only_for_this_machine():
    with world() as built:
        refused(browser(built).get("/metrics"), 403, "server-metrics")
        near = browser(built, known=False, address="127.0.0.1")
        near.get("/api/tables/known")
        answer = near.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert 'tsukimi_http_requests_total{method="GET",route="/api/tables/{id}",status="200"} 1.0\n' in answer.text
        assert 'tsukimi_http_seconds_count{route="/api/tables/{id}"} 1.0\n' in answer.text
        assert f'tsukimi_info{{version="{tsukimi.__version__}"}} 1.0\n' in answer.text
        # An unknown proxy on this machine forwards requests from anywhere.
        refused(near.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}), 403, "server-metrics")


def test_metrics_are_for_named_networks_and_for_a_token():
    with world(metrics_from=["198.51.100.0/24"], metrics_token="a token") as built:
        assert browser(built).get("/metrics").status_code == 200
        far = browser(built, known=False, address="203.0.113.1")
        refused(far.get("/metrics"), 403, "server-metrics")
        refused(far.get("/metrics", headers={"Authorization": "Bearer wrong"}), 403, "server-metrics")
        assert far.get("/metrics", headers={"Authorization": "Bearer a token"}).status_code == 200


def test_metrics_count_open_sockets():
    with world() as built:
        ana = browser(built)
        near = browser(built, known=False, address="127.0.0.1")
        with ana.websocket_connect("/ws/lobby") as socket:
            socket.receive_text()
        text = near.get("/metrics").text
        assert "tsukimi_sockets 0.0\n" in text
        assert 'tsukimi_socket_handshakes_total{accepted="yes",route="/ws/lobby"} 1.0\n' in text


def test_a_database_that_fails_is_reported_once_and_the_server_is_not_ready(lines, tmp_path, monkeypatch):
    monkeypatch.setattr(readiness, "PROBE_EVERY_S", 0.0)
    monkeypatch.setattr(readiness, "FAILED_FOR_S", 0.0)
    with world(database=f"sqlite:///{tmp_path}/t.db") as built:
        ana, near = browser(built), browser(built, known=False, address="127.0.0.1")
        assert ana.get("/readyz").status_code == 200
        database = built.state.store._db
        database.execute("pragma query_only = on")  # as if the disk were full or broken
        for _ in range(3):
            refused(ana.patch("/api/me", json={"name": "Ana"}), 503, "server-unavailable")
            answer = ana.get("/readyz")
            assert (answer.status_code, answer.json()["store"]) == (503, False)
        assert ana.get("/healthz").status_code == 200
        [line] = [line for line in lines() if line["level"] == "error"]
        assert (line["event"], line["problem"].split(":")[:2]) == ("the database failed", ["SQLite", " ReadOnlyError"])
        assert "tsukimi_store_errors_total 6.0\n" in near.get("/metrics").text
        database.execute("pragma query_only = off")
        assert ana.patch("/api/me", json={"name": "Ana"}).status_code == 200
        assert ana.get("/readyz").status_code == 200


def test_after_a_failure_that_only_some_requests_meet_the_server_is_not_ready_for_a_while(monkeypatch):
    monkeypatch.setattr(readiness, "FAILED_FOR_S", 0.5)
    with world() as built:
        ana = browser(built)
        assert ana.get("/readyz").status_code == 200
        built.state.store.on_failure(Unavailable("SQLite: CorruptError: database disk image is malformed"))
        assert ana.get("/readyz").status_code == 503
        time.sleep(0.6)
        assert ana.get("/readyz").status_code == 200


def test_a_nearly_full_disk_is_reported_before_writes_fail(tmp_path, monkeypatch):
    with world(database=f"sqlite:///{tmp_path}/t.db") as built:
        near = browser(built, known=False, address="127.0.0.1")
        answer = near.get("/readyz").json()
        assert (answer["ready"], answer["disk"]) == (True, True)
        assert answer["disk_free_bytes"] > 0
        monkeypatch.setattr(readiness.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 5_000))
        answer = near.get("/readyz")
        assert answer.status_code == 503
        assert (answer.json()["disk"], answer.json()["store"], answer.json()["disk_free_bytes"]) == (False, True, 5_000)
        assert near.get("/healthz").status_code == 200
        assert "tsukimi_disk_free_bytes 5000.0\n" in near.get("/metrics").text
    with world() as built:  # in memory
        assert browser(built).get("/readyz").json()["disk_free_bytes"] is None


def test_a_loop_that_stands_still_is_measured_and_a_worker_that_does_is_not_ready(monkeypatch):
    monkeypatch.setattr(loop, "EVERY_S", 0.02)
    monkeypatch.setattr(readiness, "MOST_LAG_S", 0.2)
    with world() as built:
        near = browser(built, known=False, address="127.0.0.1")
        assert near.get("/readyz").json()["loop"] is True
        built.test_portal.call(time.sleep, 0.4)  # on the event loop
        time.sleep(0.1)
        answer = near.get("/readyz")
        assert (answer.status_code, answer.json()["loop"]) == (503, False)
        assert answer.json()["loop_lag_ms"] >= 300
        families = {one.name: one for one in text_string_to_metric_families(near.get("/metrics").text)}
        slow = [
            sample
            for sample in families["tsukimi_loop_lag_seconds"].samples
            if sample.labels.get("le") in ("0.25", "+Inf")
        ]
        assert slow[0].value < slow[1].value


def test_what_waits_for_the_database_is_counted():
    with world() as built:
        store = built.state.store

        async def asked():
            waiting = [asyncio.ensure_future(store.last_action()) for _ in range(5)]
            await asyncio.sleep(0)
            found = store.waiting
            await asyncio.gather(*waiting)
            return found, store.waiting

        assert built.test_portal.call(asked) == (5, 0)
