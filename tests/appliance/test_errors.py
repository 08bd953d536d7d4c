"""Errors carry fields; their sentence is rendered from them."""

from __future__ import annotations

import pytest

from appliance import errors
from appliance.errors import Diagnosis, DiskError, InUse
from faults.errors import TileclockError, reason
from tests.cells import each_cell

LEAVES = [
    each
    for each in vars(errors).values()
    if isinstance(each, type) and issubclass(each, TileclockError) and not issubclass(each, DiskError)
]


def test_every_leaf_says_the_same_sentence_whatever_builtin_it_is() -> None:
    for cell in each_cell(LEAVES):
        with cell as kind:
            error = kind(where="a.toml", expected="one", found="two", remedy="Take one away")
            assert (error.where, error.expected, error.found, error.remedy) == ("a.toml", "one", "two", "Take one away")
            assert str(error) == "a.toml: expected one, found two. Take one away."
            assert (error.problem, Diagnosis.of(error)) == ("a.toml: expected one, found two", Diagnosis(error.problem, "Take one away"))


def test_what_is_not_known_is_left_out_and_a_question_needs_no_full_stop() -> None:
    assert str(TileclockError(expected="one", found="none")) == "expected one, found none."
    assert str(TileclockError(expected="one", found="noe", remedy="Did you mean one?")) == "expected one, found noe. Did you mean one?"


def test_whoever_knows_the_file_puts_it_before_the_place() -> None:
    error = TileclockError(expected="one", found="two")
    error.locate("key")
    error.locate("a.toml")
    assert error.where == "a.toml: key"


def test_an_error_of_a_file_of_record_is_a_clause_too() -> None:
    error = InUse("it is in use by process 7", expected="a file of our own", remedy="End that one", where="a.db")
    assert error.clause == "it is in use by process 7"
    assert str(error) == "a.db: expected a file of our own, found that it is in use by process 7. End that one."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file or directory", "a"), "no such file or directory"),
        (OSError("GPIO5 is busy"), "GPIO5 is busy"),
        (ValueError("Embedded null byte"), "embedded null byte"),
    ],
)
def test_the_systems_reason_stands_within_a_sentence(error: Exception, said: str) -> None:
    assert reason(error) == said
