"""Two players who enter and sign a result, press by press."""

from firmware.table_menu.actions import DIGITS, Draft, PageKind
from rules.side import BySide
from tests.firmware.table_menu.player import Players

HOLD_FROM = 3
"""A digit that is so many steps away is turned by a held press."""


def turns(now: int, wanted: int) -> tuple[str, int]:
    """Return whose button turns a digit from ``now`` to ``wanted`` by the fewer steps, and how many."""
    up = (wanted - now) % 10
    return ("left", up) if up <= 5 else ("right", 10 - up)


def enter_value(both: Players, value: int, digits: int, *, held: bool = True) -> None:
    """Enter a value on the pages of its digits."""
    for wanted in f"{value:0{digits}d}":
        entry = both.page.entry
        assert entry is not None
        button, steps = turns(int(entry.digits[entry.place]), int(wanted))
        if held and steps >= HOLD_FROM:
            # Halfway between two moves.
            both.press(button, 600 + (steps - 2) * 400 + 200)
        else:
            for _ in range(steps):
                both.press(button)
        both.press("bar")


def enter(both: Players, scores: tuple[int, int], words: tuple[int, int] | None = None, *, held: bool = True) -> Players:
    """Open the menu, take its row Result and enter all of a result."""
    both.press("bar", 1_200)
    both.press("bar")
    for value in scores:
        enter_value(both, value, DIGITS["score"], held=held)
    for value in words or ():
        enter_value(both, value, DIGITS["words"], held=held)
    assert both.page.kind is PageKind.SIGN
    return both


def sign(both: Players, *sides: str) -> Players:
    for side in sides:
        both.press(side, 1_200)
    return both


def draft_of(both: Players) -> Draft:
    return both.table.draft


def signed(both: Players) -> BySide[int] | None:
    """Return the final scores that are signed."""
    return None if both.game.result is None else both.game.result.final
