"""Logging in and out, and the own password."""

from __future__ import annotations

import time
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from faults.errors import TileclockError
from hall.desk.access.accounts import LONGEST, UserAccount, is_name, new_account, password_fits, require_password, unwrapped
from hall.desk.access.connections import client_address
from hall.desk.access.guard import Access, drop_cookie, put_cookie, visit_of
from hall.desk.access.sessions import Session
from hall.desk.store import CHANGED, LOGIN, LOGOUT, NOT_LET_IN
from hall.desk.web.acting import acting, note, text_of
from hall.desk.web.pages import page
from rules.duration import NS

_WRONG: Final = "Name or password is wrong."


async def login(request: Request) -> Response:
    return _form(request, next_path=request.query_params.get("next", "/"))


async def enter(request: Request) -> Response:
    """Take name and password."""
    form = await request.form()
    name, next_path = text_of(form, "name"), text_of(form, "next", 500)
    password = form.get("password", "")
    if not name or not password:
        return _form(request, next_path=next_path, problem="Type name and password.", name=name, status=422)
    # A name of another form belongs to no account: all such share one count.
    name = name if is_name(name) else ""
    found = await run_in_threadpool(_checked, acting(request).access, name, str(password)[: LONGEST + 1], client_address(request.scope))
    if isinstance(found, int):
        words = f"Too many wrong passwords. Try again in {-(-found // NS)} seconds." if found else _WRONG
        if not found:
            await run_in_threadpool(acting(request).log.add, name, NOT_LET_IN, {"from": client_address(request.scope)})
        response = _form(request, next_path=next_path, problem=words, name=name, status=429 if found else 422)
        if found:
            response.headers["retry-after"] = str(-(-found // NS))
        return response
    await run_in_threadpool(acting(request).log.add, found.account, LOGIN, {"from": client_address(request.scope)})
    answer = RedirectResponse(_safe(next_path), 303)
    put_cookie(answer, request.scope, found.id)
    return answer


async def leave(request: Request) -> Response:
    await note(request, LOGOUT, {})
    acting(request).access.sessions.end(visit_of(request).cookie)
    answer = RedirectResponse("/login?left=1", 303)
    drop_cookie(answer, request.scope)
    return answer


async def account(request: Request) -> Response:
    """Show the form for another password."""
    return page(request, "account.html", problem="")


async def change(request: Request) -> Response:
    """Take another password; every other session of the account ends."""
    form = await request.form()
    old, new, again = (str(form.get(name, ""))[: LONGEST + 1] for name in ("old", "new", "again"))
    session = visit_of(request).session
    if session is None:
        return RedirectResponse("/login", 303)
    try:
        if new != again:
            return page(request, "account.html", problem="The two new passwords differ.", status=422)
        require_password(new)
        begun = await run_in_threadpool(_changed, acting(request).access, session, old, new, client_address(request.scope))
    except TileclockError as error:
        return page(request, "account.html", problem=str(error), status=422)
    if begun is None:
        return page(request, "account.html", problem="The current password is wrong, or was wrong too often.", status=403)
    await note(request, CHANGED, {})
    answer = RedirectResponse("/", 303)
    put_cookie(answer, request.scope, begun.id)
    return answer


def _checked(access: Access, name: str, password: str, address: str) -> Session | int:
    """Return the new session; else how long to wait (ns), 0: name or password is wrong."""
    account, wait = _fitting(access, name, password, address)
    if account is None:
        return wait
    key = None if account.key is None else unwrapped(account.key, password, account.name)
    return access.sessions.begin(account, key, time.monotonic_ns())


def _fitting(access: Access, name: str, password: str, address: str) -> tuple[UserAccount | None, int]:
    if wait := access.tries.begin(name, address, time.monotonic_ns()):
        return None, wait
    account = access.accounts.find(name)
    # One at a time: each takes 64 MiB.
    with access.one_at_a_time:
        fits = password_fits(password, None if account is None else account.password)
    if account is None or not fits:
        return None, 0
    access.tries.right(name, address)
    return account, 0


def _changed(access: Access, session: Session, old: str, new: str, address: str) -> Session | None:
    account, _ = _fitting(access, session.account, old, address)
    if account is None:
        return None
    key = None if account.key is None else unwrapped(account.key, old, account.name)
    changed = new_account(account.name, new, key)
    access.accounts.put(changed)
    access.sessions.end(session.id)
    return access.sessions.begin(changed, key, time.monotonic_ns())


def _form(request: Request, *, next_path: str, problem: str = "", name: str = "", status: int = 200) -> Response:
    left = "left" in request.query_params and not visit_of(request).session
    answer = page(request, "login.html", next_path=_safe(next_path), problem=problem, name=name, left=left, status=status)
    visit = visit_of(request)
    if visit.new:
        put_cookie(answer, request.scope, visit.cookie)
    return answer


def _safe(path: str) -> str:
    """Return a path of this desk: another site's address after the login would be its invitation."""
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if plain else "/"


routes = (
    Route("/login", login),
    Route("/login", enter, methods=["POST"]),
    Route("/logout", leave, methods=["POST"]),
    Route("/account", account),
    Route("/account", change, methods=["POST"]),
)
