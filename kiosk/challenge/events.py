"""All events of the flow. Touch, key and button make the same events.

An event that does not apply in the present step changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from game.challenge_log.entry import Way
from kiosk.challenge.context import StationContext, Trouble
from kiosk.challenge.table_facts import HeardFacts, SentVerdict
from rules.side import Side


@dataclass(frozen=True, slots=True)
class Begin:
    """A player starts at the idle station."""


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """The players choose a language, until the station is idle again."""

    language: str


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Yes, our clock is stopped (2017 IV.J.1.a)."""


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """No, it runs: back to idle, with the advice to stop it first."""


@dataclass(frozen=True, slots=True)
class Type:
    """Keyboard input, one character or (pasted) many: digits of a table number, letters of a word. White space ends a word."""

    text: str


@dataclass(frozen=True, slots=True)
class TypeTile:
    """One key of the screen's keyboard: a whole tile (CH), or a digit."""

    tile: str


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase the last digit or tile; in an empty word, go back to the previous word."""


@dataclass(frozen=True, slots=True)
class Next:
    """Go on: to the next question or word; after the last word, as ``Finish``."""


@dataclass(frozen=True, slots=True)
class ChooseChallenger:
    """Who challenges, as the players stand before the screen."""

    side: Side


@dataclass(frozen=True, slots=True)
class LastPlay:
    """Whether the challenged play was the last one of its game: if it stands, no clock starts."""

    was_last: bool


@dataclass(frozen=True, slots=True)
class RepeatIt:
    """Repeat this table's last challenge, because a word was mistyped."""


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """Start another challenge: the last one can no longer be repeated once this one has a result."""


@dataclass(frozen=True, slots=True)
class ShowVerdict:
    """Show this table's last verdict once more."""


@dataclass(frozen=True, slots=True)
class ChooseCount:
    """The number of words challenged, 1 to 8; it can change until adjudication."""

    count: int


@dataclass(frozen=True, slots=True)
class ChooseWord:
    """Edit the word with this index (from 0)."""

    index: int


@dataclass(frozen=True, slots=True)
class AddWord:
    """Add a word."""


@dataclass(frozen=True, slots=True)
class RemoveWord:
    """Remove the word with this index."""

    index: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The words are complete: show them to both players."""


@dataclass(frozen=True, slots=True)
class Back:
    """One step back; possible until adjudication."""


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """The challenged player's key (2014 IV.J, 2017 IV.J.1.h)."""

    way: Way


@dataclass(frozen=True, slots=True)
class Judged:
    """The shell's answer: one verdict for the play, and its row in the log."""

    acceptable: bool
    row: int


@dataclass(frozen=True, slots=True)
class VerdictNotLogged:
    """The shell's answer if the log cannot be written; the director's setting decides whether the verdict is shown."""

    acceptable: bool
    why: str


@dataclass(frozen=True, slots=True)
class CannotJudge:
    """The shell's answer if the lexicon cannot be trusted: nothing was judged."""

    trouble: Trouble


@dataclass(frozen=True, slots=True)
class ShowWaysOut:
    """Show the ways to end this challenge without a look-up; possible from the number of words until adjudication."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The challenger withdraws the challenge (2017 IV.I.3), if the rulebook allows it."""


@dataclass(frozen=True, slots=True)
class Concede:
    """A player, ``side``, concedes the challenge (2017 IV.I.3.5), if the rulebook allows it."""

    side: Side


@dataclass(frozen=True, slots=True)
class Mistyped:
    """A word was mistyped: repeat the challenge (2017 IV.J.1.i-j)."""


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """Check the same words again (2017 IV.J.1.n), here or by a word judge."""

    here: bool


@dataclass(frozen=True, slots=True)
class CallDirector:
    """The players call the director; their challenge stays as it stands, and ``Back`` goes on with it."""


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """Show the help for this page; ``Back`` returns to it."""


@dataclass(frozen=True, slots=True)
class Done:
    """The players have read the page."""


@dataclass(frozen=True, slots=True)
class SetContext:
    """The station's context changes: lexicon, rulebook, name, language or a trouble. Applied while no challenge is in progress."""

    context: StationContext


@dataclass(frozen=True, slots=True)
class ClockNotRunning:
    """The clock that the hall heard is not the players' own, or is wrong: the station asks them."""


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The hall can be reached, or no longer."""

    up: bool


@dataclass(frozen=True, slots=True)
class JoinAsked:
    """This station asks the hall to take it in, and the director compares the digits; or no longer: both are empty."""

    hall: str = ""
    digits: str = ""
    code: tuple[str, ...] = ()
    """The rows of the QR code to scan in place of the digits."""


@dataclass(frozen=True, slots=True)
class TableHeard:
    """What the clock of a table says now."""

    table: int
    facts: HeardFacts


@dataclass(frozen=True, slots=True)
class VerdictSent:
    """The shell's answer to ``Propose``."""

    sent: SentVerdict


@dataclass(frozen=True, slots=True)
class ClockAnswered:
    """A clock's answer to the message ``id``; ``reason`` is why it refused, None: it has taken it."""

    id: str
    reason: str | None


HallEvent: TypeAlias = LinkChanged | JoinAsked | TableHeard | VerdictSent | ClockAnswered
"""News of the hall, which are no touches."""

ChallengeEvent: TypeAlias = (
    HallEvent
    | ClockNotRunning
    | Begin
    | ChooseLanguage
    | ClockStopped
    | ClockRuns
    | Type
    | TypeTile
    | Erase
    | Next
    | ChooseChallenger
    | LastPlay
    | RepeatIt
    | NewChallenge
    | ShowVerdict
    | ChooseCount
    | ChooseWord
    | AddWord
    | RemoveWord
    | Finish
    | Back
    | Adjudicate
    | Judged
    | VerdictNotLogged
    | CannotJudge
    | ShowWaysOut
    | Withdraw
    | Concede
    | Mistyped
    | SecondOpinion
    | CallDirector
    | ShowHelp
    | Done
    | SetContext
)
