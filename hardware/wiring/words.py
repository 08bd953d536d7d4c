"""Text in the picture, centred exactly: the library's labels are offset, and viewers centre them differently."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from schemdraw.elements import Element
from schemdraw.segments import SegmentText

Align: TypeAlias = Literal["left", "center", "right"]

PER_UNIT: Final = 36.0
"""Points to one unit of the drawing."""
_MIDDLE: Final = 0.36
"""From a line's baseline to the middle of its capitals, as a share of its size."""
_FRONT: Final = 10


class Caption(Element):
    """One line of text.

    Args:
        text: what it says.
        align: which end is at the element's place.
        size: in points.
        ink: its colour.
    """

    def __init__(self, text: str, align: Align, size: float, ink: str) -> None:
        super().__init__()
        foot = -_MIDDLE * size / PER_UNIT
        self.segments.append(SegmentText((0, foot), text, align=(align, "base"), fontsize=size, color=ink, zorder=_FRONT))
        self.theta(0)
