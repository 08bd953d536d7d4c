"""What the table was set up with: the board's kind, the rulebooks a director can choose, the words, the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware.texts import Texts
from rules.rulebooks.model import Rulebook


@dataclass(frozen=True, slots=True)
class Setup:
    """What does not change while the clock is on."""

    two_button: bool
    """The board has the two player buttons only."""
    rulebooks: tuple[tuple[str, Rulebook], ...]
    """The rulebooks on offer, by id or path."""
    texts: Texts
    reasons: Mapping[str, tuple[str, ...]]
    power_off: bool = False
    """The machine can be switched off from the menu."""
