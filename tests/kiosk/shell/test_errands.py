"""Errands: those of one name one after the other, those of another beside them; one that fails says so, and the next is done."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import pytest

from kiosk.shell import threads as module
from kiosk.shell.threads import Errand, Errands

PATIENCE_S = 20.0


def errand(name: str, done: str) -> Errand[str]:
    return Errand(name, lambda: done, lambda why: f"{done}: {why}")


def hanging(name: str, until: threading.Event, begun: threading.Event) -> Errand[str]:
    def hangs() -> str:
        begun.set()
        assert until.wait(PATIENCE_S)
        return "at last"

    return Errand(name, hangs, lambda why: why)


def test_an_errand_that_fails_comes_back_with_that_its_traceback_is_in_the_journal_and_the_next_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails() -> str:
        pin = "24" + "68"
        raise RuntimeError("a fault of the program's") if pin else AssertionError

    heard: SimpleQueue[str] = SimpleQueue()
    with Errands[str](heard.put) as errands:
        errands.run(Errand("list", fails, lambda why: f"it failed: {why}"))
        assert heard.get(timeout=PATIENCE_S) == "it failed: RuntimeError: a fault of the program's"
        errands.run(errand("list", "another"))
        assert heard.get(timeout=PATIENCE_S) == "another"
    said = capsys.readouterr().out
    assert "errand failed" in said
    assert "Traceback (most recent call last)" in said
    assert "in fails" in said
    assert "2468" not in said


def test_one_that_hangs_holds_up_none_of_another_name_and_of_its_own_name_one_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: SimpleQueue[str] = SimpleQueue()
    until, begun = threading.Event(), threading.Event()
    with Errands[str](heard.put) as errands:
        errands.run(hanging("self-test", until, begun))
        assert begun.wait(PATIENCE_S)
        for name in ("list", "export"):
            errands.run(errand(name, name))
            assert heard.get(timeout=PATIENCE_S) == name
        for number in range(3):
            errands.run(errand("self-test", f"again {number}"))
        until.set()
        assert [heard.get(timeout=PATIENCE_S) for _ in range(2)] == ["at last", "again 0"]
    assert heard.empty()


def test_the_end_waits_for_what_is_being_run_and_not_for_what_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAVE_S", 0.1)
    heard: SimpleQueue[str] = SimpleQueue()
    until, begun = threading.Event(), threading.Event()
    with Errands[str](heard.put) as errands:
        errands.run(hanging("export", until, begun))
        errands.run(errand("list", "quick"))
        assert begun.wait(PATIENCE_S)
    assert heard.get_nowait() == "quick"
    assert heard.empty()
    errands.close()
    until.set()
    assert heard.get(timeout=PATIENCE_S) == "at last"
