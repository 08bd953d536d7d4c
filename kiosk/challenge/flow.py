"""The state of the flow, frozen: where two players stand in their challenge. What they typed lives here and nowhere else; it is gone when the flow is idle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from kiosk.challenge.consequence import Consequence
from kiosk.challenge.context import StationContext
from kiosk.challenge.entry import Entry, Kind
from rules.side import Side

Word: TypeAlias = tuple[str, ...]
"""A word as it was typed: its tiles and characters, in order."""


class Step(StrEnum):
    """Where the flow stands."""

    IDLE = "idle"
    TABLE = "table"
    WORDS = "words"
    CHECKING = "checking"
    JUDGING = "judging"
    """The shell is looking the words up; it answers before anything else happens."""
    VERDICT = "verdict"
    CLOSED = "closed"
    """Withdrawn or conceded: there is no verdict; what follows from it stands there."""
    DIRECTOR = "director"
    """The director was called."""


class Asked(StrEnum):
    """What the station asks in the step TABLE, in this order."""

    CLOCK = "clock"
    """Is your clock stopped?"""
    TABLE = "table"
    REPEAT = "repeat"
    """Is it the last challenge once more, or another? Asked only where this table's repeat is open; a repeat knows its challenger."""
    CHALLENGER = "challenger"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Link:
    """What this look-up belongs to."""

    kind: Kind
    """REPEAT or SECOND_OPINION; OPINION_ASKED where a word judge was called."""
    first: int | None
    """The row of the first look-up; None where that could not be logged."""
    repeats: int
    """How many repeats there have been with this one."""


@dataclass(frozen=True, slots=True)
class Open:
    """A challenge that may be repeated. Nothing of its words or its verdict is in it."""

    table: int
    challenger: Side
    count: int
    first: int | None
    repeats: int
    """How many there have been."""
    until: int
    """The instant it closes, ns."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell the players: a key of the texts and what fills its braces."""

    key: str
    values: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: a verdict, a withdrawal or a concession."""

    entry: Entry
    row: int | None
    """None: the log could not be written, and the director allows that."""
    consequence: Consequence | None
    """None where nothing follows: a challenge withdrawn."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Where two players stand in their challenge. Instants in ns."""

    standing: StationContext
    step: Step = Step.IDLE
    asked: Asked = Asked.CLOCK
    since: int = 0
    """When the step began."""
    touched: int = 0
    """When somebody last did something."""
    language: str = "en"
    digits: str = ""
    """The table number as far as it is typed."""
    challenger: Side | None = None
    count: int | None = None
    """How many words are challenged, as declared; None until they are."""
    words: tuple[Word, ...] = ()
    chosen: int = 0
    """The index of the word that is being typed."""
    leaving: bool = False
    """The ways to end the challenge without a look-up were asked for: they stand where the number, the words or the check stood."""
    link: Link | None = None
    outcome: Outcome | None = None
    notice: Notice | None = None
    open: tuple[Open, ...] = ()
    """The challenges that may still be repeated, one a table at most."""

    @property
    def table(self) -> int | None:
        """The table's number, once one is typed."""
        return int(self.digits) if self.digits else None

    @property
    def in_progress(self) -> bool:
        """Whether players are at it: nothing at the station changes under them."""
        return self.step is not Step.IDLE

    def replace(self, **changes: Any) -> Flow:
        """Return the flow with some of its fields replaced."""
        return replace(self, **changes)
