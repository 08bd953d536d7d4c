"""The descriptor of SDL's connection to the X server, to sleep on.

pygame's ``event.wait`` polls every millisecond under every driver instead of using SDL's sleeping wait: a thousand wake-ups a second for a clock that changes
once. Sleeping on the connection needs none.
"""

from __future__ import annotations

import ctypes

import pygame

LIBRARY = "libX11.so.6"


def connection() -> int | None:
    """Return the descriptor of the open display's connection; None if the driver is not X11 or libX11 is missing."""
    if pygame.display.get_driver() != "x11":
        return None
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError:
        return None
    number = library.XConnectionNumber
    number.argtypes, number.restype = [ctypes.c_void_p], ctypes.c_int
    return int(number(_pointer(pygame.display.get_wm_info()["display"])))


def _pointer(capsule: object) -> int:
    """Return the ``Display *`` from pygame's capsule."""
    taken = ctypes.pythonapi.PyCapsule_GetPointer
    taken.argtypes, taken.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return int(taken(capsule, b"display"))
