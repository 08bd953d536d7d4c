"""Logging in and out, sessions, forged requests, every route for every role, and any text in any field: by real requests."""

import os
import socket
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Final

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from appliance.errors import RecordError
from hall.desk.access.accounts import Accounts, DeskRole, Session, UserAccount, new_account
from hall.desk.access.guard import browser_in
from hall.desk.access.limits import FREE
from hall.desk.store import LOGIN, LOGOUT, NOT_LET_IN, DeskStore, open_store
from hall.desk.web.pages import NAVIGATION
from hall.desk.web.rounds import TimerKeeper
from tests.cells import each_cell
from tests.examples import examples
from tests.hall.desk.web import serving
from tests.hall.desk.web.serving import headers
from tests.processes import until
from tests.some import some

pytestmark = pytest.mark.waits(9)


def session_of(served: serving.ServedDesk, client: httpx.Client) -> Session:
    account = some(served.acting.access.accounts.find(serving.DIRECTOR))
    return some(served.acting.access.sessions.find(serving.cookie_of(client), account.password, 0, counts=False))


def browser_with(served: serving.ServedDesk, cookie: str) -> httpx.Client:
    port = served.base.rpartition(":")[2]
    return served.client(headers={"cookie": f"desk-{port}={cookie}"})


def test_a_login_leads_to_the_page_that_was_asked_for(served: serving.ServedDesk) -> None:
    client = served.client()
    asked = client.get("/stations")
    assert (asked.status_code, asked.headers["location"]) == (303, "/login?next=/stations")
    assert serving.log_in(client, serving.DIRECTOR, next_path="/stations").headers["location"] == "/stations"
    assert "Log out" in client.get("/stations").text
    newest = served.acting.store.latest(1)[0]
    assert (newest.who, newest.what, newest.detail) == (serving.DIRECTOR, LOGIN, {"from": "127.0.0.1"})


@pytest.mark.parametrize(
    "path", ["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil", "javascript:alert(1)", "/a\r\nX: 1", ""]
)
def test_a_login_never_leads_to_another_site(served: serving.ServedDesk, path: str) -> None:
    assert serving.log_in(served.client(), serving.DIRECTOR, next_path=path).headers["location"] == "/"


def test_the_cookie_is_for_no_script_no_other_site_and_holds_nothing(served: serving.ServedDesk) -> None:
    set_cookie = serving.log_in(served.client(), serving.DIRECTOR).headers.get_list("set-cookie")[0].lower()
    assert ("httponly" in set_cookie, "samesite=strict" in set_cookie) == (True, True)
    assert serving.DIRECTOR not in set_cookie
    # Until the browser is closed.
    assert ("max-age" in set_cookie, "expires" in set_cookie) == (False, False)
    # One that was planted before is worth nothing after the login.
    planted = "planted"
    victim = served.client(cookies={f"desk-{serving.place(served)[1]}": planted})
    serving.log_in(victim, serving.DIRECTOR)
    assert victim.get("/").status_code == 200
    assert browser_with(served, planted).get("/").status_code == 303


def test_a_stolen_cookie_opens_nothing_after_the_logout_and_its_stream_ends(served: serving.ServedDesk) -> None:
    victim = served.logged_in(serving.DIRECTOR)
    thief = browser_with(served, serving.cookie_of(victim))
    assert thief.get("/").status_code == 200
    session = session_of(served, victim)
    assert session.key is not None
    with thief.stream("GET", "/stream", headers={"accept": "text/event-stream"}) as stream:
        assert stream.status_code == 200
        chunks = stream.iter_raw()
        next(chunks)
        left = victim.post("/logout").headers["location"]
        page = victim.get(left).text
        assert ("You are logged out." in page, "<nav" in page, 'id="link"' in page) == (True, False, False)
        # The director's key is gone from memory.
        assert [session.key] == [None]
        served.clock(name="after the logout", table=77)
        for _ in chunks:
            pass
    assert (thief.get("/").status_code, thief.post("/notices").status_code) == (303, 403)
    assert served.acting.store.latest(1)[0].what == LOGOUT


