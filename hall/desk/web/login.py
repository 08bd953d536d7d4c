"""Logging in and out, and the own password."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from appliance.log import get_logger
from faults.errors import Phrase, TileclockError
from hall.desk.access.accounts import (
    LONGEST,
    UNREADABLE,
    AccountError,
    DeskRole,
    Session,
    UserAccount,
    is_name,
    new_account,
    password_fits,
    require_password,
    unwrapped,
)
from hall.desk.access.guard import DeskRoute, browser_in, drop_cookie, form_of, put_browser, put_cookie, visit_of
from hall.desk.access.limits import RETRY_S, TooBusy, client_address
from hall.desk.store import CHANGED, FROM, LOGIN, LOGOUT, NOT_LET_IN
from hall.desk.web.pages import acting, context, counted, later, note, own_path, page, text_of
from rules.duration import NS

_Made = TypeVar("_Made")


async def login(request: Request) -> Response:
    return _form(request, next_path=request.query_params.get("next", "/"))


async def enter(request: Request) -> Response:
    form = form_of(request)
    name, next_path = text_of(form, "name"), text_of(form, "next", 500)
    password = form.get("password", "")
    if not name or not password:
        return _form(request, next_path=next_path, problem=Phrase("Type name and password."), name=name, status=422)
    # A name of another form belongs to no account: all such share one count.
    name = name if is_name(name) else ""
    try:
        found = await _tried(request, name, str(password)[: LONGEST + 1])
    except TooBusy:
        words = Phrase("Too many people log in just now. Try again in {seconds} seconds.", seconds=RETRY_S)
        return later(_form(request, next_path=next_path, problem=words, name=name, status=503), RETRY_S)
    except AccountError as error:
        get_logger().warning("logging in is impossible", why=str(error))
        return _form(request, next_path=next_path, problem=UNREADABLE, name=name, status=503)
    if not isinstance(found, int):
        return _begun(request, found, own_path(next_path))
    if not found:
        return _form(request, next_path=next_path, problem=Phrase("Name or password is wrong."), name=name, status=422)
    seconds = -(-found // NS)
    words = counted(seconds, "Too many wrong passwords. Try again in 1 second.", "Too many wrong passwords. Try again in {count} seconds.")
    return later(_form(request, next_path=next_path, problem=words, name=name, status=429), seconds)


async def leave(request: Request) -> Response:
    await note(request, LOGOUT, {})
    if (session := visit_of(request).session) is not None:
        acting(request).access.sessions.end(session.id)
    answer = RedirectResponse("/login?left=1", 303)
    drop_cookie(answer, request.scope)
    return answer


async def account(request: Request) -> Response:
    return page(request, "account.html", problem="")


async def change(request: Request) -> Response:
    """Take another password; every other session of the account ends."""
    form = form_of(request)
    old, new, again = (str(form.get(name, ""))[: LONGEST + 1] for name in ("old", "new", "again"))
    session = visit_of(request).session
    if session is None:
        return RedirectResponse("/login", 303)
    try:
        if new != again:
            return page(request, "account.html", problem=Phrase("The two new passwords differ."), status=422)
        require_password(new)
        begun = await _in_turn(request, partial(_changed, request, session, old, new))
    except TileclockError as error:
        return page(request, "account.html", problem=error.sentences, status=422)
    if begun is None:
        return page(request, "account.html", problem=Phrase("The current password is wrong, or was wrong too often."), status=403)
    await note(request, CHANGED, {})
    return _begun(request, begun, "/")


def _begun(request: Request, session: Session, path: str) -> Response:
    answer = RedirectResponse(path, 303)
    put_cookie(answer, request.scope, session.id)
    put_browser(answer, request.scope, session)
    return answer


async def _in_turn(request: Request, check: Callable[[], _Made]) -> _Made:
    return await asyncio.get_running_loop().run_in_executor(acting(request).access.passwords, check)


async def _tried(request: Request, name: str, password: str) -> Session | int:
    access = acting(request).access
    browser = browser_in(request.scope, access.accounts.find(name))
    async with nullcontext() if browser else access.strangers.turn(client_address(request.scope)):
        return await _in_turn(request, partial(_checked, request, name, browser, password))


def _checked(request: Request, name: str, browser: str, password: str) -> Session | int:
    """Return the new session; else how long to wait (ns), 0: name or password is wrong. The log has what came of it, unless it was to wait."""
    access, log, address = acting(request).access, acting(request).store, client_address(request.scope)
    account, wait = _fitting(request, name, browser, password)
    if account is None:
        if not wait:
            log.add(name, NOT_LET_IN, {FROM: address})
        return wait
    key = None if account.key is None else unwrapped(account.key, password, account.name)
    log.add(account.name, LOGIN, {FROM: address})
    return access.sessions.begin(account, key, context(request).now())


def _fitting(request: Request, name: str, counted: str, password: str) -> tuple[UserAccount | None, int]:
    """Return the account if the password is its own; else how long to wait. ``counted``: by what wrong ones are; empty: a stranger has waited already."""
    access = acting(request).access
    if counted and (wait := access.tries.begin(counted, context(request).now())):
        return None, wait
    account = access.accounts.find(name)
    fits = password_fits(password, None if account is None else account.password)
    if account is None or not fits:
        return None, 0
    access.tries.right(counted)
    return account, 0


def _changed(request: Request, session: Session, old: str, new: str) -> Session | None:
    access = acting(request).access
    account, _ = _fitting(request, session.account, session.id, old)
    if account is None:
        return None
    key = None if account.key is None else unwrapped(account.key, old, account.name)
    changed = new_account(account.name, new, key)
    access.accounts.put(changed)
    access.sessions.end(session.id)
    return access.sessions.begin(changed, key, context(request).now())


def _form(request: Request, *, next_path: str, problem: str = "", name: str = "", status: int = 200) -> Response:
    left = "left" in request.query_params and not visit_of(request).session
    return page(request, "login.html", next_path=own_path(next_path), problem=problem, name=name, left=left, status=status)


routes = (
    DeskRoute("/login", login, DeskRole.SPECTATOR),
    DeskRoute("/login", enter, DeskRole.SPECTATOR, method="POST"),
    DeskRoute("/logout", leave, DeskRole.DEPUTY, method="POST"),
    DeskRoute("/account", account, DeskRole.DEPUTY),
    DeskRoute("/account", change, DeskRole.DEPUTY, method="POST"),
)
