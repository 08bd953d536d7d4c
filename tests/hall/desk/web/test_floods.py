"""Crowds: many logins, connections, streams and slow or large requests at once, and who works at the desk beside them."""

import asyncio
import logging
import selectors
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from appliance.process import raise_file_limit
from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, Guard, cookie_name
from hall.desk.access.limits import (
    FREE,
    PLACES,
    RETRY_S,
    CountedLog,
    PageSocket,
    Strangers,
)
from hall.desk.run import bound, page_server
from hall.desk.web import login
from hall.event.model import Event
from hall.event.reading import read_import
from hall.keys.pages import page_authority, write_page_certificate
from rules.duration import NS
from tests.hall.desk.web import serving
from tests.processes import until

pytestmark = pytest.mark.waits(20)
PAGES: Final = ("/", "/calls", "/log", "/round", "/event", "/static/desk.css")


def test_many_guesses_at_once_from_a_known_browser_count_one_by_one(tmp_path: Path, accounts: Path) -> None:
    with serving.served_desk(tmp_path, accounts, now=serving.standing()) as served:
        page = served.logged_in(address="127.0.0.2")
        form = {"name": serving.DIRECTOR, "password": serving.WRONG}
        with ThreadPoolExecutor(12) as guessers:
            found = Counter(guessers.map(lambda _: page.post("/login", data=form).status_code, range(12)))
        assert (found[422], set(found) <= {422, 429, 503}) == (FREE + 1, True)
        assert page.post("/login", data=form).status_code == 429


