"""What the table [machine] may hold, and the sentence where it holds something else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from firmware.settings import SettingsError, load_settings
from kiosk.settings import load_settings as load_station
from tests.cells import each_cell
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


def test_clock_and_station_take_the_same_table(tmp_path: Path) -> None:
    file = _file(tmp_path, GOOD)
    clock, station = (load({}, file).settings.machine for load in (load_settings, load_station))
    assert clock == station
    assert (clock.name, clock.table, clock.wifi.password.get_secret_value()) == ("clock", 12, "eight or more")


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


def test_what_cannot_be_is_refused_with_the_place_what_was_found_and_what_is_expected(tmp_path: Path) -> None:
    for cell in each_cell(REFUSED):
        with cell as (line, expected):
            with pytest.raises(SettingsError) as refused:
                load_settings({}, _file(tmp_path, f"[machine]\n{line}\n"))
            assert expected in str(refused.value)


@pytest.mark.parametrize(
    "line", ['password = "short"', "password = 12345678", 'password = "contraseña"', 'ssid = 1\npassword = "secret in a hall"']
)
def test_a_password_is_in_no_sentence_for_the_screen_hangs_in_a_hall(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({}, _file(tmp_path, f'[machine.wifi]\nnetwork = "Hall"\n{line}\n'))
    found = line.rpartition("= ")[2].strip('"')
    assert found not in str(refused.value)
    assert "machine.wifi" in str(refused.value)


@pytest.mark.parametrize(("program", "load"), [("tileclock", load_settings), ("tilekiosk", load_station)])
def test_the_cards_own_file_changes_nothing_as_it_is_and_all_its_lines_can_be_used(tmp_path: Path, program: str, load: object) -> None:
    assert callable(load)
    shipped = UNITS / f"card/boot/{program}.toml"
    assert load({}, shipped).origins == {}
    lines = shipped.read_text(encoding="utf-8").splitlines()
    # A line that can be set is one where only the # is in the way; pin, code and key are nobody's yet.
    used = [line[1:] if line.startswith("#") and line[1:2] != " " else line for line in lines]
    used = [line for line in used if not line.startswith(("pin", "code", "ssh_keys"))]
    settings = load({}, _file(tmp_path, "\n".join(used))).settings
    assert settings.machine.table > 0
    assert settings.machine.wifi.network == "Hall"
