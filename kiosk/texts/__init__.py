"""The station's texts as data: one TOML file for each language, with the same keys and placeholders (checked on loading)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from appliance.texts import MASTER, Texts, languages_in, load_from

__all__ = ["Texts", "languages", "load_texts"]

_FOLDER: Final = Path(__file__).parent


def load_texts(language: str = MASTER) -> Texts:
    """Return the texts of a language, by its code: ``en``. Raises TextsError: no such language, or its file lacks a key or has other placeholders."""
    return load_from(_FOLDER, language)


def languages() -> tuple[str, ...]:
    return languages_in(_FOLDER)
