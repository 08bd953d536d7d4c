"""Speech as the ears get it: what SDL's driver writes to a file that a card would be given, sample by sample, while a real clock plays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from faults.errors import TileclockError
from firmware.settings import merge
from firmware.shell import speech
from hardware import boards, voice
from hardware.tones import RATE
from hardware.voice import LEAD_S, Voice
from rules.side import BySide, Side
from tests.firmware.shell.rig import Rig, Step, rig
from tests.hardware.hearing import QUIET, rest, written
from tests.processes import until
from tests.some import some

pytestmark = pytest.mark.waits(13)

AHEAD = ("YOUR TURN", "WAITING")
SPOKEN_S = 0.35
"""Longer than any tone that a press makes."""


class Ears:
    """A table whose left player has speech, and what was heard of each step."""

    def __init__(self, table: Rig, file: Path, patch: pytest.MonkeyPatch) -> None:
        self.table, self._file = table, file
        self._since: dict[str, int] = {}
        self._speaking = False
        self._speak = Voice._speak
        patch.setattr(Voice, "_speak", lambda _, *said: self._speaks(*said))

    def _speaks(self, *said: Any) -> None:
        self._speaking = True
        self._speak(self.voice, *said)
        self._speaking = False

    @property
    def voice(self) -> Voice:
        return some(self.table.loop._speech)._voice

    def mark(self, name: str, at: str) -> list[Step]:
        """Wait at ``at`` until the voice is silent, and begin another stretch."""
        return [(self.table.at(at), lambda: self._mark(name))]

    def _mark(self, name: str) -> None:
        # Twice: what the thread takes meanwhile is neither waiting nor on a channel for a moment.
        for _ in range(2):
            until(lambda: not (self.voice._ahead or self.voice._wanted or self._speaking), "the end of the speech")
            rest(self._file)
        self._since[name] = written(self._file)

    def heard(self, name: str) -> BySide[tuple[float, float]]:
        """Return, of the stretch that begins with that mark, when each ear first heard something and for how long until the last, in s; 0 and 0: nothing."""
        names = [*self._since]
        end = self._since[names[names.index(name) + 1]]
        samples = array("h", self._file.read_bytes()[self._since[name] : end])
        return BySide(_loud(samples[0::2]), _loud(samples[1::2]))


def _loud(channel: array[int]) -> tuple[float, float]:
    loud = [place for place, level in enumerate(channel) if abs(level) > QUIET]
    return (loud[0] / RATE, (loud[-1] - loud[0]) / RATE) if loud else (0, 0)


@contextmanager
def listening(monkeypatch: pytest.MonkeyPatch, folder: Path, **settings: Any) -> Iterator[Ears]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(folder / "heard"))
    with listening_to(folder / "heard", monkeypatch, folder, **settings) as ears:
        yield ears


@contextmanager
def listening_to(file: Path, monkeypatch: pytest.MonkeyPatch, folder: Path, **settings: Any) -> Iterator[Ears]:
    """``file``: where the samples are written that the left and the right ear get."""
    # All would take a minute on a busy machine.
    monkeypatch.setattr(speech, "ahead", lambda _: AHEAD)
    with rig(folder, sound__output="earphones", sound__speech=["left"], **settings) as table:
        yield Ears(table, file, monkeypatch)


NOTHING: tuple[float, float] = (0, 0)


def test_the_player_who_asked_hears_each_turn_in_the_own_ear_and_both_ears_are_silent_until_the_opponents_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with listening(monkeypatch, tmp_path) as ears:
        table = ears.table
        marks = [ears.mark(str(at), str(at)) for at in (4, 6, 8, 20, 22)]
        table.play(*marks, table.press("5", "right"), table.press("7", "left"), table.press("21", "right"), until="23")
        heard = [ears.heard(each) for each in ("4", "6", "8", "20")]
    begins, ends, thinks, again = heard
    # A tone, then the words.
    assert begins.left[1] > SPOKEN_S
    assert begins.right == NOTHING
    # The left ear has words and no tone, the right one the tone of its turn alone.
    assert LEAD_S < ends.left[0] < 2
    assert ends.left[1] > SPOKEN_S
    assert 0 < ends.right[1] < SPOKEN_S
    assert thinks == BySide.both(NOTHING)
    assert again.left[1] > SPOKEN_S
    assert again.right == NOTHING


def test_the_own_button_twice_and_the_extra_button_say_the_times_and_the_game_goes_on_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    board = tmp_path / "board.toml"
    board.write_text(
        (Path(boards.__file__).parent / "shipped" / "full.toml").read_text("utf-8")
        + "[buttons.ask_left]\ngpio = 17\n[buttons.ask_right]\ngpio = 27\n",
        "utf-8",
    )
    with listening(monkeypatch, tmp_path, board__file=str(board)) as ears:
        table, spoken, say = ears.table, list[tuple[str, ...]](), Voice.say

        def noted(it: Voice, own: BySide[bool], name: str, clips: tuple[str, ...]) -> None:
            spoken.append(clips)
            say(it, own, name, clips)

        monkeypatch.setattr(Voice, "say", noted)
        twice, asks = (
            (table.press("9", "left"), table.press("9.6", "left")),
            (table.press("13.5", "ask_left"), table.press("14", "ask_right")),
        )
        table.play(ears.mark("twice", "8"), *twice, ears.mark("end", "12"), *asks, table.press("5", "left"), until="15")
        heard = ears.heard("twice")
        running = table.clock.table.history.game.running
    assert heard.left[1] > 3
    assert heard.right == NOTHING
    assert running is Side.RIGHT
    waiting = ("WAITING", "You", "25 minutes", "Your opponent", "24 minutes")
    assert spoken[-2:] == [(*waiting, "56 seconds"), (*waiting, "52 seconds")]


def test_a_clock_without_the_engine_plays_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(voice, "ENGINE", "no-such-engine")
    with listening(monkeypatch, tmp_path) as ears:
        ears.table.play(ears.table.press("5", "right"), until="10")
        running = ears.table.clock.table.history.game.running
        until(lambda: ears.voice.trouble is not None)
    assert running is Side.LEFT


def test_speech_needs_earphones() -> None:
    with pytest.raises(TileclockError, match="no player hears the other's"):
        merge([("test", {"sound.output": "loudspeaker", "sound.speech": ["right"]})])
