"""Messages reach their subscribers in this process and in others, also when Redis comes and goes."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager

import pytest

from services import free_port
from tsukimi.bus import connect

TOPICS = (f"topic-{n}" for n in itertools.count())  # the server is shared by the tests


@asynccontextmanager
async def opened(url):
    bus = connect(url)
    await bus.open()
    try:
        yield bus
    finally:
        await bus.close()


async def until(done, seconds=30.0):
    async with asyncio.timeout(seconds):
        while not done():
            await asyncio.sleep(0.005)


async def subscribed(bus, topic):
    """What is received from now on, once the subscription has taken effect."""
    received = []
    bus.subscribe(topic, received.append)
    await until(lambda: b"" in received)
    received.clear()
    return received


def test_a_subscriber_receives_at_once_in_order_and_exactly_once(url):
    async def work():
        async with opened(url) as bus:
            topic, one, two, other = next(TOPICS), [], [], []
            bus.subscribe(topic, one.append)
            bus.subscribe(topic, two.append)
            bus.subscribe(topic + "-other", other.append)
            messages = [b"%d" % n for n in range(200)]
            for message in messages:
                bus.publish(topic, message)
            assert one == two == messages
            await asyncio.sleep(0.2)  # for an echo
            assert [message for message in one if message] == messages
            assert [message for message in other if message] == []

    asyncio.run(work())


def test_a_subscriber_that_unsubscribed_receives_no_more(url):
    async def work():
        async with opened(url) as bus:
            topic, one, two = next(TOPICS), [], []
            stop = bus.subscribe(topic, one.append)
            stop_two = bus.subscribe(topic, two.append)
            stop()
            stop()
            bus.publish(topic, b"a")
            assert (one, two) == ([], [b"a"])
            stop_two()
            bus.publish(topic, b"b")
            assert (one, two) == ([], [b"a"])

    asyncio.run(work())


def test_a_message_published_during_a_delivery_comes_after_it_for_everyone(url):
    async def work():
        async with opened(url) as bus:
            topic, received = next(TOPICS), []
            bus.subscribe(topic, lambda message: message == b"first" and bus.publish(topic, b"second"))
            bus.subscribe(topic, received.append)
            bus.publish(topic, b"first")
            assert received == [b"first", b"second"]

    asyncio.run(work())


def test_a_subscriber_that_fails_does_not_keep_the_message_from_others(url, caplog):
    def fail(message):
        raise RuntimeError("deaf")

    async def work():
        async with opened(url) as bus:
            topic, received = next(TOPICS), []
            bus.subscribe(topic, fail)
            bus.subscribe(topic, received.append)
            bus.publish(topic, b"a")
            assert received == [b"a"]
            assert "deaf" in caplog.text

    asyncio.run(work())


def test_a_bus_within_the_process_is_always_healthy():
    async def work():
        async with opened(None) as bus:
            assert bus.healthy

    asyncio.run(work())


def test_other_processes_receive_in_order_and_only_what_they_subscribed_to(redis_server):
    async def work():
        async with opened(redis_server.url) as here, opened(redis_server.url) as there:
            topic = next(TOPICS)
            received, own = await subscribed(there, topic), await subscribed(here, topic)
            messages = [b"\x00%d" % n for n in range(2000)]
            for message in messages:
                here.publish(topic, message)
                here.publish(topic + "-other", message)
            await until(lambda: len(received) == len(messages))
            there.publish(topic, b"back")
            await until(lambda: len(own) == len(messages) + 1)
            assert received == [*messages, b"back"]
            assert own == [*messages, b"back"]

    asyncio.run(work())


def test_a_topic_is_subscribed_to_as_long_as_it_has_subscribers(redis_server):
    async def work():
        async with opened(redis_server.url) as here, opened(redis_server.url) as there:
            topic, one, two = next(TOPICS), [], []
            stop_one, stop_two = there.subscribe(topic, one.append), there.subscribe(topic, two.append)
            await until(lambda: one and two)
            stop_one()
            here.publish(topic, b"a")
            await until(lambda: b"a" in two)
            stop_two()
            await asyncio.sleep(0.05)
            stop_again = there.subscribe(topic, one.append)
            await until(lambda: one.count(b"") >= 2)
            here.publish(topic, b"b")
            await until(lambda: b"b" in one)
            stop_again()
            assert two == [b"", b"a"]

    asyncio.run(work())


def test_after_a_restart_of_redis_all_subscribers_read_the_log_and_receive_messages_again(redis_server):
    async def work():
        async with opened(redis_server.url) as here, opened(redis_server.url) as there:
            topic = next(TOPICS)
            received, own = await subscribed(there, topic), await subscribed(here, topic)
            assert here.healthy
            await asyncio.to_thread(redis_server.kill)
            await until(lambda: not here.healthy and not there.healthy)
            here.publish(topic, b"meanwhile")  # received here at once, whatever became of Redis
            assert own == [b"meanwhile"]
            await asyncio.to_thread(redis_server.start)
            await until(lambda: here.healthy and there.healthy and b"" in received and b"" in own)
            for n in range(50):
                here.publish(topic, b"%d" % n)
            await until(lambda: b"49" in received)
            assert received[-50:] == own[-50:] == [b"%d" % n for n in range(50)]
            assert own.count(b"meanwhile") == 1

    asyncio.run(work())


def test_a_process_whose_messages_were_lost_says_so_to_the_others(redis_server, monkeypatch):
    monkeypatch.setattr("tsukimi.bus.redis.MAX_OUTBOX", 10)

    async def work():
        async with opened(redis_server.url) as here, opened(redis_server.url) as there:
            topic = next(TOPICS)
            received = await subscribed(there, topic)
            for n in range(100):  # without a pause in which they could be sent
                here.publish(topic, b"%d" % n)
            await until(lambda: b"99" in received)
            assert received == [b"", *(b"%d" % n for n in range(90, 100))]

    asyncio.run(work())


def test_a_redis_that_is_not_there_yet_is_waited_for(redis_server, monkeypatch):
    monkeypatch.setattr("tsukimi.bus.redis.TIMEOUT_S", 0.1)

    async def work():
        await asyncio.to_thread(redis_server.kill)
        async with opened(redis_server.url) as bus:
            assert not bus.healthy
            await asyncio.to_thread(redis_server.start)
            await until(lambda: bus.healthy)

    asyncio.run(work())


def test_a_bus_closes_though_redis_is_away(monkeypatch):
    monkeypatch.setattr("tsukimi.bus.redis.TIMEOUT_S", 0.1)

    async def work():
        async with opened(f"redis://127.0.0.1:{free_port()}/0") as bus:
            bus.publish("topic", b"a")
            assert not bus.healthy

    asyncio.run(work())


def test_a_url_that_names_no_bus_is_refused():
    with pytest.raises(ValueError, match="no bus"):
        connect("amqp://host")
