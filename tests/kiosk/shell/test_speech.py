"""A station that speaks, as a sound card gets it: SDL's driver writes each sample to a file."""

from __future__ import annotations

from array import array
from pathlib import Path

import pygame
import pytest

from hardware.tones import RATE
from hardware.voice import Voice
from rules.side import BySide
from tests.kiosk.shell.rig import PIN, rig
from tests.processes import until

pytestmark = pytest.mark.usefixtures("dummy_display")
QUIET = 40


def _spoken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[BySide[bool], str, tuple[str, ...]]]:
    spoken: list[tuple[BySide[bool], str, tuple[str, ...]]] = []
    say = Voice.say

    def noted(it: Voice, ears: BySide[bool], voice: str, clips: tuple[str, ...]) -> None:
        spoken.append((ears, voice, clips))
        say(it, ears, voice, clips)

    monkeypatch.setattr(Voice, "say", noted)
    return spoken


def test_a_letter_is_heard_by_both_players_in_their_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    file = tmp_path / "heard"
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(file))
    spoken = _spoken(monkeypatch)
    with rig(tmp_path, speech__enabled=True) as station:
        some = station.loop._speech
        assert some is not None
        some.open(station.loop.station)
        station.tap("language.fr")
        station.begun()
        station.tap("Q")
        until(lambda: file.stat().st_size > 8 * RATE and not pygame.mixer.get_busy(), "two seconds")
        until(lambda: any(abs(level) > QUIET for level in _samples(file)), "a sound")
    assert spoken[-1] == (BySide.both(value=True), "fr", ("Q",))
    heard = _samples(file)
    assert heard[0::2] == heard[1::2]


def _samples(file: Path) -> array[int]:
    content = file.read_bytes()
    return array("h", content[: len(content) // 4 * 4])


def test_the_directors_pages_are_silent_and_a_silent_station_opens_no_voice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spoken = _spoken(monkeypatch)
    with rig(tmp_path, speech__enabled=True, **PIN) as station:
        station.opened()
        assert station.page == "desk.menu"
        assert spoken == []
    with rig(tmp_path) as station:
        assert station.loop._speech is None


def test_a_station_without_a_sound_card_judges_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    with rig(tmp_path, speech__enabled=True) as station:
        assert station.loop._speech is not None
        station.loop._speech.open(station.loop.station)
        assert "ACCEPTABLE" in station.judged("TILE")
