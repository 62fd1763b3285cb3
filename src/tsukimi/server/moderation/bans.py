"""Who is banned: people, addresses and networks, checked in memory on every request."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_network
from typing import NamedTuple

from tsukimi.server.common.addresses import parse_address, unmapped
from tsukimi.server.common.errors import ServerError
from tsukimi.store.moderation import NETWORK, PERSON, Ban

Network = IPv4Network | IPv6Network
# This machine and private networks: if a proxy is missing from the settings, everyone appears to come from there.
PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::/64", "fc00::/7", "fe80::/10")
SHARED = [ip_network(text) for text in PRIVATE]


class Banned(ServerError):
    def __init__(self, ban: Ban) -> None:
        super().__init__("server-banned", 403)
        until = ban.until and time.strftime("%Y-%m-%d %H:%M", time.gmtime(ban.until // 1000))
        known = {"reason": ban.reason, "until": until}
        self.params = {name: value for name, value in known.items() if value}  # the text depends on which ones are set


class Socket(NamedTuple):
    """An open socket, and how to close it."""

    person: str
    address: str
    close: Callable[[Banned], None]


def parse_network(text: str) -> Network:
    """An address or a network. An IPv6 address stands for its /64: that is what a household has."""
    network = ip_network(text.strip(), strict=False)
    if isinstance(network, IPv6Network) and network.prefixlen == 128:
        ip = unmapped(network.network_address)
        return IPv4Network(ip) if isinstance(ip, IPv4Address) else network.supernet(new_prefix=64)
    return network


def _within(network: Network, other: Network) -> bool:
    return network.version == other.version and other.supernet_of(network)  # type: ignore[arg-type]


class BanList:
    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._people: dict[str, list[Ban]] = {}
        self._networks: dict[tuple[int, int], dict[int, list[Ban]]] = {}
        """By IP version and prefix length, then by prefix: the cost of a look-up does not grow with the list."""
        self._sockets: set[Socket] = set()

    def replace(self, bans: Iterable[Ban]) -> None:
        """The bans in effect from now on; affected sockets are closed."""
        self._people, self._networks = {}, {}
        for ban in bans:
            if ban.kind == PERSON:
                self._people.setdefault(ban.value, []).append(ban)
            elif ban.kind == NETWORK:
                network = ip_network(ban.value)
                prefix = int(network.network_address) >> (network.max_prefixlen - network.prefixlen)
                same_length = self._networks.setdefault((network.version, network.prefixlen), {})
                same_length.setdefault(prefix, []).append(ban)
        for socket in list(self._sockets):
            found = self.of_person(socket.person) or self.of_address(socket.address)
            if found is not None:
                socket.close(Banned(found))

    def of_person(self, person: str) -> Ban | None:
        return self._active(self._people.get(person, ()))

    def of_address(self, address: str) -> Ban | None:
        if not self._networks:
            return None
        ip = parse_address(address)
        if ip is None:
            return None
        for (version, length), prefixes in self._networks.items():
            if version == ip.version:
                found = prefixes.get(int(ip) >> (ip.max_prefixlen - length))
                if found and (ban := self._active(found)) is not None:
                    return ban
        return None

    def addresses_of(self, person: str) -> set[str]:
        """The addresses a person is connected from, as networks to ban; except those that everyone may be behind."""
        found = {
            parse_network(socket.address) for socket in self._sockets if socket.person == person and socket.address
        }
        return {str(network) for network in found if not any(_within(network, shared) for shared in SHARED)}

    def check_person(self, person: str) -> None:
        if (ban := self.of_person(person)) is not None:
            raise Banned(ban)

    def check_address(self, address: str) -> None:
        if (ban := self.of_address(address)) is not None:
            raise Banned(ban)

    @contextmanager
    def watching(self, person: str, address: str, close: Callable[[Banned], None]) -> Iterator[None]:
        """Call `close` if the person or the address is banned meanwhile."""
        socket = Socket(person, address, close)
        self._sockets.add(socket)
        try:
            yield
        finally:
            self._sockets.discard(socket)

    def _active(self, bans: Iterable[Ban]) -> Ban | None:
        now = int(1000 * self._clock())
        return next((ban for ban in bans if ban.active(now)), None)
