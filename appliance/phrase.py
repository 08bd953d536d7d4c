"""Pieces of sentences that a program makes where it knows no language, and says where it knows one: at the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self, runtime_checkable


class Phrase(str):
    """A piece of a sentence with values in it. As a string it is English; ``Texts.render`` says it in its language.

    Args:
        template: the English words, with braces for the values; other languages are found by it.
        values: what fills the braces. Phrases among them are rendered too, all else is data: names, paths, numbers.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill in the braces."""
        phrase = super().__new__(cls, template.format(**values))
        phrase.template, phrase.values = template, values
        return phrase


def in_a_row(*phrases: Phrase, between: str = " ") -> Phrase:
    """Return phrases as one: sentences with a blank ``between`` two, or the parts of a list with a comma."""
    named = {f"part_{number}": phrase for number, phrase in enumerate(phrases)}
    return Phrase(between.join(f"{{{name}}}" for name in named), **named)


@runtime_checkable
class Templated(Protocol):
    """Text with its parts, like ``Phrase``: a message of the lexicon, which imports nothing of ours."""

    template: str
    values: Mapping[str, object]


def as_phrase(text: str) -> Phrase:
    """Return ``text`` itself where it is a phrase, else the phrase of its parts or of just these words; braces in words are no places for values."""
    if isinstance(text, Phrase):
        return text
    phrase = str.__new__(Phrase, text)
    phrase.template, phrase.values = text, {}
    # A plain string, as most are, has no parts; to look for some takes long.
    if type(text) is not str and isinstance(text, Templated):
        phrase.template = text.template
        phrase.values = {
            name: as_phrase(value) if isinstance(value, str) and isinstance(value, Templated) else value
            for name, value in text.values.items()
        }
    return phrase
