"""What every request passes: origins, headers, sizes, rates, proxies."""

import pytest
from starlette.datastructures import Headers
from starlette.testclient import WebSocketDenialResponse

from server.http_world import HERE, browser, program, refused, world
from tsukimi.server.common.addresses import address_key
from tsukimi.server.common.limits import RATES, RateLimiter
from tsukimi.server.http.routes import ROUTES
from tsukimi.server.http.security import MAX_BODY_BYTES, UNSAFE, SecurityMiddleware

TABLE = {"game": "daruma", "players": 2}


def test_every_answer_has_strict_headers():
    with world(web="/nowhere") as built:
        ana = browser(built)
        for path in ("/", "/api/me", "/api/nothing", "/healthz", "/assets/none.js", "/p/x"):
            headers = ana.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self';")
            assert "connect-src 'self' ws://testserver wss://testserver;" in policy
            assert "frame-ancestors 'none'" in policy and "unsafe-eval" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
            assert "camera=()" in headers["permissions-policy"]
            assert "strict-transport-security" not in headers
            assert "access-control-allow-origin" not in headers
            assert headers["x-request-id"]


def test_https_is_to_stay():
    with world(proxies=["198.51.100.0/24"]) as built:
        answer = browser(built, **{"X-Forwarded-Proto": "https"}).get("/api/games")
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize("host", ["a b", "x;script-src *", "", "a/b", "[::1", "x" * 300, "a:b"])
def test_an_invalid_host_is_refused_and_reaches_no_header(host):
    with world() as built:
        answer = browser(built, known=False).get("/api/games", headers={"Host": host})
        refused(answer, 400, "server-host")
        assert "connect-src 'self';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (HERE, "testserver"),
        ("http://testserver:80", "testserver"),
        ("https://testserver", "testserver:443"),
        ("http://127.0.0.1:5173", "127.0.0.1:5173"),
        ("HTTP://TestServer", "testserver"),
        ("https://games.example.org", "inner:8377"),
        ("https://other.example", "inner:8377"),
        ("http://[::1]:8377", "[::1]:8377"),
    ],
)
def test_pages_of_this_host_and_of_the_configured_ones_may_change_things(origin, host):
    with world(public_url="https://games.example.org/", origins=["https://other.example"]) as built:
        ana = browser(built)
        assert ana.patch("/api/me", json={}, headers={"Origin": origin, "Host": host}).status_code == 200
        with ana.websocket_connect("/ws/lobby", headers={"Origin": origin, "Host": host}):
            pass


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://testserver.evil.example", "http://testserver:81", "null", "", "file://", "http://",
     "http://evil@testserver", "ftp://testserver", "http://[", "testserver"],
)  # fmt: skip
def test_pages_of_other_sites_may_neither_change_things_nor_open_sockets(origin):
    with world() as built:
        ana = browser(built)
        for method, path in [
            ("POST", "/api/tables"),
            ("PATCH", "/api/me"),
            ("DELETE", "/api/me/link"),
            ("POST", "/api/nothing"),
        ]:
            refused(ana.request(method, path, json=TABLE, headers={"Origin": origin}), 403, "server-origin")
        with (
            pytest.raises(WebSocketDenialResponse) as caught,
            ana.websocket_connect("/ws/lobby", headers={"Origin": origin}),
        ):
            pass
        refused(caught.value, 403, "server-origin")
        assert built.state.tables.asked == []


def test_without_an_origin_a_token_is_needed():
    with world() as built:
        ana = browser(built)
        nameless = program(built)
        nameless.cookies.update(ana.cookies)
        refused(nameless.post("/api/tables", json=TABLE), 403, "server-origin-missing")
        with pytest.raises(WebSocketDenialResponse) as caught, nameless.websocket_connect("/ws/table/known"):
            pass
        refused(caught.value, 403, "server-origin-missing")
        with pytest.raises(WebSocketDenialResponse) as caught, program(built, "wrong").websocket_connect("/ws/lobby"):
            pass
        refused(caught.value, 401, "server-token")


def test_what_a_plain_form_can_send_changes_nothing():
    with world() as built:
        ana = browser(built)
        for value in ("", "0", "true"):
            refused(ana.post("/api/tables", json=TABLE, headers={"X-Tsukimi": value}), 403, "server-header")
        refused(ana.post("/api/logout", headers={"X-Tsukimi": ""}), 403, "server-header")


def test_what_changes_something_is_asked_for_by_a_method_that_is_checked():
    assert {endpoint.method for endpoint in ROUTES} <= {"GET", *UNSAFE}


def test_a_preflight_gets_no_permission():
    with world() as built:
        asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        answer = browser(built).options("/api/tables", headers=asked)
        refused(answer, 405, "server-method")
        assert "access-control-allow-origin" not in answer.headers


def test_a_large_body_is_refused_with_or_without_a_content_length():
    with world() as built:
        ana = browser(built)
        json = {"Content-Type": "application/json"}
        large = b"[" * (MAX_BODY_BYTES + 1)
        answer = ana.post("/api/tables", content=large, headers=json)
        refused(answer, 413, "server-too-large")
        assert answer.headers["connection"] == "close"
        refused(
            ana.post("/api/tables", content=iter([large[:50_000], large[:50_000]]), headers=json),
            413,
            "server-too-large",
        )
        refused(
            ana.post("/api/tables", content=b"{}", headers={**json, "Content-Length": "-1"}), 413, "server-too-large"
        )
        refused(ana.post("/api/tables", content=b"[" * 60_000, headers=json), 400, "server-bad-request")


