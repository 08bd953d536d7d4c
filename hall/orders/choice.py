"""Which clocks an order is for, from the listener's picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from hall.errors import NoSuchClock
from hall.orders.act import Instruction
from hall.orders.kept import KeptOrder, OrderState
from hall.picture.address import OrderAddress
from rules.side import BySide
from rules.tables import tables_of as parsed_tables


@dataclass(frozen=True, slots=True)
class OrderTarget:
    """A clock that an order may be for."""

    id: str
    name: str
    table: int | None
    names: BySide[str]
    address: OrderAddress | None
    """None: it is not heard."""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name if self.table is None else f"Table {self.table} ({self.name})"


def tables_of(spans: Iterable[str]) -> tuple[int, ...]:
    """Return the table numbers of texts such as ``12`` and ``1-20``.

    Raises:
        NoSuchClock: one is neither.
    """
    found: dict[int, None] = {}
    for span in spans:
        try:
            found |= dict.fromkeys(chain.from_iterable(parsed_tables(span)))
        except ValueError as error:
            raise NoSuchClock(where="--table", expected="a table such as 12, or tables such as 1-20", found=f'"{span}"') from error
    return tuple(found)


def chosen(devices: Sequence[dict[str, Any]], tables: Sequence[int], names: Sequence[str], *, everyone: bool) -> tuple[OrderTarget, ...]:
    """Return the clocks at ``tables``, those with one of ``names`` (id or name), or all, in the order of the tables.

    Raises:
        NoSuchClock: a name is none of a clock, or nothing was chosen.
    """
    clocks = sorted((_clock(each) for each in devices if each["kind"] == "clock"), key=lambda each: (each.table or 1000, each.id))
    for name in names:
        if not any(name in (each.id, each.name) for each in clocks):
            raise NoSuchClock(where="--device", expected="the id or the name of a clock", found=f'"{name}"', remedy="See tilehall status")
    found = tuple(each for each in clocks if everyone or each.table in tables or {each.id, each.name} & set(names))
    if not found:
        wanted = "a clock at one of these tables" if tables else "clocks: name them with --table, --device or --all"
        raise NoSuchClock(expected=wanted, found="none", remedy="Nothing was sent")
    return found


def instructions(clocks: Iterable[OrderTarget], made: Callable[[OrderTarget], Instruction]) -> dict[str, Instruction]:
    """Return the instruction of each clock."""
    return {clock.id: made(clock) for clock in clocks}


def lines(clocks: Sequence[OrderTarget], orders: Iterable[KeptOrder]) -> list[str]:
    """Return what has become of the orders: a line for each that was not accepted, then the numbers."""
    by_device = {order.device: order for order in orders}
    pairs = [(clock, by_device[clock.id]) for clock in clocks]
    said = [f"{clock.title}: {order.state}. {order.sentence}" for clock, order in pairs if order.state is not OrderState.ACCEPTED]
    counts = {
        state: sum(order.state is state for _, order in pairs) for state in (OrderState.ACCEPTED, OrderState.REFUSED, OrderState.SILENT)
    }
    stopped = sum(order.do == "stop" and order.number is not None for _, order in pairs)
    itself = f" Stopped by the order: {stopped}." if stopped else ""
    return [*said, f"{', '.join(f'{count} {state}' for state, count in counts.items())}.{itself}"]


def _clock(device: dict[str, Any]) -> OrderTarget:
    names = {"left": "", "right": ""} if device["clock"] is None else device["clock"]["names"]
    address = None if device["address"] is None else OrderAddress(**device["address"])
    return OrderTarget(device["id"], device["name"], device["table"], BySide(names["left"], names["right"]), address)
