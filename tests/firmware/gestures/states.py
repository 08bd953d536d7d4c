"""The states of a game from which the tables of gestures begin, and what presses make of each. Instants in ms since the script's start."""

from typing import Any

from firmware.gestures.clock_state import ClockState
from tests.firmware.gestures.trains import MS, Edge, Press, drive, said, table
from tests.firmware.saying import NASPA

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
RESULT = 'result scores={"left":412,"right":389} taken_off=true final={"left":412,"right":389} signed_ns={"left":0,"right":7} names={"left":"","right":""}'
SIGNED = (*OVER, f"5 {RESULT}")
NO_TURN = ("0 end reason=x", "1 reopen reason=x")
LATE = ("0 late_start left",)
BOTH_LATE = ("0 late_start both",)


def edges(presses: str, *, bouncy: bool = False) -> list[Edge]:
    """Return the edges of ``left@7000+900, right@7500``: each button, its first edge and its length in ms; without one it is short."""
    found: list[Edge] = []
    for press in filter(None, presses.split(", ")):
        button, _, when = press.partition("@")
        at, _, held = when.partition("+")
        found += Press(button, int(at), int(held or 120)).edges(bouncy=bouncy)
    return found


def after(start: tuple[str, ...], presses: str, until: int = 0, *, bouncy: bool = False, rulebook: str = NASPA, **more: Any) -> ClockState:
    """Return the table after presses: at ``until`` (ms), without it 100 ms after the last was let go. ``more`` is of its setup."""
    train = edges(presses, bouncy=bouncy)
    last = max((edge.at for edge in edges(presses)), default=0) // MS
    return drive(table(rulebook, *start, **more), train, until or last + 100)


def made(start: tuple[str, ...], presses: str, until: int = 0, *, bouncy: bool = False, rulebook: str = NASPA, **more: Any) -> str:
    """Return what presses made, such as ``7000 press left, 7500 hold``."""
    return new(after(start, presses, until, bouncy=bouncy, rulebook=rulebook, **more), start)


def new(done: ClockState, start: tuple[str, ...]) -> str:
    return ", ".join(f"{at} {what}" for at, what in said(done.history)[len(start) + 1 :])


def answered(done: ClockState) -> list[tuple[str | None, str]]:
    return [(None if answer.where is None else answer.where.value, answer.message.key) for answer in done.answers]
