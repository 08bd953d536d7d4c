"""``tilekiosk run`` as a program: ready, told to end, watched by systemd, without a display, with bad settings; and with a printer that is gone."""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest

from game.challenge_log.entry import Kind
from game.challenge_log.reading import reading, verify
from tests.appliance.display.xserver import x_server
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import options, ready, running
from tests.kiosk.shell.rig import entries_in
from tests.processes import PATIENCE_S


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_good_order(tmp_path: Path, asked: signal.Signals) -> None:
    with ready(tmp_path, *options(tmp_path), SDL_VIDEODRIVER="dummy") as station:
        station.send_signal(asked)
        said, errors = station.communicate(timeout=PATIENCE_S)
    assert station.returncode == 0, errors
    assert "stopped" in said
    started, stopped = entries_in(tmp_path / "station.db")
    assert (started.kind, stopped.kind, stopped.why) == (Kind.STARTED, Kind.STOPPED, "by a signal")


@pytest.fixture
def notified(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(str(tmp_path / "notify"))
        notified.settimeout(PATIENCE_S)
        yield notified


def test_a_signal_while_the_first_list_is_read_ends_it_there(tmp_path: Path, notified: socket.socket) -> None:
    more = options(tmp_path)
    # Some tenths of a second to read.
    made(tmp_path / "list.dawg", tuple(map("".join, product("ABCDEFGHIJKL", repeat=5))))
    with running("run", *more, SDL_VIDEODRIVER="dummy", NOTIFY_SOCKET=str(tmp_path / "notify")) as station:
        assert notified.recv(100) == b"EXTEND_TIMEOUT_USEC=180000000"
        station.terminate()
        _, errors = station.communicate(timeout=PATIENCE_S)
    notified.setblocking(False)
    with pytest.raises(BlockingIOError):
        notified.recv(100)
    assert (station.returncode, errors) == (0, "")
    assert entries_in(tmp_path / "station.db") == []
    with ready(tmp_path, *more, SDL_VIDEODRIVER="dummy"):
        assert [entry.kind for entry in entries_in(tmp_path / "station.db")] == [Kind.STARTED]


def test_it_beats_for_systemds_watchdog_while_nobody_does_anything(tmp_path: Path, notified: socket.socket) -> None:
    environment = {"SDL_VIDEODRIVER": "dummy", "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    with running("run", *options(tmp_path), **environment):
        heard = [notified.recv(100) for _ in range(7)]
    assert heard[0].startswith(b"EXTEND_TIMEOUT_USEC=")
    assert b"READY=1" in heard
    assert heard.count(b"WATCHDOG=1") == 5


def test_without_a_display_it_ends_with_a_sentence_and_exit_code_2(tmp_path: Path) -> None:
    with running("run", *options(tmp_path)) as station:
        said, errors = station.communicate(timeout=PATIENCE_S)
    assert (station.returncode, said) == (2, "")
    assert errors.startswith("tilekiosk: expected a display")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--rulebook nowhere.toml", "nowhere.toml"),
        ("--rulebook nix", "tilekiosk: expected a rulebook ("),
        ("--language tlh", "expected a language"),
        # Also where no pins are named.
        ("--board nothing", "expected a shipped board"),
        ("--board nothing --pins mock", "expected a shipped board"),
        ("--settings nowhere.toml", "nowhere.toml"),
        ("--width 7", "screen.width"),
    ],
)
def test_bad_settings_are_one_sentence_and_exit_code_2(tmp_path: Path, arguments: str, said: str) -> None:
    with running("run", *options(tmp_path), *arguments.split(), SDL_VIDEODRIVER="dummy") as station:
        output, errors = station.communicate(timeout=PATIENCE_S)
    assert (station.returncode, output, errors.count("\n")) == (2, "", 1)
    assert said in errors


@pytest.mark.parametrize(
    ("option", "file", "said"), [("--lexicon", "nowhere.dawg", "nothing is judged"), ("--printer", "ttyNone", "slip printer")]
)
def test_a_lexicon_or_a_printer_that_is_not_there_is_a_warning_that_says_why(tmp_path: Path, option: str, file: str, said: str) -> None:
    with ready(tmp_path, *options(tmp_path, option, str(tmp_path / file)), SDL_VIDEODRIVER="dummy") as station:
        station.terminate()
        output, errors = station.communicate(timeout=PATIENCE_S)
    assert station.returncode == 0, errors
    (line,) = [line for line in (output + errors).splitlines() if said in line]
    assert "warning" in line
    assert file in line


def test_a_display_that_is_lost_ends_it_for_systemd_to_start_it_again_and_the_log_is_whole(tmp_path: Path) -> None:
    with ExitStack() as server:
        display = server.enter_context(x_server(tmp_path))
        with ready(tmp_path, *options(tmp_path), DISPLAY=display) as station:
            server.close()
            station.communicate(timeout=PATIENCE_S)
    assert station.returncode not in (0, None)
    assert entries_in(tmp_path / "station.db")[0].kind is Kind.STARTED
    with ready(tmp_path, *options(tmp_path), SDL_VIDEODRIVER="dummy"), reading(tmp_path / "station.db") as connection:
        assert verify(connection).fault is None
