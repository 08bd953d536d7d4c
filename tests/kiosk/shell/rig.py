"""A whole station on an invisible window, with a clock that the test moves: real window, layout, flow, lexicon, log, loader of lexicons; scripted fingers and keys."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pygame

from appliance.clocks import Clocks
from appliance.supervisor import NO_SUPERVISOR, Supervisor
from game.challenge_log.entry import Entry
from game.challenge_log.reading import entry_of, reading, rows_from
from hardware.pins.contract import PinFactory
from kiosk.settings.places import merge
from kiosk.shell.assemble import Overrides, assembled
from kiosk.shell.loop import Loop, StationMachine
from rules.duration import NS
from tests.kiosk.lexicons.files import made
from tools.station_demo.fingers import DemoFinger

PATIENCE_S = 20.0
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
    """The station with the hands on it."""

    loop: Loop
    window: Any
    hand: Hand
    lexicon: Path
    log: Path
    pages: list[str] = field(default_factory=list)

    @property
    def page(self) -> str:
        """The name of the page that stands there."""
        assert self.loop.page is not None
        return self.loop.page.name

    @property
    def said(self) -> str:
        """All that can be read on the page."""
        page = self.loop.page
        assert page is not None
        parts = (
            page.title,
            page.banner.text if page.banner else "",
            *page.lines,
            page.aside or "",
            page.notice or "",
            *(f"{row.text} {row.detail}" for row in page.rows),
        )
        return " · ".join(part for part in parts if part)

    def goes_by(self, seconds: float) -> None:
        """Let time go by with nobody doing anything."""
        self.hand.now += round(seconds * NS)
        self.loop.turn()

    def tap(self, *targets: str) -> None:
        """Touch one after the other, a while apart."""
        for target in targets:
            self.goes_by(0.6)
            DemoFinger(self.window).tap(target)
            self.loop.turn()
            self.pages.append(self.page)

    def key(self, *names: str) -> None:
        """Press named keys of a real keyboard, a while apart."""
        for name in names:
            self.goes_by(0.6)
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=KEYS[name], mod=0, unicode="", scancode=0))
            self.loop.turn()
            self.pages.append(self.page)

    def type(self, text: str) -> None:
        """Type characters on a real keyboard."""
        for character in text:
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=character))
        self.loop.turn()

    def until(self, condition: Callable[[], bool]) -> None:
        """Turn until ``condition`` holds, for something that another thread does; the test's time stands still."""
        deadline, pause = time.monotonic() + PATIENCE_S, threading.Event()
        while not condition():
            assert time.monotonic() < deadline, (self.page, self.said)
            pause.wait(0.01)
            self.loop.turn()

    def asked(self, *words: str, table: int = 12, side: str = "left") -> None:
        """Go by touch from the idle page to where both check ``words``."""
        self.tap(
            "begin",
            "clock.stopped",
            *(f"tile.{digit}" for digit in str(table)),
            "next",
            f"challenger.{side}",
            "last_play.no",
            f"count.{len(words)}",
        )
        for number, word in enumerate(words, 1):
            self.tap(*(f"tile.{letter}" for letter in word), "finish" if number == len(words) else "next")
        assert self.page == "checking", (self.page, self.said)

    def judged(self, *words: str, table: int = 12) -> str:
        """Go by touch from the idle page to the verdict on ``words``; return what can be read then."""
        self.asked(*words, table=table)
        self.tap("adjudicate")
        return self.said

    def entries(self) -> list[Entry]:
        """Return the log's rows as they are on the disk."""
        return entries_in(self.log)


def entries_in(log: Path) -> list[Entry]:
    with reading(log) as connection:
        return [entry_of(kept) for kept in rows_from(connection, 1)]


@contextmanager
def rig(
    folder: Path,
    hand: Hand | None = None,
    factory: PinFactory | None = None,
    words: tuple[str, ...] = WORDS,
    supervisor: Supervisor = NO_SUPERVISOR,
    **settings: Any,
) -> Iterator[Rig]:
    """Give a station whose files lie in ``folder``; ``settings`` are dotted keys with ``__`` for the dot. SDL_VIDEODRIVER is to be ``dummy``."""
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - the driver is read when it is opened

    hand = hand or Hand()
    lexicon, log = folder / "list.dawg", folder / "station.db"
    if "lexicon__path" not in settings and not lexicon.exists():
        made(lexicon, words)
    chosen = {"lexicon.path": str(lexicon), "lexicon.folder": str(folder), "log.path": str(log), "log.export": str(folder / "out")}
    chosen |= {key.replace("__", "."): value for key, value in settings.items()}
    window = KioskWindow((800, 480), "Station", clocks=hand.clocks())
    with assembled(merge([("test", chosen)]), StationMachine(hand.clocks(), supervisor), Overrides(window, factory)) as loop:
        loop.turn()
        yield Rig(loop, window, hand, lexicon, log)
