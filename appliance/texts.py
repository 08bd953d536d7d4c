"""A program's texts as data: one TOML file per language in a package's folder, checked on load against the English file.

``say`` looks up a text by its dotted key and fills in its placeholders.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from appliance.errors import TextsError

MASTER = "en"
"""The language all others are checked against."""
_REMEDY = "Correct the file, or install the program again"


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language, by dotted key."""

    language: str
    by_key: Mapping[str, str]

    def say(self, key: str, **values: object) -> str:
        """Return the text of ``key`` with its placeholders filled in."""
        return self.by_key[key].format(**values)


@cache
def load_from(package: str, language: str, others: frozenset[str] = frozenset()) -> Texts:
    """Return the texts of a language shipped in ``package``; ``others`` are TOML files in its folder that are not languages.

    Raises:
        TextsError: the language is unknown, or its keys or placeholders differ from the English file.
    """
    folder = resources.files(package)
    names = (item.name for item in folder.iterdir())
    known = sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml") and name not in others)
    if language not in known:
        raise TextsError(expected=f"a language that is shipped ({', '.join(known)})", found=repr(language), remedy="Choose one of these")
    texts = parse_texts((folder / f"{language}.toml").read_text("utf-8"), language)
    if language != MASTER:
        check_against(texts, load_from(package, MASTER, others))
    return texts


def parse_texts(toml: str, language: str) -> Texts:
    """Return the texts of a language file.

    Raises:
        TextsError: not TOML, or a value that is not a text with valid placeholders.
    """
    try:
        by_key = dict(_flat(tomllib.loads(toml), ""))
        for text in by_key.values():
            _braces(text)
    except TextsError as error:
        error.locate(f"texts/{language}.toml")
        raise
    except ValueError as error:
        raise TextsError(
            where=f"texts/{language}.toml", expected="TOML with sound braces", found=f"a fault: {error}", remedy=_REMEDY
        ) from error
    return Texts(language, by_key)


def check_against(texts: Texts, master: Texts) -> None:
    """Raise ``TextsError`` if ``texts`` and ``master`` differ in keys or placeholders."""
    for key in sorted(master.by_key.keys() ^ texts.by_key.keys()):
        expected, found = ("a text", "none") if key in master.by_key else ("a key of the English file", "another")
        raise TextsError(where=f"texts/{texts.language}.toml: {key}", expected=expected, found=found, remedy=_REMEDY)
    for key, text in master.by_key.items():
        if _braces(text) != _braces(texts.by_key[key]):
            raise TextsError(
                where=f"texts/{texts.language}.toml: {key}",
                expected=f"the braces {sorted(_braces(text))}",
                found=repr(texts.by_key[key]),
                remedy=_REMEDY,
            )


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


def _braces(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
