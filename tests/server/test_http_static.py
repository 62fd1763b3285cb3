"""The built client as it is served."""

import gzip
import os

import pytest

from server.http_world import browser, world

SCRIPT = b"console.log('moon')"


@pytest.fixture
def web(tmp_path):
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Tsukimi</title>")
    (folder / "assets" / "index-Dk3x_9aB.js").write_bytes(SCRIPT)
    (folder / "assets" / "index-Dk3x_9aB.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "assets" / "font.woff2").write_bytes(b"font")
    (folder / "moon.svg").write_text("<svg/>")
    (folder / "index.js.map").write_text("{}")
    (tmp_path / "outside.txt").write_text("secret")
    os.symlink(tmp_path / "outside.txt", folder / "link.txt")
    return folder


def test_every_page_of_the_client_is_its_index(web):
    with world(web=str(web)) as built:
        ana = browser(built, known=False)
        for path in (
            "/",
            "/t/abc",
            "/t/abc/replay?seat=open&at=3",
            "/me",
            "/ratings",
            "/ratings/dojo",
            "/rules/dojo",
            "/people/abc",
        ):
            answer = ana.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
            assert "Tsukimi" in answer.text and answer.headers["cache-control"] == "no-cache"


def test_hashed_files_are_kept_for_ever_and_others_are_asked_for_again(web):
    with world(web=str(web)) as built:
        ana = browser(built, known=False)
        script = ana.get("/assets/index-Dk3x_9aB.js", headers={"Accept-Encoding": "identity"})
        assert script.content == SCRIPT and script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert ana.get("/moon.svg").headers["cache-control"] == "no-cache"
        assert ana.get("/moon.svg").headers["content-type"].startswith("image/svg+xml")
        assert ana.get("/assets/font.woff2").headers["cache-control"] == "no-cache"
        assert ana.get("/assets/font.woff2").headers["content-type"] == "font/woff2"


def test_what_the_browser_has_is_not_sent_again(web):
    with world(web=str(web)) as built:
        ana = browser(built, known=False)
        etag = ana.get("/moon.svg").headers["etag"]
        again = ana.get("/moon.svg", headers={"If-None-Match": f'"other", W/{etag}'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        assert ana.get("/moon.svg", headers={"If-None-Match": '"other"'}).status_code == 200
        head = ana.head("/moon.svg")
        assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", "6")


def test_packed_files_go_to_those_who_take_them(web):
    with world(web=str(web)) as built:
        ana = browser(built, known=False)
        packed = ana.get("/assets/index-Dk3x_9aB.js", headers={"Accept-Encoding": "br, gzip"})
        assert packed.headers["content-encoding"] == "gzip" and packed.content == SCRIPT
        assert packed.headers["vary"] == "accept-encoding"
        plain = ana.get("/assets/index-Dk3x_9aB.js", headers={"Accept-Encoding": "gzip;q=0"})
        assert "content-encoding" not in plain.headers and plain.headers["etag"] != packed.headers["etag"]


def test_nothing_else_can_be_had(web):
    with world(web=str(web)) as built:
        ana = browser(built, known=False)
        for path in (
            "/../outside.txt", "/%2e%2e/outside.txt", "/..%2foutside.txt", "/link.txt", "/index.js.map", "/none",
            "/assets/index-Dk3x_9aB.js.gz", "/assets", "//etc/passwd", "/assets/..%5c..%5coutside.txt", "/t/a/b/c",
        ):  # fmt: skip
            answer = ana.get(path)
            assert answer.status_code == 404 and "secret" not in answer.text, path
        shown = ana.get("/none", headers={"Accept": "text/html,*/*"})
        assert shown.status_code == 404 and "Tsukimi" in shown.text
        assert ana.post("/").status_code == 405


def test_a_rebuilt_client_is_served_without_a_restart(web):
    with world(web=str(web)) as built:
        ana = browser(built, known=False)
        assert ana.get("/new.txt").status_code == 404
        (web / "new.txt").write_text("new")
        os.utime(web / "index.html", (1, 1))
        assert ana.get("/new.txt").text == "new"


def test_without_a_built_client_the_server_runs_and_says_what_to_do(tmp_path):
    with world(web=str(tmp_path)) as built:
        answer = browser(built, **{"Accept-Language": "es"}).get("/")
        assert answer.status_code == 503 and "npm run build" in answer.text and 'lang="es"' in answer.text
        assert browser(built).get("/api/me").status_code == 200
