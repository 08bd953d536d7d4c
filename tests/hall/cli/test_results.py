"""``tilehall results``: files for other programs, once or as results come."""

from datetime import date
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from hall.cli.event import KINDS
from hall.cli.main import main
from hall.errors import ResultsError
from hall.event.reading import read_event
from hall.results import folder
from hall.results.book import GameResult, KeptRow, Source
from hall.results.folder import About
from hall.settings import DeskSettings
from hall.store.events import ResultsFolder, keep_game_results, write_event
from tests.hall.listener.listening import TILEHALL
from tests.processes import running, until

FILES = {
    "players.csv": b"name,number\nAnn,1\nBo,2\nCy,3\nDi,4\n",
    "round-1.csv": b"player1,player2,score1,score2\nAnn,Bo,400,350\nCy,Di,,\n",
}
SLIP = GameResult(row=0, division="A", round=1, first=3, second=4, source=Source.SLIP, scores=(388, 412))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    place = tmp_path / "hall.db"
    write_event(place, "club", read_event(FILES))
    return place


def keep(store: Path, row: GameResult, key: str) -> None:
    keep_game_results(store, "club", {key: KeptRow(row)})


def run(store: Path, *words: object) -> Result:
    return CliRunner().invoke(main, ["results", *map(str, words), "--hall", "club", "--store", str(store)])


def test_the_kinds_of_command_and_settings_are_those_of_the_package() -> None:
    assert set(KINDS) == set(folder.KINDS) == set(get_args(get_type_hints(DeskSettings)["results_as"]))


def test_a_file_has_the_imported_scores_and_the_results_that_came(store: Path, tmp_path: Path) -> None:
    keep(store, SLIP, "slip 1")
    out = tmp_path / "out"
    out.mkdir()
    assert run(store, "write", "--to", out, "--as", "tsh").output == "Written: a.t.\n"
    found = read_event({"a.t": (out / "a.t").read_bytes()})
    assert [each.scores for each in found.pairings] == [(400, 350), (388, 412)]
    assert run(store, "write", "--to", out, "--as", "tsh").output == ""


def test_caps_and_a_title_are_taken_and_others_refused(store: Path, tmp_path: Path) -> None:
    assert run(store, "write", "--to", tmp_path, "--as", "standings", "--spread-cap", "30,40").exit_code == 0
    assert "A,1,1,Ann,,1,0,30,30,1" in (tmp_path / "standings.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "hall.toml").write_text('desk.spread_cap = "25"')
    assert run(store, "write", "--to", tmp_path, "--as", "standings", "--settings", tmp_path / "hall.toml").exit_code == 0
    assert "A,1,1,Ann,,1,0,25,25,1" in (tmp_path / "standings.csv").read_text(encoding="utf-8-sig"), "the desk's own cap"
    assert run(store, "write", "--to", tmp_path, "--as", "tou", "--title", "Spring Open", "--date", "2026-03-09").exit_code == 0
    assert (tmp_path / "results.tou").read_bytes().startswith(b"*M09.03.2026 Spring Open\r\n")
    assert "expected numbers from 0 to 9999" in run(store, "write", "--to", tmp_path, "--as", "standings", "--spread-cap", "much").output
    assert "expected an encoding" in run(store, "write", "--to", tmp_path, "--as", "tsh", "--encoding", "morse").output


def test_a_folder_is_written_again_when_a_result_comes(store: Path, tmp_path: Path) -> None:
    words = ("results", "watch", "--to", str(tmp_path), "--as", "csv", "--hall", "club", "--store", str(store))
    path = tmp_path / "results.csv"
    with running(TILEHALL, *words):
        until(path.exists)
        assert "388" not in path.read_text()
        keep(store, SLIP, "slip 1")
        until(lambda: ",3,Cy,388,4,Di,412" in path.read_text())
        keep(store, replace(SLIP, scores=(380, 412), reason="recounted", replaces=2), "slip 2")
        until(lambda: ",3,Cy,380,4,Di,412" in path.read_text())


def test_what_is_left_to_do_by_hand_is_said_once_and_a_fault_passes(store: Path, tmp_path: Path) -> None:
    following = ResultsFolder(store, "club", tmp_path, "tsh-queue", About("Open", date(2026, 3, 9)))
    with pytest.raises(ResultsError, match="accept_remote_commands"):
        following.look()
    (tmp_path / "remote_queue").mkdir()
    assert following.look() == []
    keep(store, replace(SLIP, first=1, second=2, scores=(401, 350), reason="recounted", replaces=1), "slip 1")
    said = following.look()
    assert said == ["Division A, round 1: TSH has 400:350 for players 1 and 2; the hall has 401:350. Correct it at TSH."]
    keep(store, SLIP, "slip 2")
    assert following.look() == []
    assert len(list((tmp_path / "remote_queue").glob("[0-9].txt"))) == 4
