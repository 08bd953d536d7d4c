"""The colours and their use. Running and waiting halves differ in lightness, not in hue, so that colour-blind players see the difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from appliance.display.colour import Colour

GROUND: Final[Colour] = (13, 16, 20)
IVORY: Final[Colour] = (247, 242, 228)
INK: Final[Colour] = (18, 20, 24)
AMBER: Final[Colour] = (255, 196, 46)
EMBER: Final[Colour] = (255, 110, 74)
STEEL: Final[Colour] = (70, 80, 92)
MIST: Final[Colour] = (168, 178, 190)
SLATE: Final[Colour] = (24, 29, 36)


@dataclass(frozen=True, slots=True)
class Coat:
    """The colours of one half."""

    panel: Colour
    edge: Colour
    digits: Colour
    words: Colour
    quiet: Colour
    """For secondary text: prompt and details."""
    accent: Colour
    """For the banner."""
    chip: Colour
    chip_words: Colour


RUNS: Final = Coat(IVORY, IVORY, INK, INK, (84, 80, 70), INK, INK, IVORY)
RUNS_OVER: Final = Coat(EMBER, EMBER, INK, INK, (70, 26, 14), INK, INK, EMBER)
WAITS: Final = Coat(SLATE, STEEL, IVORY, IVORY, MIST, AMBER, IVORY, INK)
WAITS_OVER: Final = Coat(SLATE, EMBER, EMBER, IVORY, MIST, AMBER, EMBER, INK)


def coat(*, runs: bool, overtime: bool) -> Coat:
    """Return the colours of a half."""
    if runs:
        return RUNS_OVER if overtime else RUNS
    return WAITS_OVER if overtime else WAITS
