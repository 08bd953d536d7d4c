"""The state of two players' challenge, frozen, and its notices to them.

What they type exists only here. An idle flow keeps only the words that a repeat is compared with, and only while there may be one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from kiosk.context import ClockChallenge, JudgedBy, SentVerdict, StationContext, TableFacts, Value
from kiosk.events import Consequence, JoinAsked
from records.entry import Entry, Kind
from rules.side import Side

TypedWord: TypeAlias = tuple[str, ...]
"""A word as typed: its tiles and characters, in order."""


class Step(StrEnum):
    IDLE = "idle"
    TABLE = "table"
    WORDS = "words"
    CHECKING = "checking"
    JUDGING = "judging"
    """The shell looks the words up and answers before any other event."""
    VERDICT = "verdict"
    SHOWN_AGAIN = "shown_again"
    """A verdict once more, without its words and without what may follow a first one."""
    CLOSED = "closed"
    """Withdrawn or conceded: there is no verdict, only a consequence."""
    DIRECTOR = "director"


class Question(StrEnum):
    """The questions of the step TABLE, in order."""

    TABLE = "table"
    """Which table; and who challenges, if no clock can say so."""
    LOOKING = "looking"
    """The table's clock is asked, for a moment, before the players are."""
    RUNS = "runs"
    REPEAT = "repeat"
    """Is it about the last challenge? Asked only while this table's challenge may be repeated, which knows its challenger, or its verdict shown again."""
    CHALLENGER = "challenger"


class EarlierRow(Value, frozen=True):
    """How this look-up relates to an earlier one."""

    kind: Kind
    """REPEAT or SECOND_OPINION; OPINION_ASKED for a word judge."""
    first: int | None
    """The row of the first look-up; None: it could not be logged."""
    repeats: int
    """The number of repeats, including this one."""
    words: tuple[str, ...] = ()
    """Of a repeat: the words of the first look-up, from which it may differ by a slip. No page shows them."""


class Open(Value, frozen=True):
    """A challenge that may be repeated until an instant (ns), without its verdict."""

    table: int
    challenger: Side
    words: tuple[str, ...]
    """The words of the first look-up, as the log has them: no page shows them."""
    first: int | None
    repeats: int
    until: int
    last_play: bool | None
    by: JudgedBy | None
    """The rulebook and the list of the first try, which judge the repeat too; None: one of them is gone."""
    sent: SentVerdict | None = None


class LastVerdict(Value, frozen=True):
    """A verdict that may be shown once more until an instant (ns): for the play, and without its words."""

    table: int
    consequence: Consequence
    first: int | None
    """The row of the challenge's first look-up; None: it could not be logged."""
    until: int
    by: JudgedBy
    to: ClockChallenge | None = None
    """The challenge at the table's clock that it is the verdict on; None: not known."""


class Notice(Value, frozen=True):
    key: str
    values: tuple[tuple[str, str | int], ...] = ()


class Outcome(Value, frozen=True):
    """The result: a verdict, a withdrawal or a concession."""

    entry: Entry
    row: int | None
    """None: the log could not be written, which the director's setting permits."""
    consequence: Consequence | None
    """None: a withdrawn challenge has no consequence."""


class Flow(Value, frozen=True):
    """Instants in ns."""

    context: StationContext
    step: Step = Step.IDLE
    question: Question = Question.TABLE
    since: int = 0
    touched: int = 0
    language: str = "en"
    digits: str = ""
    challenger: Side | None = None
    last_play: bool | None = None
    """The challenged play was the last one of its game; None: not known."""
    count: int | None = None
    """The number of words: a repeat's from its first try, else once they are to be checked."""
    words: tuple[TypedWord, ...] = ()
    chosen: int = 0
    """The index of the word being typed."""
    leaving: bool = False
    """The screen shows the ways to end the challenge without a look-up, in place of the words or the check."""
    conceding: Side | None = None
    """Who wants to concede: in place of the ways out, the screen shows what that costs."""
    helping: bool = False
    calling: bool = False
    """The screen calls the director, and hides the challenge until somebody goes back to it."""
    still_there: bool = False
    """The screen asks whether anybody is still there, and hides the typed words until somebody touches it."""
    link: EarlierRow | None = None
    outcome: Outcome | None = None
    notice: Notice | None = None
    open: tuple[Open, ...] = ()
    """The challenges that may be repeated, at most one for each table."""
    verdicts: tuple[LastVerdict, ...] = ()
    """The verdicts that may be shown once more, at most one for each table."""
    again: LastVerdict | None = None
    linked: bool = False
    joins: JoinAsked = JoinAsked()
    asks_clock: bool = False
    """The table's clock is asked before the players are: there was a link as they began."""
    facts: TableFacts | None = None
    """What the table's clock says now; None: nothing is known of it."""
    from_clock: bool = False
    """The clock has told who challenges and whether it was the last play."""
    clock_challenge: ClockChallenge | None = None
    """The challenge that the table's clock adjudicated when the words were asked for: the verdict is for it, whatever the clock does meanwhile."""
    sent: SentVerdict | None = None

    @property
    def table(self) -> int | None:
        return int(self.digits) if self.digits else None

    @property
    def known_table(self) -> int | None:
        """The table's number once it is entered, not while it is typed."""
        return None if self.step is Step.TABLE and self.question is Question.TABLE else self.table

    @property
    def wanted_table(self) -> int | None:
        return self.known_table if self.asks_clock else None

    @property
    def station(self) -> StationContext:
        return self.context.judged_by(self.context.own or self.context.by)

    def judged_in(self, context: StationContext) -> Flow:
        """Return the flow with a challenge's own context; letters of other tiles are dropped."""
        words, chosen = (self.words, self.chosen) if context.spelling == self.context.spelling else ((), 0)
        return self.replace(context=context, words=words, chosen=chosen)

    @property
    def in_progress(self) -> bool:
        """Whether a challenge is in progress: the station's context does not change meanwhile."""
        return self.step is not Step.IDLE


def with_notice(flow: Flow, key: str, **values: str | int) -> Flow:
    return flow.replace(notice=notice(key, **values))


def notice(key: str, **values: str | int) -> Notice:
    return Notice(f"notice.{key}", tuple(values.items()))
