"""The table ``[machine]`` of both programs' settings. The card image applies it at each boot; other systems ignore it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta

from faults.validation import Check, Misfit, Secret, Table

_NAME: Final = "1 to 40 letters a to z, digits and hyphens, with a letter or digit at both ends, or nothing"
_COUNTRY: Final = "the two capital letters of a country, as in ES or NZ, or nothing"
_NETWORK_BYTES: Final = 32
"""Longest network name (IEEE 802.11)."""
_PASSWORD: Final = re.compile(r"[ -~]{8,63}")
"""A WPA passphrase (IEEE 802.11)."""
_KEY: Final = re.compile(r"(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]+=*( [^\r\n]*)?")


class WifiSettings(Table, frozen=True):
    """The one wireless network. A cable needs no settings."""

    network: str = ""
    """The network's name (SSID). Empty: no Wi-Fi."""
    password: Secret = Secret("")
    """The network's password. Empty: the network is open."""
    country: Annotated[str, Meta(pattern=r"\A([A-Z]{2})?\Z", description=_COUNTRY)] = ""
    """The country whose radio rules apply. Empty: only channels that are allowed everywhere."""

    def checks(self) -> Iterable[Check]:
        return self._fits_radio, self._is_passphrase, self._has_network

    def _fits_radio(self) -> None:
        if len(self.network.encode()) > _NETWORK_BYTES:
            raise Misfit(key="network", expected="a name of at most 32 bytes", remedy="Correct it")

    def _is_passphrase(self) -> None:
        if self.password and not _PASSWORD.fullmatch(self.password.value):
            expected = "8 to 63 letters, digits and signs without accents, or nothing for an open network"
            raise Misfit(key="password", expected=expected, found="something else", remedy="Correct it")

    def _has_network(self) -> None:
        if self.password and not self.network:
            raise Misfit(expected="the name of the network too: the password is set, network is not", remedy="Correct it")


class MachineSettings(Table, frozen=True):
    """The settings that differ between cards, and the network settings."""

    name: Annotated[str, Meta(pattern=r"\A([a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?)?\Z", description=_NAME)] = ""
    """The machine's name in the network, followed by the table's number: ``clock-12``. Empty: the program's name and a part that differs on each card."""
    table: Annotated[int, Meta(ge=0, le=9999)] = 0
    """The table's number; 0: none."""
    time_zone: str = "UTC"
    """The time zone of the times that people read on the screens, as in Europe/Madrid; UTC: none is set. Journal and log keep UTC."""
    ssh_keys: tuple[str, ...] = ()
    """Public keys (the line in ``~/.ssh/id_ed25519.pub``) that may log in as ``director``. Empty: no login, and no open port."""
    wifi: WifiSettings = WifiSettings()

    def checks(self) -> Iterable[Check]:
        return self._knows_zone, self._has_keys

    def _knows_zone(self) -> None:
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            expected = "a time zone by its region and city, as in Europe/Madrid, or UTC"
            raise Misfit(key="time_zone", expected=expected, remedy="Correct it") from None

    def _has_keys(self) -> None:
        if not all(_KEY.fullmatch(key) for key in self.ssh_keys):
            expected = 'public keys, each as its .pub file has it: ["ssh-ed25519 AAAA... name"]'
            raise Misfit(key="ssh_keys", expected=expected, remedy="Correct it")
