"""What the pure station receives from outside, frozen: a table and its clock from the hall; files, rows of the log and results from the shell.

Neither the challenge nor the judge desk reads anything itself.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from records.entry import Entry, LexiconName
from rules.duration import NS
from rules.side import Side

LOOK_NS = 3 * NS // 2
"""How long the players wait for their clock before the station asks them."""
ANSWER_NS = 3 * NS
"""How long a clock may take to answer before the page says so."""


class NoFacts(StrEnum):
    """Why nothing is known of a table."""

    UNKNOWN = "unknown"
    """No clock says that it stands there, or it is not heard any more."""
    AMBIGUOUS = "ambiguous"


class ClockChallenge(Struct, frozen=True):
    """A challenge at a clock, as a verdict has to name it."""

    device: str
    epoch: str
    game: int
    challenge: int
    """The number of its event."""
    challenger: Side
    """On the clock."""


class TableFacts(Struct, frozen=True):
    """What a clock says of its table."""

    device: str
    running: bool
    challenge: ClockChallenge | None
    """The challenge that it adjudicates."""
    last_play: bool
    called: bool


HeardFacts: TypeAlias = TableFacts | NoFacts


class ClockAnswer(StrEnum):
    """What is known of a message to a clock."""

    WAITING = "waiting"
    TAKEN = "taken"
    REFUSED = "refused"
    UNSENT = "unsent"
    """The link is down."""
    SILENT = "silent"
    """No answer came in time; one may still come."""


class SentVerdict(Struct, frozen=True):
    """A verdict, a concession or a withdrawal on its way to the clock."""

    id: str
    to: ClockChallenge
    at: int
    answer: ClockAnswer = ClockAnswer.WAITING
    reason: str = ""
    """The clock's refusal, by its name on the wire."""


class LexiconFile(Struct, frozen=True):
    """A lexicon file in the station's folders."""

    id: str
    """Its path."""
    name: LexiconName | None
    """Its content; None: it cannot be read."""
    why: Phrase | None = None
    """Why it is unusable, with a remedy: the error's own sentence. Together with a name: a valid list, but not for this station (another alphabet)."""


class RulebookChoice(Struct, frozen=True):
    """A rulebook for the director to choose."""

    id: str
    title: str


class LogLine(Struct, frozen=True):
    """One row of the log, as text for a director."""

    row: int
    when: str
    entry: Entry


class LogPage(Struct, frozen=True):
    """Some rows of the log, newest first."""

    lines: tuple[LogLine, ...]
    before: int | None
    """As requested: these are the newest rows before this one; None: the newest of all."""
    older: bool


class SelfTestResult(Struct, frozen=True):
    """One result of the self-test."""

    what: Phrase
    """The finding, with a remedy if something is wrong."""
    fine: bool


class Facts(Struct, frozen=True):
    """Facts of the judge desk; None: not received."""

    lexicons: tuple[LexiconFile, ...] | None = None
    in_use: str | None = None
    """The path of the lexicon file in use, as in ``lexicons``."""
    rulebooks: tuple[RulebookChoice, ...] | None = None
    log: LogPage | None = None
    findings: tuple[SelfTestResult, ...] | None = None
    result: str | None = None
    """The result of the last request, in a sentence: done, refused and why, where the export is."""
    done: bool | None = None
    """The result says that the request was carried out, with nothing to repair."""

    def updated(self, news: Facts) -> Facts:
        return replace(self, **{name: value for name in self.__struct_fields__ if (value := getattr(news, name)) is not None})
