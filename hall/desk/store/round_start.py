"""When the round begins, as the director has set it: kept in the desk's log, so that a desk that died knows it again."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Final

from hall.desk.store.desk_log import ROUND_BEGINS, DeskLog
from rules.duration import NS

_AT: Final = "at"
_ROUND: Final = "round"


def set_round_start(log: DeskLog, who: str, minutes: int | None, number: int, order_request: str | None = None) -> int | None:
    """Note that the round begins in so many minutes, or that no time is set (None); return the instant (ns of CLOCK_MONOTONIC).

    ``number``: the round that is current. ``order_request``: the id of the orders that take it to the clocks; None: there are none.
    """
    at = None if minutes is None else datetime.now(UTC) + timedelta(minutes=minutes)
    text = "no start time" if minutes is None else f"in {minutes} min" if minutes else "now"
    log.add(who, ROUND_BEGINS, {_AT: None if at is None else at.isoformat(timespec="seconds"), _ROUND: number, "text": text}, order_request)
    return None if minutes is None else time.monotonic_ns() + minutes * 60 * NS


def end_with_round(log: DeskLog, who: str, number: int) -> int | None:
    """Note that the start time ends because round ``number`` is current now; return what ``round_start`` then does.

    A start time that is still ahead stays: it is that of the round to come.
    """
    at, entry = round_start(log), log.last(ROUND_BEGINS)
    if at is None or entry is None:
        return None
    if entry.detail.get(_ROUND) == number:
        # Another desk of this log knew of the round earlier: the time was set in it, or kept for it.
        return at
    current = f"round {number}" if number else "no round"
    if at > time.monotonic_ns():
        log.add(who, ROUND_BEGINS, {**entry.detail, _ROUND: number, "text": f"as set before, although {current} is current now"})
        return at
    log.add(who, ROUND_BEGINS, {_AT: None, "text": f"no start time, because {current} is current now"})
    return None


def round_of_start(log: DeskLog) -> int:
    """Return the round that was current when the start time was set, or kept; 0: there is no start time, or no round was known."""
    entry = log.last(ROUND_BEGINS)
    return 0 if entry is None or entry.detail.get(_AT) is None else int(entry.detail.get(_ROUND, 0))


def round_start(log: DeskLog) -> int | None:
    """Return when the round begins or began (ns of CLOCK_MONOTONIC); None: no time is set."""
    entry = log.last(ROUND_BEGINS)
    at = None if entry is None else entry.detail.get(_AT)
    if not isinstance(at, str):
        return None
    ahead = datetime.fromisoformat(at) - datetime.now(UTC)
    return time.monotonic_ns() + round(ahead.total_seconds() * NS)
