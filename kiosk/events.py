"""What goes into the pure station and what comes out: the events (players', director's, the window's), the effects, which are requests to the shell, and a verdict's consequence.

A target on the screen carries an event of the players or the director. Touch, key and button make the same events. One that does not apply in the present state
changes nothing. At the judge desk, the players' events for typing and choosing have the same meaning as in their flow.

Everything besides the effects (screen, lamps) follows from the state. The shell answers ``Judge`` and ``WriteVerdict`` before any other event and any picture; it answers all
searches and changes of the judge desk with ``JudgeDeskAnswer``. It also logs changes, refusals, exports and tests (CHANGED, REFUSED, EXPORTED, SELF_TEST), because
only it knows their results.
"""

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from kiosk.context import ClockChallenge, Facts, HeardFacts, LexiconFile, RulebookChoice, SentVerdict, StationContext, Trouble, Value
from records.entry import Entry, Way
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


class WriteVerdict(Value, frozen=True):
    """Log a word judge's verdict, which is not shown before: answered with ``VerdictWritten``."""

    entry: Entry


class LookForLexicons(Value, frozen=True):
    """List the lexicon files. Answered with ``JudgeDeskAnswer(Facts(in_use=...))`` at once, and then ``JudgeDeskAnswer(Facts(lexicons=...))``."""


class Use(Value, frozen=True):
    """Use this lexicon file, which is verified again, or this rulebook: ``SetContext`` if it is valid, and in any case ``JudgeDeskAnswer(Facts(result=...))``."""

    choice: LexiconFile | RulebookChoice


class LookForRulebooks(Value, frozen=True):
    """List the rulebooks. Answered with ``JudgeDeskAnswer(Facts(rulebooks=...))``."""


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
    | WriteVerdict
    | LookForLexicons
    | Use
    | LookForRulebooks
    | Rename
    | ReadLog
    | ExportLog
    | TestYourself
    | SwitchOff
    | Leave
)


class Event(Struct, frozen=True):
    """An event of the station."""


class ChallengeEvent(Event, frozen=True):
    """An event of the players' challenge; the others are of the director's door and the judge desk, or of the window."""


class Begin(ChallengeEvent, frozen=True):
    """A player starts at the idle station; at the judge desk, the touch test or an empty slip."""


class ChooseLanguage(ChallengeEvent, frozen=True):
    """The players choose a language, until the station is idle again."""

    language: str


class Type(ChallengeEvent, frozen=True):
    """Keyboard input, one character or (pasted) many: digits of a table number, letters of a word. White space ends a word."""

    text: str


class TypeTile(ChallengeEvent, frozen=True):
    """One key of the screen's keyboard: a whole tile (CH), or a digit."""

    tile: str


class Erase(ChallengeEvent, frozen=True):
    """Erase the last digit or tile; in an empty word, go back to the previous word."""


class Next(ChallengeEvent, frozen=True):
    """Go on: to the next question, or to another word; after an empty word or the last, as ``Finish``."""


class ChooseChallenger(ChallengeEvent, frozen=True):
    """Who challenges, as the players stand before the screen; None: a slip at the judge desk does not say it."""

    side: Side | None


class LastPlay(ChallengeEvent, frozen=True):
    """Whether the play with an acceptable verdict was the last one of its game: no clock starts then."""

    was_last: bool


class RepeatIt(ChallengeEvent, frozen=True):
    """Repeat this table's last challenge, because a word was mistyped (2017 IV.J.1.i-j)."""


class NewChallenge(ChallengeEvent, frozen=True):
    """Start another challenge: the last one can no longer be repeated once this one has a result."""


class ShowVerdict(ChallengeEvent, frozen=True):
    """Show this table's last verdict once more."""


class ChooseWord(ChallengeEvent, frozen=True):
    """Edit the word with this index (from 0)."""

    index: int


class AddWord(ChallengeEvent, frozen=True):
    """Begin another word, unless the present one is empty."""


class RemoveWord(ChallengeEvent, frozen=True):
    index: int


class Finish(ChallengeEvent, frozen=True):
    """The words are complete: show them to both players."""


class Back(ChallengeEvent, frozen=True):
    """One step back; possible until adjudication."""


class Adjudicate(ChallengeEvent, frozen=True):
    """The challenged player's key (2014 IV.J, 2017 IV.J.1.h)."""

    way: Way


class Judged(ChallengeEvent, frozen=True):
    """The shell's answer: one verdict for the play, and its row in the log."""

    acceptable: bool
    row: int | None
    """None: the log cannot be written; the director's setting decides whether the verdict is shown."""


class CannotJudge(ChallengeEvent, frozen=True):
    """The shell's answer if the lexicon cannot be trusted: nothing was judged."""

    trouble: Trouble


