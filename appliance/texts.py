"""A program's texts as data: one TOML file per language in a package's folder, checked on load against the English file.

``say`` looks a text up by its dotted key and fills in its braces. ``render`` says what came as a phrase, as errors do; those are in the folder ``phrases``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.errors import TextsError
from appliance.finding import Finding, counted, error_finding, ok
from faults.errors import Phrase, TileclockError

MASTER = "en"
"""The language all others are checked against."""
_REMEDY = "Correct the file, or install the program again"


class Texts(Struct, frozen=True):
    """The texts of one language, by dotted key."""

    language: str
    by_key: Mapping[str, str]
    phrases: Mapping[str, str] = field(default_factory=dict)
    """Templates of phrases by the English ones."""

    def say(self, key: str, **values: object) -> str:
        """Return the text of ``key`` with its braces filled in; phrases among the values are rendered."""
        return self.by_key[key].format(**self._rendered(values))

    def render(self, said: str) -> str:
        """Return a phrase in this language; any other text as it is."""
        if not isinstance(said, Phrase):
            return said
        template = self.phrases.get(said.template, said.template)
        return template.format(**self._rendered(said.values)) if said.values else template

    def _rendered(self, values: Mapping[str, object]) -> dict[str, object]:
        return {name: self.render(value) if isinstance(value, Phrase) else value for name, value in values.items()}


@cache
def languages_in(folder: Path, others: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the languages shipped in ``folder``; ``others`` are TOML files in it that are not languages."""
    names = (item.name for item in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml") and name not in others))


@cache
def load_from(folder: Path, language: str, others: frozenset[str] = frozenset()) -> Texts:
    """Return the texts of a language shipped in ``folder``; ``others`` are TOML files in it that are not languages.

    Raises ``TextsError``: the language is unknown, or its keys or placeholders differ from the English file.
    """
    known = languages_in(folder, others)
    if language not in known:
        raise TextsError(
            expected=Phrase("a language that is shipped ({known})", known=", ".join(known)),
            found=repr(language),
            remedy="Choose one of these",
        )
    texts = parse_texts((folder / f"{language}.toml").read_text("utf-8"), language)
    if language == MASTER:
        return texts
    check_against(texts, load_from(folder, MASTER, others))
    # The shared packages' and the program's own.
    phrases = _phrases(Path(__file__).parent, language) | _phrases(folder, language)
    return replace(texts, phrases=phrases)


def _phrases(folder: Path, language: str) -> dict[str, str]:
    """Return the phrases in that language, by the English ones; each has the same braces."""
    name = f"phrases/{language}.toml"
    file = folder / name
    phrases: dict[str, str] = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    for english, text in phrases.items():
        _require_braces(f"{name}: {english}", english, text)
    return phrases


def parse_texts(toml: str, language: str) -> Texts:
    """Return the texts of a language file; raises ``TextsError`` for a value that is not a text with valid placeholders."""
    try:
        by_key = dict(_flat(tomllib.loads(toml), ""))
        for text in by_key.values():
            _braces(text)
    except TextsError as error:
        error.locate(f"texts/{language}.toml")
        raise
    except ValueError as error:
        raise TextsError(
            where=f"texts/{language}.toml",
            expected="TOML with matching braces",
            found=Phrase("a fault: {error}", error=str(error)),
            remedy=_REMEDY,
        ) from error
    return Texts(language, by_key)


def check_against(texts: Texts, master: Texts) -> None:
    """Raise ``TextsError`` if ``texts`` and ``master`` differ in keys or placeholders."""
    for key in sorted(master.by_key.keys() ^ texts.by_key.keys()):
        expected, found = ("a text", "none") if key in master.by_key else ("a key of the English file", "another")
        raise TextsError(where=f"texts/{texts.language}.toml: {key}", expected=expected, found=found, remedy=_REMEDY)
    for key, text in master.by_key.items():
        _require_braces(f"texts/{texts.language}.toml: {key}", text, texts.by_key[key])


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            flat += _flat(value, f"{prefix}{name}.")
        elif isinstance(value, str):
            flat.append((prefix + name, value))
        else:
            raise TextsError(where=f"{prefix}{name}", expected="a text", found=repr(value), remedy=_REMEDY)
    return flat


def _require_braces(where: str, english: str, text: str) -> None:
    if _braces(english) != _braces(text):
        raise TextsError(
            where=where, expected=Phrase("the braces {braces}", braces=sorted(_braces(english))), found=repr(text), remedy=_REMEDY
        )


def _braces(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def check_texts(language: str, load: Callable[[str], Texts]) -> Finding:
    """Return whether the texts of ``language`` are usable; ``load`` is the program's."""
    try:
        texts = load(language)
    except TileclockError as error:
        remedy = "Choose a shipped language with --language, or reinstall Tileclock if a shipped file was changed"
        return error_finding("texts", error, remedy)
    return ok("texts", Phrase("{language}: {texts}", language=language, texts=counted(len(texts.by_key), "text")))
