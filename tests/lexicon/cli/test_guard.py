"""What leaves a verb that goes wrong: a sentence, a quiet end, or, for a fault of the program itself, all there is to know."""

import click
import pytest
from click.testing import CliRunner, Result

from lexicon.cli.guard import Guarded
from lexicon.errors import Damaged, Unreadable


def _ended(error: BaseException) -> Result:
    @click.group(cls=Guarded)
    def group() -> None:
        pass

    @group.command()
    def verb() -> None:
        raise error

    return CliRunner().invoke(group, ["verb"])


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Damaged(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
        (Unreadable(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
        (Damaged(expected="A", found="B\nline 1", where="a\x1b[2J\udcff"), "a\\x1b[2J\\udcff: expected A, found B\nline 1."),
        (MemoryError(), "expected enough memory, found too little. Close other programs, or use a larger machine."),
    ],
)
def test_what_the_lexicon_refuses_and_no_memory_are_a_sentence(error: BaseException, told: str) -> None:
    done = _ended(error)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"tilelexicon: {told}\n")


def test_an_interruption_ends_quietly() -> None:
    done = _ended(KeyboardInterrupt())
    assert (done.exit_code, done.output) == (130, "")


@pytest.mark.parametrize("error", [ValueError("ours"), FileNotFoundError(2, "No such file", "ours"), OSError("ours")])
def test_a_fault_of_the_program_is_not_hidden(error: Exception) -> None:
    assert _ended(error).exception is error
