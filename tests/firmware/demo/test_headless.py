"""The demonstration without a screen: it says so, and leaves pictures, a transcript and a journal."""

from pathlib import Path

from game.journal.reading import games, reading, verify
from tests.firmware.demo.reading_pngs import size_of
from tests.firmware.shell.processes import running, said_in


def test_with_no_display_a_scripted_game_is_played_into_pictures_a_transcript_and_a_journal(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with running("demo", "--output", str(folder)) as process:
        said, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert said.startswith("There is no screen here")
    pictures = sorted(folder.glob("*.png"))
    assert [picture.stem.split("-", 1)[1] for picture in pictures] == [
        *("ready", "turn", "hold", "stopped", "overtime", "challenge", "verdict", "out-play", "over", "recount")
    ]
    assert {size_of(picture) for picture in pictures} == {(1024, 600)}
    assert len({picture.read_bytes() for picture in pictures}) == len(pictures)
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    assert all(line in said for line in transcript.splitlines())
    assert said_in(folder / "journal.db")[-1] == "window"


def test_a_display_that_does_not_answer_is_said_and_the_scripted_game_is_played(tmp_path: Path) -> None:
    with running("demo", "--output", str(tmp_path / "out"), DISPLAY=":987") as process:
        said, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert said.startswith("There is no screen here (expected a display for the window")
    assert (tmp_path / "out" / "transcript.txt").exists()


def test_played_again_into_the_same_folder_it_is_the_next_game_of_a_journal_that_is_whole(tmp_path: Path) -> None:
    for _ in range(2):
        with running("demo", "--headless", "--output", str(tmp_path)) as process:
            process.communicate(timeout=60)
        assert process.returncode == 0
    with reading(tmp_path / "journal.db") as connection:
        assert games(connection) == (1, 2)
        assert verify(connection).fault is None
