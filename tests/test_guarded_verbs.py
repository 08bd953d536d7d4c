"""What leaves a verb that goes wrong: a sentence, a quiet end, or, for a fault of the program itself, all there is to know."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner, Result

from faults.errors import TileclockError
from faults.guard import Guarded
from lexicon.errors import Unreadable
from tests.cells import each_cell


def _group() -> None:
    """Do nothing: what is tested is how a verb of the group ends."""


def _guarded() -> click.Group:
    return click.group(cls=Guarded, program="tileprogram")(_group)


def _ended(group: click.Group, error: BaseException) -> Result:
    @group.command()
    def verb() -> None:
        raise error

    return CliRunner().invoke(group, ["verb"])


def test_what_a_program_refuses_and_no_memory_are_a_sentence() -> None:
    for cell in each_cell(
        [
            (TileclockError(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
            (Unreadable(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
            (TileclockError(expected="A", found="B\nline 1", where="a\x1b[2J\udcff"), "a\\x1b[2J\\udcff: expected A, found B\nline 1."),
            (MemoryError(), "expected enough memory, found too little. Close other programs, or use a larger machine."),
        ]
    ):
        with cell as (error, told):
            done = _ended(_guarded(), error)
            assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"tileprogram: {told}\n")


def test_an_interruption_ends_quietly() -> None:
    done = _ended(_guarded(), KeyboardInterrupt())
    assert (done.exit_code, done.output) == (130, "")


@pytest.mark.parametrize("error", [ValueError("ours"), FileNotFoundError(2, "No such file", "ours"), OSError("ours")])
def test_a_fault_of_the_program_is_not_hidden(error: Exception) -> None:
    assert _ended(_guarded(), error).exception is error