class Checks:
    """Checks passwords without a real hash: a crowd of them lasts longer on a busy machine than the desk lets a request wait."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.checked = list[str]()

    def fits(self, password: str, stored: str | None) -> bool:
        self.checked.append(password)
        return self.release.wait(60) and stored is not None and password == serving.PASSWORD


@pytest.mark.parametrize("of_one", [False, True])
def test_a_crowd_of_logins_waits_at_the_door_and_a_known_browser_and_pages_go_past_it(
    tmp_path: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch, *, of_one: bool
) -> None:
    checks, crowd = Checks(), 3 * PLACES
    # One is being checked.
    places = PLACES + 1
    with serving.served_desk(tmp_path, accounts, now=serving.standing()) as served, ThreadPoolExecutor(crowd + 2) as at_once:
        director, known = served.logged_in(), served.logged_in()
        monkeypatch.setattr(login, "password_fits", checks.fits)
        in_turn, take_turn = list[object](), login._in_turn

        def taking_turn(request: Request, check: Callable[[], Any]) -> Awaitable[Any]:
            in_turn.append(check)
            return take_turn(request, check)

        monkeypatch.setattr(login, "_in_turn", taking_turn)
        form, right = {"name": "nobody", "password": serving.WRONG}, {"name": serving.DIRECTOR, "password": serving.PASSWORD}
        other = served.client("127.0.3.1")
        others = {"name": serving.DEPUTY, "password": "of another address"}
        clients = [served.client(f"127.0.2.{1 if of_one else number + 1}") for number in range(crowd)]
        asked = [at_once.submit(each.post, "/login", data=form | {"name": f"name{number}"}) for number, each in enumerate(clients)]
        # Who finds no place is refused at once, while the first password is still being checked.
        until(lambda: sum(each.done() for each in asked) == crowd - places)
        refused = [each.result() for each in asked if each.done()]
        assert {(each.status_code, each.headers["retry-after"]) for each in refused} == {(503, str(RETRY_S))}
        assert "Too many people log in just now." in refused[0].text
        # Nothing that a director looks at waits for a password.
        assert {director.get(path).status_code for path in PAGES} == {200}
        with director.stream("GET", "/stream", headers={"accept": "text/event-stream"}) as events:
            assert next(events.iter_raw()) != b""
        # Another address has a place before a crowd, of one address or of many; a browser that has logged in before comes next in any case.
        others_login = at_once.submit(other.post, "/login", data=others)
        known_login = at_once.submit(known.post, "/login", data=right)
        until(lambda: len(in_turn) == 2)
        until(lambda: sum(each.done() for each in (*asked, others_login)) == crowd - places + 1)
        checks.release.set()
        assert known_login.result().status_code == 303
        assert others_login.result().status_code == 422
        assert Counter(each.result().status_code for each in asked) == {422: places - 1, 503: crowd - places + 1}
        assert checks.checked[1:3] == [serving.PASSWORD, "of another address"]


@pytest.mark.waits(8)
def test_thirty_addresses_with_a_wrong_login_each_two_seconds_keep_nobody_out(tmp_path: Path, accounts: Path) -> None:
    stop, refused = threading.Event(), threading.Event()

    def guess(served: serving.ServedDesk, number: int) -> None:
        client = served.client(f"127.0.9.{number}")
        form = {"name": serving.DIRECTOR, "password": serving.WRONG}
        while not stop.wait(2):
            # Without a wait for the answer, which comes long after the next try.
            with suppress(httpx.TimeoutException):
                if client.post("/login", data=form, timeout=1).status_code == 503:
                    refused.set()

    def seconds_to_log_in(client: httpx.Client) -> float:
        began = time.monotonic()
        while (answer := serving.log_in(client, serving.DIRECTOR)).status_code != 303:
            time.sleep(int(answer.headers["retry-after"]))
        return time.monotonic() - began

    with serving.served_desk(tmp_path, accounts, strangers=Strangers()) as served, ThreadPoolExecutor(30) as guessers:
        known = served.logged_in()
        for number in range(1, 31):
            guessers.submit(guess, served, number)
        try:
            assert refused.wait(60)
            assert seconds_to_log_in(known) < 5
            # A new browser, at an address that was never seen.
            assert seconds_to_log_in(served.client("127.0.9.99")) < 30
        finally:
            stop.set()


def test_files_are_imported_one_after_the_other_and_pages_go_past_them(
    tmp_path: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release, at_work, most = threading.Event(), threading.Event(), [0], [0]

    def slow(files: Mapping[str, bytes], known: Event) -> tuple[Event, list[Phrase]]:
        begun.set()
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        assert release.wait(60)
        at_work[0] -= 1
        return read_import(files, known)

    monkeypatch.setattr("hall.desk.web.event.read_apart", slow)
    crowd = 50
    with serving.served_desk(tmp_path, accounts) as served, ThreadPoolExecutor(crowd) as at_once:
        director = served.logged_in(serving.DIRECTOR)
        files = {"files": ("players.csv", b"name\nAnn\nBo\n")}
        asked = [at_once.submit(director.post, "/event", files=files) for _ in range(crowd)]
        until(begun.is_set)
        assert {director.get(path).status_code for path in PAGES} == {200}
        release.set()
        assert {each.result().status_code for each in asked} == {303}
        assert most == [1]


def test_who_is_logged_in_goes_past_a_crowd_of_strangers(served: serving.ServedDesk) -> None:
    order: list[str] = []

    async def page(request: Request) -> Response:
        order.append(request.headers["name"])
        return PlainTextResponse("")

    routes = [DeskRoute("/", page, DeskRole.SPECTATOR)]
    guard = Guard(Starlette(routes=routes), served.acting.access, refused=lambda _scope, _role: Response(), say=lambda _scope, said: said)
    cookie = serving.cookie_of(served.logged_in(serving.DIRECTOR))

    async def ask(name: str, cookie: str) -> None:
        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "scheme": "http", "query_string": b"", "server": ("::1", 1)}
        scope["client"] = ("127.0.8.1", 1)
        scope["headers"] = [(b"name", name.encode()), (b"cookie", f"{cookie_name(scope)}={cookie}".encode())]

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        async def send(_: Message) -> None:
            pass

        await guard(scope, receive, send)

    async def all_at_once() -> None:
        await asyncio.gather(*(ask("stranger", "") for _ in range(200)), ask("director", cookie))

    asyncio.run(all_at_once())
    assert (len(order), order.index("director") < 10) == (201, True)


def test_a_crowd_of_connections_loses_its_own_oldest(served: serving.ServedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    director = served.logged_in(serving.DIRECTOR)
    monkeypatch.setattr(PageSocket, "of_all", 40)
    with ExitStack() as stack:
        crowd = [stack.enter_context(socket.create_connection(serving.place(served), source_address=("127.0.4.1", 0))) for _ in range(60)]
        crowd[0].settimeout(60)
        assert crowd[0].recv(1) == b""
        assert director.get("/").status_code == 200
        assert served.client("127.0.4.2").get("/board").status_code == 200


def test_a_crowd_that_never_begins_tls_loses_its_oldest_and_others_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PageSocket, "of_all", 40)
    hall, identity = tmp_path / "hall", tmp_path / "desk-1"
    hall.mkdir()
    identity.mkdir()
    files = write_page_certificate(hall, "trial", identity, ["desk.local"], datetime.now(UTC))
    server = page_server(PlainTextResponse("here"), files)
    with bound(0) as listening, ExitStack() as stack:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            where = listening.getsockname()[:2]
            crowd = [stack.enter_context(socket.create_connection(where, source_address=("127.0.6.1", 0))) for _ in range(60)]
            crowd[0].settimeout(60)
            assert crowd[0].recv(1) == b""
            trusting = ssl.create_default_context(cafile=page_authority(hall))
            other = stack.enter_context(trusting.wrap_socket(socket.create_connection(where), server_hostname="desk.local"))
            other.sendall(b"GET / HTTP/1.1\r\nHost: desk.local\r\n\r\n")
            assert other.recv(100).split()[1] == b"200"
        finally:
            server.should_exit = True
            thread.join()


LARGE: Final = 200 * 1024 * 1024
CROWD: Final = 2_000


def sent_until_refused(served: serving.ServedDesk, head: str, chunk: bytes) -> tuple[int, bytes]:
    with socket.create_connection(serving.place(served)) as raw:
        raw.sendall(head.encode())
        sent, answer = 0, b""
        raw.settimeout(60)
        with suppress(OSError):
            while sent < LARGE:
                raw.sendall(chunk)
                sent += len(chunk)
        with suppress(OSError):
            answer = raw.recv(1000)
        return sent, answer


@pytest.mark.parametrize("logged_in", [True, False])
@pytest.mark.parametrize("length", [f"Content-Length: {LARGE}", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("path", ["/login", "/notices"])
def test_a_large_upload_is_refused_early(served: serving.ServedDesk, path: str, length: str, *, logged_in: bool) -> None:
    client = served.logged_in() if logged_in else served.client()
    client.get("/login")
    head = f"POST {path} HTTP/1.1\r\n" + serving.headers(served, client, "Content-Type: application/x-www-form-urlencoded", length)
    body = b"a" * 65_536
    chunk = f"{len(body):x}\r\n".encode() + body + b"\r\n" if "chunked" in length else body
    sent, answer = sent_until_refused(served, head, chunk)
    # Most of it was never taken; what the kernels hold of it is a few MB.
    assert sent < LARGE / 4
    assert answer == b"" or answer.split()[1] in {b"413", b"403", b"400"}
    assert client.get("/login").status_code == 200


def test_thousands_of_streams_from_one_address_leave_room_for_others(served: serving.ServedDesk) -> None:
    raise_file_limit()
    client = served.logged_in()
    ask = f"GET /stream HTTP/1.1\r\n{serving.headers(served, client, 'Accept: text/event-stream')}".encode()
    found: Counter[bytes] = Counter()
    with selectors.DefaultSelector() as selector:
        crowd = []
        try:
            for _ in range(CROWD):
                raw = socket.create_connection(serving.place(served), source_address=("127.0.0.66", 0))
                crowd.append(raw)
                try:
                    raw.sendall(ask)
                except OSError:
                    found[b"closed"] += 1
                    continue
                selector.register(raw, selectors.EVENT_READ)
                if len(crowd) > PageSocket.of_one:
                    _read(selector, found, 0)
            deadline = time.monotonic() + 120
            while selector.get_map() and time.monotonic() < deadline:
                _read(selector, found, 0.2)
            assert (found[b"200"], found.total()) == (PageSocket.of_one, CROWD)
            # Everybody else is served meanwhile, and has a stream.
            assert client.get("/").status_code == 200
            with client.stream("GET", "/stream", headers={"accept": "text/event-stream"}) as stream:
                assert stream.status_code == 200
        finally:
            for raw in crowd:
                raw.close()


def _read(selector: selectors.BaseSelector, found: Counter[bytes], wait: float) -> None:
    for key, _ in selector.select(wait):
        raw = key.fileobj
        assert isinstance(raw, socket.socket)
        selector.unregister(raw)
        try:
            answer = raw.recv(100)
        except OSError:
            answer = b""
        found[answer.split()[1] if answer else b"closed"] += 1


STRANGE: Final = {
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n": b"400",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n": b"400",
    "nothing\r\n\r\n": b"400",
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n": b"200",
}


async def _answers(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer after the body; a request that is refused, or whose answer has begun, before it."""
    if scope["type"] != "http":
        return
    if scope["path"] == "/begun":
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
    if scope["path"] != "/refused":
        # As the guard does.
        with suppress(ClientDisconnect):
            await Request(scope, receive).body()
    await PlainTextResponse("here")(scope, receive, send)


