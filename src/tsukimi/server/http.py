"""The HTTP API: who I am, tables, history, ratings. The route table is also what OpenAPI tells (docs/http.md)."""

from __future__ import annotations

import time
from typing import Any, Literal

import msgspec

from tsukimi.games import names
from tsukimi.server import api, game_texts, messages, people
from tsukimi.server.api import (
    GameKind,
    Link,
    Made,
    Me,
    PlayedGames,
    Profile,
    Ranked,
    Replay,
    Token,
    shown,
    standings,
)
from tsukimi.server.errors import ServerError, not_found
from tsukimi.server.names import cleaned
from tsukimi.server.routes import Ask, route
from tsukimi.store import Person, Store

LANGUAGES = ("en", "fr", "es")
RANKED_SECONDS = 10.0
PROFILE_GAMES = 20
PUBLIC = "public, max-age=300"  # a newly installed game appears soon


# ---- games -------------------------------------------------------------------------------------


@route("GET", "/api/games", list[GameKind], asks="anybody", query=api.Spoken)
async def games(ask: Ask) -> bytes:
    """The games that can be played, with their numbers of players, options and texts in a language."""
    ask.headers["cache-control"] = PUBLIC
    return game_texts.games(ask.query.lang)


@route("GET", "/api/games/{game}/messages", dict[str, Any], asks="anybody", query=api.Spoken, refuses=(404,))
async def game_messages(ask: Ask) -> bytes:
    """A game's catalogue of messages in a language: questions, log sentences, words, errors."""
    name = _game(ask)
    ask.headers["cache-control"] = PUBLIC
    return game_texts.messages(name, ask.query.lang)


@route("GET", "/api/games/{game}/guide", api.Guide, asks="anybody", query=api.Spoken, refuses=(404,))
async def game_guide(ask: Ask) -> api.Guide:
    """A game's rules text in a language, as HTML."""
    name = _game(ask)
    ask.headers["cache-control"] = PUBLIC
    return game_texts.guide(name, ask.query.lang)


def _game(ask: Ask) -> str:
    name = ask.path("game")
    if name not in names():
        raise not_found()
    return name


# ---- me ----------------------------------------------------------------------------------------


@route("GET", "/api/me", Me, asks="anybody", refuses=(403,))
async def me(ask: Ask) -> Me:
    """Who I am. The first time a guest is made, and a cookie that remembers it."""
    if ask.person is None:
        # Another site's page must not be able to make a browser forget who it was.
        if ask.request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise ServerError("server-origin", 403)
        ask.limit("guest", ask.caller.key)
        ask.person = await ask.people.guest(_spoken(ask.request.headers.get("accept-language", "")))
        ask.cookie = ask.person.id
    elif ask.people.is_old(ask.request.headers):
        ask.cookie = ask.person.id
    return await _me(ask)


@route("PATCH", "/api/me", Me, body=api.ChangeMe)
async def change_me(ask: Ask) -> Me:
    """Another name or language."""
    wish: api.ChangeMe = ask.body
    fields = {name: value for name, value in msgspec.structs.asdict(wish).items() if value is not msgspec.UNSET}
    ask.person = await ask.people.change(ask.me, **fields)
    return await _me(ask)


@route("POST", "/api/me/link", Link, asks="browser")
async def new_link(ask: Ask) -> Link:
    """A personal link, which brings this identity to another device. Former links end."""
    ask.limit("token", ask.me.id)
    return Link("/p/" + await ask.people.new_token(ask.me, people.LINK))


@route("DELETE", "/api/me/link", Me, asks="browser")
async def end_link(ask: Ask) -> Me:
    """The personal link opens nothing any more."""
    await ask.people.drop_tokens(ask.me, people.LINK)
    return await _me(ask)


@route("POST", "/api/me/token", Token, asks="browser", body=api.NewToken, refuses=(409,))
async def new_token(ask: Ask) -> Token:
    """A bearer token for a program that plays as me."""
    wish: api.NewToken = ask.body
    ask.limit("token", ask.me.id)
    return Token(await ask.people.new_token(ask.me, people.TOKEN, wish.label))


@route("GET", "/api/me/token", list[api.TokenInfo], asks="browser")
async def tokens(ask: Ask) -> list[api.TokenInfo]:
    """My bearer tokens, the newest first."""
    return await _tokens(ask)


@route("DELETE", "/api/me/token/{id}", list[api.TokenInfo], asks="browser", refuses=(404,))
async def end_token(ask: Ask) -> list[api.TokenInfo]:
    """One of my bearer tokens ends; those that are left."""
    await ask.people.drop_token(ask.me, ask.path("id"))
    return await _tokens(ask)


async def _tokens(ask: Ask) -> list[api.TokenInfo]:
    return [api.TokenInfo(people.token_id(one), one.label, one.at) for one in await ask.people.tokens(ask.me)]


@route("DELETE", "/api/me/token", Me, asks="browser")
async def end_tokens(ask: Ask) -> Me:
    """All my bearer tokens end."""
    await ask.people.drop_tokens(ask.me, people.TOKEN)
    return await _me(ask)


@route("POST", "/api/account", Me, asks="browser", body=api.Register, refuses=(409, 503))
async def register(ask: Ask) -> Me:
    """Give me a name and a password to log in with elsewhere. Games and ratings stay."""
    wish: api.Register = ask.body
    ask.limit("register", ask.caller.key)
    ask.person = await ask.people.register(ask.me, wish.name, wish.password)
    return await _me(ask)


