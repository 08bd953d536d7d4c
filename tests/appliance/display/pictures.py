"""Golden pictures: the actual one is compared with the kept one, and written beside the report where they differ."""

import os
import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pygame

RENEW = "TILECLOCK_UPDATE_GOLDEN"
COLOURS = 256
PICTURED_IN = ("en", "fr", "es")
"""The languages that golden pictures take in turn. A language more changes no picture: the tests of legibility measure it."""
TOLERATED = 0.35
"""Mean difference of a colour channel, of 255: what another processor's rounding may make."""


def difference(one: pygame.Surface, other: pygame.Surface) -> float:
    return _mean(difference_of(one, other))


def difference_of(one: pygame.Surface, other: pygame.Surface) -> pygame.Surface:
    less, more = one.copy(), other.copy()
    less.blit(other, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    more.blit(one, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    less.blit(more, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    return less


def _mean(surface: pygame.Surface) -> float:
    data = pygame.image.tobytes(surface, "RGB")
    # Nearly all differences are 0: without them the sum is several times as fast.
    return sum(data.translate(None, b"\0")) / len(data)


def compare(name: str, actual: pygame.Surface, scratch: Path, folder: Path) -> str:
    """Return what is wrong with ``actual``, empty where it is the picture kept in ``folder``."""
    path = folder / f"{name}.png"
    written = scratch / f"{name}.png"
    if not path.exists():
        pygame.image.save(actual, written)
        return f"no picture is kept as {path.name}: look at {written}, then {RENEW}=1"
    kept = pygame.image.load(path)
    if kept.get_size() != actual.get_size():
        return f"{name} is {actual.get_size()}, kept is {kept.get_size()}"
    found = difference(plain(actual), plain(kept))
    if found <= TOLERATED:
        return ""
    pygame.image.save(actual, written)
    return f"{name} differs by {found:.2f}, tolerated is {TOLERATED}: compare {written}, renew with {RENEW}=1"


def renew(name: str, actual: pygame.Surface, folder: Path) -> None:
    """Keep ``actual`` in ``folder``, where the environment asks for it."""
    if os.environ.get(RENEW) == "1":
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.png").write_bytes(_packed(actual))


def _packed(surface: pygame.Surface) -> bytes:
    """Return a PNG of 256 colours, a third as large as pygame's: what is rarer is edges of letters, and hardly differs from its neighbour in the palette."""
    width, height = surface.get_size()
    data = pygame.image.tobytes(surface, "RGB")
    pixels = list(zip(data[::3], data[1::3], data[2::3], strict=True))
    counted = Counter(pixels)
    palette = [colour for colour, _ in counted.most_common(COLOURS)]
    number = {colour: index for index, colour in enumerate(palette)}
    number |= {colour: _nearest(colour, palette) for colour in counted if colour not in number}
    found = bytes(map(number.__getitem__, pixels))
    rows = b"".join(b"\0" + found[start : start + width] for start in range(0, len(found), width))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(chain.from_iterable(palette))),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)


def _nearest(colour: tuple[int, ...], palette: Sequence[tuple[int, ...]]) -> int:
    return min(range(len(palette)), key=lambda index: sum((one - other) ** 2 for one, other in zip(colour, palette[index], strict=True)))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def plain(surface: pygame.Surface) -> pygame.Surface:
    plain = pygame.Surface(surface.get_size(), depth=24)
    plain.blit(surface, (0, 0))
    return plain
