from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from appliance.crash.record import LastEnd
from appliance.lock import hashed
from firmware.gestures.clock_state import ClockState
from firmware.journal.recovery import MIN_NS, Beat, RecoveredMemory, journal_end
from firmware.journal.writer import JournalRecorder, JournalWriter, open_journal, stamped
from firmware.menu.setup import Setup
from firmware.settings import merge
from firmware.shell.assemble import setup_of
from firmware.shell.notices import Notices
from firmware.shell.resume import Start, start
from firmware.table_menu.actions import Draft
from game import events as ev
from game.exact_json import decode
from game.game import Phase
from game.history import History, accept, begin
from records.journal import Kind, row_of
from rules.duration import NS
from rules.side import Side
from tests.firmware.gestures.trains import said
from tests.firmware.saying import new_game
from tests.firmware.shell import rig as rigs
from tests.some import some

BEFORE = "30"
"""When the power goes."""
LATER = rigs.BEGAN + 3_600 * NS
OURS = 'id = "ours"\ntitle = "Ours"\nsummary = "Short"\nextends = "club"\n[regulation]\ntime = "{minutes}:00"\nclause = "ours, 1"\n'


def _by_key(table: rigs.Rig, *buttons: str) -> list[rigs.Step]:
    return [*table.turn("1", "key", on=True), *table.presses("2", *buttons), *table.turn("20", "key", on=False)]


def _then(table: rigs.Rig, *presses: tuple[str, str, int]) -> list[rigs.Step]:
    """Return a game in which left's clock runs from 5 s on, and these presses."""
    return [*table.press("5", "right"), *(step for at, button, held in presses for step in table.press(at, button, held=held))]


OUT_PLAY = (("20", "centre", rigs.PRESS_NS), ("22", "left", rigs.LONG_NS), ("24", "left", rigs.PRESS_NS))
PLAYED: dict[str, Callable[[rigs.Rig], list[rigs.Step]]] = {
    "nothing": lambda _: [],
    "running": _then,
    "hold": lambda table: _then(table, ("25", "right", rigs.LONG_NS)),
    "neutral": lambda table: _then(table, ("25", "centre", rigs.PRESS_NS)),
    "out play": lambda table: _then(table, *OUT_PLAY),
    "adjudication": lambda table: _then(table, ("25", "centre", rigs.CALL_NS)),
    "one late": lambda table: _by_key(table, *rigs.row_of_menu("late_start"), "left", "down", "ok"),
    "both late": lambda table: _by_key(table, *rigs.row_of_menu("late_start"), "down", "down", "ok", "down", "ok"),
    "infraction": lambda table: _by_key(table, *rigs.row_of_menu("infraction"), "left", "down", "ok"),
    # Play out after 15 s; the 20 s pass, and 20 s later the bar held for 2 s and a yes set up the next game.
    "next game": lambda table: _then(
        table, *OUT_PLAY, ("61", "centre", rigs.CALL_NS), ("64", "right", rigs.PRESS_NS), ("65", "centre", rigs.PRESS_NS)
    ),
    "over": rigs.whole_game,
    "menu": lambda table: _then(table, ("28", "centre", rigs.LONG_NS)),
    "offer": lambda table: _then(table, ("25", "centre", rigs.CALL_NS), ("28", "centre", rigs.PRESS_NS)),
    "door": lambda table: [*_then(table), *table.press("22", "left", "right", held=rigs.ns("5.2"))],
}


def _interrupted(folder: Path, played: str, until: str = BEFORE) -> rigs.Rig:
    with rigs.rig(folder) as table:
        table.play(PLAYED[played](table), until=until, cut=True)
    return table


def _second() -> rigs.Hand:
    return rigs.Hand(LATER, boot="second boot")


def _confirmed(table: rigs.Rig) -> list[rigs.Step]:
    return [*table.turn("60", "key", on=True), *table.press("61", "ok"), *table.turn("62", "key", on=False)]