@route("POST", "/api/login", Me, asks="anybody", body=api.Login, refuses=(401, 503))
async def login(ask: Ask) -> Me:
    """Become the person of an account."""
    wish: api.Login = ask.body
    ask.limit("login", ask.caller.key)
    ask.person = await ask.people.login(wish.name, wish.password)
    ask.cookie = ask.person.id
    return await _me(ask)


@route("POST", "/api/logout", Me, asks="browser")
async def logout(ask: Ask) -> Me:
    """Be a new guest on this device."""
    ask.limit("guest", ask.caller.key)
    ask.person = await ask.people.guest(ask.me.lang)
    ask.cookie = ask.person.id
    return await _me(ask)


@route("GET", "/api/me/games", PlayedGames, query=api.Page)
async def my_games(ask: Ask) -> PlayedGames:
    """My games, running and ended, the newest first."""
    page: api.Page = ask.query
    found, more = await ask.rooms.games_of(ask.me, page.page)
    return PlayedGames(found, more)


async def _me(ask: Ask) -> Me:
    person = ask.me
    lang = next((lang for lang in LANGUAGES if lang == person.lang), None)
    ratings = standings(await ask.store.ratings_of(person.id))
    return Me(person.handle, person.name, lang, person.account, ratings)  # type: ignore[arg-type]


def _spoken(accepted: str) -> str | None:
    """The first language of a browser's list that we speak; its order is the person's."""
    for part in accepted.split(",")[:10]:
        if (found := part.strip()[:2].lower()) in LANGUAGES:
            return found
    return None


# ---- tables ------------------------------------------------------------------------------------


@route("POST", "/api/tables", Made, body=api.NewTable, refuses=(409, 503))
async def new_table(ask: Ask) -> Made:
    """Open a table."""
    wish: api.NewTable = ask.body
    ask.limit("table", ask.me.id)
    name = None if wish.name is None else cleaned(wish.name)
    several = None if wish.names is None else [cleaned(one) for one in wish.names]
    wish = msgspec.structs.replace(wish, name=name, names=several)
    return Made(await ask.rooms.create(wish, ask.me))


@route("POST", "/api/match", Made, body=api.Match, refuses=(409, 503))
async def match(ask: Ask) -> Made:
    """Quick match: a seat at a waiting public table, or a new one that waits."""
    wish: api.Match = ask.body
    ask.limit("table", ask.me.id)
    return Made(await ask.rooms.match(ask.me, wish.game, wish.players))


@route("GET", "/api/tables/{id}", messages.TableInfo, asks="anybody", refuses=(404,))
async def table(ask: Ask) -> messages.TableInfo:
    """A table as anybody may know it who has its link."""
    return await ask.rooms.info(ask.path("id"))


@route("GET", "/api/tables/{id}/record", str, asks="anybody", refuses=(403, 404, 409))
async def record(ask: Ask) -> str:
    """The record of an ended game, for `tsukimi replay`."""
    name = ask.path("id")
    text = await ask.rooms.record(name)
    ask.headers["content-disposition"] = f'attachment; filename="tsukimi-{name}.txt"'
    return text


@route("GET", "/api/tables/{id}/replay", Replay, asks="anybody", query=api.ReplayPart, refuses=(403, 404, 409))
async def replay(ask: Ask) -> Replay:
    """An ended game, step by step, as a seat, a spectator or nobody at all (open) saw it."""
    part: api.ReplayPart = ask.query
    seat: int | Literal["open"] | None = None
    if part.seat != "spectator":
        seat = "open" if part.seat == "open" else int(part.seat)
    return await ask.rooms.replay(ask.path("id"), seat, part.start, part.count)


@route("GET", "/api/lobby", messages.Lobby, asks="anybody")
async def lobby(ask: Ask) -> messages.Lobby:
    """Open public tables, games to watch, my running games. Also told on /ws/lobby."""
    return await ask.rooms.lobby(ask.person)


# ---- people and ratings ------------------------------------------------------------------------


@route("GET", "/api/people/{who}", Profile, asks="anybody", refuses=(404,))
async def profile(ask: Ask) -> Profile:
    """What everybody may know of a person."""
    person = await ask.store.person_by_handle(ask.path("who"))
    if person is None:
        raise not_found()
    ratings = standings(await ask.store.ratings_of(person.id))
    return Profile(person.name, person.account, ratings, await _public_games(ask, person))


async def _public_games(ask: Ask, person: Person) -> list[api.PlayedGame]:
    """The last games of a person, without private tables: their ids are their keys."""
    found, _ = await ask.rooms.games_of(person, 0)
    facts = await ask.store.tables_of(person.id, limit=100)
    public = {fact.table for fact in facts if fact.public}
    ended = [game for game in found if game.ended is not None and game.id in public]
    return [msgspec.structs.replace(game, yours=False, asked=False) for game in ended[:PROFILE_GAMES]]


@route("GET", "/api/ratings/{game}", list[Ranked], asks="anybody", refuses=(404,))
async def ratings(ask: Ask) -> bytes:
    """The best players of a game."""
    game = _game(ask)
    # Everybody sees the same list: it is made anew only every few seconds.
    kept: dict[str, tuple[float, bytes]] = ask.request.app.state.ranked
    at, found = kept.get(game, (0.0, b""))
    if not found or time.monotonic() - at > RANKED_SECONDS:
        found = msgspec.json.encode(await _ranked(ask.store, game))
        kept[game] = (time.monotonic(), found)
    return found


async def _ranked(store: Store, game: str) -> list[Ranked]:
    rows = []
    for id, name, rating in await store.best(game, 50):
        person = await store.person(id)
        if person is not None:
            rows.append(Ranked(person.handle, name, shown(rating), rating.games))
    return rows
