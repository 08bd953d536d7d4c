"""All events of the station: players', director's, the window's; a target on the screen carries one of the first two.

Touch, key and button make the same events. One that does not apply in the present state changes nothing. At the judge desk, the players' events for typing and
choosing have the same meaning as in their flow.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from kiosk.context import Facts, HeardFacts, SentVerdict, StationContext, Trouble
from records.entry import Way
from rules.side import Side


class Event(Struct, frozen=True):
    """An event of the station."""


class ChallengeEvent(Event, frozen=True):
    """An event of the players' challenge; the others are of the director's door and the judge desk, or of the window."""


class Begin(ChallengeEvent, frozen=True):
    """A player starts at the idle station."""


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
    """Who challenges, as the players stand before the screen."""

    side: Side


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
    """Check the same words again (2017 IV.J.1.n), here or by a word judge."""

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


class PinChecked(Event, frozen=True):
    """The shell's answer to ``CheckPin``. It always answers; a PIN that cannot be checked counts as wrong."""

    right: bool


class JudgeDeskAnswer(Event, frozen=True):
    """The shell's answer to a request of the judge desk."""

    facts: Facts


class VerdictWritten(Event, frozen=True):
    """The shell's answer to ``WriteVerdict``."""

    row: int | None
    """The verdict's row in the log; None: it could not be written."""
    why: str = ""


class GoTo(Event, frozen=True):
    place: JudgeDeskPlace


class TurnPage(Event, frozen=True):
    """Go a page of a list forward (1) or back (-1)."""

    by: int


class Choose(Event, frozen=True):
    """Choose the lexicon file or the rulebook of this id from the list; the judge desk asks for confirmation."""

    id: str


class TakeWanted(Event, frozen=True):
    """Confirm the chosen lexicon or rulebook."""


class ExportNow(Event, frozen=True):
    """Export the log."""


class SelfTestAgain(Event, frozen=True):
    """Run the self-test again."""


class TestTouch(Event, frozen=True):
    """Begin the self-test with the touch at five points."""


class PointDone(Event, frozen=True):
    """The point that is shown was touched, or does not answer."""

    answers: bool


class QuitNow(Event, frozen=True):
    """Confirm the end of the program."""


class SwitchOffNow(Event, frozen=True):
    """Switch the machine off."""


class NewSlip(Event, frozen=True):
    """A word judge starts with an empty slip."""


class TakeOpinion(Event, frozen=True):
    """A word judge starts with the second opinion requested by this table's players."""

    table: int


class NoSide(Event, frozen=True):
    """The slip does not say on which side the challenger is."""


class GiveVerdict(Event, frozen=True):
    """The word judge's one verdict for the play, after consulting the book (2017 IV.K.2.c, NZ 6.15.2)."""

    acceptable: bool


class AskReview(Event, frozen=True):
    """A player requests a review of the ruling: by another judge (2017 IV.K.4), or the referee (NZ 6.15.3)."""


class Settle(Event, frozen=True):
    """Tell the players the valid ruling; if two judges differ, also: there is no third judge."""


class CloseAsked(Event, frozen=True):
    """The window is to be closed in the middle of a challenge. The page asks for a second time, which closes it."""
