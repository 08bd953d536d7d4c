"""What is wrong with organisers' files: every line of it, so that one look at the file mends all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from faults.errors import TileclockError, problem_of

MOST: Final = 100
"""The most problems of one file; after that it is another kind of file."""
_LONGEST: Final = 60
_PASSWORD: Final = re.compile(r"(password).*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    file: str
    line: int
    """From 1; 0: the file as a whole."""
    expected: str
    found: str

    @property
    def sentence(self) -> str:
        """All of it for people."""
        where = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{problem_of(where, self.expected, self.found)}."


class UnreadableEvent(TileclockError, ValueError):
    """Files of an event have problems; nothing of them was taken."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first = problems[0]
        where = f"{first.file}, line {first.line}" if first.line else first.file
        super().__init__(where=where, expected=first.expected, found=first.found)
        self.problems = tuple(problems)


class TooManyProblems(Exception):
    """A file has ``MOST`` problems."""


@dataclass(slots=True)
class Problems:
    """Collects what is wrong with one file."""

    file: str
    found: list[Problem] = field(default_factory=list)

    def add(self, line: int, expected: str, found: object) -> None:
        """Note a problem.

        Raises:
            TooManyProblems: the reading of this file ends here.
        """
        self.found.append(Problem(self.file, line, expected, shown(found)))
        if len(self.found) >= MOST:
            raise TooManyProblems


def shown(found: object) -> str:
    """Return what a file has as it follows "found": short, on one line; text of the file in quotes."""
    if not isinstance(found, Quoted):
        return str(found)
    text = " ".join("".join(each if each.isprintable() else " " for each in found.text[: 2 * _LONGEST]).split())
    # In a broken line of TSH the password may stand anywhere.
    text = _PASSWORD.sub(r"\1 …", text)
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[: _LONGEST - 1]}…"'


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text of a file."""

    text: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file, for what is wrong with it."""

    problems: Problems
    line: int

    def add(self, expected: str, found: object) -> None:
        """Note a problem of this line; see ``Problems.add``."""
        self.problems.add(self.line, expected, found)
