"""Public addresses by their ranges, and connections to addresses that were checked."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import FetchError
from thresher.fetch.addresses import attempts, check, connect, is_public, refusal, resolve

NOWHERE = "3000::1"  # public by its range, but no network has it

REFUSED = {
    "of this computer": "127.0.0.1 127.255.255.255 0.0.0.0 0.1.2.3 :: ::1",
    "of a private network": "10.0.0.1 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.1 "
    "fc00::1 fd00:ec2::254 fdff::1 fec0::1",
    "of a provider's own network": "100.64.0.0 100.100.100.200 100.127.255.255",
    "of the local link": "169.254.0.1 169.254.169.254 fe80::1 febf::1 fe80::1%eth0 2a00::1%1",
    "of the host of a virtual machine": "168.63.129.16",
    "of a multicast group": "224.0.0.1 224.0.1.1 239.255.255.250 ff02::1 ff0e::1",
    "for documentation": "192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 3fff:fff::1",
    "for network tests": "198.18.0.1 198.19.255.255",
    "for network protocols": "192.0.0.8 192.0.0.192 192.88.99.1 2001::1 2001:2::1 2001:10::1 "
    "2001:1ff::1 64:ff9b:1::1 64:ff9b:1::8.8.8.8",
    "for future use": "240.0.0.1 255.255.255.255 ::127.0.0.1 ::8.8.8.8 ::ffff:0:8.8.8.8 100::1 "
    "200::1 5f00::1 4000::1 fe00::1",
    "in no known form": "localhost 127.1 0x7f000001 2130706433 [::1] 8.8.8.8:80",
}

PUBLIC = (
    "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 "
    "168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.88.98.1 "
    "192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 "
    "2000::1 2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450::1 3000::1 3fff:1000::1"
)

# IPv6 addresses whose packets end at an IPv4 address, by its 32 bits.
WRAPPED = {
    "mapped": lambda bits: (0xFFFF << 32) | bits,
    "NAT64": lambda bits: (0x0064_FF9B << 96) | bits,
    "6to4": lambda bits: (0x2002 << 112) | (bits << 80) | 1,
}


@pytest.mark.parametrize(
    ("kind", "address"), [(kind, one) for kind, many in REFUSED.items() for one in many.split()]
)
def test_refused_addresses(kind: str, address: str) -> None:
    assert refusal(address) == kind
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public_addresses(address: str) -> None:
    assert refusal(address) is None
    assert is_public(address)


@pytest.mark.parametrize("wrap", WRAPPED)
@pytest.mark.parametrize("inner", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "8.8.8.8"])
def test_an_address_inside_another_counts(wrap: str, inner: str) -> None:
    outer = IPv6Address(WRAPPED[wrap](int(IPv4Address(inner))))
    assert refusal(str(outer)) == refusal(inner)


def test_the_notations_of_addresses_inside_others() -> None:
    assert refusal("::ffff:127.0.0.1") == refusal("::ffff:7f00:1") == "of this computer"
    assert refusal("64:ff9b::10.0.0.1") == refusal("2002:a00:1::") == "of a private network"
    assert is_public("::ffff:8.8.8.8")
    assert is_public("64:ff9b::808:808")
    assert is_public("2002:808:808::1")


@pytest.mark.parametrize("server", ["8.8.8.8", "65.54.227.120"])
@pytest.mark.parametrize("client", ["127.0.0.1", "10.0.0.1", "8.8.8.8"])
def test_teredo_is_refused_whatever_is_inside(server: str, client: str) -> None:
    hidden = int(IPv4Address(client)) ^ 0xFFFF_FFFF
    address = IPv6Address((0x2001 << 112) | (int(IPv4Address(server)) << 64) | hidden)
    assert address.teredo == (IPv4Address(server), IPv4Address(client))
    assert not is_public(str(address))


@given(st.ip_addresses())
def test_nothing_is_public_that_python_calls_special(address: IPv4Address | IPv6Address) -> None:
    bits = int(address)
    for wrap in WRAPPED.values():
        for shift in (0, 80):
            if bits == wrap((bits >> shift) & 0xFFFF_FFFF):
                address = IPv4Address((bits >> shift) & 0xFFFF_FFFF)
    special = not address.is_global or address.is_multicast or address.is_reserved
    assert not (special and is_public(str(address)))


@given(st.ip_addresses(v=6))
def test_public_ipv6_is_global_unicast_or_wrapped(address: IPv6Address) -> None:
    in_use = int(address) >> 125 == 0b001
    wrapped = address.ipv4_mapped or int(address) >> 32 == 0x0064_FF9B << 64
    assert not is_public(str(address)) or in_use or wrapped


def test_one_refused_address_refuses_the_host() -> None:
    check("kettle.example", ["8.8.8.8", "2a00::1"])
    with pytest.raises(FetchError) as caught:
        check("kettle.example", ["8.8.8.8", "10.0.0.1", "2a00::1"])
    assert str(caught.value) == (
        "kettle.example leads to 10.0.0.1, which is an address of a private network, and only "
        "public addresses are read: to allow this one, pass private=True, or --private on the "
        "command line."
    )


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "0", "0177.0.0.1"]
)
def test_every_spelling_of_this_computer_is_refused(host: str) -> None:
    with pytest.raises(FetchError, match="is an address of this computer"):
        asyncio.run(resolve(host, 80))
    assert asyncio.run(resolve(host, 80, private=True))


@pytest.mark.parametrize("host", ["", "a..b", "x" * 64 + ".example", "name.invalid", "fe80::1%no"])
def test_hosts_without_an_address(host: str) -> None:
    with pytest.raises((OSError, FetchError)):
        asyncio.run(resolve(host, 80))


def test_the_name_of_this_computer_with_a_dot_is_never_resolved_to_it() -> None:
    # Some resolvers know no "localhost.", others resolve it as localhost.
    with pytest.raises((OSError, FetchError)):
        asyncio.run(resolve("localhost.", 80))


def test_all_but_the_last_address_get_a_second() -> None:
    assert list(attempts(["a", "b", "c"], 20)) == [("a", 1), ("b", 1), ("c", 20)]
    assert list(attempts(["a", "b"], 0.5)) == [("a", 0.5), ("b", 0.5)]
    assert list(attempts(["a"], 20)) == [("a", 20)]
    assert list(attempts([], 20)) == []


@pytest.fixture
def greeting_port() -> Iterator[int]:
    """A port of 127.0.0.1 whose server says "hello" and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(b"hello")

        thread = threading.Thread(target=greet)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


