"""Every route for every role: by real requests."""

from __future__ import annotations

import httpx
import pytest
from starlette.routing import Mount, Route

from hall.desk.access.accounts import DeskRole
from hall.desk.web.pages import NAVIGATION
from hall.desk.web.secured import RIGHTS
from tests.hall.desk.web.serving import DEPUTY, DIRECTOR, ServedDesk, token_in

pytestmark = pytest.mark.waits(20)

PATHS = {
    "/static": "/static/desk.css",
    "/table/{name}": "/table/1",
    "/table/{name}/part": "/table/1/part",
    "/table/{name}/game/{game:int}": "/table/1/game/1",
    "/orders/{request}": "/orders/" + "0" * 32,
    "/orders/{request}/part": "/orders/" + "0" * 32 + "/part",
}
"""What stands for a route with a name in it."""
RUNS_ON = {"/stream"}


@pytest.fixture(scope="module")
def clients(served: ServedDesk) -> dict[DeskRole, httpx.Client]:
    served.clock()
    return {DeskRole.SPECTATOR: served.client(), DeskRole.DEPUTY: served.logged_in(DEPUTY), DeskRole.DIRECTOR: served.logged_in(DIRECTOR)}


def routes_of(served: ServedDesk) -> set[tuple[str, str]]:
    found = set()
    for route in served.app.routes:
        assert isinstance(route, Route | Mount), route
        methods = {"GET"} if isinstance(route, Mount) else (route.methods or set()) - {"HEAD"}
        found |= {(route.path, method) for method in methods}
    return found


def test_every_route_has_a_stated_role_and_none_is_stated_that_is_not_there(served: ServedDesk) -> None:
    assert {(path, method) for path, methods in RIGHTS.items() for method in methods} == routes_of(served)


@pytest.mark.parametrize("role", DeskRole)
def test_each_role_gets_what_the_table_states_and_nothing_else(
    served: ServedDesk, clients: dict[DeskRole, httpx.Client], role: DeskRole
) -> None:
    client = clients[role]
    wrong = []
    for path, method in sorted(routes_of(served)):
        if path == "/logout":
            continue  # it would end the session; tests/hall/desk/web/test_login.py
        needed = RIGHTS[path][method]
        status = status_of(client, method, PATHS.get(path, path), role)
        refused = status in {401, 403} or (status == 303 and role is DeskRole.SPECTATOR and path != "/login")
        if refused is not (role < needed):
            wrong.append((path, method, status))
    assert wrong == []


@pytest.mark.parametrize("role", DeskRole)
def test_a_method_that_is_not_stated_is_refused(served: ServedDesk, clients: dict[DeskRole, httpx.Client], role: DeskRole) -> None:
    for path, methods in RIGHTS.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - set(methods):
            assert clients[role].request(method, PATHS.get(path, path)).status_code == 405, (method, path)


def test_the_address_of_each_form_shows_a_page_when_loaded(served: ServedDesk, clients: dict[DeskRole, httpx.Client]) -> None:
    led = {}
    for path in sorted(path for path, method in routes_of(served) if method == "POST"):
        answer = clients[DeskRole.DIRECTOR].get(path, follow_redirects=True)
        assert (answer.status_code, "<main" in answer.text) == (200, True), path
        if answer.url.path != path:
            assert [each.status_code for each in answer.history] == [303]
            led[path] = answer.url.path
    assert led == {"/event/round": "/event", "/devices/update": "/devices", "/setup": "/assign", "/lease": "/log", "/logout": "/"}
    # It has done nothing: the session of /logout goes on.
    assert clients[DeskRole.DIRECTOR].get("/account").status_code == 200


def test_a_refusal_is_a_page_that_leads_on(clients: dict[DeskRole, httpx.Client]) -> None:
    deputy = clients[DeskRole.DEPUTY]
    answer = deputy.post("/assign", data={"token": token_in(deputy.get("/account").text)})
    assert answer.status_code == 403
    assert 'Only a director may do this. <a href="/login?next=/assign">Log in</a> as one.' in answer.text
    assert all(f'<a href="{each.path}">{each.title}' in answer.text for each in NAVIGATION if each.path != "/assign")


def test_a_refusal_shows_a_spectator_nothing_of_the_hall(clients: dict[DeskRole, httpx.Client]) -> None:
    spectator = clients[DeskRole.SPECTATOR]
    answer = spectator.post("/assign", data={"token": token_in(spectator.get("/login").text)})
    assert (answer.status_code, ">Log in</a> as one." in answer.text, "<nav" in answer.text) == (403, True, False)


def test_a_route_without_a_stated_role_is_refused_to_a_director(served: ServedDesk, clients: dict[DeskRole, httpx.Client]) -> None:
    served.app.router.routes.append(Route("/forgotten", lambda _: None))
    try:
        assert clients[DeskRole.DIRECTOR].get("/forgotten").status_code == 403
    finally:
        served.app.router.routes.pop()


def status_of(client: httpx.Client, method: str, path: str, role: DeskRole) -> int:
    if method == "GET":
        with client.stream("GET", path, headers={"accept": "text/event-stream"} if path in RUNS_ON else {}) as answer:
            return answer.status_code
    token = token_in(client.get("/login" if role is DeskRole.SPECTATOR else "/account").text)
    # An empty form changes nothing, but gets past the guard.
    return client.post(path, data={"token": token}).status_code
