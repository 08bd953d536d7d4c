"""All effects of the station, players' and director's: requests to the shell; and the consequence of a verdict, which goes to slip and clock with them.

Everything else (screen, lamps) follows from the state. The shell answers ``CheckPin`` and ``WriteVerdict`` before any other event; it answers all searches
and changes of the judge desk with ``JudgeDeskAnswer``. It also logs changes, refusals, exports and tests (CHANGED, REFUSED, EXPORTED, SELF_TEST), because only it
knows their results.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from kiosk.context import ClockChallenge, Value
from records.entry import Entry
from rules.rulebooks.model import ChallengeRule, RestartRule
from rules.side import Side
from rules.verdict import turn_and_points


class Role(StrEnum):
    CHALLENGER = "challenger"
    CHALLENGED = "challenged"


class Consequence(Value, frozen=True):
    acceptable: bool
    turn_lost_by: Role | None
    on_turn: Role | None
    """The player whose clock runs next; the other one starts it. None: the game is over, and no clock runs."""
    points: int
    """Below zero: taken from that player."""
    points_to: Role | None
    restart: RestartRule | None = None
    """The condition for starting that clock; None: the rulebook has none."""


def consequence(rule: ChallengeRule, count: int, *, acceptable: bool, last_play: bool = False) -> Consequence:
    """Return the consequence of the verdict on a play of ``count`` challenged words.

    An acceptable last play ends the game: there is no turn left to lose (2014 V.A, 2017 V.A, V.E, NZ 8.1.1).
    """
    follows = turn_and_points(rule, acceptable=acceptable, words=count, challenger=Role.CHALLENGER, challenged=Role.CHALLENGED)
    points_to = follows.points_of if follows.points else None
    if acceptable and last_play:
        return Consequence(True, None, None, follows.points, points_to)
    return Consequence(acceptable, follows.lost_turn, follows.turn, follows.points, points_to, rule.restart)


class Judge(Value, frozen=True):
    """Look up all words of ``entry``, log it with the verdict, then answer with ``Judged`` or ``CannotJudge``."""

    entry: Entry


class WriteEntry(Value, frozen=True):
    """Log a row for which no verdict waits."""

    entry: Entry


class Print(Value, frozen=True):
    """Print a challenge slip, if there is a printer."""

    entry: Entry
    row: int | None
    """The verdict's row in the log; None: it could not be written."""
    consequence: Consequence
    rulebook: str
    """The title of the rulebook applied; the director may have changed it since."""
    language: str


class Propose(Value, frozen=True):
    """Send what has become of a challenge to the clock that adjudicates it, then answer with ``VerdictSent``."""

    to: ClockChallenge
    do: str
    """``verdict``, ``conceded`` or ``withdrawn``."""
    acceptable: bool | None
    by: Side | None
    """Who concedes, on the clock."""
    count: int | None
    words: tuple[str, ...]
    """As typed, for the clock's face."""
    lexicon: str | None
    """The SHA-256 of the list."""
    row: int | None
    replaces: str | None
    """The id of the verdict that this one corrects."""


class CallAtClock(Value, frozen=True):
    """Show at the players' clock too that they call the director."""

    device: str


class CheckPin(Value, frozen=True):
    """Is this the PIN? Answered with ``PinChecked``."""

    pin: str

    def __repr__(self) -> str:
        return "CheckPin()"


class WriteVerdict(Value, frozen=True):
    """Log a word judge's verdict, which is not shown before: answered with ``VerdictWritten``."""

    entry: Entry


class LookForLexicons(Value, frozen=True):
    """List the lexicon files. Answered with ``JudgeDeskAnswer(Facts(in_use=...))`` at once, and then ``JudgeDeskAnswer(Facts(lexicons=...))``."""


class UseLexicon(Value, frozen=True):
    """Verify this file and use it: ``SetContext`` if it is valid, and in any case ``JudgeDeskAnswer(Facts(result=...))``."""

    path: str


class LookForRulebooks(Value, frozen=True):
    """List the rulebooks. Answered with ``JudgeDeskAnswer(Facts(rulebooks=...))``."""


class UseRulebook(Value, frozen=True):
    """Use this rulebook: ``SetContext``, and ``JudgeDeskAnswer(Facts(result=...))``."""

    id: str


class Rename(Value, frozen=True):
    """Give the station this name: ``SetContext``, and ``JudgeDeskAnswer(Facts(result=...))``."""

    name: str


class ReadLog(Value, frozen=True):
    """The newest ``rows`` rows before the row ``before`` (None: the newest of all): ``JudgeDeskAnswer(Facts(log=...))``."""

    before: int | None
    rows: int


class ExportLog(Value, frozen=True):
    """Write the log as CSV to the place in the settings: ``JudgeDeskAnswer(Facts(result=...))``."""


class TestYourself(Value, frozen=True):
    """Check everything the station needs: ``JudgeDeskAnswer(Facts(findings=...))``."""

    touches: tuple[bool, ...] = ()
    """Whether each point of the screen answered; empty: they were not touched."""


class SwitchOff(Value, frozen=True):
    """Switch the machine off: ``JudgeDeskAnswer(Facts(result=...))``; the system then ends the program normally."""


class Leave(Value, frozen=True):
    """End the program normally."""


Effect: TypeAlias = (
    Judge
    | WriteEntry
    | Print
    | Propose
    | CallAtClock
    | CheckPin
    | WriteVerdict
    | LookForLexicons
    | UseLexicon
    | LookForRulebooks
    | UseRulebook
    | Rename
    | ReadLog
    | ExportLog
    | TestYourself
    | SwitchOff
    | Leave
)
