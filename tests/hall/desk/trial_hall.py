"""A hall of many clocks in this process, and its desk served on the loopback.

The clocks are the real core, their rows those of the real journal; what is missing is the network between them and the listener's picture.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import uvicorn

from appliance.records.chain import covered
from appliance.version import VERSION
from firmware.gestures.clock_state import ClockState
from firmware.hall.report import clock_report
from firmware.menu.setup import Setup
from firmware.texts import load_texts
from game.events import Call, Event, Neutralise, NewGame, Press
from game.history import History, accept, begin
from game.rulings import DIRECTOR_CALLED
from game.table import Assignment
from hall.desk.access.accounts import Accounts, DeskRole
from hall.desk.access.guard import Access
from hall.desk.access.limits import Strangers
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import Publisher
from hall.desk.run import bound
from hall.desk.store import DeskStore
from hall.desk.store import open_store as desk_store
from hall.desk.web.app import create_app, secured
from hall.desk.web.pages import Acting
from hall.link.connection import LinkPlan
from hall.listener.row_keeper import TakenRows
from hall.orders.sender import Ordering
from hall.picture import Exchange, Hall, Offsets, RemoteDevice
from hall.store.store import open_store
from records.journal import GameStamp, Kind, Row, row_of, rows_of
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide, Side
from tests.some import some
from wire.reports import DeviceBeat, Presence

NS = 1_000_000_000
_LETTERS = str.maketrans("0123456789", "abcdefghij")
"""A device's name has no digits."""
SETUP = Setup(two_button=False, rulebooks=(), texts=load_texts("en"), reasons={})
FIRST = ("Ann", "Bo", "Cécile", "Dmitri", "Eve", "Fatou", "Gil", "Hanna", "Ian", "Jo")
LAST = ("Abel", "Brown", "Castro", "Dubois", "Evans", "Fischer", "García", "Hughes", "Ito", "Jensen", "Kaya")


@dataclass
class TrialClock:
    table: int
    device: RemoteDevice
    offset: int
    """Of its machine's time to the listener's, in ns."""
    history: History | None = None
    game: int = 0
    rows: int = 0
    names: BySide[str] = field(default_factory=lambda: BySide("", ""))


class TrialHall:
    """The hall, and the desk in front of it.

    Args:
        tables: how many, numbered from 1.
        now: CLOCK_MONOTONIC in ns; one that stands stops all readings.
    """

    def __init__(self, folder: Path, tables: int, now: Callable[[], int] = time.monotonic_ns) -> None:
        store, _ = open_store(folder / "hall.db", "trial")
        store.close()
        self.folder, self.now = folder, now
        self.hall = Hall("trial")
        self.hall.broker_up = True
        self._lock = threading.Lock()
        self.desk = DirectorsDesk("trial", self._picture, folder / "hall.db")
        self.desk.wall = lambda: _wall(self.now())
        self.clocks = {table: self._clock(table) for table in range(1, tables + 1)}
        # The desk reads back what the file holds of each journal, here nothing, and gets all rows from then on.
        while len(self.desk.tiles) < tables:
            self.desk.changes(now())

    @contextmanager
    def _picture(self) -> Iterator[Hall]:
        with self._lock:
            yield self.hall

    def _clock(self, table: int) -> TrialClock:
        now = self.now()
        device = self.hall.device(f"c-{table:016}".translate(_LETTERS), now)
        device.epoch = f"{table:016x}"
        device.presence = Presence(
            up=True, kind="clock", key="A" * 43 + "=", boot="boot", epoch=device.epoch, table=_on_the_wire(table), name=f"clock {table}",
            versions={"tileclock": VERSION},
        )  # fmt: skip
        clock = TrialClock(table, device, offset=table * 1_000_003)
        clock.names = BySide(_name(2 * table), _name(2 * table + 1))
        self.beat(clock)
        return clock

    def beat(self, clock: TrialClock, **changes: Any) -> None:
        now = self.now()
        device = clock.device
        device.beat = DeviceBeat.model_validate(
            {"nonce": "0" * 32, "boot": "boot", "epoch": device.epoch, "seq": clock.rows, "head": "0" * 64, "lexicon": None,
             "power": "ok", "lag": 0, "dropped": 0, "sent": 0, "echo": None, **changes}
        )  # fmt: skip
        device.beat_at = now
        device.offsets = Offsets("boot", (Exchange(clock.offset, 2_000_000, now),))
        self.desk.heard(device.id)

    def beat_all(self) -> None:
        for clock in self.clocks.values():
            self.beat(clock)

    def say(self, table: int, event: Event, ago_s: float = 0.0) -> int:
        """Have an event happen at a table now, or some seconds ago; return the listener's instant at which the hall has it."""
        clock = self.clocks[table]
        now = self.now() - round(ago_s * NS)
        mono = now - clock.offset
        old = clock.history
        if isinstance(event, NewGame):
            clock.history, clock.game = begin(event, mono), clock.game + 1
        else:
            clock.history = accept(some(old), event, mono)
        rows = rows_of(None if isinstance(event, NewGame) else old, clock.history, clock.game, _stamp(clock, mono))
        if isinstance(event, Call):
            clock.device.called_at = now if event.on else None
        self._write(clock, rows, mono)
        return now

    def order(self, table: int, what: str, ago_s: float = 0.0, *, hard: bool = False, text: str = "Fire alarm") -> None:
        """Have a clock take a freeze (``stop``) or its end (``clear``); ``hard``: it stops itself."""
        clock = self.clocks[table]
        mono = self.now() - round(ago_s * NS) - clock.offset
        assert clock.history is not None
        body: dict[str, Any] = {"id": "0" * 32, "issuer": "desk-1", "what": what, "answer": "accepted"}
        if what == "stop":
            body["text"] = text
        if hard:
            self.say(table, Neutralise(DIRECTOR_CALLED), ago_s)
            body["number"] = clock.history.number
        self._write(clock, (row_of(Kind.PROPOSAL, clock.game, _stamp(clock, mono), body),), mono)

    def _write(self, clock: TrialClock, rows: Sequence[Row], mono: int) -> None:
        fields = [json.loads(json.dumps(covered(clock.rows + place, row))) for place, row in enumerate(rows, 1)]
        clock.rows += len(rows)
        state = ClockState(some(clock.history), SETUP)
        stamp: dict[str, Any] = {"boot": "boot", "nonce": "0e" * 16, "epoch": clock.device.epoch}
        with self._lock:
            clock.device.clock = clock_report(state, Assignment(_on_the_wire(clock.table), clock.names), clock.game, mono, **stamp)
            clock.device.held = clock.rows
        self.desk.committed([TakenRows(clock.device.id, some(clock.device.epoch), [("0" * 64, each) for each in fields])])

    def begin(self, table: int, ago_s: float = 0.0, left_s: int | None = None) -> None:
        allowed = BySide(None if left_s is None else left_s * NS, None)
        self.say(table, NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, allowed), ago_s + 1)
        self.say(table, Press(Side.RIGHT), ago_s)

    def press(self, table: int, ago_s: float = 0.0) -> int:
        """Have whoever runs press, at first the left side; return the instant."""
        history = some(self.clocks[table].history)
        running = history.game.running
        return self.say(table, Press(Side.LEFT if running is None else running), ago_s)


