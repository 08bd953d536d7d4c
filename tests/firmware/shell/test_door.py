"""The director's door of a two-button board: the code of the settings, and wrong tries that survive a restart."""

from pathlib import Path

import pytest

from appliance.lock import hashed
from firmware.journal.recovery import wrong_codes
from tests.appliance.records.damage import tamper
from tests.firmware.shell.rig import Hand, Rig, Step, ns, rig

CODE = "1221"
"""Left, right, right, left."""


@pytest.fixture(scope="module")
def code() -> str:
    return hashed(CODE)


def knock(table: Rig, seconds: str) -> list[Step]:
    """Return the steps that open the door after 5 s."""
    return table.press(seconds, "left", "right", held=ns("5.2"))


def enter(table: Rig, seconds: int, buttons: tuple[str, ...]) -> list[Step]:
    """Return the presses of a code, handed in 4 s after ``seconds``."""
    presses = [step for place, button in enumerate(buttons) for step in table.press(f"{seconds + place * 0.5:.1f}", button)]
    return [*presses, *table.press(f"{seconds + 4}", "left", "right", held=ns("0.3"))]


RIGHT = ("left", "right", "right", "left")
WRONG = ("left", "left", "right", "left")


def test_the_right_code_opens_the_menu_and_a_wrong_one_does_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", board__file="two-button", director__code=code) as table:
        table.play(knock(table, "5"), enter(table, 12, WRONG), enter(table, 20, RIGHT), until="30")
        asked = table.face("19").menu
        assert asked is not None
        assert asked.rows == (), "the code's page still"
        assert table.clock.table.menu is not None
        assert table.clock.table.wrong_codes == 0
    assert wrong_codes(table.path) == 0


def test_three_wrong_codes_wait_and_a_restart_waits_its_whole_time_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path, board__file="two-button", director__code=code) as table:
        wrong = [step for seconds in (12, 20, 28) for step in enter(table, seconds, WRONG)]
        table.play(knock(table, "5"), wrong, until="34", cut=True)
        assert table.clock.table.wrong_codes == 3
    assert wrong_codes(path) == 3
    with rig(monkeypatch, path, Hand(ns("5000"), boot="second boot"), board__file="two-button", director__code=code) as again:
        again.play(knock(again, "2"), enter(again, 10, RIGHT), until="16")
        assert again.clock.table.wrong_codes == 3
        door = again.clock.table.door
        assert again.clock.table.menu is None
        assert door is not None
        assert door.entered == (), "the door takes no press before its wait is over"


def test_the_wait_outlasts_a_journal_that_is_set_aside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path, board__file="two-button", director__code=code) as table:
        wrong = [step for seconds in (12, 20, 28) for step in enter(table, seconds, WRONG)]
        table.play(knock(table, "5"), wrong, until="34")
    tamper(path, "UPDATE rows SET body = '{}' WHERE seq = 2")
    for boot in ("second", "third"):
        with rig(monkeypatch, path, Hand(ns("5000"), boot=boot), board__file="two-button", director__code=code) as again:
            again.play(until="2")
            assert again.clock.table.wrong_codes == 3
    assert len(list(tmp_path.glob("*.damaged"))) == 1


def test_without_a_code_the_menu_opens_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", board__file="two-button") as table:
        table.play(knock(table, "5"), until="11")
        assert table.clock.table.menu is not None
