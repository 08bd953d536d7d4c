"""A page: everything on the screen at one moment, as frozen values. ``layout`` places it, ``screens`` draws it.

Each target carries the event that pressing it makes, so drawing and hit-testing need no knowledge of challenges.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import field

from appliance.texts import Texts
from kiosk.context import StationContext, Value
from kiosk.events import Event
from records.entry import LexiconName
from rules.side import BySide, Side


class Tone(StrEnum):
    """The meaning of a text or target, besides its words and icon; never shown by colour alone."""

    PLAIN = "plain"
    MAIN = "main"
    """The way on: usually the next target to press."""
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    QUIET = "quiet"
    OFF = "off"
    """It cannot be done now. It keeps its place, with the reason."""


class Icon(StrEnum):
    """Drawn symbols, independent of fonts."""

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
    LOCK = "lock"
    CLOCK = "clock"
    UP = "up"
    DOWN = "down"
    SPACE = "space"
    HELP = "help"


TOWARDS: Final = BySide(Icon.LEFT, Icon.RIGHT)


class Target(Value, frozen=True):
    id: str
    """Its name, the same on all pages for the same thing: ``tile.CH``, ``finish``, ``word.2``."""
    text: str
    event: Event
    icon: Icon | None = None
    tone: Tone = Tone.PLAIN
    key: str = ""
    """The keyboard key with the same function, if it is not obvious: F1. Shown if there is room."""
    on_down: bool = False
    """It acts on touch-down (letters and digits); others act on release over the same target."""
    contested: bool = False
    """One for each player: while fingers are on both, neither acts, because the order of their release is chance."""


class Banner(Value, frozen=True):
    """Text to be read from afar: the verdict, the call for the director. Colour, icon and text agree."""

    text: str
    icon: Icon
    tone: Tone


class WordLine(Value, frozen=True):
    number: int
    """From 1."""
    text: str
    chosen: bool = False
    choose: Target | None = None


class ListRow(Value, frozen=True):
    """A line of a list at the judge desk: a text, and the effect of pressing it."""

    text: str
    detail: str = ""
    target: Target | None = None


class Footer(Value, frozen=True):
    """Always visible: list, rulebook, station."""

    lexicon: str
    rulebook: str
    station: str


class Page(Value, frozen=True):
    name: str
    """The page's name, for tests and pictures: ``idle``, ``table.clock``, ``words`` ..."""
    title: str
    footer: Footer
    table: str | None = None
    """The table's number, on every page from the moment it is known, at the same place; None: it is not known."""
    lines: tuple[str, ...] = ()
    aside: str | None = None
    banner: Banner | None = None
    point: int | None = None
    """The place, in reading order of ``judge_desk.POINTS``, of the first action, which stands alone there: the touch is tested."""
    code: tuple[str, ...] = ()
    """The rows of a QR code for the director, of 0 and 1 each."""
    sides: BySide[str] | None = None
    """The role of the player on each side: challenger, challenged."""
    entry: str | None = None
    words: tuple[WordLine, ...] = ()
    keyboard: tuple[tuple[Target, ...], ...] = ()
    alphabet: tuple[str, ...] = ()
    """The order of the keys on a screen that is too narrow for the rows."""
    actions: tuple[Target, ...] = ()
    room_for: int = 0
    """Of how many actions the place is kept, so that the keys stay where the page before had them."""
    by_side: BySide[Target] | None = None
    """Two targets on the players' own sides: who challenges, who concedes."""
    adjudicate: tuple[Side, Target] | None = None
    rows: tuple[ListRow, ...] = ()
    notice: str | None = None
    success: bool = False
    """The notice reports a success, so it carries no warning sign."""
    practice: str | None = None
    """PRACTICE, across the whole screen: no verdict counts."""
    countdown_s: int | None = None
    """Seconds until the screen clears itself; shown for the last ten."""
    door: Target | None = None
    help: Target | None = None
    typed: bool = False
    """Characters of a real keyboard become ``Type``."""
    keys: Mapping[str, Event] = field(default_factory=lambda: MappingProxyType({}))
    """The functions of a real keyboard's named keys: tab, return, backspace, escape, up, down, left, right, delete, f1 to f12; on a list, 1 to 9."""


def footer(context: StationContext, texts: Texts) -> Footer:
    """Return the footer in the page's language; only the list and a name that the director chose are as they are."""
    return Footer(lexicon_line(context.lexicon, texts), texts.render(context.rulebook.title), texts.render(context.name))


def lexicon_line(lexicon: LexiconName | None, texts: Texts) -> str:
    """Return a list's name, edition, number of words and short hash in a line; a missing edition is left out."""
    if lexicon is None:
        return texts.say("footer.no_lexicon")
    words = texts.say("footer.words", count=thousands(lexicon.words, texts))
    return " · ".join(part for part in (lexicon.name, lexicon.edition, words, lexicon.short_hash) if part)


def practice(context: StationContext, texts: Texts) -> str | None:
    return texts.say("practice.across") if context.lexicon is not None and context.lexicon.practice else None


def thousands(number: int, texts: Texts) -> str:
    return f"{number:,}".replace(",", texts.say("number.thousands"))
