import errno
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, field
from msgspec.structs import replace

from appliance.errors import BoardError, Diagnosis, SettingsError, State
from appliance.settings import (
    FOLDER,
    OPTIONS,
    LastGood,
    Layered,
    Layers,
    RejectedSettings,
    blame_setting,
    check_settings,
    is_there,
    read,
    reject_hidden_ending,
    settings_outcome,
    state_folder,
)
from faults.errors import TileclockError, reason
from faults.small_file import is_path, read_small
from faults.validation import Table
from tests.appliance.records.refusing import bound_by_permissions, no_file_larger, open_folder
from tests.errors import with_fields
from tests.some import some

__all__ = ["machine", "open_folder"]


class Door(Table, frozen=True):
    width: Annotated[int, Meta(ge=10)] = 80


class Shed(Table, frozen=True):
    plan: str = "shipped"
    plans: tuple[str, ...] = ()
    colour: str = "brown"
    door: Door = Door()


def _usable(layered: Layered[Shed]) -> None:
    shed = layered.settings
    for plan in (shed.plan, *shed.plans):
        if is_path(plan):
            try:
                tomllib.loads(read_small(plan).decode())
            except (OSError, ValueError) as error:
                raise SettingsError(where=plan, expected="a plan", found=reason(error)) from error
        elif plan != "shipped":
            raise SettingsError(expected="the plan shipped", found=repr(plan))


class Machine:
    def __init__(self, folder: Path) -> None:
        self.system, self.boot, self.state = folder / "etc" / "shed.toml", folder / "boot" / "shed.toml", folder / "state"
        self.system.parent.mkdir()
        self.boot.parent.mkdir()
        layers = Layers(Shed, lambda: ((self.system,), (self.boot,)), paths={"plan": is_path, "plans": is_path})
        self.last_good = LastGood(layers, _usable, frozenset({"plan", "plans"}), self.state)

    def take(self, options: Mapping[str, object] | None = None) -> Layered[Shed]:
        return self.last_good.take(options or {})

    def keep(self, system: str | None = None) -> None:
        if system is not None:
            self.system.write_text(system)
        self.boot.write_text("[door]\nwidth = 90\n")
        self.take()

    def copy(self, file: Path) -> Path:
        return self.state / FOLDER / str(file).lstrip("/")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


class Lamp(Table, frozen=True):
    colour: str = "red"
    lit: bool = True
    names: dict[str, str] = field(default_factory=dict)


class House(Table, frozen=True):
    rooms: int = 2
    lamp: Lamp = Lamp()


LAYERS = Layers(House, list, whole=frozenset({"lamp.names"}))


def test_the_last_layer_that_names_a_setting_has_it_and_a_fault_names_its_layer() -> None:
    found = LAYERS.merge([("first", {"rooms": 3, "lamp.colour": "green"}), ("second", {"rooms": 4})])
    assert (found.settings.rooms, found.settings.lamp.colour) == (4, "green")
    assert found.origins == {"rooms": "second", "lamp.colour": "first"}
    # A table that is one setting replaces the one before, and is dumped as one.
    found = LAYERS.merge([("first", {"lamp.names": {"a": "b"}}), ("second", {"lamp.names": {"c": "d"}})])
    assert found.settings.lamp.names == {"c": "d"}
    assert list(LAYERS.dump(found, changed=True)) == [("lamp.names", '{ c = "d" }', "second")]
    assert [key for key, _, _ in LAYERS.dump(found)] == ["rooms", "lamp.colour", "lamp.lit", "lamp.names"]
    # A fault names its layer, its key and what is allowed.
    with pytest.raises(SettingsError, check=with_fields(where="second: lamp", found='"size"', remedy="Remove it")) as caught:
        LAYERS.merge([("first", {"rooms": 1}), ("second", {"lamp.size": 3})])
    assert isinstance(caught.value, TileclockError)
    with pytest.raises(SettingsError, check=with_fields(where="first: rooms", found='"many"')):
        LAYERS.merge([("first", {"rooms": "many", "lamp.lit": False, "lamp.names": {"a": "b"}})])
    with pytest.raises(SettingsError, check=with_fields(where="first: lamp.lit", expected="a valid boolean")):
        LAYERS.merge([("first", {"lamp.lit": 1})])


