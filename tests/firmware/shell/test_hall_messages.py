import errno
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import Struct, field

from appliance.clocks import Clocks
from appliance.errors import Diagnosis
from appliance.program import UpdateRequest
from appliance.settings import RejectedSettings
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.hall.opening import Refusal, Trust
from firmware.hall.orders import HallState, offered_again
from firmware.journal.writer import JournalRecorder, JournalWriter
from firmware.settings import DeskFile, read_desk_file
from firmware.shell.clock import TableClock
from firmware.shell.hall import WAITING, ClockDevice, HallInput, ProposalGate, Proposed, RefusedPackets
from firmware.shell.hall_messages import ANSWERS_NS, TAKEN_NS, HallMessages, SettingsWriter
from firmware.shell.notices import Notices
from game.exact_json import decode
from game.game import Phase
from game.table import Assignment
from records.journal import Kind, accepted_in, last_assigned, last_set_up, place_of, stop_asked_at
from rules.contact import MS
from rules.duration import NS
from rules.side import BySide
from tests.firmware.gestures.trains import setup
from tests.firmware.hall.hall_faces import CLOCK, EPOCH, NONCE, START, order, verdict
from tests.firmware.saying import play
from tests.firmware.shell.rig import rows_in
from tests.processes import PATIENCE_S, until
from tests.some import some
from wire.proposals import Order, RefusalReason, SettingValue, SignedBody, VerdictBody
from wire.reports import LinkState, UpdateOutcome

STARTED, CHALLENGED, OVER = ("1 press right",), ("1 press right", "2 challenge"), ("1 press right", "2 end reason=x")
AT = 20 * NS
ANSWERED = AT + ANSWERS_NS


class Identity(Struct, frozen=True, dict=True):
    device: str = CLOCK


class Gate(Struct):
    due: int | None = None

    def rest(self, now: int, *, stops: bool) -> RefusedPackets | None:  # noqa: ARG002 - as the clock's own gate has it
        return None


class Source(Struct):
    epoch: str | None = EPOCH
    nonces: tuple[str, ...] = (NONCE,)
    start: str = START
    key: Identity | None = field(default_factory=Identity)
    place: Assignment = Assignment()
    timer: int | None = None
    answers: list[tuple[str, RefusalReason | None, int | None]] = field(default_factory=list)
    gate: Gate = field(default_factory=Gate)
    updated: UpdateOutcome | None = None

    def begin(self) -> None: ...

    def show(self, table: ClockState, game: int, now: int, notices: Notices, here: BySide[bool] | None) -> None: ...

    def answer(self, command: str, reason: RefusalReason | None, number: int | None) -> None:
        self.answers.append((command, reason, number))


