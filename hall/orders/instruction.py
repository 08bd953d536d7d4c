"""What the director orders."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Instruction(Struct, frozen=True):
    do: str
    keys: Mapping[str, Any]


CLEAR = Instruction("clear", {})
"""The notice and the request to stop go."""
UPDATE = Instruction("update", {})
"""The machine installs what its own package sources offer, between games; the order carries no software."""


NO_TIMER = Instruction("timer", {"begins": None})
"""The hall's timer goes."""


def notice(text: str, seconds: int) -> Instruction:
    """Return a line on the face for 5 to 600 seconds."""
    return Instruction("notice", {"text": text, "seconds": seconds})


def stop(text: str) -> Instruction:
    """Return the request to stop; a clock with ``freeze = "hard"`` stops itself. ``text`` empty: the clock's own words, in its language."""
    return Instruction("stop", {"text": text})


def timer(shown: Mapping[str, Any], offset: int) -> Instruction:
    """Return the hall's timer, as browsers have it (``begins`` in µs of the desk), for a clock; ``offset``: from its machine to the desk's, in ns."""
    return Instruction("timer", {**shown, "begins": shown["begins"] * 1000 - offset, "warnings": tuple(shown["warnings"])})


def assignment(table: int, left: str, right: str, lexicon: str | None = None) -> Instruction:
    """Return table, names (empty: none) and the SHA-256 of the list to judge by."""
    return Instruction("assign", {"table": table, "left": left, "right": right, "lexicon": lexicon})


def next_game(rulebook: str, left_seconds: int | None = None, right_seconds: int | None = None) -> Instruction:
    """Return a set-up that the clock offers for the next game; None: the rulebook's regulation."""
    return Instruction("setup", {"rulebook": rulebook, "left_seconds": left_seconds, "right_seconds": right_seconds})


def new_settings(**given: Any) -> Instruction:
    """Return settings that the clock takes up between games; None: as it is."""
    return Instruction("settings", {key: value for key, value in given.items() if value is not None})
