import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.face.view import face
from firmware.gestures.clock_state import ClockState, apply_event
from firmware.hall.opening import Addressee, Refusal, Trust, misdirected, opened
from firmware.hall.orders import Decision, HallState, ShownNotice, StationVerdict, decide
from firmware.hall.report import clock_report, standing_challenge
from game import events as ev
from game.event_table import BY_NAME
from game.events import By
from game.game import Phase
from game.history import accept
from game.table import Assignment, between_games, next_game
from rules.duration import NS
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import setup, table
from tests.firmware.hall.hall_faces import CLOCK, EPOCH, NONCE, OTHER_STATION, START, STATION, call, decided, made, order, verdict
from tests.firmware.random_games import BEGINNINGS, Played, keep, played
from tests.firmware.saying import RULEBOOKS, event_of
from tests.some import some
from wire import topics
from wire.keys import DeviceKey, load_key, signature_fits
from wire.proposals import DESK_SETTINGS, ORDERS, NoticeOrder, Order, RefusalReason, VerdictBody
from wire.reports import ClockReport, OfferedSetUp
from wire.topics import signed_bytes

HALL = "club-hall"
NAME = "0a" * 16
TODAY = 20_000
ADDRESSEE = Addressee(CLOCK, EPOCH, 1, ("0b" * 16, "0d" * 16, NONCE), START, ("aa" * 16,))
NOTICE: Order = order("notice", text="x", seconds=5)


class Keys:
    def __init__(self, folder: Path) -> None:
        self.hall, self.director, self.stranger = (load_key(folder / name, topics.CLOCK) for name in ("hall", "director", "stranger"))
        self.clock, self.station = load_key(folder / "clock", topics.CLOCK), load_key(folder / "station", topics.STATION)
        self.trust = Trust(HALL, self.hall.public, self.director.public)

    def order(self, by: DeviceKey | None = None, hall: str = HALL, **keys: Any) -> str:
        to = {"id": NAME, "issuer": "desk", "device": self.clock.device, "epoch": "00" * 8, "game": 1, "number": 1, "nonce": "0f" * 16}
        return self.signed(json.dumps({**to, "do": "notice", "text": "Lunch", "seconds": 60, **keys}), by, hall)

    def signed(self, body: str, by: DeviceKey | None = None, hall: str = HALL) -> str:
        return json.dumps({"v": 1, "body": body, "signature": (by or self.director).sign(signed_bytes("tc/1 order", hall, body))})

    def credential(self, device: str | None = None, by: DeviceKey | None = None, key: str | None = None) -> dict[str, Any]:
        body = json.dumps({"device": device or self.station.device, "key": key or self.station.public, "not_after_day": TODAY})
        return {"body": body, "signature": (by or self.hall).sign(signed_bytes("tc/1 credential", HALL, body))}

    def verdict(self, by: DeviceKey | None = None, credential: dict[str, Any] | None = None, **keys: Any) -> str:
        to = {"id": NAME, "station": self.station.device, "device": self.clock.device, "epoch": "00" * 8, "game": 1, "nonce": START}
        body = json.dumps({**to, "do": "verdict", "challenge": 3, "acceptable": True, **keys})
        signature = (by or self.station).sign(signed_bytes("tc/1 verdict", HALL, body))
        return json.dumps({"v": 1, "body": body, "signature": signature, "credential": credential or self.credential()})

    def ordered(self, payload: str, topic: str = "order") -> Any:
        return opened(topic, payload, self.trust, signature_fits, TODAY)

    def judged(self, payload: str, station: str | None = None, today: int | None = TODAY) -> Any:
        return opened(f"verdict/{station or self.station.device}", payload, self.trust, signature_fits, today)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"))


def test_the_directors_order_and_an_enrolled_stations_verdict_open(keys: Keys) -> None:
    assert isinstance(keys.ordered(keys.order()), NoticeOrder)
    # A credential ends only where the date is known.
    assert isinstance(keys.judged(keys.verdict(), today=None), VerdictBody)
    assert keys.judged(keys.verdict(), today=TODAY + 1).reason is RefusalReason.NOT_ENROLLED
    assert isinstance(keys.judged(keys.verdict()), VerdictBody)


