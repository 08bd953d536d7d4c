"""A freeze on the cards of the tables, on the table's page and for spectators: who has stopped the clock, and what the director has to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.events import Call, End, Neutralise, Resume
from game.table import NO_NAMES
from hall.desk.cards.history import history
from hall.desk.cards.table import TableCard
from hall.desk.web.public import public_card
from rules.side import Side
from tests.hall.desk.trial_hall import NS, TrialHall


class Time:
    """CLOCK_MONOTONIC for the hall."""

    now = 1_000_000 * NS


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def hall(tmp_path: Path, time: Time) -> TrialHall:
    hall = TrialHall(tmp_path, 1, lambda: time.now)
    hall.begin(1, ago_s=60)
    return hall


def card(hall: TrialHall) -> TableCard:
    hall.beat_all()
    hall.desk.changes(hall.now())
    found = hall.desk.card("1")
    assert found is not None
    return found


def wants(hall: TrialHall) -> list[str]:
    return [need.words for need in card(hall).needs]


def warnings(hall: TrialHall) -> list[str]:
    card(hall)
    return [each.text for each in hall.desk.warnings]


def told(hall: TrialHall) -> list[str]:
    game = hall.desk.game(card(hall))
    assert game is not None
    return [line.what for line in history(game, NO_NAMES)]


def test_a_clock_that_stops_itself_is_frozen_by_the_desk_and_nobody_has_called(hall: TrialHall, time: Time) -> None:
    hall.order(1, "stop", hard=True)
    assert (card(hall).doing, card(hall).frozen, wants(hall)) == ("frozen by the desk", True, [])
    assert public_card(card(hall))["doing"] == "stopped"
    assert told(hall)[-2:] == ["Frozen by the desk", "Freeze from desk-1: “Fire alarm”"]
    time.now += 600 * NS
    assert wants(hall) == []
    # A call is one, also of a table that is frozen.
    hall.say(1, Call(on=True))
    assert (card(hall).doing, wants(hall)) == ("frozen by the desk", ["calls the director"])


def test_after_the_freeze_a_clock_that_stays_stopped_is_a_need(hall: TrialHall, time: Time) -> None:
    hall.order(1, "stop", hard=True)
    time.now += 600 * NS
    hall.order(1, "clear")
    assert (card(hall).freeze, wants(hall)) == (None, [])
    assert told(hall)[-1] == "Freeze and notice taken back by desk-1"
    time.now += 121 * NS
    assert wants(hall) == ["not started again after the freeze"]
    hall.say(1, Resume(Side.LEFT))
    assert (card(hall).doing, wants(hall)) == ("plays", [])
    # Another stop is the players' own.
    hall.say(1, Neutralise("spilled tiles"))
    assert card(hall).doing == "stopped: spilled tiles"


def test_players_who_are_asked_are_a_need_until_they_stop_their_clock(hall: TrialHall, time: Time) -> None:
    hall.order(1, "stop")
    assert (card(hall).doing, wants(hall)) == ("plays", [])
    time.now += 11 * NS
    assert wants(hall) == ["asked to stop, still running"]
    hall.say(1, Neutralise(None))
    time.now += 600 * NS
    assert (card(hall).doing, wants(hall)) == ("frozen by its players", [])


def test_every_page_says_how_many_a_freeze_has_stopped(hall: TrialHall) -> None:
    assert warnings(hall) == []
    hall.order(1, "stop", 90)
    assert warnings(hall) == ["Freeze (Fire alarm): 0 frozen, 1 still running."]
    hall.say(1, Neutralise(None))
    assert warnings(hall) == ["Freeze (Fire alarm): 1 frozen, 0 still running."]
    # 1,000,000 s after the first day began, less 90 s.
    assert [each.since for each in hall.desk.warnings] == ["2026-01-12T13:45:10+00:00"]
    assert hall.desk.warnings[0].links == ((f"/orders/{'0' * 32}", "Show"), ("/notices?do=clear", "Take back"))
    # A second order for the same freeze changes neither.
    hall.order(1, "stop", 5)
    card(hall)
    assert [each.since for each in hall.desk.warnings] == ["2026-01-12T13:45:10+00:00"]
    hall.order(1, "clear")
    assert warnings(hall) == []


def test_a_freeze_of_games_that_are_over_can_be_taken_back_from_every_page(hall: TrialHall) -> None:
    hall.say(1, End("x"), 30)
    hall.order(1, "stop", 20)
    assert warnings(hall) == ["Freeze (Fire alarm): the game is over at each of its tables."]
    assert hall.desk.warnings[0].links == ((f"/orders/{'0' * 32}", "Show"), ("/notices?do=clear", "Take back"))
    # The next game of a clock is not asked to stop.
    hall.begin(1)
    assert warnings(hall) == []
    hall.say(1, End("x"))
    hall.order(1, "stop")
    hall.order(1, "clear")
    assert warnings(hall) == []


def test_a_freeze_without_words_is_quoted_nowhere(hall: TrialHall) -> None:
    hall.order(1, "stop", text="")
    assert warnings(hall) == ["Freeze: 0 frozen, 1 still running."]
    assert told(hall)[-1] == "Freeze from desk-1"


def test_a_clock_that_stood_before_keeps_its_reason(hall: TrialHall, time: Time) -> None:
    hall.say(1, Neutralise("spilled tiles"), 30)
    hall.order(1, "stop")
    time.now += 600 * NS
    assert (card(hall).doing, wants(hall)) == ("stopped: spilled tiles", [])
    hall.order(1, "clear")
    assert wants(hall) == ["stopped: spilled tiles"]


def test_before_the_rows_come_a_clock_that_stops_itself_only_stands(hall: TrialHall) -> None:
    clock = hall.clocks[1]
    hall.say(1, Neutralise("director called"))
    assert clock.device.clock is not None
    # The report of a later event, whose rows are still on their way.
    clock.device.clock = clock.device.clock.model_copy(update={"number": 9, "freeze": "hard"})
    assert card(hall).doing == "stopped"
    clock.device.clock = clock.device.clock.model_copy(update={"called": True})
    assert card(hall).doing == "stopped: director called"
