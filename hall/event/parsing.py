"""What all formats of organisers' files share: from bytes to lines, from words to values, from each player's opponents to the pairings.

Every problem on the way is noted, so that one look at the file mends all.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from faults.errors import TileclockError, problem_of
from hall.event.model import BYE, Pairing, Player

MAX: Final = 100
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
    """A file has ``MAX`` problems."""


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
        if len(self.found) >= MAX:
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


MAX_BYTES: Final = 8_000_000
MAX_LINES: Final = 100_000
MAX_ROUNDS: Final = 200
MAX_PLAYERS: Final = 10_000

LONGEST_NAME: Final = 40
"""As many characters as a clock takes (docs/spec/wire.md, "Orders")."""
_LONGEST_DIVISION: Final = 20
_MEMBER: Final = re.compile(r"(.*?\S)\s*:\s*([A-Z]{2}\d{6})")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_ENDS: Final = re.compile(r"\r\n|\r|\n")


def text_of(file: str, content: bytes) -> str:
    """Return the text of a file: UTF-8 where it is that, with or without a mark in front, else ISO-8859-1.

    Raises:
        UnreadableEvent: it is too large, or no text.
    """
    if len(content) > MAX_BYTES:
        raise _refused(file, f"at most {MAX_BYTES // 1_000_000} MB", "more")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _refused(file, "text in UTF-8 or ISO-8859-1", "UTF-16")
    if b"\x00" in content:
        raise _refused(file, "text", "a file of another kind")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.removeprefix(codecs.BOM_UTF8).decode("iso-8859-1")
    if max(text.count("\n"), text.count("\r")) > MAX_LINES:
        raise _refused(file, f"at most {MAX_LINES:,} lines", "more")
    return text


def lines_of(text: str) -> list[str]:
    """Return the lines of ``text``, whatever ends them."""
    return _ENDS.split(text)


def number_of(text: str, least: int, most: int) -> int | None:
    """Return the whole number that ``text`` is, from ``least`` to ``most``; None: it is none."""
    if not _NUMBER.fullmatch(text):
        return None
    number = int(text)
    return number if least <= number <= most else None


def required_number(text: str, what: str, most: int, at: Spot, least: int = 1) -> int | None:
    number = number_of(text.strip(), least, most)
    if number is None:
        at.add(f"{what} from {least} to {most}", Quoted(text) if text.strip() else "nothing")
    return number


def name_of(text: str, at: Spot) -> tuple[str, str]:
    """Return a player's name and number with the federation (``Last, First:AA000000``); an unusable one is noted."""
    clean = unicodedata.normalize("NFC", " ".join(text.split()))
    found = _MEMBER.fullmatch(clean)
    name, member = (found[1], found[2]) if found else (clean, "")
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        at.add(f"a name of 1 to {LONGEST_NAME} printable characters", Quoted(text) if name else "nothing")
    return name, member


def division_of(text: str, at: Spot) -> str:
    """Return a division's name; an unusable one is noted."""
    name = " ".join(text.split())
    if not 0 < len(name) <= _LONGEST_DIVISION or not name.isprintable():
        at.add(f"a division of 1 to {_LONGEST_DIVISION} printable characters", Quoted(text) if name else "nothing")
        return "?"
    return name


def _refused(file: str, expected: str, found: str) -> UnreadableEvent:
    return UnreadableEvent([Problem(file, 0, expected, found)])


UNDEFINED: Final = -1
"""The opponent of a round that is not paired yet."""
_FIRST, _SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class OwnList:
    """A player with what the file says of each round."""

    line: int
    player: Player
    opponents: Sequence[int]
    """Numbers in the division, ``BYE`` or ``UNDEFINED``."""
    scores: Sequence[int | None]
    boards: Sequence[int] = ()
    """0: none."""
    starts: Sequence[int] = ()
    """1: goes first, 2: goes second; else open."""


def pairings_of(lists: Mapping[int, OwnList], problems: Problems) -> list[Pairing]:
    """Return the pairings of one division, and note each list that another contradicts.

    Args:
        lists: by the player's number.
    """
    found = []
    for number, own in lists.items():
        for index, opponent in enumerate(own.opponents):
            if opponent == UNDEFINED:
                continue
            if opponent == BYE:
                found.append(Pairing(own.player.division, index + 1, number, BYE, scores=(_at(own.scores, index), None)))
            elif _is_mutual(lists, number, index, problems) and number < opponent:
                found.append(_pairing(own, lists[opponent], index))
    return found


def _is_mutual(lists: Mapping[int, OwnList], number: int, index: int, problems: Problems) -> bool:
    own = lists[number]
    opponent = own.opponents[index]
    other = lists.get(opponent)
    if other is None or opponent == number:
        problems.add(own.line, f"an opponent of round {index + 1} among the players 1 to {len(lists)}", opponent)
        return False
    answer = _at(other.opponents, index)
    if answer == number:
        return True
    if number < opponent or answer in {None, UNDEFINED}:
        what = "nobody" if answer in {None, UNDEFINED} else "a bye" if answer == BYE else f"player {answer}"
        problems.add(own.line, f"that players {number} and {opponent} meet in round {index + 1}", f"that player {opponent} has {what}")
    return False


def _pairing(own: OwnList, other: OwnList, index: int) -> Pairing:
    board = _at(own.boards, index) or _at(other.boards, index) or None
    starts, answer = _at(own.starts, index), _at(other.starts, index)
    ordered = _FIRST in {starts, answer} or _SECOND in {starts, answer}
    one, two = (other, own) if starts == _SECOND or (starts != _FIRST and answer == _FIRST) else (own, other)
    return Pairing(
        own.player.division,
        index + 1,
        one.player.number,
        two.player.number,
        ordered,
        board,
        scores=(_at(one.scores, index), _at(two.scores, index)),
    )


def _at(values: Sequence[int | None], index: int) -> int | None:
    return values[index] if index < len(values) else None
