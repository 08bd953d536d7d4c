"""SDL functions that pygame does not expose: drivers, the window's renderer, the DRM card."""

from __future__ import annotations

import ctypes
from typing import Final

import pygame

_TAKES_LISTS: Final = (2, 26, 0)
"""From this version, or earlier, SDL accepts a comma-separated list of drivers. Debian 12 has it."""
_WINDOWS: Final = range(1, 17)
"""SDL numbers windows from 1; pygame has one window and reopens it a few times at most."""
_KMSDRM: Final = 13
"""SDL_SYSWM_KMSDRM, of SDL_SYSWM_TYPE."""


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
    if not found or ask(found, ctypes.byref(info)) != 0:
        return None
    return bytes(info.name).decode()


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
