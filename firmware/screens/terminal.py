"""The face in a terminal or an ssh session, drawn with rich and played with the terminal's keyboard.

The picture is two panels with numerals of five rows of blocks, and below them the information for both players.

A terminal reports no key-up, so a key is a press with its release: a ``Tap`` with the time it was held. A small letter is a short press, the capital
a long one. A special key sends several characters, which may arrive in two reads: an incomplete key is carried over to the next.
"""

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import IO, Any, Final

from msgspec import Struct
from rich.align import Align
from rich.box import DOUBLE, HEAVY, ROUNDED
from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from appliance.display.screen import lost
from appliance.errors import ScreenError
from appliance.process import SERVICE
from appliance.program import Wakeup
from firmware.face.value import FILL_STEPS, Face, FillFace, HalfFace, MenuFace, MessageTone, WindowFace
from firmware.screens.page_layout import visible_lines
from firmware.screens.screen import ButtonEdge, Quit, ScreenInput, Tap

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


def picture(face: Face, legend: str = "", rows: int | None = None) -> Group:
    """Return the whole picture; ``legend`` explains the keys, ``rows`` is the number of menu rows that fit (None: all)."""
    below: list[RenderableType] = [*map(_fill, face.fills)]
    if face.menu is not None:
        below.append(_menu(face.menu, rows))
    elif face.halves.left.page is not None and face.halves.right.page is not None:
        below.append(_side_by_side(_menu(face.halves.left.page, rows), _menu(face.halves.right.page, rows)))
    else:
        below += _info(face)
    notices = [Text(f" ! {notice} ", style="bold black on yellow") for notice in face.notices]
    called = [Align.center(Text(f"  {face.called}  ", style="bold black on yellow"))] if face.called else []
    hint = Text(face.hint, style="bold yellow") if face.hint else Text(face.rulebook, style="dim")
    return Group(
        *called, *notices, _side_by_side(*(_half(half) for _, half in face.halves.items())), *below, hint, Text(legend, style="dim")
    )


def _fill(fill: FillFace) -> Text:
    full = fill.done * FILL_CELLS // FILL_STEPS
    words = "  ".join(filter(None, (fill.let_go, fill.hold_on)))
    return Text.assemble(("█" * full + "░" * (FILL_CELLS - full), "yellow"), (f"  {words}", "bold"))


def _side_by_side(*parts: Panel) -> Table:
    table = Table.grid(expand=True)
    for _ in parts:
        table.add_column(ratio=1)
    table.add_row(*parts)
    return table


def _half(half: HalfFace) -> Panel:
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
    return [
        *([Align.center(Text(face.banner, style="bold yellow"))] if face.banner else []),
        *(Align.center(Text(line)) for line in face.details),
        *([] if face.window is None else [_window(face.window)]),
    ]


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
    if menu.digit is not None:
        lines.insert(
            0, Text(" ".join(f"[{each}]" if place == menu.digit else each for place, each in enumerate(menu.figures[0])), style="bold")
        )
    return Panel(
        Group(*lines, *rows, Text(f"{menu.hint}  {menu.place}".rstrip(), style="dim")), title=menu.title, box=HEAVY, border_style="yellow"
    )


def _menu_row(menu: MenuFace, index: int, more: str) -> Text:
    chosen = index == menu.chosen
    style = " ".join(style for style, applies in (("reverse", chosen), ("dim", index in menu.grey)) if applies)
    return Text(f"{'▶' if chosen else ' '} {menu.rows[index]}{more}", style=style, no_wrap=True, overflow="ellipsis")


def _more(index: int, shown: Sequence[int], count: int) -> str:
    above, below = index == shown[0] > 0, index == shown[-1] < count - 1
    return f"  {'↑' if above else ''}{'↓' if below else ''}" if above or below else ""


