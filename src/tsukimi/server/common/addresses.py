"""IP addresses. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) counts as that IPv4 address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

Ip = IPv4Address | IPv6Address


def parse_address(text: str) -> Ip | None:
    """None: not an address."""
    try:
        return unmapped(ip_address(text))
    except ValueError:
        return None


def unmapped(ip: Ip) -> Ip:
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip


def address_key(address: str) -> str:
    """Whom an address stands for: an IPv6 household has a whole /64."""
    ip = parse_address(address)
    if ip is None:
        return address
    return str(ip) if ip.version == 4 else str(int(ip) >> 64)
