"""Messages of the hall at a whole clock: decided, applied, in the journal, answered; and nothing changes without a hall."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.errors import Diagnosis
from appliance.settings.layers import RejectedSettings
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.hall.opening import Refusal
from firmware.hall.orders import offered_again
from firmware.hall.state import HallState
from firmware.shell.hall_messages import HallMessages
from firmware.shell.proposal_gate import Proposed, RefusedPackets
from game.game import Phase
from game.journal.reading import accepted_in, handled_ids, last_assigned, last_set_up, stop_asked_at
from game.journal.row import Kind
from game.table import Assignment, place_of
from rules.contact import MS
from rules.duration import NS
from rules.side import BySide
from tests.firmware.gestures.trains import setup
from tests.firmware.hall.hall_table import ELSEWHERE, call, order, verdict
from tests.firmware.shell.clock_of_a_hall import Table
from wire.local.device import LinkState
from wire.proposals import RefusalReason

STARTED, CHALLENGED = ("1 press right",), ("1 press right", "2 challenge")


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Any]:
    made: list[Table] = []

    def make(*lines: str) -> Table:
        made.append(Table(tmp_path, *lines))
        return made[-1]

    yield make
    for each in made:
        each.writer.close(20)


def test_a_verdict_counts_shows_its_words_and_is_in_the_journal(tables: Any) -> None:
    there: Table = tables(*CHALLENGED)
    assert there.take(verdict(count=2, words=("QI", "ZA")), 9) == (None, 4)
    assert "The station: QI, ZA · +10 points" in there.clock.face(9 * NS).details
    assert there.clock.next_wake(9 * NS) is not None
    assert not any("QI" in line for line in there.clock.face(19 * NS).details)
    assert there.rows(Kind.PROPOSAL)[-1] == {
        "id": "0b" * 16,
        "issuer": "s-" + "b" * 16,
        "what": "verdict",
        "answer": "accepted",
        "number": 4,
    }
    assert there.rows(Kind.EVENT)[-1] == {"do": "verdict", "acceptable": True, "words": 2}


def test_the_same_message_again_is_refused_and_kept(tables: Any) -> None:
    there: Table = tables(*CHALLENGED)
    there.take(verdict(), 9)
    assert there.take(verdict(), 10) == (RefusalReason.REPEATED, None)
    assert there.rows(Kind.PROPOSAL)[-1]["answer"] == "repeated"
    assert handled_ids(there.path, (), 10) == ("0b" * 16, "0b" * 16)


def test_the_journal_has_the_times_of_a_set_up(tables: Any) -> None:
    there: Table = tables()
    keys: dict[str, Any] = {"rulebook": "naspa-2017", "left_seconds": 1200, "right_seconds": None}
    assert there.take(order("setup", number=1, **keys), 9) == (None, None)
    assert there.rows(Kind.PROPOSAL)[-1]["setup"] == keys
    # After a restart only that game's, and only what this clock can offer.
    found = [last_set_up(accepted_in(there.path, game, 1000)) for game in (there.clock.game, there.clock.game + 1)]
    assert found == [keys, None]
    assert offered_again(there.clock.table, found[0]) == there.clock.table.setup.offered
    for unusable in (None, "x", {}, keys | {"rulebook": "none"}, keys | {"left_seconds": "1"}, keys | {"left_seconds": -1}):
        assert offered_again(there.clock.table, unusable) is None


def test_the_start_of_the_round_is_what_a_late_start_counts_from_until_the_desk_takes_it_back(tables: Any) -> None:
    there: Table = tables()
    known = []
    for at, (name, began) in enumerate((("0c", -90 * NS), ("0d", 20 * NS), ("0e", None)), 9):
        assert there.take(order("round", name=name * 16, began=began), at) == (None, None)
        known.append(there.clock.table.setup.round_began)
    offset = there.clock.table.offset
    assert known == [-90 * NS + offset, 20 * NS + offset, None]
    assert [row["round"]["ago_s"] for row in there.rows(Kind.PROPOSAL)] == [99, -10, None]


@pytest.mark.parametrize(("changes", "reason"), ELSEWHERE)
def test_a_message_for_elsewhere_changes_nothing(tables: Any, changes: dict[str, Any], reason: RefusalReason) -> None:
    there: Table = tables(*STARTED)
    before = there.clock.face(9 * NS)
    assert there.take(order("notice", text="x", seconds=60).model_copy(update=changes), 9) == (reason, None)
    assert there.clock.face(9 * NS) == before


def test_a_kept_message_is_refused(tables: Any) -> None:
    assert tables(*STARTED).take(order("clear"), 9, retained=True) == (RefusalReason.RETAINED, None)


def test_a_stop_is_asked_for_in_large_while_a_clock_runs_and_costs_no_time(tables: Any) -> None:
    there: Table = tables(*STARTED)
    readings = [half.reading for _, half in there.clock.face(9 * NS).halves.items()]
    there.take(order("stop", text="Fire alarm"), 9)
    shown = there.clock.face(9 * NS)
    assert (shown.called, shown.stop_asked) == ("THE DIRECTOR ASKS YOU TO STOP: Fire alarm", True)
    assert {half.prompt for _, half in shown.halves.items()} == {"Stop your clock: press the\u00a0bar"}
    assert [half.reading for _, half in shown.halves.items()] == readings
    assert there.clock.table.game_at(10 * NS).phase is Phase.RUNNING
    assert there.rows(Kind.PROPOSAL)[-1]["text"] == "Fire alarm"


def test_the_instant_of_the_first_request_is_kept_for_a_credit_also_over_a_restart(tables: Any) -> None:
    there: Table = tables(*STARTED)
    there.take(order("stop", name="01" * 16, text="Fire alarm"), 9)
    there.take(order("stop", name="02" * 16, text="Fire alarm!"), 11)
    assert there.clock.table.setup.stop_asked == 9 * NS
    there.take(order("clear", name="03" * 16), 12)
    assert there.clock.table.setup.stop_asked == 9 * NS
    there.take(order("stop", name="04" * 16, text="Again"), 20)
    assert there.clock.table.setup.stop_asked == 20 * NS
    there.take(order("stop", name="04" * 16, text="Again"), 30)
    assert there.writer.close(20)
    assert [stop_asked_at(accepted_in(there.path, game, 1000)) for game in (there.clock.game, there.clock.game + 1)] == [20 * NS, None]


def test_a_hard_freeze_stops_the_clock_at_the_instant_of_arrival(tables: Any) -> None:
    there: Table = tables(*STARTED)
    there.clock.hall = HallState(hard_freeze=True)
    assert there.take(order("stop", text="Fire alarm"), 9) == (None, 3)
    game = there.clock.table.game_at(60 * NS)
    assert (game.phase, game.reason, game.used.left) == (Phase.NEUTRAL, "director called", 8 * NS)
    assert there.clock.face(60 * NS).hint == "The director has asked you to stop: Fire alarm"


def test_a_late_press_of_the_player_still_comes_before_a_freeze(tables: Any) -> None:
    there: Table = tables(*STARTED)
    there.clock.hall = HallState(hard_freeze=True)
    there.take(order("stop", text="x"), 9)
    there.clock.edge("left", 8 * NS, down=True)
    there.clock.edge("left", 8 * NS + NS // 5, down=False)
    there.clock.tick(10 * NS)
    game = there.clock.table.game_at(60 * NS)
    assert (game.phase, game.used) == (Phase.NEUTRAL, BySide(7 * NS, 1 * NS))


def test_names_and_a_set_up_game_wait_for_the_players(tables: Any) -> None:
    there: Table = tables("1 press right", "2 end reason=x")
    assert there.take(order("assign", number=3, table=12, left="Ana", right="Björn", lexicon=None), 9) == (None, None)
    setup_next = order("setup", number=3, name="0d" * 16, rulebook="nzasp-2022", left_seconds=1200, right_seconds=None)
    assert there.take(setup_next, 10) == (None, None)
    shown = there.clock.face(10 * NS)
    assert shown.phase is Phase.OVER
    # Beside the times of the game that is over stand the names of its players, of which the hall gave none.
    assert not any("Ana" in half.marks or "Björn" in half.marks for _, half in shown.halves.items())
    assert shown.rulebook.endswith(" · table 12 · no hall")
    assert shown.hint.startswith("Next game: ")
    assert shown.hint.endswith(" · 20:00 and 25:00")
    assert there.writer.close(20)
    assert place_of(last_assigned(there.path), Assignment()) == Assignment(12, BySide("Ana", "Björn"))


def test_a_call_shows_as_the_players_own(tables: Any) -> None:
    there: Table = tables(*STARTED)
    assert there.take(call(), 9) == (None, 3)
    assert there.clock.face(9 * NS).called == "DIRECTOR PLEASE"


def test_a_notice_covers_nothing_and_goes(tables: Any) -> None:
    there: Table = tables(*STARTED)
    there.take(order("notice", text="Lunch at noon", seconds=30), 9)
    assert there.clock.face(9 * NS).hint == "Lunch at noon"
    assert there.clock.face(39 * NS).hint == ""


def test_settings_are_taken_up_at_once_and_are_in_the_journal(tables: Any) -> None:
    there: Table = tables()
    kept: list[Any] = []
    there.hall = HallMessages(there.clock, there.source, HallState(), write_settings=kept.append)
    proposal = order("settings", language="fr", led_brightness=40, players_choose_rulebook=True)
    settings = there.hall.take(Proposed(proposal, retained=False), 9 * NS)
    assert settings == {"language": "fr", "led.brightness": 40, "director.players_choose_rulebook": True}
    assert kept == [settings]
    assert there.source.answers == [(proposal.id, None, None)]
    assert there.clock.notices.texts.language == there.clock.table.setup.texts.language == "fr"
    assert there.clock.table.setup.players_choose_rulebook
    assert there.clock.face(9 * NS) != face(ClockState(there.clock.table.record, setup()), 9 * NS)
    assert there.rows(Kind.PROPOSAL)[-1] == {
        "id": proposal.id,
        "issuer": "desk-main",
        "what": "settings",
        "answer": "accepted",
        "settings": settings,
    }


@pytest.mark.parametrize("own_file", [True, False])
def test_settings_that_are_taken_end_the_notice_of_a_spoiled_desk_file_and_no_other(tables: Any, own_file: bool) -> None:
    there: Table = tables()
    there.clock.refused(3 * NS, RejectedSettings(Diagnosis("spoiled"), last_good=False, own_file=own_file))
    told = there.clock.notices.lines(there.clock.table)
    assert len(told) == 1
    assert there.take(order("settings", language="xx"), 4)[0] is RefusalReason.UNKNOWN_LANGUAGE
    assert there.clock.notices.lines(there.clock.table) == told
    assert there.take(order("settings", led_brightness=5, name="0d" * 16), 5)[0] is None
    assert there.clock.notices.lines(there.clock.table) == (() if own_file else told)


def test_a_list_of_rulebooks_that_is_forbidden_meanwhile_closes(tables: Any) -> None:
    there: Table = tables()
    there.take(order("settings", players_choose_rulebook=True), 3)
    # Open the menu with the bar, move down to the rulebooks and take them.
    for button, began, held_ms in (("centre", 5, 1_200), ("right", 7, 150), ("centre", 8, 150)):
        for at, down in ((began * NS, True), (began * NS + held_ms * MS, False)):
            there.clock.edge(button, at, down=down)
        there.clock.tick(began * NS + 1_500 * MS)
    menu = there.clock.table.table_menu
    assert menu is not None
    assert menu.path == ("rulebook",)
    there.take(order("settings", players_choose_rulebook=False, name="0d" * 16), 10)
    there.clock.tick(10 * NS + 1)
    assert there.clock.table.table_menu is None
    assert there.clock.table.record.highest == 1


def test_no_setting_is_taken_up_in_play(tables: Any) -> None:
    there: Table = tables(*STARTED)
    assert there.take(order("settings", number=2, language="fr"), 9)[0] is RefusalReason.NOT_BETWEEN_GAMES
    assert there.clock.table.setup.texts.language == "en"


def test_refusals_are_kept_ten_a_minute_one_by_one(tables: Any) -> None:
    there: Table = tables(*STARTED)
    for number in range(30):
        assert there.take(order("clear", name=f"{number:032x}").model_copy(update={"game": 9}), 9)[0] is RefusalReason.OTHER_GAME
    there.take(order("clear", name="ee" * 16).model_copy(update={"game": 9}), 70)
    kept = there.rows(Kind.PROPOSAL)
    assert [body.get("count") for body in kept] == [None] * 10 + [21]


@pytest.mark.parametrize("stops", [False, True])
def test_the_refusals_above_ten_have_a_row_at_the_end_of_the_minute_or_at_the_stop(tables: Any, stops: bool) -> None:
    there: Table = tables(*STARTED)
    for number in range(30):
        there.take(order("clear", name=f"{number:032x}").model_copy(update={"game": 9}), 9)
    assert [there.hall.next_wake] == [69 * NS]
    there.hall.show(69 * NS - 1)
    assert [there.hall.next_wake] == [69 * NS]
    if stops:
        there.hall.stop(69 * NS - 1)
    else:
        there.hall.show(69 * NS)
    assert [there.hall.next_wake] == [None]
    kept = there.rows(Kind.PROPOSAL)
    assert [body.get("count") for body in kept] == [None] * 10 + [20]
    assert kept[-1]["id"] == f"{29:032x}"


def test_packets_that_are_no_proposal_are_kept_too(tables: Any) -> None:
    there: Table = tables(*STARTED)
    there.hall.take(RefusedPackets(Refusal(RefusalReason.BAD_SIGNATURE, None, "order"), 3), 9 * NS)
    assert there.rows(Kind.PROPOSAL) == [{"issuer": "order", "answer": "bad_signature", "count": 3}]


def test_the_links_sign_follows_the_link(tables: Any) -> None:
    there: Table = tables(*STARTED)
    for state, sign in (
        (LinkState(up=True), "hall"),
        (LinkState(up=False), "no hall"),
        (LinkState(up=True, refused=True), "the hall refuses this clock"),
    ):
        there.hall.take(state, 9 * NS)
        assert there.clock.face(9 * NS).rulebook.split(" · ")[-1] == sign


def test_a_new_game_forgets_what_was_asked_in_the_one_before(tables: Any) -> None:
    there: Table = tables("1 press right", "2 end reason=x")
    there.take(order("stop", text="x"), 9)
    state = there.clock.hall
    assert state is not None
    assert state.stop is not None
    # NEXT GAME: the bar, held for 2 s.
    there.clock.edge("centre", 10 * NS, down=True)
    there.clock.tick(13 * NS)
    there.clock.edge("centre", 13 * NS, down=False)
    there.clock.tick(14 * NS)
    assert there.clock.table.record.highest == 1
    assert there.clock.hall == HallState(place=there.source.place)


def test_without_a_hall_the_face_is_the_games_alone(tables: Any) -> None:
    there: Table = tables(*STARTED)
    there.clock.hall = None
    assert there.clock.face(9 * NS) == face(there.clock.table, 9 * NS)
