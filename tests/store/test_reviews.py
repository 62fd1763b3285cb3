"""Reviews: one worker makes each, others see how far it is, and what is done stays."""

from __future__ import annotations

from tsukimi.store import Store, StoredReview


def test_a_review_is_claimed_by_one_worker_and_stored_for_good(use) -> None:
    async def work(store: Store) -> None:
        assert await store.review("t") is None
        assert await store.claim_review("t", "one", 1000, 60, 0)
        assert not await store.claim_review("t", "two", 1500, 60, 900)
        await store.save_review("t", "one", 2000, 20)
        await store.save_review("t", "two", 2000, 50)
        assert await store.review("t") == StoredReview("one", 2000, 20, 60, None)
        await store.save_review("t", "one", 3000, 60, b"review")
        await store.save_review("t", "one", 4000, 1)
        assert await store.review("t") == StoredReview("one", 3000, 60, 60, b"review")
        assert not await store.claim_review("t", "two", 99_000, 60, 98_000)

    use(work)


def test_a_review_that_nobody_goes_on_with_is_taken_over(use) -> None:
    async def work(store: Store) -> None:
        assert await store.claim_review("t", "one", 1000, 60, 0)
        assert await store.claim_review("t", "two", 40_000, 60, 10_000)
        await store.save_review("t", "one", 41_000, 60, b"late")
        assert await store.review("t") == StoredReview("two", 40_000, 0, 60, None)

    use(work)
