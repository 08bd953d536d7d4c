"""Layers of settings over a model made up here: the station's and the clock's own are tested with their programs."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest
from pydantic import Field

from appliance.errors import SettingsError
from appliance.settings.layers import Layers, Strict
from faults.errors import TileclockError
from tests.errors import with_fields


class Lamp(Strict):
    """A table within the settings."""

    colour: str = "red"
    names: dict[str, str] = Field(default_factory=dict)


class House(Strict):
    """Settings of nobody."""

    rooms: int = 2
    lamp: Lamp = Lamp()


LAYERS = Layers(House, list, whole=frozenset({"lamp.names"}))


def test_the_last_layer_that_names_a_setting_has_it_and_is_remembered() -> None:
    found = LAYERS.merge([("first", {"rooms": 3, "lamp.colour": "green"}), ("second", {"rooms": 4})])
    assert (found.settings.rooms, found.settings.lamp.colour) == (4, "green")
    assert found.origins == {"rooms": "second", "lamp.colour": "first"}


def test_options_that_are_not_given_leave_the_files_their_word(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('rooms = 5\n[lamp]\ncolour = "blue"\n')
    found = LAYERS.load({"rooms": None, "lamp.colour": "white"}, file)
    assert (found.settings.rooms, found.settings.lamp.colour) == (5, "white")


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
    assert layers.load({}, named).settings == House(rooms=8)


def test_a_table_that_is_one_setting_replaces_the_one_before_and_is_dumped_as_one() -> None:
    found = LAYERS.merge([("first", {"lamp.names": {"a": "b"}}), ("second", {"lamp.names": {"c": "d"}})])
    assert found.settings.lamp.names == {"c": "d"}
    assert list(LAYERS.dump(found, changed=True)) == [("lamp.names", '{ c = "d" }', "second")]
    assert [key for key, _, _ in LAYERS.dump(found)] == ["rooms", "lamp.colour", "lamp.names"]


def test_a_fault_names_its_layer_its_key_and_what_is_allowed() -> None:
    with pytest.raises(SettingsError, check=with_fields(where="second: lamp", found='"size"', remedy="Remove it")) as caught:
        LAYERS.merge([("first", {"rooms": 1}), ("second", {"lamp.size": 3})])
    assert isinstance(caught.value, TileclockError)
    with pytest.raises(SettingsError, check=with_fields(where="first: rooms", found='"many"')):
        LAYERS.merge([("first", {"rooms": "many"})])


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


@pytest.mark.parametrize("lost", [b"", b" \t\r\n", b"\0" * 4096, b"\xff" * 512, b"\xef\xbb\xbf\r\n", b"\xff\xfe\r\0\n\0"])
def test_an_empty_file_of_the_machine_is_refused_with_what_says_that_nothing_is_meant(tmp_path: Path, lost: bytes) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(lost)
    layers = Layers(House, lambda: ((file,),))
    with pytest.raises(SettingsError) as caught:
        layers.load({})
    assert (caught.value.where, caught.value.found) == (str(file), "an empty file")
    file.write_text("# defaults")
    assert layers.load({}).settings == House()


def test_an_empty_file_that_is_named_means_the_defaults() -> None:
    assert LAYERS.load({}, Path("/dev/null")).settings == House()


def test_whether_a_file_is_there_that_a_failing_card_does_not_tell_is_found_out_by_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "house.toml"

    def failing(self: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(self))

    layers = Layers(House, lambda: ((file,),))
    with monkeypatch.context() as card:
        for asked in ("stat", "read_bytes", "open"):
            card.setattr(Path, asked, failing)
        with pytest.raises(SettingsError, check=with_fields(where=str(file), found="input/output error")):
            layers.load({})


class Shed(Strict):
    """Settings with paths."""

    key: str = "hook"
    plans: tuple[str, ...] = Field((), strict=False)


SHED = Layers(Shed, list, paths={"key": lambda text: text != "hook", "plans": bool})


def test_a_path_begins_at_its_file_an_options_at_the_working_folder_and_a_name_or_a_fault_stays_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "shed.toml"
    file.write_text('key = "under/mat"\nplans = ["a", "/b"]\n')
    found = SHED.load({"plans": None}, file).settings
    assert found == Shed(key=f"{tmp_path}/under/mat", plans=(f"{tmp_path}/a", "/b"))
    monkeypatch.chdir("/usr")
    assert SHED.load({"key": "mat", "plans": ("c",)}, file).settings == Shed(key="/usr/mat", plans=("/usr/c",))
    assert SHED.load({"key": "hook"}, file).settings.key == "hook"
    with pytest.raises(SettingsError, check=with_fields(where="options: key", found="7")):
        SHED.load({"key": 7}, file)


def test_a_path_in_a_working_folder_that_was_removed_is_a_sentence_and_a_whole_one_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert SHED.load({"key": "/usr/mat"}).settings.key == "/usr/mat"
    with pytest.raises(SettingsError, check=with_fields(expected=re.compile("mat"), found="no such file or directory")):
        SHED.load({"key": "mat"})
