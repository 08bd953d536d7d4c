"""What leaves a verb of the clock or the station that goes wrong: a sentence, a quiet end, or, for a fault of the program itself, all there is to know."""

import click
import pytest
from click.testing import CliRunner, Result

from appliance.cli.guard import Guarded
from appliance.errors import PinUnavailable, TileclockError


def _ended(error: BaseException, errors: tuple[type[Exception], ...] = (TileclockError,)) -> Result:
    @click.group(cls=Guarded, program="tileprogram", errors=errors)
    def group() -> None:
        pass

    @group.command()
    def verb() -> None:
        raise error

    return CliRunner().invoke(group, ["verb"])


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TileclockError(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
        (PinUnavailable(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
        (TileclockError(expected="A", found="B\nline 1", where="a\x1b[2J\udcff"), "a\\x1b[2J\\udcff: expected A, found B\nline 1."),
        (MemoryError(), "expected enough memory, found too little. Close other programs, or use a larger machine."),
    ],
)
def test_what_a_program_refuses_and_no_memory_are_a_sentence(error: BaseException, told: str) -> None:
    done = _ended(error)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"tileprogram: {told}\n")


def test_an_interruption_ends_quietly() -> None:
    done = _ended(KeyboardInterrupt())
    assert (done.exit_code, done.output) == (130, "")


@pytest.mark.parametrize("error", [ValueError("ours"), FileNotFoundError(2, "No such file", "ours"), OSError("ours")])
def test_a_fault_of_the_program_is_not_hidden(error: Exception) -> None:
    assert _ended(error).exception is error


def test_each_program_says_which_errors_are_for_whoever_typed_the_command() -> None:
    done = _ended(LookupError("no such word"), (TileclockError, LookupError))
    assert (done.exit_code, done.stderr) == (2, "tileprogram: no such word\n")
