"""A whole tournament game by buttons alone, on a full board under NASPA 2017, with what it comes to, to the nanosecond."""

from __future__ import annotations

from tests.firmware.shell.rig import CALL_NS, LONG_NS, Rig, Step, ns

ADJUST_RIGHT_A_MINUTE = ("ok", "right", "down", "ok", "up", "ok", "ok", "ok", "down", "ok")
"""The director's way through the menu: give time, RIGHT, +1:00, take it, now, the first reason, do it."""
LOOKS = ("2", "20", "50.000000001", "70", "100", "119", "134", "189.5", "217", "246", "251", "280", "292", "305", "311", "333", "345")

LEFT_USED = ns("38.25") - ns("5.000000001") + ns("118") - ns("95.125000003") + ns("190.5") - ns("140")
RIGHT_USED = ns("95.125000003") - ns("38.25") + ns("215") - ns("190.5") + ns("290.7") - ns("262")
UNTIL = "350"


def whole_game(rig: Rig) -> list[Step]:
    """Return the steps of the game."""
    moves = (
        rig.press("5.000000001", "right"),  # left has seen a tile
        rig.press("38.25", "left"),
        rig.press("61.5", "left", held=LONG_NS),  # right calls hold, left records it
        rig.press("79.75", "left", held=LONG_NS),  # released
        rig.press("95.125000003", "right"),
        rig.press("118", "centre"),
        rig.turn("120", "key", on=True),
        rig.presses("121.5", *ADJUST_RIGHT_A_MINUTE),
        rig.turn("130", "key", on=False),
        rig.press("140", "right"),
        rig.press("190.5", "left"),
        rig.press("215", "centre", held=CALL_NS),  # right challenges
        rig.press("245", "centre"),
        rig.press("247", "centre"),
        rig.press("249", "centre", held=LONG_NS),  # unacceptable
        rig.press("262", "left"),
        rig.press("290.7", "centre"),
        rig.press("293", "right", held=LONG_NS),
        rig.press("295.5", "right"),  # the out play, from the stop
        rig.press("331.5", "centre", held=LONG_NS),  # once the game may be left
        rig.press("334", "right"),
        rig.press("336", "centre"),  # the recount minute
    )
    looks = (step for seconds in LOOKS for step in rig.look(seconds))
    return sorted([*(step for move in moves for step in move), *looks], key=lambda step: step[0])
