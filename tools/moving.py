"""Pictures that the documents' build makes: a game and a challenge that move, from the headless demos' frames, and sheets of many screens."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from PIL import Image

from appliance.lock import hashed
from firmware.settings import Settings
from firmware.shell.assemble import setup_of
from rules.duration import NS
from tools.clock_demo import headless as clock_demo
from tools.station_demo import headless as station_demo
from tools.station_demo.window import demo_settings

WIDTH: Final = 640
_SHOWN_MS: Final = 1000
_HELD_MS, _TOUCH_MS, _PAGE_MS = 200, 220, 1800
_HELD: Final = "held"
_LAST_PAGE: Final = "unacceptable"


def game(file: Path) -> None:
    """Write the scripted game as a moving picture: each situation for two seconds, each held press while it fills."""
    with tempfile.TemporaryDirectory() as folder:
        clock_demo.play(Path(folder), setup_of(Settings()), lambda _: None, list(_looks()))
        frames = sorted(Path(folder).glob("*.png"))
        _write(file, frames, [_HELD_MS if _HELD in frame.name else _SHOWN_MS for frame in frames])


def _looks() -> Iterator[clock_demo.Look]:
    for look in clock_demo.LOOKS:
        yield look
        yield clock_demo.Look(look.at + NS, look.name)
    for move in clock_demo.MOVES:
        if move.held >= clock_demo.CALL_NS:
            yield from (clock_demo.Look(move.at + move.held * part // 7, f"{_HELD}{part}") for part in range(1, 7))


def challenge(file: Path) -> None:
    """Write the first two scripted challenges as a moving picture, touch by touch."""
    with tempfile.TemporaryDirectory() as folder:
        with demo_settings(dict.fromkeys(("lexicon", "log", "language", "rulebook")), hashed("2468"), station_demo.SIZE) as layered:
            station_demo.play(Path(folder), layered, None, lambda _: None, every=True)
        frames = sorted(Path(folder).glob("*.png"))
        frames = frames[: next(number for number, frame in enumerate(frames, 1) if _LAST_PAGE in frame.name)]
        _write(file, frames, [_TOUCH_MS if station_demo.STEP in frame.name else _PAGE_MS for frame in frames])


def _write(file: Path, frames: Sequence[Path], shown_ms: Sequence[int]) -> None:
    first, *rest = (_narrow(frame, WIDTH) for frame in frames)
    first.save(file, save_all=True, append_images=rest, duration=list(shown_ms), loop=0, quality=60, method=4)
    rest[-1].save(still_of(file), quality=60, method=4)


def still_of(moving: Path) -> Path:
    """Return the file of the last frame, for readers whose system asks for reduced motion."""
    return moving.with_stem(f"{moving.stem}-still")


def _narrow(picture: Path, width: int) -> Image.Image:
    with Image.open(picture) as whole:
        return whole.convert("RGB").resize((width, whole.height * width // whole.width), Image.Resampling.LANCZOS)


def contact_sheet(file: Path, pictures: Sequence[Path], columns: int = 5, width: int = 320, gap: int = 6) -> None:
    """Write ``pictures`` on one sheet, the flat ones first, in rows whose height is that of the highest in it."""
    small = sorted((_narrow(picture, width) for picture in pictures), key=lambda each: each.height)
    rows = [small[start : start + columns] for start in range(0, len(small), columns)]
    heights = [max(each.height for each in row) + gap for row in rows]
    sheet = Image.new("RGB", (columns * (width + gap), sum(heights)), "white")
    for number, row in enumerate(rows):
        for column, each in enumerate(row):
            sheet.paste(each, (column * (width + gap), sum(heights[:number])))
    sheet.save(file, quality=70)
