"""Settings at a start: good files are taken and kept, spoiled ones give way to their last good copies, and what is wrong is always told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from appliance.errors import Diagnosis, SettingsError
from appliance.settings.last_good import settings_outcome, state_folder
from appliance.settings.layers import RejectedSettings
from tests.appliance.records.refusing import bound_by_permissions, no_file_larger, open_folder
from tests.errors import with_fields
from tests.hardware.sheds import Door, Machine, Shed, machine

__all__ = ["machine", "open_folder"]


def test_good_files_are_in_force_and_a_copy_of_each_is_kept_for_its_owner_and_group_alone(machine: Machine) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("[door]\nwidth = 90\n")
    found = machine.take({"plan": "shipped"})
    assert (found.settings.colour, found.settings.door.width, found.refused) == ("green", 90, None)
    for file in (machine.system, machine.boot):
        assert machine.copy(file).read_text() == file.read_text()
        assert machine.copy(file).stat().st_mode & 0o007 == 0
    assert settings_outcome(found) == f"settings taken: 1 from {machine.system}, 1 from {machine.boot}, 1 from options"


@pytest.mark.needs_root
def test_copies_that_root_keeps_belong_to_the_owner_of_the_state_folder(machine: Machine) -> None:
    machine.state.mkdir()
    os.chown(machine.state, 1234, 1235)
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    made = list(machine.state.rglob("*"))
    assert machine.copy(machine.boot) in made
    assert {(each.stat().st_uid, each.stat().st_gid) for each in made} == {(1234, 1235)}


def test_a_machine_without_files_keeps_nothing(machine: Machine) -> None:
    assert machine.take().settings == Shed()
    assert not machine.state.exists()
    assert settings_outcome(machine.take()) == "settings taken: all at their defaults"


@pytest.mark.parametrize(
    ("spoiled", "told"),
    [
        (
            b"[door\nwidth = 90\n",
            "expected TOML in UTF-8, found a fault: Expected ']' at the end of a table declaration (at line 1, column 6)",
        ),
        (b"[door]\nwidth = 9\n", "door.width: expected greater than or equal to 10, found 9. Correct it."),
        (b"[dor]\nwidth = 90\n", 'expected one of the keys plan, plans, colour, door, found "dor". Did you mean door?'),
        (b'colour = "gr\xfcn"\n', "expected TOML in UTF-8"),
        (b'plan = "nix"\n', "expected the plan shipped, found 'nix'"),
        (b'plan = "plans/none.toml"\n', "found no such file or directory"),
    ],
)
def test_a_spoiled_file_gives_way_to_its_last_good_copy_and_the_others_stay(machine: Machine, spoiled: bytes, told: str) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    machine.system.write_text('colour = "red"\n')
    machine.boot.write_bytes(spoiled)
    for _ in range(2):
        found = machine.take({"door.width": None})
        assert found.refused is not None
        assert found.refused.last_good
        assert told in str(found.refused.why)
        assert (found.settings.colour, found.settings.door.width) == ("red", 90)
        assert found.origins["door.width"] == f"last good copy of {machine.boot}"
        assert settings_outcome(found).startswith(
            f"settings not taken: {found.refused.why.problem}; in force instead: 1 from {machine.system}, 1 from last good"
        )
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 90\n"


def test_who_only_looks_gets_the_same_and_keeps_nothing(machine: Machine) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    assert machine.last_good.look({}) == machine.take()
    machine.boot.write_text("[door]\nwidth = 91\n")
    assert machine.last_good.look({}).settings.door.width == 91
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 90\n"
    machine.boot.write_text("x")
    assert machine.last_good.look({}) == machine.take()
    assert machine.last_good.look({}).settings.door.width == 90


def test_who_may_not_look_into_the_state_folder_is_told_and_gets_the_defaults(request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue("open_folder")
    machine = Machine(folder)
    plan = machine.boot.with_name("own.toml")
    plan.write_text("good = 1\n")
    machine.boot.write_text('plan = "own.toml"\n')
    machine.take()
    machine.state.chmod(0)
    plan.write_text("bad = \n")
    with bound_by_permissions():
        found = machine.last_good.look({})
    machine.state.chmod(0o755)
    assert found.settings == Shed()
    assert found.refused is not None
    assert (found.refused.why.problem.startswith(f"{plan}: "), found.refused.last_good) == (True, False)


def test_once_the_file_is_mended_it_is_in_force_again_and_kept(machine: Machine) -> None:
    for text, width in (("[door]\nwidth = 90\n", 90), ("[door]\nwidth = \n", 90), ("[door]\nwidth = 91\n", 91), ("x", 91)):
        machine.boot.write_text(text)
        assert machine.take().settings.door.width == width


def test_where_nothing_good_was_ever_kept_a_spoiled_file_is_left_out_and_the_others_stay(machine: Machine) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("x")
    found = machine.take()
    assert found.settings == Shed(colour="green")
    assert found.refused == RejectedSettings(
        Diagnosis(
            f"{machine.boot}: expected TOML in UTF-8, found a fault: Expected '=' after a key in a key/value pair (at end of document)",
            "Correct the line",
        ),
        last_good=False,
    )
    assert not machine.state.exists()


def test_a_file_of_ones_own_that_is_spoiled_gives_way_to_its_copy_and_the_settings_that_name_it_stay(machine: Machine) -> None:
    own, more = machine.boot.with_name("own.toml"), machine.boot.with_name("more.toml")
    own.write_text("good = 1\n")
    more.write_text("good = 2\n")
    machine.boot.write_text('plan = "own.toml"\nplans = ["more.toml", "shipped"]\n[door]\nwidth = 90\n')
    assert machine.take().settings.plan == str(own)
    own.write_text("bad = \n")
    machine.boot.write_text('plan = "own.toml"\nplans = ["more.toml", "shipped"]\n[door]\nwidth = 91\n')
    found = machine.take()
    assert found.settings.door.width == 91
    assert Path(found.settings.plan).read_text() == "good = 1\n"
    assert Path(found.settings.plan).name == "own.toml"
    assert found.settings.plans == (str(machine.copy(more)), "shipped")
    assert found.refused is not None
    assert found.refused.why.problem.startswith(f"{own}: ")


def test_of_two_files_that_are_both_spoiled_both_copies_are_taken(machine: Machine) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    machine.system.write_text("colour = 1\n")
    machine.boot.write_text("[door]\nwidth = 1\n")
    assert machine.take().settings == Shed(colour="green", door=Door(width=90))


def test_a_path_in_a_copy_begins_where_the_original_lies(machine: Machine) -> None:
    plan = machine.boot.with_name("plan.toml")
    plan.write_text("")
    machine.boot.write_text('plan = "plan.toml"\n')
    machine.take()
    machine.boot.write_text("plan = \n")
    assert machine.take().settings.plan == str(plan)


def test_an_option_that_is_at_fault_is_never_made_good(machine: Machine) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    for spoiled in (False, True):
        if spoiled:
            machine.boot.write_text("x")
        with pytest.raises(SettingsError, check=with_fields(where="options: door.width", found="3")):
            machine.take({"door.width": 3})


def test_a_state_folder_that_cannot_be_written_to_keeps_nobody_from_starting(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = request.getfixturevalue("open_folder")
    machine = Machine(folder)
    machine.boot.write_text("[door]\nwidth = 90\n")
    folder.chmod(0o555)
    with bound_by_permissions():
        assert machine.take().settings.door.width == 90
    assert "the last good settings are not saved" in capsys.readouterr().out
    folder.chmod(0o755)


def test_a_full_disk_keeps_the_old_copy_whole(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    machine.boot.write_text("[door]\nwidth = 91\n" + "# a remark\n" * 100)
    with no_file_larger(500):
        assert machine.take().settings.door.width == 91
    assert "the last good settings are not saved" in capsys.readouterr().out
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 90\n"
    assert [each.name for each in machine.copy(machine.boot).parent.iterdir()] == ["shed.toml"]


def test_what_has_not_changed_is_not_written_again(machine: Machine) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    before = machine.copy(machine.boot).stat()
    machine.take()
    assert machine.copy(machine.boot).stat().st_ino == before.st_ino


@pytest.mark.parametrize("named", [{"STATE_DIRECTORY": "/run/one:/run/two"}, {"STATE_DIRECTORY": "/run/one"}])
def test_the_state_folder_is_the_first_that_systemd_names_else_the_programs_own(named: dict[str, str]) -> None:
    assert state_folder(Path("/var/lib/shed"), named) == Path("/run/one")
    assert state_folder(Path("/var/lib/shed"), {"STATE_DIRECTORY": ""}) == Path("/var/lib/shed")
    assert state_folder(Path("/var/lib/shed"), {}) == Path("/var/lib/shed")
