"""A station in a process of its own, on a real display, pressed by a thread: ``python -m tests.benchmarks.station_fingers LEXICON FOLDER PRESSES``.

Prints as JSON the ns from an event in SDL's queue to the return of the draw that shows what came of it: of letters by key and by touch, and of verdicts on
eight words, with what the log's commit took of each.

Plays are of eight words of one length, good in every way in which they can be bad: none fails, the first, the fourth, the last, two, all.
"""

import itertools
import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pygame

from appliance.clocks import Clocks
from kiosk.challenge.flow import Step
from kiosk.face.page import Page
from kiosk.screens.window import KioskWindow
from kiosk.settings import merge
from kiosk.shell.assemble import assembled
from kiosk.shell.loop import Loop
from kiosk.shell.threads import EndProgram
from records.entry import Entry
from rules.duration import NS
from rules.side import Side
from tests.benchmarks.lexicon_words import made_up, misses
from tools.station_demo.fingers import DemoFinger

LENGTH: Final = 7
WAYS: Final[dict[str, tuple[int, ...]]] = {
    "none fails": (),
    "word 1 fails": (0,),
    "word 4 fails": (3,),
    "word 8 fails": (7,),
    "two fail": (2, 5),
    "all fail": tuple(range(8)),
}


def plays(words: Sequence[str], misses: Sequence[str], each: int, ways: Sequence[str], seed: int = 9) -> list[tuple[str, tuple[str, ...]]]:
    """Return ``each`` plays of every way, shuffled together: a busy moment of the machine meets all of them."""
    chance = random.Random(seed)  # noqa: S311 - it has to be the same again
    good, bad = ([word.upper() for word in those if len(word) == LENGTH] for those in (words, misses))
    # As many of either kind, or what is drawn and kept ready of words would tell the kinds apart, not the look-up.
    alike = min(len(good), len(bad))
    good, bad = chance.sample(good, alike), chance.sample(bad, alike)
    order = [way for way in ways for _ in range(each)]
    # Shuffled before they are made: plays of one way side by side in memory would be quicker or slower than others for that alone.
    chance.shuffle(order)
    return [(way, tuple(chance.choice(bad if place in WAYS[way] else good) for place in range(8))) for way in order]


@dataclass
class Bench:
    loop: Loop
    window: KioskWindow
    commits: list[int] = field(default_factory=list)
    """ns, each."""

    def checking(self, words: Sequence[str]) -> None:
        station, now = self.loop.station, time.monotonic_ns()
        flow = station.flow.replace(
            step=Step.CHECKING,
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
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_TAB, mod=0, unicode="\t", scancode=0))


@contextmanager
def bench(folder: Path, lexicon: Path, size: tuple[int, int]) -> Iterator[Bench]:
    """Give a station with its log in ``folder``, on a window of the driver that SDL_VIDEODRIVER names."""
    chosen = {"lexicon.path": str(lexicon), "log.path": str(folder / "station.db"), "flow.idle_s": 600, "flow.verdict_s": 60}
    # Nothing is pressed on a page that was not in sight for half a second; here each look at the clock adds a second instead.
    seconds = itertools.count()
    window = KioskWindow(size, "Station", clocks=Clocks(lambda: next(seconds) * NS))
    with assembled(merge([("benchmark", chosen)]), Clocks(), screen=window) as loop:
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


SIZE = (1280, 720)
PATIENCE_S = 10


class Watch:
    """When the page was last drawn, and which it is."""

    def __init__(self, made: Bench) -> None:
        self._draw = made.window.draw
        self._condition = threading.Condition()
        self._shown: tuple[int, Page] | None = None
        made.window.draw = self.draw  # type: ignore[method-assign]  # watched, and otherwise as it is

    def draw(self, page: Page) -> bool:
        changed = self._draw(page)
        if changed:
            with self._condition:
                self._shown = (time.perf_counter_ns(), page)
                self._condition.notify()
        return changed

    def until(self, shows: Callable[[Page], bool]) -> int:
        with self._condition:
            assert self._condition.wait_for(lambda: self._shown is not None and shows(self._shown[1]), PATIENCE_S)
            assert self._shown is not None
            return self._shown[0]


def typed(page: Page) -> str:
    return page.words[0].text if page.words else ""


def fresh(made: Bench, watch: Watch, put: Callable[[], None], shows: Callable[[Page], bool]) -> None:
    put()
    made.window.wake()
    watch.until(shows)
    # Asleep again, as between two players' presses.
    time.sleep(0.02)


def letters(made: Bench, watch: Watch, presses: int, press: Callable[[], object]) -> list[int]:
    took = []
    for _ in range(presses):
        fresh(made, watch, made.typing, lambda page: page.name == "words" and not typed(page))
        begun = time.perf_counter_ns()
        press()
        made.window.wake()
        took.append(watch.until(lambda page: typed(page) == "A") - begun)
    return took


def verdicts(made: Bench, watch: Watch, presses: int) -> list[tuple[int, int]]:
    words = made_up()
    took = []
    for _, play in plays(words, misses(words, 2000), presses // len(WAYS) + 1, tuple(WAYS)):
        fresh(made, watch, lambda play=play: made.checking(play), lambda page: page.name == "checking")  # type: ignore[misc]  # called at once
        begun = time.perf_counter_ns()
        tab()
        made.window.wake()
        took.append((watch.until(lambda page: page.name.startswith("verdict")) - begun, made.commits[-1]))
    return took


def press_all(made: Bench, presses: int, found: dict[str, object]) -> None:
    watch, fingers = Watch(made), DemoFinger(made.window)
    time.sleep(1)
    found["key"] = letters(made, watch, presses, lambda: pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="a")))
    found["touch"] = letters(made, watch, presses, lambda: fingers.tap("tile.A"))
    found["verdict"] = verdicts(made, watch, presses)
    made.loop.inbox.put(EndProgram("measured"))


def main(lexicon: Path, folder: Path, presses: int) -> None:
    found: dict[str, object] = {}
    with bench(folder, lexicon, SIZE) as made:
        thread = threading.Thread(target=press_all, args=(made, presses, found))
        thread.start()
        made.loop.run()
        thread.join()
        found["blocks"] = made.window.blocks
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
