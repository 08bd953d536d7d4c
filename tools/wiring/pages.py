"""All generated files of the shipped boards, and a check for outdated ones: pictures, pin tables as Markdown, parts lists.

A pin table has one line per wire, then the differences between Pis. A parts list has quantities, order terms, approximate prices: supplier-neutral, as CSV for a
spreadsheet.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from appliance.errors import State
from hardware.boards.board import Board, PinSpec, load_board, shipped_boards
from hardware.boards.hookup import LOGIC_COLOUR, Hookup, adaptors, hookups
from hardware.boards.parts import HEADER, ohms, parts
from hardware.boards.pis import Pi, display_port, load_pi, pi_ids
from hardware.electrics import check
from tools.wiring.picture import picture
from tools.wiring.placing import on_pads, variants
from tools.wiring.strip_picture import strip_picture

_HEAD = ("part", "value", "quantity", "unit", "order terms", "EUR each from", "EUR each to", "for")
_BLACK, _RED = "black", "red"


class _Need(Struct, frozen=True):
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
    """Yield wire and ground of a contact, wire and 5 V of a lamp, all three of a display.

    For a line of the bus, which goes to two modules: both wires, and the supply of one module, so that the two lines together have all.
    """
    length = each.spec.wire / 100
    if not length:
        return
    yield _Need("wire", each.colour, length * (2 if each.how == "bus" else 1), each.title)
    if each.how != "driven":
        yield _Need("wire", _BLACK, length, each.title)
    if each.how in ("driven", "serial"):
        yield _Need("wire", _RED, length, each.title)
    if each.how == "bus":
        yield _Need("wire", LOGIC_COLOUR, length, each.title)


def pin_table(board: Board) -> str:
    """Return the whole page."""
    return "\n".join(_page(board)) + "\n"


def _page(board: Board) -> Iterator[str]:
    yield from (
        f"# {board.title}",
        "",
        f"Made from `boards/shipped/{board.id}.toml` by `python -m tools.wiring`: change that file, not this one.",
        "",
    )
    for suffix, pis in variants(board).items():
        yield from (f"![Wiring of the {board.id} board, {_served(pis)}]({board.id}{suffix}.svg)", "")
    every = [load_pi(pi_id) for pi_id in pi_ids()]
    yield from ("## Wires", "")
    yield from _rows(("Hole", "GPIO", "What", "Ground", "Wire", "By way of", "Why there"), (_wire(each, every) for each in hookups(board)))
    yield from (
        "",
        "Hole is the header pin's number; Ground is the nearest ground hole: twist a black wire from there with the coloured one.",
        "",
        "## Strip board",
        "",
        f"![Strip board of the {board.id} board, from above, and its cuts from below]({board.id}-strips.svg)",
        "",
    )
    yield from ("## From Pi to Pi", "", _same(board), "")
    yield from _rows(("", *(pi.title for pi in every)), _facts(board, every))
    yield from ("", "## To know", "")
    yield from (f"- {line}" for line in _notes(board, every))


def _served(pis: tuple[Pi, ...]) -> str:
    return "any Pi with 40 pins" if len(pis) == len(pi_ids()) else _titles(pis)


def _titles(pis: Iterable[Pi]) -> str:
    return " and ".join(pi.title for pi in pis)


def _same(board: Board) -> str:
    if len(variants(board)) == 1:
        return "One picture fits all: the 40 holes, their voltages and their pulls at reset are the same on each."
    return "The 40 holes, their voltages and their pulls at reset are the same on each; the UARTs are not."


def _rows(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    cells = list(head)
    yield f"| {' | '.join(cells)} |"
    yield f"|{'|'.join('---' for _ in cells)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _wire(each: Hookup, every: list[Pi]) -> tuple[str, ...]:
    length = f", {each.spec.wire} cm" if each.spec.wire else ""
    note = f"{each.spec.note}; not on a {_titles(on_pads(every))}" if each.user == "power" else each.spec.note
    return str(each.hole), str(each.gpio), each.title, str(each.ground), each.colour + length, each.way, note


def _facts(board: Board, pis: list[Pi]) -> Iterator[tuple[str, ...]]:
    yield ("The chip of the pins", *(f"`{pi.chip}`" for pi in pis))
    yield ("The header", *(pi.header_note for pi in pis))
    yield ("The supply", *(pi.supply for pi in pis))
    yield ("A pin gives at most", *(f"{pi.pin_milliamps} mA" for pi in pis))
    if board.power is not None:
        yield ("The power button", *(pi.power_pads or f"hole {HEADER[board.power.gpio]}" for pi in pis))
    for name, display in board.displays.items():
        on_bus = f"I2C, `{display.port}`; `config.txt`: `{display.overlay}`" if display.sda is not None else ""
        yield (f"The {name} display", *(on_bus or _port(display_port(display, pi), pi, display.tx) for pi in pis))


def _port(device: str, pi: Pi, tx: int | None) -> str:
    uart = pi.uart(tx)
    if uart is None:
        return f"USB adaptor, `{device}`"
    return f"{uart.name} at `{device}`; `config.txt`: {', '.join(f'`{line}`' for line in uart.config)}; {uart.note}"


def _notes(board: Board, pis: list[Pi]) -> Iterator[str]:
    """Yield the check's findings, once if they are the same for every Pi."""
    pis_by_line: dict[str, list[str]] = {}
    for pi in pis:
        for finding in check(board, pi):
            if finding.state is not State.OK:
                pis_by_line.setdefault(f"{finding.name}: {finding.found}. {finding.fix}".rstrip(), []).append(pi.title)
    for line, titles in pis_by_line.items():
        yield line if len(titles) == len(pis) else f"{', '.join(titles)}: {line}"
    if not pis_by_line:
        yield "Nothing: the check finds no faults on any Pi."


def pages() -> Mapping[str, bytes]:
    """Return the bytes of every file by name."""
    made: dict[str, bytes] = {}
    for board in map(load_board, shipped_boards()):
        for suffix, pis in variants(board).items():
            made[f"{board.id}{suffix}.svg"] = picture(board, pis)
        made[f"{board.id}-strips.svg"] = strip_picture(board)
        made[f"{board.id}.md"] = pin_table(board).encode()
        made[f"{board.id}-bom.csv"] = parts_list(board).encode()
    return made


def out_of_date(made: Mapping[str, bytes], folder: Path) -> list[str]:
    """Return the names of files in ``folder`` that are missing, differ from ``made``, or belong to a removed board."""
    on_disk = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in {".svg", ".md", ".csv"}}
    return sorted(name for name in made.keys() | on_disk.keys() if made.get(name) != on_disk.get(name))
