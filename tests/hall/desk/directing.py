"""The program ``tilehall desk`` with a login, beside a hall of real clocks, and what a director does at the clocks themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hall.desk.access.accounts import Accounts, Costs, new_account
from hall.keys.director import unlock_director
from hall.keys.files import LISTENER
from tests.hall.desk.playing import TILEHALL, RunningDesk
from tests.hall.desk.web.serving import DIRECTOR, PASSWORD
from tests.hall.joined import PASSPHRASE, JoinedHall, PlayedClock
from tests.processes import running, until


def director_account(joined: JoinedHall, folder: Path) -> Path:
    """Make the account of the hall's director; return the file of accounts."""
    key = unlock_director(joined.files.director, PASSPHRASE.encode())
    made = Accounts(folder / "accounts.json")
    made.put(new_account(DIRECTOR, PASSWORD, key, Costs(passes=1, lanes=1, memory_kib=1024)))
    return made.path


@contextmanager
def running_desk(joined: JoinedHall, accounts: Path, *, desk: str = "desk-1", listener: str = LISTENER) -> Iterator[RunningDesk]:
    """Run ``tilehall desk`` with its files beside those of the accounts. A second one has another listener, and another file of rows."""
    files, broker, folder = joined.files, joined.broker, accounts.parent
    words = (
        "desk", "--folder", str(files.identity(listener).key.parent), "--host", broker.host, "--port", str(broker.port), "--http", "0",
        "--pages", "0", "--desk", str(files.identity(desk).key.parent), "--store", str(folder / f"{listener}.db"),
        "--desk-store", str(folder / "desk.db"), "--book", str(folder / "orders.db"), "--accounts", str(accounts),
    )  # fmt: skip
    with running(TILEHALL, *words) as process:
        yield RunningDesk(process)


@contextmanager
def directors_key(clock: PlayedClock) -> Iterator[None]:
    """Stop a clock, and turn the director's key at it: its menu is open within the block."""
    if clock.game.running is not None:
        clock.press("centre")
        clock.until("neutral")
    clock.board.down("key")
    until(lambda: clock.face.menu is not None, "the director's menu")
    yield
    clock.board.up("key")
    until(lambda: clock.face.menu is None, "the players' page")


def choose(clock: PlayedClock, *rows: str) -> None:
    """Take one row after the other in the director's menu."""
    for row in rows:
        until(lambda row=row: clock.face.menu is not None and row in clock.face.menu.rows, row)  # type: ignore[misc] # a default of a lambda
        menu = clock.face.menu
        assert menu is not None
        place = menu.rows.index(row)
        while (shown := clock.face.menu) is not None and shown.chosen != place:
            clock.press("down")
        clock.press("ok")
