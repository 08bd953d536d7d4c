"""What the pages need that act: who may, the way to the tables, and the desk's store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request

from hall.desk.access.guard import Access, Visit, visit_of
from hall.desk.ordering import Ordering
from hall.desk.store.desk_log import DeskLog
from hall.desk.store.lease import Lease
from hall.desk.store.takers import Takers
from hall.orders.sender import new_id

REQUEST: Final = "request"
"""The hidden field with the id of what a form asks for."""


@dataclass(frozen=True, slots=True)
class Acting:
    """The parts of a desk that acts."""

    access: Access
    ordering: Ordering
    log: DeskLog
    lease: Lease
    takers: Takers


def acting(request: Request) -> Acting:
    """Return the parts of this application."""
    found: Acting = request.app.state.acting
    return found


def who(request: Request) -> str:
    """Return whose request it is."""
    visit: Visit = visit_of(request)
    return visit.account or ""


async def note(request: Request, what: str, detail: Mapping[str, object], order_request: str | None = None) -> None:
    """Add what ``who`` does to the desk's log."""
    await run_in_threadpool(acting(request).log.add, who(request), what, detail, order_request)


async def order_form(request: Request) -> dict[str, Any]:
    """Return what each form that sends orders is made with: the id that it asks by, and which desk gives the orders."""
    parts = acting(request)
    return {"new_request": new_id(), "holding": await run_in_threadpool(parts.lease.holding), "own": parts.ordering.desk}


def text_of(form: FormData, name: str, most: int = 200) -> str:
    """Return a field of a form without blanks around it; empty: there is none, or it is a file."""
    value = form.get(name, "")
    return value.strip()[:most] if isinstance(value, str) else ""


def number_of(text: str, most: int) -> int | None:
    """Return the whole number from 0 to ``most`` that a field holds; None: it holds none. Zeros before it must not hide a larger one."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most):
        return None
    return int(text)


def texts_of(form: FormData, name: str) -> tuple[str, ...]:
    """Return all values of a field."""
    return tuple(value for value in form.getlist(name) if isinstance(value, str))
