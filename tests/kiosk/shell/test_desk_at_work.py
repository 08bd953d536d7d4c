"""The director at the desk of a whole station: PIN, lists, lexicon, rulebook and name taken and kept over a restart, log, export, self-test, leaving."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from game.challenge_log.entry import Kind
from kiosk.lexicons import loading
from kiosk.lexicons.watching import Fetched
from kiosk.shell.choices import beside
from lexicon.errors import Damaged
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.lexicons.files import made
from tests.kiosk.log.making import kept_in
from tests.kiosk.shell.rig import Rig, entries_in, rig

pytestmark = pytest.mark.usefixtures("dummy_display")
PIN: dict[str, Any] = {"door__pin": KEPT_PIN}


def opened(station: Rig, pin: str = "2468") -> None:
    station.tap("door", *(f"tile.{digit}" for digit in pin), "next")


def shown(station: Rig) -> str:
    assert station.loop.page is not None
    footer = station.loop.page.footer
    return f"{footer.lexicon} {footer.rulebook} {footer.station}"


def rots(path: str, _: object) -> None:
    raise Damaged(where=path, expected="the bytes that were written", found="others", remedy="Copy it anew")


def test_the_pin_opens_the_desk_and_another_one_is_logged_and_counted_over_a_restart(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station, "1111")
        assert station.page == "door.pin"
        opened_rows = [entry.kind for entry in station.entries()]
        assert opened_rows[-1] is Kind.DOOR_REFUSED
        station.tap("back")
        opened(station)
        assert station.page == "desk.menu"
        assert station.entries()[-1].kind is Kind.DOOR_OPENED
        station.tap("close")
        for _ in range(3):
            opened(station, "1111")
            station.tap("back")
    with rig(tmp_path, **PIN) as station:
        station.tap("door")
        assert station.page == "door.shut"


def test_no_pin_stands_in_the_log_or_in_what_the_station_knows(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        assert "2468" not in repr(station.loop.station)
    assert all("2468" not in (entry.why or "") for entry in entries_in(tmp_path / "station.db"))


def test_another_lexicon_is_taken_from_the_folder_and_kept_over_a_restart(tmp_path: Path) -> None:
    other = made(tmp_path / "another.dawg", ("AA", "AB"), name="ANOTHER")
    (tmp_path / "broken.dawg").write_text("no lexicon")
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "ANOTHER" in station.said)
        assert "broken.dawg" in station.said
        station.tap("lexicon.1", "take")
        station.until(lambda: station.entries()[-1].kind is Kind.REFUSED)
        assert "broken.dawg: expected a lexicon" in (station.loop.station.judge_desk.facts.result or "")
        # It was only asked for: what is in force is as sound as before.
        station.tap("back", "close")
        assert station.page == "idle"
        assert "UNACCEPTABLE" not in station.judged("TILE")
        station.tap("done")
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "ANOTHER" in station.said)
        station.tap("lexicon.0", "take")
        station.until(lambda: "ANOTHER" in shown(station))
        assert "Taken: ANOTHER" in station.said
        kinds = [entry.kind for entry in station.entries()]
        assert kinds[1:] == [Kind.DOOR_OPENED, Kind.REFUSED, Kind.LOOKUP, Kind.DOOR_OPENED, Kind.CHANGED]
    with rig(tmp_path, **PIN) as station:
        assert "ANOTHER" in shown(station)
        station.judged("AA", table=13)
        assert station.entries()[-1].acceptable is True
        station.tap("done")
        # It is watched now, in place of the settings' own.
        made(other, ("AD",), name="LATER")
        station.until(lambda: "LATER" in shown(station))
    assert beside(tmp_path / "station.db").exists()


def test_the_list_in_use_found_damaged_may_be_asked_for_once_more_and_judges_nothing_until_it_is_found_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "EXAMPLE" in station.said)
        with monkeypatch.context() as rotten:
            rotten.setattr(loading, "prove", rots)
            os.utime(station.lexicon, ns=(0, 0))
            station.until(lambda: station.loop.station.flow.context.trouble is not None)
            station.tap("lexicon.0", "take")
            station.until(lambda: "Copy it anew" in station.said)
        station.tap("back", "close")
        assert station.page == "idle.trouble"
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "EXAMPLE" in station.said)
        station.tap("lexicon.0", "take")
        station.until(lambda: station.loop.station.flow.context.trouble is None)
        station.tap("back", "close")
        station.judged("TILE")


def test_of_two_files_of_the_same_list_the_second_touch_takes_the_other_and_only_that_is_in_force(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        (tmp_path / "same.dawg").write_bytes(station.lexicon.read_bytes())
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "same.dawg" in station.said)
        assert "In force · list.dawg" in station.said
        before = station.entries()
        station.tap("lexicon.0")
        assert station.page == "desk.lexicons", "it is in force: there is nothing to ask"
        station.tap("lexicon.1")
        assert station.page == "desk.confirm"
        station.key("escape")
        assert (station.page, station.entries()) == ("desk.lexicons", before)
        station.tap("lexicon.1")
        station.key("return")
        station.until(lambda: "In force · same.dawg" in station.said)
        assert "In force · list.dawg" not in station.said
        assert station.entries()[-1].kind is Kind.CHANGED


def test_the_list_in_force_found_sound_when_it_is_asked_for_is_answered_and_logged(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        (tmp_path / "same.dawg").write_bytes(station.lexicon.read_bytes())
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "same.dawg" in station.said)
        before = len(station.entries())
        station.tap("lexicon.1", "take")
        station.until(lambda: "Taken: EXAMPLE" in station.said)
        (changed,) = station.entries()[before:]
        assert (changed.kind, changed.why) == (Kind.CHANGED, f"lexicon: {tmp_path / 'same.dawg'}")


def test_the_same_list_found_again_under_the_path_in_use_is_no_row_and_no_change(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        desk, found = station.loop._handler.judge_desk, loading.load(station.lexicon)
        assert desk.fetched(Fetched(station.lexicon, found, requested=False, in_use=True)) == ()
        assert [entry.kind for entry in station.entries()] == [Kind.STARTED]
        assert "ACCEPTABLE" in station.judged("TILE")


def test_what_befalls_the_file_in_use_is_no_answer_to_a_director_who_asked_for_nothing(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "EXAMPLE" in station.said)
        station.lexicon.write_text("no lexicon any more")
        station.until(lambda: station.entries()[-1].kind is Kind.REFUSED)
        assert station.loop.station.judge_desk.facts.result is None
        station.tap("back", "close")
        assert station.page == "idle.trouble"


def test_files_whose_names_are_no_text_are_listed_drawn_taken_and_kept_over_a_restart(tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    lists.mkdir()
    made(tmp_path / "sound", ("AA", "AB"), name="ANOTHER").rename(lists / os.fsdecode(b"\xfe.dawg"))
    (lists / os.fsdecode(b"\xff.dawg")).write_text("no lexicon")
    with rig(tmp_path, lexicon__folder=str(lists), **PIN) as station:
        opened(station)
        station.tap("place.lexicons")
        station.until(lambda: "ANOTHER" in station.said)
        station.tap("lexicon.0", "take")
        station.until(lambda: "ANOTHER" in shown(station))
        station.tap("lexicon.1", "take")
        station.until(lambda: station.entries()[-1].kind is Kind.REFUSED)
    with rig(tmp_path, lexicon__folder=str(lists), **PIN) as station:
        assert "ANOTHER" in shown(station)


def test_rulebook_and_name_are_taken_and_kept_until_the_settings_say_something_new(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.rulebooks", "rulebook.club", "take")
        assert "Taken" in station.said
        station.tap("back", "place.name")
        station.key(*["backspace"] * 40)
        station.type("Hall 2")
        station.tap("next")
        assert "Hall 2" in shown(station)
        station.tap("back", "close")
        station.judged("TILE")
    with rig(tmp_path, **PIN) as station:
        assert "Hall 2" in shown(station)
        assert station.loop.station.flow.context.rulebook.id == "club"
    with rig(tmp_path, name="Station 9", rulebook="nzasp-2022", **PIN) as station:
        assert "Station 9" in shown(station)
        assert station.loop.station.flow.context.rulebook.id == "nzasp-2022"
    changed = [entry.why for entry in entries_in(tmp_path / "station.db") if entry.kind is Kind.CHANGED]
    assert changed == ["rulebook: club", "name: Hall 2"]
    named = [(kept.row.kind, kept.row.station) for kept in kept_in(tmp_path / "station.db")]
    # The row of the change still bears the name that everybody knows until then.
    assert named[2:5] == [("changed", "Challenge station"), ("changed", "Challenge station"), ("lookup", "Hall 2")]
    assert [station for kind, station in named if kind == "started"] == ["Challenge station", "Hall 2", "Station 9"]


def test_where_a_choice_cannot_be_kept_it_stands_and_the_director_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kiosk.shell.choices.write", full)
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.rulebooks", "rulebook.club", "take")
        assert "could not be kept" in station.said
        assert "no space left" in station.said


def test_the_director_ends_the_program_and_the_log_says_by_whom(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.quit", "quit")
        station.loop.run()  # returns: it was ended
    last = entries_in(tmp_path / "station.db")[-1]
    assert (last.kind, last.why) == (Kind.STOPPED, "by the director")


def test_the_menu_of_the_desk_is_worked_by_its_figures(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.goes_by(0.6)
        station.type("4")
        assert station.page == "desk.log"
        station.key("escape")
        # Too early: the menu has only just come up again.
        station.type("2")
        assert station.page == "desk.menu"
        station.goes_by(0.6)
        station.type("2")
        assert station.page == "desk.rulebooks"
