"""``tilekiosk run`` as a program, also on a real X server, locked and full-screen: whole challenges by touch alone and by keyboard alone.

After every step of a challenge the screen is what the pure station says, to the pixel.
"""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from kiosk.cli.main import main
from kiosk.settings import LAYERS
from records.entry import Kind, Way
from records.log import reading, verify
from tests.appliance.display.xserver import picture, x_server, xdotool
from tests.cells import each_cell
from tests.in_process import ran
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import options, ready, running
from tests.kiosk.shell.rig import WORDS, entries_in
from tests.kiosk.shell.twin import Twin
from tests.processes import PATIENCE_S, until

pytestmark = pytest.mark.usefixtures("letters")


def test_a_signal_ends_it_in_good_order(tmp_path: Path) -> None:
    with ready(tmp_path, *options(tmp_path), SDL_VIDEODRIVER="dummy") as station:
        station.send_signal(signal.SIGHUP)
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


BAD_SETTINGS = [
    ("--rulebook nowhere.toml", "nowhere.toml"),
    ("--rulebook nix", "tilekiosk: expected a rulebook ("),
    ("--language tlh", "expected a language"),
    # Also where no pins are named.
    ("--board nothing", "expected a shipped board"),
    ("--board nothing --pins mock", "expected a shipped board"),
    ("--settings nowhere.toml", "nowhere.toml"),
    ("--width 7", "screen.width"),
]


def test_bad_settings_are_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    for cell in each_cell(BAD_SETTINGS):
        with cell as (arguments, said):
            done = ran(main, "run", *options(tmp_path), *arguments.split())
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
            assert said in done.stderr


def test_a_lexicon_and_a_printer_that_are_not_there_are_warnings_that_say_why(tmp_path: Path) -> None:
    missing = ("--lexicon", str(tmp_path / "nowhere.dawg"), "--printer", str(tmp_path / "ttyNone"))
    with ready(tmp_path, *options(tmp_path, *missing), SDL_VIDEODRIVER="dummy") as station:
        station.terminate()
        output, errors = station.communicate(timeout=PATIENCE_S)
    assert station.returncode == 0, errors
    for said, file in (("nothing is judged", "nowhere.dawg"), ("the slip printer does not work", "ttyNone")):
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


X_NAMES = {"return": "Return", "tab": "Tab", "right": "Right", "escape": "Escape"}


@dataclass
class Players:
    display: str
    twin: Twin

    def do(self, *words: str) -> None:
        xdotool(self.display, *words)

    def see(self) -> None:
        until(lambda: picture(self.display) == self.twin.picture(), f"the screen is not {self.twin.page.name}")

    def key(self, *names: str) -> None:
        for name in names:
            self.do("sleep", "0.6", "key", X_NAMES[name])
            self.twin.key(name)
            self.see()

    def type(self, text: str) -> None:
        self.do("type", "--delay", "30", text)
        self.twin.type(text)
        self.see()


@contextmanager
def players(folder: Path, language: str, rulebook: str) -> Iterator[Players]:
    """Give the players before a program whose verdict stays for a minute: the pages count no seconds."""
    file = folder / "station.toml"
    file.write_text(
        f'language = "{language}"\nrulebook = "{rulebook}"\n'
        f'lexicon.path = "{made(folder / "list.dawg", WORDS)}"\nlog.path = "{folder / "station.db"}"\n'
        "flow.verdict_s = 60\nflow.idle_s = 120\n",
        encoding="utf-8",
    )
    twin = Twin.of(LAYERS.load({}, file).settings)
    with x_server(folder) as display, ready(folder, "--settings", str(file), DISPLAY=display) as process:
        made_of = Players(display, twin)
        made_of.do("mousemove", "512", "300")
        made_of.see()
        yield made_of
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, errors


@pytest.mark.waits(8)
def test_by_keyboard_alone_keys_that_would_leave_the_locked_window_are_swallowed_and_a_held_key_types_once(tmp_path: Path) -> None:
    with players(tmp_path, "es", "naspa-2017-collins-5") as two:
        two.do("key", "alt+F4", "ctrl+c", "ctrl+q", "super", "super+d", "alt+Tab", "ctrl+alt+BackSpace", "Print")
        two.twin.keyed = True
        two.see()
        # The page says that it does nothing.
        two.key("escape")
        two.key("return")
        two.type("7")
        two.key("right")
        two.type("q")
        two.do("keydown", "i", "sleep", "1.2", "keyup", "i")
        two.twin.type("i")
        two.see()
        two.key("return")
        two.type("zz")
        two.key("return", "return", "tab")
        assert two.twin.page.name.startswith("verdict")
    _, row, _ = entries_in(tmp_path / "station.db")
    assert (row.table, row.challenger, row.words, row.acceptable, row.way) == (7, "right", ("QI", "ZZ"), False, Way.TAB)
