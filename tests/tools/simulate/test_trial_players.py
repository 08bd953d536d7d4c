"""The players of a trial hall play one short game after the other, as their clock has names for it, under the rulebook that stands set up, and call."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from firmware.gestures.clock_state import ClockState
from firmware.gestures.presses import edge, tick
from firmware.hall.state import HallState, StopRequest
from firmware.menu.setup import Setup
from firmware.texts import load_reasons, load_texts
from game.events import NewGame
from game.game import Phase
from game.record import begin
from game.table import Assignment, OfferedGame
from rules.duration import NS
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook, shipped_ids
from rules.side import BySide
from tools.simulate.players import CALL, ON_THE_WAY_S, UNANSWERED_S, PlayersMove, TrialPlayers

NOBODY = HallState()
SEATED = replace(NOBODY, place=Assignment(1, BySide("Ann Abel", "Bo Brown")))
PAIRED_AGAIN = replace(SEATED, played=SEATED.place.names)
"""The names of the next game have come while the last one still stands here."""


class Played:
    """A clock and its players."""

    def __init__(self, *calls: int) -> None:
        began = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide.both(None))
        setup = Setup(two_button=False, rulebooks=(), texts=load_texts("en"), reasons=load_reasons())
        self.clock, self.now = ClockState(begin(began, 0), setup), NS
        self.players = TrialPlayers(12, frozenset(calls), Random(5))  # noqa: S311 - a test

    def phase(self) -> Phase:
        return self.clock.game_at(self.now).phase

    def called(self) -> bool:
        return self.clock.game_at(self.now).called

    def offer(self, rulebook: str) -> None:
        """Set up the next game, as the desk does."""
        following = NewGame(load_rulebook(rulebook), rulebook, BySide.both(None))
        began = self.clock.record.oldest_first()[0].event
        assert isinstance(began, NewGame)
        self.clock = replace(self.clock, setup=replace(self.clock.setup, offered=OfferedGame(following, began)))

    def go_on(self, hall: HallState, seconds: int, until: Phase | None = None) -> None:
        """Let them play for so long, or until a phase; each moves some seconds after the one before."""
        end = self.now + seconds * NS
        while self.now < end and (until is None or self.phase() is not until):
            self.make(self.players.move(self.clock, hall, self.now))
        assert until is None or self.phase() is until, self.phase()

    def make(self, move: PlayersMove) -> None:
        for button in move.buttons:
            self.clock = edge(self.clock, button, self.now, down=True)
        for button in move.buttons:
            self.clock = edge(self.clock, button, self.now + move.held, down=False)
        self.now += move.held + round(8 * NS * move.pause)
        self.clock = tick(self.clock, self.now)


@pytest.mark.parametrize("rulebook", shipped_ids())
def test_they_play_a_game_under_the_rulebook_set_up_and_another_once_its_names_have_come(rulebook: str) -> None:
    played = Played()
    played.offer(rulebook)
    played.go_on(NOBODY, 60)
    assert (played.phase(), played.clock.record.number) == (Phase.READY, 1)
    played.go_on(SEATED, 600, Phase.OVER)
    assert played.clock.record.game.rulebook.id == rulebook
    over = played.clock.record
    played.go_on(SEATED, 60)
    assert played.clock.record is over
    played.go_on(PAIRED_AGAIN, 60, Phase.READY)
    played.go_on(SEATED, 600, Phase.OVER)
    assert played.clock.record.game.rulebook.id == rulebook


def test_a_call_waits_for_the_director_who_comes_soon_if_somebody_at_the_desk_goes_and_later_if_nobody_does() -> None:
    played = Played(0, 1)
    for goes, waits_s in ((True, ON_THE_WAY_S), (False, UNANSWERED_S)):
        while not played.called():
            assert played.phase() is not Phase.OVER
            played.go_on(SEATED, 1)
        began = played.now
        played.players.director_comes(played.clock, played.now)
        if not goes:
            played.players.director_comes(played.clock, played.now, comes=False)
        while played.called():
            played.go_on(SEATED, 1)
        assert waits_s * NS <= played.now - began < (waits_s + 15) * NS
        # A director who comes again answers no later call.
        played.players.director_comes(played.clock, played.now)
        played.go_on(SEATED, 600, Phase.OVER)
        played.go_on(PAIRED_AGAIN, 60, Phase.READY)
    # They do not call in every game.
    played.go_on(SEATED, 600, Phase.OVER)
    assert not [link for link in played.clock.record if type(link.event).__name__ == "Call"]


def test_asked_to_stop_they_do_in_play_and_in_a_hold_and_play_on_when_it_is_taken_back() -> None:
    played = Played()
    asked = replace(SEATED, stop=StopRequest("Stop, please", 0))
    played.go_on(SEATED, 60, Phase.RUNNING)
    played.go_on(asked, 60)
    assert played.phase() is Phase.NEUTRAL
    played.go_on(SEATED, 60, Phase.RUNNING)
    running = played.clock.record.game.running
    assert running is not None
    played.make(PlayersMove((running.other.value,), CALL))
    assert played.phase() is Phase.HOLD
    played.go_on(asked, 60)
    assert played.phase() is Phase.NEUTRAL
    # Stopped for the out play they cannot declare it a minute later.
    played.go_on(SEATED, 600, Phase.OUT_PLAY)
    played.clock = replace(played.clock, record=played.clock.record.before or played.clock.record)
    played.go_on(asked, 60)
    assert played.phase() is Phase.NEUTRAL
    played.go_on(SEATED, 600, Phase.OVER)
