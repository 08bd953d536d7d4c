"""A rectangle in pixels, and how a layout divides it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: upper left corner and size, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond it."""
        return self.y + self.height

    def holds(self, x: int, y: int) -> bool:
        """Return whether the pixel lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, by: int, down: int | None = None) -> Box:
        """Return the box inset by ``by`` pixels on each side (``down`` pixels above and below, if given)."""
        rows = by if down is None else down
        return Box(self.x + by, self.y + rows, max(0, self.width - 2 * by), max(0, self.height - 2 * rows))

    def top(self, rows: int) -> Box:
        """Return its top ``rows``."""
        return Box(self.x, self.y, self.width, min(rows, self.height))

    def below(self, rows: int) -> Box:
        """Return the rest below the top ``rows``."""
        taken = min(rows, self.height)
        return Box(self.x, self.y + taken, self.width, self.height - taken)

    def left(self, columns: int) -> Box:
        """Return its leftmost ``columns``."""
        return Box(self.x, self.y, min(columns, self.width), self.height)

    def beside(self, columns: int) -> Box:
        """Return the rest right of the leftmost ``columns``."""
        taken = min(columns, self.width)
        return Box(self.x + taken, self.y, self.width - taken, self.height)
