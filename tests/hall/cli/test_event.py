"""``tilehall event``: what is wrong is printed line by line and nothing is taken; what is right is in the store, also in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hall.cli.main import main
from hall.desk.cards.seating import seats_of
from hall.store.events import read_stored
from tests.hall.store.postgresql import Cluster, cluster

PLAYERS = "division,number,name\nA,1,Ann\nA,2,Bo\nA,3,<b>Cy</b>\nA,4,Di\n"
PAIRINGS = "division,round,player1,player2,score1,score2,table\nA,1,1,2,400,390,7\nA,1,3,4,1,2,8\nA,2,4,1,,,8\nA,2,3,2,,,7\n"


def run(*words: object) -> Result:
    done = CliRunner().invoke(main, ["event", *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = {"players.csv": PLAYERS, "pairings.csv": PAIRINGS, "floor.csv": "table,x,y\n7,0,10\n8,20,5\n"}
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in made]


def test_an_import_is_shown_again_and_seats_the_round_that_is_not_finished(files: list[Path], tmp_path: Path) -> None:
    options = ("--store", tmp_path / "hall.db", "--hall", "club")
    done = run("import", *files, *options)
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("Round 2 is the current round.\n")
    assert "round 2  A  table 8  Di - Ann" in run("show", *options).stdout
    assert "round 1  A  table 7  Ann - Bo" in run("show", "--round", 1, *options).stdout
    stored = read_stored(tmp_path / "hall.db", "club")
    seats = seats_of(stored.event, stored.round)
    assert (seats[8].names.left, seats[8].names.right, seats[8].division) == ("Di", "Ann", "A")
    assert seats[8].place is not None
    assert (seats[8].place.x, seats[8].place.y) == (1, 0)
    assert run("round", 1, *options).stdout == "Round 1 is the current round; before it was round 2.\n"
    assert read_stored(tmp_path / "hall.db", "club").round == 1
    # Another hall of the same store has an event of its own.
    assert read_stored(tmp_path / "hall.db", "other").event.players == ()


def test_a_file_with_problems_changes_nothing_and_each_problem_has_its_line(files: list[Path], tmp_path: Path) -> None:
    options = ("--store", tmp_path / "hall.db", "--hall", "club")
    run("import", *files, *options)
    before = read_stored(tmp_path / "hall.db", "club")
    bad = tmp_path / "next.csv"
    bad.write_text("division,round,player1,player2\nA,3,1,2\nA,3,1,Eve\nA,x,3,4\n")
    for verb in (("import", bad, *options), ("check", files[0], bad)):
        done = run(*verb)
        assert done.exit_code == 1
        assert f'{bad}, line 3: expected a player of division A, by name or number, found "Eve".' in done.stdout
        assert f'{bad}, line 4: expected a round from 1 to 200, found "x".' in done.stdout
        assert done.stdout.endswith("2 problems; nothing was imported.\n")
    assert read_stored(tmp_path / "hall.db", "club") == before


def test_an_event_is_kept_in_postgresql_too(files: list[Path]) -> None:
    with cluster() as server:
        _kept(files, server)


def _kept(files: list[Path], server: Cluster) -> None:
    options = ("--store", server.url(), "--hall", "club")
    assert run("import", *files, *options).exit_code == 0
    assert run("import", *files, *options).exit_code == 0
    stored = read_stored(server.url(), "club")
    assert (len(stored.event.players), stored.round, stored.changes) == (4, 2, 2)
