"""The descriptor of SDL's connection to the X server, so that one can sleep on it.

pygame's own ``event.wait`` looks for events every millisecond under every driver (it goes round SDL's wait, which would sleep): a thousand wake-ups a second
for a clock that changes once. Sleeping on the connection needs none.
"""

from __future__ import annotations

import ctypes

import pygame

LIBRARY = "libX11.so.6"


def connection() -> int | None:
    """Return the descriptor of the open display's connection, None where the driver is not X11 or its library cannot be had."""
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
    """Pygame hands over its ``Display *`` in a capsule of that name."""
    taken = ctypes.pythonapi.PyCapsule_GetPointer
    taken.argtypes, taken.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return int(taken(capsule, b"display"))
