"""Opens and closes a window or a bare panel, with only SDL's display and font modules; and SDL functions that pygame does not expose.

Drawing goes to a surface in memory; only changed boxes are updated, with the means of ``sdl.acceleration``.
"""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pygame

from appliance.display import drawing
from appliance.display.sdl import ACCELERATION, INVISIBLE, SETTINGS, acceleration, await_card, graphics_cards, is_bare, why_not
from appliance.errors import ScreenError
from appliance.process import SERVICE

_TAKES_LISTS: Final = (2, 26, 0)
"""From this version, or earlier, SDL accepts a comma-separated list of drivers. Debian 12 has it."""
_WINDOWS: Final = range(1, 17)
"""SDL numbers windows from 1; pygame has one window and reopens it a few times at most."""
_KMSDRM: Final = 13


class _RendererInfo(ctypes.Structure):
    """SDL_RendererInfo: only its name is read."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("flags", ctypes.c_uint32),
        ("num_texture_formats", ctypes.c_uint32),
        ("texture_formats", ctypes.c_uint32 * 16),
        ("max_texture_width", ctypes.c_int),
        ("max_texture_height", ctypes.c_int),
    )


class _WindowInfo(ctypes.Structure):
    """SDL_SysWMinfo of a window under KMSDRM."""

    _fields_ = (
        ("major", ctypes.c_uint8),
        ("minor", ctypes.c_uint8),
        ("patch", ctypes.c_uint8),
        ("subsystem", ctypes.c_int),
        ("dev_index", ctypes.c_int),
        ("drm_fd", ctypes.c_int),
        ("rest", ctypes.c_uint8 * 56),
    )


def drivers() -> list[str]:
    """Return the names of SDL's drivers in the order in which it tries them; empty if unknown or if SDL accepts no list."""
    if pygame.get_sdl_version() < _TAKES_LISTS:
        return []
    try:
        sdl = _sdl()
        count, name = sdl.SDL_GetNumVideoDrivers, sdl.SDL_GetVideoDriver
    except (OSError, AttributeError):
        return []
    name.restype = ctypes.c_char_p
    return [name(number).decode() for number in range(count())]


def renderer() -> str | None:
    """Return SDL's name of the open window's renderer; None for a plain framebuffer, or if unknown."""
    try:
        sdl = _sdl()
        get, ask = sdl.SDL_GetRenderer, sdl.SDL_GetRendererInfo
    except (OSError, AttributeError):
        return None
    get.argtypes, get.restype = [ctypes.c_void_p], ctypes.c_void_p
    ask.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    info = _RendererInfo()
    found = get(_window(sdl))
    return None if not found or ask(found, ctypes.byref(info)) != 0 else bytes(info.name).decode()


def card() -> int | None:
    """Return the descriptor of the DRM card SDL draws on; SDL owns it. None under another driver, or if unknown."""
    try:
        sdl = _sdl()
        ask = sdl.SDL_GetWindowWMInfo
    except (OSError, AttributeError):
        return None
    ask.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    info = _WindowInfo(*pygame.get_sdl_version())
    if not ask(_window(sdl), ctypes.byref(info)) or info.subsystem != _KMSDRM:
        return None
    return int(info.drm_fd)


def _sdl() -> ctypes.CDLL:
    """Return the SDL that pygame is linked with: symbol lookup includes a module's dependencies."""
    return ctypes.CDLL(pygame.base.__file__)


def _window(sdl: ctypes.CDLL) -> int | None:
    get = sdl.SDL_GetWindowFromID
    get.argtypes, get.restype = [ctypes.c_uint32], ctypes.c_void_p
    return next((found for number in _WINDOWS if (found := get(number))), None)


DISPLAY: Final = "the display"
_DRIVER: Final = "SDL_VIDEODRIVER"
_DESKTOPS: Final = {"DISPLAY", "WAYLAND_DISPLAY"}
REMEDY: Final = "Connect a screen, or set DISPLAY or SDL_VIDEODRIVER=kmsdrm"


def open_window(size: tuple[int, int], title: str, *, fullscreen: bool, remedy: str = REMEDY) -> pygame.Surface:
    """Open a window and return its surface; one per process. Raises ``ScreenError`` if there is no display.

    ``size``: in pixels; ignored with ``fullscreen``, which has no frame and no mouse pointer.
    """
    os.environ.update(SETTINGS)
    if SERVICE in os.environ and is_bare(os.environ.get(_DRIVER, "")):
        await_card()
    try:
        # Do not initialise joysticks and mixer: SDL polls them every few milliseconds.
        with _without_wayland():
            pygame.display.init()
        os.environ[ACCELERATION] = acceleration(pygame.display.get_driver())
        pygame.font.init()
        # A bare panel has no windows: the size is always the panel's.
        whole = fullscreen or is_bare(pygame.display.get_driver())
        surface = pygame.display.set_mode((0, 0) if whole else size, pygame.FULLSCREEN if whole else pygame.RESIZABLE)
    except pygame.error as error:
        raise _none(str(error), remedy) from error
    driver = pygame.display.get_driver()
    if driver in INVISIBLE and os.environ.get(_DRIVER) != driver:
        raise _none(f"SDL would draw invisibly: {driver}", remedy)
    pygame.display.set_caption(title)
    pygame.mouse.set_visible(not whole)
    return surface


def close_window() -> None:
    drawing.font.cache_clear()  # they are invalid once the module is closed
    pygame.font.quit()
    pygame.display.quit()


@contextmanager
def _without_wayland() -> Iterator[None]:
    """Make SDL skip Wayland where it cannot run: if X fails, SDL would try it, and Wayland's library would print errors.

    Wayland needs its socket in XDG_RUNTIME_DIR, which a service lacks, or an absolute path or descriptor (wl_display_connect(3)). An explicitly chosen driver is
    left to SDL.
    """
    asked, reachable = os.environ.get(_DRIVER), os.environ.get("XDG_RUNTIME_DIR", "").startswith("/")
    reachable = reachable or "WAYLAND_SOCKET" in os.environ or os.environ.get("WAYLAND_DISPLAY", "").startswith("/")
    others = [] if asked or reachable else [driver for driver in drivers() if driver != "wayland"]
    if not others:
        yield
        return
    os.environ[_DRIVER] = ",".join(others)
    try:
        yield
    finally:
        if asked is None:
            del os.environ[_DRIVER]
        else:
            os.environ[_DRIVER] = asked


def _none(message: str, remedy: str) -> ScreenError:
    pygame.display.quit()
    if _wants_bare():
        why = why_not(drivers(), message)
        return ScreenError(expected="a bare panel to draw on", found=why.problem, remedy=why.remedy)
    return ScreenError(expected="a display for the window", found=f"none ({message})", remedy=remedy)


def _wants_bare() -> bool:
    if asked := os.environ.get(_DRIVER):
        return is_bare(asked)
    # Without a driver or desktop named, the card is the only display. SDL's own message is then about its substitute in memory.
    return not _DESKTOPS & os.environ.keys() and any(map(is_bare, drivers())) and bool(graphics_cards())
