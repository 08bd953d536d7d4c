"""Raspberry Pi OS's boot files, ``config.txt`` and ``cmdline.txt``, for a board on a Pi: what they need, and the verb ``boot-files`` that writes it.

Our lines stand between two marks, and every run replaces them: running it again changes nothing, and another board leaves nothing of the first. Lines that the file
already has outside the marks, valid for every Pi, are not repeated: an overlay loaded twice fails. The files as they were are kept once, as ``config.before`` and
``cmdline.before``.
"""

import difflib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from appliance.errors import MachineError
from appliance.records.files import write_whole
from faults.errors import TileclockError, reason
from faults.small_file import read_small
from hardware.boards.board import Board
from hardware.boards.pis import Pi, Uart

_HERE: Final = Path(__file__).with_name("boot")
BEGIN: Final = "# tileclock: begin. Written by `boot-files`, which replaces all up to the end."
END: Final = "# tileclock: end"
_CONSOLE: Final = "console=tty1"
_SERIAL_CONSOLES: Final = ("console=serial0,", "console=ttyAMA0,", "console=ttyS0,")
_PUBLIC: Final = 0o755
"""FAT has no permissions; this is what the others there show."""


def config_lines(board: Board, pi: Pi) -> tuple[str, ...]:
    """Return the lines of ``config.txt``: quiet start, watchdog, panel, and what this board hangs on this Pi."""
    lines = (_HERE / "config.txt").read_text(encoding="utf-8").splitlines()
    if board.power is not None and not pi.power_pads:
        lines += [
            "# The power button: held for 5 s it switches off, and a press starts a Pi that is off.",
            f"dtoverlay=gpio-shutdown,gpio_pin={board.power.gpio},active_low=1,gpio_pull=up",
        ]
    displays = [line for uart in _uarts(board, pi) for line in uart.config]
    displays += [display.overlay for display in board.displays.values() if display.sda is not None]
    return (*lines, *(["# The LED displays."] if displays else []), *dict.fromkeys(displays))


def _uarts(board: Board, pi: Pi) -> Iterator[Uart]:
    yield from (uart for display in board.displays.values() if (uart := pi.uart(display.tx)) is not None)


def config_text(before: str, lines: tuple[str, ...]) -> str:
    """Return ``config.txt`` with ``lines`` between our marks at its end. Raises MachineError: a mark is there without the other."""
    kept = _without_ours(before.splitlines())
    valid, ours = set(_for_all(kept)), list[str]()
    for line in lines:
        if line not in valid:
            ours.append(line)
        elif ours and ours[-1].startswith("#"):
            del ours[-1]  # what it explains stands elsewhere
    return "\n".join([*kept, BEGIN, "[all]", *ours, END]) + "\n"


def _without_ours(lines: list[str]) -> list[str]:
    begins, ends = ([at for at, line in enumerate(lines) if line == mark] for mark in (BEGIN, END))
    if not begins and not ends:
        return lines
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise MachineError(
            where="config.txt",
            expected="one line of ours that begins and one that ends",
            found=f"{len(begins)} and {len(ends)}",
            remedy="Restore config.before as config.txt, and run this again",
        )
    return lines[: begins[0]] + lines[ends[0] + 1 :]


def _for_all(lines: list[str]) -> Iterator[str]:
    """Yield the lines that are valid for every Pi: outside of filters such as ``[cm4]``."""
    everywhere = True
    for line in lines:
        if line.startswith("["):
            everywhere = line.strip() == "[all]"
        elif everywhere:
            yield line.strip()


def cmdline_text(before: str, board: Board, pi: Pi) -> str:
    """Return ``cmdline.txt`` with the words of a quiet start, without consoles on the panel and a display's port. Raises MachineError: it is not one line."""
    lines = [line for line in before.splitlines() if line.strip()]
    if len(lines) != 1:
        raise MachineError(
            where="cmdline.txt", expected="one line", found=f"{len(lines)} lines", remedy="Restore cmdline.before, and run this again"
        )
    # The console uses a UART of this kind unless cmdline.txt says otherwise.
    serial = any("enable_uart=1" in uart.config for uart in _uarts(board, pi))
    away = (_CONSOLE, *(_SERIAL_CONSOLES if serial else ()))
    words = [word for word in lines[0].split() if not word.startswith(away)]
    words += [word for word in (_HERE / "cmdline.txt").read_text(encoding="utf-8").split() if word not in words]
    return " ".join(words) + "\n"


def _text(path: Path) -> str:
    content = read_small(path)
    if b"\0" in content:
        remedy = f"Restore {path.with_suffix('.before').name}, or write the card again"
        raise MachineError(where=path, expected="a text", found="zeros, as a power cut leaves them", remedy=remedy)
    return content.decode()


def write_boot_files(folder: Path, board: Board, pi: Pi) -> Iterator[str]:
    """Write both files, and yield what changed; a file that is right is not touched. Raises MachineError: a file is missing, unusable, or cannot be written."""
    makers: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("config.txt", lambda before: config_text(before, config_lines(board, pi))),
        ("cmdline.txt", lambda before: cmdline_text(before, board, pi)),
    )
    try:
        made = [(folder / name, _text(folder / name), make) for name, make in makers]
        # Both are computed before either is written.
        for path, before, after in [(path, before, make(before)) for path, before, make in made]:
            if before == after:
                yield f"{path}: nothing to change"
                continue
            kept = path.with_suffix(".before")
            if not kept.exists():
                write_whole(kept, before.encode(), _PUBLIC)
            write_whole(path, after.encode(), _PUBLIC)
            yield f"{path}: changed; as it was first: {kept}"
            # Not `ndiff`, which takes hours for a long line.
            changes = islice(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0), 2, None)
            yield from (f"{line[0]} {line[1:]}" for line in changes if line[0] in "+-")
    except (OSError, UnicodeDecodeError) as why:
        if isinstance(why, TileclockError):
            raise
        raise MachineError(
            where=folder,
            expected="Raspberry Pi OS's config.txt and cmdline.txt, which this user may write",
            found=reason(why) if isinstance(why, OSError) else "a file that is not UTF-8",
            remedy="Run it with sudo; the card image needs none of this",
        ) from why
