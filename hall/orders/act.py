"""What the director orders, apart from the clock that it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from faults.errors import TileclockError
from hall.picture.address import OrderAddress
from wire.messages.proposals import ORDER


class BadOrder(TileclockError, ValueError):
    """No clock would take such an order: a text is too long, a number out of range."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """An act with its keys, as on the wire."""

    do: str
    keys: Mapping[str, Any]


CLEAR = Instruction("clear", {})
"""The notice and the request to stop go."""
UPDATE = Instruction("update", {})
"""The machine installs what its own package sources offer, between games; the order carries no software."""


def notice(text: str, seconds: int) -> Instruction:
    """Return a line on the face for 5 to 600 seconds."""
    return Instruction("notice", {"text": text, "seconds": seconds})


def stop(text: str) -> Instruction:
    """Return the request to stop; a clock with ``freeze = "hard"`` stops itself. ``text`` empty: the clock's own words, in its language."""
    return Instruction("stop", {"text": text})


def round_begins(began: int | None) -> Instruction:
    """Return when the round began or begins, in ns of the clock's own CLOCK_MONOTONIC; None: no start is set."""
    return Instruction("round", {"began": began})


def assignment(table: int, left: str, right: str, lexicon: str | None = None) -> Instruction:
    """Return table, names (empty: none) and the SHA-256 of the list to judge by."""
    return Instruction("assign", {"table": table, "left": left, "right": right, "lexicon": lexicon})


def next_game(rulebook: str, left_seconds: int | None = None, right_seconds: int | None = None) -> Instruction:
    """Return a set-up that the clock offers for the next game; None: the rulebook's regulation."""
    return Instruction("setup", {"rulebook": rulebook, "left_seconds": left_seconds, "right_seconds": right_seconds})


def new_settings(
    language: str | None = None,
    led_brightness: int | None = None,
    *,
    buzzer_enabled: bool | None = None,
    players_choose_rulebook: bool | None = None,
) -> Instruction:
    """Return settings that the clock takes up between games; None: as it is."""
    keys = {
        "language": language,
        "led_brightness": led_brightness,
        "buzzer_enabled": buzzer_enabled,
        "players_choose_rulebook": players_choose_rulebook,
    }
    return Instruction("settings", {key: value for key, value in keys.items() if value is not None})


def body_of(act: Instruction, order: str, issuer: str, device: str, to: OrderAddress) -> str:
    """Return the text that the director signs.

    Args:
        act: what is to be done.
        order: the order's id, 32 random hex digits.
        issuer: the desk's name.
        device: the clock's id.
        to: what stood there when it was last heard.

    Raises:
        BadOrder: a key is missing or out of its range.
    """
    named = {"id": order, "issuer": issuer, "device": device, "epoch": to.epoch, "game": to.game, "number": to.number, "nonce": to.nonce}
    try:
        return ORDER.validate_python({**named, "do": act.do, **act.keys}).model_dump_json()
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        what = str(fault["loc"][-1]) if fault["loc"] else act.do
        raise BadOrder(
            where=what, expected=fault["msg"][:1].lower() + fault["msg"][1:], found=repr(fault["input"])[:60], remedy="Nothing was sent"
        ) from error
