"""The guard before every page: role and origin are checked before any handler runs. A route that states no role is refused.

No other site can send a form: browsers keep the session's cookie from its requests (``SameSite=Strict``), and say where each form comes from.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final
from urllib.parse import quote, urlsplit

from msgspec import Struct, field
from starlette.applications import Starlette
from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from appliance.log import get_logger
from faults.errors import Phrase, as_phrase
from hall.desk.access.accounts import UNREADABLE, AccountError, Accounts, DeskRole, Session, Sessions, UserAccount
from hall.desk.access.limits import Strangers, Tries
from wire.keys import SigningKey

_LONGEST: Final = 100


def cookie_name(scope: Scope) -> str:
    """Return its name: cookies know no ports, so a second desk on the same machine gets another; under HTTPS no plain page can set it."""
    server = scope.get("server")
    port = server[1] if server else 0
    return f"{'__Host-' if scope['scheme'] == 'https' else ''}desk-{port}"


def put_cookie(response: Response, scope: Scope, value: str) -> None:
    """Give the browser the cookie: until it is closed, not for scripts, and never sent from another site."""
    _put(response, scope, cookie_name(scope), value)


def drop_cookie(response: Response, scope: Scope) -> None:
    response.delete_cookie(cookie_name(scope), path="/", secure=scope["scheme"] == "https", httponly=True, samesite="strict")


def put_browser(response: Response, scope: Scope, session: Session) -> None:
    """Let the browser show from now on that it has logged in to the session's account: it is no longer a stranger there."""
    own = secrets.token_urlsafe(16)
    # For 400 days: browsers keep no cookie longer.
    _put(response, scope, _browser_cookie(scope, session.account), f"{own}.{_signed(own, session.password)}", 400 * 24 * 3600)


def browser_in(scope: Scope, account: UserAccount | None) -> str:
    """Return by what to count the browser's wrong passwords; empty: it has not logged in to the account, which is the same for one that does not exist."""
    if account is None:
        return ""
    own, _, signature = HTTPConnection(scope).cookies.get(_browser_cookie(scope, account.name), "")[:_LONGEST].partition(".")
    return own if hmac.compare_digest(_signed(own, account.password).encode(), signature.encode("utf-8", "replace")) else ""


def _browser_cookie(scope: Scope, account: str) -> str:
    # One for each account, since people share a notebook.
    return f"{cookie_name(scope)}-{account}"


def _signed(own: str, password_hash: str) -> str:
    # The hash is as secret as a key would be, and another password makes every browser a stranger.
    return hmac.new(password_hash.encode(), own.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _put(response: Response, scope: Scope, name: str, value: str, seconds: int | None = None) -> None:
    secure = scope["scheme"] == "https"
    response.set_cookie(name, value, seconds, path="/", secure=secure, httponly=True, samesite="strict")


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LOGIN: Final = "/login"
MAX_FILES: Final = 100
"""Of an import: a TSH event has a file for each division."""


class Visit(Struct, frozen=True):
    session: Session | None
    anybody: DeskRole

    @property
    def role(self) -> DeskRole:
        return self.anybody if self.session is None else self.session.role

    @property
    def account(self) -> str | None:
        return None if self.session is None else self.session.account


def visit_of(request: Request) -> Visit:
    found: Visit = request.scope["visit"]
    return found


def form_of(request: Request) -> FormData:
    found: FormData = request.scope["form"]
    return found


class Access(Struct, frozen=True):
    accounts: Accounts
    anybody: DeskRole = DeskRole.SPECTATOR
    """What a visit without a session may see; more than the board only where the desk has no login."""
    sessions: Sessions = field(default_factory=Sessions)
    passwords: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1, "passwords"))
    """Checks them one after the other, so that no page waits: each takes 64 MiB and much of a second."""
    tries: Tries = field(default_factory=Tries)
    strangers: Strangers = field(default_factory=Strangers)

    def find(self, session_id: str, now: int, *, counts: bool) -> Session | None:
        """Return the session with that id if it is good at ``now`` (ns); ``counts``: somebody is there. Raises ``AccountError``."""
        name = self.sessions.account_of(session_id)
        account = None if name is None else self.accounts.find(name)
        return self.sessions.find(session_id, None if account is None else account.password, now, counts=counts)

    def signing_key(self, now: int) -> SigningKey | None:
        found = (self.find(each, now, counts=False) for each in self.sessions.open_ids())
        return next((each.key for each in found if each is not None and each.key is not None), None)


