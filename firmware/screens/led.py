"""The content of the two serial LED modules: a player's reading, a time frame, words or text. Pure.

- The module of a running clock always shows its reading and nothing else.
- Other modules show how far their player's held press, or the bar's, has come. Otherwise they show the director's menu while it is open.
  Otherwise, during play, they show a time frame until it is removed; otherwise their
  reading in turn with words for the state of the game and, before and after play, a time frame. While no clock runs, the shell's notices
  scroll through too, and after the game the penalty and the other marks.
- Missing buttons are the first word and the first text: nothing else can be acted upon.
- A new picture begins with the reading, so that a stop at once shows both readings.

**Readings**, so that no two look alike:

| reading | digits | colon | points | apostrophe |
| --- | --- | --- | --- | --- |
| 0:00 to 9:59 | blank, m, s, s | lit | the last | - |
| 10:00 to 99:59 | m, m, s, s | lit | the last | - |
| 100:00 to 599:59 | h, ``H``, m, m | - | the last | - |
| more | ``HHHH`` | - | the last | - |
| -0:00 to -9:59 | minus, m, s, s | lit | all four | lit |
| -10:00 to -99:59 | m, m, s, s | lit | all four | lit |
| -100:00 to -599:59 | h, ``H``, m, m | - | all four | lit |
| less | ``HHHH`` | - | all four | lit |

- Overtime is underlined by the points and has the apostrophe, even if there is room for a minus: it stays recognisable if points, apostrophe or
  the minus are dead.
- Only readings light the last point, their foot. No module has a light where that point is when seen upside down, so 12:51 from there is not 15:21.
- While a clock runs, its colon (or ``H``) is dark for the second half of each second, as on chess clocks; that of a stopped clock is lit.

**A time frame** below ten minutes, as in ``H0:15``: its letter and its reading. From ten minutes on, as in ``=10'``: the letter and the minutes
begun, with the apostrophe as the sign of minutes. No point is lit, so that a frame never looks like a clock. While the frame runs, the colon is
dark for the second half of each second; once expired, everything flashes.

**Words** are codes, the same in every language, of letters that seven segments can show.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from msgspec.structs import replace

from firmware.face.value import FILL_STEPS, Face, FillFace, HalfFace, MenuFace, WindowFace
from firmware.guided_test import BOTH, COLOURS, EDGES, LAMPS, SOUND, TEST
from firmware.guided_test import DIGITS as DIGITS_LIT
from game.game import Phase
from hardware.led.picture import ALL_LIT, DARK, DIGITS, POINTS, Cell, Frame, Lit, Picture, cells, glyph, lit, still
from rules.side import BySide, Side

FOOT: Final = POINTS[-1]
"""The last point, lit in every reading."""
OVERTIME: Final = sum(POINTS)
"""The points of a reading below zero."""
_HOURS_FROM: Final = 100
"""From this many minutes on, show hours."""
_MAX: Final = 10
"""The first number of hours that one digit cannot show."""


def reading_lit(reading: str, *, colon: bool = True) -> Lit:
    """Return the segments for a reading of a face (``24:59``, ``-0:07``); ``colon`` false: the dark half of the second."""
    below = reading.startswith("-")
    minutes, seconds = (int(part) for part in reading.lstrip("-").split(":"))
    text = _digits(minutes, seconds, below=below, lit=colon)
    first, second, third, fourth = (glyph(character) for character in text)
    return Lit((first, second, third, fourth), OVERTIME if below else FOOT, colon=colon and minutes < _HOURS_FROM, apostrophe=below)


def _digits(minutes: int, seconds: int, *, below: bool, lit: bool) -> str:
    if minutes < _HOURS_FROM:
        return f"{f'-{minutes}' if below and minutes < 10 else f'{minutes:2d}'}{seconds:02d}"
    sign = "H" if lit else " "
    hours, minutes = divmod(minutes, 60)
    return f"{hours}{sign}{minutes:02d}" if hours < _MAX else sign * 4


LETTERS: Final = {
    "courtesy_draw": "H",
    "out_play": "o",
    "missed_press": "P",
    "return_to_table": "b",
    "overdraw_decision": "d",
    "tiles_returned": "t",
    "tile_decision": "c",
    "mixing": "n",
    "recount": "r",
    "recount_warning": "A",
    "late_start": "L",
    "between_rounds": "=",
    "disconnected": "F",
}
"""The letter of each time frame, by its name in the rulebooks."""
HALF_MS: Final = 500


def window_lit(window: WindowFace, *, colon: bool = True) -> Lit:
    """Return the segments for a window; ``colon`` false: the dark half of the second."""
    minutes, seconds = (int(part) for part in window.reading.split(":"))
    short = minutes < 10
    text = f"{minutes}{seconds:02d}" if short else f"{min(99, minutes + (seconds > 0)):2d} "
    first, second, third, fourth = (glyph(character) for character in LETTERS[window.name] + text)
    return Lit((first, second, third, fourth), colon=short and colon, apostrophe=not short and colon)


def window_frames(window: WindowFace) -> tuple[Frame, Frame]:
    return Frame(window_lit(window), HALF_MS), Frame(DARK if window.expired else window_lit(window, colon=False), HALF_MS)


CONFIRM: Final = "confirm"
WHO_OUT: Final = "who_out"
_BY_CUE: Final[dict[str, str]] = {
    "late": "LAtE",
    "hold": "HoLd",
    "neutral": "StoP",
    "acceptable": "ACCE",
    "unacceptable": "UnAC",
    "out_play": "oUt",
    "adjudication": "CHAL",
    "offer_acceptable": "ACC?",
    "offer_unacceptable": "UnA?",
    "offer_back": "bAC?",
    "over": "End",
    "sign": "SIGn",
    "unsigned": "SIG?",
    CONFIRM: "ConF",
    WHO_OUT: "oUt?",
}
"""By the face's ``cue``; no word while a turn runs or before the first."""
_BY_STATUS: Final[dict[str, str]] = {
    "out": "oUt",
    "opponent_out": "oUt",
    "on_turn": "tUrn",
    "off_turn": "PrES",
    "lost_turn": "PrES",
    "lost_limit": "LoSt",
    "forfeited": "ForF",
}
"""By a half's ``status_key``: words for one player."""
_BY_ROW: Final[dict[str, tuple[str, ...]]] = {
    "no": ("no", "PAP?"),
    "yes": ("YES", "PAP?"),
    "score left": ("SC-L",),
    "score right": ("SC-r",),
    "words left": ("bo-L",),
    "words right": ("bo-r",),
    "taken_off": ("PEn?",),
    "dispute": ("dISP",),
    "close": ("CLoS",),
    "back": ("bAC",),
}
"""By the name of the chosen row on a page of a result, where no screen shows it; the row's own word first, so that a move shows at once."""
_BY_TEST: Final[dict[str, str]] = {
    TEST: "tESt",
    "press": "PrES",
    "hold": "HoLd",
    "let_go": "FrEE",
    "left": "L",
    "right": "r",
    BOTH: "both",
    "centre": "bAr",
    "up": "UP",
    "down": "dn",
    "ok": "SEL",
    "ask_left": "AS-L",
    "ask_right": "AS-r",
    **dict.fromkeys((*COLOURS, EDGES), "SEE?"),
    SOUND: "bEP?",
    LAMPS: "LIt?",
    "passed": "PASS",
    "failed": "FAIL",
}
"""By the names on a page of the guided test."""
CALLED: Final = "dIrE"
"""The players have called the director. Not ``CALL``, which is too near to ``CHAL``."""
NO_BUTTONS: Final = "nobU"
"""The pins are unavailable, so no button works."""
WORDS: Final = frozenset((NO_BUTTONS, CALLED, *_BY_CUE.values(), *_BY_STATUS.values(), *_BY_TEST.values(), *chain(*_BY_ROW.values())))


