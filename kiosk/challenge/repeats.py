"""Challenges that may be repeated because a word was mistyped (2017 IV.J.1.j): number of words and challenger, but neither words nor verdict.

A challenge is open from its first verdict until its time is up, its repeats are used, or another challenge of its table has a result.
"""

from __future__ import annotations

from kiosk.challenge.entry import Kind
from kiosk.challenge.flow import EarlierRow, Flow, Open, Step
from kiosk.challenge.notices import with_notice


def open_of(flow: Flow) -> Open | None:
    """Return this table's challenge that may be repeated, or None."""
    return next((each for each in flow.open if each.table == flow.table), None)


def not_of(flow: Flow) -> tuple[Open, ...]:
    """Return the open challenges of the other tables."""
    return tuple(each for each in flow.open if each.table != flow.table)


def still_open(open_: tuple[Open, ...], at: int) -> tuple[Open, ...]:
    """Return the challenges whose time is not up at ``at`` (ns)."""
    return tuple(each for each in open_ if at < each.until)


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
