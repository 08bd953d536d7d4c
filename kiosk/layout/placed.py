"""What an arrangement is made of: a box, and what stands in it. Equal values look the same: the painter redraws only those that are new."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from appliance.display.box import Box
from kiosk.face.page import Icon, Target, Tone


class What(StrEnum):
    """What stands in a box: how it is drawn."""

    TITLE = "title"
    COUNTDOWN = "countdown"
    DOOR = "door"
    PRACTICE = "practice"
    SIDE = "side"
    """What a player is, on that player's side."""
    BANNER = "banner"
    LINES = "lines"
    ASIDE = "aside"
    NOTICE = "notice"
    ENTRY = "entry"
    WORD = "word"
    """Its number and its letters; a target where it can be chosen."""
    REMOVE = "remove"
    ROW = "row"
    KEY = "key"
    BY_SIDE = "by_side"
    ACTION = "action"
    ADJUDICATE = "adjudicate"
    FOOTER = "footer"


@dataclass(frozen=True, slots=True)
class Placed:
    """One thing on the screen."""

    what: What
    box: Box
    texts: tuple[str, ...] = ()
    size: int = 0
    """The largest size of its text in pixels; a text too long for it is set smaller, or in two lines."""
    tone: Tone = Tone.PLAIN
    icon: Icon | None = None
    target: Target | None = None
    chosen: bool = False
    hint: int = 0
    """The size in pixels at which its key of a real keyboard is named; 0: it has none that is named."""
    column: int = 0
    """The key is named under the sign, in a column so many pixels wide beside the label; 0: at the foot."""
    place: float = 0.5
    """Where the text stands: 0.0 left, 0.5 in the middle, 1.0 right."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """A page with a place for everything on it. No two things share a pixel."""

    size: tuple[int, int]
    page: str
    """The page's name: where it is another, no press of before counts."""
    items: tuple[Placed, ...]

    @property
    def targets(self) -> tuple[Target, ...]:
        """All that can be pressed."""
        return tuple(item.target for item in self.items if item.target is not None)


def hit(arranged: Arranged, x: int, y: int) -> Target | None:
    """Return the target at that pixel; None beside every one of them."""
    return next((item.target for item in arranged.items if item.target is not None and item.box.holds(x, y)), None)
