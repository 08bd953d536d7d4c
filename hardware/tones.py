"""Tones on the sound card, rendered when it opens and played by SDL's mixer in a thread of its own: nothing waits for a sound."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from math import pi, sin
from typing import Final

import pygame

from appliance.errors import SoundUnavailable
from hardware.buttons.board_pins import Melody
from rules.side import BySide, Side

RATE: Final = 22_050
LATENCY: Final = 512
"""Samples that the mixer plays at a time, 23 ms: so late a sound begins at most, and so often the card wakes the machine."""
LOUDEST: Final = 0.8 * 32_767
EDGE_S: Final = 0.005
"""A tone swells and fades so long, or it would click."""


def samples(melody: Melody, volume: int) -> array[int]:
    """Return a melody as 16-bit samples of one channel, at ``volume`` percent."""
    return array("h", (round(level * LOUDEST * volume / 100) for hz, ms in melody for level in _tone(hz, RATE * ms // 1000)))


def _tone(hz: int, count: int) -> Iterator[float]:
    edge = RATE * EDGE_S
    return (sin(2 * pi * hz * each / RATE) * min(1.0, each / edge, (count - each) / edge) for each in range(count))


def for_ears(mono: array[int], ears: BySide[bool]) -> array[int]:
    both = array("h", bytes(4 * len(mono)))
    for channel, (_, heard) in enumerate(ears.items()):
        if heard:
            both[channel::2] = mono
    return both


class Tones:
    """A sound card; silent until ``open``."""

    def __init__(self, melodies: Mapping[str, Melody], device: str, volume: int) -> None:
        self._melodies, self._device, self._volume = melodies, device, volume
        self._sounds: dict[tuple[str, Side | None], pygame.mixer.Sound] = {}

    def open(self) -> None:
        """Raises SoundUnavailable."""
        import pygame.mixer  # noqa: PLC0415 - a program that starts leaves it out (appliance.process)

        try:
            pygame.mixer.init(RATE, -16, 2, LATENCY, self._device or None, allowedchanges=0)
        except pygame.error as error:
            raise SoundUnavailable(
                expected="a sound card to play on", found=str(error), remedy="Connect it, or correct its name in the settings"
            ) from error
        for name, melody in self._melodies.items():
            mono = samples(melody, self._volume)
            for side in (None, *Side):
                heard = BySide(*(side in (None, each) for each in Side))
                self._sounds[name, side] = pygame.mixer.Sound(buffer=for_ears(mono, heard).tobytes())

    def play(self, name: str, side: Side | None) -> None:
        """Play a melody to that player's ear, or to both; while the card is not open, nothing."""
        if self._sounds:
            self._sounds[name, side].play()

    def close(self) -> None:
        self._sounds.clear()
        # False: it was never loaded.
        if pygame.mixer:
            pygame.mixer.quit()
