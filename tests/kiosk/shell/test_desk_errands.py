"""The director at the desk waits for what takes a while: lists, export, self-test, each beside the others; and reads the log."""

from __future__ import annotations

import csv
import threading
from pathlib import Path

import pytest

from faults.errors import Phrase
from game.challenge_log.entry import Kind
from kiosk.director.judge_desk import ROWS
from kiosk.facts import SelfTestResult
from kiosk.shell import judge_desk_work
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.rig import PATIENCE_S, rig
from tests.kiosk.shell.test_desk_at_work import PIN, opened

pytestmark = pytest.mark.usefixtures("dummy_display")


def test_the_log_is_read_and_exported_as_csv_and_that_is_logged(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        station.judged("TILE")
        station.tap("done")
        opened(station)
        station.tap("place.log")
        assert "table 12" in station.said
        station.tap("back", "place.export", "export")
        station.until(lambda: "Rows written" in station.said)
        assert station.entries()[-1].kind is Kind.EXPORTED
    (file,) = (tmp_path / "out").iterdir()
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [row["words"] for row in rows if row["verdict"]] == ["TILE"]


def test_a_page_that_is_just_full_is_the_last_of_the_log_and_one_row_more_makes_another(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        for table in range(1, ROWS - 1):
            station.judged("TILE", table=table)
            station.tap("done")
        opened(station)
        assert len(station.entries()) == ROWS
        station.tap("place.log")
        page = station.loop.station.judge_desk.facts.log
        assert page is not None
        assert (len(page.lines), page.older) == (ROWS, False)
        station.tap("back", "close")
        opened(station)
        station.tap("place.log")
        page = station.loop.station.judge_desk.facts.log
        assert page is not None
        assert (len(page.lines), page.older) == (ROWS, True)


def test_an_export_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where a folder should be")
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.export", "export")
        station.until(lambda: "expected a folder" in station.said)


def test_the_self_test_tells_what_is_well_and_what_is_not(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.self_test")
        station.until(lambda: "read whole" in station.said)
        station.lexicon.unlink()
        station.tap("again")
        station.until(lambda: "expected a lexicon file" in station.said)
        assert station.entries()[-1].kind is Kind.SELF_TEST


@pytest.mark.parametrize(("errand", "place", "touch"), [("listing", "lexicons", None), ("exported", "export", "export")])
def test_an_errand_that_fails_of_what_nobody_foresaw_is_said_and_done_when_it_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errand: str, place: str, touch: str | None
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("nobody foresaw it")

    touches = (f"place.{place}",) if touch is None else (f"place.{place}", touch)
    with rig(tmp_path, **PIN) as station:
        opened(station)
        with monkeypatch.context() as broken:
            broken.setattr(judge_desk_work, errand, fails)
            station.tap(*touches)
            station.until(lambda: "RuntimeError: nobody foresaw it" in station.said)
        station.tap("back", *touches)
        station.until(lambda: ("EXAMPLE" if touch is None else "Rows written") in station.said)


def test_a_self_test_that_fails_of_what_nobody_foresaw_is_its_own_finding_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("nobody foresaw it")

    with rig(tmp_path, **PIN) as station:
        opened(station)
        with monkeypatch.context() as broken:
            broken.setattr("kiosk.doctor.examine.examine_live", fails)
            station.tap("place.self_test")
            station.until(lambda: "RuntimeError: nobody foresaw it" in station.said)
        assert station.entries()[-1].kind is Kind.SELF_TEST
        assert "nobody foresaw it" in (station.entries()[-1].why or "")
        station.tap("again")
        station.until(lambda: "read whole" in station.said)


def test_a_self_test_that_takes_its_time_keeps_no_list_and_no_export_from_the_director(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = threading.Event()

    def takes_its_time(*_: object) -> tuple[SelfTestResult, ...]:
        assert until.wait(PATIENCE_S)
        return (SelfTestResult(Phrase("at last"), fine=True),)

    monkeypatch.setattr("kiosk.doctor.examine.examine_live", takes_its_time)
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.self_test", "back", "place.lexicons")
        station.until(lambda: "EXAMPLE" in station.said)
        station.tap("back", "place.export", "export")
        station.until(lambda: "Rows written" in station.said)
        station.tap("back", "place.self_test")
        assert "at last" not in station.said
        until.set()
        station.until(lambda: "at last" in station.said)


def test_a_list_of_another_alphabet_than_the_settings_ask_for_is_marked_in_the_list(tmp_path: Path) -> None:
    made(tmp_path / "es.dawg", ("SÍ",), "spanish", "OTRA")
    with rig(tmp_path, lexicon__alphabet="english", **PIN) as station:
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "OTRA" in station.said)
        assert "Not usable here · alphabet: spanish · es.dawg" in station.said
