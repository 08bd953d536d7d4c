"""The desk's pages behind everything that a request has to pass, on a real server; the hall behind them is what the tests report."""

import re
import shutil
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.applications import Starlette

from hall.desk.access.accounts import Costs, DeskRole
from hall.desk.access.limits import LimitedConnection, Strangers
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import Publisher
from hall.desk.web.app import create_app, secured
from hall.desk.web.pages import Acting
from hall.orders.sender import KeptOrder
from tests.hall.desk.trial_hall import acting_parts, on_a_server
from tests.hall.reporting import NS, Device, Rig, rig
from tests.processes import until
from tests.some import some

NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For plain HTTP: httpx would read the certificates of all authorities for each client, which takes 20 ms."""
PASSWORD = "nine racks of tiles"  # noqa: S105 - of accounts that the tests make
WRONG = "nine racks of tilez"
CHEAP = Costs(passes=1, lanes=1, memory_kib=1024)
"""The tests log in hundreds of times."""
DIRECTOR, DEPUTY = "ruth", "jo"
OVER: Final[dict[str, Any]] = {"phase": "over", "running": None, "turn": None, "between_games": True}
"""What a clock reports after its game."""


@dataclass
class ServedDesk:
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

        def is_shown() -> bool:
            found = self.desk.device(device.id)
            return found is not None and (found.call, found.clock, found.beat_at) == (known.call, known.clock, known.beat_at)

        until(is_shown)

    def ids(self, *tables: int) -> list[str]:
        return [tile.id for tile in self.desk.tiles.values() if tile.table in tables]

    def orders(self, request: str) -> tuple[KeptOrder, ...]:
        return self.acting.ordering.orders_of(request)

    def clock(self, name: str = "one", table: int | None = 1, **state: Any) -> Device:
        device = Device(name, rows=1)
        self.report(device, up=device.up(table=table), state=device.state(table=table, **state), beat=device.beat())
        return device


def standing() -> Callable[[], int]:
    """Return a clock that stands: no wait ends because a test is slow."""
    at = time.monotonic_ns()
    return lambda: at


@contextmanager
def served_desk(
    folder: Path, accounts: Path, now: Callable[[], int] = time.monotonic_ns, strangers: Strangers | None = None
) -> Iterator[ServedDesk]:
    shutil.copy(accounts, folder / "accounts.json")
    with rig(folder) as listener:
        desk, parts = (
            DirectorsDesk("trial", lambda: nullcontext(listener.hall), folder / "hall.db"),
            acting_parts(folder, DeskRole.SPECTATOR, strangers),
        )
        publisher = Publisher(desk.changes, desk.snapshot)
        desk.on_news = publisher.wake
        app = create_app(desk, publisher, parts, now)
        orders = threading.Thread(target=parts.ordering.run)
        orders.start()
        until((folder / "orders.db").exists)
        with on_a_server(secured(app, parts.access, ("localhost", "127.0.0.1"), now), publisher, http=LimitedConnection) as base:
            served = ServedDesk(base, app, parts, desk, listener, folder)
            try:
                yield served
            finally:
                for client in served.clients:
                    client.close()
                parts.ordering.stop()
                orders.join()


def request_in(page: str) -> str:
    found = re.search(r'name="request" value="([0-9a-f]{32})"', page)
    assert found is not None, page[:2000]
    return found[1]


def form_of(page: str, **fields: Any) -> dict[str, Any]:
    return {"request": request_in(page), **fields}


def log_in(client: httpx.Client, name: str, password: str = PASSWORD, next_path: str = "/") -> httpx.Response:
    return client.post("/login", data={"name": name, "password": password, "next": next_path})


def cookie_of(client: httpx.Client) -> str:
    """Return the value of the session's cookie; the one by which the browser is known has the account in its name."""
    (cookie,) = (each for each in client.cookies.jar if each.name.count("-") == 1)
    return some(cookie.value)


def place(served: ServedDesk) -> tuple[str, int]:
    host, port = served.base.removeprefix("http://").split(":")
    return host, int(port)


def headers(served: ServedDesk, client: httpx.Client, *lines: str) -> str:
    host, port = place(served)
    cookies = "; ".join(f"{each.name}={each.value}" for each in client.cookies.jar)
    return "\r\n".join((f"Host: {host}:{port}", f"Cookie: {cookies}", *lines, "", ""))
