from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, field

from appliance import errors
from appliance.errors import Diagnosis, DiskError, InUse, PinUnavailable, TextsError
from appliance.finding import Finding, State, counted, error_finding
from appliance.texts import load_part
from appliance.validation import Check, Fault, InvalidTable, Misfit, Secret, Table, faults_in, nearest, read_table, shown
from faults.errors import TileclockError, reason
from tests.cells import each_cell
from tests.errors import with_fields
from tests.languages.another import found_in

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
    for fields in ((State.FAIL, "none"), (State.OK, "seven", "Do nothing.")):
        with pytest.raises(ValueError, match="expected a fix"):
            Finding("pins", *fields)
    finding = error_finding("pins", PinUnavailable(expected="GPIO5", found="it is busy", remedy="End the program that holds it"))
    assert finding == Finding("pins", State.FAIL, "expected GPIO5, found it is busy", "End the program that holds it.")
    assert [counted(1, "touch", "touches"), counted(2, "touch", "touches"), counted(0, "bounce")] == ["1 touch", "2 touches", "0 bounces"]
    # The system's reason stands within a sentence.
    errors = FileNotFoundError(2, "No such file or directory", "a"), OSError("GPIO5 is busy"), ValueError("Embedded null byte")
    assert [*map(reason, errors)] == ["no such file or directory", "GPIO5 is busy", "embedded null byte"]


class _Wall(Table, frozen=True):
    bricks: int


class _Roof(Table, frozen=True):
    tiles: int = 0
    secret: Secret = Secret("")

    def checks(self) -> tuple[Check, ...]:
        return self._is_no_13, self._is_no_14

    def _is_no_13(self) -> None:
        if self.tiles == 13:
            raise Misfit(expected="any number but 13", found="13", remedy="Add one")

    def _is_no_14(self) -> None:
        if self.tiles == 14:
            raise Misfit(key="tiles", expected="any number but 14")


class _House(Table, frozen=True):
    name: Annotated[str, Meta(min_length=1, description="a word")] = "home"
    roof: _Roof | None = None
    walls: dict[Literal["north", "south"], _Wall] = field(default_factory=dict)
    doors: tuple[Annotated[int, Meta(ge=1, le=9)] | Literal["none"], ...] = ()
    slope: Annotated[float, Meta(ge=0.5)] = 1


def _bricks(path: Sequence[str]) -> str | None:
    return "a number of bricks" if path[-1] == "bricks" else None


def _fault(content: dict[str, Any]) -> Fault:
    with pytest.raises(InvalidTable) as caught:
        read_table(content, _House, _bricks)
    return caught.value.faults[0]


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["", "none", "x"]), st.integers(0, 14)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["bricks", "tiles", "secret", "north"]), inner)),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*_House.__struct_fields__, "x"]), _VALUES))
def test_a_table_is_refused_where_and_only_where_a_fault_is_found(content: dict[str, Any]) -> None:
    try:
        read_table(content, _House)
        refused: tuple[Fault, ...] = ()
    except InvalidTable as invalid:
        refused = invalid.faults
        assert refused != ()
    assert refused == faults_in(content, _House)


FAULTS: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"rof": {}}, "rof", ("", "one of the keys name, roof, walls, doors, slope", '"rof"', "Did you mean roof?")),
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
    ({"roof": {"tiles": 14}}, "roof.tiles", ("roof.tiles", "any number but 14", "14", "")),
    ({"doors": [1, "none", 10]}, "doors.2", ("doors.2", "less than or equal to 9", "10", "Correct it")),
    ({"slope": float("nan")}, "slope", ("slope", "greater than or equal to 0.5", "NaN", "Correct it")),
    ({"slope": True}, "slope", ("slope", "a valid number", "true", "Correct it")),
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
    """Two languages, one short of a key, one short of a file, and a folder that is no language."""
    files = {
        "en/language.toml": 'name = "English"',
        "en/door.toml": '[door]\nopen = "{who} opens it"\nshut = "it is shut"\n',
        "fr/language.toml": 'name = "Français"',
        "fr/door.toml": '[door]\nopen = "{who} ouvre"\nshut = "fermée"\n',
        "de/language.toml": 'name = "Deutsch"',
        "de/door.toml": '[door]\nopen = "{who} macht auf"\n',
        "nl/language.toml": 'name = "Nederlands"',
        "lists/door.toml": "numbers = [1]\n",
    }
    for name, content in files.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(content, "utf-8")
    return tmp_path


def test_a_text_is_looked_up_in_its_language_which_says_no_less_than_the_english_one(folder: Path) -> None:
    with found_in(folder):
        assert load_part("door", "en").say("door.open", who="Ann") == "Ann opens it"
        assert load_part("door", "fr").say("door.open", who="Ann") == "Ann ouvre"
        # A language that says less than the English one, and an unknown one, are refused.
        for code, key in (("de", "shut"), ("nl", "open")):
            with pytest.raises(TextsError, check=with_fields(where=f"{folder.name}/{code}/door.toml: door.{key}", found="none")):
                load_part("door", code)
        with pytest.raises(TextsError, check=with_fields(expected=re.compile("de, en, fr, nl"), found="'lists'")):
            load_part("door", "lists")
