import os
import re
import socket
import subprocess
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

from appliance import machine as applying
from appliance.errors import MachineError, SettingsError
from appliance.machine import HOSTS, KEYS, WIFI, MachineFile, MachineSettings, apply, files, host_name
from faults.validation import read_table
from firmware.cli.main import main as clock_command
from firmware.settings import LAYERS
from kiosk.cli.main import main as station_command
from kiosk.settings import LAYERS as STATION
from tests.cells import each_cell
from tests.errors import refused, with_fields
from tests.systemd.laid import UNITS

GOOD: Final = """
[machine]
name = "clock"
table = 12
time_zone = "Pacific/Auckland"
ssh_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ director@office", "ssh-rsa AAAAB3Nza"]
wifi = { network = "Hall", password = "eight or more", country = "NZ" }
"""


def _file(folder: Path, text: str) -> Path:
    file = folder / "settings.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_clock_and_station_take_the_same_table_and_refuse_what_cannot_be(tmp_path: Path) -> None:
    file = _file(tmp_path, GOOD)
    clock, station = (load({}, file).settings.machine for load in (LAYERS.load, STATION.load))
    assert clock == station
    assert (clock.name, clock.table, clock.wifi.password.value) == ("clock", 12, "eight or more")
    # What cannot be is refused with the place, what was found and what is expected.
    for cell in each_cell(REFUSED):
        with cell as (line, expected):
            with pytest.raises(SettingsError) as refused:
                LAYERS.load({}, _file(tmp_path, f"[machine]\n{line}\n"))
            assert expected in str(refused.value)


REFUSED = [
    ('name = "Table 12"', "machine.name: expected 1 to 40 letters a to z, digits and hyphens"),
    ('name = "-a"', "machine.name: expected 1 to 40 letters"),
    ("table = -1", "machine.table: expected greater than or equal to 0, found -1"),
    ('time_zone = "Madrid"', "machine.time_zone: expected a time zone by its region and city, as in Europe/Madrid"),
    ('time_zone = "../../etc/passwd"', "expected a time zone by its region and city"),
    ('time_zone = "Europe"', "expected a time zone by its region and city"),
    ('ssh_keys = ["-----BEGIN OPENSSH PRIVATE KEY-----"]', "expected public keys, each as its .pub file has it"),
    (r'ssh_keys = ["ssh-rsa AAAA x\nssh-rsa BBBB"]', "expected public keys, each as its .pub file has it"),
    ('ssh_keys = "ssh-rsa AAAA"', 'machine.ssh_keys: expected a valid tuple, found "ssh-rsa AAAA"'),
    (f'wifi.network = "{"é" * 17}"', "expected a name of at most 32 bytes"),
    ('wifi = { network = "a", country = "Spain" }', "machine.wifi.country: expected the two capital letters of a country"),
    ('wifi.password = "eight or more"', "machine.wifi: expected the name of the network too"),
    ("wifi.ssid = 3", 'machine.wifi: expected one of the keys network, password, country, found "ssid"'),
]


@pytest.mark.parametrize(
    "line", ['password = "short"', "password = 12345678", 'password = "contraseña"', 'ssid = 1\npassword = "secret in a hall"']
)
def test_a_password_is_in_no_sentence_for_the_screen_hangs_in_a_hall(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError) as refused:
        LAYERS.load({}, _file(tmp_path, f'[machine.wifi]\nnetwork = "Hall"\n{line}\n'))
    found = line.rpartition("= ")[2].strip('"')
    assert found not in str(refused.value)
    assert "machine.wifi" in str(refused.value)


@pytest.mark.parametrize(
    ("program", "load", "changed"),
    [("tileclock", LAYERS.load, {"director.first_test"}), ("tilekiosk", STATION.load, {"door.first_test"})],
)
def test_the_cards_own_file_asks_for_the_first_test_alone_and_all_its_lines_can_be_used(
    tmp_path: Path, program: str, load: object, changed: set[str]
) -> None:
    assert callable(load)
    shipped = UNITS / f"card/boot/{program}.toml"
    assert load({}, shipped).origins.keys() == changed
    lines = shipped.read_text(encoding="utf-8").splitlines()
    # A line that can be set is one where only the # is in the way; pin, code and key have no value yet.
    used = [line[1:] if line.startswith("#") and line[1:2] != " " else line for line in lines]
    used = [line for line in used if not line.startswith(("pin", "code", "ssh_keys"))]
    settings = load({}, _file(tmp_path, "\n".join(used))).settings
    assert settings.machine.table > 0
    assert settings.machine.wifi.network == "Hall"


ONE: Final = "0123456789abcdef0123456789abcdef"
OTHER: Final = "fedcba9876543210fedcba9876543210"


def _settings(**table: Any) -> MachineSettings:
    return read_table(table, MachineSettings)


