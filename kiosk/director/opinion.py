"""Plays that wait for a word judge at the desk: second opinions that players requested on the screen (2017 IV.J.1.n), and interrupted reviews."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kiosk.challenge.flow import TypedWord
from kiosk.director.review import Ruling
from rules.duration import NS
from rules.side import Side

REMEMBERED_NS: Final = 600 * NS
"""How long a word judge finds the slip prefilled; later, play has long continued."""
MOST: Final = 50
"""The most tables that may wait for a word judge; the oldest is dropped first."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A play to be adjudicated by a word judge."""

    table: int
    challenger: Side | None
    words: tuple[TypedWord, ...]
    first: int | None
    """The row of the original look-up."""
    until: int
    """The instant of its expiry, ns."""
    rulings: tuple[Ruling, ...] = ()
    """The rulings so far; the next judge does not see them."""
    last_play: bool | None = None


def remembered(opinions: tuple[Opinion, ...], new: Opinion) -> tuple[Opinion, ...]:
    """Return the opinions with ``new``, which replaces an earlier one of its table."""
    return (*without(opinions, new.table), new)[-MOST:]


def without(opinions: tuple[Opinion, ...], table: int) -> tuple[Opinion, ...]:
    """Return the opinions without that table's."""
    return tuple(each for each in opinions if each.table != table)


def ruled(opinions: tuple[Opinion, ...], table: int, words: tuple[TypedWord, ...], rulings: tuple[Ruling, ...]) -> tuple[Opinion, ...]:
    """Return the opinions with that table's rulings, so that the same judges are not asked again."""
    return tuple(replace(each, rulings=rulings) if (each.table, each.words) == (table, words) else each for each in opinions)


def still_open(opinions: tuple[Opinion, ...], at: int) -> tuple[Opinion, ...]:
    """Return the opinions that have not expired at ``at`` (ns)."""
    return tuple(each for each in opinions if at < each.until)
