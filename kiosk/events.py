"""All events of the station: players', director's, the window's; a target on the screen carries one of the first two.

Touch, key and button make the same events. One that does not apply in the present state changes nothing. At the judge desk, the players' events for typing and
choosing have the same meaning as in their flow.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from faults.errors import Phrase
from game.challenge_log.entry import Way
from kiosk.context import StationContext, Trouble
from kiosk.facts import Facts, HeardFacts, SentVerdict
from rules.side import Side


class ChallengeEvent:
    """An event of the players' challenge."""

    __slots__ = ()


class DirectorEvent:
    """An event at the director's door, or at the judge desk behind it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Begin(ChallengeEvent):
    """A player starts at the idle station."""


@dataclass(frozen=True, slots=True)
class ChooseLanguage(ChallengeEvent):
    """The players choose a language, until the station is idle again."""

    language: str


@dataclass(frozen=True, slots=True)
class Type(ChallengeEvent):
    """Keyboard input, one character or (pasted) many: digits of a table number, letters of a word. White space ends a word."""

    text: str


@dataclass(frozen=True, slots=True)
class TypeTile(ChallengeEvent):
    """One key of the screen's keyboard: a whole tile (CH), or a digit."""

    tile: str


@dataclass(frozen=True, slots=True)
class Erase(ChallengeEvent):
    """Erase the last digit or tile; in an empty word, go back to the previous word."""


@dataclass(frozen=True, slots=True)
class Next(ChallengeEvent):
    """Go on: to the next question or word; after the last word, as ``Finish``."""


@dataclass(frozen=True, slots=True)
class ChooseChallenger(ChallengeEvent):
    """Who challenges, as the players stand before the screen."""

    side: Side


@dataclass(frozen=True, slots=True)
class LastPlay(ChallengeEvent):
    """Whether the play with an acceptable verdict was the last one of its game: no clock starts then."""

    was_last: bool


@dataclass(frozen=True, slots=True)
class RepeatIt(ChallengeEvent):
    """Repeat this table's last challenge, because a word was mistyped."""


@dataclass(frozen=True, slots=True)
class NewChallenge(ChallengeEvent):
    """Start another challenge: the last one can no longer be repeated once this one has a result."""


@dataclass(frozen=True, slots=True)
class ShowVerdict(ChallengeEvent):
    """Show this table's last verdict once more."""


@dataclass(frozen=True, slots=True)
class ChooseWord(ChallengeEvent):
    """Edit the word with this index (from 0)."""

    index: int


@dataclass(frozen=True, slots=True)
class AddWord(ChallengeEvent):
    """Add a word."""


@dataclass(frozen=True, slots=True)
class RemoveWord(ChallengeEvent):
    """Remove the word with this index."""

    index: int


@dataclass(frozen=True, slots=True)
class Finish(ChallengeEvent):
    """The words are complete: show them to both players."""


@dataclass(frozen=True, slots=True)
class Back(ChallengeEvent):
    """One step back; possible until adjudication."""


@dataclass(frozen=True, slots=True)
class Adjudicate(ChallengeEvent):
    """The challenged player's key (2014 IV.J, 2017 IV.J.1.h)."""

    way: Way


@dataclass(frozen=True, slots=True)
class Judged(ChallengeEvent):
    """The shell's answer: one verdict for the play, and its row in the log."""

    acceptable: bool
    row: int


@dataclass(frozen=True, slots=True)
class VerdictNotLogged(ChallengeEvent):
    """The shell's answer if the log cannot be written; the director's setting decides whether the verdict is shown."""

    acceptable: bool
    why: str


@dataclass(frozen=True, slots=True)
class CannotJudge(ChallengeEvent):
    """The shell's answer if the lexicon cannot be trusted: nothing was judged."""

    trouble: Trouble


@dataclass(frozen=True, slots=True)
class ShowWaysOut(ChallengeEvent):
    """Show the ways to end this challenge without a look-up; possible from the number of words until adjudication."""


@dataclass(frozen=True, slots=True)
class Withdraw(ChallengeEvent):
    """The challenger withdraws the challenge (2017 IV.I.3), if the rulebook allows it."""


@dataclass(frozen=True, slots=True)
class Concede(ChallengeEvent):
    """A player, ``side``, concedes the challenge (2017 IV.I.3.5), if the rulebook allows it."""

    side: Side


@dataclass(frozen=True, slots=True)
class Mistyped(ChallengeEvent):
    """A word was mistyped: repeat the challenge (2017 IV.J.1.i-j)."""


@dataclass(frozen=True, slots=True)
class SecondOpinion(ChallengeEvent):
    """Check the same words again (2017 IV.J.1.n), here or by a word judge."""

    here: bool


@dataclass(frozen=True, slots=True)
class CallDirector(ChallengeEvent):
    """The players call the director; their challenge stays as it stands, and ``Back`` goes on with it."""


@dataclass(frozen=True, slots=True)
class ShowHelp(ChallengeEvent):
    """Show the help for this page; ``Back`` returns to it."""


@dataclass(frozen=True, slots=True)
class Done(ChallengeEvent):
    """The players have read the page."""


@dataclass(frozen=True, slots=True)
class SetContext(ChallengeEvent):
    """The station's context changes: lexicon, rulebook, name, language or a trouble. Applied while no challenge is in progress."""

    context: StationContext


@dataclass(frozen=True, slots=True)
class ClockNotRunning(ChallengeEvent):
    """The clock that the hall heard is not the players' own, or is wrong: the station asks them."""


