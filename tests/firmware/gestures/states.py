"""The states of a game from which the tables of gestures begin, and what presses make of each. Instants in ms since the script's start."""

from __future__ import annotations

from firmware.gestures.clock_state import ClockState
from tests.firmware.gestures.trains import Press, drive, said, table

READY: tuple[str, ...] = ()
RUNNING = ("0 press right",)  # left's clock and turn
DECIDING = ("0 press right", "2 neutralise", "4 decide right")  # right's clock, left's turn
HOLD = ("0 press right", "4 hold")
STOPPED = ("0 press right", "4 neutralise")
STOPPED_HOLD = (*HOLD, "5 neutralise")
OUT = ("0 press right", "4 out_play")
PENDING_HOLD = (*OUT, "5 hold")
PENDING_STOP = (*PENDING_HOLD, "6 neutralise")
ADJUDICATION = ("0 press right", "4 challenge")  # left challenges
PENDING_ADJUDICATION = (*OUT, "5 challenge")
OVER = ("0 press right", "4 end reason=x")
NO_TURN = ("0 end reason=x", "1 reopen reason=x")
LATE = ("0 late_start left",)
BOTH_LATE = ("0 late_start both",)


def after(rulebook: str, start: tuple[str, ...], *presses: Press, bouncy: bool) -> tuple[list[tuple[int, str]], ClockState]:
    """Return what the presses said, by instants in ms, and the table 100 ms after the last was let go."""
    begun = table(rulebook, *start)
    edges = [edge for press in presses for edge in press.edges(bouncy=bouncy)]
    done = drive(begun, edges, max(press.at + press.held for press in presses) + 100)
    return said(done.record)[len(said(begun.record)) :], done


def told(rulebook: str, start: tuple[str, ...], *presses: Press, bouncy: bool) -> list[tuple[int, str]]:
    """Return what the presses said."""
    return after(rulebook, start, *presses, bouncy=bouncy)[0]


def answered(done: ClockState) -> list[tuple[str | None, str]]:
    """Return whom the table answers, and by which text."""
    return [(None if answer.where is None else answer.where.value, answer.message.key) for answer in done.answers]