@pytest.mark.parametrize("path", ["/", "/refused"])
def test_strangers_requests_leave_no_traceback_and_few_lines(path: str, capfd: pytest.CaptureFixture[str]) -> None:
    with answering() as listening:
        for asked, answer in [*STRANGE.items()] * 5:
            with socket.create_connection(listening) as raw:
                raw.settimeout(60)
                raw.sendall(asked.replace(" / ", f" {path} ").encode())
                assert raw.recv(100).split()[1] == answer
    out, err = capfd.readouterr()
    assert err == ""
    assert len(out.splitlines()) <= 1


def test_a_body_that_is_none_behind_the_beginning_of_the_answer_ends_the_connection(capfd: pytest.CaptureFixture[str]) -> None:
    with answering() as listening, socket.create_connection(listening) as raw:
        raw.settimeout(60)
        head, _, body = next(iter(STRANGE)).replace(" / ", " /begun ").rpartition("-1")
        raw.sendall(head.encode())
        while b"x" not in raw.recv(1000).rpartition(b"\r\n\r\n")[2]:
            pass
        raw.sendall(f"-1{body}".encode())
        assert raw.recv(1000) == b""
    out, err = capfd.readouterr()
    assert (err, len(out.splitlines())) == ("", out.count("Invalid HTTP request received."))