def test_a_new_password_ends_every_other_session(tmp_path: Path, accounts: Path) -> None:
    with serving.served_desk(tmp_path, accounts) as served:
        here, there = served.logged_in(serving.DIRECTOR), served.logged_in(serving.DIRECTOR)
        new = "another rack of tiles"
        wrong = here.post("/account", data={"old": serving.WRONG, "new": new, "again": new})
        assert wrong.status_code == 403
        assert there.get("/").status_code == 200
        form = {"old": serving.PASSWORD, "new": new, "again": new}
        assert here.post("/account", data=form | {"again": "something else"}).status_code == 422
        assert here.post("/account", data=form | {"new": "short", "again": "short"}).status_code == 422
        assert (here.post("/account", data=form).headers["location"], here.get("/").status_code) == ("/", 200)
        assert there.get("/").status_code == 303
        assert serving.log_in(served.client(), serving.DIRECTOR).status_code == 422
        again = served.client()
        assert serving.log_in(again, serving.DIRECTOR, new).status_code == 303
        # The key that signs orders came along.
        assert session_of(served, again).key is not None


def test_an_account_that_is_removed_or_changed_by_the_command_is_logged_out(tmp_path: Path, accounts: Path) -> None:
    with serving.served_desk(tmp_path, accounts) as served:
        deputy, director = served.logged_in(serving.DEPUTY), served.logged_in(serving.DIRECTOR)
        command = Accounts(tmp_path / "accounts.json")
        command.put(new_account(serving.DEPUTY, "another rack of tiles", None, serving.CHEAP))
        assert deputy.get("/").status_code == 303
        command.remove(serving.DIRECTOR)
        assert director.get("/").status_code == 303


@pytest.mark.parametrize("pipe", [False, True])
def test_a_file_of_accounts_that_cannot_be_read_is_said_and_ends_no_session(tmp_path: Path, accounts: Path, *, pipe: bool) -> None:
    with serving.served_desk(tmp_path, accounts) as served:
        director, file = served.logged_in(serving.DIRECTOR), tmp_path / "accounts.json"
        whole = file.read_bytes()
        file.unlink()
        if pipe:
            os.mkfifo(file)
        else:
            file.write_bytes(b"{")
        answers = director.get("/"), serving.log_in(served.client(), serving.DIRECTOR)
        assert [(each.status_code, "cannot be read now" in each.text, str(tmp_path) in each.text) for each in answers] == [
            (503, True, False)
        ] * 2
        assert served.client().get("/board").status_code == 200
        file.unlink()
        file.write_bytes(whole)
        assert director.get("/").status_code == 200


def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with serving.served_desk(tmp_path, accounts) as served:
        director = served.logged_in(serving.DIRECTOR)
        monkeypatch.setattr(DeskStore, "add", full)
        answer = serving.log_in(served.client(), serving.DIRECTOR)
        assert (answer.status_code, "full" in answer.text, "Traceback" in answer.text) == (503, True, False)
        assert director.get("/").status_code == 200


