"""A freeze of 1,000 tables in play: from the director's hold to a matrix in which every table is frozen, asked, refused or silent."""

import os
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
import pytest
from msgspec import Struct

from hall.desk.access.accounts import Accounts, Costs, new_account
from hall.keys.files import unlock_director
from tests.benchmarks.figures import Figures
from tests.hall.desk.playing import PlayingHall, clocks_process, play, running_desk, table_plans, wait_until_linked
from tests.hall.desk.web.serving import DIRECTOR, PASSWORD, log_in, request_in
from tests.installed import require
from tools.simulate.plan import SimulationPlan
from tools.trial_broker import complete_hall, running_broker

TABLES = 1000
_PATIENCE_S = 600.0
_PLAY_S = 1800


@contextmanager
def _hung(process: BaseProcess) -> Iterator[None]:
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


class _Played(Struct, frozen=True, dict=True):
    playing: PlayingHall
    last: BaseProcess
    tables: int
    """Of the last process."""


@contextmanager
def _played(folder: Path) -> Iterator[_Played]:
    hall = complete_hall(folder / "hall", clocks=TABLES, stations=0)
    shares = SimulationPlan(TABLES, _PLAY_S).shares()
    with running_broker(folder / "broker", hall.files) as broker, ExitStack() as stack:
        plans = table_plans(hall, broker)
        pipes = []
        for number, share in enumerate(shares):
            before = set(active_children())
            pipes.append(stack.enter_context(clocks_process(plans[share.start : share.stop], folder / f"samples-{number}")))
            (last,) = set(active_children()) - before
        for pipe in pipes:
            wait_until_linked(pipe)
        for pipe in pipes:
            play(pipe, _PLAY_S, press_s=20.0)
        yield _Played(PlayingHall(hall, broker), last, len(shares[-1]))


def _heard(client: httpx.Client) -> str:
    """Return the form once the hall hears all clocks, and the broker takes orders."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        page = client.get("/notices").text
        if page.count('name="clock"') == TABLES and "data-unheard" not in page and 'role="alert"' not in page:
            return page
        time.sleep(1)
    raise AssertionError("the hall does not hear all clocks")


def _freeze(client: httpx.Client, page: str) -> tuple[Counter[str], float, float]:
    """Freeze all; return what has become of each, and after how many seconds the matrix stood and was complete."""
    form = {"request": request_in(page), "do": "stop", "text": "Stop, please", "to": "all"}
    began = time.monotonic()
    answer = client.post("/notices", data=form)
    assert answer.status_code == 303, answer.text
    matrix = client.get(f"{answer.headers['location']}/part").text
    stood = time.monotonic() - began
    while 'data-complete="true"' not in matrix:
        time.sleep(0.05)
        matrix = client.get(f"{answer.headers['location']}/part").text
    return Counter(re.findall(r'class="cell (\w+)"', matrix)), stood, time.monotonic() - began


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory: a thousand clocks write to one disk only here."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
    with tempfile.TemporaryDirectory(prefix="freeze-", dir=memory if memory.is_dir() else None) as made:
        yield Path(made)


@pytest.mark.timeout(1500)
def test_a_freeze_is_answered_for_every_table(folder: Path, figures: Figures) -> None:
    require("mosquitto")
    with _played(folder) as played:
        director = unlock_director(played.playing.hall.files.director, b"")
        accounts = Accounts(folder / "accounts.json")
        accounts.put(new_account(DIRECTOR, PASSWORD, director, Costs(passes=1, lanes=1, memory_kib=1024)))
        with (
            running_desk(played.playing, folder / "hall.db", "--login", "--accounts", str(accounts.path)) as desk,
            httpx.Client(base_url=desk.address, timeout=60) as client,
        ):
            assert log_in(client, DIRECTOR).status_code == 303
            whole = _freeze(client, _heard(client))
            _add(figures, f"{TABLES} tables in play, every second one stops itself", whole)
            # The clocks that stopped themselves stay so; the form asks once more.
            page = _heard(client)
            with _hung(played.last):
                partly = _freeze(client, page)
            _add(figures, f"the same, {played.tables} of them hang", partly)
    assert sum(whole[0].values()) == sum(partly[0].values()) == TABLES
    # All clocks share the two processors of this machine: how many answer in time is theirs, not the desk's.
    assert whole[0]["frozen"]
    assert partly[0]["silent"] >= played.tables
    assert max(whole[2], partly[2]) <= 3


def _add(figures: Figures, what: str, found: tuple[Counter[str], float, float]) -> None:
    kinds, stood, complete = found
    said = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    figures.add(f"freeze: {what}", f"first matrix {stood:.2f} s, complete {complete:.2f} s: {said}", "complete in 3 s", held=complete <= 3)
