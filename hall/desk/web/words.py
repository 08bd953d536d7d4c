"""Times and states as the pages write them; ``static/clock.js`` writes the same for what counts."""

from __future__ import annotations

from typing import Final

from hall.desk.cards.table import TableCard
from hall.picture.remote_clock import UNKNOWN
from rules.duration import NS, reading
from rules.side import Side
from wire.messages.states import NamedLexicon

_HOUR_S: Final = 3600


def since_s(since: int, now: int) -> int:
    """Return the whole seconds between two instants (ns), 0 if ``since`` lies ahead."""
    return max(0, (now - since) // NS)


def age(seconds: int) -> str:
    """Return how long something lasts: ``0:25``, ``12:04``, ``1 h 05 min``."""
    if seconds >= _HOUR_S:
        return f"{seconds // _HOUR_S} h {seconds % _HOUR_S // 60:02d} min"
    return f"{seconds // 60}:{seconds % 60:02d}"


def counted(number: int, noun: str) -> str:
    """Return ``1 row``, ``2 rows``: for nouns whose plural is regular."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def card_reading(card: TableCard, side: Side, now: int) -> str:
    """Return a side's reading at ``now`` (ns of the listener); with ``~`` where it is not exact or the clock is not heard."""
    if card.sides is None:
        return ""
    left = card.sides.of(side).remaining
    if card.running is not side:
        return reading(left)
    if card.at is None:
        return UNKNOWN
    about = "~" if card.about or card.stale is not None else ""
    return about + reading(left - max(0, now - card.at))


def list_name(lexicon: NamedLexicon) -> str:
    """Return a word list's name with its edition."""
    return f"{lexicon.name} {lexicon.edition}".strip()
