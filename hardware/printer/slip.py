"""A slip as the printer takes it: lines with their styles. What stands on one is composed elsewhere, and fits the paper before it comes here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class SlipLine:
    """One line of a slip."""

    text: str
    large: bool = False
    """Twice as high and as wide: half as many characters fit."""
    bold: bool = False
    centred: bool = False


Slip: TypeAlias = tuple[SlipLine, ...]
"""A slip from top to bottom; after it the paper is cut, or torn off."""
