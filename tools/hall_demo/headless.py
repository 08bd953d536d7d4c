"""The scripted round without a screen, in real time: real programs, links, broker and desk; pictures and a transcript stay."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

import click

from appliance.errors import ScreenError
from appliance.records.rows import hash_of, last_of
from appliance.records.sqlite import open_read_only
from hall.event.reading import read_event
from hall.keys.files import COMMAND_LINE
from hall.store.events import set_round, write_event
from records.journal import reading, rows_from
from records.receipt import receipts
from rules.duration import NS
from rules.side import BySide
from tools.demo_folder import DemoFolder
from tools.hall_demo import simulated, windows
from tools.hall_demo.acting import PATIENCE_S, TAP_NS, TURN_S, Directed, directed
from tools.hall_demo.programs import HallDemoError, desk_words, link_words, order_words, running, store_of, write_settings
from tools.hall_demo.scripted_clock import ScriptedClock
from tools.hall_demo.scripted_station import ScriptedStation
from tools.trial_broker import LOOPBACK, TRIAL, Broker, complete_hall, free_port, running_broker
from tools.windows import desktop
from wire.topics import EPOCH_DIGITS

WORD: Final = "HOUSE"
"""In the practice list."""
_CHALLENGE_NS: Final = 23 * NS // 10
_HOLD_NS: Final = 12 * NS // 10
NAMES: Final = (BySide("Ann", "Bo"), BySide("Cy", "Di"))
EVENT: Final = {"players.csv": b"name\nAnn\nBo\nCy\nDi\n", "round-1.csv": b"player1,player2,table\nAnn,Bo,1\nCy,Di,2\n"}
SCORES: Final = (412, 388)
_BROWSER: Final = "chromium-headless-shell"


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
        hall.files.admit(COMMAND_LINE)
        broker = stack.enter_context(running_broker(made / "broker", hall.files))
        write_event(store_of(made), TRIAL, read_event(EVENT))
        set_round(store_of(made), TRIAL, 1)
        # A path in a file of settings is read from that file's folder.
        port, http, settings = free_port(), free_port(), {"desk.results_folder": str(output.folder.resolve()), "desk.results_as": "tsh"}
        words = (
            *desk_words(hall, broker, made, port),
            "--settings",
            str(write_settings(made / "hall.toml", settings)),
            "--http",
            str(http),
        )
        stack.enter_context(running(words, made / "desk.log"))
        for member in (*hall.clocks, *hall.stations):
            stack.enter_context(running(link_words(member, broker), member.folder / "link.log"))
        clocks = [stack.enter_context(directed(ScriptedClock, member, table)) for table, member in enumerate(hall.clocks, 1)]
        station = stack.enter_context(directed(ScriptedStation, hall.stations[0]))
        _Round(output, clocks, station).play(broker, order_words(hall, broker, made / "orders.db", http))
        _show_results(output, port)
        _check_receipt(output, store_of(made), hall.clocks[0].folder / "journal.db")
        records = (*(member.folder / "journal.db" for member in hall.clocks), hall.stations[0].folder / "station.db")
        output.add(f"The hall holds {_held(store_of(made), records)}")
    output.write_transcript()


class _Round:
    def __init__(self, output: DemoFolder, clocks: list[Directed], station: Directed) -> None:
        self._output, self._clocks, self._station = output, clocks, station
        self._began = 0.0
        self._pictures = 0

    def play(self, broker: Broker, words: Sequence[str]) -> None:
        first, second = self._clocks
        self._station.until(_in_reach, "that the hall is in reach")
        self._began = time.monotonic()
        for number, clock in enumerate(self._clocks, 1):
            clock.until(_in_reach, "that the hall is in reach")
            self._give(clock, (*words, str(number), "--table", str(number)), NAMES[number - 1])
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
        self._end(first)

    def _end(self, clock: Directed) -> None:
        """Play out, enter both scores and sign."""
        out_play = (("right", TAP_NS), ("centre", TAP_NS), ("left", _HOLD_NS), ("left", TAP_NS), ("right", _HOLD_NS))
        for button, held_ns in out_play:
            clock.press(button, held_ns)
        clock.until(lambda line: line.startswith("over"), "the end of the game")
        self._note("Table 1: the last tile is played", clock, "over")
        clock.press("centre", _HOLD_NS)
        clock.press("centre")
        self._note("Table 1: the page for left's score", clock, "score")
        for digits in zip("455" * 2, "".join(map(str, SCORES)), strict=True):
            begins, wanted = map(int, digits)
            for _ in range(abs(wanted - begins)):
                clock.press("left" if wanted > begins else "right")
            clock.press("centre")
        self._note("Table 1: both read it and sign", clock, "sign")
        for button in ("left", "right"):
            clock.press(button, _HOLD_NS)
        clock.until(lambda line: "(+" in line, "the signed result")
        self._note("Table 1: the result is signed", clock, "signed")
        # Its row is signed by now: that is on the receipt.
        time.sleep(2)
        clock.press("centre", _HOLD_NS)
        clock.press("centre")
        clock.until(lambda line: "receipt" in line, "the receipt")
        self._note("Table 1: the receipt, for a phone", clock, "receipt")

    def _give(self, clock: Directed, words: Sequence[str], names: BySide[str]) -> None:
        """Have the director order the players' names, as the desk's page Names does."""
        deadline, words = time.monotonic() + PATIENCE_S, (*words, "--names", names.left, names.right)
        # Until the hall has heard the clock, nothing is sent.
        while (done := subprocess.run(words, input="\n", text=True, capture_output=True, check=False, timeout=PATIENCE_S)).returncode:  # noqa: S603 - our own program
            if time.monotonic() > deadline:
                raise HallDemoError(where="order", expected="that the clock takes the names", found=done.stderr.strip())
            time.sleep(1)
        clock.until(lambda line: names.left in line and names.right in line, "the names")

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


def _show_results(output: DemoFolder, port: int) -> None:
    """Wait until the result is in TSH's file, and show the desk's pages."""
    written, said = output.folder / "a.t", " ".join(map(str, SCORES))
    deadline = time.monotonic() + PATIENCE_S
    while not (written.exists() and f"; {SCORES[0]};" in written.read_text()):
        if time.monotonic() > deadline:
            raise HallDemoError(where=written, expected=f"the scores {said}", found="none")
        time.sleep(TURN_S)
    output.add(f"The desk has written {written.name} for TSH: {written.read_text().splitlines()[0]}")
    if (browser := shutil.which(_BROWSER)) is None:
        output.add(f"{_BROWSER} is not installed: there are no pictures of the desk's pages")
        return
    for name in ("round", "standings", "event"):
        words = (browser, "--no-sandbox", "--hide-scrollbars", "--window-size=1280,1000", f"http://{LOOPBACK}:{port}/{name}")
        output.picture(f"desk-{name}", partial(_page_picture, words))


def _check_receipt(output: DemoFolder, store: Path, journal: Path) -> None:
    """Write what a phone reads in the code, and say what the hall finds of it."""
    from hall.store.store import reading_store  # noqa: PLC0415 - as below
    from hall.verify import receipt_proof  # noqa: PLC0415

    with reading(journal) as connection:
        *_, receipt = receipts(list(rows_from(connection, 1)), (hash_of(connection, 1) or "")[:EPOCH_DIGITS])
    output.write("receipt.txt", receipt.whole)
    with reading_store(store) as held:
        proof, _ = receipt_proof(held, receipt.whole)
    output.add(f"receipt.txt, what a phone reads. The hall says: {proof.sentence}")


def _page_picture(words: Sequence[str], path: Path) -> None:
    subprocess.run((*words, f"--screenshot={path}"), check=True, capture_output=True, timeout=PATIENCE_S)  # noqa: S603 - our own page


def _in_reach(line: str) -> bool:
    return line.endswith("hall")


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
