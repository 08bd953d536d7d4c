import os
from pathlib import Path
from typing import Any

import pygame
import pytest

from appliance.errors import ScreenError
from game.challenge_log.entry import Kind
from kiosk.effects import Print
from kiosk.events import JudgeDeskAnswer
from kiosk.facts import Facts
from kiosk.log.export import export_csv
from kiosk.shell import judge_desk_work
from kiosk.shell.effect_handler import EffectHandler
from kiosk.shell.threads import EndProgram, Reported
from tests.errors import with_fields
from tests.kiosk.shell.rig import PIN, Rig, entries_in, rig

pytestmark = pytest.mark.usefixtures("dummy_display")


def kinds_in(folder: Path) -> list[Kind]:
    return [entry.kind for entry in entries_in(folder / "station.db")[1:]]


def by_a_signal(station: Rig) -> None:
    station.loop.inbox.put(EndProgram("by a signal"))
    station.loop.run()


def click_the_cross(station: Rig) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    station.loop.turn()


def test_words_that_were_typed_are_logged_as_aborted(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        by_a_signal(station)
    _, aborted, stopped = entries_in(tmp_path / "station.db")
    assert (aborted.kind, aborted.table, aborted.words) == (Kind.ABORTED, 12, ("TILE",))
    assert (stopped.kind, stopped.why) == (Kind.STOPPED, "by a signal")


def test_a_window_that_is_closed_in_mid_challenge_asks_first_and_closes_when_asked_again_within_five_seconds(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        # After five seconds a click is too late to be the answer: it asks again, and the challenge goes on.
        for _ in range(2):
            station.goes_by(5)
            click_the_cross(station)
            assert (station.page, station.loop.why) == ("checking", "the program ended")
            assert "Close the window once more" in station.said
        station.goes_by(4.9)
        click_the_cross(station)
        station.loop.run()
    assert [(entry.kind, entry.why) for entry in station.entries()[2:]] == [(Kind.STOPPED, "the window was closed")]


def test_a_window_that_is_closed_at_the_desk_or_over_the_help_asks_there_too(station: Rig) -> None:
    station.asked("TILE")
    for hide, show in (("help", "help"), ("director", "back"), ("door", "back")):
        station.tap(hide)
        click_the_cross(station)
        assert "Close the window once more" in station.said
        station.goes_by(5)
        assert "Close the window once more" not in station.said
        station.tap(show)
    assert station.page == "checking"
    station.opened()
    for places in ((), ("place.log",), ("back", "place.judge", "slip.new")):
        station.tap(*places)
        click_the_cross(station)
        assert "Close the window once more" in station.said
        assert station.loop.why == "the program ended"
        station.goes_by(5)


def test_a_window_that_is_closed_while_nobody_challenges_closes_at_once(station: Rig) -> None:
    click_the_cross(station)
    assert station.loop.why == "the window was closed"


def test_words_that_wait_behind_the_directors_door_are_logged_once_when_the_director_ends_the_program(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        station.asked("TILE")
        station.opened()
        station.tap("place.quit", "quit")
        station.loop.run()
    assert kinds_in(tmp_path) == [Kind.DOOR_OPENED, Kind.ABORTED, Kind.STOPPED]
    assert station.last.why == "by the director"


def test_a_display_that_is_lost_costs_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_: object) -> bool:
        raise ScreenError(expected="the display", found="it gone", remedy="Start the program again")

    def played() -> None:
        with rig(tmp_path) as station:
            station.asked("TILE")
            monkeypatch.setattr(station.window, "draw", lost)
            station.loop.run()

    with pytest.raises(ScreenError, check=with_fields(found="it gone")):
        played()
    assert kinds_in(tmp_path) == [Kind.ABORTED, Kind.STOPPED]


def test_two_judges_who_differ_are_settled_by_the_first_ruling_that_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[Print] = []
    do = EffectHandler.do

    def watched(doing: EffectHandler, effect: Any) -> Any:
        if isinstance(effect, Print):
            printed.append(effect)
        return do(doing, effect)

    monkeypatch.setattr(EffectHandler, "do", watched)
    with rig(tmp_path, **PIN) as station:
        station.opened()
        station.tap("place.judge", "slip.new", "7", "challenger.none")
        station.tap("QI", "finish", "finish", "AB", "next", "verdict.acceptable")
        station.tap("review", "CD", "next", "verdict.unacceptable")
        assert printed == []
        by_a_signal(station)
    *_, settled, stopped = entries_in(tmp_path / "station.db")
    assert (settled.kind, settled.table, settled.acceptable) == (Kind.MANUAL, 7, True)
    assert settled.why == "manual adjudication: by a signal; no third judge has ruled: the first ruling has precedence"
    assert stopped.kind is Kind.STOPPED
    assert [(slip.entry.table, slip.entry.acceptable) for slip in printed] == [(7, True)]


def test_what_an_errand_came_back_with_after_the_wish_to_leave_is_logged_before_that_it_stopped(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        by_a_signal(station)
        for why in ("one", "two"):
            station.loop.inbox.put(Reported(JudgeDeskAnswer(Facts(result=why)), station.entries()[0]))
    assert kinds_in(tmp_path) == [Kind.STARTED, Kind.STARTED, Kind.STOPPED]


def test_an_export_that_is_being_written_when_the_director_leaves_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()

    def slow(log: Path, target: Path) -> int:
        os.read(reader, 1)
        return export_csv(log, target)

    monkeypatch.setattr(judge_desk_work, "export_csv", slow)
    with rig(tmp_path, **PIN) as station:
        station.opened()
        station.tap("place.export", "export", "back", "place.quit", "quit")
        os.write(writer, b"!")
    os.close(reader)
    os.close(writer)
    assert kinds_in(tmp_path) == [Kind.DOOR_OPENED, Kind.EXPORTED, Kind.STOPPED]
