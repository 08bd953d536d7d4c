"""After an interruption in any phase: the game is back, stopped, and nothing plays until the director has confirmed the times."""

from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.lock import hashed
from game.game import Phase
from game.journal.reading import read_mark, reading
from game.journal.row import Kind, decode
from tests.firmware.gestures.trains import said
from tests.firmware.shell.rig import BEGAN, CALL_NS, LONG_NS, Hand, Rig, Step, measured, ns, rig, row_of_menu, rows_in
from tests.firmware.shell.whole_game import UNTIL, whole_game

BEFORE = "30"
"""When the power goes."""
LATER = BEGAN + 3_600 * 1_000_000_000


def _nothing(_: Rig) -> list[Step]:
    return []


def _infraction_in_ready(table: Rig) -> list[Step]:
    return [
        *table.turn("5", "key", on=True),
        *table.presses("6", *row_of_menu("infraction"), "left", "down", "ok"),
        *table.turn("20", "key", on=False),
    ]


def _running(table: Rig) -> list[Step]:
    return table.press("5", "right")


def _hold(table: Rig) -> list[Step]:
    return [*_running(table), *table.press("25", "right", held=LONG_NS)]


def _neutral(table: Rig) -> list[Step]:
    return [*_running(table), *table.press("25", "centre")]


def _out_play(table: Rig) -> list[Step]:
    return [*_running(table), *table.press("20", "centre"), *table.press("22", "left", held=LONG_NS), *table.press("24", "left")]


def _adjudication(table: Rig) -> list[Step]:
    return [*_running(table), *table.press("25", "centre", held=CALL_NS)]


def _late(table: Rig, *whose: str) -> list[Step]:
    return [
        *table.turn("1", "key", on=True),
        *table.presses("2", *row_of_menu("late_start"), *whose, "down", "ok"),
        *table.turn("15", "key", on=False),
    ]


def _late_one(table: Rig) -> list[Step]:
    return _late(table, "left")


def _late_both(table: Rig) -> list[Step]:
    return _late(table, "down", "down", "ok")


def _interrupted(monkeypatch: pytest.MonkeyPatch, path: Path, steps: Callable[[Rig], list[Step]], until: str = BEFORE) -> Rig:
    """Play until the power goes; what the second clock finds is what the first had on the disk."""
    with rig(monkeypatch, path) as table:
        table.play(steps(table), until=until, cut=True)
    return table


PHASES = [
    (_running, Phase.NEUTRAL, 1),
    (_hold, Phase.NEUTRAL, 1),
    (_neutral, Phase.NEUTRAL, 0),
    (_out_play, Phase.OUT_PLAY, 0),
    (_adjudication, Phase.ADJUDICATION, 0),
    (_late_one, Phase.LATE, 1),
    (_late_both, Phase.LATE, 1),
]


@pytest.mark.parametrize(("steps", "phase", "most_s"), PHASES, ids=lambda value: getattr(value, "__name__", None))
def test_an_interrupted_game_comes_back_stopped_and_frozen_until_the_director_confirms(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, steps: Callable[[Rig], list[Step]], phase: Phase, most_s: int
) -> None:
    path = tmp_path / "journal.db"
    before = _interrupted(monkeypatch, path, steps)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot")) as after:
        confirm = [*after.turn("60", "key", on=True), *after.press("61", "ok"), *after.turn("62", "key", on=False)]
        tried = [step for second, button in enumerate(("left", "right", "centre"), 10) for step in after.press(str(second), button)]
        after.play(tried, after.press("14", "left", "right"), after.press("16", "centre", held=LONG_NS), confirm, until="63")
        frozen = {after.face(str(second)) for second in range(1, 60)}
        assert len(frozen) == 1
        face = frozen.pop()
        assert face.phase is phase
        assert [half.reading for _, half in face.halves.items()] == [half.reading for _, half in before.screen.face.halves.items()]
        (notice,) = face.notices
        assert ("clocks stopped" in notice) is (most_s == 0)
        assert not most_s or int(notice.split("up to ")[1].split("\xa0s")[0]) in range(most_s, most_s + 2)
        menu = after.face("60.5").menu
        assert menu is not None
        assert menu.rows[menu.chosen or 0] == "The times are right: go on"
        assert after.face("62.5").notices == ()
        assert after.clock.table.frozen is None
    kinds = [kept.row.kind for kept in rows_in(path)]
    assert (kinds.count(Kind.RECOVERED), kinds.count(Kind.CONFIRMED)) == (1, 1)


def test_after_the_confirmation_play_goes_on_and_the_time_without_power_is_nobodys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _interrupted(monkeypatch, path, _neutral)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot")) as after:
        confirm = [*after.turn("60", "key", on=True), *after.press("61", "ok"), *after.turn("62", "key", on=False)]
        after.play(confirm, after.press("70", "right"), after.press("75.5", "left"), after.press("80", "centre"), until="90", cut=True)
        assert after.used() == (ns("25.5"), ns("4.5"))
    with rig(monkeypatch, path, Hand(LATER + ns("1000"), boot="third boot")) as third:
        third.play(until="5")
        (notice,) = third.face("4").notices
        assert notice.startswith("POWER WAS LOST, clocks stopped. Recorded to ")
        assert "if recording, at most a press missing. Director: " in notice
        assert third.used() == (ns("25.5"), ns("4.5"))


