"""A monkey at the real window: every key of a keyboard, fingers anywhere and on targets, several at once, text, focus lost, time going by.

12,500 events in all, through the window's own reading of SDL's queue. Never a crash, never a dead end, never a verdict without the challenged player's key.
"""

import random
from pathlib import Path
from typing import Any

import pygame
import pytest

from appliance.texts import languages
from kiosk.context import Trouble
from kiosk.shell.judging import OpenLexicons
from records.entry import Kind
from tests.examples import examples
from tests.kiosk.shell.rig import Rig, rig

pytestmark = pytest.mark.usefixtures("dummy_display")
EVENTS = 2500
CODES = tuple(value for name, value in vars(pygame).items() if name.startswith("K_"))
MODIFIERS = (0, 0, 0, 0, 0, pygame.KMOD_SHIFT, pygame.KMOD_CTRL, pygame.KMOD_LALT, pygame.KMOD_RALT, pygame.KMOD_META)
TEXTS = ("a", "Q", "z", "ñ", "é", "7", "0", " ", "·", "\x00", "\u200d", "👍", "catqi", "x" * 300, "CH", "[", "ﬁ")
JUDGED = (Kind.LOOKUP, Kind.REPEAT, Kind.SECOND_OPINION)


def spot(station: Rig, chance: random.Random) -> tuple[float, float]:
    """Anywhere, or, mostly, on something that can be pressed; in shares of the window."""
    arranged = station.window.arranged
    pressable = [item.box for item in arranged.items if item.target is not None]
    if not pressable or chance.random() < 0.2:
        return chance.random(), chance.random()
    box, (width, height) = chance.choice(pressable), station.window.size
    return (box.x + chance.randrange(box.width)) / width, (box.y + chance.randrange(box.height)) / height


def some_event(station: Rig, chance: random.Random) -> list[pygame.event.Event]:
    x, y = spot(station, chance)
    finger = {"touch_id": 0, "finger_id": chance.randrange(3), "x": x, "y": y, "dx": 0.0, "dy": 0.0, "pressure": 1.0}
    pixel = {
        "pos": (int(x * station.window.size[0]), int(y * station.window.size[1])),
        "button": chance.choice((1, 1, 1, 2, 3, 4, 5)),
        "touch": False,
    }
    key = {"key": chance.choice(CODES), "mod": chance.choice(MODIFIERS), "unicode": "", "scancode": 0}
    down, up = pygame.event.Event(pygame.FINGERDOWN, finger), pygame.event.Event(pygame.FINGERUP, finger)
    match chance.randrange(10):
        case 0 | 1 | 2 | 3:
            return [down, up]
        case 4:
            return [chance.choice((down, up))]
        case 5:
            return [pygame.event.Event(pygame.MOUSEBUTTONDOWN, pixel), pygame.event.Event(pygame.MOUSEBUTTONUP, pixel)]
        case 6 | 7:
            return [pygame.event.Event(pygame.KEYDOWN, key), pygame.event.Event(pygame.KEYUP, key)][: chance.randrange(1, 3)]
        case 8:
            return [pygame.event.Event(pygame.TEXTINPUT, text=chance.choice(TEXTS))]
        case _:
            return [pygame.event.Event(chance.choice((pygame.WINDOWFOCUSLOST, pygame.WINDOWEXPOSED)))]


@pytest.mark.parametrize("seed", range(examples(5)))
def test_the_monkey_crashes_nothing_traps_nobody_and_gets_no_verdict(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same monkey each time
    seen, judged_on = set[str](), list[str]()
    with rig(tmp_path, language=languages()[seed % len(languages())]) as station:
        judge = OpenLexicons.judge
        before = station.page

        def watched(*given: Any) -> bool | Trouble:
            judged_on.append(before)
            return judge(*given)

        monkeypatch.setattr(OpenLexicons, "judge", watched)
        for _ in range(EVENTS):
            before = station.page
            for event in some_event(station, chance):
                pygame.event.post(event)
            station.loop.turn()
            seen.add(station.page)
            if chance.random() < 0.3:
                station.goes_by(chance.choice((0.1, 0.6, 0.6, 0.6, 3)))
        rows = [entry for entry in station.entries() if entry.kind in JUDGED]
        assert all(entry.way is not None and entry.acceptable is not None for entry in rows)
        assert len(rows) == len(judged_on)
        assert set(judged_on) <= {"checking"}
        # No page is a dead end: left alone, the station waits for the next players.
        station.goes_by(400)
        assert station.goes_by(400) == "idle"
        assert station.tap("tile.1") == "table.table"
    assert {"idle", "table.table"} <= seen
