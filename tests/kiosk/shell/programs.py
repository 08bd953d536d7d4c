"""The station as a program of its own."""

import sys
from functools import partial
from pathlib import Path

from tests import processes
from tests.kiosk.lexicons.files import made

TILEKIOSK = (sys.executable, "-m", "kiosk.cli")
running = partial(processes.running, TILEKIOSK)
ready = partial(processes.ready, (*TILEKIOSK, "run"))


def options(folder: Path, *more: str) -> tuple[str, ...]:
    file = folder / "station.toml"
    file.write_text(f'lexicon.path = "{made(folder / "list.dawg")}"\n', encoding="utf-8")
    return ("--settings", str(file), "--log", str(folder / "station.db"), "--windowed", *more)
