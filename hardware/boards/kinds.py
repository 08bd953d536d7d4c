"""Kinds of board: which buttons and lamps each may have, which it must have, and which appliance it belongs to.

A name means the same on every board that has it, so each appliance has a list of its own: a station's board has no ``left``, a clock's no ``adjudicate``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

ButtonName = Literal["left", "right", "centre", "up", "down", "ok", "key"]
"""A button of a table clock."""
Kind = Literal["full", "two-button", "station"]

BUTTONS: Final[tuple[str, ...]] = get_args(ButtonName)
"""Every button a clock's board can have."""


@dataclass(frozen=True, slots=True)
class Make:
    """What boards of one kind are made of."""

    needed: tuple[str, ...]
    """The buttons it must have."""
    buttons: tuple[str, ...]
    """Those it may have, the needed ones among them."""
    lamps: tuple[str, ...]
    """The lamps it may have; none is needed."""
    buzzer: bool
    """Whether it may have a buzzer. A station may not: no sound that distracts (NZ 6.14.4)."""
    displays: tuple[str, ...] = ("left", "right")
    """The serial displays it may have in place of a screen: all or none. A station may not: a play and its verdict take a screen."""


MAKES: Final[Mapping[Kind, Make]] = MappingProxyType(
    {
        "full": Make(needed=BUTTONS, buttons=BUTTONS, lamps=("left", "right"), buzzer=True),
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


@dataclass(frozen=True, slots=True)
class Appliance:
    """What a board hangs on."""

    name: str
    kinds: tuple[Kind, ...]
    """The kinds of board it takes."""


CLOCK: Final = Appliance("table clock", ("full", "two-button"))
STATION: Final = Appliance("challenge station", ("station",))
