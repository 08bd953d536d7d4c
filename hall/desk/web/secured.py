"""The pages behind everything that a request has to pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Scope

from hall.desk.access.guard import MAX_BYTES_OF_ANYBODY, Access, Guard
from hall.desk.access.limits import RequestTime
from hall.desk.access.roles import DeskRole
from hall.desk.web.headers import SecurityHeaders
from hall.desk.web.pages import page
from hall.desk.web.rights import RIGHTS

MAX_BYTES: Final = 10 * 1024 * 1024
"""Of a request's body: the largest import is a tenth of it."""


def secured_public(app: Starlette, hosts: Sequence[str]) -> ASGIApp:
    """Return ``app``, which anybody may read and which takes nothing, behind the limits."""
    return SecurityHeaders(
        TrustedHostMiddleware(RequestTime(RequestBodyLimitMiddleware(app, MAX_BYTES_OF_ANYBODY)), hosts, www_redirect=False)
    )


def secured(app: Starlette, access: Access, hosts: Sequence[str], now: Callable[[], int] = time.monotonic_ns) -> ASGIApp:
    """Return ``app`` behind the limits and the guard.

    Args:
        app: the pages.
        access: who gets in.
        hosts: the names by which browsers may ask for the desk.
        now: CLOCK_MONOTONIC in ns.
    """

    def refused(scope: Scope, role: DeskRole) -> Response:
        # The guard stands before the application, which would add itself.
        return page(Request({**scope, "app": app}), "refused.html", status=403, role=role.word)

    guarded = RequestBodyLimitMiddleware(Guard(app, RIGHTS, access, refused=refused, now=now), MAX_BYTES)
    return SecurityHeaders(TrustedHostMiddleware(RequestTime(guarded), hosts, www_redirect=False))
