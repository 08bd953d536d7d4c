"""The divisions of the settings as the station starts: their rulebooks, their lists, and every way in which they can be wrong."""

from pathlib import Path

import pytest

from appliance.errors import SettingsError
from kiosk.settings import Layered
from kiosk.settings.named import require_usable
from kiosk.settings.places import LAYERS
from kiosk.shell.divisions import divisions_of
from rules.rulebooks import RulebookError
from tests.cells import each_cell
from tests.kiosk.lexicons.files import made

OPEN = '[[divisions]]\nname = "Open"\ntables = "1-20, 25"\nrulebook = "nzasp-2022"\nlexicon = "open.dawg"\n'
NOVICES = '[[divisions]]\nname = "Novices"\ntables = "21-24"\nlexicon = "novices.dawg"\n'


def settings_of(folder: Path, text: str) -> Layered:
    file = folder / "station.toml"
    file.write_text(text, encoding="utf-8")
    return LAYERS.load({}, file)


def test_each_division_has_its_tables_its_rulebook_and_the_list_beside_the_settings_file(tmp_path: Path) -> None:
    made(tmp_path / "open.dawg", name="OPEN LIST")
    made(tmp_path / "novices.dawg", ("CAT",), name="NOVICES")
    found = list(divisions_of(settings_of(tmp_path, OPEN + NOVICES)))
    assert [(division.name, division.tables) for division, _ in found] == [
        ("Open", (range(1, 21), range(25, 26))),
        ("Novices", (range(21, 25),)),
    ]
    assert [(division.by.rulebook.id, division.by.lexicon and division.by.lexicon.name) for division, _ in found] == [
        ("nzasp-2022", "OPEN LIST"),
        ("naspa-2017", "NOVICES"),
    ]
    assert [loaded.lexicon.accepts(["QI"]) for _, loaded in found] == [True, False]
    for _, loaded in found:
        loaded.close()


FAULTS = [
    (OPEN.replace("1-20, 25", "0-5"), "divisions.0.tables"),
    (OPEN.replace("1-20, 25", "5-1"), "divisions.0.tables"),
    (OPEN.replace("1-20, 25", "1000"), "divisions.0.tables"),
    (OPEN.replace("1-20, 25", "one"), "divisions.0.tables"),
    (OPEN.replace("1-20, 25", ""), "divisions.0.tables"),
    (OPEN + NOVICES.replace("21-24", "20-24"), "expected each table in one division, found table 20 in Open and in Novices"),
    (OPEN.replace("name =", "called ="), "divisions.0"),
    ("divisions = 5", "divisions"),
]


def test_a_fault_is_told_with_the_file_and_the_key(tmp_path: Path) -> None:
    for cell in each_cell(FAULTS):
        with cell as (text, said):
            with pytest.raises(SettingsError) as caught:
                settings_of(tmp_path, text)
            assert str(caught.value).startswith(str(tmp_path / "station.toml"))
            assert said in str(caught.value)


def test_a_list_that_is_missing_is_told_with_the_settings_file_the_tables_and_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        list(divisions_of(settings_of(tmp_path, OPEN)))
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'station.toml'}: divisions: expected the list of Open, tables 1-20, 25")
    assert str(tmp_path / "open.dawg") in said


def test_a_rulebook_that_does_not_exist_is_told_with_the_settings_file(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"station\.toml: divisions: expected a rulebook"):
        require_usable(settings_of(tmp_path, OPEN.replace("nzasp-2022", "nzasp-2023")))


def test_the_settings_are_shown_as_toml_that_says_the_same(tmp_path: Path) -> None:
    layered = settings_of(tmp_path, OPEN)
    shown = {key: value for key, value, _ in LAYERS.dump(layered, changed=True)}
    again = settings_of(tmp_path, f"divisions = {shown['divisions']}\n")
    assert again.settings.divisions == layered.settings.divisions