def test_a_path_with_a_null_in_it_is_nowhere():
    with world() as built:
        for path in ("/api/tables/a%00b", "/%00", "/t/%00", "/api/people/%00"):
            assert browser(built).get(path).status_code == 404


# ---- rates -------------------------------------------------------------------------------------


def test_a_bucket_empties_and_fills_again():
    now = [0.0]
    limiter = RateLimiter(clock=lambda: now[0])
    burst, rate = RATES["table"]
    waits = [limiter.acquire("table", "ana") for _ in range(int(burst) + 1)]
    assert waits == [0] * int(burst) + [pytest.approx(1 / rate)]
    assert limiter.acquire("table", "bruno") == 0
    now[0] += 1 / rate
    assert limiter.acquire("table", "ana") == 0 < limiter.acquire("table", "ana")
    now[0] += 1000
    assert [limiter.acquire("table", "ana") == 0 for _ in range(int(burst) + 1)] == [True] * int(burst) + [False]


def test_limits_can_be_wider_or_none():
    for factor, allowed in [(2, 2 * RATES["table"].burst), (0.01, 1), (0, 100)]:  # never nothing at all
        limiter = RateLimiter(factor, clock=lambda: 0.0)
        assert sum(limiter.acquire("table", "ana") == 0 for _ in range(100)) == allowed


def test_the_memory_of_limits_is_bounded():
    now = [0.0]
    limiter = RateLimiter(clock=lambda: now[0], max_buckets=100)
    for number in range(10_000):
        now[0] += 0.001
        limiter.acquire("login", f"203.0.113.{number}")
        assert len(limiter._buckets) <= 100


def test_a_household_of_ipv6_is_one():
    assert address_key("2001:db8:1:2::1") == address_key("2001:db8:1:2:ffff::9") != address_key("2001:db8:1:3::1")
    assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1") == "192.0.2.1"
    assert address_key("testclient") == "testclient"


def test_too_many_requests_get_the_time_to_retry():
    with world(rate=0.02) as built:  # 8 at once
        ana = browser(built, known=False)
        answers = [ana.get("/api/games") for _ in range(9)]
        assert [answer.status_code for answer in answers] == [200] * 8 + [429]
        assert refused(answers[-1], 429, "server-too-many")["params"] == {
            "seconds": int(answers[-1].headers["retry-after"])
        }
        assert browser(built, known=False, address="203.0.113.5").get("/api/games").status_code == 200


def test_new_sockets_are_counted_by_address():
    with world(rate=1 / 60) as built:  # 2 at once
        ana = browser(built, known=False)
        for _ in range(2):
            with ana.websocket_connect("/ws/lobby"):
                pass
        with pytest.raises(WebSocketDenialResponse) as caught, ana.websocket_connect("/ws/lobby"):
            pass
        refused(caught.value, 429, "server-too-many")


def test_a_person_is_counted_from_wherever_they_ask():
    with world(rate=0.05) as built:  # a person: 6 requests
        ana = browser(built)
        codes = []
        for number in range(8):
            device = browser(built, known=False, address=f"203.0.113.{number}")
            device.cookies.update(ana.cookies)
            codes.append(device.get("/api/lobby").status_code)
        assert codes == [200] * 6 + [429] * 2


def test_new_tables_are_counted_by_person():
    with world() as built:
        ana = browser(built)
        codes = [ana.post("/api/tables", json=TABLE).status_code for _ in range(21)]
        assert codes == [200] * 20 + [429]


# ---- proxies -----------------------------------------------------------------------------------


def address(built, peer, forwarded):
    """The caller that the security layer sees."""
    layer = built.middleware_stack
    while not isinstance(layer, SecurityMiddleware):
        layer = layer.app
    headers = Headers({"x-forwarded-for": forwarded} if forwarded is not None else {})
    return layer.identify({"client": (peer, 1), "scheme": "http"}, headers)


def test_only_a_trusted_proxy_is_believed_about_the_address():
    with world(proxies=["10.0.0.0/8", "::1"]) as built:
        assert address(built, "10.0.0.1", "203.0.113.7").address == "203.0.113.7"
        assert address(built, "::1", "203.0.113.7").address == "203.0.113.7"
        assert address(built, "::ffff:10.0.0.1", "203.0.113.7").address == "203.0.113.7"
        assert address(built, "10.0.0.1", "6.6.6.6, 203.0.113.7").address == "203.0.113.7"
        assert address(built, "10.0.0.1", "203.0.113.7, 10.0.0.9").address == "203.0.113.7"
        assert address(built, "10.0.0.1", "nonsense").address == "10.0.0.1"
        assert address(built, "10.0.0.1", None).address == "10.0.0.1"
        stranger = address(built, "198.51.100.1", "203.0.113.7")
        assert stranger.address == "198.51.100.1" and not stranger.trusted
        assert address(built, "198.51.100.1", None).trusted
