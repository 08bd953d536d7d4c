"""The reasons that a director or player can state: lists by kind, as data beside the texts, checked on loading."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from faults.errors import TileclockError

REASON_KINDS: Final = ("stop", "time", "erase", "end", "reopen", "undo", "swap", "points", "rulebook")
"""The lists of reasons that the menu asks for."""
REASONS_FILE: Final = "reasons.toml"


_REMEDY: Final = "Correct the file, or install the program again"


class ReasonsError(TileclockError, ValueError):
    """The list of reasons is unusable."""


@cache
def load_reasons() -> Mapping[str, tuple[str, ...]]:
    """Return the shipped reasons, by kind."""
    return parse_reasons((resources.files(__package__) / REASONS_FILE).read_text("utf-8"))


def parse_reasons(toml: str) -> Mapping[str, tuple[str, ...]]:
    """Return the reasons of a file.

    Raises:
        ReasonsError: not TOML, a kind missing or unknown, or a reason that is not text.
    """
    try:
        found = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise ReasonsError(where=REASONS_FILE, expected="TOML", found=f"a fault: {error}", remedy=_REMEDY) from error
    if found.keys() != set(REASON_KINDS):
        raise ReasonsError(where=REASONS_FILE, expected=f"the lists {', '.join(REASON_KINDS)}", found=", ".join(found), remedy=_REMEDY)
    for kind, reasons in found.items():
        if not isinstance(reasons, list) or not reasons or not all(isinstance(reason, str) for reason in reasons):
            raise ReasonsError(where=f"{REASONS_FILE}: {kind}", expected="a list of texts", found=repr(reasons), remedy=_REMEDY)
    return {kind: tuple(reasons) for kind, reasons in found.items()}
