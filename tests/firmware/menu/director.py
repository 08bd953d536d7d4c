"""A director at the table who reads the menu's page and drives it press by press through contact edges."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from firmware.gestures.clock_state import ClockState
from firmware.menu.menu import MenuPage, page
from tests.firmware.gestures.trains import MS, Edge, Press, drive, table
from tests.some import some

WHY = "Why? director's ruling"
"""The row of the usual reason, which opens the list of reasons."""
STEP = 2_000  # ms from press to press: further apart than a chord


class Director(Struct, frozen=True, dict=True):
    """A table whose menu is open, and the instant in ms."""

    table: ClockState
    now: int

    @property
    def page(self) -> MenuPage:
        return page(some(self.table.menu), self.table.history, self.table.setup, self.table.instant(self.now * MS))

    @property
    def rows(self) -> list[str]:
        return [option.text for option in self.page.options]

    @property
    def open_rows(self) -> list[str]:
        """The rows that can be taken now."""
        return [option.text for option in self.page.options if not option.why]

    @property
    def row(self) -> str:
        """The cursor's row."""
        return self.rows[self.page.cursor]

    def why(self, row: str) -> str:
        return next(option.why for option in self.page.options if option.text == row)

    def press(self, button: str) -> Director:
        buttons = ("left", "right") if button == "both" else (button,)
        after = drive(self.table, [edge for each in buttons for edge in Press(each, self.now, 150).edges(bouncy=False)], self.now + 500)
        return replace(self, table=after, now=self.now + STEP)

    def move_to(self, text: str) -> Director:
        """Put the cursor before that row, and move on to it by a press."""
        assert text in self.rows
        if self.row == text:
            return self
        before = replace(some(self.table.menu), cursor=self.rows.index(text) - 1, result=None)
        return replace(self, table=replace(self.table, menu=before)).press("right" if self.table.setup.two_button else "down")

    def take(self, text: str) -> Director:
        return self.move_to(text).press("both" if self.table.setup.two_button else "ok")

    def take_all(self, *texts: str) -> Director:
        director = self
        for text in texts:
            director = director.take(text)
        return director

    def leave(self) -> Director:
        """Return the director after leaving the menu from its first page: key off, or the last row where no key is."""
        if self.table.setup.two_button:
            return self.take("Leave the menu")
        return replace(self, table=drive(self.table, [Edge(self.now * MS, "key", down=False)], self.now), now=self.now + STEP)


def director(rulebook: str, *lines: str, two_button: bool = False) -> Director:
    """Return a director who has opened the menu after a script of at most 10 s, by key or by both buttons held for 5 s."""
    at_table = table(rulebook, *lines, two_button=two_button)
    if two_button:
        both = [one for button in ("left", "right") for one in Press(button, 20_000, 5_100).edges(bouncy=False)]
        return Director(drive(at_table, both, 27_000), 27_000)
    begun = Director(drive(at_table, [Edge(20_000 * MS, "key", down=True)], 27_000), 27_000)
    # While time counts, the players play on until ok.
    return begun.press("ok") if begun.table.asks_ok else begun
