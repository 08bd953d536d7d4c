"""What a check has found: a pure value, and the three ways to make one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from appliance.errors import Explained, full_stop


class State(StrEnum):
    """How it stands with what was looked at."""

    OK = "ok"
    NOTE = "note"
    """It works; somebody may want to know this."""
    FAIL = "fail"
    """It does not work as it is set up, or loses something."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the self-test."""

    name: str
    state: State
    found: str
    fix: str = ""
    """What to do, in one sentence; a failure always has one."""

    def __post_init__(self) -> None:
        if (self.state is State.FAIL) != bool(self.fix):
            raise ValueError(f"expected a fix for a failure and for nothing else, found {self}")


def ok(name: str, found: str) -> Finding:
    """Return that all is well."""
    return Finding(name, State.OK, found)


def note(name: str, found: str) -> Finding:
    """Return what is worth knowing and no failure."""
    return Finding(name, State.NOTE, found)


def fail(name: str, found: str, fix: str) -> Finding:
    """Return a failure with what to do about it."""
    return Finding(name, State.FAIL, found, fix)


def error_finding(name: str, problem: Explained, remedy: str = "") -> Finding:
    """Return an error, or a diagnosis, as a failure; ``remedy`` is what to do where it does not say."""
    return fail(name, problem.problem, full_stop(problem.remedy or remedy))


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return the number with its noun: ``1 button``, ``2 buttons``."""
    return f"{number} {one if number == 1 else several or one + 's'}"
