"""The demo in a window, alone or beside the clock's; the scripted challenges where no window can be opened."""

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

import click

from appliance.clocks import Clocks
from appliance.display.layout import Box
from appliance.errors import ScreenError
from appliance.lock import hashed
from appliance.process import termination_signals
from appliance.program import Inbox
from appliance.settings import OPTIONS
from kiosk.settings import Layered, merge
from kiosk.shell.assemble import assembled
from kiosk.shell.threads import EndProgram, Input
from lexicon.practice import PRACTICE
from tools.station_demo.beside import Beside, clock, play_scripted
from tools.station_demo.headless import SIZE, play
from tools.windows import POSITION, alone, desktop, pair, position

_BY_SIGNAL: Final = "by a signal"
_STATION: Final = "station"
"""The folder of the station's own pictures if the clock's are beside them."""


def try_station(output: Path, chosen: Mapping[str, str | None], *, beside: bool, headless: bool) -> None:
    """Run the station in a window; without a screen, play the scripted challenges, which leave their files in ``output``.

    Args:
        output: the folder for the scripted challenges.
        chosen: the language, the rulebook, the lexicon's file and the log's; None: the defaults.
        beside: run the clock's demo too.
        headless: play the scripted challenges even if there is a screen.
    """
    why = None if headless else _no_window(chosen, beside=beside)
    if headless or why is not None:
        if why is not None:
            click.echo(f"There is no screen here ({why}), so scripted challenges run without one.")
        _scripted(output, chosen, beside=beside)


def _no_window(chosen: Mapping[str, str | None], *, beside: bool) -> str | None:
    """Run in a window; return why no window can be opened, or None after the run."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"

    opened: list[bool] = []
    try:
        _live(chosen, lambda: opened.append(True), beside=beside)
    except ScreenError as error:
        if opened:
            raise
        return str(error)
    return None


def _scripted(output: Path, chosen: Mapping[str, str | None], *, beside: bool) -> None:
    if beside and (code := play_scripted([*_of_both(chosen), "--headless", "--output", str(output)])) != 0:
        raise SystemExit(code)
    folder = output / _STATION if beside else output
    with demo_settings({**chosen, "language": None}, hashed("2468"), SIZE) as layered:
        play(folder, layered, chosen["language"], click.echo)
    click.echo(f"The station's pictures and transcript.txt are in {folder}/.")


def _live(chosen: Mapping[str, str | None], opened: Callable[[], None], *, beside: bool) -> None:
    pin = f"{secrets.randbelow(10_000):04d}"
    inbox: Inbox[Input] = Inbox()
    # Start the clock before signals are blocked, because it would inherit that; start threads only afterwards.
    screen = desktop()
    first, second = pair(screen)
    with _clock(chosen, first, second) if beside else nullcontext() as other:
        with (
            demo_settings(chosen, hashed(pin), (second.width, second.height) if beside else alone(screen)) as layered,
            termination_signals() as asked,
            assembled(layered, Clocks(), inbox=inbox) as loop,
        ):
            opened()
            asked(lambda: inbox.put(EndProgram(_BY_SIGNAL)), outlives_session=False)
            click.echo(
                "Touch or click what the screen shows, or type: Return goes on, TAB is the challenged player's key, Escape goes back."
            )
            click.echo(f"The director's door is the lock in the corner (F12); the PIN is {pin}.")
            loop.run()
        if other is not None and loop.why != _BY_SIGNAL:
            # The window that was closed is the station's: the game on the clock goes on.
            other.wait()


@contextmanager
def _clock(chosen: Mapping[str, str | None], first: Box, second: Box) -> Iterator[Beside]:
    os.environ[POSITION] = position(second.x, second.y)
    with clock([*_of_both(chosen), f"--size={first.width}x{first.height}"], {POSITION: position(first.x, first.y)}) as other:
        yield other


def _of_both(chosen: Mapping[str, str | None]) -> list[str]:
    """Return the options that the clock shares: one table has one language and one rulebook."""
    return [f"--{name}={value}" for name in ("language", "rulebook") if (value := chosen[name]) is not None]


@contextmanager
def demo_settings(chosen: Mapping[str, str | None], pin: str, size: tuple[int, int]) -> Iterator[Layered]:
    """Yield the defaults with the options; the machine's own files do not apply to a demo."""
    with tempfile.TemporaryDirectory(prefix="tilekiosk-demo-") as folder:
        options = {
            "door.pin": pin,
            "lexicon.path": chosen["lexicon"] or str(PRACTICE),
            "lexicon.folder": str(PRACTICE.parent),
            "log.path": chosen["log"] or f"{folder}/station.db",
            "log.export": folder,
            "screen.fullscreen": False,
            "screen.width": size[0],
            "screen.height": size[1],
            "language": chosen["language"],
            "rulebook": chosen["rulebook"],
        }
        yield merge([(OPTIONS, {key: value for key, value in options.items() if value is not None})])
