"""The desk's cookie. It holds a random id, and nothing else."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope

_LONGEST: Final = 100


def cookie_name(scope: Scope) -> str:
    """Return its name: cookies know no ports, so a second desk on the same machine gets another; under HTTPS no plain page can set it."""
    server = scope.get("server")
    port = server[1] if server else 0
    return f"{'__Host-' if scope['scheme'] == 'https' else ''}desk-{port}"


def cookie_in(scope: Scope) -> str:
    """Return the cookie's value; empty: there is none."""
    return HTTPConnection(scope).cookies.get(cookie_name(scope), "")[:_LONGEST]


def put_cookie(response: Response, scope: Scope, value: str) -> None:
    """Give the browser the cookie: until it is closed, not for scripts, and never sent from another site."""
    secure = scope["scheme"] == "https"
    response.set_cookie(cookie_name(scope), value, path="/", secure=secure, httponly=True, samesite="strict")


def drop_cookie(response: Response, scope: Scope) -> None:
    """Take the cookie back."""
    response.delete_cookie(cookie_name(scope), path="/", secure=scope["scheme"] == "https", httponly=True, samesite="strict")
