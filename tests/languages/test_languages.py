import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from pypdf import PdfReader

from appliance.texts import MASTER, languages, load_part, voice_of
from firmware.gestures.clock_state import ClockState
from hardware.voice import render
from kiosk.keyboards import layouts
from languages import FOLDER
from tests.cells import each_cell
from tests.firmware.hall.hall_faces import decided, order
from tests.firmware.saying import play
from tests.firmware.screens.faces import faces, setup_in
from tests.kiosk.shell.rig import rig
from tests.languages.another import CODE, NAME, another_language
from tests.programs import Program, both_programs
from tools.sheets import draw
from tools.sheets.content import SHEETS

PARTS = ("clock", "station", "sheets", "language")


def test_each_language_is_whole_and_has_a_code_that_the_hall_sends_a_keyboard_that_the_station_has_and_a_voice() -> None:
    for cell in each_cell(languages()):
        with cell as code:
            assert [load_part(part, code).language for part in PARTS] == [code] * len(PARTS)
            assert order("settings", language=code)
            assert load_part("language", code).say("keyboard") in layouts()
            assert render(voice_of(code), "1", 50)


OTHERS = [code for code in languages() if code != MASTER]


def test_all_languages_but_english_have_words_for_the_same_phrases() -> None:
    for cell in each_cell(PARTS[:2]):
        with cell as part:
            (phrases,) = {frozenset(load_part(part, code).phrases) for code in OTHERS}
            assert len(phrases) > 400


NO_WORD = re.compile(r"\{\w+\}|[\W\d_]")


def test_no_text_is_the_english_one_but_those_that_the_folder_lists() -> None:
    for cell in each_cell(OTHERS):
        with cell as code:
            pairs = (
                (english, load_part(part, code).by_key[key])
                for part in PARTS[:3]
                for key, english in load_part(part, MASTER).by_key.items()
            )
            same = {text for english, text in pairs if text == english and NO_WORD.sub("", text)}
            assert same == set(tomllib.loads((FOLDER / code / "as-english.toml").read_text("utf-8"))["texts"])


BREAKS = re.compile(r"[^\u00a0\u202f][;:!?»](?:\W|$)|«[^\u00a0\u202f]")


def texts(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from texts(value)
        elif isinstance(value, str):
            yield value


def test_no_line_of_french_can_begin_with_a_high_mark() -> None:
    for cell in each_cell(sorted((FOLDER / "fr").glob("*.toml")), lambda path: path.name):
        with cell as path:
            assert [text for text in texts(tomllib.loads(path.read_text("utf-8"))) if BREAKS.search(text)] == []


PLAYERS: Final = ("phase", "prompt", "note", "answer", "act", "banner", "offer", "strip", "table_menu")
"""The tables of what a half says, whose lines break at a point."""


def test_what_stands_on_a_line_of_its_own_begins_with_a_capital_but_what_is_left() -> None:
    # "L'adversaire répond" above "non : appuyez" was read as one sentence, which said the opposite.
    for cell in each_cell(languages()):
        with cell as code:
            tables = tomllib.loads((FOLDER / code / "clock.toml").read_text("utf-8"))
            parts = [part for name in PLAYERS for text in texts(tables[name]) for part in text.split(" · ")[1:]]
            assert [part for part in parts if part[0].islower() and not part.endswith("{reading}")] == []


@pytest.fixture
def another(tmp_path: Path) -> Iterator[None]:
    with another_language(tmp_path):
        yield


@pytest.mark.usefixtures("another")
@both_programs
def test_a_folder_is_a_language_that_the_settings_take(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program.own_places(monkeypatch, tmp_path).write_text(f'language = "{CODE}"\n')
    assert program.run("config", "take").exit_code == 0
    assert f'language = "{CODE}"' in program.run("config").output


@pytest.mark.usefixtures("another")
def test_a_folder_is_a_language_of_the_clock_which_takes_it_from_the_hall() -> None:
    assert faces(CODE)["ready"].halves.left.status == "QREADY"
    between_games = ClockState(play("naspa-2017").history, setup_in("fr"))
    assert decided(between_games, order("settings", language=CODE), 5).settings == {"language": CODE}


@pytest.mark.usefixtures("another")
def test_a_folder_is_a_language_of_the_station_with_its_name_and_its_keyboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with rig(tmp_path, language="fr") as station:
        assert [target.text for target in station.shown.actions if target.id == f"language.{CODE}"] == [NAME]
        station.tap(f"language.{CODE}")
        assert station.shown.title == "Qchallenge?"
        station.begun()
        assert [key.text for key in station.shown.keyboard[0]] == list("QWERTZUIOP")


@pytest.mark.usefixtures("another")
def test_a_folder_is_a_language_of_the_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "SHEETS", {"player": SHEETS["player"]})
    draw.write_all(tmp_path, "naspa-2017")
    (page,) = PdfReader(tmp_path / f"player-naspa-2017-{CODE}.pdf").pages
    assert "The qlock" in page.extract_text()
