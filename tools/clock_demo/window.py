"""The demo in a window, without a Pi; the scripted game where no window can be opened."""

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from appliance.clocks import Clocks
from appliance.errors import ScreenError
from appliance.process import termination_signals
from faults.errors import TileclockError, reason
from firmware.journal.recovery import crash_record_folder
from firmware.screens.screen import LEGEND
from firmware.settings import LAYERS, Settings, merge
from firmware.shell.assemble import assembled, setup_of
from records.journal import JOURNAL
from tools.clock_demo.headless import play
from tools.demo_folder import DemoError
from tools.windows import alone, desktop


def try_clock(output: Path, options: Mapping[str, object], journal: Path | None, allowed_ns: int | None, *, headless: bool) -> None:
    """Play in a window; without a screen, play the scripted game, which leaves its files in ``output``.

    Args:
        output: the folder for the scripted game.
        options: settings.
        journal: the file to continue; None: one that is deleted at the end.
        allowed_ns: each side's time in a window; None: the rulebook's.
        headless: play the scripted game even if there is a screen.

    Raises:
        DemoError: ``journal`` cannot be used.
    """
    if journal is not None:
        require_journal(journal)
    why = None if headless else _no_window(options, journal, allowed_ns)
    if headless or why is not None:
        if why is not None:
            click.echo(f"There is no screen here ({why}), so a scripted game runs without one.")
        _scripted(output, options)


def require_journal(path: Path) -> None:
    """Require that a demo can write its journal to ``path``: a demo renames no file and makes no folder.

    Raises:
        DemoError: it cannot.
    """
    there = path.exists()
    try:
        with path.open("ab"):
            pass
        why = JOURNAL.fault_of(path) if there else None
        if not there:
            path.unlink()
    except TileclockError as error:
        raise DemoError(where=path, expected=error.expected, found=error.found, remedy="Choose another with --journal") from error
    except (OSError, sqlite3.Error) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
    if why is not None:
        raise DemoError(
            where=path, expected="a journal, or a new file in a folder that exists", found=why, remedy="Choose another with --journal"
        )


def _no_window(options: Mapping[str, object], journal: Path | None, allowed_ns: int | None) -> str | None:
    """Play in a window; return why no window can be opened, or None after the game."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"

    opened: list[bool] = []
    try:
        _live(options, journal, allowed_ns, lambda: opened.append(True))
    except ScreenError as error:
        if opened:
            raise
        return str(error)
    return None


def _scripted(output: Path, options: Mapping[str, object]) -> None:
    play(output, setup_of(_settings(options)), click.echo)
    # In a checkout the command is beside its Python, and on no path.
    command = "tileclock" if shutil.which("tileclock") else Path(sys.executable).with_name("tileclock")
    click.echo(
        f"Pictures, transcript.txt and journal.db are in {output}/. Look into the journal: {command} journal show --journal {output}/journal.db"
    )


def _live(options: Mapping[str, object], journal: Path | None, allowed_ns: int | None, opened: Callable[[], None]) -> None:
    with tempfile.TemporaryDirectory(prefix="tileclock-demo-") as folder:
        path = journal or Path(folder) / "journal.db"
        width, height = alone(desktop())
        size = {"screen.width": width, "screen.height": height}
        window = {"screen.fullscreen": False, "journal.path": str(path)}
        settings, crash = _settings({**size, **options, **window}), crash_record_folder()
        with termination_signals() as asked, assembled(settings, Clocks(), crash=crash, allowed_ns=allowed_ns) as loop:
            opened()
            click.echo(f"Keys: {LEGEND}")
            click.echo("Mouse: click a half for that player's button, the strip between them for the bar.")
            asked(loop.leave, outlives_session=loop.plays_without_a_screen)
            loop.run()


def _settings(options: Mapping[str, object]) -> Settings:
    """Return the defaults with ``options``; the machine's own files do not apply to a demo."""
    return merge([LAYERS.given(options)]).settings
