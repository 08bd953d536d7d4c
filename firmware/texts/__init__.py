"""The clock's texts as data, one TOML file for each language, and the reasons that a director can state."""

from __future__ import annotations

from typing import Final

from appliance.texts import MASTER, Texts, languages_in, load_from
from firmware.texts.reasons import REASONS_FILE

__all__ = ["Texts", "languages", "load_texts"]

_NO_LANGUAGES: Final = frozenset({REASONS_FILE})


def languages() -> tuple[str, ...]:
    """Return the languages that are shipped."""
    return languages_in(__name__, _NO_LANGUAGES)


def load_texts(language: str = MASTER) -> Texts:
    """Return the texts of a shipped language.

    Raises:
        TextsError: the language does not exist, or its file lacks a key or has other placeholders than the English one.
    """
    return load_from(__name__, language, _NO_LANGUAGES)
