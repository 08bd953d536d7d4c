"""A whole station on an invisible window, with a clock that the test moves: real window, layout, flow, lexicon, log, loader of lexicons; scripted fingers and keys."""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from appliance.clocks import Clocks
from appliance.program import NO_SUPERVISOR, Supervisor
from appliance.records.files import SIDECARS, beside
from hardware.pins.contract import PinFactory
from kiosk.face.page import Page
from kiosk.settings import merge
from kiosk.shell.assemble import assembled
from kiosk.shell.loop import Loop
from records.entry import Entry, Kind
from records.log import entry_of, reading, rows_from
from rules.duration import NS
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.lexicons.files import made, proven_here
from tools.station_demo.fingers import DemoFinger

PATIENCE_S = 20.0
PIN: dict[str, Any] = {"door__pin": KEPT_PIN}
"""The setting of the director's PIN 2468."""
BOARD: dict[str, Any] = {"board__file": "station", "board__pins": "mock"}
WORDS = ("CAT", "CATS", "QI", "TILE", "TILES", "ZA")
KEYS = {
    "tab": pygame.K_TAB,
    "return": pygame.K_RETURN,
    "backspace": pygame.K_BACKSPACE,
    "escape": pygame.K_ESCAPE,
    "left": pygame.K_LEFT,
    "right": pygame.K_RIGHT,
    **{f"f{number}": getattr(pygame, f"K_F{number}") for number in range(1, 13)},
}


@dataclass
class Hand:
    """Time as the test has it: ns of the machine's clock, and what the clock on the wall says."""

    now: int = NS
    wall: str = "2026-01-01T12:00:00.000+00:00"
    boot: str = "this boot"

    def clocks(self) -> Clocks:
        return Clocks(lambda: self.now, lambda: self.wall, lambda: self.boot)


@dataclass
class Rig:
    loop: Loop
    window: Any
    hand: Hand
    lexicon: Path
    log: Path

    @property
    def shown(self) -> Page:
        assert self.loop.page is not None
        return self.loop.page

    @property
    def page(self) -> str:
        return self.shown.name

    @property
    def footer(self) -> str:
        footer = self.shown.footer
        return f"{footer.lexicon} {footer.rulebook} {footer.station}"

    @property
    def said(self) -> str:
        page = self.shown
        parts = (
            page.title,
            page.banner.text if page.banner else "",
            *page.lines,
            page.aside or "",
            page.notice or "",
            *(f"{row.text} {row.detail}" for row in page.rows),
        )
        return " · ".join(part for part in parts if part)

    def goes_by(self, seconds: float) -> str:
        self.hand.now += round(seconds * NS)
        self.loop.turn()
        return self.page

    def tap(self, *targets: str) -> str:
        """Touch one after the other, a while apart; capitals and digits are keys of tiles."""
        for each in targets:
            tiles = each.isupper() or each.isdigit()
            for target in [f"tile.{tile}" for tile in each] if tiles else [each]:
                self.goes_by(0.6)
                DemoFinger(self.window).tap(target)
                self.loop.turn()
        return self.page

    def spot(self, target: str) -> tuple[float, float]:
        """Return where the middle of a target is, in shares of the window."""
        box = next(item.box for item in self.window.arranged.items if item.target is not None and item.target.id == target)
        width, height = self.window.size
        return (box.x + box.width / 2) / width, (box.y + box.height / 2) / height

    def opened(self, pin: str = "2468") -> str:
        return self.tap("door", pin, "next")

    def shut(self) -> bool:
        found = self.tap("door") == "door.shut"
        self.tap("back")
        return found

    def key(self, *names: str) -> str:
        for name in names:
            self.goes_by(0.6)
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=KEYS[name], mod=0, unicode="", scancode=0))
            self.loop.turn()
        return self.page

    def type(self, text: str) -> str:
        for character in text:
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=character))
        self.loop.turn()
        return self.page

    def until(self, condition: Callable[[], bool]) -> None:
        """Turn until ``condition`` holds, for something that another thread does; the test's time stands still."""
        deadline, pause = time.monotonic() + PATIENCE_S, threading.Event()
        while not condition():
            assert time.monotonic() < deadline, (self.page, self.said)
            pause.wait(0.01)
            self.loop.turn()

    def begun(self, table: int = 12, side: str = "left") -> None:
        self.tap(str(table), f"challenger.{side}")

    def reads(self, text: str, *targets: str) -> None:
        self.tap(*targets)
        self.until(lambda: text in self.said)

    def asked(self, *words: str, table: int = 12) -> None:
        self.begun(table)
        for word in words[:-1]:
            self.tap(word, "next")
        self.tap(words[-1], "finish")
        assert self.page == "checking", (self.page, self.said)

    def judged(self, *words: str, table: int = 12) -> str:
        self.asked(*words, table=table)
        self.tap("adjudicate")
        return self.said

    def entries(self) -> list[Entry]:
        return entries_in(self.log)

    def power_lost(self) -> Path:
        """Return a new folder with the log's files as they are on the disk now: nothing else outlives a loss of power."""
        folder = Path(tempfile.mkdtemp(dir=self.log.parent))
        for suffix in ("", *SIDECARS):
            if beside(self.log, suffix).exists():
                shutil.copy(beside(self.log, suffix), folder)
        return folder

    @property
    def last(self) -> Entry:
        return self.entries()[-1]

    @property
    def kinds(self) -> list[Kind]:
        return [entry.kind for entry in self.entries()]


def entries_in(log: Path) -> list[Entry]:
    with reading(log) as connection:
        return [entry_of(kept) for kept in rows_from(connection, 1)]


@contextmanager
def rig(
    folder: Path,
    hand: Hand | None = None,
    factory: PinFactory | None = None,
    proving: Callable[[], AbstractContextManager[None]] = proven_here,
    supervisor: Supervisor = NO_SUPERVISOR,
    **settings: Any,
) -> Iterator[Rig]:
    """Give a station whose files lie in ``folder``; ``settings`` are dotted keys with ``__`` for the dot, ``proving`` is how lists are proven. SDL_VIDEODRIVER is to be ``dummy``."""
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - the driver is read when it is opened

    hand = hand or Hand()
    lexicon, log = folder / "list.dawg", folder / "station.db"
    if "lexicon__path" not in settings and not lexicon.exists():
        made(lexicon, WORDS)
    chosen = {"lexicon.path": str(lexicon), "lexicon.folder": str(folder), "log.path": str(log), "log.export": str(folder / "out")}
    chosen |= {key.replace("__", "."): value for key, value in settings.items()}
    window = KioskWindow((800, 480), "Station", clocks=hand.clocks())
    with proving(), assembled(merge([("test", chosen)]), hand.clocks(), supervisor, screen=window, factory=factory) as loop:
        loop.turn()
        yield Rig(loop, window, hand, lexicon, log)
