"""What the panel should show, as pictures: of the clock by a script of its game, of the station by the pure one beside it (``Twin``)."""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from appliance.splash.paint import Pixels, frame, name_picture
from kiosk.settings import merge
from rules.duration import NS
from rules.rulebooks import DEFAULT_RULEBOOK
from tests.firmware.screens.faces import look
from tests.glass.installed import LEXICON, STATION, Program
from tests.glass.painted import Painted
from tests.glass.panels import Panel
from tests.glass.pictures import Picture
from tests.kiosk.shell.twin import Twin

LATE_S: Final = 30
"""The panel shows a second so much later at most: an emulated machine's screen lags."""


def ready_clock(painted: Painted) -> Picture:
    return painted.clock(look(DEFAULT_RULEBOOK, "0"))


def splash(program: Program, panel: Panel) -> Picture:
    """Return the program's name, which stands there until its first picture; the panel's own size, turned as it is mounted."""
    width, height = panel.size
    pixels = Pixels(24, [0, 8, 0, 8, 8, 0, 16, 8, 0])
    return Picture(panel.size, frame(name_picture(program, panel.seen[0]), (width, height, 3 * width), pixels, panel.rotate))


def first_picture(program: Program, painted: Painted, now: Callable[[], int]) -> Callable[[int], Iterable[Picture]]:
    if program == "tileclock":
        return lambda _: [ready_clock(painted)]
    return station(painted, twin_of(painted, now))


def running_clock(painted: Painted, began: int, *lines: str) -> Callable[[int], Iterator[Picture]]:
    """Return which pictures a clock may show at an instant (ns): of the seconds up to then, the latest last. Second 0 of the script ``began`` then (ns)."""

    def expected(now: int) -> Iterator[Picture]:
        gone = (now - began) // NS
        for second in range(max(0, gone - LATE_S), gone + 1):
            # In the middle of the second: its face is the same from one full second to the next.
            yield painted.clock(look(DEFAULT_RULEBOOK, f"{second}.5", *lines))

    return expected


def twin_of(painted: Painted, now: Callable[[], int]) -> Twin:
    """Return the pure station beside the one that is installed, with the same settings; ``now`` is its machine's clock (ns)."""
    settings = merge([("test", {"lexicon.path": str(next(painted.root.glob(LEXICON))), **STATION})]).settings
    return Twin.of(settings, painted.panel.seen, now)


def station(painted: Painted, twin: Twin, pressed: AbstractSet[str] = frozenset()) -> Callable[[int], Iterator[Picture]]:
    """Return which pictures the station may show at an instant (ns), with the targets that are ``pressed`` held down: its page counts seconds down only in the
    last ten.
    """

    def expected(now: int) -> Iterator[Picture]:
        for second in range(LATE_S, -1, -1):
            yield painted.station(twin.page_at(now - second * NS), pressed=pressed, keyed=twin.keyed)

    return expected