SHORT_NS: Final = 80_000_000
LONG_NS: Final = 1_200_000_000
"""Longer than the second that a held press takes."""
CALL_NS: Final = 2_200_000_000
"""Longer than the two seconds that the bar's call takes."""
_TAPS: Final[dict[str, Tap]] = {
    "a": Tap("left", SHORT_NS),
    "A": Tap("left", LONG_NS),
    "l": Tap("right", SHORT_NS),
    "L": Tap("right", LONG_NS),
    " ": Tap("centre", SHORT_NS),
    "b": Tap("centre", LONG_NS),
    "B": Tap("centre", CALL_NS),
    "\r": Tap("ok", SHORT_NS),
    "\n": Tap("ok", SHORT_NS),
    "\x1b[A": Tap("up", SHORT_NS),
    "\x1b[B": Tap("down", SHORT_NS),
    "\x1bOA": Tap("up", SHORT_NS),
    "\x1bOB": Tap("down", SHORT_NS),
}
_PARAMETERS: Final = "[0-9:;<=>?]*"
# A function key of the Linux console (ESC [ [ A), a control sequence (ECMA-48, 5.4) or a key of the application keypad (ESC O A), ended by any
# character that is no parameter (in rxvt also by a $); and a key pressed with Alt.
_WHOLE: Final = re.compile(rf"\x1b(?:\[\[[!-~]|\[{_PARAMETERS}[!-/@-Z\\-~]|O{_PARAMETERS}[!-/@-~]|[^\x1b\[O])", re.DOTALL)
_BEGUN: Final = re.compile(rf"\x1b(?:\[\[|[\[O]{_PARAMETERS})?\Z")
_ANY: Final = re.compile(rf"\x1b(?:\[\[|[\[O]{_PARAMETERS})?|.", re.DOTALL)
PASTES: Final = "\x1b[200~"
"""The start of pasted text from a terminal with ``MARK_PASTES``; ``PASTED`` ends it."""
PASTED: Final = "\x1b[201~"
MARK_PASTES: Final = ("\x1b[?2004h", "\x1b[?2004l")


class KeyParser(Struct, frozen=True):
    key_on: bool = False
    rest: str = ""
    """The beginning of an incomplete key."""
    pastes: bool = False
    """The input is pasted, and presses nothing."""


def typed(parser: KeyParser, text: str) -> tuple[tuple[ScreenInput, ...], KeyParser]:
    """Return the inputs for ``text`` and the next state. Unknown keys, Escape among them, press nothing; q quits."""
    # After a lone Escape from an earlier read, the next key is not one pressed with Alt.
    alone = parser.rest == "\x1b" and not text.startswith(("[", "O"))
    text, key_on, pastes = text if text and alone else parser.rest + text, parser.key_on, parser.pastes
    inputs: list[ScreenInput] = []
    while text and not _BEGUN.match(text):
        stroke, text = _first(text)
        if stroke in (PASTES, PASTED) or pastes:
            pastes = stroke == PASTES or (pastes and stroke != PASTED)
        elif stroke == "q":
            inputs.append(Quit())
        elif stroke == "k":
            key_on = not key_on
            inputs.append(ButtonEdge("key", down=key_on))
        elif stroke in _TAPS:
            inputs.append(_TAPS[stroke])
    return tuple(inputs), KeyParser(key_on, text, pastes)


def _first(text: str) -> tuple[str, str]:
    """Return the first key of ``text``, and the rest. A broken sequence is a key of its own; the character that broke it counts again."""
    found = _WHOLE.match(text) or _ANY.match(text)
    end = found.end() if found else 1
    return text[:end], text[end:]


CHUNK = 1024
TERMINAL = "the terminal"


class _Page(Console):
    """A console that survives a closed terminal; rich would exit the program."""

    def on_broken_pipe(self) -> None:
        raise ScreenError(expected="an open terminal", found="a closed one: start again in another")


