"""What the pages need that act: who may, the way to the tables, the desk's store, and which clocks an order is for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from msgspec import Struct, field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from hall.desk.access.guard import Access, Visit, visit_of
from hall.desk.access.tries import InTurn
from hall.desk.desk import DirectorsDesk
from hall.desk.ordering import Ordering
from hall.desk.store import DeskLog, Lease, Takers
from hall.desk.tiles.table import next_game_words
from hall.orders.sender import OrderTarget, new_id
from hall.picture import RemoteDevice, address_of
from hall.store.written import ResultsFolder
from rules.side import BySide
from rules.tables import tables_of

Answer = TypeVar("Answer", bound=Response)
REQUEST: Final = "request"
"""The hidden field with the id of what a form asks for."""
OTHER_DESK: Final = "Another desk gives the orders. Nothing was sent."


class Acting(Struct, frozen=True):
    access: Access
    ordering: Ordering
    log: DeskLog
    lease: Lease
    takers: Takers
    folder: ResultsFolder | None = None
    """Into which the results are written; None: the settings name none."""
    imports: InTurn = field(default_factory=partial(InTurn, "imports"))


def acting(request: Request) -> Acting:
    found: Acting = request.app.state.acting
    return found


def who(request: Request) -> str:
    visit: Visit = visit_of(request)
    return visit.account or ""


async def note(request: Request, what: str, detail: Mapping[str, object], order_request: str | None = None) -> None:
    """Add what ``who`` does to the desk's log."""
    await run_in_threadpool(acting(request).log.add, who(request), what, detail, order_request)


async def order_form(request: Request) -> dict[str, Any]:
    """Return what each form that sends orders is made with: the id that it asks by, and which desk gives the orders."""
    parts = acting(request)
    return {"new_request": new_id(), "holding": await run_in_threadpool(parts.lease.holding), "own": parts.ordering.desk}


def later(answer: Answer, seconds: int) -> Answer:
    """Return a refusal that says when to try again."""
    answer.headers["retry-after"] = str(seconds)
    return answer


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
    return tuple(value for value in form.getlist(name) if isinstance(value, str))


class DeskTarget(OrderTarget, frozen=True):
    """A clock as a director chooses it at the desk."""

    hard: bool
    """A request to stop stops it."""
    stands: bool
    """No time runs."""
    next_game: str
    """The set-up that it offers, in words."""
    why_not: str
    """Why table, names and set-up cannot come in; empty: they can."""

    @property
    def title(self) -> str:
        return self.name if self.table is None else f"Table {self.table}"


def targets(desk: DirectorsDesk, now: int) -> tuple[DeskTarget, ...]:
    found = [_target(device, now) for device in desk.remote_devices() if not device.is_station]
    return tuple(sorted(found, key=lambda each: (each.table or 1000, each.name, each.id)))


def chosen(everything: Sequence[DeskTarget], ids: Iterable[str], spans: str) -> tuple[DeskTarget, ...]:
    """Return the clocks with one of ``ids``, and those at the tables of ``spans``, such as ``1-20, 31``; the ``ValueError`` of another text is for the director."""
    wanted, tables = set(ids), _tables(spans)
    if missing := sorted(tables - {each.table for each in everything}):
        raise ValueError(f"There is no clock at table {', '.join(map(str, missing[:10]))}.")
    return tuple(each for each in everything if each.id in wanted or each.table in tables)


def _tables(spans: str) -> set[int]:
    found: set[int] = set()
    for span in filter(None, (each.strip() for each in spans.split(","))):
        try:
            found.update(*tables_of(span))
        except ValueError as error:
            raise ValueError(f'Expected tables such as 12 or 1-20, found "{span}".') from error
    return found


def _target(device: RemoteDevice, now: int) -> DeskTarget:
    clock, address = device.clock, address_of(device, now)
    names = BySide("", "") if clock is None else BySide(clock.names.left, clock.names.right)
    return DeskTarget(
        device.id,
        device.name,
        device.table,
        names,
        address,
        hard=clock is not None and clock.freeze == "hard",
        stands=clock is not None and clock.running is None,
        next_game=next_game_words(clock),
        why_not=_why_not(device, now),
    )


def _why_not(device: RemoteDevice, now: int) -> str:
    if device.clock is None:
        return "not reported yet"
    if device.stale_since(now) is not None:
        return "not heard"
    return "" if device.clock.between_games else "in a game"
