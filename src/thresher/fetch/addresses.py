"""Public addresses, and connections that are made to public addresses only.

    host --resolve, once--> addresses --check every one--> connect to one of these addresses

A host name says nothing about where it leads: its owner chooses the addresses, and can answer a
second question differently from the first. Therefore the name is resolved once, every address is
checked, and the connection is made to a checked address instead of the name. If one address of a
host is refused, so is the host. Other spellings of an address (`127.1`, `0x7f000001`, `2130706433`)
need no rule of their own, since the system's resolver turns them into the address they mean.

An address is public if it is none of the special-purpose ranges that IANA lists as not globally
reachable, nor multicast:
https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.
The table is here because that of Python's `ipaddress` differs between its versions, and calls
multicast, 192.88.99.0/24 and ::127.0.0.1 global. IPv6 addresses that stand for an IPv4 address are
public if that is. A public address that belongs to this computer counts as public.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from thresher.errors import FetchError

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

# asyncio is imported where it is used: most runs do not need it.

_REFUSED = {
    ip_network(network): kind
    for kind, networks in {
        "of this computer": "127.0.0.0/8 0.0.0.0/8 ::1/128 ::/128",
        "of a private network": "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10",
        "of a provider's own network": "100.64.0.0/10",
        "of the local link": "169.254.0.0/16 fe80::/10",
        "of the host of a virtual machine": "168.63.129.16/32",  # Azure; IANA does not list it
        "of a multicast group": "224.0.0.0/4 ff00::/8",
        "for documentation": "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20",
        "for network tests": "198.18.0.0/15",
        "for network protocols": "192.0.0.0/24 192.88.99.0/24 2001::/23 64:ff9b:1::/48",
        "for future use": "240.0.0.0/4",
    }.items()
    for network in networks.split()
}

_GLOBAL_UNICAST = IPv6Network("2000::/3")  # the only part of IPv6 that is given to networks
_NAT64 = IPv6Network("64:ff9b::/96")

_FIRST_WAIT = 1.0  # ours: seconds for an address before the next one of the host is tried


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet.

    False for a text that is no IP address, and for an address with a scope (`fe80::1%eth0`).
    """
    return refusal(address) is None


def refusal(address: str) -> str | None:
    """Return what an IP address is if it is not public, as in "of a private network", or None."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "in no known form"
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None:
            return "of the local link"
        inner = _inner_address(parsed)
        if inner is None and parsed not in _GLOBAL_UNICAST:
            return _listed(parsed) or "for future use"
        parsed = inner or parsed
    return _listed(parsed)


def _listed(address: IPv4Address | IPv6Address) -> str | None:
    return next((kind for network, kind in _REFUSED.items() if address in network), None)


def _inner_address(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that packets to an IPv6 address end at: mapped, NAT64 or 6to4.

    Teredo and the local-use NAT64 prefix are not unpacked: they are refused as a whole.
    """
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


async def resolve(host: str, port: int, *, private: bool = False) -> list[str]:
    """Return the IP addresses of a host, each once, in the order to try them.

    Raises `FetchError` if one of them is not public, unless `private` allows it, and `OSError` if
    the host has no address.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # Python's own check, as of a label of 64 characters
        raise OSError(f"{host!r} is no host name ({error})") from error
    addresses = list(dict.fromkeys(str(place[0]) for *_, place in found))
    if not private:
        check(host, addresses)
    return addresses


def check(host: str, addresses: Sequence[str]) -> None:
    """Raise `FetchError` if one of the addresses of a host is not public."""
    for address in addresses:
        kind = refusal(address)
        if kind is not None:
            what = host if host == address else f"{host} leads to {address}, which"
            raise FetchError(
                f"{what} is an address {kind}, and only public addresses are read: to allow this "
                "one, pass private=True, or --private on the command line."
            )


def attempts(addresses: Sequence[str], timeout: float) -> Iterator[tuple[str, float]]:
    """Yield each address with the seconds to wait for its answer.

    All but the last get one second, so that an address out of order does not use up the time.
    """
    for address in addresses[:-1]:
        yield address, min(_FIRST_WAIT, timeout)
    for address in addresses[-1:]:
        yield address, timeout


async def connect(
    host: str, port: int, *, private: bool = False, timeout: float = 20.0
) -> tuple[StreamReader, StreamWriter]:
    """Return a TCP connection to a host, made to an address that was checked.

    `timeout` is the wait for the resolver, and again for the connection, in seconds. Raises as
    `resolve`, and `OSError` (also `TimeoutError`) if no address answers.
    """
    import asyncio

    async with asyncio.timeout(timeout):
        addresses = await resolve(host, port, private=private)
    failed: OSError = OSError(f"{host} has no address")
    for address, wait in attempts(addresses, timeout):
        try:
            async with asyncio.timeout(wait):
                return await asyncio.open_connection(address, port)
        except OSError as error:  # TimeoutError is one
            failed = error
    raise failed
