"""Every test that takes `url` runs within the process and over Redis."""

from __future__ import annotations

import pytest

from services import redis_server  # noqa: F401


@pytest.fixture(params=["local", "redis"])
def url(request) -> str | None:
    return None if request.param == "local" else request.getfixturevalue("redis_server").url
