"""Logging in and out, sessions, and forged requests: by real requests."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import httpx
import pytest

from hall.desk.access.accounts import Accounts, new_account
from hall.desk.access.sessions import Session
from hall.desk.access.tries import FREE
from hall.desk.store import LOGIN, LOGOUT, NOT_LET_IN
from tests.hall.desk.web.serving import CHEAP, DEPUTY, DIRECTOR, PASSWORD, ServedDesk, log_in, served_desk, token_in
from tests.processes import until

WRONG = "nine racks of tilez"


def cookie_of(client: httpx.Client) -> str:
    (cookie,) = client.cookies.jar
    assert cookie.value is not None
    return cookie.value


def session_of(served: ServedDesk, client: httpx.Client) -> Session:
    account = served.acting.access.accounts.find(DIRECTOR)
    assert account is not None
    found = served.acting.access.sessions.find(cookie_of(client), account.password, 0, counts=False)
    assert found is not None
    return found


def signs(session: Session) -> bool:
    return session.key is not None


def browser_with(served: ServedDesk, cookie: str) -> httpx.Client:
    """Return another browser that has got hold of a cookie."""
    port = served.base.rpartition(":")[2]
    return served.client(headers={"cookie": f"desk-{port}={cookie}"})


def test_a_login_leads_to_the_page_that_was_asked_for(served: ServedDesk) -> None:
    client = served.client()
    asked = client.get("/stations")
    assert (asked.status_code, asked.headers["location"]) == (303, "/login?next=/stations")
    assert log_in(client, DIRECTOR, next_path="/stations").headers["location"] == "/stations"
    assert "Log out" in client.get("/stations").text
    newest = served.acting.log.latest(1)[0]
    assert (newest.who, newest.what, newest.detail) == (DIRECTOR, LOGIN, {"from": "127.0.0.1"})


@pytest.mark.parametrize(
    "path", ["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil", "javascript:alert(1)", "/a\r\nX: 1", ""]
)
def test_a_login_never_leads_to_another_site(served: ServedDesk, path: str) -> None:
    assert log_in(served.client(), DIRECTOR, next_path=path).headers["location"] == "/"


def test_the_cookie_is_for_no_script_no_other_site_and_holds_nothing(served: ServedDesk) -> None:
    set_cookie = log_in(served.client(), DIRECTOR).headers["set-cookie"].lower()
    assert "httponly" in set_cookie
    assert "samesite=strict" in set_cookie
    assert DIRECTOR not in set_cookie
    # Until the browser is closed.
    assert "max-age" not in set_cookie
    assert "expires" not in set_cookie


def test_a_planted_cookie_is_worth_nothing_after_the_login(served: ServedDesk) -> None:
    victim = served.client()
    victim.get("/login")
    planted = cookie_of(victim)
    log_in(victim, DIRECTOR)
    assert cookie_of(victim) != planted
    assert victim.get("/").status_code == 200
    assert browser_with(served, planted).get("/").status_code == 303


def test_a_stolen_cookie_opens_nothing_after_the_logout_and_its_stream_ends(served: ServedDesk) -> None:
    victim = served.logged_in(DIRECTOR)
    thief = browser_with(served, cookie_of(victim))
    assert thief.get("/").status_code == 200
    session = session_of(served, victim)
    assert signs(session)
    with thief.stream("GET", "/stream", headers={"accept": "text/event-stream"}) as stream:
        assert stream.status_code == 200
        chunks = stream.iter_raw()
        next(chunks)
        token = token_in(victim.get("/account").text)
        left = victim.post("/logout", data={"token": token}).headers["location"]
        page = victim.get(left).text
        assert ("You are logged out." in page, "<nav" in page, 'id="link"' in page) == (True, False, False)
        # The director's key is gone from memory.
        assert not signs(session)
        served.clock(name="after the logout", table=77)
        for _ in chunks:
            pass
    assert thief.get("/").status_code == 303
    assert thief.post("/notices", data={"token": token}).status_code == 403
    assert served.acting.log.latest(1)[0].what == LOGOUT


def test_a_new_password_ends_every_other_session(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as served:
        here, there = served.logged_in(DIRECTOR), served.logged_in(DIRECTOR)
        page = here.get("/account").text
        new = "another rack of tiles"
        wrong = here.post("/account", data={"token": token_in(page), "old": WRONG, "new": new, "again": new})
        assert wrong.status_code == 403
        assert there.get("/").status_code == 200
        form = {"token": token_in(page), "old": PASSWORD, "new": new, "again": new}
        assert here.post("/account", data=form | {"again": "something else"}).status_code == 422
        assert here.post("/account", data=form | {"new": "short", "again": "short"}).status_code == 422
        assert here.post("/account", data=form).headers["location"] == "/"
        assert here.get("/").status_code == 200
        assert there.get("/").status_code == 303
        assert log_in(served.client(), DIRECTOR).status_code == 422
        again = served.client()
        assert log_in(again, DIRECTOR, new).status_code == 303
        # The key that signs orders came along.
        assert signs(session_of(served, again))


def test_an_account_that_is_removed_or_changed_by_the_command_is_logged_out(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as served:
        deputy, director = served.logged_in(DEPUTY), served.logged_in(DIRECTOR)
        command = Accounts(tmp_path / "accounts.json")
        command.put(new_account(DEPUTY, "another rack of tiles", None, CHEAP))
        assert deputy.get("/").status_code == 303
        command.remove(DIRECTOR)
        assert director.get("/").status_code == 303


def test_wrong_passwords_wait_longer_and_longer_also_after_a_restart(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as served:
        guesser = served.client("127.0.0.2")
        assert [log_in(guesser, DIRECTOR, WRONG).status_code for _ in range(FREE + 1)] == [422] * (FREE + 1)
        waits = log_in(guesser, DIRECTOR)
        # The right password waits too: whoever guesses does not learn it.
        assert waits.status_code == 429
        assert int(waits.headers["retry-after"]) >= 1
        assert {entry.what for entry in served.acting.log.latest(FREE + 1)} == {NOT_LET_IN}
    with served_desk(tmp_path, accounts) as served:
        assert log_in(served.client("127.0.0.2"), DIRECTOR).status_code == 429
        # Another director at another table is let in.
        assert log_in(served.client("127.0.0.3"), DEPUTY).status_code == 303


def test_many_guesses_at_once_count_one_by_one(tmp_path: Path, accounts: Path) -> None:
    with served_desk(tmp_path, accounts) as served:
        page = served.client("127.0.0.2")
        token = token_in(page.get("/login").text)
        found: list[int] = []

        def guess() -> None:
            found.append(page.post("/login", data={"token": token, "name": DIRECTOR, "password": WRONG}).status_code)

        threads = [threading.Thread(target=guess) for _ in range(12)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sorted(found) == [422] * (FREE + 1) + [429] * (12 - FREE - 1)


def test_an_unknown_name_looks_like_a_wrong_password(served: ServedDesk) -> None:
    known, unknown = (log_in(served.client(address), name, WRONG) for name, address in ((DEPUTY, "127.0.0.4"), ("nobody", "127.0.0.5")))
    assert known.status_code == unknown.status_code == 422
    assert "Name or password is wrong." in known.text
    assert "Name or password is wrong." in unknown.text


@pytest.mark.parametrize("path", ["/notices", "/calls", "/assign", "/setup", "/lease", "/account", "/logout", "/login"])
@pytest.mark.parametrize("kind", ["", "0" * 64, "of another browser"])
def test_a_forged_form_changes_nothing(served: ServedDesk, path: str, kind: str) -> None:
    client = served.logged_in(DIRECTOR)
    token = token_in(served.logged_in(DIRECTOR).get("/account").text) if kind == "of another browser" else kind
    before = served.acting.log.latest(1)
    answer = client.post(path, data={"token": token, "do": "stop", "text": "Stop", "to": "all", "request": "a" * 32})
    assert answer.status_code == 403
    assert served.acting.log.latest(1) == before
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_site_is_refused_even_with_the_token(served: ServedDesk, headers: dict[str, str]) -> None:
    client = served.logged_in(DIRECTOR)
    token = token_in(client.get("/account").text)
    assert client.post("/logout", data={"token": token}, headers=headers).status_code == 403
    assert (
        client.post("/logout", data={"token": token}, headers={"origin": served.base, "sec-fetch-site": "same-origin"}).status_code == 303
    )


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_another_site_leads_here_is_refused(served: ServedDesk, host: str) -> None:
    assert served.client().get("/login", headers={"host": host}).status_code == 400


def test_every_answer_forbids_foreign_scripts_frames_and_caches(served: ServedDesk) -> None:
    for path in ("/login", "/", "/static/desk.css", "/none", "/api/none"):
        headers = served.client().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert served.logged_in(DIRECTOR).get("/").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pages.py", "/static/%2e%2e/pages.py", "/static/..%2fpages.py", "/static/....//pages.py", "/static//etc/passwd",
        "/static/%2fetc/passwd", "/static/..%5cpages.py", "/static/desk.css%00.py", "/typeface.ttf/../pages.py", "/table/..%2f..%2fetc%2fpasswd",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_static_files(served: ServedDesk, path: str) -> None:
    client = served.logged_in(DIRECTOR)
    host, port = served.base.removeprefix("http://").split(":")
    # httpx would tidy the path.
    with socket.create_connection((host, int(port))) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: desk-{port}={cookie_of(client)}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert answer.split()[1] in {b"404", b"400", b"403"}, answer[:200]
    assert b"import annotations" not in answer
    assert b"root:" not in answer


def test_a_session_that_is_over_is_noticed_without_a_request(served: ServedDesk) -> None:
    client = served.logged_in(DIRECTOR)
    session = session_of(served, client)
    session.seen -= 3 * 3600 * 1_000_000_000
    session.since -= 3 * 3600 * 1_000_000_000
    until(lambda: not signs(session), "the sweep")