@pytest.mark.parametrize("cut", [True, False], ids=["cut", "switched off"])
@pytest.mark.parametrize("steps", [_running, _neutral, _late_one, _adjudication])
def test_a_second_interruption_before_the_confirmation_leaves_as_uncertain_what_the_first_did_and_no_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, steps: Callable[[Rig], list[Step]], *, cut: bool
) -> None:
    path = measured(tmp_path / "journal.db")
    _interrupted(monkeypatch, path, steps)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot")) as second:
        second.play(until="5", cut=cut)
    with rig(monkeypatch, path, Hand(LATER * 2, boot="third boot")) as third:
        third.play(until="5")
        assert third.face("4").notices == second.face("4").notices
        assert third.face("4").details == second.face("4").details
        assert third.used() == second.used()
    uncertain = [decode(kept.row.body)["uncertain_ns"] for kept in rows_in(path) if kept.row.kind == Kind.RECOVERED]
    assert (len(uncertain), uncertain[0] > 0, len(set(uncertain))) == (2, True, 1)
    assert [decode(kept.row.body).get("reason") for kept in rows_in(path)].count("power cut") == (steps is _running)


def test_a_program_that_was_started_again_soon_says_how_little_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    before = _interrupted(monkeypatch, path, _running)
    with reading(path) as connection:
        mark = read_mark(connection)
    assert mark is not None
    # How old the last mark is hangs on the disk: while one is being written, the next is left out.
    soon = mark.stamp.mono + ns("0.25")
    with rig(monkeypatch, path, Hand(max(soon, before.at(BEFORE)))) as after:
        after.play(until="1")
        missing = min(max(soon, before.at(BEFORE)) - mark.stamp.mono, ns("1") + mark.commit_ns)
        assert f"up to {-(-missing // ns('1'))}\xa0s missing" in after.face("0.5").notices[0]


def test_a_game_that_was_not_touched_is_gone_on_with_as_it_stood(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _interrupted(monkeypatch, path, _nothing)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot")) as after:
        after.play(after.press("5", "right"), until="10")
        assert after.face("4").notices == ()
        assert after.used() == (0, 0)
        assert after.face("9").halves.left.reading == "24:56"
    assert {kept.row.game for kept in rows_in(path) if kept.row.kind == Kind.EVENT} == {1}


def test_an_untouched_game_gives_way_to_another_rulebook_that_was_asked_for_since(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _interrupted(monkeypatch, path, _nothing)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot"), rulebook="nzasp-2022") as after:
        after.play(until="1")
    said = [(kept.row.game, decode(kept.row.body)["do"]) for kept in rows_in(path) if kept.row.kind == Kind.EVENT]
    assert said == [(1, "new_game"), (1, "end"), (2, "new_game")]


def test_a_game_touched_but_not_started_comes_back_ready_to_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _interrupted(monkeypatch, path, _infraction_in_ready)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot")) as after:
        after.play(after.press("5", "right"), until="10")
        assert after.face("4").phase is Phase.READY
        assert "1 minor infraction" in after.face("4").halves.left.marks
        assert after.face("9").phase is Phase.RUNNING


def _next_game(table: Rig) -> list[Step]:
    """Play out after 15 s; the 20 s pass, and 20 s later the bar held for 2 s sets up the next game."""
    played_out = [
        *table.press("5", "right"),
        *table.press("20", "centre"),
        *table.press("22", "left", held=LONG_NS),
        *table.press("24", "left"),
    ]
    return [*played_out, *table.press("61", "centre", held=CALL_NS)]


@pytest.mark.parametrize("rulebook", ["naspa-2017", "nzasp-2022"])
def test_the_times_of_the_last_game_stand_beside_the_next_one_after_a_restart_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rulebook: str
) -> None:
    path = tmp_path / "journal.db"
    _interrupted(monkeypatch, path, _next_game, "70")
    with rig(monkeypatch, path, Hand(LATER, boot="second boot"), rulebook=rulebook) as after:
        after.play(after.press("5", "right"), until="10")
        assert after.face("4").phase is Phase.READY
        assert [half.marks[1:] for _, half in after.face("4").halves.items()] == [("last game: 24:45",), ("last game: 25:00",)]
        assert "last game" not in str(after.face("9"))


def test_a_game_that_was_over_comes_back_over_with_its_readings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    before = _interrupted(monkeypatch, path, whole_game, UNTIL)
    with rig(monkeypatch, path, Hand(LATER, boot="second boot")) as after:
        after.play(until="5")
        assert after.face("4").phase is Phase.OVER
        assert after.face("4").notices == ()
        assert after.used() == before.used()


OPEN: dict[str, tuple[str, Callable[[Rig], list[Step]], str]] = {
    "menu": ("full", lambda table: [*_running(table), *table.press("28", "centre", held=LONG_NS)], "neutralise"),
    "offer": ("full", lambda table: [*_adjudication(table), *table.press("28", "centre")], "challenge"),
    "door": ("two-button", lambda table: [*_running(table), *table.press("22", "left", "right", held=ns("5.2"))], "neutralise"),
}


@pytest.mark.parametrize("what", OPEN)
def test_after_a_power_cut_menu_door_and_offer_are_closed_and_the_events_so_far_stand(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    path, (board, steps, event) = tmp_path / "journal.db", OPEN[what]
    code = hashed("1221")
    with rig(monkeypatch, path, board__file=board, director__code=code) as table:
        table.play(steps(table), until=BEFORE, cut=True)
        cut = table.clock.table
        assert cut.table_menu or cut.door or cut.offer.event, "something was open"
    with rig(monkeypatch, path, Hand(LATER, boot="second boot"), board__file=board, director__code=code) as again:
        found = again.clock.table
        assert (found.table_menu, found.door, found.menu, found.offer.event) == (None, None, None, None)
        assert [words.split()[0] for _, words in said(found.record)[2:]] == [event]
