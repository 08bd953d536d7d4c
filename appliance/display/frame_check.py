"""Checks that drawn frames reach the panel: compares the display controller's buffer with the drawn picture.

It detects frames that flip while the panel stays black, because it reads the memory that the kernel scans out, after SDL, EGL and the graphics driver. It does
not see what follows: cable, panel electronics, backlight.

The kernel gives the buffer to the card's master, here the program that draws, even unprivileged. Kernel structures: include/uapi/drm/drm.h and drm_mode.h. A buffer
may be tiled, so compare only what does not depend on the order of pixels.
"""

import ctypes
import fcntl
import mmap
import os
import struct
import time
from collections.abc import Iterator
from typing import Final

import pygame
from msgspec import Struct

from appliance.display.window import card

_RESOURCES: Final = struct.Struct("=4Q8I")
_CRTC: Final = struct.Struct("=Q7I68s")
_FB: Final = struct.Struct("=5I4I4I4I4x4Q")
_PRIME: Final = struct.Struct("=2Ii")
_CLOSE: Final = struct.Struct("=2I")


def _request(number: int, layout: struct.Struct, *, reads: bool = True) -> int:
    """_IOWR('d', number, layout), or _IOW."""
    return ((3 if reads else 1) << 30) | (layout.size << 16) | (ord("d") << 8) | number


_GETRESOURCES: Final = _request(0xA0, _RESOURCES)
_GETCRTC: Final = _request(0xA1, _CRTC)
_GETFB2: Final = _request(0xCE, _FB)
_PRIME_HANDLE_TO_FD: Final = _request(0x2D, _PRIME)
_GEM_CLOSE: Final = _request(0x09, _CLOSE, reads=False)


class Scanout(Struct, frozen=True):
    width: int
    height: int
    fourcc: str
    """The format of its pixels, such as XR24 (32 bits, blue first)."""
    pixels: bytes


def scanned_out(card: int) -> list[Scanout]:
    """Return the frame buffer of each lit screen of the DRM card with this descriptor, opened by its master; raises ``OSError`` if the kernel denies access."""
    return [_mapped(card, fb) for fb in _shown(card)]


def _shown(card: int) -> Iterator[int]:
    for crtc in _crtcs(card):
        raw = bytearray(_CRTC.pack(0, 0, crtc, 0, 0, 0, 0, 0, b""))
        fcntl.ioctl(card, _GETCRTC, raw)
        _, _, _, fb, _, _, _, valid, _ = _CRTC.unpack(raw)
        if fb and valid:
            yield fb


def _crtcs(card: int) -> list[int]:
    raw = bytearray(_RESOURCES.size)
    fcntl.ioctl(card, _GETRESOURCES, raw)
    count = _RESOURCES.unpack(raw)[5]
    numbers = (ctypes.c_uint32 * count)()
    raw = bytearray(_RESOURCES.pack(0, ctypes.addressof(numbers), 0, 0, 0, count, 0, 0, 0, 0, 0, 0))
    fcntl.ioctl(card, _GETRESOURCES, raw)
    return list(numbers)


def _mapped(card: int, number: int) -> Scanout:
    raw = bytearray(_FB.pack(number, *(0,) * 20))
    fcntl.ioctl(card, _GETFB2, raw)
    _, width, height, fourcc, _, handle, *rest = _FB.unpack(raw)
    pitch, offset = rest[3], rest[7]
    if not handle:
        raise PermissionError("the kernel gives the picture to the card's master only")
    try:
        prime = bytearray(_PRIME.pack(handle, os.O_CLOEXEC, -1))
        fcntl.ioctl(card, _PRIME_HANDLE_TO_FD, prime)
        shared = _PRIME.unpack(prime)[2]
        try:
            with mmap.mmap(shared, offset + pitch * height, mmap.MAP_SHARED, mmap.PROT_READ) as memory:
                pixels = memory[offset : offset + pitch * height]
        finally:
            os.close(shared)
    finally:
        fcntl.ioctl(card, _GEM_CLOSE, _CLOSE.pack(handle, 0))
    return Scanout(width, height, fourcc.to_bytes(4, "little").decode("ascii", "replace"), pixels)


PATIENCE_S: Final = 2.0
"""How long to wait for a frame to be scanned out, in s; an emulated panel takes longer."""
_LOOK_S: Final = 0.05
_OFF: Final = 0.15
"""Tolerance of a mean colour, as a share: a buffer may be slightly larger than the picture, with black beyond it."""
_FORMATS: Final = {"XR24": (2, 1, 0), "AR24": (2, 1, 0), "XB24": (0, 1, 2), "AB24": (0, 1, 2)}
"""The positions of red, green and blue in the four bytes of a pixel."""


def frame_arrived(surface: pygame.Surface) -> bool | None:
    """Return whether a lit screen shows ``surface``; None if unknown: no bare panel, or an unknown pixel format."""
    descriptor = card()
    if descriptor is None:
        return None
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            shown = [each for each in scanned_out(descriptor) if each.fourcc in _FORMATS]
        except OSError:
            return None
        if any(alike(surface, each) for each in shown):
            return True
        if time.monotonic() > until:
            return False if shown else None
        time.sleep(_LOOK_S)


def alike(surface: pygame.Surface, shown: Scanout) -> bool:
    """Return whether both have the same mean colour, which does not depend on the order of the buffer's pixels."""
    pitch = len(shown.pixels) // shown.height
    buffer = pygame.image.frombuffer(shown.pixels, (pitch // 4, shown.height), "RGBA").subsurface((0, 0, shown.width, shown.height))
    found, drawn = pygame.transform.average_color(buffer), pygame.transform.average_color(surface)
    return all(abs(found[place] - drawn[colour]) <= 1 + _OFF * drawn[colour] for colour, place in enumerate(_FORMATS[shown.fourcc]))
