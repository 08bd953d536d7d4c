"""The result of a check, as a value, and its constructors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from appliance.errors import Explained
from faults.errors import Phrase, full_stop


class State(StrEnum):
    """The result of one check."""

    OK = "ok"
    NOTE = "note"
    """It works; worth knowing."""
    FAIL = "fail"
    """It does not work as configured, or loses data."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the self-test."""

    name: str
    state: State
    found: str
    fix: str = ""
    """What to do, in one sentence; present on every failure."""

    def __post_init__(self) -> None:
        if (self.state is State.FAIL) != bool(self.fix):
            raise ValueError(f"expected a fix for a failure and for nothing else, found {self}")


def ok(name: str, found: str) -> Finding:
    """Return a passed check."""
    return Finding(name, State.OK, found)


def note(name: str, found: str) -> Finding:
    """Return a note: worth knowing, not a failure."""
    return Finding(name, State.NOTE, found)


def fail(name: str, found: str, fix: str) -> Finding:
    """Return a failure and its fix."""
    return Finding(name, State.FAIL, found, fix)


def error_finding(name: str, problem: Explained, remedy: str = "") -> Finding:
    """Return an error or diagnosis as a failure; ``remedy`` is the fix if it has none."""
    return fail(name, problem.problem, full_stop(problem.remedy or remedy))


def counted(number: int, one: str, several: str | None = None) -> Phrase:
    """Return a number with its noun: ``1 button``, ``2 buttons``."""
    return Phrase(f"1 {one}") if number == 1 else Phrase(f"{{count}} {several or one + 's'}", count=number)
