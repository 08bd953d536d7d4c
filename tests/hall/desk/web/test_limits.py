"""What one address can do to the desk: large bodies, slow ones, many streams, any text in any field."""

from __future__ import annotations

import http.client
import selectors
import socket
import time
from collections import Counter
from contextlib import suppress
from typing import Final

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hall.desk.access.connections
from appliance.process import raise_file_limit
from hall.desk.access.connections import MAX_CONNECTIONS
from hall.desk.web.stream import MAX_OF_ONE
from tests.examples import examples
from tests.hall.desk.web.serving import DIRECTOR, ServedDesk, request_in, token_in

pytestmark = pytest.mark.waits(35)

LARGE: Final = 200 * 1024 * 1024
CROWD: Final = 10_000


def place(served: ServedDesk) -> tuple[str, int]:
    host, port = served.base.removeprefix("http://").split(":")
    return host, int(port)


def headers(served: ServedDesk, client: httpx.Client, *lines: str) -> str:
    (cookie,) = client.cookies.jar
    host, port = place(served)
    return "\r\n".join((f"Host: {host}:{port}", f"Cookie: {cookie.name}={cookie.value}", *lines, "", ""))


def sent_until_refused(served: ServedDesk, head: str, chunk: bytes) -> tuple[int, bytes]:
    """Send ``head``, then ``chunk`` again and again; return how many bytes went out, and the answer as far as it could be read."""
    with socket.create_connection(place(served)) as raw:
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
def test_a_large_upload_is_refused_early(served: ServedDesk, path: str, length: str, *, logged_in: bool) -> None:
    client = served.logged_in() if logged_in else served.client()
    client.get("/login")
    head = f"POST {path} HTTP/1.1\r\n" + headers(served, client, "Content-Type: application/x-www-form-urlencoded", length)
    body = b"a" * 65_536
    chunk = f"{len(body):x}\r\n".encode() + body + b"\r\n" if "chunked" in length else body
    sent, answer = sent_until_refused(served, head, chunk)
    # Most of it was never taken; what the kernels hold of it is a few MB.
    assert sent < LARGE / 4
    assert answer == b"" or answer.split()[1] in {b"413", b"403", b"400"}
    assert client.get("/login").status_code == 200


def test_thousands_of_streams_from_one_address_leave_room_for_others(served: ServedDesk) -> None:
    raise_file_limit()
    client = served.logged_in()
    ask = f"GET /stream HTTP/1.1\r\n{headers(served, client, 'Accept: text/event-stream')}".encode()
    found: Counter[bytes] = Counter()
    with selectors.DefaultSelector() as selector:
        crowd = []
        try:
            for _ in range(CROWD):
                raw = socket.create_connection(place(served), source_address=("127.0.0.66", 0))
                crowd.append(raw)
                try:
                    raw.sendall(ask)
                except OSError:
                    found[b"closed"] += 1
                    continue
                selector.register(raw, selectors.EVENT_READ)
                if len(crowd) > MAX_CONNECTIONS:
                    _read(selector, found, 0)
            deadline = time.monotonic() + 120
            while selector.get_map() and time.monotonic() < deadline:
                _read(selector, found, 0.2)
            assert found[b"200"] == MAX_OF_ONE
            assert found.total() == CROWD
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


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall.desk.access.connections, "HEADERS_S", 0.5)


@pytest.mark.usefixtures("impatient")
def test_headers_that_never_end_end_the_connection(served: ServedDesk) -> None:
    with socket.create_connection(place(served)) as raw:
        raw.settimeout(60)
        raw.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert raw.recv(100) == b""