@contextmanager
def served(hall: TrialHall, port: int = 0, parts: Acting | None = None) -> Iterator[str]:
    """Serve the desk at a port of the loopback (0: a free one), behind all that guards it; yield its address. Without ``parts`` there is no login."""
    publisher = Publisher(hall.desk.changes, hall.desk.snapshot, hall.now)
    hall.desk.on_news = publisher.wake
    parts = parts or acting_parts(hall.folder)
    app = secured(create_app(hall.desk, publisher, parts, hall.now), parts.access, ("127.0.0.1",), hall.now)
    with on_a_server(app, publisher, port) as address:
        yield address


@contextmanager
def on_a_server(app: Any, publisher: Publisher, port: int = 0, **config: Any) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1, **config))
    with bound(port) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            publisher.close()
            server.should_exit = True
            thread.join()


def acting_parts(folder: Path, everybody: DeskRole = DeskRole.DEPUTY, strangers: Strangers | None = None) -> Acting:
    """Return what acts beside the pages. No broker is there; ``strangers``: None: their pauses are short, since many tests log in at one desk; ``everybody``: what whoever asks may do, without a login."""
    access = Access(Accounts(folder / "accounts.json"), everybody, strangers=strangers or Strangers(lambda: 1000 * time.monotonic_ns()))
    ordering = Ordering(LinkPlan("trial", "127.0.0.1", 1, folder, folder, folder, "desk-1", folder), folder / "orders.db")
    return Acting(access, ordering, DeskStore(desk_store(str(folder / "desk.db")), "trial", "desk-1"))


def _wall(at: int) -> datetime:
    """Return the wall time of an instant (ns): on the first day CLOCK_MONOTONIC began."""
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=at // 1000)


def _stamp(clock: TrialClock, mono: int) -> GameStamp:
    return GameStamp(mono, mono, "boot", _wall(mono + clock.offset).isoformat(timespec="milliseconds"))


def _on_the_wire(table: int) -> int | None:
    # A table's number has at most three digits; the thousandth clock has none.
    return table if table < 1000 else None


def _name(number: int) -> str:
    return f"{FIRST[number % len(FIRST)]} {LAST[number // len(FIRST) % len(LAST)]}"
