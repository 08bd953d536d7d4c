"""The program on a real X server, locked and full-screen: a challenge by touch alone and by keyboard alone, in several languages and rulebooks.

After every step the screen is what the pure station says, to the pixel. Pictures of each step are kept in the folder that STATION_PICTURES names.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.challenge_log.entry import Kind, Way
from kiosk.settings import Settings
from kiosk.settings.places import load_settings
from tests.appliance.display.xserver import picture, x_server
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import ready
from tests.kiosk.shell.rig import WORDS, entries_in
from tests.kiosk.shell.twin import Twin
from tests.processes import PATIENCE_S, until

pytestmark = pytest.mark.usefixtures("letters")
KEPT = os.environ.get("STATION_PICTURES")
X_NAMES = {"return": "Return", "tab": "Tab", "escape": "Escape", "left": "Left", "right": "Right", "backspace": "BackSpace"}


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    with x_server(tmp_path) as name:
        yield name


def settings_of(folder: Path, language: str, rulebook: str) -> tuple[Path, Settings]:
    """Write a settings file whose verdict stands for a minute: no seconds are told on the pages."""
    file = folder / "station.toml"
    file.write_text(
        f'language = "{language}"\nrulebook = "{rulebook}"\n'
        f'lexicon.path = "{made(folder / "list.dawg", WORDS)}"\nlog.path = "{folder / "station.db"}"\n'
        "flow.verdict_s = 60\nflow.idle_s = 120\n",
        encoding="utf-8",
    )
    return file, load_settings({}, file).settings


@dataclass
class Players:
    """Two players before the screen, and what they do."""

    display: str
    twin: Twin
    name: str
    steps: int = 0

    def do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": self.display}, check=True, timeout=PATIENCE_S)

    def see(self) -> None:
        """Wait until the screen is what it must be."""
        until(lambda: self.screen() == self.twin.picture(), f"the screen is not {self.twin.page.name}")
        self.steps += 1
        if KEPT is not None:
            self.twin.save(Path(KEPT) / f"{self.name}-{self.steps:02d}-{self.twin.page.name}.png")

    def screen(self) -> bytes:
        return picture(self.display)

    def tap(self, *targets: str) -> None:
        for target in targets:
            x, y = self.twin.middle(target)
            # Nothing but letters and digits counts in a page's first half second: it has to be read first.
            self.do(
                "sleep",
                "0" if target.startswith("tile.") else "0.6",
                "mousemove",
                str(x),
                str(y),
                "mousedown",
                "1",
                "sleep",
                "0.05",
                "mouseup",
                "1",
            )
            self.twin.tap(target)
            self.see()

    def key(self, *names: str) -> None:
        for name in names:
            self.do("sleep", "0.6", "key", X_NAMES.get(name, name.upper()))
            self.twin.key(name)
            self.see()

    def type(self, text: str) -> None:
        self.do("type", "--delay", "30", text)
        self.twin.type(text)
        self.see()


def leave(process: subprocess.Popen[str]) -> None:
    process.terminate()
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors


@pytest.mark.parametrize(("language", "rulebook"), [("en", "naspa-2017"), ("fr", "nzasp-2022"), ("es", "naspa-2017-collins-5")])
@pytest.mark.waits(10)
def test_a_challenge_by_touch_alone(display: str, tmp_path: Path, language: str, rulebook: str) -> None:
    file, settings = settings_of(tmp_path, language, rulebook)
    with ready(tmp_path, "--settings", str(file), DISPLAY=display) as process:
        players = Players(display, Twin.of(settings), f"touch-{language}-{rulebook}")
        players.see()
        players.tap("begin", "clock.stopped", "tile.1", "tile.2", "next", "challenger.left", "last_play.no", "count.2")
        players.tap(*(f"tile.{letter}" for letter in "TILE"), "next", *(f"tile.{letter}" for letter in "QI"), "finish")
        players.tap("adjudicate")
        assert players.twin.page.name.startswith("verdict")
        players.tap("mistyped")
        players.tap(*(f"tile.{letter}" for letter in "TILE"), "next", *(f"tile.{letter}" for letter in "ZZ"), "finish")
        players.tap("adjudicate")
        leave(process)
    _, first, repeat, _ = entries_in(tmp_path / "station.db")
    assert (first.kind, first.table, first.words, first.acceptable, first.way) == (Kind.LOOKUP, 12, ("TILE", "QI"), True, Way.TOUCH)
    assert (repeat.kind, repeat.first, repeat.words, repeat.acceptable) == (Kind.REPEAT, 2, ("TILE", "ZZ"), False)
    assert first.rulebook == rulebook


@pytest.mark.parametrize(("language", "rulebook"), [("en", "nzasp-2022"), ("fr", "naspa-2017")])
@pytest.mark.waits(7)
def test_a_challenge_by_keyboard_alone(display: str, tmp_path: Path, language: str, rulebook: str) -> None:
    file, settings = settings_of(tmp_path, language, rulebook)
    with ready(tmp_path, "--settings", str(file), DISPLAY=display) as process:
        players = Players(display, Twin.of(settings), f"keyboard-{language}-{rulebook}")
        players.do("mousemove", "512", "300")
        players.see()
        players.key("return", "return")
        players.type("7")
        players.key("return", "right", "return")
        players.type("2")
        players.type("tile")
        players.key("return")
        players.type("zz")
        players.key("return")
        players.key("tab")
        assert players.twin.page.name.startswith("verdict")
        leave(process)
    _, row, _ = entries_in(tmp_path / "station.db")
    assert (row.table, row.challenger, row.words, row.acceptable, row.way) == (7, "right", ("TILE", "ZZ"), False, Way.TAB)


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.waits(6)
def test_a_signal_in_mid_challenge_ends_it_in_good_order_and_the_log_has_the_words(
    display: str, tmp_path: Path, asked: signal.Signals
) -> None:
    file, settings = settings_of(tmp_path, "en", "naspa-2017")
    with ready(tmp_path, "--settings", str(file), DISPLAY=display) as process:
        players = Players(display, Twin.of(settings), "signal")
        players.do("mousemove", "512", "300")
        players.see()
        players.key("return", "return")
        players.type("7")
        players.key("return", "left", "return")
        players.type("1")
        players.type("tile")
        process.send_signal(asked)
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, errors
    _, aborted, stopped = entries_in(tmp_path / "station.db")
    assert (aborted.kind, aborted.table, aborted.words, aborted.acceptable) == (Kind.ABORTED, 7, ("TILE",), None)
    assert (stopped.kind, stopped.why) == (Kind.STOPPED, "by a signal")


def test_keys_that_would_leave_the_locked_window_are_swallowed(display: str, tmp_path: Path) -> None:
    file, settings = settings_of(tmp_path, "en", "naspa-2017")
    with ready(tmp_path, "--settings", str(file), DISPLAY=display) as process:
        players = Players(display, Twin.of(settings), "locked")
        players.do("mousemove", "512", "300")
        players.see()
        players.do(
            "key",
            "alt+F4",
            "key",
            "ctrl+q",
            "key",
            "ctrl+alt+BackSpace",
            "key",
            "super+d",
            "key",
            "ctrl+c",
            "key",
            "Escape",
            "key",
            "alt+Tab",
        )
        players.see()
        assert process.poll() is None
        players.key("return")
        leave(process)
