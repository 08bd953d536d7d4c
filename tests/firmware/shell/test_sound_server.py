"""Sounds as the ears get them from a real sound server: a clock plays on PulseAudio's null sink, at the rate of a usual card, whose monitor is recorded."""

from __future__ import annotations

import socket
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from firmware.face.cues import MELODIES, Cue
from firmware.hall.orders import HallState
from hardware.tones import RATE
from hardware.voice import LEAD_S
from rules.duration import NS
from rules.side import BySide
from tests.firmware.saying import own_rulebook
from tests.firmware.shell.rig import LONG_NS, Rig, Step, rig
from tests.firmware.shell.test_speech import NOTHING, SPOKEN_S, listening_to
from tests.hardware.hearing import require_melodies, rest, written
from tests.installed import require
from tests.processes import running, until

BUFFER_MS = 300
"""More than a clock asks for: a busy machine must not tear a tone."""
FOLLOWS_S = 2.0
"""So long after a press its tone is in the recording at most: without the longer buffer and on a machine at rest it takes some 50 ms."""
LIMITED = '[regulation]\ntime = "2:10"\nclause = "ours"\n[turn]\nseconds = 60\nwarnings = [20]'


@contextmanager
def _recorded(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[tuple[Popen[str], Path]]:
    """Give a sound server that SDL plays on, and the file with what it has played, a sample of the left and of the right ear by turns."""
    require("pulseaudio", "parec")
    address, heard = folder / "server", folder / "heard"
    own = {key: str(folder) for key in ("HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH")}
    client = {"PULSE_SERVER": f"unix:{address}", "PULSE_COOKIE": str(folder / "cookie")}
    modules = ("module-null-sink sink_name=ears rate=48000 channels=2 norewinds=1", f"module-native-protocol-unix socket={address}")
    server = ("pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no", "--disable-shm")
    recorder = ("parec", "--device=ears.monitor", f"--rate={RATE}", "--channels=2", "--format=s16le", "--latency-msec=20", str(heard))
    for key, value in {**client, "SDL_AUDIODRIVER": "pulseaudio", "PULSE_LATENCY_MSEC": str(BUFFER_MS)}.items():
        monkeypatch.setenv(key, value)
    # No bus: a desktop's own server keeps its name on it.
    with running((*server, *(f"--load={each}" for each in modules)), **own, DBUS_SESSION_BUS_ADDRESS="unix:path=/none") as process:
        until(lambda: _listens(address), "the sound server")
        with running(recorder, **own):
            until(lambda: written(heard) > 0, "a recording")
            yield process, heard


def _listens(address: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(address)) == 0


def _channels(heard: Path) -> BySide[array[int]]:
    content = heard.read_bytes()
    samples = array("h", content[: len(content) // 4 * 4])
    return BySide(samples[0::2], samples[1::2])


def _followed(table: Rig, heard: Path, delays: list[float], seconds: str, button: str) -> list[Step]:
    """Return the steps of a press, after which the instant is noted at which its tone is in the recording."""
    begun: list[tuple[int, float]] = []

    def hear() -> None:
        since, pressed = begun[-1]
        until(lambda: any(heard.read_bytes()[since:]), "a tone")
        delays.append(time.monotonic() - pressed)

    begins = (table.at(seconds), lambda: begun.append((written(heard), time.monotonic())))
    return [begins, *table.press(seconds, button), (table.at(seconds) + LONG_NS, hear)]


def _kill(server: Popen[str], heard: Path) -> None:
    """Kill the server once it has played a tone."""
    until(lambda: any(heard.read_bytes()), "a tone")
    server.kill()
    server.wait()


def _require_cues(channel: array[int], *cues: Cue) -> None:
    """Require that an ear had these cues in this order, and nothing else."""
    require_melodies(channel, *(MELODIES[each] for each in cues))


@pytest.mark.waits(9)
def test_each_ear_has_the_cues_of_its_player_with_pitch_and_length_and_nothing_of_the_opponents(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    delays: list[float] = []
    with (
        _recorded(monkeypatch, tmp_path) as (_, heard),
        rig(tmp_path, sound__output="earphones", rulebook=own_rulebook(tmp_path, LIMITED)) as table,
    ):
        # Between two cues, for they would sound at once: the script's time does not wait for them.
        rests = [
            (table.at(at), lambda: rest(heard))
            for at in ("8", "20", "30", "50", "68", "75", "85", "115", "135", "210", "261", "265", "265.5")
        ]
        turns = (_followed(table, heard, delays, "5", "right"), _followed(table, heard, delays, "70", "left"))
        hold = table.press("10", "right", held=LONG_NS)
        stop = [(table.at("262"), lambda: setattr(table.clock, "hall", HallState(stop="Fire")))]
        table.play(*turns, hold, rests, stop, until="266")
        ears = _channels(heard)
    _require_cues(ears.left, Cue.TURN, Cue.TWO_MINUTES, Cue.WINDOW, Cue.TURN_WARNING, Cue.TURN_OVER, Cue.CALL)
    _require_cues(ears.right, Cue.WINDOW, Cue.TURN, Cue.TWO_MINUTES, Cue.TURN_WARNING, Cue.TURN_OVER, Cue.ZERO, Cue.OVERTIME, Cue.CALL)
    assert max(delays) < FOLLOWS_S


def test_words_are_in_the_ear_of_the_player_who_asked_and_the_opponents_is_silent_until_the_own_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with _recorded(monkeypatch, tmp_path) as (_, heard), listening_to(heard, monkeypatch, tmp_path) as hearing:
        table = hearing.table
        marks = [hearing.mark(each, each) for each in ("4", "6", "8")]
        table.play(*marks, table.press("5", "right"), table.press("7", "left"), until="9")
        begins, moves = (hearing.heard(each) for each in ("4", "6"))
    assert begins.left[1] > SPOKEN_S
    assert begins.right == NOTHING
    # The words come after the tone of the same press.
    assert 0.9 * LEAD_S < moves.left[0] - moves.right[0] < FOLLOWS_S
    assert moves.left[1] > SPOKEN_S
    assert 0 < moves.right[1] < SPOKEN_S


def test_a_clock_plays_on_when_the_sound_server_dies_and_notes_at_its_next_start_that_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with _recorded(monkeypatch, tmp_path) as (server, heard):
        with rig(tmp_path, sound__output="earphones") as table:
            killed = [(table.at("6"), lambda: _kill(server, heard))]
            table.play(table.press("5", "right"), killed, table.press("65", "left"), table.press("95", "right"), until="100")
            assert table.used() == (60 * NS, 30 * NS)
        with rig(tmp_path, sound__output="earphones") as again:
            again.play(until="1")
            assert [note["given_up"] for note in again.notes() if "given_up" in note] == ["sound"]
