"""Settings at a start on a card that loses files: one that is gone or comes back empty gives way to its copy; and what who examines such a machine gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import Diagnosis, SettingsError
from appliance.finding import State
from appliance.settings.last_good import check_settings
from appliance.settings.layers import RejectedSettings
from tests.errors import with_fields
from tests.hardware.sheds import Door, Machine, Shed, machine

__all__ = ["machine"]

GONE, EMPTY = "no file", "an empty file"


def _refused(path: Path, found: str, *, last_good: bool) -> RejectedSettings:
    return RejectedSettings(
        Diagnosis(f"{path}: expected settings, found {found}", 'Put them back, or only the line "# defaults"'), last_good=last_good
    )


@pytest.mark.parametrize(("lost", "state"), [(None, GONE), (b"", EMPTY), (b"\r\n", EMPTY), (b"\0" * 512, EMPTY)])
def test_a_file_that_is_gone_or_comes_back_empty_from_the_card_gives_way_to_its_copy_which_stays(
    machine: Machine, lost: bytes | None, state: str
) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    if lost is None:
        machine.boot.unlink()
        machine.boot.parent.rmdir()
    else:
        machine.boot.write_bytes(lost)
    for _ in range(2):
        found = machine.take()
        assert found.settings == Shed(colour="green", door=Door(width=90))
        assert found.refused == _refused(machine.boot, state, last_good=True)
        assert machine.last_good.look({}) == found
    machine.boot.parent.mkdir(exist_ok=True)
    machine.boot.write_text("x")
    found = machine.take()
    assert found.settings.door.width == 90
    assert found.refused is not None
    assert "expected TOML" in found.refused.why.problem


def test_a_whole_partition_that_is_gone_gives_way_with_the_files_of_ones_own_on_it(machine: Machine) -> None:
    plan = machine.boot.with_name("own.toml")
    plan.write_text("good = 1\n")
    machine.boot.write_text('plan = "own.toml"\n')
    machine.take()
    for file in (plan, machine.boot):
        file.unlink()
    found = machine.take()
    assert found.settings.plan == str(machine.copy(plan))
    assert found.refused == _refused(machine.boot, GONE, last_good=True)


def test_of_a_machine_without_its_files_only_what_its_copies_set_is_missed(machine: Machine) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    machine.boot.write_text("# defaults\n")
    found = machine.take()
    assert (found.settings, found.refused) == (Shed(colour="green"), None)
    machine.boot.unlink()
    assert machine.take() == found
    machine.system.unlink()
    assert machine.take().refused == _refused(machine.system, GONE, last_good=True)


def test_where_nothing_was_ever_kept_an_empty_file_is_told_of_and_the_defaults_are_in_force(machine: Machine) -> None:
    machine.boot.touch()
    assert machine.take().settings == Shed()
    assert machine.take().refused == _refused(machine.boot, EMPTY, last_good=False)
    assert not machine.state.exists()


def test_who_asks_for_the_files_as_they_are_is_told_of_one_that_is_gone_and_gets_no_copy(machine: Machine) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    assert machine.last_good.as_they_are({"colour": "red"}).settings == Shed(colour="red", door=Door(width=90))
    machine.boot.unlink()
    with pytest.raises(SettingsError, check=with_fields(where=str(machine.boot), found="no file")):
        machine.last_good.as_they_are({})


def test_who_examines_gets_what_is_in_force_and_an_option_that_names_nothing_is_left_to_its_own_check(machine: Machine) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    machine.take()
    named = machine.last_good.examined({"plan": "nix"})
    assert (named.settings, named.refused) == (Shed(plan="nix", door=Door(width=90)), None)
    with pytest.raises(SettingsError, check=with_fields(where="options: door.width", found="3")):
        machine.last_good.examined({"door.width": 3})
    machine.boot.write_text("x")
    found = machine.last_good.examined({})
    assert (found, check_settings(found).state) == (machine.take(), State.FAIL)
    for options, where, told in (({"plan": "nix"}, "", "'nix'"), ({"door.width": 3}, "options: door.width", "3")):
        with pytest.raises(SettingsError, check=with_fields(where=where, found=told)):
            machine.last_good.examined(options)
