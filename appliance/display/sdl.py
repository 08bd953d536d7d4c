"""SDL's settings and driver names, without importing pygame, so that a self-test need not load it."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = {
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_ALLOW_ALT_TAB_WHILE_GRABBED": "0",
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
}
"""SDL reads these when it opens the display. The shell handles signals. An appliance has nothing behind its screen: by default SDL minimises a full screen on
Alt+Tab and invalidates the surface in use.
"""
ACCELERATION: Final = "SDL_FRAMEBUFFER_ACCELERATION"
"""SDL reads it for a window's first picture, when the driver is known."""
BARE: Final = "kmsdrm"
"""SDL's driver of a bare panel, in lower case: SDL writes it in capitals."""
INVISIBLE: Final = frozenset({"offscreen", "dummy"})
"""SDL's drivers that draw into memory. Without a display SDL silently chooses the first."""


def is_bare(driver: str) -> bool:
    """Return whether ``driver`` draws on a bare panel, through the kernel's DRM."""
    return driver.lower().startswith(BARE)


def acceleration(driver: str) -> str:
    """Return the value of ``ACCELERATION`` for ``driver``.

    X11 has a plain framebuffer; a renderer costs four times as much on a small machine. KMSDRM has none and needs a named renderer: SDL's own first choice is desktop
    OpenGL on an OpenGL ES context, whose frames flip while the panel stays black.
    """
    return "opengles2" if is_bare(driver) else "0"
