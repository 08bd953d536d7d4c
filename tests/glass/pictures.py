"""Pictures of the panel: taken, compared, and kept for looking at, in a folder a test below ``build/glass/``."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pygame

from tests.machine.python import ROOT

LIT: Final = 0.995
"""More of a picture is black: that line takes a fifth of the rest."""
KEPT: Final = ROOT / "build" / "glass"


@dataclass(frozen=True, slots=True)
class Picture:
    size: tuple[int, int]
    rgb: bytes = field(repr=False)
    """Three bytes a pixel."""

    @classmethod
    def load(cls, file: Path) -> Picture:
        surface = pygame.image.load(file)
        return cls(surface.get_size(), pygame.image.tobytes(surface, "RGB"))

    @property
    def surface(self) -> pygame.Surface:
        return pygame.image.frombytes(self.rgb, self.size, "RGB")

    @property
    def black(self) -> bool:
        """Whether the panel is black, or off: then QEMU writes a line of small letters on black."""
        return self.rgb.count(0) > LIT * len(self.rgb)

    def turned(self, degrees: int) -> Picture:
        surface = pygame.transform.rotate(self.surface, -degrees)
        return Picture(surface.get_size(), pygame.image.tobytes(surface, "RGB"))

    def save(self, file: Path) -> None:
        pygame.image.save(self.surface, file)

    def differs(self, other: Picture) -> Picture:
        """Return where another picture of the same size differs: white there, black elsewhere."""
        pairs = zip(range(0, len(self.rgb), 3), range(3, len(self.rgb) + 3, 3), strict=True)
        return Picture(self.size, b"".join(b"\xff\xff\xff" if self.rgb[a:b] != other.rgb[a:b] else b"\0\0\0" for a, b in pairs))


class Album:
    """The pictures of one test, in its own folder, which is emptied first. A picture that is the same as the one before is not kept twice."""

    def __init__(self, name: str) -> None:
        self.folder = KEPT / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self._begun = time.monotonic()
        self._count = 0
        self.last: Picture | None = None

    def add(self, picture: Picture, name: str = "") -> None:
        """Keep a picture. Its file's name has its number, and the seconds since the first."""
        if picture != self.last or name:
            self._count += 1
            seconds = time.monotonic() - self._begun
            picture.save(self.folder / f"{self._count:03}-{seconds:06.1f}s{'-' if name else ''}{name}.png")
            self.last = picture

    def keep_difference(self, found: Picture, expected: Picture, name: str) -> str:
        found.save(self.folder / f"{name}-found.png")
        expected.save(self.folder / f"{name}-expected.png")
        if found.size == expected.size:
            found.differs(expected).save(self.folder / f"{name}-difference.png")
        return f"look at {self.folder / name}-found.png, -expected.png and -difference.png"
