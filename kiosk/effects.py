"""All effects of the station, players' and director's: requests to the shell; and the consequence of a verdict, which goes to slip and clock with them.

Everything else (screen, lamps) follows from the state. The shell answers ``CheckPin`` and ``WriteVerdict`` before any other event; it answers all searches
and changes of the judge desk with ``JudgeDeskAnswer``. It also logs changes, refusals, exports and tests (CHANGED, REFUSED, EXPORTED, SELF_TEST), because only it
knows their results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from game.challenge_log.entry import Entry
from kiosk.facts import ClockChallenge
from rules.rulebooks.model import ChallengeRule, RestartRule
from rules.side import Side


class Role(StrEnum):
    """A player's role in a challenge."""

    CHALLENGER = "challenger"
    CHALLENGED = "challenged"


@dataclass(frozen=True, slots=True)
class Consequence:
    """What happens at the table after the verdict."""

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
    """Return the consequence of the verdict on a play of ``count`` challenged words (2017 IV.J, VI.B; NZ 6.16, 6.17).

    An acceptable last play ends the game: there is no turn left to lose (2014 V.A, 2017 V.A, V.E, NZ 8.1.1).
    """
    if not acceptable:
        # The play is removed and scores nothing; its player has used the turn.
        return Consequence(False, Role.CHALLENGED, Role.CHALLENGER, points=0, points_to=None, restart=rule.restart)
    loser, on_turn = (Role.CHALLENGER, Role.CHALLENGED) if rule.acceptable_loses_turn else (None, Role.CHALLENGER)
    points = rule.points_a_word * count + rule.points_a_challenge
    to = Role.CHALLENGED if rule.points_are == "given" else Role.CHALLENGER
    paid = points if rule.points_are == "given" else -points
    points_to = to if points else None
    if last_play:
        return Consequence(True, None, None, paid, points_to)
    return Consequence(True, loser, on_turn, paid, points_to, restart=rule.restart)


@dataclass(frozen=True, slots=True)
class Judge:
    """Look up all words of ``entry``, log it with the verdict, then answer with ``Judged``, ``NotLogged`` or ``CannotJudge``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """Log a row for which no verdict waits."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Print:
    """Print a challenge slip, if there is a printer."""

    entry: Entry
    row: int | None
    """The verdict's row in the log; None: it could not be written."""
    consequence: Consequence
    rulebook: str
    """The title of the rulebook applied; the director may have changed it since."""
    language: str


@dataclass(frozen=True, slots=True)
class Propose:
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
    """Of the log."""
    replaces: str | None
    """The id of the verdict that this one corrects."""


@dataclass(frozen=True, slots=True)
class CallAtClock:
    """Show at the players' clock too that they call the director."""

    device: str


ChallengeEffect: TypeAlias = Judge | WriteEntry | Print | Propose | CallAtClock


@dataclass(frozen=True, slots=True)
class CheckPin:
    """Is this the PIN? Answered with ``PinChecked``."""

    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class WriteVerdict:
    """Log a word judge's verdict, which is not shown before: answered with ``VerdictWritten`` or ``VerdictNotWritten``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class LookForLexicons:
    """List the lexicon files. Answered with ``DeskAnswer(Facts(in_use=...))`` at once, and then ``DeskAnswer(Facts(lexicons=...))``."""


@dataclass(frozen=True, slots=True)
class UseLexicon:
    """Verify this file and use it: ``SetContext`` if it is valid, and in any case ``DeskAnswer(Facts(result=...))``."""

    path: str


@dataclass(frozen=True, slots=True)
class LookForRulebooks:
    """List the rulebooks. Answered with ``DeskAnswer(Facts(rulebooks=...))``."""


@dataclass(frozen=True, slots=True)
class UseRulebook:
    """Use this rulebook: ``SetContext``, and ``DeskAnswer(Facts(result=...))``."""

    id: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the station this name: ``SetContext``, and ``DeskAnswer(Facts(result=...))``."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadLog:
    """The newest ``rows`` rows before the row ``before`` (None: the newest of all): ``DeskAnswer(Facts(log=...))``."""

    before: int | None
    rows: int


@dataclass(frozen=True, slots=True)
class ExportLog:
    """Write the log as CSV to the place in the settings: ``DeskAnswer(Facts(result=...))``."""


@dataclass(frozen=True, slots=True)
class TestYourself:
    """Check everything the station needs: ``DeskAnswer(Facts(findings=...))``."""


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Switch the machine off: ``DeskAnswer(Facts(result=...))``; the system then ends the program normally."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program normally."""


DirectorEffect: TypeAlias = (
    CheckPin
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
    | WriteEntry
    | Print
)


Effect: TypeAlias = ChallengeEffect | DirectorEffect