def test_an_order_or_a_verdict_by_another_key_for_another_hall_or_with_a_changed_body_is_forged(keys: Keys) -> None:
    changed = keys.order().replace("Lunch", "Lynch")
    for payload in (keys.order(keys.stranger), keys.order(keys.station), keys.order(hall="other-hall"), changed):
        assert keys.ordered(payload) == Refusal(RefusalReason.BAD_SIGNATURE, NAME, "order")
    assert keys.judged(keys.verdict(keys.director)).reason is RefusalReason.BAD_SIGNATURE


def test_a_station_is_enrolled_by_the_halls_key_alone_and_for_its_own_topic(keys: Keys) -> None:
    others = keys.credential(device=keys.clock.device, key=keys.clock.public)
    for credential in (keys.credential(by=keys.stranger), others, keys.credential(key=keys.stranger.public)):
        assert keys.judged(keys.verdict(credential=credential)).reason is RefusalReason.NOT_ENROLLED
    assert keys.judged(keys.verdict(), "s-" + "z" * 16).reason is RefusalReason.NOT_ENROLLED


def test_an_order_of_another_version_a_verdict_or_call_of_the_desk_and_more_than_8192_bytes_are_refused(keys: Keys) -> None:
    for payload in ("", "{", "[]", "null", '{"v":1}', "[" * 4000, '{"v":1,"body":"{}","signature":"x"}'):
        assert keys.ordered(payload).reason is RefusalReason.MALFORMED
    assert keys.ordered(keys.order(v=2)) == Refusal(RefusalReason.MALFORMED, NAME, "order")
    assert keys.ordered(keys.verdict()).reason is RefusalReason.MALFORMED
    assert keys.ordered("é" * 4_097).reason is RefusalReason.TOO_LARGE
    for do in ("verdict", "call"):
        assert keys.ordered(keys.order(do=do)).reason is RefusalReason.MALFORMED
    assert keys.ordered(keys.order(), "resume").reason is RefusalReason.NOT_ALLOWED


@pytest.mark.parametrize("do", sorted(set(BY_NAME) - {"verdict", "call"}))
def test_no_event_of_the_core_is_an_order_even_where_the_director_signs_it(keys: Keys, do: str) -> None:
    assert keys.ordered(keys.order(do=do)) == Refusal(RefusalReason.NOT_ALLOWED, NAME, "order")
    assert keys.judged(keys.verdict(do=do)).reason is RefusalReason.NOT_ALLOWED


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"device": "c-" + "z" * 16}, RefusalReason.OTHER_DEVICE),
        ({"epoch": "ff" * 8}, RefusalReason.OTHER_EPOCH),
        ({"game": 2}, RefusalReason.OTHER_GAME),
        ({"nonce": "11" * 16}, RefusalReason.STALE),
        ({"id": "aa" * 16}, RefusalReason.REPEATED),
    ],
)
def test_an_order_for_elsewhere_or_of_old_or_retained_is_refused(changes: dict[str, Any], reason: RefusalReason | None) -> None:
    assert misdirected(NOTICE.model_copy(update=changes), ADDRESSEE, retained=False) is reason
    assert misdirected(NOTICE, ADDRESSEE, retained=True) is RefusalReason.RETAINED


@pytest.mark.parametrize("proposal", [verdict(), verdict("withdrawn"), call()])
def test_a_stations_message_is_for_one_start_of_the_clock_and_no_beats_nonce_replaces_it(proposal: VerdictBody) -> None:
    assert misdirected(proposal, replace(ADDRESSEE, nonces=()), retained=False) is None
    assert misdirected(proposal, replace(ADDRESSEE, start="0b" * 16), retained=False) is RefusalReason.STALE
    assert misdirected(proposal.model_copy(update={"nonce": NONCE}), ADDRESSEE, retained=False) is RefusalReason.STALE
    assert misdirected(NOTICE.model_copy(update={"nonce": START}), ADDRESSEE, retained=False) is RefusalReason.STALE


