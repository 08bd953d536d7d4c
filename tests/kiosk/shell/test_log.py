from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

import pytest

from appliance.errors import InUse
from appliance.program import POLL_NS
from appliance.records.files import LOCK, beside
from kiosk.face.page import Tone
from kiosk.log import Log
from records.entry import Kind
from tests.appliance.records.refusing import no_file_larger
from tests.errors import with_fields
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.rig import PIN, Rig, rig

pytestmark = pytest.mark.usefixtures("dummy_display")


@contextmanager
def started_on(disk: AbstractContextManager[None], station: AbstractContextManager[Rig]) -> Iterator[Rig]:
    with ExitStack() as stack:
        with disk:
            started = stack.enter_context(station)
        yield started


def test_a_disk_that_is_full_at_the_verdict_gives_none_says_so_and_gives_it_once_there_is_room(station: Rig) -> None:
    station.asked("TILE")
    with no_file_larger(4096):
        station.tap("adjudicate")
    assert station.page == "checking"
    assert "log" in station.said
    assert all(entry.acceptable is None for entry in station.entries())
    station.tap("adjudicate")
    refused, given = station.entries()[-2:]
    assert (refused.kind, refused.table, refused.words, refused.acceptable) == (Kind.REFUSED, 12, ("TILE",), None)
    assert (refused.why or "").startswith("[late: The log cannot be written: ")
    assert (given.kind, given.acceptable, given.why) == (Kind.LOOKUP, True, None)


def test_after_a_verdict_that_could_not_be_logged_the_next_players_are_told_and_the_loop_sleeps(station: Rig) -> None:
    def sleeps_at(page: str) -> None:
        assert station.page == page
        wake = station.loop._show()
        assert wake is not None
        # A hidden window is polled a hundred times a second; nothing asks for more.
        assert wake >= station.hand.now + POLL_NS

    station.asked("TILE")
    with no_file_larger(4096):
        station.tap("adjudicate")
        station.goes_by(20)
        sleeps_at("checking")
        station.goes_by(160)
        assert "Free some space" in station.said
        for seconds in (0, 11, 15):
            station.goes_by(seconds)
            sleeps_at("idle.trouble")
    assert station.goes_by(11) == "idle"
    _, refused, aborted, gap = station.entries()
    assert [refused.kind, aborted.kind, gap.kind] == [Kind.REFUSED, Kind.ABORTED, Kind.REFUSED]
    assert [entry.acceptable for entry in station.entries()] == [None] * 4
    assert all("late: The log cannot be written" in (entry.why or "") for entry in (refused, aborted))
    assert (gap.why or "").startswith("for a time: The log cannot be written")


@pytest.mark.parametrize("judges", [False, True])
def test_with_a_log_in_a_folder_that_cannot_be_made_nothing_is_judged_unless_that_is_allowed(tmp_path: Path, *, judges: bool) -> None:
    (tmp_path / "file").write_text("")
    with rig(tmp_path, log__path=str(tmp_path / "file" / "station.db"), flow__judge_unlogged=judges) as station:
        assert station.page == ("idle" if judges else "idle.trouble")
        assert station.key("return") == ("table.table" if judges else "idle.trouble")


def damaged(path: Path) -> None:
    path.write_bytes(b"this is no log" * 100)
    beside(path, LOCK).touch()


def test_another_kind_of_file_is_said_at_every_start_left_as_it_was_and_can_be_moved_out_of_the_way(tmp_path: Path) -> None:
    path, before = tmp_path / "station.db", made(tmp_path / "another.dawg", ("QI",)).read_bytes()
    path.write_bytes(before)
    for _ in range(2):
        with rig(tmp_path) as station:
            assert station.page == "idle.trouble"
            assert "it is another kind of file than a log, and was left as it was." in station.said
            assert "name another file in the settings" in station.said
            assert station.goes_by(60) == "idle.trouble"
    assert not [each.name for each in tmp_path.iterdir() if "damaged" in each.name or "lock" in each.name]
    with rig(tmp_path) as station:
        path.rename(tmp_path / "moved")
        assert station.goes_by(11) == "idle"
        assert "ACCEPTABLE" in station.judged("TILE")
        with pytest.raises(InUse, check=with_fields(expected="a log that no other station writes to")):
            Log(path)
    assert (tmp_path / "moved").read_bytes() == before


