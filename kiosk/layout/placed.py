"""The parts of an arrangement: boxes with their content; the screen's options for its players, and its millimetres in pixels.

Equal values look the same, so the painter redraws only new ones.
"""

from __future__ import annotations

from enum import StrEnum
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.layout import Box
from kiosk.face.page import Icon, Target, Tone

MIN_MM: Final = 9.0
"""The minimum width and height of a target."""
APART_MM: Final = 1.0
"""The minimum distance of two targets."""
LYING_MM: Final = 154.08
"""The width of the official 7-inch panel in landscape."""
UPRIGHT_MM: Final = 85.92
"""The same panel's width in portrait."""
FLAT: Final = UPRIGHT_MM / LYING_MM
"""Height to width of the official 7-inch panel, and of most others. Its 800 x 480 pixels are slightly wider than high."""


class Options(Struct, frozen=True):
    """The director's choices for this station's screen."""

    large_text: bool = False
    left_handed: bool = False
    """The typing hand's keys (next, erase, the number pad) are on the left."""
    millimetres_wide: float | None = None
    """The panel's active width as mounted; None: that of the official 7-inch one, as it stands."""


class Scale(Struct, frozen=True):
    """Lengths of one screen in pixels."""

    width: int
    height: int
    across: float
    """Pixels in a millimetre, horizontally."""
    down: float
    """Pixels in a millimetre, vertically."""
    text: int
    """The size of a sentence for two standing readers."""
    plain_text: int
    """The same without large text, which minimum heights are made of: large text takes what room there is, and none from other content."""

    @property
    def lying(self) -> bool:
        """Whether it is at least as wide as high."""
        return self.width >= self.height

    @property
    def least_across(self) -> int:
        return ceil(MIN_MM * self.across)

    @property
    def least_down(self) -> int:
        return ceil(MIN_MM * self.down)

    @property
    def gap_across(self) -> int:
        return ceil(APART_MM * self.across)

    @property
    def gap_down(self) -> int:
        return ceil(APART_MM * self.down)

    def rows(self, count: int) -> int:
        """Return the height of ``count`` rows of minimum height."""
        return max(0, count * (self.least_down + self.gap_down) - self.gap_down)

    def columns(self, count: int) -> int:
        return max(0, count * (self.least_across + self.gap_across) - self.gap_across)

    def most_across(self, width: int) -> int:
        """Return how many targets of minimum width fit side by side in ``width`` pixels, at least one."""
        return max(1, (width + self.gap_across) // (self.least_across + self.gap_across))


def scale(size: tuple[int, int], options: Options) -> Scale:
    """Return the lengths of a screen of ``size`` pixels (width, height)."""
    width, height = size
    wide = options.millimetres_wide or (LYING_MM if width >= height else UPRIGHT_MM)
    high = wide * FLAT if width >= height else wide / FLAT
    text = min(width, height) / 20
    large = text * 1.25 if options.large_text else text
    return Scale(width, height, width / wide, height / high, round(large), round(text))


class What(StrEnum):
    """The kind of content, which determines how it is drawn."""

    TITLE = "title"
    TABLE = "table"
    COUNTDOWN = "countdown"
    DOOR = "door"
    HELP = "help"
    PRACTICE = "practice"
    SIDE = "side"
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
