"""Changes by time alone: an untouched screen asks whether anybody is still there, then clears completely; and a challenge can no longer be repeated.

Strangers' half-typed words do not help the next players, and a verdict is for two players only. So everything is deleted except in the log.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from game.challenge_log.entry import Kind
from kiosk.challenge import hall_news
from kiosk.challenge.effects import ChallengeEffect, WriteEntry
from kiosk.challenge.entries import entry
from kiosk.challenge.flow import Flow, Question, Step
from kiosk.challenge.notices import with_notice
from kiosk.challenge.repeats import has_last, open_of, without_lapsed
from rules.duration import NS

COUNTDOWN_S: Final = 10
"""For this many seconds before it clears, the screen shows a countdown."""

FlowTransition: TypeAlias = tuple[Flow, tuple[ChallengeEffect, ...]]
"""The next flow and the effects for the shell, in order."""

_TYPING: Final = (Step.TABLE, Step.WORDS, Step.CHECKING)


def tick(flow: Flow, at: int) -> FlowTransition:
    """Return the flow at ``at`` (ns), with everything due by then, and the effects for the shell."""
    at = max(at, flow.since)
    left = without_lapsed(flow, at)
    now = hall_news.tick(flow if left == flow else _shut(flow, left), at)
    asks, due = asks_at(now), clears_at(now)
    if due is not None and at >= due:
        return cleared(now, at)
    return (now if asks is None or at < asks else now.replace(still_there=True)), ()


def asks_at(flow: Flow) -> int | None:
    """Return when (ns) the screen asks whether anybody is still there; None: no words are typed, so it clears without asking.

    Both players may be at their board to compare the words, which takes longer than any other page.
    """
    limits = flow.context.limits
    return flow.touched + max(limits.words_ns, limits.idle_ns, limits.director_ns if flow.calling else 0) if has_words(flow) else None


def clears_at(flow: Flow) -> int | None:
    """Return when (ns) the screen clears itself; None: there is nothing to clear, or the shell is looking the words up."""
    limits, asks = flow.context.limits, asks_at(flow)
    if asks is not None:
        return asks + max(limits.still_there_ns, limits.least_ns)
    if flow.calling:
        return flow.touched + max(limits.director_ns, limits.least_ns)
    match flow.step:
        case Step.IDLE:
            touched = flow.helping or flow.notice is not None or flow.language != flow.context.language
            return flow.touched + limits.idle_ns if touched else None
        case Step.JUDGING:
            return None
        case Step.VERDICT | Step.SHOWN_AGAIN:
            return flow.since + max(limits.verdict_ns, limits.least_ns)
        case Step.DIRECTOR:
            return flow.since + max(limits.director_ns, limits.least_ns)
        case Step.TABLE | Step.WORDS | Step.CHECKING | Step.CLOSED:
            # From the last touch only: what returns after a visit to the director's door has been on the screen before.
            return flow.touched + max(limits.idle_ns, limits.least_ns)


def wake_at(flow: Flow, now: int) -> int | None:
    """Return when (ns) the state next changes by itself, or the countdown after ``now``; None: never.

    The result is in the past if ``tick`` is overdue.
    """
    instants = [*(each.until for each in flow.open), *(each.until for each in flow.verdicts)]
    instants += [instant for instant in (hall_news.due(flow), None if flow.still_there else asks_at(flow)) if instant is not None]
    clears = clears_at(flow)
    if clears is not None:
        seconds = (clears - second * NS for second in range(1, counted_s(flow) + 1))
        instants += [clears, *(instant for instant in seconds if instant > now)]
    return min(instants, default=None)


def counted_s(flow: Flow) -> int:
    """Return for how many seconds before it clears the screen shows a countdown."""
    return max(COUNTDOWN_S, flow.context.limits.still_there_ns // NS) if flow.still_there else COUNTDOWN_S


def has_words(flow: Flow) -> bool:
    """Return whether words are typed that have not been adjudicated."""
    return flow.step in _TYPING and any(flow.words)


def cleared(flow: Flow, at: int) -> FlowTransition:
    """Return the idle flow at ``at`` (ns), without any trace of the challenge, and a log row for unjudged words."""
    return idle(flow, at), aborted(flow)


def idle(flow: Flow, at: int) -> Flow:
    """Return the idle flow at ``at`` (ns); only the context, what tables may do about their last challenges, and the hall remain."""
    remains = {"open": flow.open, "verdicts": flow.verdicts, "linked": flow.linked, "joins": flow.joins}
    return Flow(flow.station, since=at, touched=at, language=flow.station.language).replace(**remains)


def aborted(flow: Flow) -> tuple[ChallengeEffect, ...]:
    """Return the row for words that were typed and abandoned; none if there are no words: an abandoned table number does not matter."""
    return (WriteEntry(entry(flow, Kind.ABORTED)),) if has_words(flow) else ()


def _shut(before: Flow, now: Flow) -> Flow:
    """Skip the question about the last challenge if nothing can be done about it any more."""
    asks = now.step is Step.TABLE and now.question is Question.REPEAT and not has_last(now)
    lapsed = "verdict_gone" if open_of(before) is None else "repeat_closed"
    return with_notice(now.replace(question=Question.CHALLENGER), lapsed) if asks else now
