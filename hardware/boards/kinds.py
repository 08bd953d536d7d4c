"""Kinds of board: their required and optional buttons and lamps, and their appliance.

A name means the same on every board, so each appliance has its own list: a station's board has no ``left``, a clock's no ``adjudicate``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from msgspec import Struct

from rules.side import Side

ButtonName = Literal["left", "right", "centre", "up", "down", "ok", "key", "ask_left", "ask_right"]
Kind = Literal["full", "two-button", "station"]

BUTTONS: Final[tuple[str, ...]] = get_args(ButtonName)
ASKING: Final[Mapping[str, Side]] = MappingProxyType({"ask_left": Side.LEFT, "ask_right": Side.RIGHT})
"""Buttons that make the clock speak to a player, and do nothing in the game."""


class Make(Struct, frozen=True):
    needed: tuple[str, ...]
    buttons: tuple[str, ...]
    lamps: tuple[str, ...]
    buzzer: bool
    """Whether a buzzer is allowed. Not at a station: no distracting sound (NZ 6.14.4)."""
    displays: tuple[str, ...] = ("left", "right")
    """The serial displays allowed instead of a screen: all or none. Not at a station: a play and its verdict need a screen."""


MAKES: Final[Mapping[Kind, Make]] = MappingProxyType(
    {
        "full": Make(needed=tuple(each for each in BUTTONS if each not in ASKING), buttons=BUTTONS, lamps=("left", "right"), buzzer=True),
        "two-button": Make(needed=("left", "right"), buttons=BUTTONS, lamps=("left", "right"), buzzer=True),
        "station": Make(
            needed=("adjudicate",),
            buttons=("adjudicate", "key"),
            lamps=("adjudicate", "acceptable", "unacceptable"),
            buzzer=False,
            displays=(),
        ),
    }
)


class Appliance(Struct, frozen=True):
    name: str
    kinds: tuple[Kind, ...]


CLOCK: Final = Appliance("table clock", ("full", "two-button"))
STATION: Final = Appliance("challenge station", ("station",))
