"""The director's orders: what each does, when it is refused, and that none ever does anything else."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from firmware.core import events as ev
from firmware.core.events import By
from firmware.core.game import Phase
from firmware.core.next_game import next_game
from firmware.core.record import accept
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.hall.challenges import standing_challenge
from firmware.hall.freshness import Addressee, misdirected
from firmware.hall.on_face import with_hall
from firmware.hall.orders import decide
from firmware.hall.place import Assignment, between_games
from firmware.hall.state import HallState, OpenSettings, ShownNotice, StationVerdict, StopRequest
from rules.duration import NS
from rules.side import BySide, Side
from tests.firmware.gestures.trains import setup, table
from tests.firmware.hall.hall_table import CLOCK, EPOCH, NONCE, STATION, call, decided, made, order, verdict
from tests.firmware.random_games import BEGINNINGS, Played, keep, played
from wire.desk_settings import DESK_SETTINGS
from wire.messages.proposals import Order, VerdictBody
from wire.reasons import RefusalReason

ASSIGN: dict[str, Any] = {"table": 12, "left": "Ana", "right": "Björn", "lexicon": None}
SETUP: dict[str, Any] = {"rulebook": "nzasp-2022", "left_seconds": 1200, "right_seconds": None}
SETTINGS: dict[str, Any] = {"language": "fr", "led_brightness": 40}
HARD = HallState(hard_freeze=True)
RUNNING = ("1 press right",)


def test_a_notice_stands_for_its_seconds_and_touches_no_game() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("notice", text="Lunch at noon", seconds=60), 10)
    assert answer.hall.notice == ShownNotice("Lunch at noon", 70 * NS)
    assert (answer.reason, answer.events) == (None, ())


def test_clear_takes_notice_and_request_away() -> None:
    hall = HallState(notice=ShownNotice("x", 1), stop=StopRequest("y", 1))
    answer = decided(table("naspa-2017"), order("clear"), 1, hall)
    assert (answer.hall.notice, answer.hall.stop) == (None, None)


def test_a_stop_is_advisory_and_keeps_the_instant() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("stop", text="Fire alarm"), 10)
    assert answer.hall.stop == StopRequest("Fire alarm", 10 * NS)
    assert answer.events == ()


def test_a_hard_freeze_stops_a_running_clock_for_the_director() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("stop", text="Fire alarm"), 10, HARD)
    assert answer.events == ((ev.Neutralise("director called"), By.DIRECTOR),)
    assert answer.number == 3


@pytest.mark.parametrize("lines", [(), ("1 press right", "2 neutralise"), ("1 press right", "2 challenge"), ("1 late_start left",)])
def test_a_hard_freeze_makes_nothing_of_a_clock_that_stands_or_waits(lines: tuple[str, ...]) -> None:
    answer = decided(table("naspa-2017", *lines), order("stop", text="Fire alarm"), 10, HARD)
    assert (answer.events, answer.reason) == ((), None)


@pytest.mark.parametrize(("lines", "number"), [((), 1), (("1 press right", "2 end reason=x"), 3)])
def test_names_and_table_come_in_between_games(lines: tuple[str, ...], number: int) -> None:
    place = decided(table("naspa-2017", *lines), order("assign", number=number, **ASSIGN), 5).hall.place
    assert (place.table, place.names) == (12, BySide("Ana", "Björn"))


def test_names_that_come_after_the_end_stand_beside_the_next_game_and_not_beside_this_ones_times() -> None:
    over = table("naspa-2017", "1 press right", "2 end reason=x")
    before = HallState(place=Assignment(12, BySide("Cy", "Di")))
    first = decided(over, order("assign", number=3, **ASSIGN), 5, before).hall
    again = decided(over, order("assign", number=3, name="0d" * 16, **(ASSIGN | {"left": "Anna"})), 6, first).hall
    for hall, left in ((first, "Ana"), (again, "Anna")):
        assert (hall.place.names, hall.played) == (BySide(left, "Björn"), BySide("Cy", "Di"))
        shown = with_hall(face(over, 7 * NS), over, hall, 7 * NS)
        assert shown.halves.map(lambda half: half.marks[-1]) == BySide("Cy", "Di")
        assert shown.hint == f"Next: {left} and Björn"
    # Before the first press the names are this game's.
    assert decided(table("naspa-2017"), order("assign", number=1, **ASSIGN), 5, before).hall.played is None


@pytest.mark.parametrize("lines", [RUNNING, ("1 press right", "2 neutralise"), ("1 late_start left", "5 arrive left")])
@pytest.mark.parametrize(("do", "keys"), [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS)])
def test_nothing_of_the_next_game_comes_in_during_a_game(lines: tuple[str, ...], do: str, keys: dict[str, Any]) -> None:
    answer = decided(table("naspa-2017", *lines), order(do, number=len(lines) + 1, **keys), 10)
    assert answer.reason is RefusalReason.NOT_BETWEEN_GAMES
    assert answer.hall == HallState()


@pytest.mark.parametrize(("do", "keys"), [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS)])
def test_an_order_for_an_earlier_state_is_out_of_date(do: str, keys: dict[str, Any]) -> None:
    over = table("naspa-2017", "1 press right", "2 end reason=x")
    assert decided(over, order(do, number=2, **keys), 5).reason is RefusalReason.OUT_OF_DATE


@pytest.mark.parametrize(("do", "keys"), [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS)])
def test_a_restored_game_waits_for_the_director_first(do: str, keys: dict[str, Any]) -> None:
    frozen = replace(table("naspa-2017"), frozen=0)
    assert decided(frozen, order(do, **keys), 5).reason is RefusalReason.FROZEN


def test_a_set_up_game_is_offered_and_begun_by_the_players_only() -> None:
    over = table("naspa-2017", "1 press right", "2 end reason=x")
    answer = decided(over, order("setup", number=3, **SETUP), 5)
    assert answer.events == ()
    offered = next_game(over.record, answer.offered)
    assert (offered.rulebook_ref, offered.allowed) == ("nzasp-2022", BySide(1200 * NS, None))
    begun = accept(over.record, offered, 6 * NS)
    # It was for that one game.
    assert next_game(accept(begun, ev.End("x"), 7 * NS), answer.offered) == offered
    assert accept(begun, ev.End("x"), 7 * NS).game.rulebook.id == "nzasp-2022"


def test_an_unknown_rulebook_is_refused() -> None:
    assert decided(table("naspa-2017"), order("setup", **{**SETUP, "rulebook": "chess"}), 5).reason is RefusalReason.UNKNOWN_RULEBOOK


@pytest.mark.parametrize(("lines", "number"), [((), 1), (("1 press right", "2 end reason=x"), 3)])
def test_settings_come_in_between_games_and_touch_no_game(lines: tuple[str, ...], number: int) -> None:
    answer = decided(table("naspa-2017", *lines), order("settings", number=number, **SETTINGS), 5)
    assert (answer.reason, answer.events, answer.hall) == (None, (), HallState())
    assert answer.settings == {"language": "fr", "led.brightness": 40}


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (SETTINGS, RefusalReason.SET_ON_CARD),
        ({"language": "xx"}, RefusalReason.UNKNOWN_LANGUAGE),
        ({"language": "es", "buzzer_enabled": True}, None),
    ],
)
def test_what_the_card_sets_or_the_clock_does_not_have_is_refused_as_a_whole(keys: dict[str, Any], reason: RefusalReason | None) -> None:
    hall = HallState(open=OpenSettings(frozenset({"led.brightness"})))
    answer = decided(table("naspa-2017"), order("settings", **keys), 5, hall)
    assert (answer.reason, bool(answer.settings)) == (reason, reason is None)


@pytest.mark.parametrize("lines", [(), RUNNING, ("1 press right", "2 end reason=x")])
def test_a_call_comes_in_always_and_is_never_answered_from_outside(lines: tuple[str, ...]) -> None:
    there = table("naspa-2017", *lines)
    answer = decided(there, call(), 10)
    assert made(answer) == [ev.Call(on=True)]
    called = replace(there, record=accept(there.record, ev.Call(on=True), 10 * NS))
    assert made(decided(called, call(), 11)) == []


ADDRESSEE = Addressee(CLOCK, EPOCH, 1, ("0e" * 16, "0d" * 16, NONCE), ("aa" * 16,))
NOTICE: Order = order("notice", text="x", seconds=5)


def test_a_fresh_order_for_this_clock_passes() -> None:
    assert misdirected(NOTICE, ADDRESSEE, retained=False) is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"device": "c-" + "z" * 16}, RefusalReason.OTHER_DEVICE),
        ({"epoch": "ff" * 8}, RefusalReason.OTHER_EPOCH),
        ({"game": 2}, RefusalReason.OTHER_GAME),
        ({"nonce": "11" * 16}, RefusalReason.STALE),
        ({"id": "aa" * 16}, RefusalReason.REPEATED),
    ],
)
def test_an_order_for_elsewhere_or_of_old_is_refused(changes: dict[str, Any], reason: RefusalReason) -> None:
    assert misdirected(NOTICE.model_copy(update=changes), ADDRESSEE, retained=False) is reason


def test_a_retained_order_is_refused() -> None:
    assert misdirected(NOTICE, ADDRESSEE, retained=True) is RefusalReason.RETAINED


def test_an_order_lives_for_three_beats() -> None:
    later = ADDRESSEE
    for beat in range(2):
        later = later.with_nonce(f"{beat:032x}")
        assert misdirected(NOTICE, later, retained=False) is None
    assert misdirected(NOTICE, later.with_nonce("2" * 32), retained=False) is RefusalReason.STALE


def test_a_verdict_needs_no_nonce_and_a_call_does() -> None:
    silent = replace(ADDRESSEE, nonces=())
    assert misdirected(verdict(), silent, retained=False) is None
    assert misdirected(call(), silent, retained=False) is RefusalReason.STALE


@pytest.mark.parametrize("do", ["press", "resume", "adjust", "new_game", "end", "undo", "swap", "points", "erase_overtime", "reopen"])
def test_no_order_of_that_name_exists(do: str) -> None:
    with pytest.raises(ValidationError):
        order(do)


NAMES = st.text(alphabet="0123456789abcdef", min_size=32, max_size=32)
TEXTS = st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=40)
SECONDS = st.none() | st.integers(0, 86_400)


def proposals(challenges: st.SearchStrategy[int], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Order | VerdictBody]:
    """Return a strategy of all proposals that can be read at all."""
    orders = st.one_of(
        st.builds(lambda text, seconds, name: order("notice", name=name, text=text, seconds=seconds), TEXTS, st.integers(5, 600), NAMES),
        st.builds(lambda text, name: order("stop", name=name, text=text), TEXTS, NAMES),
        st.builds(
            lambda number, left, right, seat: order("assign", number=number, table=seat, left=left, right=right, lexicon=None),
            numbers,
            TEXTS,
            TEXTS,
            st.integers(1, 999),
        ),
        st.builds(
            lambda number, rulebook, left, right: order("setup", number=number, rulebook=rulebook, left_seconds=left, right_seconds=right),
            numbers,
            st.sampled_from(["naspa-2017", "nzasp-2022", "club", "none"]),
            SECONDS,
            SECONDS,
        ),
        st.builds(
            lambda number, language, percent, sounds, choose: order(
                "settings", number=number, language=language, led_brightness=percent, buzzer_enabled=sounds, players_choose_rulebook=choose
            ),
            numbers,
            st.sampled_from(["en", "fr", "xx"]),
            st.none() | st.integers(0, 100),
            st.none() | st.booleans(),
            st.none() | st.booleans(),
        ),
        st.just(order("clear")),
    )
    counts = st.none() | st.integers(1, 100)
    verdicts = st.one_of(
        st.builds(
            lambda number, good, count, old: verdict(challenge=number, acceptable=good, count=count, replaces=old),
            challenges,
            st.booleans(),
            counts,
            st.none() | st.just("0d" * 16),
        ),
        st.builds(
            lambda number, side, count: verdict("conceded", challenge=number, by=side.value, count=count),
            challenges,
            st.sampled_from(Side),
            counts,
        ),
        st.builds(lambda number: verdict("withdrawn", challenge=number), challenges),
        st.just(call()),
    )
    return st.one_of(orders, verdicts)


@given(played(BEGINNINGS), st.data(), st.booleans(), st.booleans(), st.integers(0, 90 * NS))
def test_no_proposal_makes_any_event_but_those_of_the_table(game: Played, data: st.DataObject, hard: bool, stood: bool, later: int) -> None:
    record = keep(*game)
    start = ClockState(record, setup(), frozen=record.at if stood else None)
    now = record.at + later
    before = start.game_at(now)
    numbers = st.integers(1, record.highest + 1) | st.just(record.highest)
    standing = standing_challenge(record, before)
    challenges = numbers if standing is None else st.just(standing) | numbers
    given_before = next((link for link in record if isinstance(link.event, ev.Verdict)), None)
    old = None if given_before is None else StationVerdict("0d" * 16, STATION, given_before.number, 0, True, 1, ())
    answer = decide(start, HallState(hard_freeze=hard, verdict=old), data.draw(proposals(challenges, numbers)), now)
    after = record
    for event, by in answer.events:
        assert isinstance(event, ev.Verdict | ev.Withdraw | ev.Neutralise | ev.Call | ev.Undo)
        if isinstance(event, ev.Neutralise):
            assert hard
        if isinstance(event, ev.Call):
            assert event.on
        if isinstance(event, ev.Undo):
            struck = after.find(event.event or 0)
            assert by is By.PLAYERS
            assert struck is not None
            assert isinstance(struck.event, ev.Verdict)
        # The game takes each of them: the answer is true.
        after = accept(after, event, start.instant(now), by=by)
    assert answer.number is None or answer.events == () or answer.number == after.highest
    if answer.reason is not None:
        assert answer.events == ()
    # Settings come in between games, are of the short list, and touch no game.
    if answer.settings:
        assert answer.settings.keys() <= set(DESK_SETTINGS.values())
        assert between_games(before)
        assert not stood
        assert answer.events == ()
        assert answer.offered is None
    told = after.game_at(start.instant(now))
    # No clock starts, and no time changes.
    assert told.running in (None, before.running)
    at = start.instant(now)
    for side in Side:
        assert told.used_at(side, at) == before.used_at(side, at)
        assert told.allowed.of(side) == before.allowed.of(side) or Phase.OVER in (told.phase, before.phase)
        assert told.credit.of(side) == before.credit.of(side)
    # A game ends only by a verdict on the play that ended it, and nobody is chosen to lose.
    if told.phase is Phase.OVER and before.phase is not Phase.OVER:
        assert before.out_player is not None
        assert any(isinstance(event, ev.Verdict) and event.acceptable for event, _ in answer.events)
        assert told.loser is None