def test_the_machines_files_are_looked_for_at_each_loading_unless_one_is_named(tmp_path: Path) -> None:
    first, second, named = (tmp_path / name for name in ("first.toml", "second.toml", "named.toml"))
    second.write_text("rooms = 7\n")
    named.write_text("rooms = 8\n")
    machines = [[second]]
    layers = Layers(House, lambda: machines)
    assert layers.load({}).settings.rooms == 7
    first.write_text('rooms = 6\n[lamp]\ncolour = "blue"\n')
    machines.insert(0, [first])
    found = layers.load({})
    assert (found.settings.rooms, found.settings.lamp.colour) == (7, "blue")
    assert layers.load({"rooms": None, "lamp.colour": "white"}, named).settings == House(rooms=8, lamp=Lamp(colour="white"))


def test_of_the_boot_partitions_files_the_first_that_exists_is_read_after_the_systems(tmp_path: Path) -> None:
    system, new, old = (tmp_path / name for name in ("system.toml", "new.toml", "old.toml"))
    layers = Layers(House, lambda: ((system,), (new, old)))
    assert layers.files() == []
    assert layers.files(missed=lambda path: path in (system, old)) == [system, old]
    old.touch()
    assert layers.files() == [old]
    assert layers.files(missed=lambda _: True) == [system, old]
    for path in (system, new):
        path.touch()
    assert layers.files() == [system, new]


def test_no_file_of_the_machine_blocks_a_start_and_an_empty_one_is_refused_with_what_says_that_nothing_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    layers = Layers(House, lambda: ((file,),))
    os.mkfifo(file)
    lost = (b"", b" \t\r\n", b"\0" * 4096, b"\xff" * 512, b"\xef\xbb\xbf\r\n", b"\xff\xfe\r\0\n\0")
    for content, found in (
        (None, "no regular file"),
        (b"#\n" * 40_000, "file too large"),
        (b"a." * 9_000 + b"b=1", "a fault: more than 100 dots in a line"),
        *((each, "an empty file") for each in lost),
    ):
        if content is not None:
            file.unlink()
            file.write_bytes(content)
        with pytest.raises(SettingsError, check=with_fields(where=str(file), found=found)):
            layers.load({})
    file.write_text("# defaults")
    assert layers.load({}).settings == LAYERS.load({}, Path("/dev/null")).settings == House()


