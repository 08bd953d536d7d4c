"""A season on one card: what a clock, a station and a hall cost after 1, 10 and 100 % of 5,000 games, 20,000 challenges and a hall's 1,000,000 rows. To repeat:
``.venv/bin/python -m pytest tests/benchmarks/test_season.py -s -p no:xdist --timeout 4000``.

The rows are those that the programs themselves write. Games are those of ``test_replay.evening``, committed once a game. A hall's listener takes them from 60 clocks.
Processor time is the kernel's own count.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.records.chain import GENESIS, chained, covered
from firmware.journal.writer import Store, open_journal
from game.event_table import parse_event
from game.history import History, accept, begin
from hall.desk.rows import earlier_games
from hall.listener.service import Listener
from hall.picture import Hall
from hall.store.store import open_store
from kiosk.log import Log
from records.entry import Entry, Kind
from records.journal import GameStamp, Row, rows_of
from rules.rulebooks import load_rulebook
from tests.benchmarks.figures import Figures, ms, percentile
from tests.benchmarks.lexicon_words import lexicon_built, made_up
from tests.benchmarks.test_replay import evening
from tests.benchmarks.test_running import number, usage
from tests.hall.desk.playing import PlayingHall, running_desk
from tests.processes import ready
from tools.trial_broker import complete_hall, running_broker
from wire.topics import Topics

SHARES: Final = (0.01, 0.1, 1.0)
GAMES, CHALLENGES = int(os.environ.get("SEASON_GAMES", "5000")), int(os.environ.get("SEASON_CHALLENGES", "20000"))
HALL_ROWS: Final = int(os.environ.get("SEASON_HALL_ROWS", "1000000"))
PRESSES: Final = 100
TABLES: Final = 60
NS: Final = 1_000_000_000
BEGUN: Final = datetime(2026, 9, 1, 8, tzinfo=UTC)


def games() -> Iterator[tuple[Row, ...]]:
    """Yield the rows of one game after another, without end."""
    history: History | None = None
    rows: list[Row] = []
    game = 0
    for now, said in evening(sys.maxsize):
        if said["do"] == "show":
            continue
        event = parse_event(said, load_rulebook)
        before, stamp = (
            history,
            GameStamp(now, now, "season", (BEGUN + timedelta(microseconds=now // 1000)).isoformat(timespec="milliseconds")),
        )
        if history is None or said["do"] == "new_game":
            if rows:
                yield tuple(rows)
            history, rows, game = begin(event, now), [], game + 1  # type: ignore[arg-type]  # the generator begins with a game
            rows += rows_of(None, history, game, stamp)
        else:
            history = accept(history, event, now)
            rows += rows_of(before, history, game, stamp)


def processor_s(*command: str, cwd: Path) -> float:
    """Run one of the programs and return its processor's seconds."""
    with subprocess.Popen([sys.executable, "-m", *command], cwd=cwd, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def at_rest(command: Sequence[str], folder: Path, display: str) -> tuple[float, float, int]:
    """Start a program and return its processor's seconds until it is ready, its resident megabytes, and its descriptors."""
    with ready(command, folder, DISPLAY=display, STATE_DIRECTORY=str(folder / "state"), PYGAME_HIDE_SUPPORT_PROMPT="1") as program:
        found = (
            usage(program.pid).cpu_s,
            number(Path(f"/proc/{program.pid}/status"), "VmRSS") / 1024,
            len(list(Path(f"/proc/{program.pid}/fd").iterdir())),
        )
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=60)
    return found


def add(figures: Figures, what: str, rows: Sequence[tuple[str, str]]) -> None:
    for name, seen in rows:
        figures.add(f"season, {what}: {name}", seen)