def words(cue: str, status_key: str) -> tuple[str, ...]:
    """Return the words for a player, in display order, without duplicates."""
    # Until the times are confirmed, buttons do nothing, so no word asks for one; who played out is asked of both.
    own = "" if cue in (CONFIRM, WHO_OUT) else _BY_STATUS.get(status_key, "")
    return tuple(dict.fromkeys(word for word in (_BY_CUE.get(cue, ""), own) if word))


STEP_MS: Final = 300
"""The time for scrolling by one place."""
REST_MS: Final = 900
"""How long beginning and end remain."""


# Cached: a notice lasts for minutes, and every change of the face needs all its frames.
@lru_cache(maxsize=64)
def marquee(text: str) -> tuple[Frame, ...]:
    return tuple(_frames(text))


def _frames(text: str) -> Iterator[Frame]:
    places = cells(text)
    if places and places[-1].point:
        places = (*places, Cell(0))
    last = max(0, len(places) - DIGITS)
    for first in range(last + 1 if places else 0):
        shown = lit(places[first : first + DIGITS])
        # The last point belongs to readings only: a text's point there is lit one step later.
        yield Frame(replace(shown, points=shown.points & ~FOOT), REST_MS if first in (0, last) else STEP_MS)


READING_MS: Final = 2500
WORD_MS: Final = 900
ROW_MS: Final = 700
"""How long the number of a menu row is shown."""
WINDOW_S: Final = 3
"""How long a time frame is shown in turn with a reading, in s."""
_BESIDE_PLAY: Final = (Phase.READY, Phase.LATE, Phase.OVER)
"""In these phases, time frames require no action, so they must not hide readings for minutes."""


