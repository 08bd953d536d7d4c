"""The root of all our errors, and the phrases in their fields. An error carries fields; ``str`` renders them in English, ``Texts.render`` in any language.

A word list opens in less time than ``typing`` or ``dataclasses`` take to load, so this module imports neither.
"""

from __future__ import annotations

from collections.abc import Mapping


class Phrase(str):
    """A piece of a sentence with values in it, made where no language is known. As a string it is English; ``Texts.render`` says it in its language.

    Args:
        template: the English words, with braces for the values; other languages are found by it.
        values: what fills the braces. Phrases among them are rendered too, all else is data: names, paths, numbers.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:  # noqa: PYI034 - Self is in typing
        phrase = super().__new__(cls, template.format(**values))
        phrase.template, phrase.values = template, values
        return phrase

    def __reduce__(self) -> tuple[object, ...]:
        return _made_again, (self.template, self.values)


def _made_again(template: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(template, **values) if values else as_phrase(template)


def in_a_row(*phrases: str, between: str = " ") -> Phrase:
    """Return phrases as one: sentences with a blank ``between`` two, or the parts of a list with a comma. What is no phrase among them is data."""
    named = {f"part_{number}": phrase for number, phrase in enumerate(phrases)}
    return Phrase(between.join(f"{{{name}}}" for name in named), **named)


def as_phrase(text: str) -> Phrase:
    """Return ``text`` itself where it is a phrase, else the phrase of just these words; braces in them are no places for values."""
    if isinstance(text, Phrase):
        return text
    phrase = str.__new__(Phrase, text)
    phrase.template, phrase.values = text, {}
    return phrase


def problem_of(where: str, expected: str, found: str) -> Phrase:
    """Return the sentence of an error's fields, without a full stop."""
    said = Phrase("expected {expected}, found {found}", expected=as_phrase(expected), found=as_phrase(found))
    return Phrase("{where}: {said}", where=where, said=said) if where else said


def sentences_of(problem: str, remedy: str) -> Phrase:
    return in_a_row(*filter(None, (Phrase("{said}.", said=as_phrase(problem)), full_stop(remedy))))


def full_stop(text: str) -> Phrase:
    said = as_phrase(text)
    # A question has its own sign in every language.
    return said if not text or text.endswith((".", "?")) else Phrase("{said}.", said=said)


class TileclockError(Exception):
    """Root of all errors raised on purpose: input or environment does not match what was expected. Each leaf also derives from a builtin error.

    ``str`` gives ``where: expected ..., found .... Remedy.``; programs print it and exit with code 2. ``remedy``: one or more sentences; the last full stop
    is optional. ``where``: the file, or the place in it; empty where the reader knows.
    """

    def __init__(self, *, expected: str, found: str, remedy: str = "", where: object = "") -> None:
        # A single argument, because OSError interprets two or more.
        super().__init__(found)
        self.expected = expected
        self.found = found
        self.remedy = remedy
        self.where = str(where)

    @property
    def problem(self) -> Phrase:
        """What is wrong, without what to do, and without a full stop."""
        return problem_of(self.where, self.expected, self.found)

    @property
    def sentences(self) -> Phrase:
        return sentences_of(self.problem, self.remedy)

    def __str__(self) -> str:
        return str(self.sentences)

    def locate(self, place: object) -> None:
        """Prepend ``place`` to ``where``; call it where the file is known, then raise again."""
        self.where = f"{place}: {self.where}" if self.where else str(place)


def reason(error: Exception) -> str:
    """Return why the system refused, as it follows "found": neither number nor path, the first letter small."""
    # An error of termios holds a number and a text, as an OSError does, without naming them.
    said = getattr(error, "strerror", None) or str(error.args[-1] if type(error).__module__ == "termios" else error)
    # "Found is a directory" is no sentence.
    said = said.removeprefix("Is ")
    # Not of a name such as GPIO5.
    return f"{said[:1].lower()}{said[1:]}" if said[1:2].islower() else said
