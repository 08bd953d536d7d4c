"""Everything that can happen to the flow. Events, not clicks: a touch, a key, a button or, later, the table clock's link all make the same ones.

An event that makes no sense where the flow stands changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.challenge.context import StationContext, Trouble
from kiosk.challenge.entry import Way
from rules.side import Side


@dataclass(frozen=True, slots=True)
class Begin:
    """Somebody comes to the idle station."""


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """The players want another of the station's languages, until it is idle again."""

    language: str


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Yes, our clock is stopped (2017 IV.J.1.a)."""


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """No, it is not: back to idle, with the advice to stop it first."""


@dataclass(frozen=True, slots=True)
class Type:
    """Characters from a keyboard, one or (pasted) many: digits of a table number, letters of a word. White space ends a word."""

    text: str


@dataclass(frozen=True, slots=True)
class TypeTile:
    """One key of the screen's keyboard: a whole tile (CH), or a digit."""

    tile: str


@dataclass(frozen=True, slots=True)
class Erase:
    """The last digit or tile goes; in an empty word, the word before it comes back."""


@dataclass(frozen=True, slots=True)
class Next:
    """On: the table number is complete; the word is, and the next one comes; after the last, as ``Finish``."""


@dataclass(frozen=True, slots=True)
class ChooseChallenger:
    """Who challenges, as the players stand before the screen."""

    side: Side


@dataclass(frozen=True, slots=True)
class RepeatIt:
    """It is the repeat of this table's last challenge, for a word was mistyped."""


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """It is another challenge: the last one's repeat is closed as soon as this one comes to something."""


@dataclass(frozen=True, slots=True)
class ChooseCount:
    """So many words are challenged, 1 to 8; also later, until the play is adjudicated."""

    count: int


@dataclass(frozen=True, slots=True)
class ChooseWord:
    """Go on with the word of this index (from 0)."""

    index: int


@dataclass(frozen=True, slots=True)
class AddWord:
    """One more word."""


@dataclass(frozen=True, slots=True)
class RemoveWord:
    """The word of this index goes."""

    index: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The words are complete: show them to both."""


@dataclass(frozen=True, slots=True)
class Back:
    """One step back, as long as nothing is adjudicated."""


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
class NotLogged:
    """The shell's answer where the log could not be written: whether the verdict is shown is the director's setting."""

    acceptable: bool
    why: str


@dataclass(frozen=True, slots=True)
class CannotJudge:
    """The shell's answer where the lexicon cannot be trusted: nothing was judged."""

    trouble: Trouble


@dataclass(frozen=True, slots=True)
class ShowWaysOut:
    """How can this challenge end without a look-up? Asked for from the number of words on, until the play is adjudicated."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The challenger takes the challenge back (2017 IV.I.3), where the rulebook allows it."""


@dataclass(frozen=True, slots=True)
class Concede:
    """A player concedes the challenge (2017 IV.I.3.5), where the rulebook allows it: ``side`` gives in."""

    side: Side


@dataclass(frozen=True, slots=True)
class Mistyped:
    """A word was mistyped: the same challenge again (2017 IV.J.1.i-j)."""


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """The same words once more (2017 IV.J.1.n), here or by a word judge."""

    here: bool


@dataclass(frozen=True, slots=True)
class CallDirector:
    """The players want the director."""


@dataclass(frozen=True, slots=True)
class Done:
    """The players have read what stands there."""


@dataclass(frozen=True, slots=True)
class Stand:
    """The station stands differently: another lexicon, rulebook, name, language, or a trouble. Taken when nothing is in progress."""

    standing: StationContext


ChallengeEvent: TypeAlias = (
    Begin
    | ChooseLanguage
    | ClockStopped
    | ClockRuns
    | Type
    | TypeTile
    | Erase
    | Next
    | ChooseChallenger
    | RepeatIt
    | NewChallenge
    | ChooseCount
    | ChooseWord
    | AddWord
    | RemoveWord
    | Finish
    | Back
    | Adjudicate
    | Judged
    | NotLogged
    | CannotJudge
    | ShowWaysOut
    | Withdraw
    | Concede
    | Mistyped
    | SecondOpinion
    | CallDirector
    | Done
    | Stand
)
