"""What the sound card was given, as 16-bit samples in a file: the tones in a channel, and when a sound has ended."""

from __future__ import annotations

from array import array
from itertools import groupby
from pathlib import Path
from typing import Final

import pygame
import pytest

from hardware.buttons.board_pins import Melody
from hardware.tones import RATE
from tests.processes import until

QUIET: Final = 40
"""An inaudible level of 16-bit samples: where a tone begins to swell."""
TOLERANCE_MS: Final = 6
EDGE_MS: Final = TOLERANCE_MS + 4
"""Of each tone, beside the part whose pitch is measured."""


def require_melodies(channel: array[int], *melodies: Melody) -> None:
    """Require that a channel has these melodies one after the other, each tone with its pitch and length, and nothing else."""
    runs = [[*run] for melody in melodies for sounds, run in groupby(melody, lambda tone: tone[0] > 0) if sounds]
    heard = _loud(channel)
    assert [len(samples) * 1000 // RATE for samples in heard] == pytest.approx([sum(ms for _, ms in run) for run in runs], abs=TOLERANCE_MS)
    for samples, run in zip(heard, runs, strict=True):
        begin = 0
        for hz, ms in run:
            assert abs(_pitch(samples[RATE * (begin + EDGE_MS) // 1000 : RATE * (begin + ms - EDGE_MS) // 1000]) - hz) <= hz * 0.01
            begin += ms


def _loud(channel: array[int]) -> list[array[int]]:
    """Return each part of a channel without a silence: the tones that follow each other at once."""
    loud = [place for place, level in enumerate(channel) if abs(level) > QUIET]
    # A period of the lowest tone has no longer gap.
    gap, found, begin = RATE // 100, [], 0
    for place in range(1, len(loud) + 1):
        if place == len(loud) or loud[place] - loud[place - 1] > gap:
            found.append(channel[loud[begin] : loud[place - 1] + 1])
            begin = place
    return found if loud else []


def _pitch(samples: array[int]) -> float:
    crossed = [place for place in range(1, len(samples)) if (samples[place - 1] < 0) != (samples[place] < 0)]
    return (len(crossed) - 1) * RATE / 2 / (crossed[-1] - crossed[0])


def written(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def rest(file: Path) -> None:
    """Wait for the end of the sound, and a quarter of a second of silence after it."""
    until(lambda: not pygame.mixer.get_busy(), "the end of the sound")
    before = written(file)
    until(lambda: written(file) > before + RATE, "a silence after it")
