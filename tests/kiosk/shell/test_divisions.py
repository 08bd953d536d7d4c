"""The divisions of the settings as the station starts: their rulebooks, their lists, and every way in which they can be wrong."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.errors import SettingsError
from kiosk.context import Division, JudgedBy
from kiosk.director.door import Lock
from kiosk.settings import Layered
from kiosk.settings.places import LAYERS, require_usable
from kiosk.shell.front import PageMaker
from kiosk.shell.startup import divisions_of
from kiosk.station.station import begin
from lexicon.alphabet import load_alphabet
from rules.rulebooks import RulebookError, load_rulebook
from tests.cells import each_cell
from tests.errors import with_fields
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.desk_pages import ADJUDICATION
from tests.kiosk.lexicons.files import made
from tests.kiosk.station.playing import BEGUN, Playing

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


NUMBERS = 'table numbers from 1 to 999 like "1-20, 25"'
FAULTS = [
    (OPEN.replace("1-20, 25", "0-5"), "divisions.0.tables", NUMBERS, '"0-5"'),
    (OPEN.replace("1-20, 25", "5-1"), "divisions.0.tables", NUMBERS, '"5-1"'),
    (OPEN.replace("1-20, 25", "1000"), "divisions.0.tables", NUMBERS, '"1000"'),
    (OPEN.replace("1-20, 25", "one"), "divisions.0.tables", NUMBERS, '"one"'),
    (OPEN.replace("1-20, 25", ""), "divisions.0.tables", NUMBERS, '""'),
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


def test_a_slip_that_is_judged_at_the_desk_is_written_with_the_tiles_of_its_tables_division() -> None:
    spanish = JudgedBy(load_rulebook("naspa-2017"), lexicon_name("spanish"), load_alphabet("spanish").spelling)
    mixed = replace(context(count_first=False), divisions=(Division("Open", (range(7, 8),), spanish),))
    played = Playing(begin(mixed, Lock(pin=True), BEGUN)).opened().do(*ADJUDICATION[:-2])
    shown = PageMaker("auto")(played.now, played.at)
    assert (shown.name, "tile.RR" in {target.id for row in shown.keyboard for target in row}) == ("judge.words", True)


def test_the_settings_are_shown_as_toml_that_says_the_same(tmp_path: Path) -> None:
    layered = settings_of(tmp_path, OPEN)
    shown = {key: value for key, value, _ in LAYERS.dump(layered, changed=True)}
    again = settings_of(tmp_path, f"divisions = {shown['divisions']}\n")
    assert again.settings.divisions == layered.settings.divisions
