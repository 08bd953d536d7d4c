"""Two players at a table, who press real buttons and count their presses: a held one counts as one, so does one of the bar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from firmware.gestures.clock_state import ClockState
from firmware.table_menu.actions import PageKind, TablePage
from firmware.table_menu.pages import page
from game.game import Game
from rules.side import Side
from tests.firmware.gestures.trains import MS, Press, drive, said, table

APART = 300
"""Milliseconds from a press's end to the next one."""


@dataclass
class Players:
    """The table, the present instant in ms, and the presses so far."""

    table: ClockState
    now: int
    presses: int = 0

    @property
    def game(self) -> Game:
        return self.table.game_at(self.now * MS)

    @property
    def page(self) -> TablePage:
        assert self.table.table_menu is not None, "the menu is closed"
        return page(self.table.table_menu, self.table.history, self.table.setup, self.now * MS, self.table.draft)

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.page.rows)

    @property
    def stands(self) -> str:
        states = (self.game.phase.value, self.game.running, self.game.turn)
        return " ".join("-" if each is None else str(each) for each in states)

    def used(self, side: Side) -> int:
        return self.game.used_at(side, self.now * MS) // MS

    def press(self, button: str, held: int = 150) -> None:
        """Press a button; ``bar`` is the centre one, or both on a two-button board."""
        buttons = ("left", "right") if button == "bar" and self.table.setup.two_button else ("centre" if button == "bar" else button,)
        self._press(buttons, held)
        self.presses += 1

    def do(self, steps: str) -> Players:
        """Do these steps one after the other, and return the players.

        ``left 1200`` is a press held so long, a short one without a number; ``both`` is held by both players together; ``wait 5000`` lets time pass;
        ``menu frames/mixing`` opens the table menu and takes these rows, ``take frames/mixing`` takes them on the page that is open.
        """
        for step in steps.split(", "):
            what, _, more = step.partition(" ")
            if what == "wait":
                self.now += int(more)
                self.table = drive(self.table, [], self.now)
            elif what in ("menu", "take"):
                if what == "menu":
                    self.press("bar", 1_200)
                self._path(*more.split("/"))
            elif what == "both":
                self._press(("left", "right"), int(more or 1_200))
                self.presses += 1
            else:
                self.press(what, int(more or 150))
        return self

    def _take(self, name: str) -> None:
        """Move to the row of that name by at most one press, held where it is further away, and take it."""
        shown = self.page
        ahead = (self.rows.index(name) - shown.cursor) % len(shown.rows)
        back = len(shown.rows) - ahead
        keeper = shown.keeps[0].value if shown.keeps else None
        mover, steps = ("left", back) if back < ahead and keeper is None else ("left" if keeper == "right" else "right", ahead)
        if steps and len(shown.keeps) < 2:
            # Halfway between two moves.
            self.press(mover, 150 if steps == 1 else 600 + (steps - 2) * 400 + 200)
        assert self.rows[self.page.cursor] == name
        self.press("bar")

    def _path(self, *names: str) -> None:
        """Take the rows of ``names``, one page after the other; a side answers a question, ``agreed`` is both players' hold."""
        for name in names:
            if name == "agreed":
                self.do("both")
            elif self.table.table_menu is not None and self.page.kind is PageKind.WHO:
                self.press(name)
            elif name:
                self._take(name)

    def said(self) -> list[str]:
        return [what for _, what in said(self.table.history)]

    def _press(self, buttons: tuple[str, ...], held: int) -> None:
        edges = [edge for index, button in enumerate(buttons) for edge in Press(button, self.now + 20 * index, held).edges(bouncy=False)]
        self.now += held + APART
        self.table = drive(self.table, edges, self.now)


def players(rulebook: str, *lines: str, at: int = 20_000, two_button: bool = False, **more: bool) -> Players:
    return Players(table(rulebook, *lines, two_button=two_button, **more), at)


Seats: TypeAlias = "partial[Players]"
"""What makes two players, as the fixture ``seats``."""
