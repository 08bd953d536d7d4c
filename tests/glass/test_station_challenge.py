"""A whole challenge at the panel by touch alone, as it goes at a tournament: with two fingers, a resting palm, and both players pressing at once; on each panel."""

from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

import pytest

from tests.glass.boot import ready
from tests.glass.challenges import QUESTIONS, Players
from tests.glass.machine import Appliance, Machine
from tests.glass.panels import PORTRAIT, UPSIDE_DOWN, Panel
from tests.glass.pictures import Album

pytestmark = pytest.mark.timeout(3600)
PALM: Final = range(2, 4)


def test_a_challenge_by_touch_alone_with_two_fingers_a_palm_and_both_players_at_once(kiosk: Machine) -> None:
    players = Players(kiosk)
    fingers = kiosk.fingers
    players.tap("tile.1")
    # Another finger rests on another key all the while the first one types: it is held, and presses nothing.
    players.wait()
    fingers.down(PALM[0], *players.twin.middle("director"))
    players.see("a-finger-on-director", pressed={"director"})
    players.tap("tile.2", pressed={"director"})
    both_challenge(players, pressed={"director"})
    # The page turns under it: it holds nothing any more, and lifting it there makes no call.
    players.tap("challenger.left")
    fingers.up(PALM[0])
    players.still("the-finger-is-lifted")
    # From here on a palm rests on the glass.
    for finger, place in zip(PALM, players.nowhere(len(PALM)), strict=True):
        fingers.down(finger, *place)
    players.spell("TILE")
    players.tap("next")
    players.spell("ZZ")
    players.tap("finish")
    # The challenger leans on a key of theirs; the challenged player's key is theirs alone.
    players.wait()
    fingers.down(1, *players.twin.middle("back"))
    players.see("the-challenger-leans-on-back", pressed={"back"})
    players.tap("adjudicate")
    fingers.up(1)
    assert players.twin.page.name == "verdict"
    players.still("the-finger-is-lifted-from-the-verdict")
    players.tap("done")
    for finger in PALM:
        fingers.up(finger)
    players.still("the-palm-is-lifted")
    assert_one_lookup(kiosk, "12", "UNACCEPTABLE")


def both_challenge(players: Players, pressed: AbstractSet[str] = frozenset()) -> None:
    """Both players press "I challenge" together: whoever lets go first, neither is the challenger, and either may press anew."""
    fingers = players.machine.fingers
    left, right = (players.twin.middle(f"challenger.{side}") for side in ("left", "right"))
    for first, second in ((0, 1), (1, 0)):
        players.wait()
        fingers.down(0, *left)
        fingers.down(1, *right)
        fingers.up(first)
        players.still("one-has-let-go", pressed)
        fingers.up(second)
        players.still("both-have-let-go", pressed)


def assert_one_lookup(machine: Machine, table: str, verdict: str) -> None:
    rows = [line.split() for line in machine.run("tilekiosk", "log", "list", "--kind", "lookup").splitlines()]
    assert len(rows) == 1, rows
    assert {table, verdict} <= set(rows[0]), rows


@pytest.mark.parametrize("panel", [PORTRAIT, UPSIDE_DOWN], ids=lambda panel: panel.name)
def test_a_challenge_on_a_panel_that_is_mounted_otherwise(panel: Panel, debs: Path, album: Album) -> None:
    with ready(Appliance("tilekiosk", debs, panel), album) as machine:
        players = Players(machine)
        players.tap(*QUESTIONS)
        both_challenge(players)
        players.tap("challenger.right")
        players.spell("QI")
        players.tap("finish", "adjudicate", "done")
        assert_one_lookup(machine, "12", "ACCEPTABLE")
