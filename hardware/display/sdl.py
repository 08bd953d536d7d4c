"""What SDL is told, and how its answer is read: no pygame here, so that a self-test asks without loading it."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = {
    "SDL_FRAMEBUFFER_ACCELERATION": "0",
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_ALLOW_ALT_TAB_WHILE_GRABBED": "0",
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
}
"""SDL reads these when the display is opened. Signals are the shell's. An appliance has nothing behind its screen: by itself SDL would put a full screen away on
Alt+Tab, and take its surface from under whoever draws.
"""
UNSEEN: Final = frozenset({"offscreen", "dummy"})
"""SDL's drivers that draw into memory. It takes the first by itself where there is no display, and says nothing."""