ASSIGN: dict[str, Any] = {"table": 12, "left": "Ana", "right": "Björn", "lexicon": None}
SETUP: dict[str, Any] = {"rulebook": "nzasp-2022", "left_seconds": 1200, "right_seconds": None}
SETTINGS: dict[str, Any] = {"language": "fr", "led_brightness": 40}
BETWEEN: list[tuple[str, dict[str, Any]]] = [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS), ("update", {})]
EXAMPLES: dict[str, dict[str, Any]] = {
    **dict(BETWEEN),
    "notice": {"text": "Lunch", "seconds": 60},
    "stop": {"text": "Fire alarm"},
    "clear": {},
    "round": {"began": -5},
    "timer": {"begins": 7 * NS, "seconds": 150},
}
RUNNING, NEUTRAL, CHALLENGED = ("1 press right",), ("1 press right", "2 neutralise"), ("1 press right", "2 challenge")
OVER = ("1 press right", "2 end reason=x")
LATE = ("1 late_start left",)
FIRST, SECOND = "1a" * 16, "2a" * 16


def after(start: ClockState, answer: Decision, at_s: float) -> ClockState:
    history = start.history
    for event, by in answer.events:
        history = accept(history, event, int(at_s * NS), by=by)
    return replace(start, history=history)


def test_the_clock_opens_and_decides_every_order_of_the_wire(keys: Keys) -> None:
    free = table("naspa-2017")
    for cell in each_cell(ORDERS):
        with cell as do:
            opened_order = keys.ordered(keys.signed(order(do, **EXAMPLES[do]).model_dump_json()))
            assert type(opened_order) is ORDERS[do]
            assert decided(free, opened_order, 5, HallState(updates=True)).reason is None


def test_a_notice_stands_for_its_seconds_and_touches_no_game_and_clear_takes_it_away() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("notice", text="Lunch at noon", seconds=60), 10)
    assert answer.hall.notice == ShownNotice("Lunch at noon", 70 * NS)
    assert (answer.reason, answer.events) == (None, ())
    hall = HallState(notice=ShownNotice("x", 1), stop="y")
    answer = decided(table("naspa-2017"), order("clear"), 1, hall)
    assert (answer.hall.notice, answer.hall.stop) == (None, None)


STOP_BY_DIRECTOR = (ev.Neutralise("director called"), By.DIRECTOR)


@pytest.mark.parametrize(
    ("lines", "hard", "events", "number"),
    [
        (RUNNING, False, (), None),
        (RUNNING, True, (STOP_BY_DIRECTOR,), 3),
        # A clock that stands or waits.
        *((lines, True, (), None) for lines in ((), NEUTRAL, CHALLENGED, LATE)),
    ],
)
def test_a_stop_asks_and_a_hard_freeze_stops(lines: tuple[str, ...], hard: bool, events: tuple[object, ...], number: int | None) -> None:
    answer = decided(table("naspa-2017", *lines), order("stop", text="Fire alarm"), 10, HallState(hard_freeze=hard))
    assert (answer.events, answer.number, answer.reason) == (events, number, None)
    assert answer.hall.stop == "Fire alarm"


@pytest.mark.parametrize(("lines", "number"), [((), 1), (OVER, 3)])
def test_names_table_and_settings_come_in_between_games(lines: tuple[str, ...], number: int) -> None:
    place = decided(table("naspa-2017", *lines), order("assign", number=number, **ASSIGN), 5).hall.place
    assert (place.table, place.names) == (12, BySide("Ana", "Björn"))
    answer = decided(table("naspa-2017", *lines), order("settings", number=number, **SETTINGS), 5)
    assert (answer.reason, answer.events, answer.hall) == (None, (), HallState())
    assert answer.settings == {"language": "fr", "led.brightness": 40}


def test_names_that_come_after_the_end_stand_beside_the_next_game_and_not_beside_this_ones_times() -> None:
    over = table("naspa-2017", *OVER)
    before = HallState(place=Assignment(12, BySide("Cy", "Di")))
    first = decided(over, order("assign", number=3, **ASSIGN), 5, before).hall
    again = decided(over, order("assign", number=3, name="0d" * 16, **(ASSIGN | {"left": "Anna"})), 6, first).hall
    for hall, left in ((first, "Ana"), (again, "Anna")):
        assert (hall.place.names, hall.played) == (BySide(left, "Björn"), BySide("Cy", "Di"))
        shown = hall.shown_on(face(over, 7 * NS), over, 7 * NS)
        assert shown.halves.map(lambda half: half.marks[-1]) == BySide("Cy", "Di")
        assert shown.hint == f"Next: {left} and Björn"
    # Before the first press the names are this game's.
    assert decided(table("naspa-2017"), order("assign", number=1, **ASSIGN), 5, before).hall.played is None


