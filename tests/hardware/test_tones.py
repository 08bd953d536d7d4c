import os
import subprocess
import sys
from array import array
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from appliance.errors import SoundUnavailable
from firmware.face.cues import MELODIES
from hardware.buttons.board_pins import Melody
from hardware.tones import RATE, Tones, for_ears, samples
from rules.side import BySide, Side
from tests.hardware.hearing import require_melodies, rest

PAIR: Melody = ((880, 120), (0, 80), (440, 200))


def test_each_tone_has_its_pitch_and_length_and_no_step_that_clicks() -> None:
    rendered = samples(PAIR, 50)
    require_melodies(rendered, PAIR)
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
            rest(tmp_path / "heard")
    heard = array("h", (tmp_path / "heard").read_bytes())
    require_melodies(heard[0::2], melodies["two minutes"], melodies["zero"])
    require_melodies(heard[1::2], melodies["turn"], melodies["zero"])


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
