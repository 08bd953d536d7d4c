"""Words in the picture, their middle exactly where they are put: a label of the library's stands beside its place, and each viewer centres it otherwise."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from schemdraw.elements import Element
from schemdraw.segments import SegmentText

Align: TypeAlias = Literal["left", "center", "right"]

PER_UNIT: Final = 36.0
"""Points to one unit of the drawing."""
_MIDDLE: Final = 0.36
"""From a line's foot to the middle of its capitals, as a share of its size."""
_FRONT: Final = 10


class Words(Element):
    """One line of words.

    Args:
        said: what it says.
        align: which end of it stands at the element's place.
        size: in points.
        ink: its colour.
    """

    def __init__(self, said: str, align: Align, size: float, ink: str) -> None:
        super().__init__()
        foot = -_MIDDLE * size / PER_UNIT
        self.segments.append(SegmentText((0, foot), said, align=(align, "base"), fontsize=size, color=ink, zorder=_FRONT))
        self.theta(0)
