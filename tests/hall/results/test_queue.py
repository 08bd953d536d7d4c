"""TSH's queue of commands: whole files under the numbers that follow, and nothing that TSH would refuse."""

import dataclasses
import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.records.files import write_whole
from hall.errors import ResultsError
from hall.event.model import BYE, Event, Pairing, Player
from hall.results import folder as results_folder
from hall.results.book import Applied
from hall.results.folder import commands, queue_results

PLAYERS = tuple(Player(division, each, f"P{each}") for division in ("A", "B-1") for each in range(1, 5))
EVENT = Event(
    PLAYERS,
    (
        Pairing("A", 1, 2, 1, scores=(350, 412)),
        Pairing("A", 1, 3, BYE, scores=(50, None)),
        Pairing("A", 1, 4, BYE, scores=(-50, None)),
        Pairing("A", 2, 3, 1, scores=(-5, 400)),
        Pairing("A", 2, 2, 4),
        Pairing("A", 3, 2, 4, scores=(300, 310)),
        Pairing("B-1", 1, 4, 3, scores=(388, 388)),
    ),
)
RESULTS = Applied(EVENT, frozenset({("A", 1, 4)}))


def taken(folder: Path) -> list[str]:
    """Read as TSH does: from the number that it has come to, deleting each file."""
    counter = folder / "_dequeue.txt"
    number = int(counter.read_text()) if counter.exists() else 1
    found = []
    while (path := folder / f"{number}.txt").exists():
        found.append(path.read_text())
        path.unlink()
        number += 1
    counter.write_text(f"{number}\n")
    return found


def test_each_game_is_a_command_in_the_order_of_rounds_and_no_round_before_an_open_one_of_the_player() -> None:
    found, by_hand = commands(RESULTS, Event())
    assert found == ["aps 1 2 412 350 1 A", "aps 3 4 388 388 1 B1", "aps 1 3 400 -5 2 A"]
    assert by_hand == [
        "Division A, round 1: player 3 has a bye (50). Enter it at TSH.",
        "Division A, round 1: player 4 has a forfeit (-50). Enter it at TSH as a bye.",
    ]


def test_a_bye_that_tsh_has_with_the_same_spread_is_not_named() -> None:
    theirs = dataclasses.replace(EVENT, pairings=(Pairing("A", 1, 3, BYE, scores=(50, None)), Pairing("A", 1, 4, BYE)))
    assert commands(RESULTS, theirs)[1] == [
        "Division A, round 1: player 4 has a forfeit (-50). Enter it at TSH as a bye. Later results of this player wait for it."
    ]


def with_games(*games: Pairing) -> Event:
    return dataclasses.replace(EVENT, pairings=games)


def without_scores(event: Event) -> Event:
    return dataclasses.replace(event, pairings=tuple(replace(each, scores=(None, None)) for each in event.pairings))


def test_no_round_goes_before_an_earlier_one_of_the_opponent_that_tsh_has_not_either() -> None:
    late = Pairing("A", 1, 3, 4)
    event = with_games(
        Pairing("A", 1, 1, 2, scores=(400, 300)), late, Pairing("A", 2, 1, 3, scores=(390, 310)), Pairing("A", 2, 4, 2, scores=(5, 6))
    )
    first = ["aps 1 2 400 300 1 A"]
    assert commands(Applied(event), without_scores(event))[0] == first
    theirs = with_games(replace(late, scores=(350, 340)), *without_scores(event).pairings[2:])
    assert commands(Applied(event), theirs)[0] == [*first, "aps 1 3 390 310 2 A", "aps 2 4 6 5 2 A"]


def test_results_behind_a_bye_wait_until_tsh_has_it() -> None:
    games = (Pairing("A", 1, 1, 2, scores=(400, 300)), Pairing("A", 1, 3, BYE, scores=(50, None)), Pairing("A", 2, 1, 3, scores=(390, 310)))
    event = with_games(*games, Pairing("A", 2, 2, BYE), Pairing("A", 3, 2, 3, scores=(7, 8)))
    bare = without_scores(event)
    waits = "Enter it at TSH. Later results of this player wait for it."
    said = [f"Division A, round 2: player 2 has a bye (no score). {waits}", f"Division A, round 1: player 3 has a bye (50). {waits}"]
    assert commands(Applied(event), bare) == (["aps 1 2 400 300 1 A"], said)
    theirs = with_games(games[1], *(each for each in bare.pairings if each.first != 3))
    assert commands(Applied(event), theirs) == (["aps 1 2 400 300 1 A", "aps 1 3 390 310 2 A"], said[:1])


def test_both_sides_of_each_game_are_in_files_that_follow_one_another(tmp_path: Path) -> None:
    assert queue_results(tmp_path, RESULTS, Event()) == commands(RESULTS, Event())[1]
    assert (tmp_path / "_enqueue.txt").read_text() == "7\n"
    assert taken(tmp_path) == [
        "aps 1 2 412 350 1 A\n",
        "aps 2 1 350 412 1 A\n",
        "aps 3 4 388 388 1 B1\n",
        "aps 4 3 388 388 1 B1\n",
        "aps 1 3 400 -5 2 A\n",
        "aps 3 1 -5 400 2 A\n",
    ]


