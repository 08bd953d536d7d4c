"""The scripted round without a screen, in real time: real programs, links, broker and desk; pictures and a transcript stay."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import click

from appliance.errors import ScreenError
from appliance.records.rows import last_of
from appliance.records.sqlite import open_read_only
from rules.duration import NS
from tools.demo_folder import DemoFolder
from tools.hall_demo import simulated, windows
from tools.hall_demo.acting import PATIENCE_S, TURN_S, Directed, directed
from tools.hall_demo.programs import desk_words, link_words, running, store_of
from tools.hall_demo.scripted_clock import ScriptedClock
from tools.hall_demo.scripted_station import ScriptedStation
from tools.station_demo.beside import desktop
from tools.trial_broker import Broker, complete_hall, free_port, running_broker

WORD: Final = "HOUSE"
"""In the practice list."""
_CHALLENGE_NS: Final = 23 * NS // 10


def play(folder: Path, say: Callable[[str], None]) -> None:
    """Play the scripted round; write pictures and ``transcript.txt`` to ``folder``.

    Args:
        folder: the output folder; created if missing.
        say: takes each line of the transcript.

    Raises:
        TileclockError: a part of the hall fails, or the folder cannot be written to.
    """
    output = DemoFolder(folder, say)
    with ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tilehall-demo-")))
        hall = complete_hall(made / "hall")
        broker = stack.enter_context(running_broker(made / "broker", hall.files))
        stack.enter_context(running(desk_words(hall, broker, made, free_port()), made / "desk.log"))
        for member in (*hall.clocks, *hall.stations):
            stack.enter_context(running(link_words(member, broker), member.folder / "link.log"))
        clocks = [stack.enter_context(directed(ScriptedClock, member, table)) for table, member in enumerate(hall.clocks, 1)]
        station = stack.enter_context(directed(ScriptedStation, hall.stations[0]))
        _Round(output, clocks, station).play(broker)
        records = (*(member.folder / "journal.db" for member in hall.clocks), hall.stations[0].folder / "station.db")
        output.add(f"The hall holds {_held(store_of(made), records)}")
    output.write_transcript()


class _Round:
    def __init__(self, output: DemoFolder, clocks: list[Directed], station: Directed) -> None:
        self._output, self._clocks, self._station = output, clocks, station
        self._began = 0.0
        self._pictures = 0

    def play(self, broker: Broker) -> None:
        first, second = self._clocks
        self._station.until(_in_reach, "that the hall is in reach")
        self._began = time.monotonic()
        for number, clock in enumerate(self._clocks, 1):
            clock.until(_in_reach, "that the hall is in reach")
            clock.press("right")
            self._note(f"Table {number}: left's clock starts", clock, "starts")
        time.sleep(2)
        first.press("left")
        first.press("centre", _CHALLENGE_NS)
        first.until(lambda line: "adjudication" in line, "a challenge")
        self._note("Table 1: the play is challenged", first, "challenge")
        self._look_up()
        first.until(lambda line: "adjudication" not in line, "the station's verdict")
        self._note("Table 1: the verdict is on the clock", first, "verdict")
        broker.kill()
        second.until(lambda line: not _in_reach(line), "that the hall is out of reach")
        second.press("left")
        self._note("Table 2 plays on without the broker", second, "no-hall")
        broker.restart()
        for clock in self._clocks:
            clock.until(_in_reach, "that the hall is in reach")
        self._note("The broker is back", second, "hall-again")

    def _look_up(self) -> None:
        for target in ("tile.1", "next"):
            self._station.press(target)
        self._station.until(lambda line: "Type the challenged words" in line, "the page of the words")
        self._note("Station: the clock of table 1 says who challenges", self._station, "station-words")
        for target in (*(f"tile.{letter}" for letter in WORD), "finish"):
            self._station.press(target)
        self._note("Station: both check the word", self._station, "station-check")
        self._station.press("adjudicate")
        self._station.until(lambda line: "accepted it" in line, "that the clock has taken the verdict")
        self._note("Station: the verdict", self._station, "station-verdict")
        self._station.press("done")

    def _note(self, description: str, shown: Directed, name: str) -> None:
        seconds = int(time.monotonic() - self._began)
        self._output.add(f"{seconds // 60}:{seconds % 60:02d}  {description:45}  {shown.line()}")
        self._pictures += 1
        self._output.picture(f"{self._pictures:02d}-{name}", shown.picture)


def _in_reach(line: str) -> bool:
    return line.endswith("hall") and not line.endswith("no hall")


def _held(store: Path, records: Sequence[Path]) -> str:
    """Wait until the hall holds all rows, and say how many of how many it does."""
    written = sum(map(_rows_in, records))
    deadline = time.monotonic() + PATIENCE_S
    while (held := _count(store)) < written and time.monotonic() < deadline:
        time.sleep(TURN_S)
    return f"{held} of {written} rows of the clocks and the station{': all of them' if held == written else ''}"


def _count(store: Path) -> int:
    from hall.store.store import reading_store  # noqa: PLC0415 - a third of the start, and needed at the end

    with reading_store(store) as held:
        return sum(1 for name in held.devices() for each in held.epochs(name) for _ in held.rows(name, each.epoch))


def _rows_in(record: Path) -> int:
    with closing(open_read_only(record)) as connection:
        return (last_of(connection) or (0, ""))[0]


def try_hall(tables: int | None, output: Path, *, headless: bool) -> None:
    """Run the demo that fits: simulated tables, windows, or a scripted round that leaves its files in ``output``."""
    if tables is not None:
        simulated.play(tables, click.echo)
        return
    why = "asked for" if headless else _no_screen()
    if why is None:
        windows.play(click.echo)
        return
    if not headless:
        click.echo(f"There is no screen here ({why}), so a scripted round runs without one.")
    play(output, click.echo)
    click.echo(f"Pictures and transcript.txt are in {output}/.")


def _no_screen() -> str | None:
    """Return why no window can be opened; None: one can."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    try:
        desktop()
    except ScreenError as error:
        return str(error)
    return None
