from __future__ import annotations

import os
import subprocess
import sys
from array import array
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Final

import pygame
import pytest

from appliance.errors import SoundUnavailable
from firmware.face.cues import MELODIES
from hardware.tones import RATE, Melody, Tones, for_ears, samples
from rules.side import BySide, Side
from tests.processes import until

PAIR: Melody = ((880, 120), (0, 80), (440, 200))
QUIET = 40
"""A level of 16-bit samples that nobody hears: where a tone begins to swell."""
TOLERANCE_MS = 6


def _tones(channel: array[int]) -> list[tuple[int, int]]:
    """Return each tone in a channel as (pitch in Hz, length in ms): the zeros that it crosses, and where it is louder than ``QUIET``."""
    loud = [place for place, level in enumerate(channel) if abs(level) > QUIET]
    # A period of the lowest tone has no longer gap.
    gap, tones, begin = RATE // 100, [], 0
    for place in range(1, len(loud) + 1):
        if place == len(loud) or loud[place] - loud[place - 1] > gap:
            tones.append(channel[loud[begin] : loud[place - 1] + 1])
            begin = place
    return [_measured(tone) for tone in tones] if loud else []


def _measured(tone: array[int]) -> tuple[int, int]:
    crossed = [place for place in range(1, len(tone)) if (tone[place - 1] < 0) != (tone[place] < 0)]
    pitch = (len(crossed) - 1) * RATE / 2 / (crossed[-1] - crossed[0])
    return round(pitch), round(len(tone) * 1000 / RATE)


def _require(found: list[tuple[int, int]], melody: Melody) -> None:
    sounding = [(hz, ms) for hz, ms in melody if hz]
    assert len(found) == len(sounding)
    for (pitch, length), (hz, ms) in zip(found, sounding, strict=True):
        assert abs(pitch - hz) <= hz * 0.01
        assert abs(length - ms) <= TOLERANCE_MS


def test_each_tone_has_its_pitch_and_length_and_no_step_that_clicks() -> None:
    rendered = samples(PAIR, 50)
    _require(_tones(rendered), PAIR)
    assert abs(len(rendered) * 1000 / RATE - 400) < 1
    steps = [abs(after - before) for before, after in pairwise(rendered)]
    assert max(steps) < 0.8 * 32_767 * 0.5 * 2 * 3.15 * 880 / RATE
    assert max(map(abs, samples(PAIR, 100))) > 1.9 * max(map(abs, rendered))


def test_an_ear_that_is_not_to_hear_it_has_silence() -> None:
    assert for_ears(array("h", [5, -7]), BySide(left=True, right=False)) == array("h", [5, 0, -7, 0])
    assert for_ears(array("h", [5, -7]), BySide(left=False, right=True)) == array("h", [0, 5, 0, -7])


def test_without_a_card_the_sound_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    with closing(Tones({}, "", 50)) as tones, pytest.raises(SoundUnavailable, match="Connect it, or correct"):
        tones.open()
    tones.play("turn", None)


def test_each_players_sound_is_in_that_players_ear_alone_and_both_hear_what_is_for_both(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # SDL's driver that writes to a file what a card would be given, sample by sample.
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(tmp_path / "heard"))
    melodies = {cue.value: melody for cue, melody in MELODIES.items()}
    with closing(Tones(melodies, "", 50)) as tones:
        tones.open()
        for name, side in (("two minutes", Side.LEFT), ("turn", Side.RIGHT), ("zero", None)):
            tones.play(name, side)
            until(lambda: not pygame.mixer.get_busy(), "the end of the sound")
            written = (tmp_path / "heard").stat().st_size
            until(lambda written=written: (tmp_path / "heard").stat().st_size > written + RATE, "a silence after it")  # type: ignore[misc] # a default of its own
    heard = array("h", (tmp_path / "heard").read_bytes())
    left, right = _tones(heard[0::2]), _tones(heard[1::2])
    _require(left, (*melodies["two minutes"], *melodies["zero"]))
    _require(right, (*melodies["turn"], *melodies["zero"]))


STARTS: Final = """
import sys
from appliance.process import fast_startup, startup_done

@fast_startup
def verb():
    import pygame
    from hardware.tones import Tones
    tones = Tones({"turn": ((440, 20),)}, "", 50)
    tones.close()
    assert sys.modules["pygame.mixer"] is None
    startup_done()
    tones.open()
    tones.play("turn", None)
    assert pygame.mixer.get_busy()
    tones.close()
    assert pygame.mixer.get_init() is None

verb()
"""


def test_a_program_starts_without_the_mixer_and_sounds_all_the_same() -> None:
    subprocess.run([sys.executable, "-c", STARTS], env={**os.environ, "SDL_AUDIODRIVER": "dummy"}, check=True)
