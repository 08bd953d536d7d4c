"""A board in the terminal: the header hole by hole, the wiring list, and the findings of the electrical check."""

from collections.abc import Iterator
from typing import Any, Final

from appliance.errors import Finding, State, lines, printed
from hardware.boards.board import Appliance, Board, load_board
from hardware.boards.hookup import Hookup, Supply, adaptors, hookups, supplies
from hardware.boards.parts import on_hole
from hardware.boards.pis import Pi, display_port, load_pi, this_pi
from hardware.electrics import check

_USUAL: Final = "4"
_STYLES: Final = {
    "blue": "bright_blue",
    "green": "green",
    "yellow": "yellow",
    "orange": "dark_orange",
    "brown": "orange4",
    "violet": "magenta",
    "grey": "bright_black",
    "pink": "hot_pink",
    "turquoise": "cyan",
    "white": "white",
    "cream": "wheat1",
    "GND": "reverse",
    "5 V": "bold red",
    "3.3 V": "red",
}


def report(board_name: str, pi_id: str | None, appliance: Appliance) -> tuple[tuple[str, ...], bool]:
    """Return the lines to print, and whether nothing failed; ``pi_id`` None: this machine, or a Pi 4 with a note. Raises BoardError, PiUnknown."""
    here = this_pi() if pi_id is None else load_pi(pi_id)
    pi = here or load_pi(_USUAL)
    board = load_board(board_name, appliance)
    findings = tuple(check(board, pi))
    assumed = () if here else (f"This is not a known Pi: checked for a {pi.title}. Name another with --pi.", "")
    return (*assumed, *pinout(board, pi, findings)), all(finding.state is not State.FAIL for finding in findings)


def pinout(board: Board, pi: Pi, findings: tuple[Finding, ...]) -> Iterator[str]:
    there = hookups(board, pi)
    yield f"{board.title}, on a {pi.title}"
    yield ""
    yield from printed(_header({each.hole: each for each in there}))
    yield ""
    yield from printed(_wires(there, tuple(supplies(board, pi))))
    for name, display in adaptors(board, pi):
        yield f"{name} display: on a USB adaptor at {display_port(display, pi)}, not on the header"
    if board.power is not None and pi.power_pads:
        yield f"power button: on {pi.power_pads}, not on the header"
    yield ""
    yield from lines(findings)


def _header(used: dict[int, Hookup]) -> Any:
    from rich.table import Table  # noqa: PLC0415 - likewise

    table = Table(box=None, pad_edge=False, show_header=False)
    for justify in ("right", "right", "right", "left", "left", "left"):
        table.add_column(justify=justify, overflow="fold")
    for odd in range(1, 41, 2):
        table.add_row(*_hole(odd, used.get(odd)), *reversed(_hole(odd + 1, used.get(odd + 1))))
    return table


def _hole(hole: int, hookup: Hookup | None) -> tuple[Any, Any, Any]:
    """Return connection, function and number of a hole, from outside in."""
    from rich.text import Text  # noqa: PLC0415 - likewise

    name = on_hole(hole)
    style = _STYLES[hookup.colour] if hookup else _STYLES.get(name, "dim")
    return Text(f"{hookup.title}, {hookup.colour}" if hookup else "", style), Text(name, style), Text(f"{hole:2}", style)


def _wires(there: tuple[Hookup, ...], fed: tuple[Supply, ...]) -> Any:
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("what", "hole", "ground", "wire", "by way of"):
        table.add_column(head, overflow="fold", justify="right" if head in {"hole", "ground"} else "left")
    for each in there:
        length = f"{each.spec.wire} cm" if each.spec.wire else ""
        table.add_row(
            Text(each.title, _STYLES[each.colour]), str(each.hole), str(each.ground), f"{each.colour} {length}".rstrip(), Text(each.way)
        )
    for supply in fed:
        table.add_row(Text(supply.volts, _STYLES[supply.volts]), str(supply.hole), "", supply.colour, Text(supply.way))
    return table
