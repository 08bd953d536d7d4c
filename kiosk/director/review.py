"""Which of several word judges' verdicts is valid, and whether another may be requested: the rulebooks' differences in this are only here.

NASPA: another judge may review a ruling, a third only if the first two differ; if there is no third judge, the first has precedence (2017 IV.K.4).
New Zealand: one appeal to a referee, whose decision is final (NZ 6.15.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.rulebooks.model import ChallengeRule, ReviewBy


class Seat(StrEnum):
    """The position of an adjudicator."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    REFEREE = "referee"


_SIGNED: Final = re.compile(r"(?:\[.*\] )?(?:(first|second|third) judge|(referee)) (\w+)", re.DOTALL)
"""The format of ``signed``; a row written late has a bracketed remark before it."""
_REVIEWED_BY: Final[dict[ReviewBy, Seat]] = {"judges": Seat.SECOND, "appeal": Seat.REFEREE}


@dataclass(frozen=True, slots=True)
class Ruling:
    """One judge's verdict for the play."""

    seat: Seat
    judge: str
    """Initials or a number, as entered by the judge."""
    acceptable: bool
    row: int | None
    """Its row in the log; None: the log could not be written, which the director's setting permits."""


def signed(seat: Seat | None, judge: str) -> str:
    """Return the adjudicator for the log: ``second judge AB``, ``referee CD``."""
    return f"{seat} {judge}" if seat is Seat.REFEREE else f"{seat} judge {judge}"


def signature(why: str | None) -> tuple[Seat, str] | None:
    """Return the adjudicator from the text of ``signed``; None for any other text."""
    found = _SIGNED.fullmatch(why or "")
    return None if found is None else (Seat(found[1] or found[2]), found[3])


def valid_ruling(rulings: tuple[Ruling, ...]) -> Ruling | None:
    """Return the valid ruling: the referee's, the third judge's (who agrees with one of two), else the first; None if there is none."""
    last = rulings[-1] if rulings else None
    return last if last is None or last.seat in (Seat.REFEREE, Seat.THIRD) else rulings[0]


def next_seat(rule: ChallengeRule, rulings: tuple[Ruling, ...]) -> Seat | None:
    """Return who may adjudicate the play next, or None if the ruling is final."""
    if not rulings:
        return Seat.FIRST
    if len(rulings) == 1:
        return None if rule.review is None else _REVIEWED_BY[rule.review]
    return Seat.THIRD if differ(rulings) and rulings[-1].seat is Seat.SECOND else None


def differ(rulings: tuple[Ruling, ...]) -> bool:
    """Return whether the verdicts differ."""
    return len({ruling.acceptable for ruling in rulings}) > 1
