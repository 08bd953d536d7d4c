"""A board's parts list: quantities, order terms, approximate prices. Supplier-neutral, as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from hardware.boards.board import Board, PinSpec
from hardware.boards.hookup import Hookup, adaptors, hookups
from hardware.boards.parts import ohms, parts
from hardware.boards.pis import load_pi, pi_ids

_HEAD = ("part", "value", "quantity", "unit", "order terms", "EUR each from", "EUR each to", "for")
_BLACK, _RED = "black", "red"


@dataclass(frozen=True, slots=True)
class _Need:
    """A quantity of a part for one use. ``value`` distinguishes variants of a part: ohms, colours."""

    part: str
    value: str
    quantity: float
    use: str


def parts_list(board: Board) -> str:
    """Return the CSV, with the total cost in the last line."""
    rows: dict[tuple[str, str], list[_Need]] = {}
    for need in _needs(board):
        rows.setdefault((need.part, need.value), []).append(need)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEAD)
    low = high = 0.0
    order = list(parts())
    for (name, value), needs in sorted(rows.items(), key=lambda row: order.index(row[0][0])):
        part, quantity = parts()[name], sum(need.quantity for need in needs)
        uses = "; ".join(dict.fromkeys(need.use for need in needs))
        writer.writerow((part.name, value, f"{quantity:g}", part.unit, part.order, f"{part.eur[0]:.2f}", f"{part.eur[1]:.2f}", uses))
        low, high = low + quantity * part.eur[0], high + quantity * part.eur[1]
    writer.writerow(("all together", "", "", "", "", f"{low:.0f}", f"{high:.0f}", "rough prices of 2026"))
    return text.getvalue()


def _needs(board: Board) -> Iterator[_Need]:
    for name, number in board.parts.items():
        yield _Need(name, "", number, "the whole")
    for each in hookups(board):
        yield from _of(each)
    for display, titles in _adaptor_pis(board).items():
        yield _Need("usb-serial", "", 1, f"{display} display on a {' or '.join(titles)} only" if titles else f"{display} display")


def _adaptor_pis(board: Board) -> dict[str, list[str]]:
    """Return the displays that need an adaptor, with the Pis on which they do; an empty list means all."""
    pis = [load_pi(pi_id) for pi_id in pi_ids()]
    found: dict[str, list[str]] = {}
    for pi in pis:
        for name, _ in adaptors(board, pi):
            found.setdefault(name, []).append(pi.title)
    return {name: [] if len(titles) == len(pis) else titles for name, titles in found.items()}


def _of(each: Hookup) -> Iterator[_Need]:
    spec = each.spec
    if spec.part:
        yield _Need(spec.part, "", 1, each.title)
    if spec.resistor:
        yield _Need("resistor", ohms(spec.resistor), 1, each.title)
    if isinstance(spec, PinSpec):
        if spec.pull_up:
            yield _Need("resistor", ohms(spec.pull_up), 1, each.title)
        if spec.capacitor:
            yield _Need("capacitor", f"{spec.capacitor} nF", 1, each.title)
        yield from (_Need(name, "", 1, each.title) for name in (spec.driver, spec.diode) if name)
    yield from _wires(each)


def _wires(each: Hookup) -> Iterator[_Need]:
    """Yield wire and ground of a contact, wire and 5 V of a lamp, all three of a display."""
    length = each.spec.wire / 100
    if not length:
        return
    yield _Need("wire", each.colour, length, each.title)
    if each.how != "driven":
        yield _Need("wire", _BLACK, length, each.title)
    if each.how in ("driven", "serial"):
        yield _Need("wire", _RED, length, each.title)
