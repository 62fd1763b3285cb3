"""People, their tokens and their ratings."""

from __future__ import annotations

import asyncio

import pytest

from store.made import person, rows, summary
from tsukimi.store import Conflict, Rating, RatingChanges, Row, StaleRatings, Token
from tsukimi.store.moderation import Report


def test_a_person_is_found_by_id_handle_and_account(use):
    async def work(store):
        ann = person("ann", lang="fr", account="Ann.Élan", password="$argon2id$..")
        await store.add_person(ann)
        await store.add_person(person("bob"))
        assert await store.person("ann") == ann
        assert await store.person_by_handle("@ann") == ann
        assert await store.person_by_account("ann.éLAN") == ann
        assert await store.person("bob") == person("bob")
        assert await store.person("eve") is None
        assert await store.person_by_handle("ann") is None
        assert await store.person_by_account("bob") is None

    use(work)


def test_account_names_are_unique_whatever_their_case(use):
    async def work(store):
        await store.add_person(person("ann", account="Straße"))
        await store.add_person(person("bob"))
        await store.add_person(person("eve"))
        with pytest.raises(Conflict):
            await store.add_person(person("dan", account="STRASSE"))
        with pytest.raises(Conflict):
            await store.update_person(person("bob"), person("bob", account="strasse"))
        assert await store.person("bob") == person("bob")
        assert await store.person("dan") is None
        ann, renamed = person("ann", account="Straße"), person("ann", account="STRASSE", name="Änne")
        assert await store.update_person(ann, renamed) == renamed
        assert (await store.person_by_account("strasse")).name == "Änne"
        await store.update_person(renamed, person("ann", account=None, name="Änne"))
        await store.update_person(person("bob"), person("bob", account="strasse"))
        assert (await store.person_by_account("Straße")).id == "bob"

    use(work)


def test_of_many_who_want_one_account_name_exactly_one_gets_it(use):
    async def work(store):
        tries = (store.add_person(person(f"p{n}", account="Moon")) for n in range(12))
        ends = await asyncio.gather(*tries, return_exceptions=True)
        assert ends.count(None) == 1
        assert all(end is None or isinstance(end, Conflict) for end in ends)

    use(work)


def test_ids_and_handles_are_unique_and_only_the_known_are_changed(use):
    async def work(store):
        await store.add_person(person("ann"))
        with pytest.raises(Conflict):
            await store.add_person(person("ann", handle="@other"))
        with pytest.raises(Conflict):
            await store.add_person(person("bob", handle="@ann"))
        with pytest.raises(Conflict):
            await store.update_person(person("bob"), person("bob", name="Bobby"))
        assert await store.person("bob") is None

    use(work)


def test_a_change_leaves_what_others_have_changed_since_and_two_changes_of_the_same_field_conflict(use):
    async def work(store):
        ann = person("ann")
        await store.add_person(ann)
        await store.update_person(ann, person("ann", account="moon", password="hash"))
        after = await store.update_person(ann, person("ann", name="Anna", lang="fr"))
        assert (
            after == await store.person("ann") == person("ann", name="Anna", lang="fr", account="moon", password="hash")
        )
        with pytest.raises(Conflict):
            await store.update_person(ann, person("ann", account="sun", password="other"))
        assert await store.person_by_account("sun") is None
        assert await store.update_person(ann, ann) == after

    use(work)


def test_tokens_are_found_by_their_digest_until_they_are_dropped(use):
    async def work(store):
        await store.add_token(b"\x01", "ann", "device", "phone", 1)
        await store.add_token(b"\x02", "ann", "device", "laptop", 2)
        await store.add_token(b"\x03", "ann", "api", "script", 3)
        await store.add_token(b"\x04", "bob", "device", "", 4)
        assert await store.token(b"\x02") == Token(b"\x02", "ann", "device", "laptop", 2)
        assert await store.token(b"\x05") is None
        with pytest.raises(Conflict):
            await store.add_token(b"\x01", "bob", "device", "", 5)
        assert [token.label for token in await store.tokens_of("ann")] == ["script", "laptop", "phone"]
        assert [token.label for token in await store.tokens_of("ann", "device")] == ["laptop", "phone"]
        await store.delete_token(b"\x01")
        assert await store.token(b"\x01") is None
        await store.delete_tokens("ann", "device")
        assert [token.label for token in await store.tokens_of("ann")] == ["script"]
        assert await store.token(b"\x04") is not None

    use(work)


async def rated(store, table: str, game: str, before: dict[str, Rating], after: dict[str, Rating]) -> None:
    """A table whose second row ends its game and changes ratings."""
    if await store.summary(table) is None:
        await store.create(summary(table), rows(0, 1))
    await store.append(table, rows(1, 1), summary(table, status="over"), RatingChanges(game, before, after))


def test_the_last_rows_of_a_game_and_its_ratings_are_written_together_and_once(use):
    async def work(store):
        after = {"ann": Rating(25.5, 8.25, 1), "bob": Rating(24.5, 8.0, 1)}
        ends = await asyncio.gather(*(rated(store, "t", "dojo", {}, after) for _ in range(6)), return_exceptions=True)
        assert ends.count(None) == 1
        assert sum(isinstance(end, Conflict) for end in ends) == 5
        assert await store.ratings("dojo", ["ann", "bob", "eve"]) == after
        assert await store.ratings("daruma", ["ann"]) == {}
        await rated(store, "u", "dojo", after, {"ann": Rating(26, 7, 2)})
        await rated(store, "v", "daruma", {}, {"ann": Rating(20, 8, 1)})
        assert await store.ratings_of("ann") == {"daruma": Rating(20, 8, 1), "dojo": Rating(26, 7, 2)}

    use(work)