async def read_all(host: str, port: int, **options: bool | float) -> bytes:
    reader, writer = await connect(host, port, **options)  # type: ignore[arg-type]
    try:
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


class Resolver:
    """In place of the system's resolver: the answers of a name, one after another."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.asked: list[str] = []
        self._answers = iter(answers)
        monkeypatch.setattr(socket, "getaddrinfo", self._getaddrinfo)

    def _getaddrinfo(self, host: str, port: int, *_: object, **__: object) -> list[object]:
        self.asked.append(host)
        families = {4: socket.AF_INET, 6: socket.AF_INET6}
        return [
            (families[ip_address(address).version], socket.SOCK_STREAM, 6, "", (address, port))
            for address in next(self._answers)
        ]


def test_a_connection_to_this_computer(greeting_port: int) -> None:
    assert asyncio.run(read_all("localhost", greeting_port, private=True)) == b"hello"
    with pytest.raises(FetchError, match=r"localhost leads to 127\.0\.0\.1"):
        asyncio.run(read_all("localhost", greeting_port))


def test_a_second_answer_of_the_resolver_is_not_asked_for(
    greeting_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Resolver(monkeypatch, [NOWHERE], ["127.0.0.1"])
    with pytest.raises(OSError):  # noqa: PT011 (unreachable or too late)
        asyncio.run(read_all("kettle.example", greeting_port, timeout=0.5))
    assert resolver.asked == ["kettle.example"]


def test_the_connection_is_made_to_the_first_answer(
    greeting_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Resolver(monkeypatch, ["127.0.0.1"], [NOWHERE])
    assert asyncio.run(read_all("kettle.example", greeting_port, private=True)) == b"hello"
    assert resolver.asked == ["kettle.example"]


def test_the_next_address_is_tried(greeting_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    Resolver(monkeypatch, [NOWHERE, "127.0.0.1", NOWHERE])
    assert asyncio.run(read_all("kettle.example", greeting_port, private=True)) == b"hello"


def test_a_host_without_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    Resolver(monkeypatch, [])
    with pytest.raises(OSError, match=r"kettle\.example has no address"):
        asyncio.run(read_all("kettle.example", 80))


def test_a_slow_resolver(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(10) and [])

    async def ask() -> None:
        try:
            await connect("kettle.example", 80, timeout=0.1)
        finally:
            release.set()

    with pytest.raises(TimeoutError):
        asyncio.run(ask())
