"""A page: everything that stands on the screen at one moment, as frozen values. ``layout`` gives it rectangles, ``screens`` draws it.

Each thing that can be pressed carries the event that pressing it makes: whoever draws or hits a page needs to know nothing of challenges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from kiosk.events import Event
from rules.side import BySide, Side


class Tone(StrEnum):
    """What a text or a target means, beside its words and its icon; never told by colour alone."""

    PLAIN = "plain"
    MAIN = "main"
    """The way on: the one target that most people press next."""
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    QUIET = "quiet"


class Icon(StrEnum):
    """Drawn shapes; no font is asked for them."""

    TICK = "tick"
    CROSS = "cross"
    WARNING = "warning"
    LEFT = "left"
    RIGHT = "right"
    BACK = "back"
    ERASE = "erase"
    PLUS = "plus"
    MINUS = "minus"
    REPEAT = "repeat"
    PERSON = "person"
    """The director."""
    LOCK = "lock"
    CLOCK = "clock"
    UP = "up"
    DOWN = "down"
    SPACE = "space"


@dataclass(frozen=True, slots=True)
class Target:
    """Something to press."""

    id: str
    """Its name, the same from page to page as long as it is the same thing: ``tile.CH``, ``finish``, ``word.2``."""
    text: str
    event: Event
    icon: Icon | None = None
    tone: Tone = Tone.PLAIN
    key: str = ""
    """The key of a real keyboard that does the same, where nobody would guess it: F1. Told where there is room for it."""
    on_down: bool = False
    """It acts when the finger comes down (letters and digits); all else acts when it is lifted on the same target."""
    contested: bool = False
    """One for each player: while fingers are on both, neither acts, for which of them is lifted first is chance."""


@dataclass(frozen=True, slots=True)
class Banner:
    """What is read from afar: the verdict, the call for the director. Colour, icon and text say the same."""

    text: str
    icon: Icon
    tone: Tone


@dataclass(frozen=True, slots=True)
class WordLine:
    """One of the play's words."""

    number: int
    """From 1."""
    text: str
    chosen: bool = False
    """It is the one that is being typed."""
    choose: Target | None = None
    remove: Target | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list at the director's desk: a text, and what pressing it does."""

    text: str
    detail: str = ""
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Footer:
    """What is always in sight: which list, which rules, which station."""

    lexicon: str
    """Name, edition, words and short hash; or that there is none."""
    rulebook: str
    station: str


@dataclass(frozen=True, slots=True)
class Page:
    """What stands on the screen."""

    name: str
    """Which page it is, for tests and pictures: ``idle``, ``table.clock``, ``words`` ..."""
    title: str
    footer: Footer
    lines: tuple[str, ...] = ()
    """What to do, in a sentence or two; or what follows from the verdict."""
    aside: str | None = None
    """What is read after the lines, and set smaller."""
    banner: Banner | None = None
    sides: BySide[str] | None = None
    """What the player on either side is: challenger, challenged."""
    entry: str | None = None
    """What is being typed large, as a table number."""
    words: tuple[WordLine, ...] = ()
    keyboard: tuple[tuple[Target, ...], ...] = ()
    """Rows of keys: letters, or a pad of digits."""
    actions: tuple[Target, ...] = ()
    by_side: BySide[Target] | None = None
    """Two targets that stand on the players' own sides: who challenges, who concedes."""
    adjudicate: tuple[Side, Target] | None = None
    """The adjudication key, on the challenged player's side."""
    rows: tuple[Row, ...] = ()
    notice: str | None = None
    practice: str | None = None
    """PRACTICE, across the whole screen: no verdict counts."""
    countdown_s: int | None = None
    """The screen clears itself in so many seconds; told in the last ten."""
    door: Target | None = None
    """The director's door, in a corner."""
    typed: bool = False
    """Characters of a real keyboard are taken as ``Type``."""
    keys: Mapping[str, Event] = field(default_factory=lambda: MappingProxyType({}))
    """What the named keys of a real keyboard do here: tab, return, backspace, escape, up, down, left, right, delete, f1 to f12; on a list, 1 to 9."""
