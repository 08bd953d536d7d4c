"""Two players at a table, who press real buttons and count their presses: a held one counts as one, so does one of the bar."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.gestures.clock_state import ClockState
from firmware.table_menu.pages import page
from firmware.table_menu.value import PageKind, TablePage
from game.game import Game
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
        """The game now."""
        return self.table.game_at(self.now * MS)

    @property
    def page(self) -> TablePage:
        """The page of the table menu."""
        assert self.table.table_menu is not None, "the menu is closed"
        return page(self.table.table_menu, self.table.record, self.table.setup, self.now * MS)

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows on the page."""
        return tuple(row.name for row in self.page.rows)

    def press(self, button: str, held: int = 150) -> None:
        """Press a button; ``bar`` is the centre one, or both on a two-button board."""
        buttons = ("left", "right") if button == "bar" and self.table.setup.two_button else ("centre" if button == "bar" else button,)
        self._press(buttons, held)
        self.presses += 1

    def both(self, held: int = 1_200) -> None:
        """Both players hold their buttons together: one press, as the bar of a two-button board."""
        self._press(("left", "right"), held)
        self.presses += 1

    def open(self) -> None:
        """Open the table menu."""
        self.press("bar", 1_200)

    def take(self, name: str) -> None:
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

    def path(self, *names: str) -> None:
        """Take the rows of ``names``, one page after the other; a side answers a question, ``agreed`` is both players' hold."""
        for name in names:
            if name == "agreed":
                self.both()
            elif self.table.table_menu is not None and self.page.kind is PageKind.WHO:
                self.press(name)
            else:
                self.take(name)

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now += ms
        self.table = drive(self.table, [], self.now)

    def said(self) -> list[str]:
        """Return the events after the beginning, without instants."""
        return [what for _, what in said(self.table.record)]

    def _press(self, buttons: tuple[str, ...], held: int) -> None:
        edges = [edge for index, button in enumerate(buttons) for edge in Press(button, self.now + 20 * index, held).edges(bouncy=False)]
        self.now += held + APART
        self.table = drive(self.table, edges, self.now)


def players(rulebook: str, *lines: str, at: int = 20_000, two_button: bool = False, **more: bool) -> Players:
    """Return two players at a table at which a script has been played; it is ``at`` ms."""
    return Players(table(rulebook, *lines, two_button=two_button, **more), at)