@pytest.mark.parametrize(("do", "keys"), BETWEEN)
def test_nothing_of_the_next_game_comes_in_during_a_game_nor_for_an_earlier_state(do: str, keys: dict[str, Any]) -> None:
    for lines in (RUNNING, NEUTRAL, (*LATE, "5 arrive left")):
        answer = decided(table("naspa-2017", *lines), order(do, number=len(lines) + 1, **keys), 10)
        assert (answer.reason, answer.hall) == (RefusalReason.NOT_BETWEEN_GAMES, HallState())
    assert decided(table("naspa-2017", *OVER), order(do, number=2, **keys), 5).reason is RefusalReason.OUT_OF_DATE


@pytest.mark.parametrize(
    "proposal", [*(order(do, **keys) for do, keys in BETWEEN), order("round", began=0), order("timer", begins=None), verdict()]
)
def test_a_restored_game_waits_for_the_director_first(proposal: Order | VerdictBody) -> None:
    frozen = replace(table("naspa-2017", *(CHALLENGED if isinstance(proposal, VerdictBody) else ())), frozen=0)
    assert decided(frozen, proposal, 5).reason is RefusalReason.FROZEN


def test_a_set_up_game_is_offered_and_begun_by_the_players_only() -> None:
    over = table("naspa-2017", *OVER)
    answer = decided(over, order("setup", number=3, **SETUP), 5)
    assert answer.events == ()
    offered = next_game(over.history, answer.offered)
    assert (offered.rulebook_ref, offered.allowed) == ("nzasp-2022", BySide(1200 * NS, None))
    ended = accept(accept(over.history, offered, 6 * NS), ev.End("x"), 7 * NS)
    # It was for that one game: the times of the one after are the regulation (2017 III.A.3).
    assert next_game(ended, answer.offered) == replace(offered, allowed=BySide.both(None))
    assert ended.game.rulebook.id == "nzasp-2022"


@pytest.mark.parametrize(
    ("do", "keys", "reason"),
    [
        ("setup", SETUP | {"rulebook": "chess"}, RefusalReason.UNKNOWN_RULEBOOK),
        ("settings", SETTINGS, RefusalReason.SET_ON_CARD),
        ("settings", {"language": "xx"}, RefusalReason.UNKNOWN_LANGUAGE),
        ("settings", {"language": "es", "buzzer_enabled": True}, None),
    ],
)
def test_what_the_card_sets_or_the_clock_does_not_have_is_refused(do: str, keys: dict[str, Any], reason: RefusalReason | None) -> None:
    hall = HallState(on_card=frozenset({"led.brightness"}))
    answer = decided(table("naspa-2017"), order(do, **keys), 5, hall)
    assert (answer.reason, bool(answer.settings)) == (reason, reason is None)


@pytest.mark.parametrize("lines", [(), RUNNING, OVER])
def test_a_call_comes_in_always_and_is_never_answered_from_outside(lines: tuple[str, ...]) -> None:
    there = table("naspa-2017", *lines)
    assert made(decided(there, call(), 10)) == [ev.Call(on=True)]
    called = replace(there, history=accept(there.history, ev.Call(on=True), 10 * NS))
    assert made(decided(called, call(), 11)) == []


