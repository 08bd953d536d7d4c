"""Plays that wait for a word judge at the desk: second opinions that players asked for at the screen (2017 IV.J.1.n), reviews that were cut short."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kiosk.challenge.flow import Word
from kiosk.director.review import Ruling
from rules.duration import NS
from rules.side import Side

REMEMBERED_NS: Final = 600 * NS
"""How long a word judge finds the slip prefilled; after that play has long gone on."""
MOST: Final = 50
"""Tables that may wait for a word judge at once; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A play that a word judge is asked to adjudicate."""

    table: int
    challenger: Side | None
    words: tuple[Word, ...]
    first: int | None
    """The row of the look-up that it is a second opinion on."""
    until: int
    """The instant it is forgotten, ns."""
    rulings: tuple[Ruling, ...] = ()
    """Those of the judges that have ruled: the next one is asked, and told nothing of them."""


def remembered(opinions: tuple[Opinion, ...], new: Opinion) -> tuple[Opinion, ...]:
    """Return the opinions with ``new``, which takes the place of an earlier one of its table."""
    return (*without(opinions, new.table), new)[-MOST:]


def without(opinions: tuple[Opinion, ...], table: int) -> tuple[Opinion, ...]:
    """Return the opinions but for that table's."""
    return tuple(each for each in opinions if each.table != table)


def ruled(opinions: tuple[Opinion, ...], table: int, words: tuple[Word, ...], rulings: tuple[Ruling, ...]) -> tuple[Opinion, ...]:
    """Return the opinions, that table's with the rulings there are by now: the judges that were asked are not asked afresh."""
    return tuple(replace(each, rulings=rulings) if (each.table, each.words) == (table, words) else each for each in opinions)


def still_open(opinions: tuple[Opinion, ...], at: int) -> tuple[Opinion, ...]:
    """Return those that are not yet forgotten at ``at`` (ns)."""
    return tuple(each for each in opinions if at < each.until)
