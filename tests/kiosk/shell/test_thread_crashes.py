"""A thread that dies of an error nobody foresaw: in the journal, told by the self-test, and the players go on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kiosk.shell.threads import watched
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.shell.rig import rig


def died(of: BaseException) -> None:
    def dies() -> None:
        raise of

    thread = threading.Thread(target=dies, name="lexicon loader")
    thread.start()
    thread.join()


def test_a_thread_that_died_is_known_by_its_name_and_its_error_and_who_was_told_before_is_told_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", before.append)
    with watched() as deaths:
        told = [deaths.summary]
        died(RuntimeError("one"))
        died(SystemExit())
        died(ValueError("two"))
        told += [deaths.summary]
    assert told == [None, "lexicon loader (RuntimeError: one); lexicon loader (ValueError: two)"]
    assert [args.exc_type for args in before] == [RuntimeError, SystemExit, ValueError]
    assert capsys.readouterr().out.count("a thread crashed") == 2
    died(RuntimeError("three"))
    assert "three" not in str(deaths.summary)


@pytest.mark.usefixtures("dummy_display")
def test_the_self_test_tells_of_it_and_the_players_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        died(RuntimeError("nobody foresaw it"))
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done", "door", *(f"tile.{digit}" for digit in "2468"), "next", "place.self_test")
        station.until(lambda: station.loop.station.judge_desk.facts.findings is not None)
        findings = station.loop.station.judge_desk.facts.findings or ()
        (finding,) = [each for each in findings if each.what.startswith("program: ")]
        assert not finding.fine
        assert "lexicon loader (RuntimeError: nobody foresaw it)" in finding.what
