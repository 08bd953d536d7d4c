"""A folder for another program: whole files, only those that change, and nothing of that program lost."""

import dataclasses
import os
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from hall.errors import ResultsError
from hall.event.model import Event, Pairing, Player
from hall.event.reading import contents_of, read_event
from hall.results.book import Applied
from hall.results.folder import FORMATS, KINDS, About, write_results
from hall.results.standings import Caps
from tests.hall.results.test_files import EVENT

ABOUT = About("Open", date(2026, 3, 9))
RESULTS = Applied(EVENT)


@pytest.mark.parametrize(
    ("kind", "names"),
    [("csv", "results.csv"), ("coco", "results-a.csv"), ("standings", "standings.csv"), ("naspa", "naspa.txt"), ("tourney", "tourney.js"), ("tou", "results.tou"), ("tou-woogles", "results.tou"), ("tsh", "a.t")],
)  # fmt: skip
def test_a_format_is_written_once_until_something_changes(tmp_path: Path, kind: str, names: str) -> None:
    assert write_results(tmp_path, kind, RESULTS, ABOUT) == [f"Written: {names}."]
    (path,) = tmp_path.iterdir()
    assert path.stat().st_mode & 0o777 == 0o644
    before = path.stat().st_mtime_ns
    assert write_results(tmp_path, kind, RESULTS, ABOUT) == []
    assert path.stat().st_mtime_ns == before
    scored = dataclasses.replace(EVENT, pairings=(*EVENT.pairings[:-1], Pairing("A", 3, 3, 2, scores=(300, 290))))
    assert write_results(tmp_path, kind, Applied(scored), ABOUT) == [f"Written: {names}."]


def test_a_name_that_two_players_have_is_said_where_the_format_knows_players_by_name_alone(tmp_path: Path) -> None:
    event = dataclasses.replace(
        EVENT, players=(*EVENT.players[:2], replace(EVENT.players[0], number=3, member=""), Player("B", 1, "Lee, Cy"))
    )
    said = "Division A: players 1, 3 have the name Ångström, Ann. This format does not tell them apart."
    assert {kind for kind in FORMATS if said in write_results(tmp_path, kind, Applied(event), ABOUT)} == {"coco", "tou", "tou-woogles"}
    # As long as that is so, also when nothing is to be written.
    assert write_results(tmp_path, "coco", Applied(event), ABOUT) == [said]


def test_standings_are_a_table(tmp_path: Path) -> None:
    write_results(tmp_path, "standings", RESULTS, ABOUT)
    lines = (tmp_path / "standings.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[:3] == [
        "Division,Rank,Number,Name,Team,Won,Lost,Spread,Capped,Rounds,Average,Aggregate,Bonus words",
        'A,1,1,"Ångström, Ann",,1.5,0.5,62,62,2,406.0,,',
        'A,2,3,"Lee, Cy",Red Sox,1.5,0.5,50,50,2,400.0,,',
    ]


def test_tourney_js_has_the_caps_that_its_readers_count_with(tmp_path: Path) -> None:
    write_results(tmp_path, "tourney", RESULTS, About("Open", date(2026, 3, 9), Caps((200, 350), (90,))))
    assert '"spread_cap":[200,350],"standings_spread_cap":[90]' in (tmp_path / "tourney.js").read_text()


def test_a_t_file_goes_where_the_configuration_says_in_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "config.tsh").write_text("division a Open.t\nconfig tfile_encoding = 'windows-1250'\n")
    event = dataclasses.replace(EVENT, players=(Player("A", 1, "Łoś, Ada", "900"), *EVENT.players[1:]))
    assert write_results(tmp_path, "tsh", Applied(event), ABOUT) == ["Written: Open.t."]
    assert (tmp_path / "Open.t").read_bytes().startswith("Łoś".encode("cp1250"))
    assert read_event(contents_of([tmp_path / "config.tsh"])).players[0].name == "Łoś, Ada"


def test_a_t_file_without_a_configuration_is_latin_1_where_that_has_all_letters(tmp_path: Path) -> None:
    write_results(tmp_path, "tsh", RESULTS, ABOUT)
    assert (tmp_path / "a.t").read_bytes().startswith("Ångström".encode("latin-1"))


def test_an_encoding_without_a_letter_of_a_name_is_refused(tmp_path: Path) -> None:
    event = dataclasses.replace(EVENT, players=(Player("A", 1, "Łoś, Ada", "900"), *EVENT.players[1:]))
    with pytest.raises(ResultsError, match='names in latin-1, found "Ł"'):
        write_results(tmp_path, "tsh", Applied(event), About("Open", date(2026, 3, 9), encoding="latin-1"))
    assert not list(tmp_path.iterdir())


def test_a_configuration_names_no_file_outside_its_folder(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "config.tsh").write_text("division a ../out.t\n")
    write_results(own, "tsh", RESULTS, ABOUT)
    assert [each.name for each in tmp_path.iterdir()] == ["own"]


def test_a_t_file_that_has_more_than_the_hall_stays_unless_it_is_to_be_replaced(tmp_path: Path) -> None:
    theirs = "Ångström, Ann:AA000001 1800 2 3; 412 401\nO'Neil, Bo 1700 1 0; 350 -50\nLee, Cy 0 0 1; 50 400\n"
    (tmp_path / "a.t").write_text(theirs)
    with pytest.raises(ResultsError, match="401:400"):
        write_results(tmp_path, "tsh", RESULTS, ABOUT)
    assert (tmp_path / "a.t").read_text() == theirs
    assert write_results(tmp_path, "tsh", RESULTS, About("Open", date(2026, 3, 9), replaces=True)) == ["Written: a.t."]


@pytest.mark.parametrize("running", [True, False])
def test_no_t_file_is_written_while_tsh_runs(tmp_path: Path, running: bool) -> None:
    (tmp_path / "remote_queue").mkdir()
    (tmp_path / "remote_queue" / "_signal.txt").write_text(f"{os.getpid() if running else 2**22 + 1}\n")
    if running:
        with pytest.raises(ResultsError, match="tsh-queue"):
            write_results(tmp_path, "tsh", RESULTS, ABOUT)
    else:
        assert write_results(tmp_path, "tsh", RESULTS, ABOUT)


def test_the_queue_gets_what_tshs_own_files_do_not_have(tmp_path: Path) -> None:
    (tmp_path / "config.tsh").write_text("division a a.t\n")
    (tmp_path / "a.t").write_text("Ångström, Ann:AA000001 1800 2 3; 412\nO'Neil, Bo 1700 1 0; 350\nLee, Cy 0 0 1; 50\n")
    (tmp_path / "remote_queue").mkdir()
    assert write_results(tmp_path, "tsh-queue", RESULTS, ABOUT) == ["Division A, round 2: player 2 has a bye (-50). Enter it at TSH."]
    assert [each.read_text() for each in sorted((tmp_path / "remote_queue").glob("[0-9].txt"))] == [
        "aps 1 3 400 400 2 A\n",
        "aps 3 1 400 400 2 A\n",
    ]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    for kind in KINDS:
        with pytest.raises(ResultsError):
            write_results(tmp_path / "none", kind, RESULTS, ABOUT)


def test_an_event_without_players_is_no_fault(tmp_path: Path) -> None:
    for kind in KINDS[2:]:
        write_results(tmp_path, kind, Applied(Event()), ABOUT)
