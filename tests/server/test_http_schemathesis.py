"""Schemathesis sends what the OpenAPI document allows, and what it does not; the server follows its own document."""

import asyncio
import tempfile
from functools import cache

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.python.asgi import get_client
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from server.http_world import HERE, FakeTables, passwords
from tsukimi.server import app
from tsukimi.server.config import Config
from tsukimi.server.http.openapi import document
from tsukimi.store import connect

assert passwords.MEMORY_KIB < 1000
# In a file, because Schemathesis closes and opens the application again between tests.
FOLDER = tempfile.TemporaryDirectory(prefix="tsukimi-")
BUILT = app.build(Config(database=f"sqlite:///{FOLDER.name}/t.db", secret="s" * 40, rate=0), FakeTables, [])
# What a name may be is more than a schema can say.
SOFTER = [positive_data_acceptance]


def schema():
    """The document for the test; the cookie is ours to send, not Schemathesis' to make up."""
    described = document()
    for methods in described["paths"].values():
        for method in methods.values():
            del method["security"]
    found = schemathesis.openapi.from_dict(described)
    found.app = BUILT
    return found


@cache
def cookie():
    with get_client(BUILT) as client:
        return client.get("/api/me").headers["set-cookie"].partition(";")[0]


@cache
def admin_cookie():
    """Of an administrator, who gets further."""
    with get_client(BUILT) as client:
        sent = client.get("/api/me").headers["set-cookie"].partition(";")[0]
        headers = {"Origin": HERE, "X-Tsukimi": "1", "Cookie": sent}
        client.post("/api/account", json={"name": "Hana", "password": "long enough"}, headers=headers)
    asyncio.run(_grant())
    return sent


async def _grant():
    store = connect(BUILT.state.config.database, beside=True)
    await store.open()
    await store.set_admin((await store.person_by_account("Hana")).id, True, 1, "test")
    await store.close()


@schema().parametrize()
@settings(max_examples=4, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_the_api_answers_as_documented(case):
    headers = {"Origin": HERE, "Cookie": admin_cookie() if "/admin/" in case.path else cookie()}
    if case.operation.method == "get":  # tried with other methods too; without the header they would get no further
        headers["X-Tsukimi"] = "1"
    response = case.call(headers=headers)
    too_large = [negative_data_rejection] if response.status_code == 413 else []  # refused before it is read
    case.validate_response(response, excluded_checks=[*SOFTER, *too_large])
