"""A station set up for measuring: a list of 270,000 words, any play of eight set before both players at once, and how long the log took each time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pygame

from appliance.clocks import Clocks
from game.challenge_log.entry import Entry
from kiosk.challenge.flow import Question, Step
from kiosk.screens.window import KioskWindow
from kiosk.settings.places import merge
from kiosk.shell.assemble import Overrides, assembled
from kiosk.shell.loop import Loop, StationMachine
from rules.duration import NS
from rules.side import Side


@dataclass
class Bench:
    """The station, and what its log cost."""

    loop: Loop
    window: KioskWindow
    commits: list[int] = field(default_factory=list)
    """ns, each."""

    def checking(self, words: Sequence[str]) -> None:
        """Have both check these words since a second ago."""
        station, now = self.loop.station, time.monotonic_ns()
        flow = station.flow.replace(
            step=Step.CHECKING,
            asked=Question.COUNT,
            since=now - NS,
            touched=now,
            digits="12",
            challenger=Side.LEFT,
            count=len(words),
            words=tuple(tuple(word) for word in words),
            outcome=None,
            link=None,
            open=(),
        )
        self.loop.station = station.replace(flow=flow)

    def typing(self) -> None:
        """Have one word typed, of which nothing is there yet."""
        self.checking(("",))
        flow = self.loop.station.flow
        self.loop.station = self.loop.station.replace(flow=flow.replace(step=Step.WORDS, words=((),)))


def tab() -> None:
    """Press the challenged player's key."""
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_TAB, mod=0, unicode="\t", scancode=0))


@contextmanager
def bench(folder: Path, lexicon: Path, size: tuple[int, int]) -> Iterator[Bench]:
    """Give a station with its log in ``folder``, on a window of the driver that SDL_VIDEODRIVER names."""
    chosen = {"lexicon.path": str(lexicon), "log.path": str(folder / "station.db"), "flow.idle_s": 600, "flow.verdict_s": 60}
    # Nothing is pressed on a page that was not in sight for half a second; here, nobody waits for that: at each look at the clock another second has gone by.
    seconds = itertools.count()
    window = KioskWindow(size, "Station", clocks=Clocks(lambda: next(seconds) * NS))
    with assembled(merge([("benchmark", chosen)]), StationMachine(Clocks()), Overrides(window)) as loop:
        made = Bench(loop, window)
        record = loop._handler.record
        commit = record.commit

        def timed(entry: Entry) -> int:
            begun = time.perf_counter_ns()
            row = commit(entry)
            made.commits.append(time.perf_counter_ns() - begun)
            return row

        record.commit = timed  # type: ignore[method-assign]  # watched, and otherwise as it is
        loop.turn()
        yield made
