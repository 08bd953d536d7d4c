"""A power cut at any moment of held presses, chords and menus: the journal's rows give back the game as it stood then."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from appliance.records.chain import ChainLink
from firmware.gestures.clock_state import ClockState
from firmware.gestures.presses import due, edge, tick
from game.journal.fold import fold
from game.journal.row import GameStamp, Row, rows_of
from game.record import Record
from rules.rulebooks import load_rulebook
from tests.cells import each_cell
from tests.firmware.gestures.random_play import BOARDS, RandomPlay
from tests.firmware.gestures.trains import MS, Edge, Press, said, table

RUNS, EDGES = 40, 120


class Recorded:
    """A table whose changes become rows one by one, as the live clock records them."""

    def __init__(self, state: ClockState) -> None:
        self.state = state
        self.rows: list[Row] = []
        self._record: Record | None = None
        for link in state.record.oldest_first():
            self._note(link, link.at)

    def edge(self, one: Edge) -> None:
        """Apply an edge, as the live clock does."""
        self.until(one.at - 1)
        self.state = edge(self.state, one.button, one.at, down=one.down)
        self._note(self.state.record, one.at)

    def until(self, now: int) -> None:
        """Let time pass."""
        while (ripe := due(self.state)) is not None and ripe <= now:
            self.state = tick(self.state, ripe)
            self._note(self.state.record, ripe)

    def recovered(self) -> Record | None:
        """Return what a clock finds that starts after a power cut now."""
        return fold([ChainLink(seq, row, "") for seq, row in enumerate(self.rows, 1)], load_rulebook).record

    def _note(self, record: Record, now: int) -> None:
        if record is self._record:
            return
        if record.before is None:
            self.rows = []
        old = None if record.before is None else self._record
        self.rows += rows_of(old, record, 1, GameStamp(now, now, "boot", "2026-01-01T00:00:00+00:00"))
        self._record = record


@pytest.mark.parametrize("buttons", BOARDS)
def test_a_cut_after_any_edge_gives_back_the_game_as_it_stood(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(1), buttons, longest=12_000 * MS)  # noqa: S311 - no secret
    for _ in range(RUNS):
        clock = Recorded(play.begun())
        for count, one in enumerate(islice(play.edges(), EDGES)):
            clock.edge(one)
            if count % 20 == 0:
                found = clock.recovered()
                assert found is not None
                assert said(found) == said(clock.state.record)


def test_a_cut_between_a_held_press_and_its_fill_leaves_the_short_meaning_and_after_two_seconds_the_challenge() -> None:
    habit = ("0 press right", "5 press left", "6 neutralise")
    for cell in each_cell(
        [
            (("0 press right",), Press("centre", 7_000, 9_000), 8_500, [(7_000, "neutralise")]),
            (("0 press right",), Press("centre", 7_000, 9_000), 9_100, [(7_000, "challenge")]),
            (("0 press right",), Press("right", 7_000, 9_000), 7_900, []),
            (("0 press right",), Press("right", 7_000, 9_000), 8_100, [(7_000, "hold")]),
            (habit, Press("left", 7_000, 9_000), 7_900, [(5_000, "press left"), (6_000, "neutralise"), (7_000, "press left")]),
            (habit, Press("left", 7_000, 9_000), 8_100, [(5_000, "press left"), (6_000, "neutralise"), (7_000, "hold")]),
        ]
    ):
        with cell as (start, press, cut, events):
            clock = Recorded(table("naspa-2017", *start))
            clock.edge(press.edges(bouncy=False)[0])
            clock.until(cut * MS)
            found = clock.recovered()
            assert found is not None
            assert said(found)[2:] == events
