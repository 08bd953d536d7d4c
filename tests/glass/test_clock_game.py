"""Games by pins alone on a bare panel: each picture is what the pure clock shows that saw the same presses."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from firmware.face.value import Face
from game.game import Phase
from rules.side import Side
from tests.glass.boot import ready
from tests.glass.clocks import APART_NS, LONG_NS, clock_twin
from tests.glass.machine import HELD_NS, Appliance, Machine
from tests.glass.panels import PORTRAIT, UPSIDE_DOWN, Panel
from tests.glass.pictures import Album
from tests.some import some

pytestmark = pytest.mark.timeout(3600)

SHORT: Final = """id = "short"
title = "A short game"
summary = "NASPA 2017 with 30 seconds a side: overtime comes soon."
extends = "naspa-2017"

[regulation]
time = "0:30"
clause = "the table's own"
"""
PRESSES: Final = (("centre", LONG_NS), ("left", LONG_NS), ("centre", HELD_NS))
"""The recount by the players' menu: three rows above the call, on which it opens."""
INSIDE: Final = "/etc/tileclock/short.toml"


def test_a_whole_game_by_pins(clock: Machine, tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(SHORT)
    clock.write(INSIDE, SHORT)
    clock.configure(f'rulebook = "{INSIDE}"\n')
    with clock_twin(clock, rulebook=str(tmp_path / "short.toml")) as twin:
        twin.shows("ready")
        twin.press("left")
        twin.shows("right runs", runs(Side.RIGHT))
        twin.press("left", held=LONG_NS)
        twin.shows("left holds", lambda face: face.window is not None)
        twin.shows("the courtesy draw", lambda face: face.window is not None and face.window.expired)
        twin.press("left", held=LONG_NS)
        twin.shows("released", stands(Phase.RUNNING))
        twin.shows("right in overtime", lambda face: face.halves.right.overtime)
        assert "-10 points" in twin.face().halves.right.marks
        twin.press("right")
        twin.shows("left runs", runs(Side.LEFT))
        twin.press("centre")
        twin.shows("stopped", stands(Phase.NEUTRAL))

        twin.key(on=True)
        twin.shows("menu")
        twin.take("Give or take time", "RIGHT")
        twin.shows("menu how much")
        twin.take("+1:00")
        twin.shows("menu done")
        twin.key(on=False)
        twin.shows("right has a minute more")
        assert not twin.face().halves.right.overtime

        twin.press("right")
        twin.shows("left runs again", runs(Side.LEFT))
        twin.press("left")
        twin.shows("right runs again", runs(Side.RIGHT))
        twin.press("centre")
        twin.shows("stopped again", stands(Phase.NEUTRAL))
        # Held it asks who has played out, for 15 s; a player's button answers for that player.
        twin.pull(("right", True, LONG_NS), ("right", False, APART_NS), ("right", True, HELD_NS), ("right", False, APART_NS))
        twin.shows("out play", stands(Phase.OUT_PLAY))
        twin.shows("game over", stands(Phase.OVER))
        # In one pull: the players' menu closes by itself after 15 s, and a busy machine takes seconds between two.
        menu, down, take = (((button, True, held), (button, False, APART_NS)) for button, held in PRESSES)
        twin.pull(*menu, *down, *take)
        twin.shows("recount", lambda face: face.window is not None)


@pytest.mark.parametrize("panel", [PORTRAIT, UPSIDE_DOWN], ids=lambda panel: panel.name)
def test_a_game_on_a_panel_that_is_mounted_otherwise(debs: Path, album: Album, panel: Panel) -> None:
    with ready(Appliance("tileclock", debs, panel), album) as machine, clock_twin(machine) as twin:
        twin.shows("ready")
        twin.press("right")
        twin.shows("left runs", runs(Side.LEFT))
        twin.press("centre")
        twin.shows("stopped", stands(Phase.NEUTRAL))
        twin.key(on=True)
        twin.shows("menu")
        twin.take("End the game")
        twin.shows("menu why")
        twin.take(some(twin.face().menu).rows[1], "Do it")
        twin.shows("menu done")
        twin.key(on=False)
        twin.shows("game over", stands(Phase.OVER))


def runs(side: Side) -> Callable[[Face], bool]:
    return lambda face: face.halves.of(side).runs


def stands(phase: Phase) -> Callable[[Face], bool]:
    return lambda face: face.phase is phase
