"""The events of a table's page: each says whose it was."""

from __future__ import annotations

from pathlib import Path

from firmware.core.events import Hold, Neutralise, Resume, Undo
from hall.desk.cards.history import history
from rules.side import BySide, Side
from tests.hall.desk.trial_hall import NS, TrialHall


def test_each_event_says_whose_it_was(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    hall.say(1, Hold(), 40)
    hall.say(1, Neutralise("spilled tiles"), 30)
    hall.say(1, Resume(Side.LEFT), 20)
    hall.desk.changes(hall.now())
    card = hall.desk.card("1")
    assert card is not None
    game = hall.desk.game(card)
    assert game is not None
    said = [line.what for line in history(game, BySide("Ann", ""))]
    assert said[1:] == [
        "Right pressed",
        "Hold by Ann (left)",
        "Clock of Ann (left) stopped: spilled tiles",
        "Clock of Ann (left) started",
    ]


def test_an_event_that_was_struck_still_says_whose_it_was(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    hall.say(1, Hold(), 40)
    hall.say(1, Undo("a slip", 3), 30)
    hall.desk.changes(hall.now())
    game = hall.desk.game(hall.desk.cards[hall.clocks[1].device.id])
    assert game is not None
    said = [(line.what, line.row.fate) for line in history(game, BySide("Ann", ""))]
    assert said[2:] == [("Hold by Ann (left)", "struck by event 4"), ("Undone: event 3: a slip", "")]
