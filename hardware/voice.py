"""A voice on the sound card that the tones have opened: espeak-ng renders its clips in a thread of their own, the likely ones ahead of time.

Nothing waits for a word. What a newer utterance for the same ears supersedes before it sounds is never heard, and what sounds then ends.
"""

from __future__ import annotations

import subprocess
from array import array
from collections import deque
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from appliance.errors import Finding, SoundUnavailable, error_finding, ok
from appliance.texts import language_names, voice_of
from faults.errors import Phrase
from hardware.driver import Driver
from hardware.tones import RATE, for_ears
from rules.side import BySide

ENGINE: Final = "espeak-ng"
LEAD_S: Final = 0.15
"""A tone of the same instant comes first."""
GAP_S: Final = 0.1
KEPT: Final = 600
PAUSE_S: Final = 0.1
"""Between two clips that are rendered ahead: the processor is the clock's."""
_HEADER: Final = 44
_LONGEST_S: Final = 10


def render(voice: str, text: str, volume: int) -> array[int]:
    """Return ``text`` as samples of one channel, at ``volume`` percent. Raises SoundUnavailable."""
    # Twice the percents: the engine's usual loudness, 100 of 200, is that of the tones at 50.
    command = (ENGINE, "-v", voice, "-a", str(2 * volume), "-b", "1", "-z", "--stdin", "--stdout")
    try:
        spoken = subprocess.run(command, input=text.encode(), capture_output=True, check=True, timeout=_LONGEST_S)  # noqa: S603 - no shell, and the text is its input
    except (OSError, subprocess.SubprocessError) as error:
        raise SoundUnavailable(
            expected=Phrase("the speech engine {engine} with the voice {voice}", engine=ENGINE, voice=voice),
            found=str(error),
            remedy=Phrase("Install it: sudo apt install {package}", package=ENGINE),
        ) from error
    return array("h", spoken.stdout[_HEADER:])


def check_voice(language: str) -> Finding:
    try:
        render(voice_of(language), "", 50)
    except SoundUnavailable as error:
        return error_finding("speech", error)
    return ok("speech", Phrase("{engine} speaks {language}", engine=ENGINE, language=language_names()[language]))


def joined(clips: Iterable[array[int]]) -> array[int]:
    samples = _silence(LEAD_S)
    for each in clips:
        samples += each + _silence(GAP_S)
    return samples


def _silence(seconds: float) -> array[int]:
    return array("h", bytes(2 * round(RATE * seconds)))


class _Utterance(Struct, frozen=True):
    voice: str
    clips: tuple[str, ...]


class Voice(Driver):
    def __init__(self, volume: int) -> None:
        self._clip = lru_cache(KEPT)(partial(render, volume=volume))
        self._wanted: dict[BySide[bool], _Utterance] = {}
        self._ahead: deque[_Utterance] = deque()
        super().__init__("voice", None, SoundUnavailable, Phrase("the thread of the voice to run"))

    def prepare(self, voice: str, clips: Iterable[str]) -> None:
        """Render ``clips`` while there is nothing to say."""
        with self._wake:
            self._ahead = deque(_Utterance(voice, (each,)) for each in clips)
            self._wake.notify()

    def say(self, ears: BySide[bool], voice: str, clips: tuple[str, ...]) -> None:
        with self._wake:
            self._wanted[ears] = _Utterance(voice, clips)
            self._wake.notify()

    def _drive(self) -> None:
        while not self._closing:
            with self._wake:
                if not (self._closing or self._wanted):
                    self._wake.wait(PAUSE_S if self._ahead else None)
                ears = next(iter(self._wanted), None)
                said = self._wanted.pop(ears) if ears is not None else self._ahead.popleft() if self._ahead else None
            if said is not None:
                self._speak(ears, said)

    def _speak(self, ears: BySide[bool] | None, said: _Utterance) -> None:
        import pygame.mixer  # noqa: PLC0415 - a program that starts leaves it out (appliance.process)

        try:
            samples = joined(self._clip(said.voice, each) for each in said.clips)
        except SoundUnavailable as error:
            self._set_trouble(error)
            return
        self._set_trouble(None)
        if ears is None or ears in self._wanted or pygame.mixer.get_init() is None:
            return
        # No tone takes the channels of the left ear, the right one, and both.
        pygame.mixer.set_reserved(3)
        pygame.mixer.Channel(ears.left + 2 * ears.right - 1).play(pygame.mixer.Sound(buffer=for_ears(samples, ears).tobytes()))