def test_a_machine_is_called_by_its_name_and_its_table_or_by_its_card_and_has_no_file_for_what_is_not_set() -> None:
    assert host_name(_settings(name="clock", table=12), "tileclock", ONE) == "clock-12"
    assert host_name(_settings(name="clock"), "tileclock", ONE) == "clock"
    assert host_name(_settings(table=12), "tileclock", ONE) == "tileclock-12"
    # Cards that were not named have names that differ.
    first, other = (host_name(_settings(), "tileclock", each) for each in (ONE, OTHER))
    assert first != other
    assert first == host_name(_settings(), "tileclock", ONE)
    assert first.startswith("tileclock-")
    assert ONE[:4] not in first, "machine-id(5): it is not for others to see"
    assert [file.name for file in files(_settings(), "clock-12")] == [HOSTS]


def test_each_key_is_a_line_that_ssh_reads(tmp_path: Any) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a director", "-f", str(tmp_path / "key")], check=True)
    key = (tmp_path / "key.pub").read_text().strip()
    _, written = files(_settings(ssh_keys=[key]), "clock-12")
    assert written == MachineFile(KEYS, f"{key}\n", 0o644)
    (tmp_path / KEYS).write_text(written.content)
    subprocess.run(["ssh-keygen", "-l", "-f", str(tmp_path / KEYS)], check=True, capture_output=True)


def _network(**wifi: str) -> str:
    _, written = files(_settings(wifi=wifi), "clock-12")
    assert (written.name, written.mode) == (WIFI, 0o600)
    return written.content


def test_a_network_is_joined_by_wpa2_or_wpa3_or_without_a_password_and_nothing_ends_its_lines() -> None:
    said = _network(network="IEEE", password="password", country="ES")  # noqa: S106 - the example of the standard
    assert said.startswith("country=ES\nnetwork={\n\tssid=49454545\n")
    # The example of IEEE 802.11i, H.4.1.
    assert "\tpsk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n" in said
    assert f"\tsae_password={b'password'.hex()}\n" in said
    assert "\tkey_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n" in said
    assert _network(network="Café") == "network={\n\tssid=436166c3a9\n\tscan_ssid=1\n\tkey_mgmt=NONE\n}\n"
    said = _network(network='a"\n}b', password='"} evil{ "')  # noqa: S106 - made up
    assert (said.count("}"), said.count('"')) == (1, 0)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where it is written; this machine keeps its own name."""
    volatile, kept = tmp_path / "run", tmp_path / "lib"
    kept.mkdir()
    monkeypatch.setattr(applying, "MACHINE_ID", tmp_path / "machine-id")
    (tmp_path / "machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    monkeypatch.setattr(socket, "sethostname", (tmp_path / "name").write_text)
    return volatile, kept


def test_what_is_set_is_in_force_what_is_no_longer_set_is_gone_and_what_cannot_be_written_is_said(
    tmp_path: Path, folders: tuple[Path, Path]
) -> None:
    volatile, kept = folders
    key = "ssh-rsa AAAA me"
    wifi = {"network": "Hall", "password": "eight or more"}
    before = os.umask(0o077)
    try:
        assert apply(_settings(table=7, time_zone="Europe/Madrid", ssh_keys=[key], wifi=wifi), "tilekiosk", *folders) == "tilekiosk-7"
    finally:
        os.umask(before)
    # The service hides what it writes.
    assert (volatile / KEYS).stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "name").read_text() == "tilekiosk-7"
    assert (volatile / KEYS).read_text() == f"{key}\n"
    assert "127.0.1.1\ttilekiosk-7\n" in (volatile / HOSTS).read_text()
    assert (volatile / WIFI).stat().st_mode & 0o777 == 0o600
    assert (kept / "localtime").readlink() == Path("/usr/share/zoneinfo/Europe/Madrid")
    apply(_settings(table=7), "tilekiosk", *folders)
    assert [file.name for file in volatile.iterdir()] == [HOSTS]
    assert (kept / "localtime").readlink() == Path("/usr/share/zoneinfo/UTC")
    # Where it cannot be written, a sentence says so.
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, check=with_fields(found="not a directory")):
        apply(_settings(ssh_keys=["ssh-rsa AAAA me"]), "tileclock", tmp_path / "file", folders[1])


@pytest.mark.parametrize(("verbs", "program"), [(clock_command, "tileclock"), (station_command, "tilekiosk")])
def test_on_another_system_than_the_card_it_says_what_it_expected(
    verbs: click.Group, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(applying, "MACHINE_ID", tmp_path / "machine-id")
    called: dict[str, Any] = {"args": ["config", "machine"], "prog_name": program}
    done = CliRunner().invoke(verbs, **called)
    where, expected = str(tmp_path / "machine-id"), "to write the machine's settings as root on a card made by `make image`"
    assert isinstance(refused(done, where=where, expected=expected, found=re.compile("^no such file")), MachineError)
    assert "settings taken: all at their defaults" in done.stdout
