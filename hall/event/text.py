"""From a file's bytes to its lines, and from a line's words to values."""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Final

from hall.event.problems import Problem, Quoted, Spot, UnreadableEvent

MOST_BYTES: Final = 8_000_000
MOST_LINES: Final = 100_000
MOST_ROUNDS: Final = 200
MOST_PLAYERS: Final = 10_000

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
    if len(content) > MOST_BYTES:
        raise _refused(file, f"at most {MOST_BYTES // 1_000_000} MB", "more")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _refused(file, "text in UTF-8 or ISO-8859-1", "UTF-16")
    if b"\x00" in content:
        raise _refused(file, "text", "a file of another kind")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.removeprefix(codecs.BOM_UTF8).decode("iso-8859-1")
    if max(text.count("\n"), text.count("\r")) > MOST_LINES:
        raise _refused(file, f"at most {MOST_LINES:,} lines", "more")
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
    """Return the number that ``text`` is; None: it is none from ``least`` to ``most``, which is noted."""
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
