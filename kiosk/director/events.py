"""All events of the director's door and desk. At the desk, the players' events for typing and choosing have the same meaning as in their flow.

An event that does not apply in the desk's present state changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from faults.errors import Phrase
from kiosk.director.facts import Facts


class DeskPlace(StrEnum):
    """The places at the desk."""

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
class KnockAtDoor:
    """A touch on the lock in the corner: ask for the PIN."""


@dataclass(frozen=True, slots=True)
class LeaveDesk:
    """Close the door and return to the players' screen."""


@dataclass(frozen=True, slots=True)
class KeyTurned:
    """The key switch was turned; also sent at startup if it is on."""

    on: bool


@dataclass(frozen=True, slots=True)
class PinChecked:
    """The shell's answer to ``CheckPin``. It always answers; a PIN that cannot be checked counts as wrong."""

    right: bool


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """The shell's answer to a request of the desk."""

    facts: Facts


@dataclass(frozen=True, slots=True)
class VerdictWritten:
    """The shell's answer to ``WriteVerdict``: the verdict is in the log, in this row."""

    row: int


@dataclass(frozen=True, slots=True)
class VerdictNotWritten:
    """The shell's answer to ``WriteVerdict``: the log could not be written."""

    why: Phrase


@dataclass(frozen=True, slots=True)
class GoTo:
    """Go to one of the desk's places."""

    place: DeskPlace


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Go a page of a list forward (1) or back (-1)."""

    by: int


@dataclass(frozen=True, slots=True)
class ChooseLexicon:
    """Choose the lexicon file of this path; the desk asks for confirmation."""

    path: str


@dataclass(frozen=True, slots=True)
class ChooseRulebook:
    """Choose the rulebook of this id; the desk asks for confirmation."""

    id: str


@dataclass(frozen=True, slots=True)
class TakeWanted:
    """Confirm the chosen lexicon or rulebook."""


@dataclass(frozen=True, slots=True)
class ExportNow:
    """Export the log."""


@dataclass(frozen=True, slots=True)
class SelfTestAgain:
    """Run the self-test again."""


@dataclass(frozen=True, slots=True)
class QuitNow:
    """Confirm the end of the program."""


@dataclass(frozen=True, slots=True)
class SwitchOffNow:
    """Switch the machine off."""


@dataclass(frozen=True, slots=True)
class NewSlip:
    """A word judge starts with an empty slip."""


@dataclass(frozen=True, slots=True)
class TakeOpinion:
    """A word judge starts with the second opinion requested by this table's players."""

    table: int


@dataclass(frozen=True, slots=True)
class NoSide:
    """The slip does not say on which side the challenger is."""


@dataclass(frozen=True, slots=True)
class GiveVerdict:
    """The word judge's one verdict for the play, after consulting the book (2017 IV.K.2.c, NZ 6.15.2)."""

    acceptable: bool


@dataclass(frozen=True, slots=True)
class AskReview:
    """A player requests a review of the ruling: by another judge (2017 IV.K.4), or the referee (NZ 6.15.3)."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Tell the players the valid ruling; if two judges differ, also: there is no third judge."""


DirectorEvent: TypeAlias = (
    KnockAtDoor
    | LeaveDesk
    | KeyTurned
    | PinChecked
    | DeskAnswer
    | VerdictWritten
    | VerdictNotWritten
    | GoTo
    | TurnPage
    | ChooseLexicon
    | ChooseRulebook
    | TakeWanted
    | ExportNow
    | SelfTestAgain
    | QuitNow
    | SwitchOffNow
    | NewSlip
    | TakeOpinion
    | NoSide
    | GiveVerdict
    | AskReview
    | Settle
)
