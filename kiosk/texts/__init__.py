"""What the station says, as data: one TOML file a language, the same keys and braces in each (checked on load)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from hardware.texts import MASTER, Texts, load_from

__all__ = ["Texts", "languages", "load_texts"]

_SUFFIX: Final = ".toml"


def load_texts(language: str = MASTER) -> Texts:
    """Return the texts of a shipped language, by its code: ``en``.

    Raises:
        TextsError: no such language, or its file lacks a key or has other braces than the English one.
    """
    return load_from(__name__, language)


@cache
def languages() -> Mapping[str, str]:
    """Return every shipped language's own name by its code, ``fr`` Français, in the order of the codes.

    Raises:
        TextsError: as ``load_texts``.
    """
    files = (item.name for item in resources.files(__name__).iterdir())
    codes = sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX))
    return MappingProxyType({code: load_texts(code).say(f"language.{code}") for code in codes})
