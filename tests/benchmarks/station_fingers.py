"""A station in a process of its own, on a real display, pressed by a thread: ``python -m tests.benchmarks.station_fingers LEXICON FOLDER PRESSES``.

Prints as JSON the ns from an event in SDL's queue to the return of the draw that shows what came of it: of letters by key and by touch, and of verdicts on
eight words, with what the log's commit took of each.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pygame

from kiosk.demo.fingers import DemoFinger
from kiosk.face.page import Page
from kiosk.shell.threads import EndProgram
from tests.benchmarks.lexicon_words import made_up, misses
from tests.benchmarks.station_bench import Bench, bench, tab
from tests.benchmarks.station_plays import WAYS, plays

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
        """Wait until such a page is drawn; return when it was (ns)."""
        with self._condition:
            assert self._condition.wait_for(lambda: self._shown is not None and shows(self._shown[1]), PATIENCE_S)
            assert self._shown is not None
            return self._shown[0]


def typed(page: Page) -> str:
    return page.words[0].text if page.words else ""


def fresh(made: Bench, watch: Watch, put: Callable[[], None], shows: Callable[[Page], bool]) -> None:
    """Set the station while its loop sleeps, and wait until that is drawn."""
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
