"""Storms: whatever dies, comes back or is an hour off, every row arrives once, in order, and what is not heard is shown stale."""

import os
import re
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from appliance.records.rows import links
from firmware.journal.writer import Store as JournalStore
from firmware.journal.writer import open_journal
from hall.cli.main import main
from hall.status import HallPicture
from hall.store.store import reading_store
from records.journal import GameStamp, Kind, reading, row_of
from tests.hall.desk.playing import clocks_process, play, table_plans, wait_until_linked
from tests.hall.listener.listening import TILEHALL, Listening, listen
from tests.in_process import ran
from tests.installed import require
from tests.processes import PATIENCE_S, running, until
from tests.some import some
from tools.simulate.plan import TablePlan
from tools.simulate.worker import Played
from tools.trial_broker import Broker, CompleteHall, complete_hall, running_broker

DAY_ROWS = 4320


def _faked(by: str | Path) -> dict[str, str]:
    """Return the environment of a machine whose time of day is off, or is moved by a file. CLOCK_MONOTONIC stays: it knows no date."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    source = {"FAKETIME": by} if isinstance(by, str) else {"FAKETIME_TIMESTAMP_FILE": str(by), "FAKETIME_CACHE_DURATION": "1"}
    return {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", **source}


@dataclass
class StormyHall:
    folder: Path
    hall: CompleteHall
    broker: Broker
    pipe: Pipe
    tables: tuple[TablePlan, ...]
    stack: ExitStack
    listener: Listening | None = None
    links: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        return self.folder / "hall.db"

    def listen(self, **environment: str) -> Listening:
        words = listen(self.broker, self.hall.listener, self.store)
        process = self.stack.enter_context(running(TILEHALL, *words, **environment))
        self.listener = Listening(process)
        return self.listener

    def kill_listener(self) -> None:
        assert self.listener is not None
        self.listener.process.kill()
        self.listener.process.wait()

    def link(self, table: int, environment: Mapping[str, str] | None = None) -> None:
        self.cut(table)
        words = (sys.executable, "-P", "-m", "hall.link", self.tables[table].link.to_json())
        self.links[table] = self.stack.enter_context(
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        )

    def cut(self, table: int) -> None:
        if (process := self.links.pop(table, None)) is not None:
            process.kill()
            process.wait()

    def play(self, seconds: int, press_s: float = 0.6) -> None:
        play(self.pipe, seconds, press_s)

    def end_play(self) -> None:
        assert self.pipe.poll(PATIENCE_S * 2)
        played = self.pipe.recv()
        assert isinstance(played, Played)
        assert played.complete
        assert played.presses > 0

    def until(self, condition: object) -> HallPicture:
        assert self.listener is not None
        return self.listener.until(condition)  # type: ignore[arg-type] # a lambda of its picture

    def require_all_rows(self) -> None:
        for table in self.tables:
            expected = rows_of(table.journal)
            until(lambda table=table, expected=expected: self.held(table) == expected, f"the rows of table {table.number}")  # type: ignore[misc] # its defaults
        self.kill_listener()
        done = ran(main, "verify", "--store", str(self.store))
        assert done.returncode == 0, done.stdout + done.stderr

    def held(self, table: TablePlan) -> list[tuple[int, str]]:
        with reading_store(self.store) as store:
            epochs = store.epochs(table.link.device)
            return [(row.seq, row.hash) for known in epochs for row in store.rows(table.link.device, known.epoch)]


def rows_of(journal: Path) -> list[tuple[int, str]]:
    with reading(journal) as connection:
        return [(link.seq, link.hash) for link in links(connection, 1)]


@contextmanager
def stormy_hall(
    folder: Path,
    tables: int = 3,
    before: Callable[[Sequence[TablePlan]], None] = lambda _: None,
    clocks: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[StormyHall]:
    """Run broker, clocks and links; the listener is started by ``listen``, ``before`` prepares the clocks' files, ``clocks`` is in their environment."""
    require("mosquitto")
    hall = complete_hall(folder / "hall", clocks=tables, stations=0)
    with running_broker(folder / "broker", hall.files) as broker, ExitStack() as stack:
        plans = table_plans(hall, broker, hosted=False)
        before(plans)
        pipe = stack.enter_context(clocks_process(plans, folder / "samples", clocks))
        found = StormyHall(folder, hall, broker, pipe, plans, stack)
        try:
            for number in range(tables):
                found.link(number)
            wait_until_linked(pipe)
            yield found
        finally:
            for number in range(tables):
                found.cut(number)


def _of(picture: HallPicture, storm: StormyHall, table: int) -> dict[str, object]:
    device = storm.tables[table].link.device
    return next((each for each in picture.devices if each["id"] == device), {})


def _knows_all(picture: HallPicture) -> bool:
    return len(picture.devices) == 3 and all(each["clock"] and each["rows"] and not each["missing"] for each in picture.devices)


