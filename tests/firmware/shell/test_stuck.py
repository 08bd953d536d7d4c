"""A button that is down when the clock starts, or that does not come up again."""

from pathlib import Path

import pytest

from game.game import Phase
from game.journal.row import Kind, decode
from tests.firmware.shell.rig import LONG_NS, ns, rig, rows_in


def test_a_button_stuck_down_at_the_start_is_no_press_and_is_said_until_it_is_free(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left"]) as table:
        freed = table.at("20")
        table.play([(freed, lambda: table.board.up("left", freed))], table.press("30", "right"), table.press("40", "left"), until="50")
        assert table.face("10").phase is Phase.READY
        assert table.face("10").notices == ("LEFT button is stuck down: free it",)
        assert table.face("21").notices == ()
        assert table.face("31").phase is Phase.RUNNING
        assert table.used() == (10_000_000_000, 0)
    notes = [decode(kept.row.body) for kept in rows_in(table.path) if kept.row.kind == Kind.NOTE]
    assert notes == [{"stuck": "left"}]


def test_the_bounce_of_a_stuck_button_that_comes_free_is_no_press(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left"]) as table:
        freed = table.at("20")
        chatter = [freed, freed + 5_000_000, freed + 12_000_000]
        table.play([(freed, lambda: table.board.bounce("left", chatter))], until="30")
        assert table.face("29").phase is Phase.READY


def test_a_game_can_be_played_with_the_other_button_while_one_is_stuck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left"]) as table:
        table.play(table.press("5", "right"), table.press("15.5", "centre"), until="20")
        assert table.used() == (10_500_000_000, 0)


def _notes(path: Path) -> list[object]:
    return [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("full", "LEFT button is stuck down: free it"),
        ("two-button", "LEFT button is stuck down: free it. The other one held 1\xa0s stops the clock"),
    ],
)
def test_a_button_that_sticks_in_a_game_is_named_after_ten_seconds_until_it_comes_free_and_its_press_counts_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, board: str, said: str
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", board__file=board) as table:
        table.play(
            table.press("5", "right"),
            table.press("12", "left", held=ns("48")),
            table.press("40", "right"),
            table.press("70", "left"),
            until="80",
        )
        # It ended the turn at its edge, and does nothing more, however long it is down: the other player's next press begins the next turn.
        assert table.face("21.9").notices == ()
        assert [table.face(at).notices for at in ("22", "30", "59.9")] == [(said,)] * 3
        assert table.face("61").notices == ()
        assert [table.face(at).halves.left.runs for at in ("6", "13", "41", "69", "71")] == [True, False, True, True, False]
        assert table.used() == (ns("37"), ns("28"))
    assert _notes(table.path) == [{"stuck": "left"}]


def test_with_a_players_button_stuck_the_bar_still_stops_the_clocks_and_the_director_decides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "right"), table.press("12", "left", held=ns("600")), table.press("50", "centre"), until="60")
        assert table.face("59").phase is Phase.NEUTRAL
        assert table.used() == (ns("7"), ns("38"))


def test_a_button_that_is_held_as_long_as_anything_means_is_not_called_stuck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", board__file="two-button") as table:
        table.play(table.press("5", "left", "right", held=ns("9.9")), until="20")
        assert all(face.notices == () for _, face in table.screen.faces)
    assert _notes(table.path) == []


def test_the_directors_key_left_on_is_no_button_that_sticks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.turn("5", "key", on=True), until="60")
        assert table.face("59").notices == ()


@pytest.mark.parametrize("stuck", ["left", "right"])
def test_on_two_buttons_of_which_one_is_stuck_from_the_start_the_other_one_held_stops_the_clock_and_the_screen_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stuck: str
) -> None:
    free = "right" if stuck == "left" else "left"
    with rig(monkeypatch, tmp_path / "journal.db", stuck=[stuck], board__file="two-button") as table:
        table.play(table.press("2", free), table.press("12", free, held=LONG_NS), until="20")
        assert table.face("1").notices == (f"{stuck.upper()} button is stuck down: free it. The other one held 1\xa0s stops the clock",)
        assert table.face("11").phase is Phase.RUNNING
        assert table.face("19").phase is Phase.NEUTRAL
        assert sorted(table.used()) == [0, ns("10")]


def test_where_both_buttons_are_stuck_no_button_is_said_to_stop_the_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left", "right"], board__file="two-button") as table:
        table.play(until="5")
        assert table.face("4").notices == ("LEFT button is stuck down: free it", "RIGHT button is stuck down: free it")