def test_a_game_goes_once_and_what_changes_later_is_said(tmp_path: Path) -> None:
    queue_results(tmp_path, RESULTS, Event())
    taken(tmp_path)
    queue_results(tmp_path, RESULTS, Event())
    assert taken(tmp_path) == []
    pairings = (
        Pairing("A", 1, 2, 1, scores=(351, 412)),
        *EVENT.pairings[1:4],
        replace(EVENT.pairings[4], scores=(300, 200)),
        *EVENT.pairings[5:],
    )
    said = queue_results(tmp_path, Applied(dataclasses.replace(EVENT, pairings=pairings)), Event())
    assert said[2:] == ["Division A, round 1: TSH has 412:350 for players 1 and 2; the hall has 412:351. Correct it at TSH."]
    assert taken(tmp_path) == ["aps 2 4 300 200 2 A\n", "aps 4 2 200 300 2 A\n", "aps 2 4 300 310 3 A\n", "aps 4 2 310 300 3 A\n"]


def test_what_tsh_has_itself_is_not_sent_and_what_it_has_otherwise_is_said(tmp_path: Path) -> None:
    theirs = dataclasses.replace(EVENT, pairings=(replace(EVENT.pairings[0], scores=(350, 411)), *EVENT.pairings[1:3], EVENT.pairings[6]))
    said = queue_results(tmp_path, RESULTS, theirs)
    assert said == ["Division A, round 1: TSH has 411:350 for players 1 and 2; the hall has 412:350. Correct it at TSH."]
    assert taken(tmp_path) == ["aps 1 3 400 -5 2 A\n", "aps 3 1 -5 400 2 A\n"]


@pytest.mark.parametrize(("next_one", "read"), [("", "3\n"), ("2\n", "3\n"), ("3\n", ""), ("garbage", "3\n")])
def test_a_number_that_tsh_has_read_is_never_used_again(tmp_path: Path, next_one: str, read: str) -> None:
    for name, content in (("_enqueue.txt", next_one), ("_dequeue.txt", read)):
        if content:
            (tmp_path / name).write_text(content)
    queue_results(tmp_path, RESULTS, Event())
    assert sorted(path.name for path in tmp_path.glob("[0-9]*.txt")) == ["3.txt", "4.txt", "5.txt", "6.txt", "7.txt", "8.txt"]


def test_a_file_of_another_writer_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("aps 1 2 1 2 1 B1\n")
    queue_results(tmp_path, RESULTS, Event())
    assert taken(tmp_path)[:2] == ["aps 1 2 1 2 1 B1\n", "aps 1 2 412 350 1 A\n"]


def test_a_stop_anywhere_loses_no_result_and_leaves_no_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = {line for each in commands(RESULTS, Event())[0] for line in (each, results_folder._turned(each))}
    for stop in range(12):
        folder = tmp_path / str(stop)
        folder.mkdir()
        left = [stop]

        def write_or_stop(path: Path, content: bytes, permissions: int, left: list[int] = left) -> None:
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            write_whole(path, content, permissions)

        monkeypatch.setattr("hall.results.folder.write_whole", write_or_stop)
        with suppress(KeyboardInterrupt):
            queue_results(folder, RESULTS, Event())
        monkeypatch.setattr("hall.results.folder.write_whole", write_whole)
        early = taken(folder)
        queue_results(folder, RESULTS, Event())
        found = [*early, *taken(folder)]
        assert {each.strip() for each in found} == everything
        assert not list(folder.glob("[0-9]*.txt"))


def test_two_writers_at_once_use_each_number_once(tmp_path: Path) -> None:
    halves = [
        Applied(dataclasses.replace(EVENT, pairings=tuple(each for each in EVENT.pairings if each.division == division)))
        for division in ("A", "B-1")
    ]
    threads = [threading.Thread(target=queue_results, args=(tmp_path, each, Event())) for each in halves]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(taken(tmp_path)) == sorted(
        f"{line}\n" for each in commands(RESULTS, Event())[0] for line in (each, results_folder._turned(each))
    )


def test_the_pipe_wakes_tsh_and_without_a_reader_nothing_waits(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "_fifo.txt")
    queue_results(tmp_path, RESULTS, Event())
    reader = os.open(tmp_path / "_fifo.txt", os.O_RDONLY | os.O_NONBLOCK)
    queue_results(tmp_path, RESULTS, Event())
    assert os.read(reader, 100) == b"\n"
    os.close(reader)


def test_without_tshs_folder_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="accept_remote_commands"):
        queue_results(tmp_path / "remote_queue", RESULTS, Event())
    assert not list(tmp_path.iterdir())