@pytest.mark.parametrize(
    ("played", "phase", "most_s"),
    [
        ("running", Phase.NEUTRAL, 1),
        ("hold", Phase.NEUTRAL, 1),
        ("neutral", Phase.NEUTRAL, 0),
        ("out play", Phase.OUT_PLAY, 0),
        ("adjudication", Phase.ADJUDICATION, 0),
        ("one late", Phase.LATE, 1),
        ("both late", Phase.LATE, 1),
    ],
)
def test_an_interrupted_game_comes_back_frozen_until_it_is_confirmed(tmp_path: Path, played: str, phase: Phase, most_s: int) -> None:
    before = _interrupted(tmp_path, played)
    with rigs.rig(tmp_path, _second()) as after:
        tried = [step for second, button in enumerate(("left", "right", "centre"), 10) for step in after.press(str(second), button)]
        after.play(tried, after.press("14", "left", "right"), after.press("16", "centre", held=rigs.LONG_NS), _confirmed(after), until="63")
        (face,) = {after.face(str(second)) for second in range(1, 60)}
        assert face.phase is phase
        assert [half.reading for _, half in face.halves.items()] == [half.reading for _, half in before.screen.face.halves.items()]
        (notice,) = face.notices
        assert ("clocks stopped" in notice) is (most_s == 0)
        assert not most_s or int(notice.split("up to ")[1].split("\xa0s")[0]) in range(most_s, most_s + 2)
        menu = some(after.face("60.5").menu)
        assert menu.rows[menu.chosen or 0] == "The times are right: go on"
        assert after.face("62.5").notices == ()
        assert after.clock.table.frozen is None
    kinds = [kept.row.kind for kept in rigs.rows_in(after.path)]
    assert (kinds.count(Kind.RECOVERED), kinds.count(Kind.CONFIRMED)) == (1, 1)


def test_after_the_confirmation_play_goes_on_and_the_time_without_power_is_nobodys(tmp_path: Path) -> None:
    _interrupted(tmp_path, "neutral")
    with rigs.rig(tmp_path, _second()) as after:
        pressed = [step for at, button in (("70", "right"), ("75.5", "left"), ("80", "centre")) for step in after.press(at, button)]
        after.play(_confirmed(after), pressed, until="90", cut=True)
        assert after.used() == (rigs.ns("25.5"), rigs.ns("4.5"))
    with rigs.rig(tmp_path, rigs.Hand(LATER + rigs.ns("1000"), boot="third boot")) as third:
        third.play(until="5")
        (notice,) = third.face("4").notices
        assert notice.startswith("POWER WAS LOST, clocks stopped. Last record: ")
        assert "if recording, at most a press missing. Director: " in notice
        assert third.used() == (rigs.ns("25.5"), rigs.ns("4.5"))


@pytest.mark.parametrize("cut", [True, False], ids=["cut", "switched off"])
@pytest.mark.parametrize("played", ["running", "neutral", "one late", "adjudication"])
def test_a_second_interruption_leaves_as_uncertain_what_the_first_did_and_no_more(tmp_path: Path, played: str, *, cut: bool) -> None:
    path = rigs.measured(tmp_path / "journal.db")
    _interrupted(tmp_path, played)
    with rigs.rig(tmp_path, _second()) as second:
        second.play(until="5", cut=cut)
    with rigs.rig(tmp_path, rigs.Hand(LATER * 2, boot="third boot")) as third:
        third.play(until="5")
        assert third.face("4").notices == second.face("4").notices
        assert third.face("4").details == second.face("4").details
        assert third.used() == second.used()
    uncertain = [decode(kept.row.body)["uncertain_ns"] for kept in rigs.rows_in(path) if kept.row.kind == Kind.RECOVERED]
    assert (len(uncertain), uncertain[0] > 0, len(set(uncertain))) == (2, True, 1)
    assert [decode(kept.row.body).get("reason") for kept in rigs.rows_in(path)].count("power cut") == (played == "running")


def test_a_game_that_was_not_touched_is_gone_on_with_as_it_stood(tmp_path: Path) -> None:
    _interrupted(tmp_path, "nothing")
    with rigs.rig(tmp_path, _second()) as after:
        after.play(after.press("5", "right"), until="10")
        assert after.face("4").notices == ()
        assert after.used() == (0, 0)
        assert after.face("9").halves.left.reading == "24:56"
    assert {kept.row.game for kept in rigs.rows_in(after.path) if kept.row.kind == Kind.EVENT} == {1}