@dataclass(frozen=True, slots=True)
class LinkChanged(ChallengeEvent):
    """The hall can be reached, or no longer."""

    up: bool


@dataclass(frozen=True, slots=True)
class JoinAsked(ChallengeEvent):
    """This station asks the hall to take it in, and the director compares the digits; or no longer: both are empty."""

    hall: str = ""
    digits: str = ""
    code: tuple[str, ...] = ()
    """The rows of the QR code to scan in place of the digits."""


@dataclass(frozen=True, slots=True)
class TableHeard(ChallengeEvent):
    """What the clock of a table says now."""

    table: int
    facts: HeardFacts


@dataclass(frozen=True, slots=True)
class VerdictSent(ChallengeEvent):
    """The shell's answer to ``Propose``."""

    sent: SentVerdict


@dataclass(frozen=True, slots=True)
class ClockAnswered(ChallengeEvent):
    """A clock's answer to the message ``id``; ``reason`` is why it refused, None: it has taken it."""

    id: str
    reason: str | None


HallEvent: TypeAlias = LinkChanged | JoinAsked | TableHeard | VerdictSent | ClockAnswered
"""News of the hall, which are no touches."""


class JudgeDeskPlace(StrEnum):
    """The places at the judge desk."""

    MENU = "menu"
    LEXICONS = "lexicons"
    RULEBOOKS = "rulebooks"
    NAME = "name"
    LOG = "log"
    EXPORT = "export"
    SELF_TEST = "self_test"
    JUDGE = "judge"
    """A word judge adjudicates by hand."""
    QUIT = "quit"
    """Asks for confirmation before the program ends or the machine is switched off."""


@dataclass(frozen=True, slots=True)
class KnockAtDoor(DirectorEvent):
    """A touch on the lock in the corner: ask for the PIN."""


@dataclass(frozen=True, slots=True)
class LeaveJudgeDesk(DirectorEvent):
    """Close the door and return to the players' screen."""


@dataclass(frozen=True, slots=True)
class KeyTurned(DirectorEvent):
    """The key switch was turned; also sent at startup if it is on."""

    on: bool


@dataclass(frozen=True, slots=True)
class PinChecked(DirectorEvent):
    """The shell's answer to ``CheckPin``. It always answers; a PIN that cannot be checked counts as wrong."""

    right: bool


@dataclass(frozen=True, slots=True)
class JudgeDeskAnswer(DirectorEvent):
    """The shell's answer to a request of the judge desk."""

    facts: Facts


@dataclass(frozen=True, slots=True)
class VerdictWritten(DirectorEvent):
    """The shell's answer to ``WriteVerdict``: the verdict is in the log, in this row."""

    row: int


@dataclass(frozen=True, slots=True)
class VerdictNotWritten(DirectorEvent):
    """The shell's answer to ``WriteVerdict``: the log could not be written."""

    why: Phrase


@dataclass(frozen=True, slots=True)
class GoTo(DirectorEvent):
    """Go to one of the judge desk's places."""

    place: JudgeDeskPlace


@dataclass(frozen=True, slots=True)
class TurnPage(DirectorEvent):
    """Go a page of a list forward (1) or back (-1)."""

    by: int


@dataclass(frozen=True, slots=True)
class ChooseLexicon(DirectorEvent):
    """Choose the lexicon file of this path; the judge desk asks for confirmation."""

    path: str


@dataclass(frozen=True, slots=True)
class ChooseRulebook(DirectorEvent):
    """Choose the rulebook of this id; the judge desk asks for confirmation."""

    id: str


@dataclass(frozen=True, slots=True)
class TakeWanted(DirectorEvent):
    """Confirm the chosen lexicon or rulebook."""


@dataclass(frozen=True, slots=True)
class ExportNow(DirectorEvent):
    """Export the log."""


@dataclass(frozen=True, slots=True)
class SelfTestAgain(DirectorEvent):
    """Run the self-test again."""


@dataclass(frozen=True, slots=True)
class QuitNow(DirectorEvent):
    """Confirm the end of the program."""


@dataclass(frozen=True, slots=True)
class SwitchOffNow(DirectorEvent):
    """Switch the machine off."""


@dataclass(frozen=True, slots=True)
class NewSlip(DirectorEvent):
    """A word judge starts with an empty slip."""


@dataclass(frozen=True, slots=True)
class TakeOpinion(DirectorEvent):
    """A word judge starts with the second opinion requested by this table's players."""

    table: int


@dataclass(frozen=True, slots=True)
class NoSide(DirectorEvent):
    """The slip does not say on which side the challenger is."""


@dataclass(frozen=True, slots=True)
class GiveVerdict(DirectorEvent):
    """The word judge's one verdict for the play, after consulting the book (2017 IV.K.2.c, NZ 6.15.2)."""

    acceptable: bool


@dataclass(frozen=True, slots=True)
class AskReview(DirectorEvent):
    """A player requests a review of the ruling: by another judge (2017 IV.K.4), or the referee (NZ 6.15.3)."""


@dataclass(frozen=True, slots=True)
class Settle(DirectorEvent):
    """Tell the players the valid ruling; if two judges differ, also: there is no third judge."""


@dataclass(frozen=True, slots=True)
class CloseAsked:
    """The window is to be closed in the middle of a challenge. The page asks for a second time, which closes it."""


Event: TypeAlias = ChallengeEvent | DirectorEvent | CloseAsked
