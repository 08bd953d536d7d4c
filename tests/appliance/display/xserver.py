"""A real X server for tests that want a window."""

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.installed import require

PATIENCE_S = 20
_FRAME_BUFFERS: dict[str, Path] = {}
"""The file of each display's frame buffer."""
_CLOSE = """
import ctypes, sys

class Message(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong), ("message", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 24),
    ]

x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XInternAtom.restype = ctypes.c_ulong
x.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
x.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
x.XCloseDisplay.argtypes = [ctypes.c_void_p]
display, window = x.XOpenDisplay(sys.argv[1].encode()), int(sys.argv[2])
protocols, delete = (x.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
x.XSendEvent(display, window, 0, 0, ctypes.byref(Message(33, 0, 1, display, window, protocols, 32, (delete, 0, 0, 0, 0))))
x.XCloseDisplay(display)
"""
"""Sends what a window manager sends for a click on the cross: the xdotool of bookworm cannot. A process of its own, because Xlib ends one whose window is gone."""


@contextmanager
def x_server(folder: Path, size: str = "1024x600") -> Iterator[str]:
    """Yield the name of a display of its own, with a screen of that size; the server says on a pipe which one is free, and writes its log to ``folder``."""
    require("Xvfb", "xdotool")
    # Without -noreset the server resets, and ignores clients for a moment, whenever its last client leaves.
    read, write = os.pipe()
    # Without -nocursor the pointer stands in the frame buffer.
    screen = ("-screen", "0", f"{size}x24", "-fbdir", str(folder), "-nocursor")
    command = ["Xvfb", "-displayfd", str(write), *screen, "-nolisten", "tcp", "-noreset"]
    with (folder / "x.log").open("w") as log, subprocess.Popen(command, pass_fds=(write,), stdout=log, stderr=log) as server:
        os.close(write)
        try:
            with os.fdopen(read) as reported:
                number = reported.readline().strip()
            _FRAME_BUFFERS[f":{number}"] = folder / "Xvfb_screen0"
            yield f":{number}"
        finally:
            server.terminate()
            server.wait(PATIENCE_S)


def picture(display: str, place: tuple[int, int] = (0, 0), size: tuple[int, int] | None = None) -> bytes:
    """Return what stands on a part of the screen, or on all of it, as raw RGB pixels.

    They come from the file to which the server maps its frame buffer, an X window dump: a program that takes pictures would cost more than the one under test.
    """
    dump = _FRAME_BUFFERS[display].read_bytes()
    header = struct.unpack_from(">25I", dump)
    begin, stride = header[0] + 12 * header[19], header[12]
    width, height = size or header[4:6]
    rows = (begin + (place[1] + row) * stride + 4 * place[0] for row in range(height))
    pixels = b"".join(dump[row : row + 4 * width] for row in rows)
    rgb = bytearray(3 * width * height)
    for part in range(3):
        # Blue is first in the buffer.
        rgb[part::3] = pixels[2 - part :: 4]
    return bytes(rgb)


def is_drawn(display: str) -> bool:
    return len(set(picture(display)[::97])) > 8


def xdotool(display: str, *words: str) -> None:
    subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": display}, check=True, timeout=PATIENCE_S)


def window_at(display: str, x: int, y: int) -> str:
    """Return the id of the window at a place, and leave the pointer there."""
    command = ["xdotool", "mousemove", str(x), str(y), "getmouselocation", "--shell"]
    said = subprocess.run(command, env={**os.environ, "DISPLAY": display}, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return next(line.removeprefix("WINDOW=") for line in said.stdout.splitlines() if line.startswith("WINDOW="))


def click_cross(display: str, window: str) -> None:
    """Ask a window to close, as a window manager does; nothing if it is gone."""
    subprocess.run([sys.executable, "-c", _CLOSE, display, window], timeout=PATIENCE_S, check=False, capture_output=True)
