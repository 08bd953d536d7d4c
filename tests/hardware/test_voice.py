"""A real espeak-ng renders; without it these tests fail, since CI installs it (.ci/setup)."""

from __future__ import annotations

import threading
from array import array
from contextlib import closing
from pathlib import Path

import pytest

from appliance.errors import SoundUnavailable
from appliance.texts import languages, voice_of
from hardware import voice
from hardware.tones import RATE, Tones
from hardware.voice import GAP_S, LEAD_S, Voice, check_voice, joined, render
from rules.side import BySide
from tests.processes import PATIENCE_S, until

LOUD = 2000


@pytest.mark.parametrize("language", languages())
def test_each_language_has_a_voice_whose_clips_are_as_long_as_speech_and_loud(language: str) -> None:
    clip, longer = (render(voice_of(language), text, 50) for text in ("21", "21, 21, 21, 21"))
    assert 0.3 < len(clip) / RATE < 2
    assert len(longer) > 2.5 * len(clip)
    assert max(map(abs, clip)) > LOUD
    assert sum(abs(level) > LOUD / 10 for level in clip) > len(clip) / 4


def test_half_the_volume_is_half_as_loud() -> None:
    quiet, loud = (max(map(abs, render("en-gb", "stopped", volume))) for volume in (25, 50))
    assert 0.4 < quiet / loud < 0.6


def test_clips_follow_each_other_with_a_silence_before_each() -> None:
    lead, gap = round(LEAD_S * RATE), round(GAP_S * RATE)
    said = joined((array("h", [5]), array("h", [6, 7])))
    assert [place for place, level in enumerate(said) if level] == [lead, lead + 1 + gap, lead + 2 + gap]


def test_a_machine_without_the_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_voice("ca").found == "espeak-ng speaks Català"
    monkeypatch.setattr(voice, "ENGINE", "no-such-engine")
    with pytest.raises(
        SoundUnavailable, match=r"no-such-engine with the voice en-gb, found .* Install it: sudo apt install no-such-engine"
    ):
        render("en-gb", "ready", 50)
    assert check_voice("en").fix == "Install it: sudo apt install no-such-engine."


def test_a_voice_without_an_engine_reports_it_and_one_that_comes_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as missing, closing(Voice(50)) as speaker:
        missing.setattr(voice, "ENGINE", "no-such-engine")
        speaker.prepare("en-gb", ("ready", "stopped"))
        until(lambda: speaker.trouble is not None)
        missing.undo()
        speaker.prepare("en-gb", ("ready",))
        until(lambda: speaker.trouble is None)


def test_an_utterance_that_another_supersedes_before_it_is_ready_is_never_heard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(tmp_path / "heard"))
    begun, goes_on, levels = threading.Event(), threading.Event(), {"first": 1000, "second": 2000}

    def slow(_: str, text: str, volume: int) -> array[int]:
        begun.set()
        assert goes_on.wait(PATIENCE_S)
        return array("h", [levels[text] * volume // 50] * 999)

    def heard() -> array[int]:
        content = (tmp_path / "heard").read_bytes()
        return array("h", content[: len(content) // 4 * 4])

    monkeypatch.setattr(voice, "render", slow)
    with closing(Tones({}, "", 50)) as tones, closing(Voice(50)) as speaker:
        tones.open()
        left = BySide(left=True, right=False)
        speaker.say(left, "en-gb", ("first",))
        assert begun.wait(PATIENCE_S)
        speaker.say(left, "en-gb", ("second",))
        goes_on.set()
        until(lambda: heard().count(levels["second"]) == 999, "the second one")
    assert {*heard()[0::2]} == {0, levels["second"]}
    assert {*heard()[1::2]} == {0}