@pytest.mark.parametrize(
    ("lines", "proposal", "events"),
    [
        (CHALLENGED, verdict(), [ev.Verdict(acceptable=True)]),
        (CHALLENGED, verdict(acceptable=False, count=2), [ev.Verdict(acceptable=False, words=2)]),
        # A corrected challenger is no other challenge.
        ((*CHALLENGED, "3 challenge right"), verdict(), [ev.Verdict(acceptable=True)]),
        # A concession is a verdict against who concedes: left is the challenger.
        (CHALLENGED, verdict("conceded", by="left"), [ev.Verdict(acceptable=True)]),
        (CHALLENGED, verdict("conceded", by="right"), [ev.Verdict(acceptable=False)]),
        (CHALLENGED, verdict("withdrawn"), [ev.Withdraw()]),
    ],
)
def test_a_verdict_on_the_standing_challenge_counts(lines: tuple[str, ...], proposal: VerdictBody, events: list[ev.Event]) -> None:
    assert made(decided(table("naspa-2017", *lines), proposal, 9)) == events


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (RUNNING, RefusalReason.NO_CHALLENGE),
        ((*CHALLENGED, "3 withdraw"), RefusalReason.NO_CHALLENGE),
        ((*CHALLENGED, "3 resume right"), RefusalReason.NO_CHALLENGE),
        ((*CHALLENGED, "3 withdraw", "4 resume left", "5 challenge"), RefusalReason.OTHER_CHALLENGE),
        ((*CHALLENGED, "3 verdict acceptable=false"), RefusalReason.HAS_VERDICT),
        ((*CHALLENGED, "3 verdict acceptable=false", "4 resume left", "5 challenge"), RefusalReason.HAS_VERDICT),
        (OVER, RefusalReason.NO_CHALLENGE),
    ],
)
def test_a_verdict_on_anything_else_changes_nothing(lines: tuple[str, ...], reason: RefusalReason) -> None:
    for body in (verdict(), verdict("conceded", by="left"), verdict("withdrawn")):
        answer = decided(table("naspa-2017", *lines), body, 9)
        assert (answer.reason, answer.events, answer.hall) == (reason, (), HallState())


def test_a_withdrawal_and_a_verdict_on_the_out_play_go_by_the_rule_and_of_two_stations_the_first_counts() -> None:
    standing = table("naspa-2017", *CHALLENGED)
    first = decided(standing, verdict(), 9)
    second = verdict(name=SECOND, acceptable=False).model_copy(update={"station": OTHER_STATION})
    assert decided(after(standing, first, 9), second, 10, first.hall).reason is RefusalReason.HAS_VERDICT
    assert decided(table("nzasp-2022", *CHALLENGED), verdict("withdrawn"), 9).reason is RefusalReason.NOT_BY_RULEBOOK
    out = table("naspa-2017", "1 press right", "2 out_play", "3 challenge")
    game = after(out, decided(out, verdict(challenge=4), 9), 9).game_at(9 * NS)
    assert (game.phase.value, game.reason, game.loser) == ("over", "out play", None)


def judged() -> tuple[ClockState, HallState]:
    standing = table("naspa-2017-collins-5", *CHALLENGED)
    first = decided(standing, verdict(name=FIRST), 9)
    return after(standing, first, 9), first.hall


CORRECTION = verdict(name=SECOND, acceptable=False, replaces=FIRST)


def test_a_corrected_verdict_strikes_the_first_if_the_players_have_not_and_counts_itself() -> None:
    there, hall = judged()
    answer = decided(there, CORRECTION, 20, hall)
    assert made(answer) == [ev.Undo("corrected at the station", 4), ev.Verdict(acceptable=False)]
    game = after(there, answer, 20).game_at(20 * NS)
    assert (game.turn, game.accounts.right.points, answer.number) == (Side.LEFT, 0, 6)
    there, hall = judged()
    undone = replace(there, history=accept(there.history, ev.Undo("x"), 12 * NS, by=ev.By.PLAYERS))
    assert made(decided(undone, CORRECTION, 20, hall)) == [ev.Verdict(acceptable=False)]


def test_a_verdict_is_shown_with_its_words_and_the_same_again_changes_nothing_and_can_be_corrected_in_its_turn() -> None:
    there, hall = judged()
    answer = decided(there, verdict(name=SECOND, replaces=FIRST), 20, hall)
    assert (answer.reason, answer.events, answer.number) == (None, (), 4)
    assert made(decided(there, verdict(name="3a" * 16, acceptable=False, replaces=SECOND), 30, answer.hall)) != []
    answer = decided(table("naspa-2017", *CHALLENGED), verdict(count=2, words=("QI", "ZA")), 9)
    assert (answer.number, answer.hall.verdict) == (4, StationVerdict("0b" * 16, STATION, 4, 9 * NS, True, 2, ("QI", "ZA")))


