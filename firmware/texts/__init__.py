"""The clock's texts in each language, and the reasons that a director or player can state: data, checked on loading.

A ``KeyedMessage`` is a text by its key and values, chosen where no language is known and said where one is: at the face.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.texts import MASTER, Texts, load_part
from faults.errors import as_phrase

__all__ = [
    "KeyedMessage",
    "Texts",
    "load_reasons",
    "load_texts",
    "message",
]


class KeyedMessage(Struct, frozen=True):
    key: str
    values: tuple[tuple[str, str | int], ...] = ()

    def said(self, texts: Texts) -> str:
        """Return the text in a language; words among the values are translated too if it has them."""
        values = {name: texts.render(as_phrase(value)) if isinstance(value, str) else value for name, value in self.values}
        return texts.say(self.key, **values)


def message(key: str, **values: str | int) -> KeyedMessage:
    return KeyedMessage(key, tuple(values.items()))


_REASONS: Final = Path(__file__).with_name("reasons.toml")


@cache
def load_reasons() -> Mapping[str, tuple[str, ...]]:
    return {kind: tuple(reasons) for kind, reasons in tomllib.loads(_REASONS.read_text(encoding="utf-8")).items()}


@cache
def load_texts(language: str = MASTER, *, two_button: bool = False) -> Texts:
    """Return the texts with the board's word for the bar. Raises TextsError: no such language, or its file lacks a key or has other placeholders than the English one."""
    texts = load_part("clock", language)
    bar = texts.say("bar.two_button" if two_button else "bar.full")
    return replace(texts, by_key={key: text.replace("{bar}", bar) for key, text in texts.by_key.items()})
