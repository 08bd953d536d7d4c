"""The table ``[machine]`` of both programs' settings. The card image applies it at each boot; other systems ignore it."""

from __future__ import annotations

import re
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_core import PydanticCustomError

from appliance.settings.layers import Strict

_NAME: Final = "1 to 40 letters a to z, digits and hyphens, with a letter or digit at both ends, or nothing"
_COUNTRY: Final = "the two capital letters of a country, as in ES or NZ, or nothing"
_NETWORK_BYTES: Final = 32
"""Longest network name (IEEE 802.11)."""
_PASSWORD: Final = re.compile(r"[ -~]{8,63}")
"""A WPA passphrase (IEEE 802.11)."""
_KEY: Final = re.compile(r"(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]+=*( [^\r\n]*)?")


class WifiSettings(Strict):
    """The one wireless network. A cable needs no settings."""

    network: str = ""
    """The network's name (SSID). Empty: no Wi-Fi."""
    password: SecretStr = SecretStr("")
    """The network's password. Empty: the network is open."""
    country: Annotated[str, Field(pattern=r"^([A-Z]{2})?$", description=_COUNTRY)] = ""
    """The country whose radio rules apply. Empty: only channels that are allowed everywhere."""

    @field_validator("network")
    @classmethod
    def _is_a_name(cls, network: str) -> str:
        if len(network.encode()) > _NETWORK_BYTES:
            raise PydanticCustomError("network", "a name of at most 32 bytes")
        return network

    @field_validator("password")
    @classmethod
    def _is_a_passphrase(cls, password: SecretStr) -> SecretStr:
        if password and not _PASSWORD.fullmatch(password.get_secret_value()):
            raise PydanticCustomError("password", "8 to 63 letters, digits and signs without accents, or nothing for an open network")
        return password

    @model_validator(mode="after")
    def _belongs_to_a_network(self) -> WifiSettings:
        if self.password and not self.network:
            raise PydanticCustomError("network", "the name of the network too: the password is set, network is not")
        return self


class MachineSettings(Strict):
    """The settings that differ between cards, and the network settings."""

    name: Annotated[str, Field(pattern=r"^([a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?)?$", description=_NAME)] = ""
    """The machine's name in the network, followed by the table's number: ``clock-12``. Empty: the program's name and a part that differs on each card."""
    table: Annotated[int, Field(ge=0, le=9999)] = 0
    """The table's number; 0: none."""
    time_zone: str = "UTC"
    """The time zone for people who log in, as in Europe/Madrid. Clock, journal and log use UTC."""
    ssh_keys: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Public keys (the line in ``~/.ssh/id_ed25519.pub``) that may log in as ``director``. Empty: no login, and no open port."""
    wifi: WifiSettings = WifiSettings.model_construct()

    @field_validator("time_zone")
    @classmethod
    def _is_known(cls, zone: str) -> str:
        try:
            return ZoneInfo(zone).key
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise PydanticCustomError("time_zone", "a time zone by its region and city, as in Europe/Madrid, or UTC") from None

    @field_validator("ssh_keys")
    @classmethod
    def _are_public_keys(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_KEY.fullmatch(key) for key in keys):
            raise PydanticCustomError("ssh_keys", 'public keys, each as its .pub file has it: ["ssh-ed25519 AAAA... name"]')
        return keys
