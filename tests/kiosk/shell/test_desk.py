import csv
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from appliance.errors import RecordError
from appliance.program import PowerOff, Supervisor
from kiosk.director.judge_desk import ROWS
from kiosk.lexicons import loading
from kiosk.lexicons.loading import Fetched
from kiosk.shell import threads
from kiosk.shell.effect_handler import exported, usable, wall_time_text
from kiosk.shell.threads import Errands
from kiosk.texts import load_texts
from records.device_test import DeviceTest
from records.entry import Kind
from rules.rulebooks import shipped_ids
from tests.errors import with_fields
from tests.kiosk.lexicons.files import made
from tests.kiosk.log.making import kept_in, written
from tests.kiosk.shell.rig import PATIENCE_S, PIN, Rig, entries_in, rig
from tests.some import of_kind, some

pytestmark = pytest.mark.usefixtures("dummy_display")


def test_the_pin_opens_the_desk_stands_nowhere_and_another_one_is_logged_and_counted_over_a_restart(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        assert (station.opened("1111"), station.last.kind) == ("door.pin", Kind.DOOR_REFUSED)
        station.tap("back")
        assert (station.opened(), station.last.kind) == ("desk.menu", Kind.DOOR_OPENED)
        assert "2468" not in repr((station.loop.station, station.entries()))
        station.tap("close")
        for _ in range(3):
            station.opened("1111")
            station.tap("back")
    with rig(tmp_path, **PIN) as station:
        assert station.shut()


def test_another_lexicon_is_taken_from_the_folder_and_kept_over_a_restart(tmp_path: Path) -> None:
    other = made(tmp_path / "another.dawg", ("AA", "AB"), name="ANOTHER")
    (tmp_path / "broken.dawg").write_text("no lexicon")
    with rig(tmp_path, **PIN) as station:
        station.opened()
        station.reads("ANOTHER", "place.lexicons")
        assert "broken.dawg" in station.said
        station.tap("lexicon.1", "take")
        station.until(lambda: station.last.kind is Kind.REFUSED)
        assert "broken.dawg: expected a lexicon" in (station.loop.station.judge_desk.facts.result or "")
        # It was only asked for: what is in force is as sound as before.
        assert station.tap("back", "close") == "idle"
        assert "UNACCEPTABLE" not in station.judged("TILE")
        station.tap("done")
        station.opened()
        station.reads("ANOTHER", "place.lexicons")
        station.reads("In use: ANOTHER", "lexicon.0", "take")
        assert "ANOTHER" in station.footer
        assert station.kinds[1:] == [Kind.DOOR_OPENED, Kind.REFUSED, Kind.LOOKUP, Kind.DOOR_OPENED, Kind.CHANGED]
    with rig(tmp_path, **PIN) as station:
        assert "ANOTHER" in station.footer
        station.judged("AA", table=13)
        assert station.last.acceptable is True
        station.tap("done")
        # It is watched now, in place of the settings' own.
        made(other, ("AD",), name="LATER")
        station.until(lambda: "LATER" in station.footer)
    assert (tmp_path / "station.db-chosen.json").exists()


def test_the_same_list_found_again_under_the_path_in_use_is_no_row_and_no_change(station: Rig) -> None:
    desk, found = station.loop._handler, loading.load(station.lexicon)
    assert desk.fetched(Fetched(station.lexicon, found, requested=False, in_use=True)) == ()
    assert station.kinds == [Kind.STARTED]
    assert "ACCEPTABLE" in station.judged("TILE")


def test_files_whose_names_are_no_text_are_listed_drawn_taken_and_kept_over_a_restart(tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    lists.mkdir()
    made(tmp_path / "sound", ("AA", "AB"), name="ANOTHER").rename(lists / os.fsdecode(b"\xfe.dawg"))
    (lists / os.fsdecode(b"\xff.dawg")).write_text("no lexicon")
    with rig(tmp_path, lexicon__folder=str(lists), **PIN) as station:
        station.opened()
        station.reads("ANOTHER", "place.lexicons")
        station.tap("lexicon.0", "take")
        station.until(lambda: "ANOTHER" in station.footer)
        station.tap("lexicon.1", "take")
        station.until(lambda: station.last.kind is Kind.REFUSED)
    with rig(tmp_path, lexicon__folder=str(lists), **PIN) as station:
        assert "ANOTHER" in station.footer


def test_rulebook_and_name_are_taken_and_kept_until_the_settings_say_something_new(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        station.opened()
        station.tap("place.rulebooks", "rulebook.club", "take")
        assert "In use" in station.said
        station.tap("back", "place.name")
        station.key(*["backspace"] * 40)
        station.type("Hall 2")
        station.tap("next")
        assert "Hall 2" in station.footer
        station.tap("back", "close")
        station.judged("TILE")
    with rig(tmp_path, **PIN) as station:
        assert "Hall 2" in station.footer
        assert station.loop.station.flow.context.rulebook.id == "club"
    with rig(tmp_path, name="Station 9", rulebook="nzasp-2022", **PIN) as station:
        assert "Station 9" in station.footer
        assert station.loop.station.flow.context.rulebook.id == "nzasp-2022"
    changed = [entry.why for entry in entries_in(tmp_path / "station.db") if entry.kind is Kind.CHANGED]
    assert changed == ["rulebook: club", "name: Hall 2"]
    named = [(kept.row.kind, kept.row.station) for kept in kept_in(tmp_path / "station.db")]
    # The row of the change still bears the name that everybody knows until then.
    assert named[2:5] == [("changed", "Challenge station"), ("changed", "Challenge station"), ("lookup", "Hall 2")]
    assert [station for kind, station in named if kind == "started"] == ["Challenge station", "Hall 2", "Station 9"]


def test_where_a_choice_cannot_be_kept_it_stands_and_the_director_is_told(desk: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kiosk.shell.choices.files.write_whole", full)
    desk.tap("place.rulebooks", "rulebook.club", "take")
    assert "could not be saved" in desk.said
    assert "no space left" in desk.said


def test_the_log_is_read_and_exported_as_csv_and_that_is_logged(tmp_path: Path, station: Rig) -> None:
    station.judged("TILE")
    station.tap("done")
    station.opened()
    station.reads("table 12", "place.log")
    station.reads("Rows written", "back", "place.export", "export")
    assert station.last.kind is Kind.EXPORTED
    (file,) = (tmp_path / "out").iterdir()
    rows = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
    assert [row["words"] for row in rows if row["verdict"]] == ["TILE"]


def test_a_page_that_is_just_full_is_the_last_of_the_log_and_one_row_more_makes_another(station: Rig) -> None:
    for table in range(1, ROWS - 1):
        station.judged("TILE", table=table)
        station.tap("done")
    for older in (False, True):
        station.opened()
        assert len(station.entries()) == ROWS + older
        station.tap("place.log")
        page = some(station.loop.station.judge_desk.facts.log)
        assert (len(page.lines), page.older) == (ROWS, older)
        station.tap("back", "close")


def test_an_export_that_cannot_be_written_says_so(tmp_path: Path, desk: Rig) -> None:
    (tmp_path / "out").write_text("a file where a folder should be")
    desk.reads("expected a folder", "place.export", "export")


def test_touch_at_five_points_and_what_is_examined_are_one_row_and_going_back_leaves_none(desk: Rig) -> None:
    desk.reads("read whole", "place.self_test")
    rows = len(desk.entries())
    desk.tap("touch", "point", "back", "place.self_test")
    desk.reads("read whole")
    assert [entry.device_test for entry in desk.entries()[rows:]] == [None]
    desk.lexicon.unlink()
    desk.reads("Touch: 4 of 5 points answer", "touch", "point", "point", "no_answer", "point", "point")
    # The loader may have noticed meanwhile that the list is gone: then it is a row of its own, and nothing is judged.
    tested = of_kind(DeviceTest, [entry for entry in desk.entries() if entry.kind is Kind.SELF_TEST][-1].device_test)
    assert [each.what for each in tested.failed if each.what != "judging"] == ["touch, middle", "lexicon"]
    assert tested.checks > 5 + 5
    findings = some(desk.loop.station.judge_desk.facts.findings)
    # What is wrong comes first.
    assert [each.fine for each in findings].index(True) == sum(not each.fine for each in findings) >= 2


FIRST: dict[str, Any] = {"door__first_test": True, **PIN}


def test_a_new_station_begins_with_its_test_at_each_start_until_there_is_a_result_and_nobody_is_past_its_door(tmp_path: Path) -> None:
    for touched in (0, 4):
        # The power goes before the last point.
        with rig(tmp_path, **FIRST) as station:
            assert (station.tap(*["point"] * touched), station.shown.point) == ("desk.self_test", touched)
    with rig(tmp_path, **FIRST) as station:
        station.reads("Touch: 5 of 5 points answer", *["point"] * 5)
        station.until(lambda: station.last.kind is Kind.SELF_TEST)
        assert of_kind(DeviceTest, station.last.device_test).checks > 5 + 5
        assert station.tap("back") == "idle"
        assert Kind.DOOR_OPENED not in station.kinds
        assert station.opened() == "desk.menu"
    with rig(tmp_path, **FIRST) as station:
        assert station.page == "idle"


def test_a_test_that_somebody_leaves_does_not_come_again(tmp_path: Path) -> None:
    with rig(tmp_path, **FIRST) as station:
        assert station.tap("point", "back") == "idle"
        assert (station.last.kind, station.last.device_test) == (Kind.SELF_TEST, "left")
        assert "ACCEPTABLE" in station.judged("TILE")
    with rig(tmp_path, **FIRST) as station:
        assert station.page == "idle"


def test_a_station_with_a_challenge_or_a_damaged_log_or_without_the_setting_does_not_begin_with_it(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        assert station.page == "idle"
        station.opened()
        station.reads("read whole", "place.self_test")
    with rig(tmp_path, **FIRST) as station:
        assert station.page == "desk.self_test", "a self-test alone has not tried the touch"
    with rig(tmp_path, **PIN) as station:
        station.judged("TILE")
    with rig(tmp_path, **FIRST) as station:
        assert station.page == "idle"
    (tmp_path / "station.db").write_bytes(b"no log" * 1000)
    with rig(tmp_path, **FIRST) as station:
        assert (station.page, len(station.entries())) == ("idle", 2), "its log is new, and the station is not"


@pytest.mark.parametrize(
    ("errand", "touches", "done"),
    [
        ("kiosk.shell.effect_handler.listing", ("place.lexicons",), "EXAMPLE"),
        ("kiosk.shell.effect_handler.exported", ("place.export", "export"), "Rows written"),
        ("kiosk.doctor.examine_live", ("place.self_test",), "read whole"),
    ],
)
def test_an_errand_with_an_unexpected_error_shows_it_and_succeeds_when_asked_for_again(
    desk: Rig, monkeypatch: pytest.MonkeyPatch, errand: str, touches: tuple[str, ...], done: str
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("unforeseen")

    with monkeypatch.context() as broken:
        broken.setattr(errand, fails)
        desk.reads("RuntimeError: unforeseen", *touches)
    if "self_test" in touches[0]:
        # It is its own finding, and logged.
        assert desk.last.kind is Kind.SELF_TEST
        assert "unforeseen" in (desk.last.why or "")
    desk.reads(done, "back", *touches)


@pytest.mark.parametrize("folder", ["", "gone"])
def test_the_wish_to_switch_the_machine_off_is_left_said_and_logged_or_it_is_said_that_it_cannot_be(tmp_path: Path, folder: str) -> None:
    wish = PowerOff(tmp_path / folder / "poweroff")
    with rig(tmp_path, supervisor=Supervisor(power_off=wish), **PIN) as station:
        station.opened()
        station.tap("place.quit")
        assert not wish.path.exists()
        station.tap("switch_off")
        assert wish.path.exists() is (not folder)
        if folder:
            assert "Use the power button" in station.said
            assert station.page == "desk.quit"
        else:
            assert "The machine is being switched off." in station.said
            assert "the machine is switched off" in [entry.why for entry in station.entries() if entry.kind is Kind.CHANGED]


@pytest.fixture
def heard() -> SimpleQueue[str]:
    return SimpleQueue()


@pytest.fixture
def errands(heard: SimpleQueue[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Errands[str]]:
    monkeypatch.setattr(threads, "LEAVE_S", 0.1)
    with closing(Errands[str](heard.put)) as running:
        yield running


def run(errands: Errands[str], name: str, done: str) -> None:
    errands.run(name, lambda: done, lambda why: why)


def hanging(errands: Errands[str], name: str) -> threading.Event:
    until, begun = threading.Event(), threading.Event()

    def hangs() -> str:
        begun.set()
        assert until.wait(PATIENCE_S)
        return "at last"

    errands.run(name, hangs, lambda why: why)
    assert begun.wait(PATIENCE_S)
    return until


def test_an_errand_that_fails_comes_back_with_that_its_traceback_is_in_the_journal_and_the_next_is_done(
    errands: Errands[str], heard: SimpleQueue[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> str:
        pin = "24" + "68"
        raise RuntimeError("a fault of the program's") if pin else AssertionError

    errands.run("list", fails, lambda why: f"it failed: {why}")
    assert heard.get(timeout=PATIENCE_S) == "it failed: RuntimeError: a fault of the program's"
    run(errands, "list", "another")
    assert heard.get(timeout=PATIENCE_S) == "another"
    logged = capsys.readouterr().out
    assert all(part in logged for part in ("an errand of the judge desk failed", "Traceback (most recent call last)", "in fails"))
    assert "2468" not in logged


def test_one_that_hangs_holds_up_none_of_another_name_and_of_its_own_name_one_waits(errands: Errands[str], heard: SimpleQueue[str]) -> None:
    until = hanging(errands, "self-test")
    for name in ("list", "export"):
        run(errands, name, name)
        assert heard.get(timeout=PATIENCE_S) == name
    for number in range(3):
        run(errands, "self-test", f"again {number}")
    until.set()
    assert [heard.get(timeout=PATIENCE_S) for _ in range(2)] == ["at last", "again 0"]
    errands.close()
    assert heard.empty()


def test_the_end_waits_for_what_is_being_run_and_not_for_what_hangs(errands: Errands[str], heard: SimpleQueue[str]) -> None:
    until = hanging(errands, "export")
    run(errands, "list", "quick")
    errands.close()
    assert heard.get_nowait() == "quick"
    assert heard.empty()
    errands.close()
    until.set()
    assert heard.get(timeout=PATIENCE_S) == "at last"


@pytest.fixture
def media(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of mount points, of which those named STICK have something mounted on them."""
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "STICK")
    return tmp_path / "media"


@pytest.mark.parametrize("stick", ["STICK", "somebody/STICK", ""])
def test_the_log_is_exported_to_a_stick_that_is_mounted_or_into_the_folder_of_the_settings(tmp_path: Path, media: Path, stick: str) -> None:
    (media / "somebody" / "EMPTY").mkdir(parents=True)
    (media / stick).mkdir(parents=True, exist_ok=True)
    count, path = exported(written(tmp_path / "station.db"), tmp_path / "out" / "deep", media)
    assert path.parent == (media / stick if stick else tmp_path / "out" / "deep")
    assert len(path.read_text(encoding="utf-8").splitlines()) == count + 1


def test_what_goes_wrong_is_an_error_and_leaves_nothing(tmp_path: Path, media: Path) -> None:
    with pytest.raises(RecordError, check=with_fields(found="no such file")):
        exported(tmp_path / "nowhere.db", tmp_path / "out", media)
    assert list((tmp_path / "out").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, check=with_fields(expected="a folder that can be written to")):
        exported(written(tmp_path / "station.db"), tmp_path / "file", media)


OWN = 'extends = "club"\nid = "own"\ntitle = "Our own"\nsummary = "As we play"\n'


def test_a_file_of_ones_own_is_there_as_long_as_it_can_be_used(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    shipped = set(shipped_ids())

    def there() -> dict[str, tuple[str, str]]:
        return {rulebook.id: (name, rulebook.title) for name, rulebook in usable((str(file), "club"))}

    assert there().keys() == shipped
    file.write_text(OWN, encoding="utf-8")
    assert there()["own"] == (str(file), "Our own")
    file.write_text("title =", encoding="utf-8")
    assert there().keys() == shipped


TIMES = [
    ("Europe/Paris", "en", "2026-11-21 15:03:59"),
    ("Europe/Paris", "fr", "21/11/2026 15:03:59"),
    ("UTC", "en", "2026-11-21 14:03:59 UTC"),
]


@pytest.mark.parametrize(("zone", "language", "shown"), TIMES)
def test_the_time_of_a_row_is_the_one_on_the_wall_or_named_utc_in_the_form_of_the_language(
    in_zone: Callable[[str], None], zone: str, language: str, shown: str
) -> None:
    in_zone(zone)
    assert wall_time_text("2026-11-21T14:03:59.120+00:00", load_texts(language)) == shown
    assert wall_time_text("1970-01-01T00:03:00.000+00:00", load_texts("en")) == "date not set"
