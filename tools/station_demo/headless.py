"""The headless demo: scripted fingers on the real window under SDL's dummy driver leave pictures and a transcript.

Time is the script's. Window, layout, flow, lexicon, log and slip composition are the real ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from appliance.clocks import Clocks
from kiosk.challenge.writing import LONGEST_WORD, SHORTEST_WORD
from kiosk.settings import Layered
from kiosk.shell.assemble import assembled
from kiosk.shell.loop import Loop
from kiosk.texts import load_texts
from lexicon import Lexicon
from lexicon.errors import Unspellable
from rules.duration import NS
from tools.demo_folder import DemoError, DemoFolder

if TYPE_CHECKING:
    from kiosk.screens.window import KioskWindow


Tiles: TypeAlias = tuple[str, ...]
"""A word, as the texts of its tiles."""
_LOOKED_AT: Final = 5000
"""The number of words examined, from the list's beginning."""
_LIKED: Final = 5
"""The tiles of a word that is quick to type, and looks like a word."""


class TypedWords(Struct, frozen=True):
    """The words to type."""

    first: Tiles
    second: Tiles
    """With the first one, a play of two words, both in the list."""
    mistyped: Tiles
    """Not in the list."""
    meant: Tiles
    """In the list."""
    left: Tiles
    """Abandoned, and never judged."""


def words_of(lexicon: Lexicon) -> TypedWords | None:
    """Return the words for a demo with ``lexicon``; None: it has none for this script.

    Raises:
        LexiconError: the list cannot be read.
    """
    return _familiar(lexicon) or _chosen(lexicon)


def _familiar(lexicon: Lexicon) -> TypedWords | None:
    try:
        first, second, mistyped, meant, left = map(lexicon.spelling.codes, ("TILE", "RACKS", "CHALENGE", "CHALLENGE", "QI"))
    except Unspellable:
        return None
    if not all(map(lexicon.holds, (first, second, meant, left))) or lexicon.holds(mistyped):
        return None
    return _typed_words(lexicon, first, second, mistyped, meant, left)


def _chosen(lexicon: Lexicon) -> TypedWords | None:
    known = sorted(_typeable(lexicon), key=lambda codes: abs(len(codes) - _LIKED))
    for meant in known:
        for mistyped in _slips(meant):
            if _can_be_typed(lexicon, mistyped) and not lexicon.holds(mistyped):
                return _typed_words(lexicon, known[0], known[-1], mistyped, meant, known[0])
    return None


def _typeable(lexicon: Lexicon) -> Iterator[bytes]:
    codes = map(lexicon.spelling.codes, islice(lexicon, _LOOKED_AT))
    return (word for word in codes if _can_be_typed(lexicon, word))


def _can_be_typed(lexicon: Lexicon, codes: bytes) -> bool:
    """Return whether pressing these tiles' keys gives exactly this word."""
    pieces = (f"[{tile}]" if len(tile) > 1 else tile for tile in _tiles(lexicon, codes))
    try:
        return SHORTEST_WORD <= len(codes) <= LONGEST_WORD and lexicon.spelling.codes("".join(pieces)) == codes
    except Unspellable:
        return False


def _slips(codes: bytes) -> Iterator[bytes]:
    """Yield the word with one tile omitted or doubled."""
    for at in range(1, len(codes)):
        yield codes[:at] + codes[at + 1 :]
    for at in range(len(codes)):
        yield codes[: at + 1] + codes[at:]


def _typed_words(lexicon: Lexicon, *codes: bytes) -> TypedWords:
    return TypedWords(*(_tiles(lexicon, each) for each in codes))


def _tiles(lexicon: Lexicon, codes: bytes) -> Tiles:
    return tuple(lexicon.spelling.tiles[code - 1] for code in codes)


TAP_NS: Final = 700_000_000
"""The time between touches: realistic, and longer than the half second in which no key counts."""


class ScriptStep(Struct, frozen=True):
    """A touch, or a pause."""

    target: str | None
    """The name of the touched target; None: a pause."""
    ns: int = TAP_NS
    """The time since the previous step."""
    picture: str | None = None
    """The name of the picture to take."""
    description: str = ""
    """A bystander's description; empty for a part of another action."""