def _damage(file: Path) -> None:
    """Overwrite all pages but the first, and let each connection of the desk drop those that it has read before."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as connection:

        def is_alone() -> bool:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("BEGIN IMMEDIATE")
            if file.with_name("desk.db-wal").stat().st_size:
                connection.execute("ROLLBACK")
            return connection.in_transaction

        # All is in the file, and nothing is written until the damage is done.
        until(is_alone)
        connection.execute("PRAGMA user_version = 0")
        with file.open("r+b") as whole:
            whole.seek(4096)
            whole.write(bytes(range(256)) * 16 * (file.stat().st_size // 4096 - 1))
        # A commit, of the first page alone: without one a connection goes on with the pages that it has.
        connection.execute("COMMIT")


def test_a_store_that_is_damaged_while_the_desk_runs_is_said_and_pages_without_it_go_on(
    tmp_path: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks, look = Counter[str](), TimerKeeper.look

    async def counted(keeper: TimerKeeper) -> None:
        looks["all"] += 1
        await look(keeper)

    monkeypatch.setattr("hall.desk.web.app.EVERY_S", 0.02)
    monkeypatch.setattr(TimerKeeper, "look", counted)
    with serving.served_desk(tmp_path, accounts) as served:
        director, file = served.logged_in(), tmp_path / "desk.db"
        _damage(file)
        answer = serving.log_in(served.client(), serving.DIRECTOR)
        assert (answer.status_code, "the file is damaged" in answer.text, "Traceback" in answer.text) == (503, True, False)
        assert [director.get(path).status_code for path in ("/", "/table/1", "/board", "/log")] == [200, 404, 200, 503]
        said = ""

        def looked_after() -> int:
            nonlocal said
            said += capsys.readouterr().out
            return said.count("timer cannot be looked after")

        until(lambda: looked_after() > 0)
        seen = looks.total()
        until(lambda: looks.total() > seen + 10)
        # Once, and not at each of its looks.
        assert looked_after() == 1
    with pytest.raises(RecordError, match=r"desk\.db: expected the desk's store, found .*damaged"):
        open_store(str(file))


def test_wrong_passwords_from_a_known_browser_wait_and_delay_no_other(tmp_path: Path, accounts: Path) -> None:
    with serving.served_desk(tmp_path, accounts, now=serving.standing()) as served:
        guesser = served.logged_in()
        assert [serving.log_in(guesser, serving.DIRECTOR, serving.WRONG).status_code for _ in range(FREE + 1)] == [422] * (FREE + 1)
        assert {entry.what for entry in served.acting.store.latest(FREE + 1)} == {NOT_LET_IN}
        waits = serving.log_in(guesser, serving.DIRECTOR)
        # The right password waits too: whoever guesses does not learn it.
        assert waits.status_code == 429
        assert int(waits.headers["retry-after"]) >= 1
        assert serving.log_in(served.client(), serving.DIRECTOR).status_code == 303


def test_a_browser_is_known_by_a_signed_cookie_to_the_account_that_it_opened_until_the_password_changes(
    served: serving.ServedDesk,
) -> None:
    client, port = served.client(), serving.place(served)[1]
    said = serving.log_in(client, serving.DIRECTOR).headers.get_list("set-cookie")[1].lower()
    assert said.startswith(f"desk-{port}-{serving.DIRECTOR}=")
    assert ("httponly" in said, "samesite=strict" in said, "max-age=34560000" in said) == (True, True, True)
    value = some(client.cookies[f"desk-{port}-{serving.DIRECTOR}"])
    accounts = served.acting.access.accounts
    director, deputy = some(accounts.find(serving.DIRECTOR)), some(accounts.find(serving.DEPUTY))

    def known(value: str, account: UserAccount | None, name: str = serving.DIRECTOR) -> str:
        cookie = f"desk-{port}-{name}={value}".encode()
        return browser_in({"type": "http", "scheme": "http", "server": ("", port), "headers": [(b"cookie", cookie)]}, account)

    assert known(value, director) == value.partition(".")[0] != ""
    new_password = director.model_copy(update={"password": deputy.password})
    for value_now, account in ((value, new_password), (value, None), (value[:-1], director), ("x" + value, director), ("", director)):
        assert known(value_now, account) == ""
    assert known(value, deputy, serving.DEPUTY) == ""


def test_an_unknown_name_looks_like_a_wrong_password(served: serving.ServedDesk) -> None:
    for name, address in ((serving.DEPUTY, "127.0.0.4"), ("nobody", "127.0.0.5")):
        answer = serving.log_in(served.client(address), name, serving.WRONG)
        assert (answer.status_code, "Name or password is wrong." in answer.text) == (422, True)


OTHER_SITES: Final = (
    *({"origin": origin} for origin in ("https://evil.example", "null", "http://127.0.0.1:1")),
    *({"sec-fetch-site": site} for site in ("cross-site", "same-site")),
)


def test_a_form_of_another_site_is_refused(served: serving.ServedDesk) -> None:
    client = served.logged_in()
    own = {"origin": served.base, "sec-fetch-site": "same-origin"}
    statuses = [client.post("/logout", headers=each).status_code for each in (*OTHER_SITES, own)]
    assert statuses == [403] * len(OTHER_SITES) + [303]


def test_every_answer_forbids_foreign_scripts_frames_and_caches_and_a_name_that_another_site_leads_here_gets_none(
    served: serving.ServedDesk,
) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        assert served.client().get("/login", headers={"host": host}).status_code == 400
    for path in ("/login", "/", "/static/desk.css", "/none", "/api/none"):
        headers = served.client().get(path).headers
        policy = headers["content-security-policy"]
        assert ("default-src 'none'" in policy, "unsafe" in policy) == (True, False)
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert served.logged_in(serving.DIRECTOR).get("/").headers["cache-control"] == "no-store"


def test_a_browser_asks_for_each_script_again_and_gets_it_only_if_it_has_changed(served: serving.ServedDesk) -> None:
    client = served.client()
    first = client.get("/static/desk.css")
    assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
    for known, sent in (("if-none-match", "etag"), ("if-modified-since", "last-modified")):
        again = client.get("/static/desk.css", headers={known: first.headers[sent]})
        assert (again.status_code, again.content) == (304, b"")
        assert (again.headers["cache-control"], again.headers["etag"]) == ("no-cache", first.headers["etag"])
    assert client.get("/static/desk.css", headers={"if-none-match": '"of an older desk"'}).content == first.content


PATHS_OUT: Final = (
    "/static/../pages.py", "/static/%2e%2e/pages.py", "/static/..%2fpages.py", "/static/....//pages.py", "/static//etc/passwd",
    "/static/%2fetc/passwd", "/static/..%5cpages.py", "/static/desk.css%00.py", "/typeface.ttf/../pages.py", "/table/..%2f..%2fetc%2fpasswd",
)  # fmt: skip


def test_no_path_leads_out_of_the_static_files(served: serving.ServedDesk) -> None:
    client = served.logged_in()
    for cell in each_cell(PATHS_OUT):
        # httpx would tidy the path.
        with cell as path, socket.create_connection(serving.place(served)) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\n{headers(served, client, 'Connection: close')}".encode())
            answer = b"".join(iter(lambda: raw.recv(65_536), b""))
            assert answer.split()[1] in {b"404", b"400", b"403"}, answer[:200]
            assert (b"import annotations" in answer, b"root:" in answer) == (False, False)


def test_a_session_that_is_over_is_noticed_without_a_request(served: serving.ServedDesk) -> None:
    client = served.logged_in(serving.DIRECTOR)
    session = session_of(served, client)
    session.seen -= 3 * 3600 * 1_000_000_000
    session.since -= 3 * 3600 * 1_000_000_000
    until(lambda: session.key is None, "the sweep")


PATHS = {
    "/static/{path:path}": "/static/desk.css",
    "/table/{name}": "/table/1",
    "/table/{name}/part": "/table/1/part",
    "/table/{name}/game/{game:int}": "/table/1/game/1",
    "/orders/{request}": "/orders/" + "0" * 32,
    "/orders/{request}/part": "/orders/" + "0" * 32 + "/part",
}
"""What stands for a route with a name in it."""
RUNS_ON = {"/stream"}


@pytest.fixture(scope="module")
def clients(served: serving.ServedDesk) -> dict[DeskRole, httpx.Client]:
    served.clock()
    return {
        DeskRole.SPECTATOR: served.client(),
        DeskRole.DEPUTY: served.logged_in(serving.DEPUTY),
        DeskRole.DIRECTOR: served.logged_in(serving.DIRECTOR),
    }


def routes_of(served: serving.ServedDesk) -> set[tuple[str, str]]:
    found = set()
    for route in served.app.routes:
        assert isinstance(route, Route), route
        found |= {(route.path, method) for method in (route.methods or set()) - {"HEAD"}}
    return found


FOR_ANYBODY = {
    "/static/{path:path}",
    "/typeface.ttf",
    "/board",
    "/standings",
    "/standings/part",
    "/overlay/{slot}",
    "/public/stream",
    "/login",
} | {f"/api/{name}" for name in ("openapi.json", "tables", "tables/{table}")}
A_DEPUTY_SENDS = {"/receipt", "/calls", "/account", "/logout"}


def needed_for(path: str, method: str) -> DeskRole:
    """Return who may use a route by the law: who works in the hall sees, a director acts."""
    if path in FOR_ANYBODY:
        return DeskRole.SPECTATOR
    return DeskRole.DEPUTY if method == "GET" or path in A_DEPUTY_SENDS else DeskRole.DIRECTOR


@pytest.mark.parametrize("role", DeskRole)
def test_who_works_in_the_hall_sees_and_a_director_acts(
    served: serving.ServedDesk, clients: dict[DeskRole, httpx.Client], role: DeskRole
) -> None:
    client = clients[role]
    wrong = []
    for path, method in sorted(routes_of(served)):
        if path == "/logout":
            continue  # it would end the session
        needed = needed_for(path, method)
        status = status_of(client, method, PATHS.get(path, path), role)
        refused = status in {401, 403} or (status == 303 and role is DeskRole.SPECTATOR and path != "/login")
        if refused is not (role < needed):
            wrong.append((path, method, status))
    assert wrong == []


@pytest.mark.parametrize("role", [DeskRole.SPECTATOR, DeskRole.DIRECTOR])
def test_a_method_that_is_not_stated_is_refused(served: serving.ServedDesk, clients: dict[DeskRole, httpx.Client], role: DeskRole) -> None:
    routes = routes_of(served)
    for path in {path for path, _ in routes}:
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - {method for of, method in routes if of == path}:
            assert clients[role].request(method, PATHS.get(path, path)).status_code == 405, (method, path)


def test_the_address_of_each_form_shows_a_page_when_loaded(served: serving.ServedDesk, clients: dict[DeskRole, httpx.Client]) -> None:
    led = {}
    for path in sorted(path for path, method in routes_of(served) if method == "POST"):
        answer = clients[DeskRole.DIRECTOR].get(path, follow_redirects=True)
        assert (answer.status_code, "<main" in answer.text) == (200, True), path
        if answer.url.path != path:
            assert [each.status_code for each in answer.history] == [303]
            led[path] = answer.url.path
    assert led == {
        "/event/round": "/event",
        "/devices/update": "/devices",
        "/setup": "/assign",
        "/lease": "/log",
        "/logout": "/",
        # Without what they are about.
        **dict.fromkeys(("/slip", "/result", "/unplaced"), "/round"),
    }
    # It has done nothing: the session of /logout goes on.
    assert clients[DeskRole.DIRECTOR].get("/account").status_code == 200


def test_a_refusal_is_a_page_that_leads_on_and_shows_a_spectator_nothing(
    served: serving.ServedDesk, clients: dict[DeskRole, httpx.Client]
) -> None:
    deputy = clients[DeskRole.DEPUTY]
    answer = deputy.post("/assign")
    assert answer.status_code == 403
    assert 'Only a director may do this. <a href="/login?next=/assign">Log in</a> as one.' in answer.text
    assert all(f'<a href="{path}">{title}' in answer.text for path, title in NAVIGATION if path != "/assign")
    spectator = clients[DeskRole.SPECTATOR]
    answer = spectator.post("/assign")
    assert (answer.status_code, ">Log in</a> as one." in answer.text, "<nav" in answer.text) == (403, True, False)
    # A route without a role is refused to a director.
    served.app.router.routes.append(Route("/forgotten", lambda _: None))
    try:
        assert clients[DeskRole.DIRECTOR].get("/forgotten").status_code == 403
    finally:
        served.app.router.routes.pop()


def status_of(client: httpx.Client, method: str, path: str, role: DeskRole) -> int:
    if method == "GET":
        with client.stream("GET", path, headers={"accept": "text/event-stream"} if path in RUNS_ON else {}) as answer:
            return answer.status_code
    # An empty form changes nothing, but gets past the guard.
    return client.post(path).status_code


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
def test_any_text_in_any_field_gets_a_sentence(fuzzed: tuple[httpx.Client, str], path: str, data: st.DataObject) -> None:
    client, clock = fuzzed
    some = {"do": "notice", "text": "Hello", "seconds": "60", "to": "chosen", "clock": clock, "request": "f" * 32, "rulebook": "club"}
    form = {name: some.get(name, "1") for name in (each.format(id=clock) for each in FIELDS[path])}
    for name in data.draw(st.sets(st.sampled_from(sorted(form)), min_size=1)):
        form[name] = data.draw(ANY_TEXT | st.sampled_from(("", "0", "-1", "9" * 5000, "1-999", "1e9", "\u0661", "\0", clock)))
    answer = client.post(path, data=form)
    assert answer.status_code in {200, 303, 400, 403, 404, 422}, (form, answer.text[:500])
    assert "Traceback" not in answer.text


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT)
def test_any_text_in_an_address_gets_an_answer(fuzzed: tuple[httpx.Client, str], text: str) -> None:
    client, _ = fuzzed
    for path in ("/table/{}", "/orders/{}", "/static/{}", "/log?before={}", "/stream/{}", "/login?next={}", "/{}"):
        answer = client.get(path.format(httpx.URL("http://x/", params={"q": text}).query.decode().removeprefix("q=")))
        assert answer.status_code < 500, (path, text)


NO_FORMS: Final = (
    ("multipart/form-data", b"x"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=do\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n--x--"),
    ("application/json", b'{"do": 1}'),
    ("text/plain", b"do=stop"),
    ("", b""),
    ("application/x-www-form-urlencoded", b"&".join([b"a=1"] * 6_000)),
)


def test_what_is_no_form_is_refused(served: serving.ServedDesk) -> None:
    client = served.logged_in()
    for cell in each_cell(NO_FORMS):
        with cell as (kind, body):
            assert client.post("/notices", content=body, headers={"content-type": kind}).status_code in {400, 422}
    # Without a session no more is read than a login needs, whatever follows.
    for size, status in ((15_000, 422), (17_000, 413)):
        assert served.client().post("/login", data={"name": "n" * size}).status_code == status


@pytest.fixture(scope="module")
def fuzzed(served: serving.ServedDesk) -> tuple[httpx.Client, str]:
    return served.logged_in(serving.DIRECTOR), served.clock("fuzzed", 5, **serving.OVER).id
