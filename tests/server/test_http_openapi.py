"""The OpenAPI document matches the server."""

import re
from pathlib import Path

from server.http_world import browser, world
from tsukimi.server.http.openapi import document
from tsukimi.server.http.routes import ROUTES

ROOT = Path(__file__).parents[2]


def references(data):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from [value] if key == "$ref" else references(value)
    elif isinstance(data, list):
        for value in data:
            yield from references(value)


def test_every_route_is_in_the_document_with_its_body_and_answer():
    found = document()
    assert found["openapi"] == "3.1.0"
    assert {(path, method.upper()) for path, one in found["paths"].items() for method in one} == {
        (endpoint.path, endpoint.method) for endpoint in ROUTES
    }
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"].endswith("."), path
            names = [parameter["name"] for parameter in operation["parameters"]]
            assert [name for name in re.findall(r"{(\w+)}", path) if name not in names] == []
            assert ("X-Tsukimi" in names) == (method != "get")
            assert {"200", "400", "429"} <= operation["responses"].keys()
    numbers = [method["operationId"] for methods in found["paths"].values() for method in methods.values()]
    assert len(numbers) == len(set(numbers))


def test_every_reference_leads_somewhere_and_nothing_lies_about():
    found = document()
    names = {text.removeprefix("#/components/schemas/") for text in references(found)}
    assert names == found["components"]["schemas"].keys()


def test_the_document_is_served():
    with world() as built:
        answer = browser(built, known=False).get("/api/openapi.json")
        assert answer.json() == document()


def test_queries_and_bodies_come_from_the_structs():
    found = document()
    replay = found["paths"]["/api/tables/{id}/replay"]["get"]
    assert [parameter["name"] for parameter in replay["parameters"]] == ["id", "seat", "from", "count"]
    body = found["paths"]["/api/tables"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/NewTable"}
    assert found["components"]["schemas"]["NewTable"]["additionalProperties"] is False


def test_every_route_is_in_the_guide():
    text = (ROOT / "docs" / "http.md").read_text("utf-8")
    for endpoint in ROUTES:
        assert f"`{endpoint.method} {endpoint.path}" in text, endpoint