class TerminalScreen:
    """One screen in one terminal. If the output is no terminal, pictures follow one another; if the input is none, nothing can be pressed."""

    blocks = True

    def __init__(self, console: Console | None = None, keyboard: IO[Any] | None = None, legend: str = "") -> None:
        """Draw on ``console``, read keys from ``keyboard``; ``legend`` explains the keys. Raises ScreenError: the terminal is closed."""
        self._keyboard = _tty_of(sys.stdin if keyboard is None else keyboard)
        self._console = console or _Page(file=_console_of(self._keyboard))
        self._legend = legend
        self._alarm = Wakeup()
        self._shown: tuple[Face, tuple[int, int]] | None = None
        self.drawn = 0
        self._typist = KeyParser()
        self._ended = False
        self._open = True
        with lost(TERMINAL, termios.error):
            self._before = None if self._keyboard is None else termios.tcgetattr(self._keyboard)
            self._begin()

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether a picture was needed, because the face or the terminal's size has changed. Raises ScreenError: the terminal is closed."""
        wanted = (face, tuple(self._console.size))
        if wanted == self._shown or not self._open:
            return False
        self._shown = (face, (self._console.width, self._console.height))
        with lost(TERMINAL):
            self._print(face)
        self.drawn += 1
        return True

    def warm(self, faces: Iterable[Face]) -> None:
        """Do nothing: a terminal needs no preparation."""

    def poll(self) -> list[ScreenInput]:
        """Return the keys since the last call without waiting; the end of the input gives ``Quit``, once. Raises ScreenError: closed, or still at its end."""
        if not self._open or self._keyboard is None:
            return []
        with lost(TERMINAL):
            if not select.select([self._keyboard], [], [], 0)[0]:
                return []
            text = os.read(self._keyboard, CHUNK)
            if not text:
                return self._end()
        inputs, self._typist = typed(self._typist, text.decode("latin-1"))
        return list(inputs)

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until a key, ``wake``, or ``timeout_ms``; None: no limit. Raises ScreenError: the terminal is closed."""
        with lost(TERMINAL):
            self._alarm.sleep([] if self._keyboard is None else [self._keyboard], timeout_ms)

    def wake(self) -> None:
        """End this ``wait`` or the next; callable from any thread, harmless after ``close``."""
        self._alarm.wake()

    def close(self) -> None:
        """Restore the terminal if it is still open. Calling it twice is harmless."""
        if not self._open:
            return
        self._open = False
        if self._keyboard is not None and self._before is not None:
            with suppress(termios.error, OSError):
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._before)
        if self._console.is_terminal:
            with suppress(OSError):
                self._send(MARK_PASTES[1])
                self._console.set_alt_screen(False)
                self._console.show_cursor(True)
        self._alarm.close()

    def _begin(self) -> None:
        if self._keyboard is not None:
            tty.setcbreak(self._keyboard)
        if self._console.is_terminal:
            self._console.set_alt_screen(True)
            self._console.show_cursor(False)
            self._send(MARK_PASTES[0])

    def _send(self, words: str) -> None:
        self._console.file.write(words)
        self._console.file.flush()

    def _end(self) -> list[ScreenInput]:
        """Return Quit at the end of the input, which is then always readable; raise if the game goes on with it."""
        if self._ended:
            raise ScreenError(expected="a terminal to type on", found="the end of its input: start again in another")
        self._ended = True
        return [Quit()]

    def _print(self, face: Face) -> None:
        legend = self._legend if self._keyboard is not None else ""
        if self._console.is_alt_screen:
            # A menu longer than the rest of the page scrolls.
            taken = len(self._console.render_lines(picture(face, legend, rows=0)))
            self._console.control(Control.home())
            self._console.update_screen(picture(face, legend, rows=max(1, self._console.height - taken)))
        else:
            self._console.print(picture(face, legend))


def _tty_of(keyboard: IO[Any]) -> int | None:
    return keyboard.fileno() if not keyboard.closed and keyboard.isatty() else None


def _console_of(keyboard: int | None) -> IO[str] | None:
    """Return the console that a service's keys come from, since its standard output is the journal; None: standard output."""
    return None if keyboard is None or SERVICE not in os.environ else os.fdopen(os.dup(keyboard), "w", encoding="utf-8")
