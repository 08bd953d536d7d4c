import re
from pathlib import Path

import pytest

from appliance import errors
from appliance.errors import Diagnosis, DiskError, Finding, InUse, PinUnavailable, State, TextsError, counted, error_finding
from appliance.texts import load_part
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
