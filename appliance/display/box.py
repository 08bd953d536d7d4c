"""A rectangle in pixels, and the few ways a layout cuts one up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its left upper corner and its size, in pixels."""

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
        """Whether the pixel lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, by: int, down: int | None = None) -> Box:
        """Return the box smaller by ``by`` pixels on each side (``down`` above and below, where given)."""
        rows = by if down is None else down
        return Box(self.x + by, self.y + rows, max(0, self.width - 2 * by), max(0, self.height - 2 * rows))

    def top(self, rows: int) -> Box:
        """Return the uppermost ``rows`` of it."""
        return Box(self.x, self.y, self.width, min(rows, self.height))

    def below(self, rows: int) -> Box:
        """Return what is left under the uppermost ``rows``."""
        taken = min(rows, self.height)
        return Box(self.x, self.y + taken, self.width, self.height - taken)

    def left(self, columns: int) -> Box:
        """Return the leftmost ``columns`` of it."""
        return Box(self.x, self.y, min(columns, self.width), self.height)

    def beside(self, columns: int) -> Box:
        """Return what is left to the right of the leftmost ``columns``."""
        taken = min(columns, self.width)
        return Box(self.x + taken, self.y, self.width - taken, self.height)
