"""Neural networks at a server's tables: the host names the files, everyone else knows only the names."""

from __future__ import annotations

import asyncio

import pytest

from bots.test_net import saved
from server.live import serving
from server.sockets import around, fresh, play_out, refusal
from server.test_http_serve import fails
from tsukimi.client import Refused
from tsukimi.core.errors import BadOptions
from tsukimi.server import messages as m
from tsukimi.server.common.networks import Networks

SMALL = "net:small"
STAND_IN = "a network's bot cannot play; another one replaces it"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("networks")
    saved(folder / "dojo.npz")
    saved(folder / "daruma.npz", "daruma", 2)
    return folder


@pytest.fixture(scope="module")
def live(files, tmp_path_factory):
    networks = {"small": str(files / "dojo.npz"), "dice": str(files / "daruma.npz")}
    with serving(tmp_path_factory.mktemp("server"), bot_processes=1, networks=networks) as server:
        yield server


def test_it_plays_a_whole_game_at_a_table_and_again_in_a_rematch(live, caplog):
    async def play():
        async with around(live, "dojo", *fresh("Ana"), bots=[SMALL, SMALL]) as (ana,):
            assert [seat.level for seat in ana.table.seats] == [None, SMALL, SMALL]
            await play_out(ana)
            again = await ana.ask(m.Rematch("again"))
            info = await live.client("Bo").call("GET", f"/api/tables/{again.table}", None)
            assert [one["level"] for one in info["seats"]] == [None, SMALL, SMALL]
            return len(ana.table.result.scores)

    assert asyncio.run(play()) == 3
    assert STAND_IN not in caplog.text


def test_the_list_of_games_has_the_networks_but_no_files(live, files):
    games = asyncio.run(live.client("Ana").call("GET", "/api/games", None))
    networks = {game["name"]: game["networks"] for game in games}
    assert [(network["name"], network["players"]) for network in networks["dojo"]] == [("small", 3)]
    assert "first" not in networks["dojo"][0]["options"]
    assert networks["charuma"] == []
    assert str(files) not in str(games)


@pytest.mark.parametrize(
    ("game", "players", "more"),
    [
        ("dojo", 4, {}),
        ("dojo", 3, {"options": {"belt": "white"}}),
        ("daruma", 3, {}),
        ("china-moon", 3, {}),
    ],
)
def test_it_plays_what_it_was_trained_with_and_nothing_else(live, game, players, more):
    async def ask():
        await live.client("Ana").create(game, players, bots=[SMALL], **more)

    with pytest.raises(Refused) as caught:
        asyncio.run(ask())
    assert caught.value.code == "table-network"


def test_a_name_that_the_host_did_not_give_is_refused_and_so_is_a_path(live, files):
    async def ask(level):
        await live.client("Ana").create("dojo", 3, bots=[level])

    for level, code in [
        ("net:big", "table-network"),
        ("net:dojo.npz", "table-network"),
        (f"net:{files}/dojo.npz", "server-bad-request"),
        ("net:../x", "server-bad-request"),
        ("master\n", "table-network"),
    ]:
        with pytest.raises(Refused) as caught:
            asyncio.run(ask(level))
        assert caught.value.code == code, level


def test_the_host_gives_a_seat_to_it_and_then_the_game_cannot_become_another_one(live):
    async def play():
        async with around(live, "dojo", *fresh("Ana"), players=3, start=False) as (ana,):
            assert await refusal(ana, m.Bot("a", "net:dice", 1)) == "table-network"
            await ana.ask(m.Bot("b", SMALL, 1))
            assert await refusal(ana, m.Change("c", players=4)) == "table-network"
            assert await refusal(ana, m.Change("d", options={"belt": "white"})) == "table-network"
            await ana.ask(m.Change("e", options={"first": "p2"}))
            await ana.ask(m.Bot("f", "regular", 1))
            await ana.ask(m.Change("g", players=4))

    asyncio.run(play())


def test_another_bot_plays_on_for_a_network_whose_file_is_gone(tmp_path, caplog):
    path = tmp_path / "gone.npz"
    saved(path)

    async def play(live):
        async with around(live, "dojo", *fresh("Ana"), bots=["net:gone"] * 2, start=False) as (ana,):
            path.unlink()
            await ana.ask(m.Start("s"))
            await play_out(ana)
            return ana.table.result.winners

    with serving(tmp_path, bot_processes=1, networks={"gone": str(path)}) as live:
        assert asyncio.run(play(live))
    assert STAND_IN in caplog.text


def test_one_that_is_no_longer_offered_or_has_other_components_does_not_play(files):
    networks = Networks({"small": str(files / "dojo.npz")})
    options = networks.of("dojo")[0].options
    assert networks.plays(SMALL, "dojo", 3, {**options, "first": "p2"}, None)
    assert not networks.plays(SMALL, "dojo", 3, options, {"cards": []})
    assert networks.bot("master") == "master"
    with pytest.raises(BadOptions):
        networks.bot("net:big")


def test_a_broken_or_missing_file_is_reported_at_the_start_in_one_line(tmp_path):
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no network")
    problem = fails(tmp_path, "--port", "0", TSUKIMI_NETWORKS=f"small={broken}")
    assert problem == f"tsukimi: The network {broken} cannot play here: not an .npz file\n"
    problem = fails(tmp_path, "--port", "0", "--lang", "fr", TSUKIMI_NETWORKS=f"small={tmp_path}/none.npz")
    assert problem.startswith("tsukimi: Le réseau") and "none.npz" in problem


def test_a_network_of_a_game_that_is_not_installed_is_a_bad_one(tmp_path):
    path = tmp_path / "a.npz"
    saved(path, "dojo", 3, options={"no": "such"})
    with pytest.raises(BadOptions) as caught:
        Networks({"small": str(path)})
    assert caught.value.code == "bad-network"