def size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def test_a_clock_after_a_season_of_games(x_display: str, tmp_path: Path, root: Path, figures: Figures) -> None:
    path = tmp_path / "journal.db"
    open_journal(path)
    source, written = games(), 0
    found: dict[float, dict[str, float]] = {}
    for share in SHARES:
        store = Store(path)
        while written < GAMES * share:
            store.append(next(source), None)
            written += 1
        store.close()
        folder = tmp_path / f"{share}"
        folder.mkdir()
        copy = Path(shutil.copy(path, folder / "journal.db"))
        # A game that has not begun, which the presses then play.
        store = Store(copy, None)
        store.append(next(games())[:1], None)
        store.close()
        named = ("--journal", str(copy))
        costs = {
            "list": processor_s("firmware.cli", "journal", "list", *named, cwd=root),
            "export of all": processor_s("firmware.cli", "journal", "export", *named, cwd=root),
            "export of one": processor_s("firmware.cli", "journal", "export", str(written), *named, cwd=root),
            "verify": processor_s("firmware.cli", "journal", "verify", *named, cwd=root),
        }
        command = [sys.executable, "-m", "firmware.cli", "run", "--pins", "mock", "--windowed", *named]
        costs["start"], megabytes, descriptors = at_rest(command, folder, x_display)
        pressing = [sys.executable, "-m", "tests.benchmarks.pressing", str(PRESSES), str(copy), "short"]
        environment = {**os.environ, "DISPLAY": x_display, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        pressed = subprocess.run(pressing, cwd=root, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        delays = json.loads(pressed.stdout.splitlines()[-1])["delays"]
        found[share] = costs
        times = [(name, f"{seconds:.2f} s CPU") for name, seconds in costs.items()]
        pictures = ("press to picture, p50 / p95", f"{ms(percentile(delays, 50))} / {ms(percentile(delays, 95))}")
        rest = [pictures, ("resident memory", f"{megabytes:.0f} MB"), ("descriptors", str(descriptors)), ("file", size(copy))]
        add(figures, f"{written:,} games", [*times, *rest])
    one, all_ = found[SHARES[0]], found[SHARES[-1]]
    # What reads a whole season may take longer, by its rows; what a game in progress waits for may not.
    assert all_["start"] < 2 * one["start"]


def test_a_station_after_a_season_of_challenges(x_display: str, tmp_path: Path, root: Path, figures: Figures) -> None:
    path, words = tmp_path / "station.db", made_up()
    lexicon_built(words, tmp_path / "long.dawg")
    clocks, written = Clocks(), 0
    found: dict[float, float] = {}
    for share in SHARES:
        with Log(path, clocks) as log:
            while written < CHALLENGES * share:
                play = tuple(words[(written * step) % len(words)].upper() for step in (7, 11, 13))
                entry = Entry(
                    Kind.LOOKUP, table=1 + written % 40, challenger="left", words=play, acceptable=written % 3 > 0, rulebook="naspa-2017"
                )
                log.write([log.row(entry, clocks.now(), "Station")])
                written += 1
        folder = tmp_path / f"{share}"
        folder.mkdir()
        copy = Path(shutil.copy(path, folder / "station.db"))
        costs = {verb: processor_s("kiosk.cli", "log", verb, "--log", str(copy), cwd=root) for verb in ("list", "export", "verify")}
        settings = folder / "station.toml"
        settings.write_text(f'lexicon.path = "{tmp_path / "long.dawg"}"\nlog.path = "{copy}"\n', encoding="utf-8")
        command = [sys.executable, "-m", "kiosk.cli", "run", "--settings", str(settings)]
        costs["start"], megabytes, descriptors = at_rest(command, folder, x_display)
        found[share] = costs["start"]
        times = [(name, f"{seconds:.2f} s CPU") for name, seconds in costs.items()]
        rest = [("resident memory", f"{megabytes:.0f} MB"), ("descriptors", str(descriptors)), ("file", size(copy))]
        add(figures, f"{written:,} challenges", [*times, *rest])
    assert found[SHARES[-1]] < 2 * found[SHARES[0]]


class SentJournal:
    """A clock's journal as its link sends it: the end of the chain, and batches of rows that follow it."""

    def __init__(self, device: str) -> None:
        self.device, self.epoch, self.head, self.seq, self.game = device, "", GENESIS, 0, 0

    def batches(self, game: Sequence[Row]) -> Iterator[bytes]:
        """Yield the messages with the rows of the journal's next game."""
        self.game += 1
        left = iter(game)
        while rows := tuple(islice(left, 100)):
            first, previous, sent = self.seq + 1, self.head, list[tuple[str, list[object]]]()
            for row in rows:
                self.seq += 1
                fields = covered(self.seq, replace(row, game=self.game))
                self.head = chained(self.head, fields)
                self.epoch = self.epoch or self.head[:16]
                sent.append((self.head, fields))
            yield json.dumps({"v": 1, "epoch": self.epoch, "first": first, "last": self.seq, "previous": previous, "rows": sent}).encode()


def test_a_hall_after_a_season_of_rows(tmp_path: Path, root: Path, figures: Figures) -> None:
    hall = complete_hall(tmp_path / "hall", clocks=TABLES, stations=0)
    name, store = hall.files.authority.hall, tmp_path / "rows.db"
    topics, journals, source = Topics(name), [SentJournal(clock.id) for clock in hall.clocks], games()
    found: dict[float, dict[str, float]] = {}
    with running_broker(tmp_path / "broker", hall.files) as broker:
        for share in SHARES:
            opened, _ = open_store(store, name)
            turns = list[int]()
            with closing(opened):
                listener = Listener(opened, Hall(name), lambda *_: None, lambda: 1000 * NS)
                while sum(each.seq for each in journals) < HALL_ROWS * share:
                    for journal in journals:
                        for message in journal.batches(next(source)):
                            listener.receive(topics.of_device(journal.device, "rows"), message, 1000 * NS)
                        begun = time.monotonic_ns()
                        listener.turn(1000 * NS)
                        turns.append(time.monotonic_ns() - begun)
            asked, first = time.monotonic(), journals[0]
            assert len(earlier_games(store, name, first.device, first.epoch, first.game)) == first.game - 1
            costs = {"a table's earlier games": time.monotonic() - asked}
            costs["verify"] = processor_s("hall.cli", "verify", "--store", str(store), cwd=root)
            with running_desk(PlayingHall(hall, broker), store) as desk:
                pages = {page: pages_s(desk.address + page) for page in ("/", "/devices", "/event", "/log")}
                costs["start of the desk"] = usage(desk.process.pid).cpu_s
                megabytes = number(Path(f"/proc/{desk.process.pid}/status"), "VmRSS") / 1024
                descriptors = len(list(Path(f"/proc/{desk.process.pid}/fd").iterdir()))
            found[share] = costs
            rest = [
                ("a game of rows to the disk, p50 / p95", f"{ms(percentile(turns, 50))} / {ms(percentile(turns, 95))}"),
                *((f"page {page}", f"{seconds * 1000:.0f} ms") for page, seconds in pages.items()),
                ("resident memory of the desk", f"{megabytes:.0f} MB"),
                ("descriptors", str(descriptors)),
                ("file", size(store)),
            ]
            rows = sum(each.seq for each in journals)
            add(figures, f"{rows:,} rows of a hall", [*((what, f"{seconds:.2f} s") for what, seconds in costs.items()), *rest])
    assert found[SHARES[-1]]["start of the desk"] < 2 * found[SHARES[0]]["start of the desk"]


def pages_s(address: str) -> float:
    """Return the seconds that a page takes, the fastest of three."""
    times = []
    for _ in range(3):
        begun = time.monotonic()
        with urlopen(address) as answer:  # noqa: S310 - our own desk on the loopback
            answer.read()
        times.append(time.monotonic() - begun)
    return min(times)
