"""The parts of an arrangement: boxes with their content. Equal values look the same, so the painter redraws only new ones."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.layout import Box
from kiosk.face.page import Icon, Target, Tone


class What(StrEnum):
    """The kind of content, which determines how it is drawn."""

    TITLE = "title"
    TABLE = "table"
    """The table's number, in the corner of every page."""
    COUNTDOWN = "countdown"
    DOOR = "door"
    HELP = "help"
    PRACTICE = "practice"
    SIDE = "side"
    """A player's role, on that player's side."""
    BANNER = "banner"
    CODE = "code"
    """A QR code; ``texts`` are its rows."""
    LINES = "lines"
    ASIDE = "aside"
    NOTICE = "notice"
    ENTRY = "entry"
    WORD = "word"
    """Its number and its letters; a target if it can be chosen."""
    ROW = "row"
    KEY = "key"
    BY_SIDE = "by_side"
    ACTION = "action"
    ADJUDICATE = "adjudicate"
    FOOTER = "footer"


class Placed(Struct, frozen=True):
    """A part of the screen."""

    what: What
    box: Box
    texts: tuple[str, ...] = ()
    size: int = 0
    """The maximum text size in pixels; longer text is smaller, or in two lines."""
    tone: Tone = Tone.PLAIN
    icon: Icon | None = None
    target: Target | None = None
    chosen: bool = False
    hint: int = 0
    """The size in pixels of its shown keyboard key; 0: none is shown."""
    column: int = 0
    """The width of a column beside the label with the key under the icon; 0: the key is at the foot."""
    place: float = 0.5
    """The text's alignment: 0.0 left, 0.5 centre, 1.0 right."""


class Arranged(Struct, frozen=True):
    """A page with the places of everything on it. No two parts overlap."""

    size: tuple[int, int]
    page: str
    """The page's name; presses that began on a page of another name do not count."""
    items: tuple[Placed, ...]

    @property
    def without_key_labels(self) -> Arranged:
        """The same arrangement for a screen whose players use no keyboard."""
        return replace(self, items=tuple(replace(item, hint=0, column=0) if item.hint else item for item in self.items))

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(item.target for item in self.items if item.target is not None)
