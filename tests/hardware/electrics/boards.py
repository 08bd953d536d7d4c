"""A sound board of few parts, and what the check says of it once something is changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from appliance.finding import Finding, State
from hardware.boards.board import Board, DisplaySpec, PinSpec
from hardware.boards.pis import load_pi
from hardware.electrics import check

BUTTON = PinSpec(5, "", part="arcade-button-60mm", wire=30, resistor=1000)
LAMP = PinSpec(16, "", part="arcade-lamp-5v", wire=30, resistor=1000, driver="bc337-40")
LED = PinSpec(16, "", part="led-5mm-red", wire=30, resistor=220)
BUZZER = PinSpec(12, "", part="piezo-buzzer-5v", wire=20, resistor=1000, driver="bc337-40")
LEFT = DisplaySpec("/dev/ttyAMA0", 14, part="serial-7-segment", wire=30, resistor=330)
RIGHT = DisplaySpec("/dev/ttyUSB0", 8, part="serial-7-segment", wire=30, resistor=330)


def board(
    lamps: Mapping[str, PinSpec] | None = None,
    buzzer: PinSpec | None = None,
    displays: Mapping[str, DisplaySpec] | None = None,
    **button: Any,
) -> Board:
    """Return a two-button board, its left button changed by ``button``."""
    buttons = {"left": dataclasses.replace(BUTTON, **button), "right": dataclasses.replace(BUTTON, gpio=6)}
    return Board("t", "T", "two-button", buttons, lamps or {}, buzzer, displays or {})


def wrong(one: Board, pi: str = "4") -> list[Finding]:
    """Return the failures that the check finds."""
    return [finding for finding in check(one, load_pi(pi)) if finding.state is State.FAIL]


def said(one: Board, pi: str = "4") -> list[str]:
    """Return the failures and notes as ``name: found``."""
    return [f"{finding.name}: {finding.found}" for finding in check(one, load_pi(pi)) if finding.state is not State.OK]