def steps(language: str | None, words: TypedWords) -> Iterator[ScriptStep]:
    """Yield the steps for typing ``words``; if ``language`` is not None, each visit first chooses it, because the station returns to its own."""
    yield ScriptStep(None, picture="idle", description="The station waits")
    yield from _choose_language(language, "They choose their language")
    yield from _questions(12, "left", "Table 12: the player on the left challenges two words", pictures=True)
    yield from _typed(words.first, "words")
    yield ScriptStep("next")
    yield from _typed(words.second)
    yield ScriptStep("finish", picture="checking", description="Both check the words")
    yield ScriptStep("adjudicate", picture="acceptable", description="The challenged player touches the key")
    yield ScriptStep("done")
    yield from _choose_language(language)
    yield from _questions(7, "right", "Table 7: the player on the right challenges one word")
    yield from _typed(words.mistyped)
    yield ScriptStep("finish")
    yield ScriptStep("adjudicate", picture="unacceptable", description="The challenged player touches the key")
    yield ScriptStep("mistyped", picture="repeat", description="A word was mistyped: the challenge is repeated")
    yield from _typed(words.meant)
    yield ScriptStep("finish")
    yield ScriptStep("adjudicate", picture="repeated", description="The challenged player touches the key again")
    yield ScriptStep("done")
    yield from _choose_language(language)
    yield from _questions(3, "left", "Table 3: somebody begins, and leaves")
    yield from _typed(words.left)
    yield ScriptStep(None, 125 * NS, picture="still-there", description="The players leave the page untouched: it asks for them")
    yield ScriptStep(None, 60 * NS, picture="cleared", description="The screen has cleared itself")


def _choose_language(language: str | None, description: str = "") -> Iterator[ScriptStep]:
    if language is not None:
        yield ScriptStep(f"language.{language}", description=description)


def _questions(table: int, challenger: str, description: str, *, pictures: bool = False) -> Iterator[ScriptStep]:
    yield from _typed(tuple(str(table)), "table" if pictures else None, description)
    yield ScriptStep(f"challenger.{challenger}")


def _typed(word: Tiles, picture: str | None = None, description: str = "") -> Iterator[ScriptStep]:
    last = len(word) - 1
    for place, tile in enumerate(word):
        yield ScriptStep(f"tile.{tile}", picture=picture if place == last else None, description="" if place else description)


STEP: Final = "step"
"""In the name of a picture that the script does not name."""
SIZE: Final = (1024, 600)
BEGINS: Final = NS


@dataclass(slots=True)
class _Time:
    """The script's time."""

    now: int = BEGINS
    clocks: Clocks = field(init=False)

    def __post_init__(self) -> None:
        self.clocks = Clocks(lambda: self.now)


def play(folder: Path, layered: Layered, language: str | None, say: Callable[[str], None], *, every: bool = False) -> None:
    """Play the scripted challenges; write pictures and ``transcript.txt`` to ``folder``.

    Args:
        folder: the output folder; created if missing.
        layered: the station's settings.
        language: the players' choice; None: the station's own.
        say: takes each line of the transcript.
        every: take a picture after each step, not only after those that name one.

    Raises:
        DemoError: the folder cannot be created or written to, the station cannot judge, or the list has no words for the script.
        TextsError: the language does not exist.
    """
    load_texts(language or layered.settings.language)
    # The page has no target for the language that it speaks already.
    chosen = None if language == layered.settings.language else language
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - reads SDL_VIDEODRIVER when it is opened

    output, time = DemoFolder(folder, say), _Time()
    window = KioskWindow(SIZE, "Tilekiosk", clocks=time.clocks)
    with assembled(layered, time.clocks, screen=window) as loop:
        loop.turn()
        _require_well(loop)
        for number, step in enumerate(steps(chosen, _words(Path(layered.settings.lexicon.path)))):
            _do(step, loop, window, time)
            _require_well(loop)
            if step.description:
                output.add(_line(step, loop, time))
            if step.picture is not None or every:
                output.picture(f"{number:02d}-{step.picture or STEP}", window.snapshot)
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
    from tools.station_demo.fingers import DemoFinger  # noqa: PLC0415 - pygame, likewise

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