class DeskRoute(Route):
    def __init__(self, path: str, endpoint: Callable[..., object], role: DeskRole, *, method: str = "GET") -> None:
        super().__init__(path, endpoint, methods=[method])
        self.role = role


class Guard:
    """Lets through what the routes of the application allow.

    Args:
        app: what comes behind, with the routes of the whole desk.
        access: the desk's.
        refused: makes the page for a visit whose role may not do what it asks for, from the role that may.
        say: says a phrase in the browser's language.
        now: CLOCK_MONOTONIC in ns.
    """

    def __init__(
        self,
        app: Starlette,
        access: Access,
        *,
        refused: Callable[[Scope, DeskRole], Response],
        say: Callable[[Scope, Phrase], str],
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._app, self._access, self._now = app, access, now
        self._refused, self._say = refused, say
        self._stranger = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # The desk has no websocket.
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            cookie = HTTPConnection(scope).cookies.get(cookie_name(scope), "")[:_LONGEST]
            session = self._access.find(cookie, self._now(), counts=not _is_stream(scope))
        except AccountError as error:
            get_logger().warning("no session can be checked", why=str(error))
            await PlainTextResponse(self._say(scope, UNREADABLE), 503)(scope, receive, send)
            return
        scope["visit"] = visit = Visit(session, self._access.anybody)
        if session is None:
            # One in each turn of the event loop: however large the crowd is, who is logged in goes past it.
            async with self._stranger:
                await asyncio.sleep(0)
        route = next((each for each in self._app.routes if each.matches(scope)[0] is Match.FULL), None)
        # Where there is none, the application says so.
        answer = None if route is None else await self._refusal(scope, receive, visit, route)
        await (answer or self._app)(scope, receive, send)
        if (form := scope.get("form")) is not None:
            await form.close()

    async def _refusal(self, scope: Scope, receive: Receive, visit: Visit, route: BaseRoute) -> Response | None:
        if not isinstance(route, DeskRoute):
            return PlainTextResponse(self._say(scope, Phrase("This page has no stated right.")), 403)
        # Without a login the pages only show.
        role = visit.role if scope["method"] in SAFE or visit.session is not None else DeskRole.SPECTATOR
        if role >= route.role:
            return None if scope["method"] in SAFE else await self._faulty_form(scope, receive)
        if scope["path"].startswith("/api/") or _is_stream(scope):
            return JSONResponse({"error": f"expected a {route.role.word}"}, 401 if visit.session is None else 403)
        if visit.session is None and scope["method"] == "GET":
            return RedirectResponse(f"{LOGIN}?next={quote(scope['path'], safe='/')}", 303)
        return self._refused(scope, route.role)

    async def _faulty_form(self, scope: Scope, receive: Receive) -> Response | None:
        """Read the form, once for whoever handles it; return a refusal if it is none of this desk's pages."""
        if not _own_origin(scope, Headers(scope=scope)):
            return PlainTextResponse(self._say(scope, Phrase("This form comes from another site.")), 403)
        try:
            scope["form"] = await Request(scope, receive).form(max_files=MAX_FILES, max_fields=5_000)
        except ClientDisconnect:
            # It left, or sent what is no body, which uvicorn has answered.
            return Response(status_code=400)
        except MultiPartException:
            return PlainTextResponse(self._say(scope, Phrase("This is not a form.")), 400)
        except HTTPException as error:
            return PlainTextResponse(self._say(scope, as_phrase(error.detail)), error.status_code)
        return None


def _own_origin(scope: Scope, headers: Headers) -> bool:
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        # A program without a browser: only a browser can be misled.
        return True
    found = urlsplit(origin)
    return (found.scheme, found.netloc) == (scope["scheme"], headers.get("host", ""))


def _is_stream(scope: Scope) -> bool:
    return "text/event-stream" in Headers(scope=scope).get("accept", "")