@contextmanager
def answering() -> Iterator[tuple[str, int]]:
    server = page_server(_answers, None)
    with bound(0) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[:2]
        finally:
            server.should_exit = True
            thread.join()


def test_the_log_counts_what_a_server_says_within_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    at = [0]
    log = CountedLog(lambda: at[0])
    for second in (0, 1, 59, 60, 61):
        at[0] = second * NS
        log.handle(logging.makeLogRecord({"name": "uvicorn.error", "levelno": logging.WARNING, "msg": f"asked {second}"}))
    log.handle(logging.makeLogRecord({"name": "uvicorn.error", "levelno": logging.ERROR, "msg": "a fault"}))
    said = [line.partition("warning ")[2] for line in capsys.readouterr().out.splitlines()]
    log.handle(
        logging.makeLogRecord({"name": "asyncio", "levelno": logging.ERROR, "msg": "b", "exc_info": (KeyError, KeyError("x"), None)})
    )
    assert """error="KeyError('x')\"""" in capsys.readouterr().out
    assert said == [
        "asked 0 source=uvicorn.error times=1",
        "asked 60 source=uvicorn.error times=3",
        "a fault source=uvicorn.error times=1",
    ]


def test_no_error_is_kept(served: serving.ServedDesk) -> None:
    for path, host in (("/nothing", "127.0.0.1"), ("/board", "elsewhere.example"), ("/static/nothing", "127.0.0.1")):
        answer = served.client().get(path, headers={"host": host})
        assert (answer.status_code in {400, 404}, answer.headers["cache-control"]) == (True, "no-store")
