"""The headless demo: scripted fingers on the real window under SDL's dummy driver leave pictures and a transcript.

Time is the script's. Window, layout, flow, lexicon, log and slip composition are the real ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from appliance.clocks import Clocks
from appliance.demo import DemoError, DemoFolder
from kiosk.demo.script import ScriptStep, TypedWords, steps, words_of
from kiosk.settings import Layered
from kiosk.shell.assemble import Overrides, assembled
from kiosk.shell.loop import Loop, StationMachine
from kiosk.texts import load_texts
from lexicon import Lexicon
from rules.duration import NS

if TYPE_CHECKING:
    from kiosk.screens.window import KioskWindow

SIZE: Final = (1024, 600)
BEGINS: Final = NS


@dataclass(slots=True)
class _Time:
    """The script's time."""

    now: int = BEGINS
    clocks: Clocks = field(init=False)

    def __post_init__(self) -> None:
        self.clocks = Clocks(lambda: self.now)


def play(folder: Path, layered: Layered, language: str | None, say: Callable[[str], None]) -> None:
    """Play the scripted challenges; write pictures and ``transcript.txt`` to ``folder``.

    Args:
        folder: the output folder; created if missing.
        layered: the station's settings.
        language: the players' choice; None: the station's own.
        say: takes each line of the transcript.

    Raises:
        DemoError: the folder cannot be created or written to, the station cannot judge, or the list has no words for the script.
        TextsError: the language does not exist.
    """
    load_texts(language or layered.settings.language)
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - reads SDL_VIDEODRIVER when it is opened

    output, time = DemoFolder(folder, say), _Time()
    window = KioskWindow(SIZE, "Tilekiosk", clocks=time.clocks)
    with assembled(layered, StationMachine(time.clocks), Overrides(screen=window)) as loop:
        loop.turn()
        _require_well(loop)
        for number, step in enumerate(steps(language, _words(Path(layered.settings.lexicon.path)))):
            _do(step, loop, window, time)
            _require_well(loop)
            if step.description:
                output.add(_line(step, loop, time))
            if step.picture is not None:
                output.picture(f"{number:02d}-{step.picture}", window.snapshot)
    output.write_transcript()


def _require_well(loop: Loop) -> None:
    """Raise if the station has a trouble, because no person can fix it here."""
    if (trouble := loop.station.flow.context.trouble) is not None:
        raise DemoError(expected="a station that judges", found=f"none: {trouble.what.problem}", remedy=trouble.what.remedy)


def _words(path: Path) -> TypedWords:
    with Lexicon.open(path) as lexicon:
        words = words_of(lexicon)
    if words is None:
        raise DemoError(
            where=path, expected="words to play a challenge with", found="too few", remedy="Name another list, or leave --lexicon out"
        )
    return words


def _do(step: ScriptStep, loop: Loop, window: KioskWindow, time: _Time) -> None:
    from kiosk.demo.fingers import DemoFinger  # noqa: PLC0415 - pygame, likewise

    time.now += step.ns
    loop.turn()
    if step.target is not None:
        DemoFinger(window).tap(step.target)
        loop.turn()


def _line(step: ScriptStep, loop: Loop, time: _Time) -> str:
    minutes, seconds = divmod((time.now - BEGINS) // NS, 60)
    page = loop.page
    parts = () if page is None else (page.title, page.banner.text if page.banner else None, *page.lines, page.aside, page.notice)
    return f"{minutes}:{seconds:02d}  {step.description:55}  {' · '.join(part for part in parts if part)}"