def test_a_body_that_never_ends_is_answered(served: ServedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    client = served.logged_in()
    monkeypatch.setattr(hall.desk.access.connections, "LONGEST_S", 0.5)
    connection = http.client.HTTPConnection(*place(served), timeout=60)
    connection.putrequest("POST", "/notices")
    (cookie,) = client.cookies.jar
    connection.putheader("Cookie", f"{cookie.name}={cookie.value}")
    connection.putheader("Content-Type", "application/x-www-form-urlencoded")
    connection.putheader("Content-Length", "100")
    connection.endheaders()
    connection.send(b"token=")
    assert connection.getresponse().status == 408
    connection.close()


ANY_TEXT: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
FIELDS: Final = {
    "/notices": ("do", "text", "seconds", "to", "tables", "clock", "request"),
    "/assign": ("clock", "table-{id}", "left-{id}", "right-{id}", "request"),
    "/setup": ("clock", "rulebook", "minutes-left", "minutes-right", "request"),
    "/calls": ("device", "boot", "since"),
    "/lease": ("term",),
    "/account": ("old", "new", "again"),
}


@pytest.mark.parametrize("path", FIELDS)
@settings(max_examples=examples(160), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_text_in_any_field_gets_a_sentence(
    served: ServedDesk, fuzzed: tuple[httpx.Client, str], path: str, data: st.DataObject
) -> None:
    client, clock = fuzzed
    token = token_in(client.get("/account").text)
    some = {"do": "notice", "text": "Hello", "seconds": "60", "to": "chosen", "clock": clock, "request": "f" * 32, "rulebook": "club"}
    form = {name: some.get(name, "1") for name in (each.format(id=clock) for each in FIELDS[path])}
    for name in data.draw(st.sets(st.sampled_from(sorted(form)), min_size=1)):
        form[name] = data.draw(ANY_TEXT | st.sampled_from(("", "0", "-1", "9" * 5000, "1-999", "1e9", "\u0661", "\0", clock)))
    answer = client.post(path, data={"token": token, **form})
    assert answer.status_code in {200, 303, 400, 403, 404, 422}, (form, answer.text[:500])
    assert "Traceback" not in answer.text


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT)
def test_any_text_in_an_address_gets_an_answer(served: ServedDesk, fuzzed: tuple[httpx.Client, str], text: str) -> None:
    client, _ = fuzzed
    for path in ("/table/{}", "/orders/{}", "/static/{}", "/log?before={}", "/stream/{}", "/login?next={}", "/{}"):
        answer = client.get(path.format(httpx.URL("http://x/", params={"q": text}).query.decode().removeprefix("q=")))
        assert answer.status_code < 500, (path, text)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=token\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n--x--"),
        ("application/json", b'{"token": 1}'),
        ("text/plain", b"token=1"),
        ("", b""),
        ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(6_000))),
    ],
)
def test_what_is_no_form_is_refused(served: ServedDesk, kind: str, body: bytes) -> None:
    answer = served.logged_in().post("/notices", content=body, headers={"content-type": kind})
    assert answer.status_code in {400, 403}


@pytest.fixture(scope="module")
def fuzzed(served: ServedDesk) -> tuple[httpx.Client, str]:
    over = {"phase": "over", "running": None, "turn": None, "between_games": True}
    clock = served.clock("fuzzed", 5, **over)
    return served.logged_in(DIRECTOR), clock.id


def test_a_second_desk_watches_until_a_director_takes_over(served: ServedDesk) -> None:
    served.clock("for the lease", 9)
    client = served.logged_in()
    lease = served.acting.lease
    other = type(lease)(lease.engine, lease.hall, "desk-2")
    assert lease.is_ours
    assert other.take_over(lease.holding().term, "jo")
    page = client.get("/notices").text
    assert "only watches" in page
    form = {"token": token_in(page), "request": request_in(page), "do": "stop", "text": "Stop", "to": "chosen", "tables": "9"}
    assert client.post("/notices", data=form).status_code == 409
    assert served.acting.ordering.orders_of(form["request"]) == ()
    page = client.get("/log").text
    term = page.split('name="term" value="')[1].split('"')[0]
    client.post("/lease", data={"token": token_in(page), "term": term})
    assert client.post("/notices", data=form).status_code == 303
    assert len(served.acting.ordering.orders_of(form["request"])) == 1
