"""The station's texts as data: one TOML file for each language, with the same keys and placeholders (checked on loading)."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from appliance.texts import MASTER, Texts, load_from

__all__ = ["Texts", "languages", "load_texts"]

_SUFFIX: Final = ".toml"


def load_texts(language: str = MASTER) -> Texts:
    """Return the texts of a shipped language, by its code: ``en``.

    Raises:
        TextsError: the language does not exist, or its file lacks a key or has other placeholders than the English one.
    """
    return load_from(__name__, language)


@cache
def languages() -> tuple[str, ...]:
    files = (item.name for item in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))
