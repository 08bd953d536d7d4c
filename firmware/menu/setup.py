"""What the table was set up with: the board's kind, the rulebooks a director can choose, the words, the reasons."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from firmware.errors import TileclockError
from firmware.rulebooks.model import Rulebook
from firmware.texts import Texts

REASON_KINDS = ("stop", "time", "erase", "end", "reopen", "undo", "swap")
"""The lists of reasons that the menu asks for."""


class ReasonsError(TileclockError, ValueError):
    """A list of reasons that cannot be used."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What does not change while the clock is on."""

    two_button: bool
    """The board has the two player buttons only."""
    rulebooks: tuple[tuple[str, Rulebook], ...]
    """The rulebooks on offer, by id or path."""
    texts: Texts
    reasons: Mapping[str, tuple[str, ...]]


@cache
def load_reasons() -> Mapping[str, tuple[str, ...]]:
    """Return the shipped reasons, by kind."""
    return parse_reasons((resources.files(__package__) / "reasons.toml").read_text("utf-8"))


def parse_reasons(toml: str) -> Mapping[str, tuple[str, ...]]:
    """Return the reasons that a file holds.

    Raises:
        ReasonsError: not TOML, a kind missing or unknown, or a reason that is no text.
    """
    try:
        found = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise ReasonsError(f"reasons.toml: {error}") from error
    if found.keys() != set(REASON_KINDS):
        raise ReasonsError(f"reasons.toml: expected the lists {', '.join(REASON_KINDS)}, found {', '.join(found)}")
    for kind, reasons in found.items():
        if not isinstance(reasons, list) or not reasons or not all(isinstance(reason, str) for reason in reasons):
            raise ReasonsError(f"reasons.toml: {kind}: expected a list of texts, found {reasons!r}")
    return {kind: tuple(reasons) for kind, reasons in found.items()}