class ShowWaysOut(ChallengeEvent, frozen=True):
    """Show the ways to end this challenge without a look-up; possible from the number of words until adjudication."""


class Withdraw(ChallengeEvent, frozen=True):
    """The challenger withdraws the challenge (2017 IV.I.3), if the rulebook allows it."""


class AskToConcede(ChallengeEvent, frozen=True):
    """A player, ``side``, wants to concede: show what that costs first."""

    side: Side


class Concede(ChallengeEvent, frozen=True):
    """A player, ``side``, concedes the challenge (2017 IV.I.3.5), if the rulebook allows it."""

    side: Side


class SecondOpinion(ChallengeEvent, frozen=True):
    """Check the same words again (2017 IV.J.1.n), here or by a word judge; a ruling by another judge (2017 IV.K.4), or the referee (NZ 6.15.3)."""

    here: bool


class CallDirector(ChallengeEvent, frozen=True):
    """The players call the director; their challenge stays as it stands, and ``Back`` goes on with it."""


class ShowHelp(ChallengeEvent, frozen=True):
    """Show the help for this page; ``Back`` returns to it."""


class NoFunction(ChallengeEvent, frozen=True):
    """A key of a real keyboard that does nothing on this page: the page says so, at the director's door and desk too."""

    key: str
    """Its name in the page's language."""
    behind: bool = False
    """It has a function on the page that the help hides."""


class Done(ChallengeEvent, frozen=True):
    """The players have read the page."""


class SetContext(ChallengeEvent, frozen=True):
    """The station's context changes: lexicon, rulebook, name, language or a trouble. Applied while no challenge is in progress."""

    context: StationContext


class ClockNotRunning(ChallengeEvent, frozen=True):
    """The clock that the hall heard is not the players' own, or is wrong: the station asks them."""


class LinkChanged(ChallengeEvent, frozen=True):
    up: bool


class JoinAsked(ChallengeEvent, frozen=True):
    """This station asks the hall to take it in, and the director compares the digits; or no longer: both are empty."""

    hall: str = ""
    digits: str = ""
    code: tuple[str, ...] = ()
    """The rows of the QR code to scan in place of the digits."""


class TableHeard(ChallengeEvent, frozen=True):
    table: int
    facts: HeardFacts


class VerdictSent(ChallengeEvent, frozen=True):
    """The shell's answer to ``Propose``."""

    sent: SentVerdict


class ClockAnswered(ChallengeEvent, frozen=True):
    """A clock's answer to the message ``id``; ``reason`` is why it refused, None: it has taken it."""

    id: str
    reason: str | None


HallEvent: TypeAlias = LinkChanged | JoinAsked | TableHeard | VerdictSent | ClockAnswered


class JudgeDeskPlace(StrEnum):
    MENU = "menu"
    LEXICONS = "lexicons"
    RULEBOOKS = "rulebooks"
    NAME = "name"
    LOG = "log"
    EXPORT = "export"
    SELF_TEST = "self_test"
    JUDGE = "judge"
    QUIT = "quit"


class KnockAtDoor(Event, frozen=True):
    """A touch on the lock in the corner: ask for the PIN."""


class LeaveJudgeDesk(Event, frozen=True):
    """Close the door and return to the players' screen."""


class KeyTurned(Event, frozen=True):
    """The key switch was turned; also sent at startup if it is on."""

    on: bool


class JudgeDeskAnswer(Event, frozen=True):
    """The shell's answer to a request of the judge desk."""

    facts: Facts


class VerdictWritten(Event, frozen=True):
    """The shell's answer to ``WriteVerdict``: the row in the log, None: it could not be written."""

    row: int | None
    why: str = ""


class GoTo(Event, frozen=True):
    place: JudgeDeskPlace


class TurnPage(Event, frozen=True):
    """Go a page of a list forward (1) or back (-1)."""

    by: int


class Choose(Event, frozen=True):
    """Choose from a list: a lexicon file or a rulebook by its id, which the judge desk asks to confirm; a play that waits for a word judge by its table."""

    id: str


class Confirm(Event, frozen=True):
    """Do what the place of the desk is for: use what was chosen, export, test again, end the program; tell the players the valid ruling."""


class PointDone(Event, frozen=True):
    """The point that is shown was touched, or does not answer."""

    answers: bool


class SwitchOffNow(Event, frozen=True):
    """Switch the machine off."""


class GiveVerdict(Event, frozen=True):
    """The word judge's one verdict for the play, after consulting the book (2017 IV.K.2.c, NZ 6.15.2)."""

    acceptable: bool


class CloseAsked(Event, frozen=True):
    """The window is to be closed in the middle of a challenge. The page asks for a second time, which closes it."""
