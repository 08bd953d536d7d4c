from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

import appliance
from appliance import errors
from appliance.errors import Diagnosis, DiskError, InUse, PinUnavailable, TextsError
from appliance.finding import Finding, State, counted, error_finding
from appliance.texts import load_from
from appliance.validation import Fault, first_fault, nearest, shown, together, unknown_key
from faults.errors import TileclockError, reason
from tests.cells import each_cell
from tests.errors import with_fields

LEAVES = [
    each
    for each in vars(errors).values()
    if isinstance(each, type) and issubclass(each, TileclockError) and not issubclass(each, DiskError)
]


def test_every_leaf_says_a_sentence_of_what_is_known_its_place_and_its_clause() -> None:
    for cell in each_cell(LEAVES):
        with cell as kind:
            error = kind(where="a.toml", expected="one", found="two", remedy="Take one away")
            assert (error.where, error.expected, error.found, error.remedy) == ("a.toml", "one", "two", "Take one away")
            assert str(error) == "a.toml: expected one, found two. Take one away."
            assert (error.problem, Diagnosis.of(error)) == ("a.toml: expected one, found two", Diagnosis(error.problem, "Take one away"))
    # A sentence has what is known, its place, and the clause of a file of record.
    assert str(TileclockError(expected="one", found="none")) == "expected one, found none."
    assert str(TileclockError(expected="one", found="noe", remedy="Did you mean one?")) == "expected one, found noe. Did you mean one?"
    error = TileclockError(expected="one", found="two")
    error.locate("key")
    error.locate("a.toml")
    assert error.where == "a.toml: key"
    error = InUse("it is in use by process 7", expected="a file of our own", remedy="End that one", where="a.db")
    assert error.clause == "it is in use by process 7"
    assert str(error) == "a.db: expected a file of our own, found that it is in use by process 7. End that one."


def test_a_finding_has_a_fix_where_it_fails_and_the_systems_reason_stands_within_a_sentence() -> None:
    with pytest.raises(ValueError, match="expected a fix"):
        Finding("pins", State.FAIL, "none")
    with pytest.raises(ValueError, match="expected a fix"):
        Finding("pins", State.OK, "seven", "Do nothing.")
    finding = error_finding("pins", PinUnavailable(expected="GPIO5", found="it is busy", remedy="End the program that holds it"))
    assert finding == Finding("pins", State.FAIL, "expected GPIO5, found it is busy", "End the program that holds it.")
    assert [counted(1, "touch", "touches"), counted(2, "touch", "touches"), counted(0, "bounce")] == ["1 touch", "2 touches", "0 bounces"]
    # The system's reason stands within a sentence.
    assert reason(FileNotFoundError(2, "No such file or directory", "a")) == "no such file or directory"
    assert reason(OSError("GPIO5 is busy")) == "GPIO5 is busy"
    assert reason(ValueError("Embedded null byte")) == "embedded null byte"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _is_wall(name: str) -> str:
    if name not in {"north", "south"}:
        raise unknown_key(("north", "south"))
    return name


class _Wall(_Strict):
    bricks: int


class _Roof(_Strict):
    tiles: int = 0
    secret: SecretStr = SecretStr("")

    @model_validator(mode="after")
    def _fits(self) -> _Roof:
        if self.tiles == 13:
            raise together(expected="any number but 13", found="13", remedy="Add one")
        return self


class _House(_Strict):
    name: Annotated[str, Field(min_length=1, description="a word")] = "home"
    roof: _Roof | None = None
    walls: dict[Annotated[str, AfterValidator(_is_wall)], _Wall] = {}


def _fault(content: dict[str, Any]) -> Fault:
    with pytest.raises(ValidationError) as caught:
        _House.model_validate(content)
    return first_fault(caught.value, _House, lambda path: "a number of bricks" if path[-1] == "bricks" else None)


