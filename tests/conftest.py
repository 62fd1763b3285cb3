"""Which build is under test, and a promise that the continuous integration skips nothing."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import tsukimi.core.game

BUILD = os.environ.get("TSUKIMI_BUILD", "")
COMPILED = Path(tsukimi.core.game.__file__).suffix != ".py"

settings.register_profile(
    "tsukimi",
    max_examples=60 if COMPILED else 25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("tsukimi")


def pytest_report_header() -> str:
    return f"tsukimi: {'compiled' if COMPILED else 'plain Python'}, from {Path(tsukimi.__file__).parent}"


def pytest_sessionstart() -> None:
    if BUILD == "plain" and COMPILED:
        raise pytest.UsageError("the plain suite found compiled modules")
    if BUILD in ("compiled", "sanitized") and not COMPILED:
        message = f"the {BUILD} suite found plain modules only: is there a C compiler with Python's headers?"
        if os.environ.get("TSUKIMI_NO_SKIPS"):
            raise pytest.UsageError(message)
        pytest.exit(f"SKIPPED: {message}", returncode=0)


ONCE = {"browser", "bus", "server", "store", "tools"}  # no rules in there: one build is enough
TIMED = {"browser", "bus", "server", "store"}  # real sockets, processes and time: a busy machine may be late
IN_C = {"bots", "conformance", "core", "examples", "games", "golden"}  # what the bounds-checked build is for


def pytest_collection_modifyitems(config, items) -> None:
    """What is asked of one build alone is not asked of the others."""
    dropped = [item for item in items if not _asked(item)]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if _asked(item)]
    for item in items:
        if _folder(item) in TIMED or item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.flaky(reruns=1))  # the summary names every test that needed it


def _folder(item) -> str:
    return Path(item.path).relative_to(Path(__file__).parent).parts[0]


def _asked(item) -> bool:
    folder = _folder(item)
    if BUILD == "sanitized":
        return folder in IN_C
    return COMPILED or not (folder in ONCE or item.get_closest_marker("compiled"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("TSUKIMI_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which is forbidden here: {report.longrepr}"