def test_whether_a_file_is_there_that_a_failing_card_does_not_tell_is_found_out_by_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "house.toml"

    def failing(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    layers = Layers(House, lambda: ((file,),))
    with monkeypatch.context() as card:
        card.setattr(Path, "stat", failing)
        card.setattr(os, "open", failing)
        with pytest.raises(SettingsError, check=with_fields(where=str(file), found="input/output error")):
            layers.load({})
    # No card tells of a name that is too long for it either.
    assert is_there(Path("x" * 300))


class Hut(Table, frozen=True):
    key: str = "hook"
    plans: tuple[str, ...] = ()


HUT = Layers(Hut, list, paths={"key": lambda text: text != "hook", "plans": bool})


def test_a_path_begins_at_its_file_an_options_at_the_working_folder_and_a_name_or_a_fault_stays_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "shed.toml"
    file.write_text('key = "under/mat"\nplans = ["a", "/b"]\n')
    found = HUT.load({"plans": None}, file).settings
    assert found == Hut(key=f"{tmp_path}/under/mat", plans=(f"{tmp_path}/a", "/b"))
    monkeypatch.chdir("/usr")
    assert HUT.load({"key": "mat", "plans": ("c",)}, file).settings == Hut(key="/usr/mat", plans=("/usr/c",))
    assert HUT.load({"key": "hook"}, file).settings.key == "hook"
    with pytest.raises(SettingsError, check=with_fields(where="options: key", found="7")):
        HUT.load({"key": 7}, file)


def test_a_path_in_a_working_folder_that_was_removed_is_a_sentence_and_a_whole_one_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert HUT.load({"key": "/usr/mat"}).settings.key == "/usr/mat"
    with pytest.raises(SettingsError, check=with_fields(expected=re.compile("mat"), found="no such file or directory")):
        HUT.load({"key": "mat"})


def test_a_byte_order_mark_before_utf_8_is_no_fault_and_another_encoding_is_to_be_saved_as_utf_8(machine: Machine, tmp_path: Path) -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        machine.boot.write_bytes(mark + 'colour = "grün"\r\n[door]\r\nwidth = 90\r\n'.encode())
        found = machine.take()
        assert (found.settings.colour, found.settings.door.width, found.refused) == ("grün", 90, None)
    path = tmp_path / "shed.toml"
    for content in ('colour = "red"\n'.encode("utf-16"), '\ufeffcolour = "red"\n'.encode("utf-16-be")):
        path.write_bytes(content)
        with pytest.raises(SettingsError, check=with_fields(where=str(path), found="UTF-16", remedy="Save it as UTF-8")):
            read(path)
    path.write_bytes(b'\xef\xbb\xbf# first\ncolour = "gr\xfcn"\n')
    with pytest.raises(SettingsError) as refused:
        read(path)
    assert (refused.value.where, refused.value.expected) == (str(path), "TOML in UTF-8")
    assert refused.value.found.endswith("in line 2")


def test_a_file_that_windows_has_given_a_second_ending_is_told_of_beside_the_one_that_is_read_too(machine: Machine) -> None:
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
    machine.boot.write_text('colour = "green"\n')
    machine.take()
    machine.boot.with_name("shed.toml.txt").write_text('colour = "red"\n')
    found = machine.take()
    assert (found.settings.colour, some(found.refused).last_good) == ("green", True)
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


def test_good_files_are_in_force_and_a_copy_of_each_is_kept_for_its_owner_and_group_alone(machine: Machine) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("[door]\nwidth = 90\n")
    found = machine.take({"plan": "shipped"})
    assert (found.settings.colour, found.settings.door.width, found.refused) == ("green", 90, None)
    for file in (machine.system, machine.boot):
        assert machine.copy(file).read_text() == file.read_text()
        assert machine.copy(file).stat().st_mode & 0o007 == 0
    assert settings_outcome(found) == f"settings taken: 1 from {machine.system}, 1 from {machine.boot}, 1 from options"
    # What changes after it was checked is kept as it was.
    machine.boot.write_text("[door]\nwidth = 91\n")
    replace(machine.last_good, usable=lambda _: machine.boot.write_text("")).take({})
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 91\n"


@pytest.mark.needs_root
def test_copies_that_root_keeps_belong_to_the_owner_of_the_state_folder(machine: Machine) -> None:
    machine.state.mkdir()
    os.chown(machine.state, 1234, 1235)
    machine.keep()
    made = list(machine.state.rglob("*"))
    assert machine.copy(machine.boot) in made
    assert {(each.stat().st_uid, each.stat().st_gid) for each in made} == {(1234, 1235)}


@pytest.mark.parametrize(
    ("spoiled", "reported"),
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
def test_a_spoiled_file_gives_way_to_its_last_good_copy_and_the_others_stay(machine: Machine, spoiled: bytes, reported: str) -> None:
    machine.keep(system='colour = "green"\n')
    machine.system.write_text('colour = "red"\n')
    machine.boot.write_bytes(spoiled)
    for _ in range(2):
        found = machine.take({"door.width": None})
        assert found.refused is not None
        assert found.refused.last_good
        assert reported in str(found.refused.why)
        assert (found.settings.colour, found.settings.door.width) == ("red", 90)
        assert found.origins["door.width"] == f"last good copy of {machine.boot}"
        assert settings_outcome(found).startswith(
            f"settings not taken: {found.refused.why.problem}; in force instead: 1 from {machine.system}, 1 from last good"
        )
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 90\n"


def test_who_only_looks_keeps_nothing_and_a_mended_file_is_in_force_again_and_kept(machine: Machine) -> None:
    machine.boot.write_text("[door]\nwidth = 90\n")
    assert machine.last_good.look({}) == machine.take()
    machine.boot.write_text("[door]\nwidth = 91\n")
    assert machine.last_good.look({}).settings.door.width == 91
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 90\n"
    machine.boot.write_text("x")
    assert machine.last_good.look({}) == machine.take()
    assert machine.last_good.look({}).settings.door.width == 90
    # Once the file is corrected it is in force again and kept.
    for text, width in (("[door]\nwidth = 90\n", 90), ("[door]\nwidth = \n", 90), ("[door]\nwidth = 91\n", 91), ("x", 91)):
        machine.boot.write_text(text)
        assert machine.take().settings.door.width == width


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


def test_where_nothing_good_was_ever_kept_a_spoiled_file_is_left_out_and_the_others_stay(machine: Machine) -> None:
    machine.system.write_text('colour = "green"\n')
    machine.boot.write_text("x")
    found = machine.take()
    assert found.settings == Shed(colour="green")
    assert found.refused == RejectedSettings(
        Diagnosis(
            f"{machine.boot}: expected TOML in UTF-8, found a fault: Expected '=' after a key in a key/value pair (at end of document): x",
            "Correct the line",
        ),
        last_good=False,
    )
    assert not machine.state.exists()


def test_a_file_of_ones_own_gives_way_to_its_copy_and_paths_begin_where_the_original_lies(machine: Machine) -> None:
    # The settings that name it stay.
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
    assert some(found.refused).why.problem.startswith(f"{own}: ")
    # A path in a copy begins where the original lies.
    plan = machine.boot.with_name("plan.toml")
    plan.write_text("")
    machine.boot.write_text('plan = "plan.toml"\n')
    machine.take()
    machine.boot.write_text("plan = \n")
    assert machine.take().settings.plan == str(plan)


def test_an_option_that_is_at_fault_is_never_made_good(machine: Machine) -> None:
    machine.keep()
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
    machine.keep()
    before = machine.copy(machine.boot).stat()
    machine.take()
    # What has not changed is not written again.
    assert machine.copy(machine.boot).stat().st_ino == before.st_ino
    machine.boot.write_text("[door]\nwidth = 91\n" + "# a remark\n" * 100)
    with no_file_larger(500):
        assert machine.take().settings.door.width == 91
    assert "the last good settings are not saved" in capsys.readouterr().out
    assert machine.copy(machine.boot).read_text() == "[door]\nwidth = 90\n"
    assert [each.name for each in machine.copy(machine.boot).parent.iterdir()] == ["shed.toml"]


def test_the_state_folder_is_the_first_that_systemd_names_else_the_programs_own() -> None:
    for named in ("/run/one:/run/two", "/run/one"):
        assert state_folder(Path("/var/lib/shed"), {"STATE_DIRECTORY": named}) == Path("/run/one")
    assert state_folder(Path("/var/lib/shed"), {"STATE_DIRECTORY": ""}) == Path("/var/lib/shed")
    assert state_folder(Path("/var/lib/shed"), {}) == Path("/var/lib/shed")


GONE, EMPTY = "no file", "an empty file"


def _refused(path: Path, found: str, *, last_good: bool) -> RejectedSettings:
    return RejectedSettings(
        Diagnosis(f"{path}: expected settings, found {found}", 'Put them back, or only the line "# defaults"'), last_good=last_good
    )


@pytest.mark.parametrize(("lost", "state"), [(None, GONE), (b"", EMPTY), (b"\r\n", EMPTY), (b"\0" * 512, EMPTY)])
def test_a_file_that_is_gone_or_comes_back_empty_from_the_card_gives_way_to_its_copy_which_stays(
    machine: Machine, lost: bytes | None, state: str
) -> None:
    machine.keep(system='colour = "green"\n')
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
    assert "expected TOML" in some(found.refused).why.problem


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
    machine.keep(system='colour = "green"\n')
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


def test_who_reads_or_examines_the_files_gets_them_as_they_are_or_what_is_in_force(machine: Machine) -> None:
    machine.keep()
    assert machine.last_good.as_they_are({"colour": "red"}).settings == Shed(colour="red", door=Door(width=90))
    machine.boot.unlink()
    with pytest.raises(SettingsError, check=with_fields(where=str(machine.boot), found="no file")):
        machine.last_good.as_they_are({})
    # Who examines gets what is in force; an option that names nothing is left to its own check.
    machine.keep()
    named = machine.last_good.examined({"plan": "nix"})
    assert (named.settings, named.refused) == (Shed(plan="nix", door=Door(width=90)), None)
    with pytest.raises(SettingsError, check=with_fields(where="options: door.width", found="3")):
        machine.last_good.examined({"door.width": 3})
    machine.boot.write_text("x")
    found = machine.last_good.examined({})
    assert (found, check_settings(found).state) == (machine.take(), State.FAIL)
    for options, where, reported in (({"plan": "nix"}, "", "'nix'"), ({"door.width": 3}, "options: door.width", "3")):
        with pytest.raises(SettingsError, check=with_fields(where=where, found=reported)):
            machine.last_good.examined(options)


def test_a_thing_that_a_file_names_wrongly_is_told_with_file_and_key_and_any_other_error_stays_as_it_is() -> None:
    for origins, where, reported in (
        ({"plan": "/boot/shed.toml"}, "line 1", "/boot/shed.toml: plan: line 1"),
        ({}, "", ""),
        ({"plan": OPTIONS}, "", ""),
        ({"plans": "/boot/shed.toml"}, "", ""),
    ):
        with pytest.raises(BoardError, check=with_fields(where=reported)), blame_setting(Layered(Shed(), origins), "plan"):
            raise BoardError(expected="one", found="none", where=where)
    with pytest.raises(KeyError), blame_setting(Layered(Shed(), {"plan": "/boot/shed.toml"}), "plan"):
        raise KeyError("x")
