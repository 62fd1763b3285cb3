"""What the API says about the games: the list, their messages and their rules, in three languages."""

import re
from dataclasses import replace
from importlib import import_module

import pytest

from server.http_world import browser, world
from tsukimi.cli import guide as cli_guide
from tsukimi.core import catalogue
from tsukimi.core.catalogue import LANGUAGES
from tsukimi.games import names
from tsukimi.server.http import game_texts


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_game_has_a_title_and_a_summary(lang):
    with world() as built:
        games = browser(built, known=False).get(f"/api/games?lang={lang}").json()
    assert [game["name"] for game in games] == names()
    assert all(game["title"] and game["summary"] for game in games)
    assert {game["name"]: game["board"] for game in games} == {
        name: game_texts.spec(name).web_board for name in names()
    }
    assert next(game for game in games if game["name"] == "daruma")["has_components"]


def test_the_summaries_are_in_the_language_asked_for():
    with world() as built:
        ana = browser(built, known=False)
        found = {lang: ana.get(f"/api/games?lang={lang}").json()[0]["summary"] for lang in LANGUAGES}
    assert len({*found.values()}) == len(LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_messages_name_every_option_and_its_values(name, lang):
    with world() as built:
        ana = browser(built, known=False)
        options = next(game for game in ana.get("/api/games").json() if game["name"] == name)["options"]
        messages = ana.get(f"/api/games/{name}/messages?lang={lang}").json()
    own_board = game_texts.spec(name).web_board
    assert ({"ask", "log", "word", "error"} if own_board else {"log", "word"}) <= messages.keys()
    wanted = {option for option in options if option != "first"}
    wanted |= {f"{option}={value}" for option in wanted for value in options[option]}
    texts = messages.get("option", {}).keys()
    assert {key for key in texts if not key.endswith(".about")} == wanted
    assert texts <= wanted | {f"{option}.about" for option in options}


def test_messages_are_sent_once_and_asked_for_again_only_if_they_changed():
    with world() as built:
        ana = browser(built, known=False)
        first = ana.get("/api/games/dojo/messages?lang=fr", headers={"accept-encoding": "gzip"})
        assert first.headers["content-encoding"] == "gzip"
        assert first.headers["cache-control"] == "no-cache"
        again = ana.get("/api/games/dojo/messages?lang=fr", headers={"if-none-match": first.headers["etag"]})
        other = ana.get("/api/games/dojo/messages?lang=es", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (other.status_code, other.json()["web"]["pass"]) == (200, "Pasar")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_every_guide_keeps_its_anchors_and_nothing_else_of_its_comments(name, lang):
    with world() as built:
        html = browser(built, known=False).get(f"/api/games/{name}/guide?lang={lang}").json()["html"]
    source = (game_texts.spec(name).folder / "guide" / f"{lang}.md").read_text("utf-8")
    source = re.sub(r"(?s)<!-- terminal -->.*?<!-- /terminal -->", "", source)
    assert re.findall(r'id="rule-([\w-]+)"', html) == re.findall(r"<!-- anchor: ([\w-]+) -->", source)
    assert "<!--" not in html
    assert "&lt;!--" not in html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["charuma", "china-moon", "daruma", "dojo"])
def test_the_rules_in_the_browser_say_nothing_about_typing(name, lang):
    """No notation, no files, no seats called p1; the terminal has them."""
    guide = game_texts.guide(name, lang)
    for html in (guide.html, guide.brief):
        assert "<code>" not in html
        assert not re.search(r"\bp[1-5]\b|TOML", html)
    full = cli_guide.text(game_texts.spec(name), lang)
    assert "`tsukimi play" in full
    assert "<!-- terminal" not in full


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["charuma", "china-moon", "daruma", "dojo"])
def test_the_rules_in_three_minutes_are_short_and_show_things_that_are_explained(name, lang):
    brief = game_texts.guide(name, lang).brief
    words = len(re.sub(r"<[^>]*>", " ", brief).split())
    assert 120 < words < 450
    shown = [key for keys in re.findall(r'data-pictures="([^"]*)"', brief) for key in keys.split()]
    assert len(shown) > 5
    assert {*shown} <= catalogue.messages(name, lang)["explain"].keys()