def test_where_the_rows_cannot_be_appended_no_rating_changes(use):
    async def work(store):
        await store.create(summary("t"), rows(0, 3))
        with pytest.raises(Conflict) as refused:
            await rated(store, "t", "dojo", {}, {"ann": Rating(26, 8, 1)})
        assert not isinstance(refused.value, StaleRatings)
        assert await store.ratings("dojo", ["ann"]) == {}

    use(work)


def test_with_ratings_computed_from_outdated_ones_nothing_is_appended(use):
    async def work(store):
        ends = await asyncio.gather(
            *(rated(store, f"t{n}", "dojo", {}, {"ann": Rating(25 + n, 8, 1)}) for n in range(5)),
            return_exceptions=True,
        )
        assert ends.count(None) == 1
        assert sum(isinstance(end, StaleRatings) for end in ends) == 4
        [lost, *_] = [n for n, end in enumerate(ends) if end is not None]
        assert await store.read(f"t{lost}") == rows(0, 1)
        assert (await store.summary(f"t{lost}")).status == "playing"
        seen = await store.ratings("dojo", ["ann", "bob"])
        await rated(store, f"t{lost}", "dojo", seen, {"ann": Rating(27, 7, 2)})
        assert await store.read(f"t{lost}") == rows(0, 2)

    use(work)


def test_the_best_are_those_who_are_surely_strong(use):
    async def work(store):
        for id in ("ann", "bob", "eve"):
            await store.add_person(person(id))
        after = {"ann": Rating(30, 8, 1), "bob": Rating(25, 1, 50), "eve": Rating(26, 3, 9)}
        await rated(store, "t", "dojo", {}, after)
        await rated(store, "u", "daruma", {}, {"ann": Rating(40, 1, 1)})
        assert await store.leaderboard("dojo") == [
            (person("bob"), Rating(25, 1, 50)),
            (person("eve"), Rating(26, 3, 9)),
            (person("ann"), Rating(30, 8, 1)),
        ]
        assert [best.id for best, _ in await store.leaderboard("dojo", limit=1)] == ["bob"]

    use(work)


def test_a_token_is_put_over_one_of_the_named_kind_alone_and_taken_once(use):
    async def work(store):
        used = Token(b"\x01", "ann", "session", "phone", 1, 5)
        await store.put_token(used, over="session")
        later = Token(b"\x01", "ann", "session", "phone", 1, 9)
        await store.put_token(later, over="session")
        assert await store.token(b"\x01") == later
        ended = Token(b"\x01", "ann", "ended", "", 10)
        await store.put_token(ended, over="session")
        await store.put_token(used, over="session")
        assert await store.token(b"\x01") == ended
        assert await store.take_token(b"\x01", "session") is None
        taken = await asyncio.gather(*(store.take_token(b"\x01", "ended") for _ in range(5)))
        assert sorted(map(bool, taken)) == [False] * 4 + [True] and ended in taken

    use(work)


def test_tokens_of_a_kind_are_replaced_together(use):
    async def work(store):
        await store.add_token(b"\x01", "ann", "code", "", 1)
        await store.add_token(b"\x02", "ann", "api", "", 1)
        await store.add_token(b"\x03", "bob", "code", "", 1)
        await store.replace_tokens("ann", "code", [Token(bytes([n]), "ann", "code", "", 2) for n in (5, 6)])
        assert sorted(token.digest for token in await store.tokens_of("ann")) == [b"\x02", b"\x05", b"\x06"]
        with pytest.raises(Conflict):
            await store.replace_tokens("ann", "code", [Token(b"\x03", "ann", "code", "", 3)])
        assert len(await store.tokens_of("ann", "code")) == 2

    use(work)


def test_a_deleted_person_leaves_no_token_no_rating_and_no_name(use):
    async def work(store):
        await store.add_person(person("ann", account="Moon", email="ann@example.org"))
        await store.add_person(person("bob"))
        for who in ("ann", "bob"):
            await store.add_token(who.encode(), who, "api", "", 1)
            await store.add_speaker(who, "t")
            await store.add_speaker(who, "t")
        await rated(store, "t", "dojo", {}, {"ann": Rating(25, 8, 1), "bob": Rating(25, 8, 1)})
        assert await store.spoken_at("ann") == ["t"]
        for number, (reporter, about) in enumerate([("ann", "bob"), ("bob", "ann"), ("bob", "ann")], start=1):
            await store.add_report(Report(0, 5, reporter, about, "t", "chat", "", []), 9)
            if number < 3:
                await store.resolve_report(number, "done", 6, "host")
        await store.delete_person("ann")
        assert [report.number for report in await store.reports()] == [3]  # the host has not seen to it yet
        assert await store.person("ann") is None and await store.person_by_account("moon") is None
        assert await store.tokens_of("ann") == [] == await store.spoken_at("ann")
        assert await store.ratings_of("ann") == {}
        assert [best.id for best, _ in await store.leaderboard("dojo")] == ["bob"]
        assert await store.spoken_at("bob") == ["t"] and len(await store.tokens_of("bob")) == 1
        await store.add_person(person("eve", account="moon"))

    use(work)


def test_rows_of_a_log_can_be_rewritten_and_no_others(use):
    async def work(store):
        await store.create(summary("t"), rows(0, 4))
        await store.create(summary("u"), rows(0, 4))
        changed = [row._replace(data=b"gone") for row in rows(1, 2)]
        await store.rewrite("t", [*changed, Row(9, 1, b"beyond the end")])
        assert await store.read("t") == [*rows(0, 1), *changed, *rows(3, 1)]
        assert await store.read("u") == rows(0, 4)

    use(work)
