"""The broker announces itself in the network (mDNS, by the library zeroconf), and devices look for it. What is found is a hint: the CA decides."""

import asyncio
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Final, NamedTuple

import ifaddr
from zeroconf import InterfaceChoice, IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncZeroconf

from appliance.log import get_logger
from hall.enrol.device import HallPort
from hall.errors import HallError
from hall.settings import Settings

KIND: Final = "_tilehall._tcp.local."
LOOK_S: Final = 3.0
"""How long a search takes: an answer comes within a second."""


class Announced(NamedTuple):
    hall: str
    fingerprint: str
    host: str
    """The first of its addresses that answers."""
    port: int
    enrol_port: int


async def announce(hall: Announced, address: str = "") -> None:
    """Announce the broker of this machine until the task is cancelled, at one ``address`` (empty: all, as they come and go); ``hall.host`` is not used."""
    known: frozenset[str] = frozenset()
    announcing: AsyncZeroconf | None = None
    try:
        while True:
            found = frozenset((address,)) if address else frozenset(_addresses())
            if found != known:
                await _end(announcing)
                announcing, known = await _begun(hall, found), found
            # So soon a change of the machine's addresses is announced.
            await asyncio.sleep(30.0)
    finally:
        await _end(announcing)


def find(interface: str = "", look_s: float = LOOK_S, wanted: str = "") -> list[Announced]:
    """Look for brokers for ``look_s`` seconds, or until one of the hall ``wanted`` (name or fingerprint) has answered; return them by hall.

    ``interface``: the one address of this machine to look from; empty: all.
    """
    found: dict[str, Announced] = {}

    def changed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is not ServiceStateChange.Removed:
            info = zeroconf.get_service_info(service_type, name, 1_500)
            announced = None if info is None else _read(info)
            if announced is not None:
                found[name] = announced

    try:
        looking = Zeroconf([interface] if interface else InterfaceChoice.All, ip_version=IPVersion.V4Only)
    except OSError as error:
        get_logger().warning("this machine cannot look for the broker", why=str(error))
        return []
    with closing(looking):
        browser = ServiceBrowser(looking, KIND, handlers=[changed])
        until = time.monotonic() + look_s
        while time.monotonic() < until and not any(wanted and wanted in (each.hall, each.fingerprint) for each in tuple(found.values())):
            time.sleep(0.05)
        browser.cancel()
    return sorted(found.values())


def _read(info: ServiceInfo) -> Announced | None:
    said = {key.decode(errors="replace"): (value or b"").decode(errors="replace") for key, value in info.properties.items()}
    addresses = info.parsed_addresses(IPVersion.V4Only)
    with suppress(ValueError):
        if addresses and info.port:
            return Announced(
                said.get("hall", ""), said.get("ca", ""), _answering(addresses, info.port), info.port, int(said.get("enrol", "0"))
            )
    return None


def _answering(addresses: Sequence[str], port: int) -> str:
    """Return the first address that answers: a machine may be in several networks, and only one of them is ours."""
    for address in addresses[:8]:
        with suppress(OSError), socket.create_connection((address, port), 1.0):
            return address
    return addresses[0]


async def _begun(hall: Announced, addresses: Iterable[str]) -> AsyncZeroconf | None:
    listed = sorted(addresses)
    if not listed:
        return None
    info = ServiceInfo(
        KIND,
        f"{hall.hall}-{hall.fingerprint[:8]}.{KIND}",
        hall.port,
        addresses=[socket.inet_aton(each) for each in listed],
        properties={"hall": hall.hall, "ca": hall.fingerprint, "enrol": str(hall.enrol_port)},
        server=f"tilehall-{hall.fingerprint[:8]}.local.",
    )
    try:
        zeroconf = AsyncZeroconf(listed, ip_version=IPVersion.V4Only)
        await zeroconf.async_register_service(info, allow_name_change=True)
    except OSError as error:
        get_logger().warning("the broker cannot announce itself; devices need its address", why=str(error))
        return None
    get_logger().info("the broker is announced", hall=hall.hall, addresses=", ".join(listed), port=hall.port)
    return zeroconf


async def _end(zeroconf: AsyncZeroconf | None) -> None:
    if zeroconf is not None:
        with suppress(OSError):
            await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


def _addresses() -> Iterator[str]:
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            if isinstance(each.ip, str) and not each.ip.startswith("127."):
                yield each.ip


def hall_port(settings: Settings) -> HallPort:
    """Return where to ask: the address of the settings, or the one hall that announces itself."""
    if settings.broker.host:
        return HallPort(settings.broker.host, settings.enrol.port, settings.enrol.hall)
    pin = settings.enrol.hall
    found = [each for each in find(settings.broker.look_from, wanted=pin) if not pin or each.fingerprint == pin]
    if len(found) != 1:
        raise HallError(
            expected="one hall that announces itself in this network",
            found=", ".join(f"{each.hall} ({each.host})" for each in found) or "none",
            remedy="Give the address of the hall's machine with --host",
        )
    return HallPort(found[0].host, found[0].enrol_port, pin)
