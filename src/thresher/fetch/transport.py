"""The transport of `fetch`: each request of httpx goes to an address that was checked.

The host is resolved and checked by `addresses.resolve`, and the request is sent to the address
itself. The Host header keeps the name, and the certificate of an https server is verified for the
name.

The proxies of the environment (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY) are used. A proxy gets
the name and makes the connection, and its resolver may answer differently: what can be done here is
to check the addresses that this computer finds, before the proxy is asked. The address of the proxy
itself is not checked: whoever runs the program chose it.
"""

from __future__ import annotations

import asyncio
from urllib.request import getproxies, proxy_bypass

import httpx

from thresher.errors import FetchError
from thresher.fetch.addresses import attempts, resolve


class CheckedTransport(httpx.AsyncBaseTransport):
    """Send requests to public addresses; to all addresses if `private`.

    `timeout` is the longest wait for the resolver, and for a connection, in seconds.
    """

    def __init__(self, *, private: bool, timeout: float) -> None:
        self._private = private
        self._timeout = timeout
        self._context = httpx.create_ssl_context()
        # No connection is used twice: httpx would find it by the address, but its certificate was
        # verified for one of the names that have this address.
        self._direct = httpx.AsyncHTTPTransport(
            verify=self._context, limits=httpx.Limits(max_keepalive_connections=0)
        )
        self._proxies: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request, to the first address of the host that answers, or through a proxy."""
        proxy = proxy_for(request.url)
        if proxy is None:
            return await self._send(request, await self._resolve(request))
        if not self._private:
            await self._check_before_proxy(request)
        return await self._through(proxy).handle_async_request(request)

    async def _send(self, request: httpx.Request, addresses: list[str]) -> httpx.Response:
        failed: httpx.TransportError = httpx.ConnectError("the host has no address")
        for address, wait in attempts(addresses, self._timeout):
            try:
                return await self._direct.handle_async_request(_sent_to(request, address, wait))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failed = error
        raise failed

    async def _resolve(self, request: httpx.Request) -> list[str]:
        """Return the checked addresses of a request; failures are those of httpx."""
        try:
            async with asyncio.timeout(self._timeout):
                return await resolve(
                    _host(request.url), request.url.port or 0, private=self._private
                )
        except TimeoutError as error:
            raise httpx.ConnectTimeout("the host name was not resolved in time") from error
        except OSError as error:
            raise httpx.ConnectError(str(error)) from error

    async def _check_before_proxy(self, request: httpx.Request) -> None:
        try:
            await self._resolve(request)
        except httpx.ConnectError as error:
            raise FetchError(
                f"{_host(request.url)} has no address that could be checked before the proxy is "
                f"asked ({error}): to leave the choice of addresses to the proxy, pass "
                "private=True, or --private on the command line."
            ) from error

    def _through(self, proxy: str) -> httpx.AsyncHTTPTransport:
        try:
            if proxy not in self._proxies:
                self._proxies[proxy] = httpx.AsyncHTTPTransport(verify=self._context, proxy=proxy)
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            raise FetchError(
                f"the proxy of the environment cannot be used ({error}): change HTTP_PROXY, "
                "HTTPS_PROXY or ALL_PROXY, or set NO_PROXY."
            ) from error
        return self._proxies[proxy]

    async def aclose(self) -> None:
        """Close all connections."""
        for transport in (self._direct, *self._proxies.values()):
            await transport.aclose()


def proxy_for(address: httpx.URL) -> str | None:
    """Return the proxy that the environment names for an address, or None."""
    proxies = getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    names = (address.netloc.decode("ascii"), _host(address))  # NO_PROXY may name the port
    if not proxy or any(proxy_bypass(name) for name in names):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _sent_to(request: httpx.Request, address: str, wait: float) -> httpx.Request:
    """Return a request for an IP address in place of the host, with `wait` seconds to connect."""
    waits = request.extensions.get("timeout", {}) | {"connect": wait}
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions=request.extensions | {"sni_hostname": _host(request.url), "timeout": waits},
    )


def _host(address: httpx.URL) -> str:
    return address.raw_host.decode("ascii")
