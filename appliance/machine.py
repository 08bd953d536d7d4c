"""The settings of the machine itself, the table ``[machine]`` of both programs, for a card made by ``make image``: network name, Wi-Fi, SSH keys, time zone.

The card's boot applies them as root: files in one folder, the time zone link, the host name. The root file system is read-only: the image (systemd/card) points the
system's services to these folders. ``files`` says what the system reads there, and writes nothing. Other systems ignore the table.
"""

import hashlib
import os
import re
import socket
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from appliance.errors import MachineError
from faults.errors import reason
from faults.validation import Misfit, Misfits, Secret, Table, check, misfit_if

_NAME: Final = "1 to 40 letters a to z, digits and hyphens, with a letter or digit at both ends, or nothing"
_COUNTRY: Final = "the two capital letters of a country, as in ES or NZ, or nothing"
_NETWORK_BYTES: Final = 32
"""Longest network name (IEEE 802.11)."""
_PASSWORD: Final = re.compile(r"[ -~]{8,63}")
"""A WPA passphrase (IEEE 802.11)."""
_KEY: Final = re.compile(r"(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]+=*( [^\r\n]*)?")


_NO_ZONE: Final = "UTC"


class WifiSettings(Table, frozen=True):
    """The one wireless network. A cable needs no settings."""

    network: str = ""
    """The network's name (SSID). Empty: no Wi-Fi."""
    password: Secret = Secret("")
    """The network's password. Empty: the network is open."""
    country: Annotated[str, Meta(pattern=r"\A([A-Z]{2})?\Z", description=_COUNTRY)] = ""
    """The country whose radio rules apply. Empty: only channels that are allowed everywhere."""

    @check
    def _fits_radio(self) -> Misfits:
        return misfit_if(len(self.network.encode()) > _NETWORK_BYTES, key="network", expected="a name of at most 32 bytes")

    @check
    def _is_passphrase(self) -> Misfits:
        return misfit_if(
            self.password and not _PASSWORD.fullmatch(self.password.value),
            key="password",
            expected="8 to 63 letters, digits and signs without accents, or nothing for an open network",
            found="something else",
        )

    @check
    def _has_network(self) -> Misfits:
        return misfit_if(self.password and not self.network, expected="the name of the network too: the password is set, network is not")


class MachineSettings(Table, frozen=True):
    """The settings that differ between cards, and the network settings."""

    name: Annotated[str, Meta(pattern=r"\A([a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?)?\Z", description=_NAME)] = ""
    """The machine's name in the network, followed by the table's number: ``clock-12``. Empty: the program's name and a part that differs on each card."""
    table: Annotated[int, Meta(ge=0, le=9999)] = 0
    """The table's number; 0: none."""
    time_zone: str = _NO_ZONE
    """The time zone of the times that people read on the screens, as in Europe/Madrid; UTC: none is set. Journal and log keep UTC."""
    ssh_keys: tuple[str, ...] = ()
    """Public keys (the line in ``~/.ssh/id_ed25519.pub``) that may log in as ``director``. Empty: no login, and no open port."""
    wifi: WifiSettings = WifiSettings()

    @check
    def _knows_zone(self) -> Misfits:
        if self.time_zone == _NO_ZONE:
            return
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - only a machine with a time zone needs it, and a start is short

        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            expected = "a time zone by its region and city, as in Europe/Madrid, or UTC"
            yield Misfit(key="time_zone", expected=expected, remedy="Correct it")

    @check
    def _has_keys(self) -> Misfits:
        return misfit_if(
            not all(_KEY.fullmatch(key) for key in self.ssh_keys),
            key="ssh_keys",
            expected='public keys, each as its .pub file has it: ["ssh-ed25519 AAAA... name"]',
        )


WIFI: Final = "wpa_supplicant.conf"
KEYS: Final = "authorized_keys"
HOSTS: Final = "hosts"
PRIVATE: Final = 0o600
PUBLIC: Final = 0o644
_OWN_LETTERS: Final = 4


class MachineFile(Struct, frozen=True):
    """One file; ``name`` is relative to the folder the system's services read."""

    name: str
    content: str
    mode: int


def host_name(settings: MachineSettings, program: str, machine_id: str) -> str:
    """Return the machine's network name; ``machine_id``, the card's own, makes it unique if ``settings`` set neither name nor table."""
    own = str(settings.table) if settings.table else ""
    if not (settings.name or own):
        own = hashlib.sha256(machine_id.encode()).hexdigest()[:_OWN_LETTERS]
    return "-".join(part for part in (settings.name or program, own) if part)


def files(settings: MachineSettings, name: str) -> tuple[MachineFile, ...]:
    """Return the files of the machine with this name. Delete any other: a service starts if its file exists."""
    keys = "".join(f"{key}\n" for key in settings.ssh_keys)
    return (
        # sudo and others look up the machine's own name, without network too.
        MachineFile(HOSTS, f"127.0.0.1\tlocalhost\n127.0.1.1\t{name}\n::1\tlocalhost\n", PUBLIC),
        *((MachineFile(WIFI, _supplicant(settings.wifi), PRIVATE),) if settings.wifi.network else ()),
        *((MachineFile(KEYS, keys, PUBLIC),) if keys else ()),
    )


def _supplicant(wifi: WifiSettings) -> str:
    """Return wpa_supplicant.conf(5). Names and passwords are in hexadecimal, so that nothing needs quoting."""
    password = wifi.password.value
    # The WPA2 key of passphrase and network name (IEEE 802.11i, H.4).
    key = hashlib.pbkdf2_hmac("sha1", password.encode(), wifi.network.encode(), 4096, 32).hex()
    security = [f"sae_password={password.encode().hex()}", f"psk={key}", "key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE", "ieee80211w=1"]
    network = [f"ssid={wifi.network.encode().hex()}", "scan_ssid=1", *(security if password else ["key_mgmt=NONE"])]
    country = [f"country={wifi.country}"] if wifi.country else []
    return "\n".join([*country, "network={", *(f"\t{line}" for line in network), "}", ""])


VOLATILE: Final = Path("/run/tileclock-machine")
PERSISTENT: Final = Path("/var/lib/tileclock-machine")
"""Settings that survive a boot, on the data partition: the time zone applies from the start."""
MACHINE_ID: Final = Path("/etc/machine-id")
ZONES: Final = Path("/usr/share/zoneinfo")


def apply(settings: MachineSettings, program: str, volatile: Path = VOLATILE, persistent: Path = PERSISTENT) -> str:
    """Apply ``settings`` and return the machine's name; raises ``MachineError`` if we are not root, or it is not our card."""
    try:
        name = host_name(settings, program, MACHINE_ID.read_text(encoding="ascii").strip())
        wanted = {file.name: file for file in files(settings, name)}
        for each in (WIFI, KEYS):
            if each not in wanted:
                (volatile / each).unlink(missing_ok=True)
        for file in wanted.values():
            _write(volatile, file)
        _link(persistent / "localtime", ZONES / settings.time_zone)
        socket.sethostname(name)
    except OSError as error:
        expected = "to write the machine's settings as root on a card made by `make image`"
        raise MachineError(where=error.filename or "its name", expected=expected, found=reason(error)) from error
    return name


def _write(folder: Path, file: MachineFile) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{file.name}"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode), "w", encoding="utf-8") as opened:
        os.fchmod(opened.fileno(), file.mode)
        opened.write(file.content)
    new.replace(folder / file.name)


def _link(link: Path, target: Path) -> None:
    if link.is_symlink() and link.readlink() == target:
        return
    new = link.with_name(f".{link.name}")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(link)
