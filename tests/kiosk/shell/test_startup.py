import json
import os
import re
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.errors import SettingsError
from kiosk.director.door import Lock
from kiosk.settings import LAYERS, Layered, merge, require_usable
from kiosk.shell.assemble import divisions_of, lock_of
from kiosk.shell.choices import Choices
from rules.rulebooks import RulebookError
from tests.cells import each_cell
from tests.errors import with_fields
from tests.examples import examples
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.rig import PIN, rig
from tests.kiosk.shell.test_desk import OWN

pytestmark = pytest.mark.usefixtures("dummy_display")


def chosen(folder: Path) -> Choices:
    return Choices(merge([("test", {"log.path": str(folder / "station.db")})]).settings)


def test_a_chosen_rulebook_that_is_gone_at_the_restart_is_forgotten_for_the_settings_own(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    chosen(tmp_path).store("rulebook", str(file))
    with rig(tmp_path) as station:
        assert station.loop.station.flow.context.rulebook.id == "own"
    file.unlink()
    with rig(tmp_path, **PIN) as station:
        assert station.loop.station.flow.context.rulebook.id == "naspa-2017"
        station.opened()
        station.tap("place.name", "A", "next")
    assert set(chosen(tmp_path).stored) == {"name"}


@pytest.mark.parametrize(
    ("pin", "key", "pins", "opens"),
    [
        (True, False, "none", Lock(KEPT_PIN)),
        (False, True, "none", Lock()),
        (False, True, "mock", Lock(key=True)),
        (True, False, "mock", Lock(KEPT_PIN)),
    ],
)
def test_the_door_opens_by_what_was_set_by_a_key_switch_only_with_pins(*, pin: bool, key: bool, pins: str, opens: Lock) -> None:
    given: dict[str, Any] = {"door.pin": KEPT_PIN if pin else "", "door.key_switch": key, "board.pins": pins, "board.file": "station"}
    assert lock_of(merge([("test", given)]).settings) == opens


TEXTS: Final = st.text(st.characters(codec="utf-8"))


@settings(max_examples=examples(16))
@given(st.dictionaries(st.sampled_from(["lexicon", "rulebook", "name"]), TEXTS))
def test_what_is_stored_is_in_force_at_the_next_start(tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]) -> None:
    folder = tmp_path_factory.mktemp("chosen")
    choices = chosen(folder)
    for key, text in texts.items():
        assert choices.store(key, text) is None
    assert chosen(folder).in_force == {**choices.settings, **texts}


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b"7", b'{"name": 3}', b'{"name": {"value": 1, "over": "x"}}', b'{"name": {}}'])
def test_a_file_that_is_not_as_it_was_written_is_no_choice_and_says_why(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "station.db-chosen.json").write_bytes(content)
    choices = chosen(tmp_path)
    assert choices.in_force == choices.settings
    assert choices.unreadable


def test_a_choice_is_on_the_disk_before_it_takes_the_old_ones_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choices, done = chosen(tmp_path), list[str]()
    choices.store("name", "One")
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        what = Path(f"/proc/self/fd/{descriptor}").readlink()
        new = "" if what == tmp_path else json.loads(what.read_text())["name"]["value"]
        done.append(f"{what.suffix} synced, {new}" if new else "folder synced")
        fsync(descriptor)

    def replaced(file: Path, target: Path) -> Path:
        done.append(f"{file.suffix} moved to {target.name}")
        return replace(file, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    choices.store("name", "Three")
    assert done == [".part synced, Three", ".part moved to station.db-chosen.json", "folder synced"]


OPEN = '[[divisions]]\nname = "Open"\ntables = "1-20, 25"\nrulebook = "nzasp-2022"\nlexicon = "open.dawg"\n'
NOVICES = '[[divisions]]\nname = "Novices"\ntables = "21-24"\nlexicon = "novices.dawg"\n'


def settings_of(folder: Path, text: str) -> Layered:
    file = folder / "station.toml"
    file.write_text(text, encoding="utf-8")
    return LAYERS.load({}, file)


def test_each_division_has_its_tables_its_rulebook_and_the_list_beside_the_settings_file(tmp_path: Path) -> None:
    made(tmp_path / "open.dawg", name="OPEN LIST")
    made(tmp_path / "novices.dawg", ("CAT",), name="NOVICES")
    found = []
    for division, loaded in divisions_of(settings_of(tmp_path, OPEN + NOVICES)):
        by = division.by
        found.append((division.tables, by.rulebook.id, by.lexicon and by.lexicon.name, loaded.lexicon.accepts(["QI"])))
    assert found == [
        ((range(1, 21), range(25, 26)), "nzasp-2022", "OPEN LIST", True),
        ((range(21, 25),), "naspa-2017", "NOVICES", False),
    ]


NUMBERS = 'table numbers from 1 to 999 like "1-20, 25"'
FAULTS = [
    *((OPEN.replace("1-20, 25", tables), "divisions.0.tables", NUMBERS, f'"{tables}"') for tables in ("0-5", "5-1", "1000", "one", "")),
    (OPEN + NOVICES.replace("21-24", "20-24"), "divisions", "each table in one division", "table 20 in Open and in Novices"),
    (OPEN.replace("name =", "called ="), "divisions.0", "one of the keys name, tables, rulebook, lexicon", '"called"'),
    ("divisions = 5", "divisions", "a valid tuple", "5"),
]


def test_a_fault_is_told_with_the_file_and_the_key(tmp_path: Path) -> None:
    for cell in each_cell(FAULTS):
        with cell as (text, key, expected, found):
            fields = with_fields(where=f"{tmp_path / 'station.toml'}: {key}", expected=expected, found=found)
            with pytest.raises(SettingsError, check=fields):
                settings_of(tmp_path, text)


def test_a_list_that_is_missing_is_told_with_the_settings_file_the_tables_and_its_path(tmp_path: Path) -> None:
    fields = with_fields(
        where=f"{tmp_path / 'station.toml'}: divisions",
        expected="the list of Open, tables 1-20, 25",
        found=re.compile(re.escape(str(tmp_path / "open.dawg"))),
    )
    with pytest.raises(SettingsError, check=fields):
        list(divisions_of(settings_of(tmp_path, OPEN)))


def test_a_rulebook_that_does_not_exist_is_told_with_the_settings_file(tmp_path: Path) -> None:
    fields = with_fields(where=f"{tmp_path / 'station.toml'}: divisions", expected=re.compile("^a rulebook"))
    with pytest.raises(RulebookError, check=fields):
        require_usable(settings_of(tmp_path, OPEN.replace("nzasp-2022", "nzasp-2023")))


def test_the_settings_are_shown_as_toml_that_says_the_same(tmp_path: Path) -> None:
    layered = settings_of(tmp_path, OPEN)
    shown = {key: value for key, value, _ in LAYERS.dump(layered, changed=True)}
    again = settings_of(tmp_path, f"divisions = {shown['divisions']}\n")
    assert again.settings.divisions == layered.settings.divisions