FAULTS: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"rof": {}}, "rof", ("", "one of the keys name, roof, walls", '"rof"', "Did you mean roof?")),
    ({"roof": {"x": 1}}, "roof.x", ("roof", "one of the keys tiles, secret", '"x"', "Remove it")),
    ({"walls": {"soth": {"bricks": 1}}}, "walls.soth", ("walls", "one of the keys north, south", '"soth"', "Did you mean south?")),
    ({"walls": {"north": {"x": 1}}}, "walls.north.x", ("walls.north", "one of the keys bricks", '"x"', "Remove it")),
    ({"walls": {"north": {}}}, "walls.north.bricks", ("walls.north.bricks", "a number of bricks", "nothing", "Add it")),
    ({"walls": {"north": {"bricks": "9"}}}, "walls.north.bricks", ("walls.north.bricks", "a number of bricks", '"9"', "Correct it")),
    ({"name": ""}, "name", ("name", "a word", '""', "Correct it")),
    ({"name": 3}, "name", ("name", "a valid string", "3", "Correct it")),
    ({"roof": 3}, "roof", ("roof", "a table with tiles, secret", "3", "Correct it")),
    ({"roof": {"secret": 7}}, "roof.secret", ("roof.secret", "a valid string", "something else", "Correct it")),
    ({"roof": {"tiles": 13}}, "roof", ("roof", "any number but 13", "13", "Add one")),
]


def test_the_first_fault_has_its_key_its_place_and_what_to_do() -> None:
    for cell in each_cell(FAULTS):
        with cell as (content, key, fields):
            fault = _fault(content)
            assert (fault.key, tuple(fault.fields[name] for name in ("where", "expected", "found", "remedy"))) == (key, fields)
    # Values are cut to fit a sentence and far names are not offered.
    assert shown("é" * 299) == f'"{"é" * 196}...'
    assert shown(10**5000) == "a number too long to show"
    assert nearest("roof", ["walls"]) == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two languages, one of them short of a key, and a file that is no language."""
    folder = tmp_path
    (folder / "en.toml").write_text('[door]\nopen = "{who} opens it"\nshut = "it is shut"\n')
    (folder / "fr.toml").write_text('[door]\nopen = "{who} ouvre"\nshut = "fermée"\n')
    (folder / "de.toml").write_text('[door]\nopen = "{who} macht auf"\n')
    (folder / "lists.toml").write_text("numbers = [1]\n")
    return folder


def test_a_text_is_looked_up_in_its_language_which_says_no_less_than_the_english_one(folder: Path) -> None:
    others = frozenset({"lists.toml"})
    assert load_from(folder, "en", others).say("door.open", who="Ann") == "Ann opens it"
    assert load_from(folder, "fr", others).say("door.open", who="Ann") == "Ann ouvre"
    # A language that says less than the English one, and an unknown one, are refused.
    with pytest.raises(TextsError, check=with_fields(where="texts/de.toml: door.shut", found="none")):
        load_from(folder, "de")
    with pytest.raises(TextsError, check=with_fields(expected=re.compile("de, en, fr"), found="'lists'")):
        load_from(folder, "lists", frozenset({"lists.toml"}))


ROOT: Final = Path(appliance.__file__).parent.parent
FILES: Final = sorted(
    path for package in ("appliance", "firmware", "kiosk", "hardware", "rules") for path in (ROOT / package).rglob("fr.toml")
)
BREAKS: Final = re.compile(r"[^\u00a0\u202f][;:!?»](?:\W|$)|«[^\u00a0\u202f]")


def texts(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from texts(value)
        else:
            yield value


def test_no_line_of_french_can_begin_with_a_high_mark() -> None:
    assert len(FILES) == 5
    for cell in each_cell(FILES, lambda path: path.relative_to(ROOT)):
        with cell as path:
            found = list(texts(tomllib.loads(path.read_text("utf-8"))))
            assert len(found) > 30
            assert [text for text in found if BREAKS.search(text)] == []
