"""Draws the names that ``appliance.splash.paint`` shows, in the programs' typeface. Run ``python -m tools.splash`` whenever the font changes."""

from pathlib import Path
from typing import Final

import pygame

from appliance.display.drawing import font
from appliance.splash import paint

FOLDER: Final = Path(paint.__file__).parent
NAMES: Final = {"tileclock": "Table clock", "tilekiosk": "Challenge station"}
WIDTHS: Final = (160, 240, 360, 512)
"""Maximum widths in pixels; the last one is for the largest panels."""


def picture(text: str, width: int) -> bytes:
    """Return ``text``, at most ``width`` pixels wide, as a PGM of its levels."""
    size = next(size for size in range(width, 0, -1) if font(size).size(text)[0] <= width)
    made = font(size).render(text, True, (255, 255, 255), (0, 0, 0))
    levels = pygame.image.tobytes(made, "RGB")[::3]
    return b"P5\n%d %d\n255\n" % made.get_size() + levels


def main() -> None:
    """Write all pictures."""
    pygame.font.init()
    for old in FOLDER.glob("*.pgm"):
        old.unlink()
    for program, text in NAMES.items():
        for width in WIDTHS:
            (FOLDER / f"{program}-{width}.pgm").write_bytes(picture(text, width))


if __name__ == "__main__":
    main()
