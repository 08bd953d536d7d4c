"""What SDL is told, and how its answer is read: no pygame here, so that a self-test asks without loading it."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = {
    "SDL_FRAMEBUFFER_ACCELERATION": "0",
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    "SDL_NO_SIGNAL_HANDLERS": "1",
}
"""SDL reads these when the display is opened. Signals are the shell's."""
UNSEEN: Final = frozenset({"offscreen", "dummy"})
"""SDL's drivers that draw into memory. It takes the first by itself where there is no display, and says nothing."""