def test_a_game_touched_but_not_started_comes_back_ready_to_play(tmp_path: Path) -> None:
    _interrupted(tmp_path, "infraction")
    with rigs.rig(tmp_path, _second()) as after:
        after.play(after.press("5", "right"), until="10")
        assert [after.face(at).phase for at in ("4", "9")] == [Phase.READY, Phase.RUNNING]
        assert "1 minor infraction" in after.face("4").halves.left.marks


@pytest.mark.parametrize("rulebook", ["naspa-2017", "nzasp-2022"])
def test_the_times_of_the_last_game_stand_beside_the_next_one_after_a_restart_too(tmp_path: Path, rulebook: str) -> None:
    _interrupted(tmp_path, "next game", "70")
    with rigs.rig(tmp_path, _second(), rulebook=rulebook) as after:
        after.play(after.press("5", "right"), until="10")
        assert after.face("4").phase is Phase.READY
        assert [half.marks[1:] for _, half in after.face("4").halves.items()] == [("last game: 24:45",), ("last game: 25:00",)]
        assert "last game" not in str(after.face("9"))


def test_a_game_that_was_over_comes_back_over_with_its_readings(tmp_path: Path) -> None:
    before = _interrupted(tmp_path, "over", rigs.UNTIL)
    with rigs.rig(tmp_path, _second()) as after:
        after.play(until="5")
        assert (after.face("4").phase, after.face("4").notices) == (Phase.OVER, ())
        assert after.used() == before.used()


@pytest.mark.parametrize(
    ("played", "board", "event"), [("menu", "full", "neutralise"), ("offer", "full", "challenge"), ("door", "two-button", "neutralise")]
)
def test_after_a_power_cut_menu_door_and_offer_are_closed_and_the_events_stand(tmp_path: Path, played: str, board: str, event: str) -> None:
    code = hashed("1221")
    with rigs.rig(tmp_path, board__file=board, director__code=code) as table:
        table.play(PLAYED[played](table), until=BEFORE, cut=True)
        cut = table.clock.table
        assert cut.table_menu or cut.door or cut.offer, "something was open"
    with rigs.rig(tmp_path, _second(), board__file=board, director__code=code) as again:
        found = again.clock.table
        assert (found.table_menu, found.door, found.menu, found.offer) == (None, None, None, None)
        assert [words.split()[0] for _, words in said(found.history)[2:]] == [event]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return open_journal(tmp_path / "journal.db").path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    own = tmp_path / "ours.toml"
    own.write_text(OURS.format(minutes=10))
    return own


def _setup(board: str = "full") -> Setup:
    return setup_of(merge([("test", {"board.file": board})]).settings)


def _hand(second: int = 0, boot: str = "first boot") -> rigs.Hand:
    return rigs.Hand(second * NS, lambda: f"2026-07-03T12:20:{second % 60:02d}.250+02:00", boot)


