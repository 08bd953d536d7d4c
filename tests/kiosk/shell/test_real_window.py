"""The program on a real X server, locked and full-screen: a challenge by touch alone and by keyboard alone, in several languages and rulebooks.

After every step the screen is what the pure station says, to the pixel. Pictures of each step are kept in the folder that STATION_PICTURES names.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.challenge_log.entry import Kind, Way
from kiosk.settings.places import load_settings
from tests.appliance.display.xserver import picture, x_server
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import ready
from tests.kiosk.shell.rig import WORDS, entries_in
from tests.kiosk.shell.twin import Twin
from tests.processes import PATIENCE_S, until

pytestmark = pytest.mark.usefixtures("letters")
KEPT = os.environ.get("STATION_PICTURES")
X_NAMES = {"return": "Return", "tab": "Tab", "right": "Right"}


@dataclass
class Players:
    display: str
    twin: Twin
    name: str
    steps: int = 0

    def do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": self.display}, check=True, timeout=PATIENCE_S)

    def see(self) -> None:
        until(lambda: picture(self.display) == self.twin.picture(), f"the screen is not {self.twin.page.name}")
        self.steps += 1
        if KEPT is not None:
            self.twin.save(Path(KEPT) / f"{self.name}-{self.steps:02d}-{self.twin.page.name}.png")

    def tap(self, *targets: str) -> None:
        for target in targets:
            x, y = self.twin.middle(target)
            # Nothing but letters and digits counts in a page's first half second: it has to be read first.
            pause = "0" if target.startswith("tile.") else "0.6"
            self.do("sleep", pause, "mousemove", str(x), str(y), "mousedown", "1", "sleep", "0.05", "mouseup", "1")
            self.twin.tap(target)
            self.see()

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
    """Give the players before a program whose verdict stands for a minute: no seconds are told on the pages."""
    file = folder / "station.toml"
    file.write_text(
        f'language = "{language}"\nrulebook = "{rulebook}"\n'
        f'lexicon.path = "{made(folder / "list.dawg", WORDS)}"\nlog.path = "{folder / "station.db"}"\n'
        "flow.verdict_s = 60\nflow.idle_s = 120\n",
        encoding="utf-8",
    )
    twin = Twin.of(load_settings({}, file).settings)
    with x_server(folder) as display, ready(folder, "--settings", str(file), DISPLAY=display) as process:
        made_of = Players(display, twin, f"{language}-{rulebook}")
        made_of.do("mousemove", "512", "300")
        made_of.see()
        yield made_of
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, errors


@pytest.mark.parametrize(("language", "rulebook"), [("en", "naspa-2017"), ("fr", "nzasp-2022"), ("es", "naspa-2017-collins-5")])
@pytest.mark.waits(10)
def test_a_challenge_by_touch_alone(tmp_path: Path, language: str, rulebook: str) -> None:
    def judged(two: Players, second: str) -> None:
        two.tap(*(f"tile.{letter}" for letter in "TILE"), "next", *(f"tile.{letter}" for letter in second), "finish", "adjudicate")
        assert two.twin.page.name.startswith("verdict")

    with players(tmp_path, language, rulebook) as two:
        two.tap("begin", "tile.1", "tile.2", "challenger.left")
        judged(two, "QI")
        two.tap("mistyped")
        judged(two, "ZZ")
    _, first, repeat, _ = entries_in(tmp_path / "station.db")
    assert (first.kind, first.table, first.words, first.acceptable, first.way) == (Kind.LOOKUP, 12, ("TILE", "QI"), True, Way.TOUCH)
    assert (repeat.kind, repeat.first, repeat.words, repeat.acceptable) == (Kind.REPEAT, 2, ("TILE", "ZZ"), False)
    assert first.rulebook == rulebook


@pytest.mark.parametrize(("language", "rulebook"), [("en", "nzasp-2022"), ("fr", "naspa-2017")])
@pytest.mark.waits(7)
def test_a_challenge_by_keyboard_alone(tmp_path: Path, language: str, rulebook: str) -> None:
    with players(tmp_path, language, rulebook) as two:
        two.key("return")
        two.type("7")
        two.key("right")
        two.type("tile")
        two.key("return")
        two.type("zz")
        two.key("return", "return", "tab")
        assert two.twin.page.name.startswith("verdict")
    _, row, _ = entries_in(tmp_path / "station.db")
    assert (row.table, row.challenger, row.words, row.acceptable, row.way) == (7, "right", ("TILE", "ZZ"), False, Way.TAB)


@pytest.mark.waits(8)
def test_keys_that_would_leave_the_locked_window_are_swallowed_and_a_key_that_is_held_types_and_acts_once(tmp_path: Path) -> None:
    with players(tmp_path, "en", "naspa-2017") as two:
        two.do("key", "alt+F4", "Escape", "ctrl+c", "ctrl+q", "super", "super+d", "alt+Tab", "ctrl+alt+BackSpace", "F11", "Print")
        two.twin.keyed = True
        two.see()
        two.key("return")
        two.type("7")
        two.key("right")
        two.type("q")
        two.do("keydown", "i", "sleep", "1.2", "keyup", "i")
        two.twin.type("i")
        two.see()
        two.key("return", "return")
        assert two.twin.page.name == "checking"