@pytest.mark.parametrize(
    ("line", "at", "reason"),
    [
        (None, 69, None),
        (None, 69.5, RefusalReason.GONE_ON),
        ("resume left", 20, RefusalReason.GONE_ON),
        ("adjust left seconds=5 when=now reason=x", 20, RefusalReason.GONE_ON),
    ],
)
def test_a_correction_after_sixty_seconds_or_once_play_has_gone_on_fails(line: str | None, at: float, reason: RefusalReason | None) -> None:
    there, hall = judged()
    if line is not None:
        there = replace(there, history=accept(there.history, event_of(line), 12 * NS))
    assert decided(there, CORRECTION, at, hall).reason is reason


@pytest.mark.parametrize("changes", [{"replaces": None}, {"replaces": "9a" * 16}, {"station": OTHER_STATION}])
def test_only_the_station_that_gave_a_verdict_corrects_it(changes: dict[str, Any]) -> None:
    there, hall = judged()
    assert decided(there, CORRECTION.model_copy(update=changes), 20, hall).reason is RefusalReason.HAS_VERDICT


VARIED: list[tuple[str, dict[str, Any]]] = [
    *EXAMPLES.items(),
    ("setup", SETUP | {"rulebook": "none"}),
    ("settings", {"language": "xx"}),
    ("settings", {"buzzer_enabled": True, "players_choose_rulebook": False}),
    ("round", {"began": None}),
    ("timer", {"begins": -(10**15), "seconds": 3_600, "label": "Move 7"}),
]


def proposals(challenges: st.SearchStrategy[int], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Order | VerdictBody]:
    counts, replaced = st.none() | st.integers(1, 100), st.none() | st.just("0d" * 16)
    return st.one_of(
        st.builds(lambda each, number: order(each[0], number=number, **each[1]), st.sampled_from(VARIED), numbers),
        st.builds(verdict, challenge=challenges, acceptable=st.booleans(), count=counts, replaces=replaced),
        st.builds(lambda **keys: verdict("conceded", **keys), challenge=challenges, by=st.sampled_from(["left", "right"]), count=counts),
        st.builds(lambda challenge: verdict("withdrawn", challenge=challenge), challenges),
        st.just(call()),
    )


@given(played(BEGINNINGS), st.data(), st.booleans(), st.booleans(), st.integers(0, 90 * NS))
def test_no_proposal_makes_any_event_but_those_of_the_table(game: Played, data: st.DataObject, hard: bool, stood: bool, later: int) -> None:
    history = keep(*game)
    start = ClockState(history, setup(), frozen=history.at if stood else None)
    now = history.at + later
    before = start.game_at(now)
    numbers = st.integers(1, history.number + 1) | st.just(history.number)
    standing = standing_challenge(history, before)
    challenges = numbers if standing is None else st.just(standing) | numbers
    given_before = next((link for link in history if isinstance(link.event, ev.Verdict)), None)
    old = None if given_before is None else StationVerdict("0d" * 16, STATION, given_before.number, 0, True, 1, ())
    updates = data.draw(st.booleans())
    answer = decide(start, HallState(hard_freeze=hard, verdict=old, updates=updates), data.draw(proposals(challenges, numbers)), now)
    last, at = history, start.instant(now)
    for event, by in answer.events:
        assert isinstance(event, ev.Verdict | ev.Withdraw | ev.Neutralise | ev.Call | ev.Undo)
        assert hard or not isinstance(event, ev.Neutralise)
        assert not isinstance(event, ev.Call) or event.on
        if isinstance(event, ev.Undo):
            struck = last.find(event.event or 0)
            assert by is By.PLAYERS
            assert isinstance(some(struck).event, ev.Verdict)
        # The game takes each of them: the answer is true.
        last = accept(last, event, at, by=by)
    assert answer.number is None or answer.events == () or answer.number == last.number
    assert answer.reason is None or answer.events == ()
    # Settings and an update come in between games and touch none; settings are of the short list, an update is where the owner allows it.
    if answer.settings or answer.hall.updating:
        assert between_games(before)
        assert not stood
        assert answer.events == ()
        assert answer.offered is None
    assert (answer.settings or {}).keys() <= set(DESK_SETTINGS.values())
    assert updates or not answer.hall.updating
    found = last.game_at(at)
    # No clock starts, and no time changes.
    assert found.running in (None, before.running)
    for side in Side:
        assert found.used_at(side, at) == before.used_at(side, at)
        assert found.accounts.of(side).allowed == before.accounts.of(side).allowed or Phase.OVER in (found.phase, before.phase)
        assert found.accounts.of(side).credit == before.accounts.of(side).credit
    # Only a verdict on the play that ended the game ends it; no proposal chooses the loser.
    if found.phase is Phase.OVER and before.phase is not Phase.OVER:
        assert before.out_player is not None
        assert any(isinstance(event, ev.Verdict) and event.acceptable for event, _ in answer.events)
        assert found.loser is None


