"""The pages behind everything that a request has to pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.connections import RequestTime
from hall.desk.access.guard import MAX_BYTES_OF_ANYBODY, Access, Guard
from hall.desk.web.pages import page, said

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: a browser would then send the origin "null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


_FIRST_ERROR: Final = 400


class SecurityHeaders:
    """Adds them to what the application answers. Not Starlette's own base class, which holds streams back."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if message["status"] >= _FIRST_ERROR:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def _origin_form(scope: Scope) -> Scope:
    """Return a request whose target is a whole address as one for its path at its host, whatever its Host says (RFC 9112 3.2.2)."""
    scheme, separator, rest = scope.get("path", "").partition("://")
    if scope["type"] != "http" or not separator or scheme.lower() not in {"http", "https"}:
        return scope
    host, _, path = rest.partition("/")
    raw = scope["raw_path"].split(b"/", 3)[3:]
    headers = [(b"host", host.encode()), *(each for each in scope["headers"] if each[0] != b"host")]
    return {**scope, "path": f"/{path}", "raw_path": b"/" + b"".join(raw), "headers": headers}


class OriginForm:
    """Takes whole addresses as targets too, as a proxy sends them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(_origin_form(scope), receive, send)


MAX_BYTES: Final = 10 * 1024 * 1024
"""Of a request's body: the largest import is a tenth of it."""


def secured_public(app: Starlette, hosts: Sequence[str]) -> ASGIApp:
    """Return ``app``, which anybody may read and which takes nothing, behind the limits."""
    return _reached(RequestBodyLimitMiddleware(app, MAX_BYTES_OF_ANYBODY), hosts)


def secured(app: Starlette, access: Access, hosts: Sequence[str], now: Callable[[], int] = time.monotonic_ns) -> ASGIApp:
    """Return ``app`` behind the limits and the guard; browsers may ask for it by the names ``hosts``. ``now``: CLOCK_MONOTONIC in ns."""

    def refused(scope: Scope, role: DeskRole) -> Response:
        # The guard stands before the application, which would add itself.
        return page(Request({**scope, "app": app}), "refused.html", status=403, role=role.word)

    def say(scope: Scope, phrase: Phrase) -> str:
        return said(Request(scope), phrase)

    guarded = RequestBodyLimitMiddleware(Guard(app, access, refused=refused, say=say, now=now), MAX_BYTES)
    return _reached(guarded, hosts)


def _reached(app: ASGIApp, hosts: Sequence[str]) -> ASGIApp:
    return SecurityHeaders(OriginForm(TrustedHostMiddleware(RequestTime(app), hosts, www_redirect=False)))
