"""From the table [machine] to the files that the system reads."""

from __future__ import annotations

import subprocess
from typing import Any, Final

import pytest

from appliance.machine.apply import HOSTS, KEYS, WIFI, MachineFile, files, host_name
from appliance.machine.model import MachineSettings

ONE: Final = "0123456789abcdef0123456789abcdef"
OTHER: Final = "fedcba9876543210fedcba9876543210"
KEY: Final = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ director@office"


def _settings(**table: Any) -> MachineSettings:
    return MachineSettings.model_validate(table)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"name": "clock", "table": 12}, "clock-12"),
        ({"name": "clock"}, "clock"),
        ({"table": 12}, "tileclock-12"),
    ],
)
def test_a_machine_is_called_by_its_name_and_its_table(table: dict[str, Any], expected: str) -> None:
    assert host_name(_settings(**table), "tileclock", ONE) == expected


def test_cards_that_were_not_named_have_names_that_differ_and_stay() -> None:
    first, other = (host_name(_settings(), "tileclock", each) for each in (ONE, OTHER))
    assert first != other
    assert first == host_name(_settings(), "tileclock", ONE)
    assert first.startswith("tileclock-")
    assert ONE[:4] not in first, "machine-id(5): it is not for others to see"


def test_what_is_not_set_has_no_file_so_that_its_service_does_not_start() -> None:
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


def test_a_protected_network_is_joined_by_wpa2_or_wpa3() -> None:
    said = _network(network="IEEE", password="password", country="ES")  # noqa: S106 - the example of the standard
    assert said.startswith("country=ES\nnetwork={\n\tssid=49454545\n")
    # The example of IEEE 802.11i, H.4.1.
    assert "\tpsk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n" in said
    assert f"\tsae_password={b'password'.hex()}\n" in said
    assert "\tkey_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n" in said


def test_an_open_network_needs_no_password() -> None:
    assert _network(network="Café") == "network={\n\tssid=436166c3a9\n\tscan_ssid=1\n\tkey_mgmt=NONE\n}\n"


def test_nothing_in_a_name_or_a_password_ends_the_line_it_is_in() -> None:
    said = _network(network='a"\n}b', password='"} evil{ "')  # noqa: S106 - made up
    assert said.count("}") == 1
    assert said.count('"') == 0
