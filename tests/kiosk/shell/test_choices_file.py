"""The director's choices: kept over a restart, over the settings until those say something new, and never half written."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.shell.choices import KEYS, Choice, ChoicesError, beside, in_force, read, write
from tests.cells import each_cell
from tests.errors import with_fields


def test_a_choice_stands_until_the_settings_say_something_new(tmp_path: Path) -> None:
    path = beside(tmp_path / "log.db")
    assert in_force(read(path), {"name": "Station 1"}) == {"name": "Station 1"}
    write(path, {"name": Choice("By the window", over="Station 1")})
    assert in_force(read(path), {"name": "Station 1", "rulebook": "club"}) == {"name": "By the window", "rulebook": "club"}
    assert in_force(read(path), {"name": "Station 2"}) == {"name": "Station 2"}


def test_two_logs_in_one_folder_have_each_its_own_choices(tmp_path: Path) -> None:
    one, other = (beside(tmp_path / name) for name in ("station.db", "other.db"))
    write(one, {"lexicon": Choice("collins.dawg", over="nwl.dawg")})
    assert one.name == "station.db-chosen.json"
    assert read(other) == {}


@given(
    st.dictionaries(st.sampled_from(KEYS), st.builds(Choice, st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8"))))
)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, choices: dict[str, Choice]) -> None:
    path = tmp_path_factory.mktemp("chosen") / "chosen.json"
    write(path, choices)
    assert read(path) == choices


def test_a_file_that_is_not_as_it_was_written_is_an_error_and_no_choice(tmp_path: Path) -> None:
    for cell in each_cell([b"", b"\xff", b"[]", b"7", b'{"name": 3}', b'{"name": {"value": 1, "over": "x"}}', b'{"name": {}}']):
        with cell as content:
            path = tmp_path / "chosen.json"
            path.write_bytes(content)
            with pytest.raises(
                ChoicesError, check=with_fields(where=str(path), found=re.compile(r"^others \("), remedy="Choose anew at the desk")
            ):
                read(path)


def test_a_choice_is_on_the_disk_whole_before_it_takes_the_old_ones_place_and_the_folder_after_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, done = tmp_path / "chosen.json", list[str]()
    write(path, {"name": Choice("One", "Two")})
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        what = Path(f"/proc/self/fd/{descriptor}").readlink()
        new = "" if what == tmp_path else read(what)["name"].value
        done.append(f"{what.suffix} synced, {new}" if new else "folder synced")
        fsync(descriptor)

    def replaced(file: Path, target: Path) -> Path:
        done.append(f"{file.suffix} moved to {target.name}")
        return replace(file, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write(path, {"name": Choice("Three", "Two")})
    assert done == [".part synced, Three", ".part moved to chosen.json", "folder synced"]


def test_where_it_cannot_be_written_the_old_choices_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chosen.json"
    old = {"name": Choice("One", "Two")}
    write(path, old)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write(path, {"name": Choice("Three", "Two")})
    assert read(path) == old
    assert [file.name for file in tmp_path.iterdir()] == ["chosen.json"]


def test_the_name_of_a_file_that_is_no_text_is_kept_and_read_again(tmp_path: Path) -> None:
    choices = {"lexicon": Choice(os.fsdecode(b"/lists/\xff.dawg"), "/lists/é.dawg")}
    write(tmp_path / "chosen.json", choices)
    assert read(tmp_path / "chosen.json") == choices
