"""A real process: ended by SIGTERM it leaves a whole journal; killed, it finds its game again."""

import os
import signal
from pathlib import Path

import pytest

from game.journal.row import Kind, decode
from rules.duration import NS
from tests.firmware.shell.processes import ready, running, said_in
from tests.firmware.shell.rig import Hand, rig, rows_in


def _verified(path: Path) -> bool:
    with running("journal", "verify", "--journal", str(path)) as process:
        return process.communicate()[0].startswith("Whole")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_clock_cleanly_and_leaves_a_whole_journal(tmp_path: Path, ending: signal.Signals) -> None:
    path = tmp_path / "journal.db"
    with ready(tmp_path, "--journal", str(path)) as process:
        process.send_signal(ending)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert said_in(path) == ["new_game"]
    assert _verified(path)


def test_a_session_that_is_dropped_ends_no_clock_that_has_pins(tmp_path: Path) -> None:
    with ready(tmp_path, "--journal", str(tmp_path / "journal.db")) as process:
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
    # Were the first one to end it by itself, the process would have died of it.
    assert (process.returncode, errors) == (0, "")


def test_a_session_that_is_dropped_ends_a_clock_without_pins_in_order(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with ready(tmp_path, "--journal", str(path), "--pins", "none") as process:
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert _verified(path)


def test_a_clock_that_was_killed_in_a_game_finds_it_neutralised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path, Hand(boot="an earlier boot")) as table:
        table.play(table.press("5", "right"), table.press("65.5", "left"), until="75.75", cut=True)
    killed = []
    for _ in range(2):
        with ready(tmp_path, "--journal", str(path)) as process:
            os.kill(process.pid, signal.SIGKILL)
            killed.append(process.wait())
    with ready(tmp_path, "--journal", str(path)) as process:
        process.terminate()
        process.communicate(timeout=20)
    assert killed == [-signal.SIGKILL] * 2
    assert said_in(path) == ["new_game", "press right", "press left", "neutralise power cut"]
    stop = next(kept.row for kept in rows_in(path) if kept.row.number == 4)
    assert 74 * NS <= stop.at - table.origin <= 76 * NS
    recovered = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.RECOVERED]
    assert recovered
    assert all(NS <= said["uncertain_ns"] <= 2 * NS and said["refused"] == [] for said in recovered)
    assert _verified(path)


def test_a_clock_that_is_killed_leaves_a_record_in_memory_for_the_next_and_one_that_ends_in_order_leaves_none(tmp_path: Path) -> None:
    path, session = tmp_path / "journal.db", Path(os.environ["XDG_RUNTIME_DIR"]) / "tileclock"
    before = set(session.glob("*")) if session.exists() else set()
    with ready(tmp_path, "--journal", str(path)) as process:
        (record,) = set(session.glob("*.crash")) - before
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert record.exists()
    with ready(tmp_path, "--journal", str(path)) as process:
        process.terminate()
        process.communicate(timeout=20)
    assert not record.exists()
    assert said_in(path) == ["new_game"]
    assert _verified(path)


def test_a_second_clock_on_the_same_journal_is_turned_away_and_leaves_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with ready(tmp_path, "--journal", str(path)) as first:
        with running("run", "--pins", "mock", "--screen", "none", "--journal", str(path)) as second:
            _, errors = second.communicate(timeout=20)
        assert second.returncode == 2
        assert f"in use by process {first.pid}" in errors
        assert "Traceback" not in errors
        first.terminate()
        first.communicate(timeout=20)
    assert said_in(path) == ["new_game"]
    assert _verified(path)