def pictures(face: Face) -> BySide[Picture]:
    return BySide(*(_picture(face, side) for side in Side))


def _picture(face: Face, side: Side) -> Picture:
    half = face.halves.of(side)
    if face.cue == DIGITS_LIT:
        return Picture((Frame(ALL_LIT, READING_MS), Frame(lit(cells(_BY_TEST[side.value])), WORD_MS)))
    if face.menu is not None and face.menu.pattern:
        return _test(face.menu)
    if half.runs and face.cue != CONFIRM:
        return _running(half.reading)
    held = next((fill for fill in face.fills if fill.where in (side, None)), None)
    if held is not None:
        return _fill(held)
    if face.menu is not None:
        return _menu(face.menu)
    if face.window is not None and face.phase not in _BESIDE_PLAY and face.cue != WHO_OUT:
        return Picture(window_frames(face.window))
    return _figures(half.page) if half.page is not None and half.page.figures else _stopped(face, half)


def _figures(page: MenuFace) -> Picture:
    """Return a value that is entered, whose chosen digit blinks; the words of a row; or in turn the word, the score and the margin that its reader is to sign."""
    if page.chosen is not None:
        return Picture(tuple(Frame(lit(cells(word)), WORD_MS) for word in _BY_ROW[page.figures[0]]))
    if page.digit is None:
        shown = (_BY_CUE["sign"], *page.figures)
        return Picture(
            tuple(Frame(lit(cells(f"{text:>{DIGITS}}")[:DIGITS]), READING_MS if text in page.figures else WORD_MS) for text in shown)
        )
    (value,) = page.figures
    without = f"{value[: page.digit]} {value[page.digit + 1 :]}"
    frames = tuple(Frame(lit(cells(f"{text:>{DIGITS}}")), HALF_MS) for text in (value, without))
    # The next digit goes on blinking in time.
    return Picture(frames, theme="entry")


def _running(reading: str) -> Picture:
    return Picture((Frame(reading_lit(reading), HALF_MS), Frame(reading_lit(reading, colon=False), HALF_MS)))


def _fill(fill: FillFace) -> Picture:
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
    lines = tuple(filter(None, menu.lines))
    # At the door what a press came to is before what to do.
    told = (menu.sentence, *lines) if row else (*lines, menu.sentence)
    texts = _run((*row[1:], *told, menu.title))
    return Picture((*marquee(menu.made), *number, *texts), theme=f"menu {menu.title} {menu.chosen} {menu.made}")


def _test(page: MenuFace) -> Picture:
    """Return what the guided test asks for, in words: its title counts seconds. Of a result first the word and what has failed, as far as it has a word, then what to do as running text."""
    words = (Frame(lit(cells(_BY_TEST[name])), WORD_MS) for name in page.figures if name in _BY_TEST)
    told = () if TEST in page.figures else (*page.lines, page.title)
    return Picture((*words, *_run(told)), theme=" ".join((TEST, *page.figures)))


def _run(texts: Iterable[str]) -> Iterator[Frame]:
    for text in texts:
        yield from marquee(text)