STAMP: dict[str, Any] = {"boot": "boot", "nonce": START, "epoch": "0011223344556677"}
PLACE = Assignment(12, BySide("Ann", "Bo"))
PRESSED = ("5 press right", "20 press left")
GAMES = (
    (),
    PRESSED[:1],
    (PRESSED[0], "65.5 press left"),
    (PRESSED[0], "1400 press left"),
    (PRESSED[0], "20 hold", "30 release"),
    (PRESSED[0], "20 neutralise reason=x", "60 resume left"),
    (PRESSED[0], "20 call on=true"),
    (*PRESSED, "22 challenge"),
    (*PRESSED, "22 challenge", "40 verdict acceptable=true words=2"),
    (*PRESSED, "30 end reason=x"),
)


def reported(at: ClockState, now_ns: int) -> ClockReport:
    return clock_report(at, PLACE, 1, now_ns, **STAMP)


def computed(report: ClockReport, side: Side, at: int) -> int:
    account = report.left if side is Side.LEFT else report.right
    return account.remaining_ns - (max(0, at - report.at) if report.running == side.value else 0)


@given(
    st.sampled_from(GAMES), st.sampled_from(RULEBOOKS), st.integers(0, 4000 * NS), st.integers(0, 4000 * NS), st.integers(-(10**13), 10**13)
)
def test_a_report_gives_every_reading_until_the_next(lines: tuple[str, ...], rulebook: str, since: int, later: int, offset: int) -> None:
    played = table(rulebook, *lines)
    now = max(since, played.history.at)
    # The hands' time is another one than the game's after a restart.
    report = reported(replace(played, offset=offset), now - offset)
    game, after = played.game_at(now), played.game_at(now + later)
    # A timed transition in between makes a report of its own.
    if game == after:
        for side in Side:
            assert computed(report, side, now + later - offset) == after.remaining(side, now + later)


def test_a_report_names_the_challenge_and_the_next_game_until_it_begins() -> None:
    challenged = [reported(table(book, *PRESSED, "22 challenge"), 30 * NS) for book in ("naspa-2017-collins-5", "naspa-2017")]
    assert [some(each.challenge).words_asked for each in challenged] == [True, False]
    report = challenged[1]
    assert (report.phase, some(report.challenge).number, some(report.challenge).challenger) == ("adjudication", 4, report.turn)
    assert (report.table, report.names.right, report.epoch, report.number) == (12, "Bo", "0011223344556677", 4)
    assert reported(table("naspa-2017", *PRESSED), 30 * NS).challenge is None
    over = table("naspa-2017", "5 press right", "30 end reason=x")
    assert reported(over, 40 * NS).offered is None
    # Until the director confirms the times after a power cut, nothing of the next game comes in.
    frozen = replace(over, frozen=40 * NS)
    assert [reported(each, 40 * NS).between_games for each in (over, frozen)] == [True, False]
    answer = decided(over, order("setup", number=3, rulebook="nzasp-2022", left_seconds=1200, right_seconds=None), 35)
    set_up = replace(over, setup=replace(over.setup, offered=answer.offered))
    assert reported(set_up, 40 * NS).offered == OfferedSetUp(rulebook="nzasp-2022", left=1200 * NS, right=1500 * NS)
    begun = apply_event(set_up, next_game(set_up.history, set_up.setup.offered), 50 * NS)
    assert reported(begun, 60 * NS).offered is None
