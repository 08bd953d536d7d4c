"""The desk's pages behind everything that a request has to pass, on a real server; the hall behind them is what the tests report."""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.applications import Starlette

from hall.desk.access.accounts import Accounts, Costs, new_account
from hall.desk.access.connections import LimitedConnection
from hall.desk.access.guard import Access
from hall.desk.access.tries import Tries
from hall.desk.desk import DirectorsDesk
from hall.desk.ordering import Ordering
from hall.desk.publisher import Publisher
from hall.desk.run import bound
from hall.desk.store import DeskLog, Lease, Takers, open_store
from hall.desk.web.acting import Acting
from hall.desk.web.app import create_app
from hall.desk.web.secured import secured
from hall.keys.authority import public_text
from hall.keys.director import DirectorKey
from hall.link.dialling import LinkPlan
from tests.hall.desk.plain_http import NO_CERTIFICATES
from tests.hall.reporting import NS, Device, Rig, rig
from tests.processes import until

PASSWORD = "nine racks of tiles"  # noqa: S105 - of accounts that the tests make
CHEAP = Costs(passes=1, lanes=1, memory_kib=1024)
"""The tests log in hundreds of times."""
DIRECTOR, DEPUTY = "ruth", "jo"


@dataclass
class ServedDesk:
    """A desk that serves."""

    base: str
    app: Starlette
    acting: Acting
    desk: DirectorsDesk
    rig: Rig
    folder: Path
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, address: str = "127.0.0.1", **options: Any) -> httpx.Client:
        """Return a browser without pages: it keeps cookies, and comes from ``address``."""
        made = httpx.Client(
            base_url=self.base,
            verify=NO_CERTIFICATES,
            transport=httpx.HTTPTransport(local_address=address, verify=NO_CERTIFICATES),
            timeout=60,
            **options,
        )
        self.clients.append(made)
        return made

    def logged_in(self, name: str = DIRECTOR, **options: Any) -> httpx.Client:
        """Return one that has logged in."""
        client = self.client(**options)
        answer = log_in(client, name)
        assert answer.status_code == 303, answer.text
        return client

    def report(self, device: Device, **messages: dict[str, Any]) -> None:
        """Let the hall hear of a device: ``up``, ``state``, ``beat``, ``call``."""
        for what, message in messages.items():
            self.rig.now = time.monotonic_ns()
            self.rig.report(device, what, message)
        self.desk.heard(device.id)
        until(lambda: device.id in {each.id for each in self.desk.remote_devices()}, "the desk's picture")
        known = self.rig.hall.devices[device.id]
        if known.beat_at is not None:
            # As if it were heard for the next hour: no test is about silence.
            known.beat_at = self.rig.now + 3600 * NS
        self.desk.heard(device.id)
        until(
            lambda: (
                (found := self.desk.device(device.id)) is not None
                and found.call == known.call
                and found.clock == known.clock
                and found.beat_at == known.beat_at
            )
        )

    def clock(self, name: str = "one", table: int | None = 1, **state: Any) -> Device:
        """Let the hall hear of a clock."""
        device = Device(name)
        device.write()
        self.report(device, up=device.up(table=table), state=device.state(table=table, **state), beat=device.beat())
        return device


@contextmanager
def accounts_made(folder: Path) -> Iterator[Path]:
    """Make a director's and a deputy's account, once for many desks: each takes time on purpose."""
    private = Ed25519PrivateKey.generate()
    accounts = Accounts(folder / "accounts.json")
    accounts.put(new_account(DIRECTOR, PASSWORD, DirectorKey(public_text(private), private), CHEAP))
    accounts.put(new_account(DEPUTY, PASSWORD, None, CHEAP))
    yield accounts.path


@contextmanager
def served_desk(folder: Path, accounts: Path, plan: LinkPlan | None = None) -> Iterator[ServedDesk]:
    """Serve a desk on the loopback. Without a ``plan`` no broker is there."""
    shutil.copy(accounts, folder / "accounts.json")
    nowhere = LinkPlan("trial", "127.0.0.1", 1, folder, folder, folder, "desk-1", folder)
    with rig(folder) as listener:
        engine = open_store(str(folder / "desk.db"))
        access = Access(Accounts(folder / "accounts.json"), Tries(engine, time.monotonic_ns()))
        lock = threading.Lock()

        @contextmanager
        def picture() -> Iterator[Any]:
            with lock:
                yield listener.hall

        desk = DirectorsDesk("trial", picture, folder / "hall.db")
        publisher = Publisher(desk.changes, desk.snapshot)
        desk.on_news = publisher.wake
        ordering = Ordering(plan or nowhere, folder / "orders.db")
        parts = Acting(
            access, ordering, DeskLog(engine, "trial", ordering.desk), Lease(engine, "trial", ordering.desk), Takers(engine, "trial")
        )
        app = create_app(desk, publisher, parts)
        listening = bound(0)
        config = uvicorn.Config(
            secured(app, access, ("localhost", "127.0.0.1")),
            http=LimitedConnection,
            log_config=None,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        threads = [threading.Thread(target=server.run, args=([listening],)), threading.Thread(target=ordering.run)]
        for each in threads:
            each.start()
        served = ServedDesk(f"http://127.0.0.1:{listening.getsockname()[1]}", app, parts, desk, listener, folder)
        until(lambda: server.started and (folder / "orders.db").exists())
        try:
            yield served
        finally:
            for client in served.clients:
                client.close()
            publisher.close()
            server.should_exit = True
            ordering.stop()
            for each in threads:
                each.join()


def token_in(page: str) -> str:
    """Return the token of a page's forms."""
    found = re.search(r'name="token" value="([0-9a-f]{64})"', page)
    assert found is not None, page[:2000]
    return found[1]


def request_in(page: str) -> str:
    """Return the id that a page's form asks by."""
    found = re.search(r'name="request" value="([0-9a-f]{32})"', page)
    assert found is not None, page[:2000]
    return found[1]


def log_in(client: httpx.Client, name: str, password: str = PASSWORD, next_path: str = "/") -> httpx.Response:
    """Fill in the form of the login page."""
    page = client.get("/login", params={"next": next_path})
    return client.post("/login", data={"token": token_in(page.text), "name": name, "password": password, "next": next_path})
