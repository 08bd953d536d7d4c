"""The colours. Every text has a contrast of at least 7 to 1; good and bad also differ in lightness, so that colour-blind players can tell them apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from appliance.display.colour import Colour
from kiosk.face.page import Tone

GROUND: Final[Colour] = (13, 17, 23)
IVORY: Final[Colour] = (247, 242, 228)
INK: Final[Colour] = (14, 18, 24)
MIST: Final[Colour] = (176, 186, 198)
SLATE: Final[Colour] = (33, 41, 52)
NIGHT: Final[Colour] = (20, 26, 34)
STEEL: Final[Colour] = (84, 98, 114)
AMBER: Final[Colour] = (255, 198, 62)
MEADOW: Final[Colour] = (116, 214, 140)
CRIMSON: Final[Colour] = (152, 18, 30)
ROSE: Final[Colour] = (255, 138, 128)


@dataclass(frozen=True, slots=True)
class Coat:
    """The colours of a part: field, edge, text and icon, secondary text."""

    field: Colour
    edge: Colour
    text: Colour
    quiet: Colour

    @property
    def pressed(self) -> Coat:
        """The inverted colours of a pressed target."""
        return Coat(self.text, self.text, self.field, self.field)


COATS: Final[dict[Tone, Coat]] = {
    Tone.PLAIN: Coat(SLATE, STEEL, IVORY, MIST),
    Tone.MAIN: Coat(AMBER, AMBER, INK, INK),
    Tone.GOOD: Coat(MEADOW, MEADOW, INK, INK),
    Tone.BAD: Coat(CRIMSON, ROSE, IVORY, IVORY),
    Tone.WARNING: Coat(AMBER, AMBER, INK, INK),
    Tone.QUIET: Coat(NIGHT, STEEL, IVORY, MIST),
}
LETTER: Final = Coat(IVORY, IVORY, INK, INK)
"""For a key of the keyboard: a tile."""
CHOSEN: Final = Coat(SLATE, AMBER, IVORY, AMBER)
"""For the word being typed."""
BARE: Final = Coat(GROUND, GROUND, IVORY, MIST)
"""For text without a target."""


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1.0 to 21.0, as defined by WCAG 2.1."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
