"""Everything that can happen at the director's door and desk. At the desk the players' events of typing and choosing mean the same as in their flow.

An event that makes no sense where the desk stands changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from appliance.phrase import Phrase
from kiosk.director.facts import Facts


class Place(StrEnum):
    """Where the director stands at the desk."""

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
    """Asks once more before the program ends, or the machine is switched off."""


@dataclass(frozen=True, slots=True)
class KnockAtDoor:
    """Somebody touches the lock in the corner: the PIN is asked for."""


@dataclass(frozen=True, slots=True)
class LeaveDesk:
    """The door is closed: back to the players' screen."""


@dataclass(frozen=True, slots=True)
class KeyTurned:
    """The key switch was turned; also told once at the start where it stands on."""

    on: bool


@dataclass(frozen=True, slots=True)
class PinChecked:
    """The shell's answer to ``CheckPin``. It always answers; a PIN that cannot be checked is not right."""

    right: bool


@dataclass(frozen=True, slots=True)
class Told:
    """The shell tells what the desk asked for, or what came of it."""

    facts: Facts


@dataclass(frozen=True, slots=True)
class Kept:
    """The shell's answer to ``KeepVerdict``: it is in the log, in this row."""

    row: int


@dataclass(frozen=True, slots=True)
class NotKept:
    """The shell's answer to ``KeepVerdict`` where the log could not be written."""

    why: Phrase


@dataclass(frozen=True, slots=True)
class GoTo:
    """To one of the desk's places."""

    place: Place


@dataclass(frozen=True, slots=True)
class Turn:
    """A page of a list on (1) or back (-1)."""

    by: int


@dataclass(frozen=True, slots=True)
class ChooseLexicon:
    """The lexicon file of this path is wanted: whether it is to be taken is asked once more."""

    path: str


@dataclass(frozen=True, slots=True)
class ChooseRulebook:
    """The rulebook of this id is wanted: whether it is to be taken is asked once more."""

    id: str


@dataclass(frozen=True, slots=True)
class TakeWanted:
    """Yes, the lexicon or rulebook that was chosen is to be taken."""


@dataclass(frozen=True, slots=True)
class ExportNow:
    """The log is to be exported."""


@dataclass(frozen=True, slots=True)
class SelfTestAgain:
    """The self-test is to be made once more."""


@dataclass(frozen=True, slots=True)
class QuitNow:
    """Yes, the program is to end."""


@dataclass(frozen=True, slots=True)
class SwitchOffNow:
    """The machine is to be switched off."""


@dataclass(frozen=True, slots=True)
class NewSlip:
    """A word judge begins with an empty slip."""


@dataclass(frozen=True, slots=True)
class TakeOpinion:
    """A word judge takes the second opinion that this table's players asked for at the station."""

    table: int


@dataclass(frozen=True, slots=True)
class NoSide:
    """The slip does not say on which side the challenger is."""


@dataclass(frozen=True, slots=True)
class GiveVerdict:
    """The word judge's one verdict for the play, after looking in the book (2017 IV.K.2.c, NZ 6.15.2)."""

    acceptable: bool


@dataclass(frozen=True, slots=True)
class AskReview:
    """A player wants the ruling reviewed: another judge (2017 IV.K.4), or the referee (NZ 6.15.3)."""


@dataclass(frozen=True, slots=True)
class Settle:
    """The ruling that stands is told to the players; where two judges differ: there is no third."""


DirectorEvent: TypeAlias = (
    KnockAtDoor
    | LeaveDesk
    | KeyTurned
    | PinChecked
    | Told
    | Kept
    | NotKept
    | GoTo
    | Turn
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
