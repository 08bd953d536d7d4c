"""The clock's texts in each language, and the reasons that a director or player can state: data, checked on loading.

A ``KeyedMessage`` is a text by its key and values, chosen where no language is known and said where one is: at the face.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.texts import MASTER, Texts, load_part
from faults.errors import TileclockError, as_phrase
from faults.small_file import toml_in

__all__ = [
    "REASONS_FILE",
    "REASON_KINDS",
    "KeyedMessage",
    "ReasonsError",
    "Texts",
    "load_reasons",
    "load_texts",
    "message",
    "parse_reasons",
]


class KeyedMessage(Struct, frozen=True):
    key: str
    values: tuple[tuple[str, str | int], ...] = ()

    def said(self, texts: Texts, **always: str) -> str:
        """Return the text in a language; words among the values are translated too if it has them, and ``always`` fills further braces."""
        values = {name: texts.render(as_phrase(value)) if isinstance(value, str) else value for name, value in self.values}
        return texts.say(self.key, **always, **values)


def message(key: str, **values: str | int) -> KeyedMessage:
    return KeyedMessage(key, tuple(values.items()))


REASON_KINDS: Final = ("stop", "time", "erase", "end", "reopen", "undo", "swap", "points", "rulebook")
REASONS_FILE: Final = "reasons.toml"
_FOLDER: Final = Path(__file__).parent


_REMEDY: Final = "Correct the file, or install the program again"


class ReasonsError(TileclockError, ValueError):
    """The list of reasons is unusable."""


@cache
def load_reasons() -> Mapping[str, tuple[str, ...]]:
    return parse_reasons((_FOLDER / REASONS_FILE).read_bytes())


def parse_reasons(content: bytes) -> Mapping[str, tuple[str, ...]]:
    """Return the reasons of a file. Raises ReasonsError: not TOML, a kind missing or unknown, or a reason that is not text."""
    found = toml_in(REASONS_FILE, content, ReasonsError)
    if found.keys() != set(REASON_KINDS):
        raise ReasonsError(where=REASONS_FILE, expected=f"the lists {', '.join(REASON_KINDS)}", found=", ".join(found), remedy=_REMEDY)
    for kind, reasons in found.items():
        if not isinstance(reasons, list) or not reasons or not all(isinstance(reason, str) for reason in reasons):
            raise ReasonsError(where=f"{REASONS_FILE}: {kind}", expected="a list of texts", found=repr(reasons), remedy=_REMEDY)
    return {kind: tuple(reasons) for kind, reasons in found.items()}


def load_texts(language: str = MASTER) -> Texts:
    """Return the texts of a language. Raises TextsError: no such language, or its file lacks a key or has other placeholders than the English one."""
    return load_part("clock", language)
