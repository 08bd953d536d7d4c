"""What the panel of an emulated machine has to show: what the pure layout draws, by this machine's own pygame."""

from typing import Any, Final

import pygame

from appliance.errors import Diagnosis
from firmware.screens.layout import Arrangement
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Options
from kiosk.settings import merge
from rules.rulebooks import DEFAULT_RULEBOOK
from rules.side import Side
from tests.firmware.screens.faces import SETUP, look
from tests.glass.inside.painter import paint
from tests.glass.pictures import Picture
from tests.image.pi import PANEL_SIZE, Machine
from tests.kiosk.shell.twin import Twin
from tests.machine.python import ROOT

PICTURES: Final = ROOT / "build/image"
PRACTICE: Final = ROOT / "lexicon/practice/practice.dawg"
SHOWN_S: Final = 300


def clock(*notices: tuple[str, Diagnosis]) -> Picture:
    """Return what a clock shows before its first game; of each notice, the text's key and what it says why."""
    said = tuple(SETUP.texts.say(f"notice.{key}", why=why) for key, why in notices)
    return _painted("clock", look(DEFAULT_RULEBOOK, "0", notices=said), Arrangement.FACING, Side.RIGHT)


def station() -> Picture:
    twin = Twin.of(merge([("test", {"lexicon.path": str(PRACTICE)})]).settings, PANEL_SIZE)
    return _painted("station", arrange(twin.page, PANEL_SIZE, Options()), frozenset())


def shows(machine: Machine, expected: Picture, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    file = PICTURES / f"{name}.png"
    expected.save(PICTURES / f"{name}-expected.png")
    machine.until(lambda: Picture.load(machine.photograph(file)) == expected, f"what {file} should be", SHOWN_S)


def _painted(what: str, *value: Any) -> Picture:
    pygame.font.init()
    return Picture(PANEL_SIZE, pygame.image.tobytes(paint(what, PANEL_SIZE, value), "RGB"))