def test_that_a_log_was_set_aside_stands_before_the_players_until_the_desk_was_opened_and_at_the_desk_until_the_end(tmp_path: Path) -> None:
    damaged(tmp_path / "station.db")
    with rig(tmp_path, **PIN) as station:
        assert "See the desk" in station.said
        station.judged("QI")
        assert [station.entries()[0].kind, station.last.acceptable] == [Kind.CHANGED, True]
        assert "damaged" in (station.entries()[0].why or "")
        assert "See the desk" not in station.said
        assert station.goes_by(60) == "idle"
        assert "See the desk" in station.said
        for _ in range(2):
            assert station.opened() == "desk.menu"
            assert "damaged: it is not an SQLite file. A new one was begun." in station.said
            assert station.last.kind is Kind.DOOR_OPENED
            assert station.tap("close") == "idle"
            assert "See the desk" not in station.said
    assert [path for path in tmp_path.iterdir() if ".damaged" in path.name]


def judge(station: Rig, name: str, verdict: str) -> None:
    assert station.tap(name, "next", f"verdict.{verdict}") == "judge.ruled"


def first_ruling(station: Rig) -> None:
    station.opened()
    station.tap("place.judge", "slip.new", "7", "challenger.none", "QI", "finish", "finish")
    judge(station, "AB", "acceptable")


def test_power_lost_between_two_judges_costs_no_ruling_and_the_second_judge_is_not_told_the_first_ones(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        first_ruling(station)
        after = station.power_lost()
        ruled = len(station.entries())
    with rig(after, **PIN) as station:
        station.opened()
        station.tap("place.judge")
        assert "table 7" in station.said
        station.tap("opinion.7")
        for reported in (station.said, str(station.shown)):
            assert "ACCEPTABLE" not in reported.upper()
        judge(station, "CD", "unacceptable")
        second = station.last
        assert (second.kind, second.table, second.words, second.why, second.first) == (Kind.MANUAL, 7, ("QI",), "second judge CD", ruled)
        assert station.entries()[ruled - 1].why == "first judge AB"
        station.tap("review")
        judge(station, "EF", "unacceptable")
        assert station.last.first == ruled


def test_power_lost_after_a_verdict_leaves_the_mistyped_challenge_open_and_its_repeat_linked_to_the_first_look_up(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.judged("TILE", table=7)
        judged = len(station.entries())
        after = station.power_lost()
    with rig(after) as station:
        station.tap("7", "challenger.left")
        assert "TILE" not in station.said
        station.tap("repeat.again")
        assert "TILE" not in station.said
        station.tap("TILA", "finish", "adjudicate")
        repeat = station.last
        assert (repeat.kind, repeat.words, repeat.first) == (Kind.REPEAT, ("TILA",), judged)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with rig(elsewhere) as station:
        station.tap("7", "challenger.left")
        assert station.page != "table.repeat"


def test_power_lost_after_a_verdict_leaves_it_to_be_shown_once_more_and_power_lost_after_that_leaves_nothing(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.judged("TILE", table=7)
        judged = len(station.entries())
        after = station.power_lost()
    with rig(after) as station:
        assert station.tap("8", "challenger.left") == "words"
        station.tap("back", "erase", "7", "challenger.left")
        assert "ACCEPTABLE" not in station.said
        assert station.tap("repeat.verdict") == "verdict.again"
        assert "ACCEPTABLE" in station.said
        assert "TILE" not in station.said
        row = station.last
        assert (row.kind, row.table, row.words, row.acceptable, row.first) == (Kind.SHOWN_AGAIN, 7, (), True, judged)
        again = station.power_lost()
    with rig(again) as station:
        station.tap("7", "challenger.left")
        offered = [row.target for row in station.shown.rows if row.target is not None]
        assert [target.id for target in offered if target.tone is not Tone.OFF] == ["repeat.again", "repeat.another"]


@pytest.mark.parametrize("ailing", [True, False], ids=["damaged", "full"])
def test_with_a_damaged_or_full_log_the_door_is_shut_from_the_start_and_longer_after_a_wrong_pin(tmp_path: Path, *, ailing: bool) -> None:
    with rig(tmp_path, **PIN) as station:
        assert not station.shut()
    if ailing:
        whole = station.log.read_bytes()
        station.log.write_bytes(whole[: len(whole) // 2] + b"\xff" * (len(whole) // 2))
    with started_on(nullcontext() if ailing else no_file_larger(4096), rig(tmp_path, **PIN)) as station:
        assert ("See the desk" in station.said) is ailing
        assert station.shut()
        station.goes_by(30)
        station.opened("1111")
        station.goes_by(31)
        assert station.page != "door.pin"
        assert station.shut()
        station.goes_by(30)
        assert station.opened() == "desk.menu"
