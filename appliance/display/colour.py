"""What a colour is; which ones there are, and who wears them, is each program's own."""

from __future__ import annotations

from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