def _play(path: Path, *records: History, stops_at: int | None = None, marked_at: int | None = None) -> None:
    writer = JournalWriter(path, lambda progress: None)
    keeper = JournalRecorder(writer, _hand().clocks(), 0, None)

    def at(now: int) -> JournalRecorder:
        return JournalRecorder(writer, _hand(now // NS).clocks(), keeper._game, keeper._recorded)

    for history in records:
        keeper = at(history.at)
        keeper.record(ClockState(history, _setup()), history.at)
    last = ClockState(records[-1], _setup())
    if marked_at is not None:
        at(marked_at).mark(last, marked_at, marked_at, counting=True)
    if stops_at is not None:
        at(stops_at).stop(last, stops_at)
    assert writer.close(30)


def _started(path: Path, rulebook: str = "naspa-2017", boot: str = "second boot", memory: RecoveredMemory | None = None) -> Start:
    return start(path, _setup(), new_game(rulebook), stamped(_hand(50, boot).clocks(), 50 * NS, 50 * NS), memory)


def _played(rulebook: str = "naspa-2017") -> tuple[History, History]:
    history = begin(new_game(rulebook), 0)
    return history, accept(history, ev.Press(Side.RIGHT), 5 * NS)


def _notice(begun: Start, board: str = "full", wall: str = "2026-07-03T10:32:06.000+00:00") -> str:
    notices = Notices(
        interruption=begun.interruption,
        wall=lambda: wall,
        lost=begun.lost,
    )
    (said,) = notices.lines(ClockState(begun.tables[-1].history, _setup(board)))
    return said


@pytest.mark.parametrize("later", [OURS.format(minutes=5), "no TOML", None])
def test_a_game_comes_back_under_its_rulebook_whatever_became_of_the_file(path: Path, own: Path, later: str | None) -> None:
    played = _played(str(own))
    own.unlink() if later is None else own.write_text(later)
    _play(path, *played)
    begun = _started(path)
    assert begun.lost is None
    assert begun.tables[-1].history.game.rulebook.regulation_ns == 600 * NS
    assert [link.event for link in some(begun.recorded) if link.before is None] == [played[0].event]


def test_an_untouched_game_gives_way_when_the_own_rulebook_it_was_set_up_with_has_been_edited(path: Path, own: Path) -> None:
    _play(path, _played(str(own))[0])
    assert len(_started(path, str(own)).tables) == 1
    assert len(_started(path, "nzasp-2022").tables) == 2
    own.write_text(OURS.format(minutes=5))
    ended, fresh = _started(path, str(own)).tables
    assert (ended.history.game.phase, fresh.history.game.rulebook.regulation_ns) == (Phase.OVER, 300 * NS)


def test_a_game_that_is_set_up_anew_before_it_began_ends_unplayed(path: Path) -> None:
    ready = _played("club")[0]
    _play(path, ready, accept(ready, new_game("naspa-2017"), NS))
    events = [(kept.row.game, decode(kept.row.body)["do"]) for kept in rigs.rows_in(path) if kept.row.kind == Kind.EVENT]
    assert events == [(1, "new_game"), (1, "end"), (2, "new_game")]


def test_a_game_whose_beginning_cannot_be_read_is_said_and_the_next_one_counts_on(path: Path) -> None:
    writer = JournalWriter(path, lambda progress: None)
    gone = {"do": "new_game", "edition": 5, "rulebook": "gone.toml"}
    writer.put((row_of(Kind.EVENT, 3, stamped(_hand().clocks(), 0, 0), gone, number=1),))
    assert writer.close(30)
    begun = _started(path)
    assert (begun.game, begun.tables[-1].history.game.phase, begun.interruption) == (3, Phase.READY, None)
    assert _notice(begun) == (
        "Game 3 could not be brought back: its beginning cannot be read. It is kept; `tileclock journal list` says why"
    )


@pytest.mark.parametrize(
    ("boot", "said"),
    [
        ("second boot", "POWER WAS LOST, clocks stopped. Last record: 12\xa0min ago; if recording, at most a press missing."),
        ("first boot", "THE PROGRAM RESTARTED, clocks stopped. Last record: 12\xa0min ago; at most a press missing."),
    ],
)
def test_after_an_interruption_in_a_stop_no_seconds_are_said_to_be_missing_but_perhaps_a_press(path: Path, boot: str, said: str) -> None:
    ready, running = _played()
    _play(rigs.measured(path), ready, running, accept(running, ev.Neutralise(), 7 * NS))
    begun = _started(path, boot=boot)
    assert some(begun.note)["uncertain_ns"] == some(begun.interruption).missing_ns == MIN_NS
    assert _notice(begun) == f"{said} Director: key on, confirm the times"


@pytest.mark.parametrize(
    ("end", "known_s", "missing", "said"),
    [
        (LastEnd(8 * NS, 8 * NS), 8, 0, ", 12\xa0min ago. No time is missing, at most a press of the last 4\xa0s."),
        (LastEnd(None, 8 * NS), 7, NS, ". Last record: 12\xa0min ago; up to 1\xa0s missing."),
        (None, 7, 43 * NS, ". Last record: 12\xa0min ago; up to 43\xa0s missing."),
    ],
)
def test_a_crash_is_no_power_cut_and_time_is_known_up_to_it(path: Path, end: LastEnd | None, known_s: int, missing: int, said: str) -> None:
    _play(path, *_played(), marked_at=6 * NS)
    beat = Beat(stamped(_hand(7).clocks(), 7 * NS, 7 * NS), 1, 8 * NS, asleep=True)
    begun = _started(path, boot="first boot", memory=RecoveredMemory((), journal_end(path), beat, end))
    assert some(begun.interruption).missing_ns == missing
    table = begun.tables[-1]
    assert (table.history.game.phase, table.history.game.reason, table.frozen) == (Phase.NEUTRAL, "program restarted", known_s * NS)
    assert table.game_at(60 * NS).used.left == (known_s - 5) * NS
    assert _notice(begun) == f"THE PROGRAM RESTARTED{said} Director: key on, confirm the times"
    assert _notice(begun, "two-button") == f"THE PROGRAM RESTARTED{said} Director: both buttons 5\xa0s, confirm the times"


def test_a_clock_that_was_switched_off_in_order_misses_nothing_and_speaks_of_no_power_cut(path: Path) -> None:
    _play(path, *_played(), marked_at=6 * NS, stops_at=9 * NS)
    begun = _started(path)
    found = some(begun.interruption)
    assert (found.missing_ns, f"{some(found.until).astimezone(UTC):%H:%M:%S}") == (0, "10:20:09")
    table = begun.tables[-1]
    assert (table.history.game.phase, table.history.game.reason, table.frozen) == (Phase.NEUTRAL, "clock switched off", 9 * NS)
    assert table.game_at(60 * NS).used.left == 4 * NS
    assert _notice(begun) == "SWITCHED OFF, 12\xa0min ago: nothing is missing. Director: key on, confirm the times"


@pytest.mark.parametrize(
    ("zone", "wall", "said"),
    [
        # In that month two hours ahead of UTC, and in London one.
        ("Europe/Madrid", "10:32:06", "12:20:06"),
        ("Europe/London", "10:32:06", "11:20:06"),
        ("America/New_York", "10:32:06", "06:20:06"),
        # UTC is what a machine has whose zone was never set.
        ("UTC", "10:20:07", "1\xa0min ago"),
        ("Etc/UTC", "11:59:06", "99\xa0min ago"),
        ("UTC", "12:20:06", "2\xa0h ago"),
        ("UTC", "10:20:05", "time unknown"),
    ],
)
def test_the_last_record_is_shown_as_on_the_clock_on_the_wall_or_how_long_ago_it_was(
    path: Path, in_zone: Callable[[str], None], zone: str, wall: str, said: str
) -> None:
    in_zone(zone)
    _play(path, *_played(), marked_at=6 * NS)
    assert f" Last record: {said}; " in _notice(_started(path), wall=f"2026-07-03T{wall}.000+00:00")


@pytest.mark.parametrize(
    ("signed_by", "prompt"), [(("left",), "Sign the result: hold"), (("left", "right"), "Signed by both: a tie, 455 each")]
)
def test_a_power_cut_loses_a_draft_and_one_signature_and_keeps_two(tmp_path: Path, signed_by: tuple[str, ...], prompt: str) -> None:
    with rigs.rig(tmp_path, director__results="clock") as table:
        moves = (
            table.press("5", "right"),
            table.press("20", "centre"),
            table.press("22", "left", held=rigs.LONG_NS),
            table.press("24.5", "left"),
            table.press("60", "centre", held=rigs.LONG_NS),
            table.presses("65", *["centre"] * 7),
            *(table.press(str(75 + 5 * place), side, held=rigs.LONG_NS) for place, side in enumerate(signed_by)),
        )
        table.play(*moves, until="90", cut=True)
        if len(signed_by) == 1:
            assert some(table.clock.table.draft.signatures.left).at == table.at("75")
    with rigs.rig(tmp_path, _second(), director__results="clock") as after:
        after.play(until="5")
        assert all(half.prompt.startswith(prompt) for _, half in after.face("4").halves.items())
        assert after.clock.table.draft == Draft()
    written = [decode(kept.row.body)["do"] for kept in rigs.rows_in(after.path) if kept.row.kind == Kind.EVENT]
    assert written.count("result") == (len(signed_by) == 2)
