"""Which of several word judges' verdicts stands, and whether another may be asked for: the one place where the rulebooks differ on it.

NASPA: another judge may review a ruling, a third only where the first two differ, and where no third can be had the first has precedence (2017 IV.K.4).
New Zealand: one appeal to a referee, whose decision stands (NZ 6.15.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.rulebooks.model import ChallengeRule, ReviewBy


class Seat(StrEnum):
    """In what place somebody adjudicates the play."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    REFEREE = "referee"


_SIGNED: Final = re.compile(r"(?:\[.*\] )?(?:(first|second|third) judge|(referee)) (\w+)", re.DOTALL)
"""As ``signed`` makes it; a row that was written late says so in brackets before it."""
_REVIEWED_BY: Final[dict[ReviewBy, Seat]] = {"judges": Seat.SECOND, "appeal": Seat.REFEREE}


@dataclass(frozen=True, slots=True)
class Ruling:
    """One judge's verdict for the play."""

    seat: Seat
    judge: str
    """Initials or a number, as the judge gave them."""
    acceptable: bool
    row: int | None
    """Its row in the log; None: the log could not be written, and the director allows that."""


def signed(seat: Seat | None, judge: str) -> str:
    """Return who ruled, for the log: ``second judge AB``, ``referee CD``."""
    return f"{seat} {judge}" if seat is Seat.REFEREE else f"{seat} judge {judge}"


def signature(why: str | None) -> tuple[Seat, str] | None:
    """Return who ruled, from what ``signed`` had the log say; None where it says something else."""
    found = _SIGNED.fullmatch(why or "")
    return None if found is None else (Seat(found[1] or found[2]), found[3])


def standing_ruling(rulings: tuple[Ruling, ...]) -> Ruling | None:
    """Return the ruling that stands, or None before the first: the referee's, the third judge's (who agrees with one of two), else the first."""
    last = rulings[-1] if rulings else None
    return last if last is None or last.seat in (Seat.REFEREE, Seat.THIRD) else rulings[0]


def next_seat(rule: ChallengeRule, rulings: tuple[Ruling, ...]) -> Seat | None:
    """Return who may adjudicate the play next, or None where the ruling is final."""
    if not rulings:
        return Seat.FIRST
    if len(rulings) == 1:
        return None if rule.review is None else _REVIEWED_BY[rule.review]
    return Seat.THIRD if differ(rulings) and rulings[-1].seat is Seat.SECOND else None


def differ(rulings: tuple[Ruling, ...]) -> bool:
    """Tell whether the verdicts given are not all the same."""
    return len({ruling.acceptable for ruling in rulings}) > 1
