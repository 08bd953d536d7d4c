"""What happens by itself: a screen that nobody touches clears, and of what stood there nothing is left; a challenge can no longer be repeated.

Half-typed words of strangers are no good to the next two players, and a verdict is for two only: so everything goes, and the log alone remembers.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from kiosk.challenge.effects import Effect, Keep
from kiosk.challenge.entries import entry
from kiosk.challenge.entry import Kind
from kiosk.challenge.flow import Asked, Flow, Step
from kiosk.challenge.notices import told
from kiosk.challenge.repeats import open_of, still_open
from rules.duration import NS

COUNTDOWN_S: Final = 10
"""In the last so many seconds the screen tells when it clears."""

Transition: TypeAlias = tuple[Flow, tuple[Effect, ...]]
"""The flow then, and what the shell is asked to do, in this order."""

_TYPING: Final = (Step.TABLE, Step.WORDS, Step.CHECKING)


def tick(flow: Flow, at: int) -> Transition:
    """Return the flow at ``at`` (ns), with all that is due by then, and what the shell is asked to do."""
    at = max(at, flow.since)
    left = still_open(flow.open, at)
    now = flow if left == flow.open else _shut(flow.replace(open=left))
    due = clears_at(now)
    return cleared(now, at) if due is not None and at >= due else (now, ())


def clears_at(flow: Flow) -> int | None:
    """Return the instant (ns) at which the screen clears itself; None where there is nothing to clear, or the shell is looking the words up."""
    limits = flow.standing.limits
    match flow.step:
        case Step.IDLE:
            return flow.touched + limits.idle_ns if flow.notice is not None or flow.language != flow.standing.language else None
        case Step.JUDGING:
            return None
        case Step.VERDICT:
            return flow.since + max(limits.verdict_ns, limits.least_ns)
        case Step.DIRECTOR:
            return flow.since + max(limits.director_ns, limits.least_ns)
        case Step.TABLE | Step.WORDS | Step.CHECKING | Step.CLOSED:
            # From the last touch alone: words that come up once more, for somebody was at the door, have stood there before.
            return flow.touched + max(limits.idle_ns, limits.least_ns)


def wake_at(flow: Flow, now: int) -> int | None:
    """Return the instant (ns) at which the state next changes by itself, or after ``now`` the seconds shown; None: nothing comes by itself.

    What is due already and was not yet ticked is an instant that is past.
    """
    instants = [each.until for each in flow.open]
    clears = clears_at(flow)
    if clears is not None:
        seconds = (clears - second * NS for second in range(1, COUNTDOWN_S + 1))
        instants += [clears, *(instant for instant in seconds if instant > now)]
    return min(instants, default=None)


def cleared(flow: Flow, at: int) -> Transition:
    """Return the flow idle at ``at`` (ns), with nothing of a challenge in it; words that were typed and never judged are kept in the log."""
    return idle(flow, at), aborted(flow)


def idle(flow: Flow, at: int) -> Flow:
    """Return the flow idle at ``at`` (ns): what stands at the station is left, and what may be repeated."""
    return Flow(flow.standing, since=at, touched=at, language=flow.standing.language, open=flow.open)


def aborted(flow: Flow) -> tuple[Effect, ...]:
    """Return the row for words that were typed and are given up; nothing where none were: an abandoned table number is of no account."""
    typed = flow.step in _TYPING and any(flow.words)
    return (Keep(entry(flow, Kind.ABORTED)),) if typed else ()


def _shut(flow: Flow) -> Flow:
    """The question whether to repeat goes away with what could be repeated."""
    asks = flow.step is Step.TABLE and flow.asked is Asked.REPEAT and open_of(flow) is None
    return told(flow.replace(asked=Asked.CHALLENGER), "repeat_closed") if asks else flow
