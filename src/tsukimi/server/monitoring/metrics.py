"""All metrics of one application, in its own registry: several applications may run in one process."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from prometheus_client.metrics import disable_created_metrics

from tsukimi import __version__

__all__ = ["CONTENT_TYPE", "Metrics"]

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
disable_created_metrics()  # type: ignore[no-untyped-call]  # a second time series for every counter


class Metrics:
    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        Info("tsukimi", "The running version.", registry=registry).info({"version": __version__})
        self.requests = Counter(
            "tsukimi_http_requests_total", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self.seconds = Histogram(
            "tsukimi_http_seconds", "Time to answer a request.", ("route",), buckets=SECONDS, registry=registry
        )
        self.sockets = Gauge("tsukimi_sockets", "Open WebSocket connections.", registry=registry)
        self.handshakes = Counter(
            "tsukimi_socket_handshakes_total", "WebSocket handshakes.", ("route", "accepted"), registry=registry
        )
        self.refused = Counter(
            "tsukimi_refused_total", "Requests and messages over a rate limit.", ("limit",), registry=registry
        )
        self.dropped = Counter(
            "tsukimi_dropped_total", "Connections closed or not accepted.", ("reason",), registry=registry
        )
        self.queued = Gauge("tsukimi_queued_bytes", "Bytes that wait for slow readers.", registry=registry)
        self.moves = Counter("tsukimi_moves_total", "Moves made at this worker.", ("game",), registry=registry)
        self.tables_opened = Counter(
            "tsukimi_tables_opened_total", "Tables opened at this worker.", ("game",), registry=registry
        )
        self.tables_expired = Counter(
            "tsukimi_tables_expired_total", "Tables closed because nobody came back.", registry=registry
        )
        self.quarantined = Counter(
            "tsukimi_tables_quarantined_total", "Tables set aside because their log cannot be read.", registry=registry
        )
        self.store_errors = Counter(
            "tsukimi_store_errors_total", "Failures of the database: unreachable, full, damaged.", registry=registry
        )
        self.store_queue = Gauge("tsukimi_store_queue", "Requests that wait for the database.", registry=registry)
        self.disk_free = Gauge(
            "tsukimi_disk_free_bytes", "Free space where the database file is; NaN with PostgreSQL.", registry=registry
        )
        self.loop_lag = Histogram(
            "tsukimi_loop_lag_seconds", "How late the event loop runs what is due.", buckets=SECONDS, registry=registry
        )
        self.bus_healthy = Gauge(
            "tsukimi_bus_healthy", "1 while messages to other workers get through.", registry=registry
        )
        self.reports = Counter("tsukimi_reports_total", "Reports by players at this worker.", registry=registry)
        self.tables = Gauge("tsukimi_tables_loaded", "Tables in memory.", registry=registry)
        self.connections = Gauge("tsukimi_connections", "Sockets at tables.", registry=registry)
        self.bots = Gauge("tsukimi_bots_thinking", "Bots that are thinking, hints included.", registry=registry)
        self.bot_queue = Gauge("tsukimi_bot_queue", "Bots' moves and hints that wait for a process.", registry=registry)
        self.bot_wait = Histogram(
            "tsukimi_bot_wait_seconds", "Time in the bots' queue.", buckets=SECONDS, registry=registry
        )

    def render(self) -> bytes:
        return generate_latest(self.registry)
