"""A face for rich: two panels with numerals of five rows of blocks, and below them the information for both players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.align import Align
from rich.box import DOUBLE, HEAVY, ROUNDED
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware.face.value import FILL_STEPS, Face, FillFace, HalfFace, MenuFace, MessageTone, WindowFace
from firmware.screens.page_layout import visible_lines

ROWS: Final = 5
_DRAWN: Final = {
    "0": ("▄▀▀▀▄", "█   █", "█   █", "█   █", "▀▄▄▄▀"),
    "1": ("  ▄█ ", " ▀ █ ", "   █ ", "   █ ", "  ▄█▄"),
    "2": ("▄▀▀▀▄", "    █", "  ▄▀ ", "▄▀   ", "█▄▄▄▄"),
    "3": ("▄▀▀▀▄", "    █", "  ▀▀▄", "    █", "▀▄▄▄▀"),
    "4": ("▄   █", "█   █", "▀▀▀▀█", "    █", "    █"),
    "5": ("█▀▀▀▀", "█    ", "▀▀▀▀▄", "    █", "▀▄▄▄▀"),
    "6": ("▄▀▀▀▄", "█    ", "█▀▀▀▄", "█   █", "▀▄▄▄▀"),
    "7": ("▀▀▀▀█", "   ▄▀", "  ▄▀ ", "  █  ", "  █  "),
    "8": ("▄▀▀▀▄", "█   █", "▄▀▀▀▄", "█   █", "▀▄▄▄▀"),
    "9": ("▄▀▀▀▄", "█   █", "▀▄▄▄█", "    █", "▀▄▄▄▀"),
    ":": (" ", "▄", " ", "▄", " "),
    "-": ("   ", "   ", "▀▀▀", "   ", "   "),
}


def block_rows(reading: str) -> tuple[str, ...]:
    """Return a reading (``24:59``, ``-0:07``) as rows of blocks, all equally long. Raises KeyError: a character that is neither a digit, a colon nor a minus."""
    return tuple(" ".join(_DRAWN[character][row] for character in reading) for row in range(ROWS))


_TONES: Final = {MessageTone.QUIET: "dim", MessageTone.INSTRUCTS: "", MessageTone.ANSWERS: "bold black on yellow"}
FILL_CELLS: Final = 24
"""The length of a fill, in characters."""


def picture(face: Face, legend: str = "", rows: int | None = None) -> Group:
    """Return the whole picture; ``legend`` explains the keys, ``rows`` is the number of menu rows that fit (None: all)."""
    below: list[RenderableType] = [*map(_fill, face.fills)]
    if face.menu is not None:
        below.append(_menu(face.menu, rows))
    elif face.halves.left.page is not None and face.halves.right.page is not None:
        below.append(_pages(face.halves.left.page, face.halves.right.page, rows))
    else:
        below += _info(face)
    notices = [Text(f" ! {notice} ", style="bold black on yellow") for notice in face.notices]
    called = [Align.center(Text(f"  {face.called}  ", style="bold black on yellow"))] if face.called else []
    hint = Text(face.hint, style="bold yellow") if face.hint else Text(face.rulebook, style="dim")
    return Group(*called, *notices, _halves(face), *below, hint, Text(legend, style="dim"))


def _fill(fill: FillFace) -> Text:
    """Return a held press as a bar of a fixed length with its words."""
    full = fill.done * FILL_CELLS // FILL_STEPS
    words = "  ".join(filter(None, (fill.let_go, fill.hold_on)))
    return Text.assemble(("█" * full + "░" * (FILL_CELLS - full), "yellow"), (f"  {words}", "bold"))


def _pages(left: MenuFace, right: MenuFace, rows: int | None) -> Table:
    """Return the table menu for each reader, under that half."""
    table = Table.grid(expand=True)
    for _ in range(2):
        table.add_column(ratio=1)
    table.add_row(_menu(left, rows), _menu(right, rows))
    return table


def _halves(face: Face) -> Table:
    table = Table.grid(expand=True)
    for _ in range(2):
        table.add_column(ratio=1)
    table.add_row(*(_half(half) for _, half in face.halves.items()))
    return table


def _half(half: HalfFace) -> Panel:
    """Return a half: the running clock has a heavy frame, a triangle and inverted digits; the other is thin."""
    colour = "red" if half.overtime else "white"
    style = f"bold black on {colour}" if half.runs else f"bold {colour}" if half.low else colour
    digits = Text("\n".join(f" {row} " for row in block_rows(half.reading)), style=style, no_wrap=True)
    lines = (
        Text(f"{'▶ ' if half.runs else ''}{half.status}", style="bold"),
        digits,
        Text("  ".join(half.marks), style=f"bold {colour}"),
        Text(half.prompt, style=_TONES[half.tone]),
    )
    name = f"{half.name} {half.reading}"
    return Panel(
        Group(*(Align.center(line) for line in lines)),
        title=name,
        # Under one minute the frame differs too.
        box=DOUBLE if half.low else HEAVY if half.runs else ROUNDED,
        border_style=style if half.runs or half.low else "dim",
    )


def _info(face: Face) -> list[RenderableType]:
    lines: list[RenderableType] = []
    if face.banner:
        lines.append(Align.center(Text(face.banner, style="bold yellow")))
    lines += [Align.center(Text(line)) for line in face.details]
    if face.window is not None:
        lines.append(_window(face.window))
    return lines


def _window(window: WindowFace) -> Align:
    words = Text.assemble((f"{window.title}  {window.reading}", "bold"), f"  {window.text}")
    return Align.center(
        Panel(words, box=ROUNDED if window.expired else HEAVY, border_style="dim" if window.expired else "yellow", expand=False)
    )


def _menu(menu: MenuFace, room: int | None) -> Panel:
    count = len(menu.rows)
    visible = visible_lines(menu, (1,) * count, 1, 2 * count if room is None else room)
    shown = [line for line in visible if isinstance(line, int)]
    rows = (
        Text(line, style="bold yellow") if isinstance(line, str) else _menu_row(menu, line, _more(line, shown, count)) for line in visible
    )
    lines = [Text(line, style="yellow") for line in menu.lines]
    if menu.sentence:
        lines.insert(0, Text(menu.sentence, style="bold"))
    return Panel(
        Group(*lines, *rows, Text(f"{menu.hint}  {menu.place}".rstrip(), style="dim")), title=menu.title, box=HEAVY, border_style="yellow"
    )


def _menu_row(menu: MenuFace, index: int, more: str) -> Text:
    chosen = index == menu.chosen
    style = " ".join(style for style, applies in (("reverse", chosen), ("dim", index in menu.grey)) if applies)
    return Text(f"{'▶' if chosen else ' '} {menu.rows[index]}{more}", style=style, no_wrap=True, overflow="ellipsis")


def _more(index: int, shown: Sequence[int], count: int) -> str:
    """Return an arrow for the first and the last row if more rows follow."""
    above, below = index == shown[0] > 0, index == shown[-1] < count - 1
    return f"  {'↑' if above else ''}{'↓' if below else ''}" if above or below else ""
