"""What SDL is told, and how its answer is read: no pygame here, so that a self-test asks without loading it."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = {
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_ALLOW_ALT_TAB_WHILE_GRABBED": "0",
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
}
"""SDL reads these when the display is opened. Signals are the shell's. An appliance has nothing behind its screen: by itself SDL would put a full screen away on
Alt+Tab, and take its surface from under whoever draws.
"""
ACCELERATION: Final = "SDL_FRAMEBUFFER_ACCELERATION"
"""SDL reads it when the first picture of a window is asked for: after the driver is known."""
BARE: Final = "kmsdrm"
"""SDL's driver of a bare panel, in small letters: SDL writes it in capitals."""
UNSEEN: Final = frozenset({"offscreen", "dummy"})
"""SDL's drivers that draw into memory. It takes the first by itself where there is no display, and says nothing."""


def is_bare(driver: str) -> bool:
    """Return whether ``driver`` draws on a bare panel, by the kernel's own means."""
    return driver.lower().startswith(BARE)


def acceleration(driver: str) -> str:
    """Return what ``ACCELERATION`` has to be under ``driver``.

    X11 has a plain framebuffer; with a renderer it costs four times as much on a small machine. KMSDRM has none, and the renderer has to be named: SDL's own first
    choice there is desktop OpenGL, on a context of OpenGL ES. Its frames flip, and the panel stays black.
    """
    return "opengles2" if is_bare(driver) else "0"
