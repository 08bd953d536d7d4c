"""A settings file as editors leave it: its encoding, its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import Diagnosis, SettingsError
from appliance.settings.last_good import check_settings, settings_outcome
from appliance.settings.layers import RejectedSettings, read, reject_hidden_ending
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.hardware.sheds import Machine, Shed, machine

__all__ = ["machine", "open_folder"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_before_utf_8_is_no_fault(machine: Machine, mark: bytes) -> None:
    machine.boot.write_bytes(mark + 'colour = "grün"\r\n[door]\r\nwidth = 90\r\n'.encode())
    found = machine.take()
    assert (found.settings.colour, found.settings.door.width, found.refused) == ("grün", 90, None)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_to_be_saved_as_utf_8(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "shed.toml"
    path.write_bytes(("\ufeff" if encoding == "utf-16-be" else "").encode(encoding) + 'colour = "red"\n'.encode(encoding))
    with pytest.raises(SettingsError) as refused:
        read(path)
    assert (refused.value.where, refused.value.found, refused.value.remedy) == (str(path), "UTF-16", "Save it as UTF-8")


def test_letters_of_another_encoding_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "shed.toml"
    path.write_bytes(b'\xef\xbb\xbf# first\ncolour = "gr\xfcn"\n')
    with pytest.raises(SettingsError) as refused:
        read(path)
    assert (refused.value.where, refused.value.expected) == (str(path), "TOML in UTF-8")
    assert refused.value.found.endswith("in line 2")


def test_a_file_that_windows_has_given_a_second_ending_is_told_of_and_the_defaults_are_in_force(machine: Machine) -> None:
    strange = machine.boot.with_name("shed.toml.txt")
    strange.write_text('colour = "red"\n')
    found = machine.take()
    why = Diagnosis(f"{strange}: expected the name shed.toml, found one that is never read", "Rename the file, or delete it")
    assert (found.settings, found.refused) == (Shed(), RejectedSettings(why, last_good=False))
    assert settings_outcome(found) == f"settings not taken: {why.problem}; in force instead: all at their defaults"
    assert why.problem in check_settings(found).found
    strange.rename(machine.boot)
    found = machine.take()
    assert (found.settings.colour, found.refused) == ("red", None)


def test_beside_the_one_that_is_read_such_a_file_is_told_of_too_and_what_was_read_stays_in_force(machine: Machine) -> None:
    machine.boot.write_text('colour = "green"\n')
    machine.take()
    machine.boot.with_name("shed.toml.txt").write_text('colour = "red"\n')
    found = machine.take()
    assert found.refused is not None
    assert (found.settings.colour, found.refused.last_good) == ("green", True)
    assert settings_outcome(found).endswith(f"; in force instead: 1 from {machine.boot}")


def test_a_folder_of_that_name_and_one_that_may_not_be_looked_into_are_nobodys_settings(open_folder: Path) -> None:
    (open_folder / "shed.toml.txt").mkdir()
    closed = open_folder / "closed"
    closed.mkdir()
    (closed / "shed.toml.txt").touch()
    closed.chmod(0)
    with bound_by_permissions():
        reject_hidden_ending([open_folder / "shed.toml", closed / "shed.toml"])
    closed.chmod(0o755)
    with pytest.raises(SettingsError):
        reject_hidden_ending([closed / "shed.toml"])
