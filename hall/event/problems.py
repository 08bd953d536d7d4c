"""What is wrong with organisers' files. Every problem on the way is noted, so that one correction of a file suffices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from faults.errors import TileclockError, problem_of, sentences_of

MAX: Final = 100
"""The most problems of one file; after that it is another kind of file."""
_LONGEST: Final = 60
_PASSWORD: Final = re.compile(r"(password).*", re.IGNORECASE)


class Problem(Struct, frozen=True):
    """One thing that is wrong."""

    file: str
    line: int
    """From 1; 0: the file as a whole."""
    expected: str
    found: str
    remedy: str = ""
    """Empty: to correct what was found is all that there is to do."""

    @property
    def where(self) -> str:
        return _where(self)

    @property
    def sentence(self) -> str:
        return visible(sentences_of(problem_of(self.where, self.expected, self.found), self.remedy))


class UnreadableEvent(TileclockError, ValueError):
    """Files of an event have problems; nothing of them was taken."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first = problems[0]
        super().__init__(where=first.where, expected=first.expected, found=first.found, remedy=first.remedy)
        self.problems = tuple(problems)

    @classmethod
    def of(cls, file: str, expected: str, found: str, remedy: str = "") -> UnreadableEvent:
        return cls([Problem(file, 0, expected, found, remedy)])


class Spot(Struct, frozen=True):
    """A file, or a line of it: takes what is wrong there, and what is passed over."""

    file: str
    line: int = 0
    problems: list[Problem] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    """In sentences: no problem, but a director has to know."""
    places: dict[object, Spot] = field(default_factory=dict)
    """Where a division, or a pairing by division, round and player, was read: another file may contradict it."""

    @property
    def where(self) -> str:
        return _where(self)

    def on(self, line: int) -> Spot:
        return replace(self, line=line)

    def add(self, expected: str, found: object, remedy: str = "Correct it") -> None:
        if len(self.problems) < MAX:
            self.problems.append(Problem(self.file, self.line, expected, str(found), remedy))

    def note(self, what: object) -> None:
        self.places.setdefault(what, self)

    def pass_over(self, what: str) -> None:
        if len(self.passed) < MAX:
            self.passed.append(visible(f"{self.where}: {what}."))


def _where(of: Problem | Spot) -> str:
    return f"{of.file}, line {of.line}" if of.line else of.file


def listed(said: Sequence[str], most: int) -> str:
    """Return the first ``most`` texts, separated by commas, and the number of the rest."""
    more = len(said) - most
    return f"{', '.join(said[:most])}{f' and {more} more' if more > 0 else ''}"


def passed_over(what: str, said: Sequence[str], most: int) -> str:
    """Return that some things of one kind are passed over, in a clause."""
    several = len(said) > 1
    return f"the {what}{'s' * several} {listed(said, most)} {'are' if several else 'is'} passed over"


def quoted(text: str) -> str:
    """Return text of a file as it follows "found": short, on one line, in quotes."""
    clean = visible(" ".join(text[: 2 * _LONGEST].split()))
    # In a broken line of TSH the password may stand anywhere.
    clean = _PASSWORD.sub(r"\1 …", clean)
    return f'"{clean}"' if len(clean) <= _LONGEST else f'"{clean[: _LONGEST - 1]}…"'


def visible(text: str) -> str:
    """Return a text with each invisible character replaced by its code."""
    return "".join(each if each.isprintable() else f"<U+{ord(each):04X}>" for each in text)
