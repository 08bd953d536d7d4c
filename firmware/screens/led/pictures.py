"""Select a player's module content: reading, time frame, words or text. Pure.

- The module of a running clock always shows its reading and nothing else.
- Other modules show how far their player's held press, or the bar's, has come. Otherwise they show the director's menu while it is open.
  Otherwise, during play, they show a time frame until it is removed; otherwise their
  reading in turn with words for the state of the game and, before and after play, a time frame. While no clock runs, the shell's notices
  scroll through too, and after the game the penalty and the other marks.
- Missing buttons are the first word and the first text: nothing else can be acted upon.
- A new picture begins with the reading, so that a stop at once shows both readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from firmware.face.value import FILL_STEPS, Face, FillFace, HalfFace, MenuFace
from firmware.screens.led.marquee import marquee
from firmware.screens.led.readings import reading_lit
from firmware.screens.led.windows import HALF_MS, window_frames
from firmware.screens.led.words import CALLED, NO_BUTTONS, words
from game.game import Phase
from hardware.led.font import cells, lit
from hardware.led.picture import DIGITS, Frame, Picture, still
from rules.side import BySide, Side

READING_MS: Final = 2500
WORD_MS: Final = 900
ROW_MS: Final = 700
"""How long the number of a menu row is shown."""
WINDOW_S: Final = 3
"""How long a time frame is shown in turn with a reading, in s."""
_BESIDE_PLAY: Final = (Phase.READY, Phase.LATE, Phase.OVER)
"""In these phases, time frames require no action, so they must not hide readings for minutes."""
CONFIRM: Final = "confirm"


def pictures(face: Face) -> BySide[Picture]:
    """Return the pictures of both modules."""
    return BySide(*(_picture(face, side) for side in Side))


def _picture(face: Face, side: Side) -> Picture:
    half = face.halves.of(side)
    if half.runs and face.cue != CONFIRM:
        return _running(half.reading)
    held = next((fill for fill in face.fills if fill.where in (side, None)), None)
    if held is not None:
        return _fill(held)
    if face.menu is not None:
        return _menu(face.menu)
    if face.window is not None and face.phase not in _BESIDE_PLAY:
        return Picture(window_frames(face.window))
    return _stopped(face, half)


def _running(reading: str) -> Picture:
    return Picture((Frame(reading_lit(reading), HALF_MS), Frame(reading_lit(reading, colon=False), HALF_MS)))


def _fill(fill: FillFace) -> Picture:
    """Return a digit of three bars for each quarter that is over, and one bar for each to come."""
    over = fill.done * DIGITS // FILL_STEPS
    return still(lit(cells("≡" * over + "_" * (DIGITS - over))))


def _stopped(face: Face, half: HalfFace) -> Picture:
    codes = (*((NO_BUTTONS,) if face.no_buttons else ()), *((CALLED,) if face.called else ()), *words(face.cue, half.status_key))
    texts = tuple(_texts(face, half))
    if not codes and not texts and face.window is None:
        return still(reading_lit(half.reading))
    first = (Frame(reading_lit(half.reading), READING_MS), *(() if face.window is None else window_frames(face.window) * WINDOW_S))
    frames = [*first, *(Frame(lit(cells(word)), WORD_MS) for word in codes)]
    for text in texts:
        # A text may be long, so the reading precedes each.
        frames += (*first, *marquee(text))
    window = () if face.window is None else (face.window.name,)
    return Picture(tuple(frames), theme=" ".join((face.phase.value, *window, *codes, *texts)))


def _texts(face: Face, half: HalfFace) -> Iterator[str]:
    if any(each.runs for _, each in face.halves.items()) and face.cue != CONFIRM:
        return
    if face.no_buttons:
        yield ". ".join((face.banner, *face.details))
    yield from face.notices
    if face.phase is Phase.OVER:
        yield from half.marks


def _menu(menu: MenuFace) -> Picture:
    """Return the amount being entered; the cursor's row, by number and as text; the page's lines and title."""
    row = () if menu.chosen is None else (f"r{menu.chosen + 1:3d}", menu.rows[menu.chosen])
    number = (Frame(lit(cells(text)), ROW_MS) for text in row[:1])
    texts = _run((*row[1:], menu.sentence, *menu.lines, menu.title))
    return Picture((*marquee(menu.made), *number, *texts), theme=f"menu {menu.title} {menu.chosen} {menu.made}")


def _run(texts: Iterable[str]) -> Iterator[Frame]:
    for text in texts:
        yield from marquee(text)
