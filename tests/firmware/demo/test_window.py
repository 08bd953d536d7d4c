import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.errors import RecordError
from firmware.cli.main import main
from firmware.journal.recovery import recover
from game.event_table import format_event
from records.journal import game_numbers, reading, verify
from rules.rulebooks import load_rulebook
from tests.appliance.display.xserver import is_drawn, x_server
from tests.errors import refused
from tests.firmware.demo.reading_pngs import size_of
from tests.firmware.shell.processes import running, said_in
from tests.firmware.shell.rig import PATIENCE_S
from tests.processes import until
from tests.some import some

RIGHT, BAR = "l", "space"
CALL_S = 1.1
"""Little more than a fill takes: a busy machine reads the release late, and the next stage must not be full by then."""
TAP_S = 0.08


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    with x_server(tmp_path) as name:
        yield name


class Hands:
    """Keyboard and pointer of a display, moved by one process: a new one for each release may come too late on a busy machine."""

    def __init__(self, display: str) -> None:
        environment = {**os.environ, "DISPLAY": display}
        self._process = subprocess.Popen(
            ["xdotool", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment
        )

    def move(self, *words: str) -> None:
        # The display answers in order.
        some(self._process.stdin).write(f"{' '.join(words)} getmouselocation\n")
        assert some(self._process.stdout).readline()

    def end(self) -> None:
        self._process.communicate(timeout=PATIENCE_S)


@pytest.fixture
def hands(display: str) -> Iterator[Hands]:
    found = Hands(display)
    yield found
    found.end()


class Table:
    def __init__(self, display: str, hands: Hands, folder: Path) -> None:
        self._display = display
        self._hands = hands
        self._journal = folder / "journal.db"
        self._known: list[str] = []

    @contextmanager
    def plays(self, *options: str) -> Iterator[None]:
        with running("demo", "--journal", str(self._journal), *options, DISPLAY=self._display) as process:
            self._status = Path(f"/proc/{process.pid}/status")
            self.comes("new_game")
            # The pointer in the window gives it the keyboard.
            until(lambda: is_drawn(self._display))
            self._hands.move("mousemove", "512", "300")
            yield
            _, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, errors

    def press(self, *keys: str, seconds: float = TAP_S) -> None:
        for key in keys:
            self._move("keydown", key)
            time.sleep(seconds)
            self._move("keyup", key)
            # Longer than what still belongs to one chord.
            time.sleep(0.3)

    def _move(self, way: str, key: str) -> None:
        """Press or release a key, and wait until the program sleeps again.

        SDL stamps a key when the program reads it. If a busy machine reads both edges of a press at once, it counts as a bounce.
        """
        before = self._sleeps()
        self._hands.move(way, key)
        until(lambda: self._sleeps() > before, way)

    def _sleeps(self) -> int:
        return int(self._status.read_text(encoding="ascii").partition("\nvoluntary_ctxt_switches:")[2].split()[0])

    def comes(self, *events: str) -> None:
        until(lambda: self._events()[len(self._known) :] == list(events))
        self._known = self._events()

    def _events(self) -> list[str]:
        try:
            recovered = recover(self._journal, load_rulebook)
        except RecordError:
            return []
        history = None if recovered is None else recovered.history
        bodies = [] if history is None else [format_event(link.event) for link in history.standing()]
        return [" ".join(str(body[key]) for key in ("do", "name", "side", "ago") if key in body) for body in reversed(bodies)]


@pytest.fixture
def table(display: str, hands: Hands, tmp_path: Path) -> Table:
    return Table(display, hands, tmp_path)


@pytest.mark.waits(10)
def test_a_game_is_played_by_keys_in_a_real_window_until_escape_is_pressed_twice(hands: Hands, table: Table) -> None:
    with table.plays("--time", "0:06"):
        table.press(RIGHT)
        table.comes("press right")
        # The waiting player records the hold.
        table.press(RIGHT, seconds=CALL_S)
        table.comes("hold")
        table.press(BAR)
        table.comes("neutralise")
        # A stopped game is left only when asked once more; both in one look of a busy program would be one.
        table.press("Escape")
        hands.move("key", "Escape")


def test_with_no_display_a_scripted_game_makes_pictures_transcript_and_journal_and_the_next_one_goes_on_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with running("demo", "--output", str(folder)) as process:
        said, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert said.startswith("There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set")
    pictures = sorted(folder.glob("*.png"))
    assert [picture.stem.split("-", 1)[1] for picture in pictures] == [
        *("ready", "turn", "hold", "stopped", "overtime", "challenge", "verdict", "out-play", "over", "recount")
    ]
    assert {size_of(picture) for picture in pictures} == {(1024, 600)}
    assert len({picture.read_bytes() for picture in pictures}) == len(pictures)
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    assert all(line in said for line in transcript.splitlines())
    assert said_in(folder / "journal.db")[-1] == "window"
    with running("demo", "--headless", "--output", str(folder)) as process:
        process.communicate(timeout=60)
    assert process.returncode == 0
    with reading(folder / "journal.db") as connection:
        assert game_numbers(connection) == (1, 2)
        assert verify(connection).fault is None


def test_a_journal_that_a_demo_cannot_use_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "words.txt").write_text("words\n" * 40, encoding="ascii")
    before = sorted(tmp_path.rglob("*"))
    for name in ("missing/journal.db", "folder", "words.txt"):
        done = CliRunner().invoke(main, ["demo", "--journal", str(tmp_path / name), "--output", str(tmp_path / "out")])
        assert refused(done, where=str(tmp_path / name)).expected.startswith("a journal")
    assert (sorted(tmp_path.rglob("*")), (tmp_path / "words.txt").read_text(encoding="ascii")) == (before, "words\n" * 40)
