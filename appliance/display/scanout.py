"""Reads the frame buffer that each lit screen shows now, through the card that SDL has opened.

The kernel gives the buffer to the card's master, here the program that draws, even unprivileged. It is the last memory before the cable. Kernel structures:
include/uapi/drm/drm.h and drm_mode.h. A buffer may be tiled, so compare only what does not depend on the order of pixels.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Scanout:
    """A frame buffer on a lit screen."""

    width: int
    height: int
    fourcc: str
    """The format of its pixels, such as XR24 (32 bits, blue first)."""
    pixels: bytes
    """All pixels, with the padding between rows."""


def scanned_out(card: int) -> list[Scanout]:
    """Return the frame buffer of each lit screen of ``card``.

    Args:
        card: descriptor of the DRM card, opened by its master.

    Raises:
        OSError: the kernel denies access.
    """
    return [_mapped(card, fb) for fb in _shown(card)]


def _shown(card: int) -> Iterator[int]:
    """Yield the frame buffer ids of lit screens."""
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
