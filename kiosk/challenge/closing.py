"""A challenge that ends without a look-up: withdrawn, or conceded by either player, if the rulebook allows it; nothing is printed."""

from __future__ import annotations

from game.challenge_log.entry import Entry, Kind
from kiosk.challenge.consequence import Consequence, consequence
from kiosk.challenge.effects import WriteEntry
from kiosk.challenge.entries import entry
from kiosk.challenge.flow import Flow, Outcome, Question, Step
from kiosk.challenge.hall_news import proposal
from kiosk.challenge.notices import with_notice
from kiosk.challenge.repeats import not_of, verdicts_without
from kiosk.challenge.timeouts import FlowTransition
from kiosk.challenge.writing import is_declared
from rules.side import Side


def may_close(flow: Flow) -> bool:
    """Return whether the challenge can be withdrawn or conceded now: once the challenger is known and until adjudication."""
    before_words = flow.step is Step.TABLE and flow.question is Question.COUNT
    return flow.challenger is not None and (before_words or flow.step in {Step.WORDS, Step.CHECKING})


def has_way_out(flow: Flow) -> bool:
    """Return whether the rulebook in force lets this challenge end without a look-up; a second opinion already has its verdict."""
    rule, link = flow.context.rulebook.challenge, flow.link
    return (rule.may_withdraw and link is None) or (rule.may_concede and (link is None or link.kind is not Kind.SECOND_OPINION))


def close_ways_out(flow: Flow, at: int) -> Flow:
    """Return the flow at ``at`` (ns) with the ways out closed; a check starts anew, so that the finger on Back does not count as a key."""
    return flow.replace(leaving=False, since=at if flow.step is Step.CHECKING else flow.since)


def withdraw(flow: Flow, at: int) -> FlowTransition:
    """Withdraw the challenge without consequence (2017 IV.I.3; NZ 6.12.2.1: never). A play with a verdict has been adjudicated already."""
    if not may_close(flow):
        return flow, ()
    if not flow.context.rulebook.challenge.may_withdraw:
        return with_notice(flow, "no_withdrawal"), ()
    if flow.link is not None:
        return with_notice(flow, "already_judged"), ()
    return _closed(flow, entry(flow, Kind.WITHDRAWN), None, at, "withdrawn")


def concede(flow: Flow, side: Side, at: int) -> FlowTransition:
    """Concede: the challenged player as if the play were unacceptable, the challenger as if it were acceptable (2017 IV.I.3.5).

    A conceding challenger pays for every word challenged, as after an unsuccessful challenge (2017 VI.B.3). The number is the declared one, or
    else that of the words typed; if points depend on it and it is unknown, it is asked first. A second opinion cannot be conceded: it has a verdict.
    """
    if not may_close(flow):
        return flow, ()
    rule = flow.context.rulebook.challenge
    if not rule.may_concede:
        return with_notice(flow, "no_concession"), ()
    if flow.link is not None and flow.link.kind is Kind.SECOND_OPINION:
        return with_notice(flow, "already_judged"), ()
    acceptable, count = side is flow.challenger, _count(flow)
    follows = consequence(rule, count, acceptable=acceptable, last_play=bool(flow.last_play))
    if acceptable and rule.points_a_word and not count:
        return with_notice(flow, "count_needed"), ()
    why = "the challenger conceded" if acceptable else "the challenged player conceded"
    return _closed(flow, entry(flow, Kind.CONCEDED, why=why), follows, at, "conceded", side)


def _count(flow: Flow) -> int:
    """Return the number of words challenged, as far as known."""
    declared = flow.count if is_declared(flow) else None
    return sum(map(bool, flow.words)) if declared is None else declared


def _closed(  # noqa: PLR0913, PLR0917 - what a close consists of
    flow: Flow, closed: Entry, follows: Consequence | None, at: int, do: str, by: Side | None = None
) -> FlowTransition:
    """Close the challenge. A concession replaces the table's last one; a withdrawal does not, because it may result from a mistyped number."""
    left = flow if follows is None else flow.replace(open=not_of(flow), verdicts=verdicts_without(flow, flow.table))
    return left.replace(step=Step.CLOSED, leaving=False, since=at, outcome=Outcome(closed, None, follows)), (
        WriteEntry(closed),
        *proposal(flow, do, closed, by=by),
    )
