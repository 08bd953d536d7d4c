"""What leaves a verb that goes wrong: a sentence, a quiet end, or, for a fault of the program itself, all there is to know.

The lexicon stands alone and has a guard of its own; that of clock and station ends a verb in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner, Result

from appliance.cli import guard as appliance_guard
from appliance.errors import PinUnavailable, TileclockError
from lexicon.cli import guard as lexicon_guard
from lexicon.errors import Damaged, LexiconError, Unreadable
from tests.cells import each_cell


def _group() -> None:
    """Do nothing: what is tested is how a verb of the group ends."""


def _appliance(*more: type[Exception]) -> click.Group:
    return click.group(cls=appliance_guard.Guarded, program="tileprogram", errors=(TileclockError, *more))(_group)


def _lexicon() -> click.Group:
    return click.group(cls=lexicon_guard.Guarded)(_group)


@dataclass(frozen=True)
class Guard:
    """A guard, the name that its sentences begin with, and two errors that it makes sentences of."""

    program: str
    group: Callable[[], click.Group]
    root: type[TileclockError | LexiconError]
    leaf: type[TileclockError | LexiconError]

    def ended(self, error: BaseException) -> Result:
        """Return how a verb ends that raises ``error``."""
        return _ended(self.group(), error)


def _ended(group: click.Group, error: BaseException) -> Result:
    @group.command()
    def verb() -> None:
        raise error

    return CliRunner().invoke(group, ["verb"])


GUARDS = [Guard("tileprogram", _appliance, TileclockError, PinUnavailable), Guard("tilelexicon", _lexicon, Damaged, Unreadable)]
each_guard = pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.program)


@each_guard
def test_what_a_program_refuses_and_no_memory_are_a_sentence(guard: Guard) -> None:
    for cell in each_cell(
        [
            (guard.root(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
            (guard.leaf(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
            (guard.root(expected="A", found="B\nline 1", where="a\x1b[2J\udcff"), "a\\x1b[2J\\udcff: expected A, found B\nline 1."),
            (MemoryError(), "expected enough memory, found too little. Close other programs, or use a larger machine."),
        ]
    ):
        with cell as (error, told):
            done = guard.ended(error)
            assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"{guard.program}: {told}\n")


@each_guard
def test_an_interruption_ends_quietly(guard: Guard) -> None:
    done = guard.ended(KeyboardInterrupt())
    assert (done.exit_code, done.output) == (130, "")


@each_guard
@pytest.mark.parametrize("error", [ValueError("ours"), FileNotFoundError(2, "No such file", "ours"), OSError("ours")])
def test_a_fault_of_the_program_is_not_hidden(guard: Guard, error: Exception) -> None:
    assert guard.ended(error).exception is error


def test_each_program_says_which_errors_are_for_whoever_typed_the_command() -> None:
    done = _ended(_appliance(LookupError), LookupError("no such word"))
    assert (done.exit_code, done.stderr) == (2, "tileprogram: no such word\n")