@pytest.mark.waits(20)
def test_machines_that_are_an_hour_off_or_moved_in_mid_round_lose_no_row_and_no_second(tmp_path: Path) -> None:
    require("faketime")
    day = tmp_path / "time-of-day"
    day.write_text("+0s")
    with stormy_hall(tmp_path, clocks=_faked(day)) as storm:
        listener = storm.listen(**_faked("+1h"))
        assert datetime.fromisoformat(listener.log[0][:19]) - datetime.now(UTC).replace(tzinfo=None) > timedelta(minutes=50)
        # One link is an hour behind.
        storm.link(1, {**os.environ, **_faked("-1h")})
        storm.until(_knows_all)
        storm.play(12)
        for moved in ("-1h", "+1h"):
            before = sum(len(rows_of(table.journal)) for table in storm.tables)
            day.write_text(moved)
            storm.until(lambda picture, before=before: sum(each["rows"] for each in picture.devices) >= before + 6)
        storm.end_play()
        picture = storm.until(lambda picture: _knows_all(picture) and all(each["clock"]["bound_s"] is not None for each in picture.devices))
        for table in storm.tables:
            with closing(sqlite3.connect(table.journal)) as connection:
                said = [datetime.fromisoformat(wall) for (wall,) in connection.execute("SELECT wall FROM rows ORDER BY seq")]
            assert max(said) - min(said) > timedelta(minutes=100)
        assert not picture.troubles
        # No reading goes by a time of day: both read as the clocks do, whose games have gone on for seconds.
        shown = [each["clock"][side].lstrip("~") for each in picture.devices for side in ("left", "right")]
        assert all(reading.startswith(("24:", "25:")) for reading in shown), shown
        storm.require_all_rows()


_DESCRIPTORS: Final = int(
    re.findall(r"^LimitNOFILE=(\d+)$", (Path(__file__).parents[2] / "systemd/mosquitto.service.d/tilehall.conf").read_text(), re.MULTILINE)[
        0
    ]
)
_SILENT: Final = """
import resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (1500, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
kept = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(1300)]
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.waits(33)
def test_tables_play_on_beside_a_crowd_of_silent_connections_and_the_hall_hears_them_once_its_limits_are_in_force(tmp_path: Path) -> None:
    with stormy_hall(tmp_path) as storm:
        storm.listen()
        for table in (1, 2):
            storm.cut(table)
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.prlimit(storm.broker.pid, resource.RLIMIT_NOFILE, (1024, most))
        with subprocess.Popen(
            (sys.executable, "-c", _SILENT, str(storm.broker.port)), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as crowd:
            assert some(crowd.stdout).readline() == b"open\n"
            for table in (1, 2):
                storm.link(table)
            storm.play(8)
            # Each press is in its journal, whatever the broker does.
            storm.end_play()
            assert "denied access" in storm.broker.log()
            assert not _of(storm.until(bool), storm, 2).get("rows")
            resource.prlimit(storm.broker.pid, resource.RLIMIT_NOFILE, (min(_DESCRIPTORS, most), most))
            storm.until(_knows_all)
            some(crowd.stdin).close()
        storm.require_all_rows()


def _day(table: TablePlan) -> None:
    open_journal(table.journal)
    journal = JournalStore(table.journal)
    for hour in range(24):
        stamp = GameStamp(hour, hour, "boot", "2026-01-01T00:00:00Z")
        journal.append(
            [row_of(Kind.NOTE, 1, stamp, {"n": f"{hour}-{number}", "text": "x" * 200}) for number in range(DAY_ROWS // 24)], None
        )
    journal.close()


@pytest.mark.waits(25)
def test_a_day_without_network_comes_in_order_at_20_messages_a_second_and_kills_in_mid_round_lose_no_row(tmp_path: Path) -> None:
    with stormy_hall(tmp_path, before=lambda tables: _day(tables[0])) as storm:
        storm.listen()
        storm.until(lambda picture: bool(_of(picture, storm, 0).get("rows")))
        first, began = _of(storm.until(bool), storm, 0)["rows"], time.monotonic()
        assert isinstance(first, int)
        storm.until(_knows_all)
        # A message has 100 rows at most, and 20 may go at once.
        assert time.monotonic() - began >= ((DAY_ROWS - first) / 100 - 20) / 20 - 0.1
        assert len(storm.held(storm.tables[0])) > DAY_ROWS
        storm.play(12)
        storm.until(lambda picture: sum(each["rows"] for each in picture.devices) >= DAY_ROWS + 12)
        # It keeps nothing on the disk, so its store is gone with it.
        storm.broker.restart()
        storm.until(lambda picture: picture.broker_up)
        storm.kill_listener()
        for table in (2, 0):
            storm.cut(table)
        storm.listen()
        storm.broker.kill()
        for table in (0, 1, 2):
            storm.link(table)
        storm.broker.restart()
        storm.end_play()
        storm.until(_knows_all)
        storm.require_all_rows()
