"""A whole game by buttons alone: what it used, what the journal holds, and that a replay of it shows what was shown live."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.main import main
from game.game import Phase
from game.journal.row import Kind, decode
from rules.side import Side
from tests.firmware.saying import RULEBOOKS
from tests.firmware.shell.rig import Hand, Rig, ns, rig, rows_in
from tests.firmware.shell.whole_game import LEFT_USED, RIGHT_USED, UNTIL, whole_game


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rig:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(whole_game(table), until=UNTIL)
    return table


def _kept(table: Rig) -> list[tuple[int, str, str]]:
    """Return each event of the journal as it was left: its instant since the beginning, its name, and the rest of what it says."""
    left: dict[int | None, tuple[int, str, str]] = {}
    for kept in rows_in(table.path):
        if kept.row.kind == Kind.EVENT:
            body = decode(kept.row.body)
            rest = " ".join(str(body[key]) for key in body if key not in ("do", "before", "after"))
            left[kept.row.number] = (kept.row.at - table.origin, body["do"], rest)
        if kept.row.kind == Kind.TAKEN_BACK:
            del left[kept.row.number]
    return list(left.values())


def test_a_whole_game_by_buttons_alone_is_charged_to_the_nanosecond(played: Rig) -> None:
    assert played.used() == (LEFT_USED, RIGHT_USED)
    game = played.clock.table.game_at(played.hand.now)
    assert (game.phase, game.reason, game.allowed.right - game.allowed.left) == (Phase.OVER, "out play", ns("60"))


def test_every_shipped_rulebook_can_be_played_on_a_board_without_pins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for rulebook in RULEBOOKS:
        with rig(monkeypatch, tmp_path / f"{rulebook}.db", board__pins="none", rulebook=rulebook) as table:
            table.play(until="2")
        assert _kept(table) == [(0, "new_game", f"4 {rulebook}")]


def test_the_journal_holds_exactly_the_game_at_the_edges_own_instants(played: Rig) -> None:
    assert _kept(played) == [
        (0, "new_game", "4 naspa-2017"),
        (ns("5.000000001"), "press", "right"),
        (ns("38.25"), "press", "left"),
        (ns("61.5"), "hold", ""),
        (ns("79.75"), "release", ""),
        (ns("95.125000003"), "press", "right"),
        (ns("118"), "neutralise", ""),
        (ns("126"), "adjust", "right 60 now third minor infraction"),
        (ns("140"), "press", "right"),
        (ns("190.5"), "press", "left"),
        (ns("215"), "challenge", ""),
        (ns("249"), "verdict", "False 1"),
        (ns("262"), "press", "left"),
        (ns("290.7"), "neutralise", ""),
        (ns("295.5"), "out_play", ""),
        (ns("336"), "window", "recount"),
    ]


def test_replay_of_the_exported_journal_shows_what_was_shown_live(played: Rig, tmp_path: Path) -> None:
    script = CliRunner().invoke(main, ["journal", "export", "--journal", str(played.path)])
    assert script.exit_code == 0
    lines = [line for line in script.output.splitlines() if json.loads(line)["do"] != "show"]
    lines += [json.dumps({"t": seconds, "do": "show"}) for seconds in played.looked]
    lines.sort(key=lambda line: ns(json.loads(line)["t"]))
    (tmp_path / "game.jsonl").write_text("\n".join(lines), encoding="utf-8")
    replayed = CliRunner().invoke(main, ["replay", "--strict", str(tmp_path / "game.jsonl")])
    assert replayed.exit_code == 0
    assert [json.loads(line) for line in replayed.output.splitlines()] == [json.loads(said) for said in played.looked.values()]


def test_the_screen_told_both_players_each_thing_as_it_happened(played: Rig) -> None:
    assert [played.face(seconds).banner for seconds in ("2", "20", "70", "119", "217", "251", "305", "345")] == [
        *("READY", "", "HOLD", "STOPPED", "CHALLENGE", "UNACCEPTABLE", "OUT PLAY", "GAME OVER")
    ]
    assert played.face("20").halves.of(Side.LEFT).runs
    assert played.face("122").menu is not None
    assert played.face("131").menu is None
    assert "of 26:00" in played.face("131").halves.of(Side.RIGHT).marks


def test_a_wall_clock_that_jumps_back_and_forth_changes_nothing_but_the_stamps(
    played: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    years = iter(range(2099, 0, -1))
    hand = Hand(wall=lambda: f"{next(years):04d}-06-01T00:00:00.000+00:00")
    with rig(monkeypatch, tmp_path / "jumping.db", hand) as jumping:
        jumping.play(whole_game(jumping), until=UNTIL)
    assert jumping.looked == played.looked
    stamped, jumped = rows_in(played.path), rows_in(jumping.path)
    assert [(each.row.number, each.row.at, each.row.mono) for each in stamped] == [
        (each.row.number, each.row.at, each.row.mono) for each in jumped
    ]
    assert [decode(each.row.body) for each in stamped] == [decode(each.row.body) for each in jumped]
    walls = [each.row.wall for each in jumped]
    assert walls == sorted(walls, reverse=True)
