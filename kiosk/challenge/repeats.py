"""What a table may still do about its last challenge: repeat it because a word was mistyped (2017 IV.J.1.j), and see its verdict once more.

A challenge is open from its first verdict until its time is up, its repeats are used, or another challenge of its table has a result. It is known by
number of words and challenger, without words and verdict. A verdict is known with what follows, and without words, until its time is up, it has been
shown once more, the table's play has another result, or a word judge is asked about it.
"""

from __future__ import annotations

from typing import Final, TypeVar

from game.challenge_log.entry import Kind
from kiosk.challenge.flow import EarlierRow, Flow, LastVerdict, Open, Step
from kiosk.challenge.notices import with_notice
from rules.duration import NS

SHOWN_NS: Final = 300 * NS
"""How long a verdict may be shown once more."""
_Lasting = TypeVar("_Lasting", Open, LastVerdict)


def open_of(flow: Flow) -> Open | None:
    """Return this table's challenge that may be repeated, or None."""
    return next((each for each in flow.open if each.table == flow.table), None)


def not_of(flow: Flow) -> tuple[Open, ...]:
    """Return the open challenges of the other tables."""
    return tuple(each for each in flow.open if each.table != flow.table)


def verdict_of(flow: Flow) -> LastVerdict | None:
    """Return this table's verdict that may be shown once more, or None."""
    return next((each for each in flow.verdicts if each.table == flow.table), None)


def verdicts_without(flow: Flow, table: int | None) -> tuple[LastVerdict, ...]:
    """Return the verdicts of the other tables than ``table``."""
    return tuple(each for each in flow.verdicts if each.table != table)


def has_last(flow: Flow) -> bool:
    """Return whether this table may still do something about its last challenge."""
    return open_of(flow) is not None or verdict_of(flow) is not None


def still_open(lasting: tuple[_Lasting, ...], at: int) -> tuple[_Lasting, ...]:
    """Return the challenges or verdicts whose time is not up at ``at`` (ns)."""
    return tuple(each for each in lasting if at < each.until)


def without_lapsed(flow: Flow, at: int) -> Flow:
    """Return the flow at ``at`` (ns), with what tables may still do about their last challenges."""
    return flow.replace(open=still_open(flow.open, at), verdicts=still_open(flow.verdicts, at))


def opened(flow: Flow, row: int | None, at: int) -> tuple[Open, ...]:
    """Return the open challenges after a verdict at ``at`` (ns), whose row is ``row``."""
    limits, link = flow.context.limits, flow.link
    if link is not None and link.kind is Kind.SECOND_OPINION:
        return flow.open
    before, table = open_of(flow), flow.table
    if table is None or flow.challenger is None:
        return flow.open
    first, repeats, until = row, 0, at + limits.repeat_ns
    if link is not None:
        if before is None:
            return flow.open
        first, repeats, until = link.first, link.repeats, before.until
    if repeats >= limits.repeats:
        return not_of(flow)
    return (*not_of(flow), Open(table, flow.challenger, len(flow.words), first, repeats, until, flow.last_play, flow.context.by, flow.sent))


def repeat(flow: Flow, at: int) -> Flow:
    """Return the flow at the empty words of this table's repeated challenge, or with a notice if it may not be repeated.

    The rulebook and the list are those of the first try. Where they are gone, the director is called.
    """
    before = open_of(flow)
    if before is None or at >= before.until:
        limits, link = flow.context.limits, flow.link
        used_up = (0 if link is None else link.repeats) >= limits.repeats
        return with_notice(flow, "no_more_repeats", repeats=limits.repeats) if used_up else with_notice(flow, "repeat_closed")
    if before.by is None:
        return with_notice(flow.replace(calling=True), "list_gone")
    return flow.judged_in(flow.station.judged_by(before.by)).replace(
        step=Step.WORDS,
        since=at,
        challenger=before.challenger,
        last_play=before.last_play,
        count=before.count,
        words=((),) * before.count,
        chosen=0,
        link=EarlierRow(Kind.REPEAT, before.first, before.repeats + 1),
        outcome=None,
        sent=before.sent,
    )
