"""A board's pin table as Markdown: one line per wire, then the differences between Pis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from appliance.checks.finding import State
from hardware.boards.board import Board
from hardware.boards.hookup import Hookup, hookups
from hardware.boards.pis import Pi, display_port, load_pi, pi_ids
from hardware.electrics import check
from hardware.wiring.variants import variants


def pin_table(board: Board) -> str:
    """Return the whole page."""
    return "\n".join(_page(board)) + "\n"


def _page(board: Board) -> Iterator[str]:
    yield from (
        f"# {board.title}",
        "",
        f"Made from `boards/shipped/{board.id}.toml` by `python -m hardware.wiring`: change that file, not this one.",
        "",
    )
    for suffix, pis in variants(board).items():
        yield from (f"![Wiring of the {board.id} board, {_served(pis)}]({board.id}{suffix}.svg)", "")
    yield from ("## Wires", "")
    yield from _rows(("Hole", "GPIO", "What", "Ground", "Wire", "By way of", "Why there"), (_wire(each) for each in hookups(board)))
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
    every = [load_pi(pi_id) for pi_id in pi_ids()]
    yield from _rows(("", *(pi.title for pi in every)), _facts(board, every))
    yield from ("", "## To know", "")
    yield from (f"- {line}" for line in _notes(board, every))


def _served(pis: tuple[Pi, ...]) -> str:
    return "any Pi with 40 pins" if len(pis) == len(pi_ids()) else " and ".join(pi.title for pi in pis)


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


def _wire(each: Hookup) -> tuple[str, ...]:
    length = f", {each.spec.wire} cm" if each.spec.wire else ""
    return str(each.hole), str(each.gpio), each.title, str(each.ground), each.colour + length, each.way, each.spec.note


def _facts(board: Board, pis: list[Pi]) -> Iterator[tuple[str, ...]]:
    yield ("The chip of the pins", *(f"`{pi.chip}`" for pi in pis))
    yield ("The header", *(pi.header_note for pi in pis))
    yield ("The supply", *(pi.supply for pi in pis))
    yield ("A pin gives at most", *(f"{pi.pin_milliamps} mA" for pi in pis))
    for name, display in board.displays.items():
        yield (f"The {name} display", *(_port(display_port(display, pi), pi, display.tx) for pi in pis))


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