class Table:
    def __init__(self, folder: Path, *lines: str) -> None:
        self.path = folder / "journal.db"
        self.writer = JournalWriter(self.path, lambda _: None)
        state = ClockState(play("naspa-2017-collins-5", *lines).history, setup())
        recorder = JournalRecorder(self.writer, Clocks(lambda: 0, lambda: "", lambda: "boot"), 0, None)
        self.clock = TableClock(state, recorder, Notices(), 2 * NS)
        self.source = Source()
        self.request = UpdateRequest(folder / "update", folder / "outcome")
        self.written: list[Mapping[str, SettingValue]] = []
        self.hall = self.messages(HallState())

    def messages(self, hall: HallState) -> HallMessages:
        return HallMessages(self.clock, cast("ClockDevice", self.source), hall, write_settings=self.written.append, update=self.request)

    def take(self, proposal: Order | VerdictBody, at_s: float, *, retained: bool = False) -> tuple[RefusalReason | None, int | None]:
        self.hall.receive(Proposed(proposal, retained), int(at_s * NS))
        name, *rest = self.source.answers[-1]
        assert name == proposal.id
        return rest[0], rest[1]  # type: ignore[return-value]  # the two that remain

    def misdirected(self, number: int, at_s: float) -> None:
        proposal = order("clear", name=f"{number:032x}").model_copy(update={"game": 9})
        assert self.take(proposal, at_s)[0] is RefusalReason.OTHER_GAME

    def ordered(self) -> RefusalReason | None:
        self.hall = self.messages(HallState(updates=True))
        return self.take(order("update", number=self.clock.table.history.number), AT / NS)[0]

    def press(self, button: str, at: int, held: int = NS // 10) -> None:
        self.clock.edge(button, at, down=True)
        self.clock.tick(at + held)
        self.clock.edge(button, at + held, down=False)
        self.clock.tick(at + held + NS)

    @property
    def began(self) -> bool:
        return self.clock.table.game_at(AT + 500 * NS).phase not in (Phase.READY, Phase.OVER)

    def rows(self, kind: Kind) -> list[dict[str, Any]]:
        assert self.writer.close(20)
        return [decode(stored.row.body) for stored in rows_in(self.path) if stored.row.kind == kind]


Tables = Callable[..., Table]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    made: list[Table] = []

    def make(*lines: str) -> Table:
        made.append(Table(tmp_path, *lines))
        return made[-1]

    yield make
    for each in made:
        each.writer.close(20)


@pytest.fixture
def ready(tables: Tables) -> Table:
    return tables()


@pytest.fixture
def started(tables: Tables) -> Table:
    return tables(*STARTED)


def test_a_verdict_counts_shows_its_words_and_is_in_the_journal_and_comes_once(tables: Tables) -> None:
    there = tables(*CHALLENGED)
    assert there.take(verdict(count=2, words=("QI", "ZA")), 9) == (None, 4)
    assert "The station: QI, ZA · +10 points" in there.clock.face(9 * NS).details
    assert there.clock.next_due(9 * NS) is not None
    assert not any("QI" in line for line in there.clock.face(19 * NS).details)
    assert there.take(verdict(), 10) == (RefusalReason.REPEATED, None)
    assert there.take(order("clear"), 11, retained=True) == (RefusalReason.RETAINED, None)
    accepted, *refused = there.rows(Kind.PROPOSAL)
    assert accepted == {"id": "0b" * 16, "issuer": "s-" + "b" * 16, "what": "verdict", "answer": "accepted", "number": 4}
    assert [body["answer"] for body in refused] == ["repeated", "retained"]
    assert there.rows(Kind.EVENT)[-1] == {"do": "verdict", "acceptable": True, "words": 2}


def test_the_journal_has_the_times_of_a_set_up(ready: Table) -> None:
    keys: dict[str, Any] = {"rulebook": "naspa-2017", "left_seconds": 1200, "right_seconds": None}
    assert ready.take(order("setup", number=1, **keys), 9) == (None, None)
    assert ready.rows(Kind.PROPOSAL)[-1]["setup"] == keys
    # After a restart only that game's, and only what this clock can offer.
    found = [last_set_up(accepted_in(ready.path, game, 1000)) for game in (ready.clock.game, ready.clock.game + 1)]
    assert found == [keys, None]
    assert offered_again(ready.clock.table, found[0]) == ready.clock.table.setup.offered
    for unusable in (None, "x", {}, keys | {"rulebook": "none"}, keys | {"left_seconds": "1"}, keys | {"left_seconds": -1}):
        assert offered_again(ready.clock.table, unusable) is None


def test_the_start_of_the_round_is_what_a_late_start_counts_from_until_the_desk_takes_it_back(ready: Table) -> None:
    known = []
    for at, (name, began) in enumerate((("0c", -90 * NS), ("0d", 20 * NS), ("0e", None)), 9):
        assert ready.take(order("round", name=name * 16, began=began), at) == (None, None)
        known.append(ready.clock.table.setup.round_began)
    offset = ready.clock.table.offset
    assert known == [-90 * NS + offset, 20 * NS + offset, None]
    assert [row["round"]["ago_s"] for row in ready.rows(Kind.PROPOSAL)] == [99, -10, None]


def test_a_press_that_begins_a_game_ends_the_timer_at_that_clock(ready: Table) -> None:
    assert ready.take(order("timer", begins=9 * NS, seconds=180, warnings=(30,), label="Move 7"), 9) == (None, None)
    assert [ready.clock.face(at * NS).halves.left.reading for at in (9, 10)] == ["3:00", "2:59"]
    dues = []
    for turned, at in ((True, 10), (False, 12)):
        ready.clock.edge("key", at * NS, down=turned)
        ready.clock.tick((at + 1) * NS)
        dues.append((ready.clock.table.menu is not None, ready.clock.next_due((at + 1) * NS)))
    # Behind the open menu nothing changes: the loop sleeps.
    assert dues == [(True, None), (False, 14 * NS)]
    ready.press("right", 13 * NS)
    shown = ready.clock.face(14 * NS)
    assert (shown.phase, shown.halves.left.reading, ready.clock.hall) == (Phase.RUNNING, "24:59", HallState())
    assert ready.take(order("timer", name="0d" * 16, begins=9 * NS, seconds=180), 15)[0] is RefusalReason.NOT_BETWEEN_GAMES
    first, _ = ready.rows(Kind.PROPOSAL)
    assert (first["text"], first["timer"], len(ready.rows(Kind.EVENT))) == ("Move 7", {"seconds": 180, "ago_s": 0}, 2)


def test_the_instant_of_the_first_request_is_kept_for_a_credit_also_over_a_restart(started: Table) -> None:
    asked = []
    for name, do, at in (("01", "stop", 9), ("02", "stop", 11), ("03", "clear", 12), ("04", "stop", 20), ("04", "stop", 30)):
        keys: dict[str, Any] = {"text": "Fire"} if do == "stop" else {}
        started.take(order(do, name=name * 16, **keys), at)
        asked.append(started.clock.table.setup.stop_asked)
    assert asked == [9 * NS, 9 * NS, 9 * NS, 20 * NS, 20 * NS]
    assert started.writer.close(20)
    game = started.clock.game
    assert [stop_asked_at(accepted_in(started.path, each, 1000)) for each in (game, game + 1)] == [20 * NS, None]


def test_a_late_press_of_the_player_still_comes_before_a_freeze(started: Table) -> None:
    started.clock.hall = HallState(hard_freeze=True)
    started.take(order("stop", text="x"), 9)
    started.press("left", 8_600 * MS, 100 * MS)
    game = started.clock.table.game_at(60 * NS)
    assert (game.phase, game.used) == (Phase.NEUTRAL, BySide(7_600 * MS, 400 * MS))


def test_names_and_a_set_up_game_wait_for_the_players(tables: Tables) -> None:
    there = tables(*OVER)
    assert there.take(order("assign", number=3, table=12, left="Ana", right="Björn", lexicon=None), 9) == (None, None)
    setup_next = order("setup", number=3, name="0d" * 16, rulebook="nzasp-2022", left_seconds=1200, right_seconds=None)
    assert there.take(setup_next, 10) == (None, None)
    shown = there.clock.face(10 * NS)
    assert shown.phase is Phase.OVER
    # Beside the times of the game that is over stand the names of its players, of which the hall gave none.
    assert not any("Ana" in half.marks or "Björn" in half.marks for _, half in shown.halves.items())
    assert shown.rulebook.endswith(" · table 12 · hall not reached")
    assert shown.hint.startswith("Next game: ")
    assert shown.hint.endswith(" · 20:00 and 25:00")
    assert there.writer.close(20)
    assert place_of(last_assigned(there.path), Assignment()) == Assignment(12, BySide("Ana", "Björn"))


def test_a_notice_covers_nothing_and_goes_and_without_a_hall_the_face_is_the_games_alone(started: Table) -> None:
    started.take(order("notice", text="Lunch at noon", seconds=30), 9)
    assert [started.clock.face(at * NS).hint for at in (9, 39)] == ["Lunch at noon", ""]
    started.clock.hall = None
    assert started.clock.face(9 * NS) == face(started.clock.table, 9 * NS)


@pytest.mark.parametrize("own_file", [True, False])
def test_settings_that_are_taken_end_the_notice_of_a_spoiled_desk_file_and_no_other(ready: Table, own_file: bool) -> None:
    ready.clock.refused(3 * NS, RejectedSettings(Diagnosis("spoiled"), last_good=False, own_file=own_file))
    noticed = ready.clock.notices.lines(ready.clock.table)
    assert len(noticed) == 1
    assert ready.take(order("settings", language="xx"), 4)[0] is RefusalReason.UNKNOWN_LANGUAGE
    assert ready.clock.notices.lines(ready.clock.table) == noticed
    assert ready.take(order("settings", led_brightness=5, name="0d" * 16), 5)[0] is None
    assert ready.clock.notices.lines(ready.clock.table) == (() if own_file else noticed)


def test_a_list_of_rulebooks_that_is_forbidden_meanwhile_closes(ready: Table) -> None:
    ready.take(order("settings", players_choose_rulebook=True), 3)
    # Open the menu with the bar, move up to the rulebooks and take them.
    for button, began, held_ms in (("centre", 5, 1_200), ("left", 7, 1_200), ("centre", 9, 150)):
        ready.press(button, began * NS, held_ms * MS)
    menu = some(ready.clock.table.table_menu)
    assert menu.path == ("rulebook",)
    ready.take(order("settings", players_choose_rulebook=False, name="0d" * 16), 10)
    ready.clock.tick(10 * NS + 1)
    assert ready.clock.table.table_menu is None
    assert ready.clock.table.history.number == 1


@pytest.mark.parametrize("end", ["stop", "minute", "another"])
def test_the_refusals_above_ten_have_one_row_at_the_end_of_the_minute_or_at_the_stop(started: Table, end: str) -> None:
    for number in range(30):
        started.misdirected(number, 9)
    assert [started.hall.next_due] == [69 * NS]
    started.hall.show(69 * NS - 1)
    assert [started.hall.next_due] == [69 * NS]
    if end == "stop":
        started.hall.stop(69 * NS - 1)
    elif end == "minute":
        started.hall.show(69 * NS)
    else:
        started.misdirected(30, 70)
    assert [started.hall.next_due] == [None]
    kept = started.rows(Kind.PROPOSAL)
    assert [body.get("count") for body in kept] == [None] * 10 + [21 if end == "another" else 20]
    assert kept[-1]["id"] == f"{30 if end == 'another' else 29:032x}"


def test_packets_that_are_no_proposal_are_kept_too_and_the_sign_follows_the_link(started: Table) -> None:
    started.hall.receive(RefusedPackets(Refusal(RefusalReason.BAD_SIGNATURE, None, "order"), 3), 9 * NS)
    assert started.rows(Kind.PROPOSAL) == [{"issuer": "order", "answer": "bad_signature", "count": 3}]
    for up, refused, sign in ((True, False, "hall"), (False, False, "hall not reached"), (True, True, "the hall refuses this clock")):
        started.hall.receive(LinkState(up=up, refused=refused), 9 * NS)
        assert started.clock.face(9 * NS).rulebook.split(" · ")[-1] == sign


def test_a_new_game_forgets_what_was_asked_in_the_one_before(tables: Tables) -> None:
    there = tables(*OVER)
    there.take(order("stop", text="x"), 9)
    state = some(there.clock.hall)
    assert state.stop is not None
    # The bar held for 2 s asks for the next game; the row below is yes.
    for button, at, held in (("centre", 10, 3 * NS), ("right", 15, NS // 10), ("centre", 17, NS // 10)):
        there.press(button, at * NS, held)
    assert there.clock.table.history.number == 1
    assert there.clock.hall == HallState(place=there.source.place)


def test_an_update_is_answered_and_recorded_before_the_machine_is_asked(ready: Table) -> None:
    assert ready.ordered() is None
    assert ready.clock.face(AT).called == "THIS CLOCK IS BEING UPDATED"
    assert ready.hall.next_due == ANSWERED
    asked = []
    for at in (ANSWERED - 1, ANSWERED):
        ready.hall.show(at)
        asked.append(ready.request.path.exists())
    assert asked == [False, True]
    assert {key: ready.rows(Kind.PROPOSAL)[-1][key] for key in ("what", "answer")} == {"what": "update", "answer": "accepted"}


@pytest.mark.parametrize("at", [AT - NS // 100, AT + NS, AT + 10 * NS])
def test_no_press_begins_a_game_once_an_update_is_accepted_not_even_one_that_comes_late(ready: Table, at: int) -> None:
    ready.ordered()
    for button in ("left", "right", "centre", "ok"):
        ready.press(button, at)
    assert not ready.began


def test_a_press_that_came_before_the_order_to_update_counts_and_it_is_refused(ready: Table) -> None:
    ready.clock.edge("right", AT - NS // 100, down=True)
    assert ready.ordered() is RefusalReason.NOT_BETWEEN_GAMES
    assert ready.began
    ready.hall.show(ANSWERED)
    assert not ready.request.path.exists()


def test_a_held_press_ends_with_an_update(tables: Tables) -> None:
    there = tables(*OVER)
    # NEXT GAME: the bar, held for 2 s.
    there.clock.edge("centre", AT - NS, down=True)
    there.ordered()
    there.clock.tick(AT + 5 * NS)
    there.clock.edge("centre", AT + 5 * NS, down=False)
    there.clock.tick(AT + 6 * NS)
    assert (there.clock.table.history.number, there.clock.game) == (3, 1)


def test_in_an_update_the_directors_menu_closes_and_opens_no_more(tables: Tables) -> None:
    there = tables(*OVER)
    there.clock.edge("key", AT - 2 * NS, down=True)
    there.clock.tick(AT - NS)
    opened = there.clock.table.menu
    there.ordered()
    there.press("ok", AT + NS)
    assert (opened is not None, there.clock.table.menu) == (True, None)


def test_a_clock_that_nobody_stops_withdraws_its_request_and_is_the_players_again(ready: Table) -> None:
    ready.ordered()
    ready.hall.show(ANSWERED)
    end = ANSWERED + TAKEN_NS
    # Ordered once more meanwhile: it does not begin anew.
    assert ready.take(order("update", name="0e" * 16), (AT + 9 * NS) / NS)[0] is None
    asked = []
    for at in (end - 1, end):
        ready.hall.show(at)
        asked.append(ready.request.path.exists())
    assert asked == [True, False]
    assert (ready.source.updated, ready.hall.next_due) == ("failed", None)
    assert ready.clock.face(end).called == ""
    ready.press("right", end + NS)
    assert ready.began
    assert ready.rows(Kind.NOTE)[-1]["given_up"] == "update"


def test_a_request_that_cannot_be_written_is_given_up_at_once(ready: Table, tmp_path: Path) -> None:
    ready.request = UpdateRequest(tmp_path / "gone/update", tmp_path / "outcome")
    ready.ordered()
    ready.hall.show(ANSWERED)
    assert ready.source.updated == "failed"
    ready.press("right", AT + 5 * NS)
    assert ready.began


class Gated(Struct):
    """What reached the loop, and what was answered without it."""

    now: int = 0
    items: list[HallInput] = field(default_factory=list)
    answers: list[tuple[str, RefusalReason]] = field(default_factory=list)

    def gate(self, trust: Trust | None) -> ProposalGate:
        return ProposalGate(
            trust,
            lambda *_: True,
            pass_on=self.items.append,
            refuse=lambda name, reason: self.answers.append((name, reason)),
            now=lambda: self.now,
            today=lambda: None,
        )


TRUST = Trust("club", "hall's", "director's")


def _packet(number: int) -> str:
    body = order("clear", name=f"{number:032x}").model_dump_json()
    return SignedBody(body=body, signature="A" * 86 + "==").model_dump_json()


def test_a_clock_that_is_not_enrolled_refuses_an_order_by_its_id() -> None:
    loop = Gated()
    loop.gate(None).receive("order", _packet(7), retained=False)
    assert (loop.answers, [type(item) for item in loop.items]) == ([(f"{7:032x}", RefusalReason.NOT_ENROLLED)], [RefusedPackets])


def test_eight_proposals_wait_and_the_ninth_is_told_so() -> None:
    loop = Gated()
    gate = loop.gate(TRUST)
    for number in range(WAITING + 1):
        gate.receive("order", _packet(number), retained=False)
    assert sum(isinstance(item, Proposed) for item in loop.items) == WAITING
    assert loop.answers == [(f"{WAITING:032x}", RefusalReason.BUSY)]
    gate.handled()
    gate.receive("order", _packet(99), retained=False)
    assert isinstance(loop.items[-1], Proposed)


@pytest.mark.parametrize(("at", "stops"), [(60 * NS, False), (59 * NS, True)])
def test_what_was_refused_above_ten_is_there_at_the_end_of_the_minute_or_at_the_stop(at: int, stops: bool) -> None:
    loop = Gated()
    gate = loop.gate(TRUST)
    for _ in range(510):
        gate.receive("order", "garbage", retained=False)
    assert len(loop.items) == 10
    assert [gate.due] == [60 * NS]
    assert gate.rest(59 * NS, stops=False) is None
    found = some(gate.rest(at, stops=stops))
    assert found.count == 500
    assert gate.rest(at, stops=stops) is None
    assert [gate.due] == [None]


@pytest.mark.parametrize("card", ["hangs", "full"])
def test_settings_of_the_desk_are_written_in_their_order_and_no_card_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], card: str
) -> None:
    path, goes_on, keep = tmp_path / "desk.toml", threading.Event(), DeskFile.keep

    def slow_or_full(desk: DeskFile, settings: Mapping[str, SettingValue]) -> None:
        assert goes_on.wait(PATIENCE_S)
        if card == "full" and settings["language"] == "fr":
            raise OSError(errno.ENOSPC, "No space left on device")
        keep(desk, settings)

    monkeypatch.setattr(DeskFile, "keep", slow_or_full)
    writer = SettingsWriter(DeskFile(path, frozenset()))
    for language in ("fr", "es"):
        writer.write({"language": language})
    assert not path.exists()
    goes_on.set()
    until(lambda: read_desk_file(path).layer[1] == {"language": "es"}, "the last language")
    assert ("the settings of the director's desk are not written" in "".join(capfd.readouterr())) is (card == "full")


def test_table_and_names_that_the_desk_assigns_are_known_to_a_result_and_so_is_where_it_is_signed(ready: Table) -> None:
    ready.take(order("assign", table=12, left="Ana", right="Björn", lexicon=None), 3)
    ready.take(order("settings", results="clock", name="0d" * 16), 4)
    ready.clock.tick(5 * NS)
    setup = ready.clock.table.setup
    assert (setup.results, setup.seats) == (True, Assignment(12, BySide("Ana", "Björn")))