@pytest.fixture
def outside(monkeypatch, tmp_path):
    """A game from an external package: a name, no board of its own, texts only in English."""
    (tmp_path / "messages").mkdir()
    (tmp_path / "messages" / "en.toml").write_text(
        '[game]\ntitle = "Toy"\nsummary = "A toy."\n\n[ask]\nmove = "Move."\n'
    )
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide" / "en.md").write_text("# Toy\n")
    toy = replace(game_texts.spec("dojo"), name="toy", web_board="", folder=tmp_path)
    catalogue.register("toy", tmp_path / "messages")
    games = import_module("tsukimi.games")
    entries, load = games._entries(), games._load
    monkeypatch.setattr(games, "_entries", lambda: {**entries, "toy": toy})
    monkeypatch.setattr(games, "_load", lambda entry: entry if entry is toy else load(entry))
    caches = (game_texts.games, game_texts.messages, game_texts.guide, catalogue.messages)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def test_a_game_of_someone_else_is_served_like_ours(outside):
    with world() as built:
        ana = browser(built, known=False)
        for lang in LANGUAGES:
            [toy] = [game for game in ana.get(f"/api/games?lang={lang}").json() if game["name"] == "toy"]
            assert (toy["title"], toy["summary"], toy["duration"], toy["board"]) == ("Toy", "A toy.", "", "")
            assert toy["has_components"] is False and toy["options"]["belt"][0] == "classic"
            assert ana.get(f"/api/games/toy/messages?lang={lang}").json()["ask"] == {"move": "Move."}
            assert ana.get(f"/api/games/toy/guide?lang={lang}").json() == {
                "html": "<h1>Toy</h1>\n",
                "brief": "",
                "openings": "",
            }
        assert ana.get("/api/ratings/toy").json() == []


@pytest.mark.parametrize("path", ["messages", "guide"])
@pytest.mark.parametrize(("game", "lang", "status"), [("chess", "en", 404), ("..", "en", 404), ("dojo", "de", 400)])
def test_unknown_games_and_languages_are_refused(path, game, lang, status):
    with world() as built:
        answer = browser(built, known=False).get(f"/api/games/{game}/{path}?lang={lang}")
    assert answer.status_code == status


def test_a_heading_gets_the_anchor_under_it_and_a_paragraph_the_one_before_it():
    html = game_texts.html("## Auction\n<!-- anchor: auction -->\n\nBid.\n\n<!-- anchor: x -->\n\nsecond")
    assert html == '<h2 id="rule-auction">Auction</h2>\n<p>Bid.</p>\n<p id="rule-x">second</p>\n'


def test_tables_scroll_on_their_own_and_name_their_columns():
    html = game_texts.html("| led | must |\n|---|---|\n| one | **two** |")
    assert html.startswith('<div class="scroll" tabindex="0" role="group">')
    assert '<th scope="col">led</th>' in html
    assert "<td><strong>two</strong></td>" in html
    assert html.rstrip().endswith("</div>")


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "before <b onclick=alert(1)>bold</b>",
        "<script>alert(1)</script>",
        "[x](javascript:alert(1)) [y](//evil.example) ![z](data:text/html,x)",
        "<!-- anchor: x --> <script>alert(1)</script>",
        "`<b>` and\n\n```\n<script>\n```",
    ],
)
def test_no_markup_of_a_text_gets_through(text):
    html = game_texts.html(text)
    assert not re.search(r"<(?!/?(p|code|pre)\b)", html), html
    assert "href" not in html


def test_links_within_the_site_and_to_the_web_work():
    html = game_texts.html("[here](/rules/dojo) [there](https://example.org/)")
    assert re.findall('href="([^"]+)"', html) == ["/rules/dojo", "https://example.org/"]
