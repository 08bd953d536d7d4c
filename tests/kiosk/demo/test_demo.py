"""``tilekiosk demo``: without a screen it says so and leaves pictures and a transcript; with one it opens; beside the clock, both end together."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from kiosk.demo.beside import SIZE, STATION, places
from tests.firmware.demo.reading_pngs import size_of
from tests.hardware.display.xserver import x_server
from tests.kiosk.shell.programs import PATIENCE_S, running, until

PICTURES = [
    *("idle", "clock", "table", "challenger", "count", "words", "checking", "acceptable", "unacceptable", "repeat", "repeated"),
    *("leaving", "cleared"),
]


@pytest.mark.parametrize(("language", "verdict"), [(None, "UNACCEPTABLE"), ("fr", "COUP NON VALABLE"), ("es", "JUGADA NO VÁLIDA")])
def test_with_no_display_scripted_challenges_are_played_into_pictures_and_a_transcript(
    tmp_path: Path, language: str | None, verdict: str
) -> None:
    folder = tmp_path / "out"
    chosen = () if language is None else ("--language", language)
    with running("demo", "--output", str(folder), *chosen) as demo:
        said, errors = demo.communicate(timeout=60)
    assert demo.returncode == 0, errors
    assert said.startswith("There is no screen here")
    pictures = sorted(folder.glob("*.png"))
    assert [picture.stem.split("-", 1)[1] for picture in pictures] == PICTURES
    assert {size_of(picture) for picture in pictures} == {SIZE}
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    assert all(line in said for line in transcript.splitlines())
    assert verdict in transcript


def test_the_first_and_the_last_picture_are_the_same_nothing_is_left_of_what_was_typed(tmp_path: Path) -> None:
    with running("demo", "--headless", "--output", str(tmp_path)) as demo:
        demo.communicate(timeout=60)
    pictures = sorted(tmp_path.glob("*.png"))
    assert pictures[0].read_bytes() == pictures[-1].read_bytes()


def test_beside_the_clock_with_no_display_both_leave_their_pictures(tmp_path: Path) -> None:
    with running("demo", "--beside", "--output", str(tmp_path)) as demo:
        _, errors = demo.communicate(timeout=60)
    assert demo.returncode == 0, errors
    assert (tmp_path / "transcript.txt").exists()
    assert (tmp_path / "journal.db").exists()
    assert (tmp_path / "station" / "transcript.txt").exists()


def test_a_folder_that_cannot_be_written_to_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with running("demo", "--headless", "--output", str(tmp_path / "file")) as demo:
        _, errors = demo.communicate(timeout=60)
    assert demo.returncode == 2
    assert errors.startswith(f"tilekiosk: {tmp_path / 'file'}: expected a folder")


def windows(display: str) -> list[bool]:
    """Tell whether something is drawn where the clock's window stands, and where the station's does."""
    return [drawn(display, place) for place in places((2300, 900), SIZE)]


def drawn(display: str, place: tuple[int, int]) -> bool:
    area = f"{SIZE[0]}x{SIZE[1]}+{place[0]}+{place[1]}"
    command = ["import", "-window", "root", "-crop", area, "-depth", "8", "rgb:-"]
    taken = subprocess.run(command, env={**os.environ, "DISPLAY": display}, check=True, timeout=PATIENCE_S, stdout=subprocess.PIPE)
    return len(set(taken.stdout[::97])) > 8


def press(display: str, *words: str) -> None:
    subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": display}, check=True, timeout=PATIENCE_S)


@pytest.mark.parametrize("first", ["the station", "the clock"])
def test_beside_the_clock_two_windows_open_and_end_together_whichever_is_ended_first(tmp_path: Path, first: str) -> None:
    with x_server(tmp_path, "2300x900") as display, running("demo", "--beside", DISPLAY=display) as demo:
        until(lambda: windows(display) == [True, True])
        if first == "the station":
            demo.terminate()
        else:
            # No window manager gives the focus here: the window under the pointer has it.
            press(display, "mousemove", "500", "300", "key", "Escape")
        _, errors = demo.communicate(timeout=PATIENCE_S)
        assert demo.returncode == 0, errors
        until(lambda: windows(display) == [False, False])


def test_two_windows_stand_side_by_side_one_below_the_other_or_in_opposite_corners() -> None:
    size = (1024, 600)
    assert places((2560, 1440), size) == ((32, 32), (1088, 32))
    assert places((1920, 1440), size) == ((32, 32), (32, 664))
    assert places((1366, 768), size) == ((32, 32), (342, 168))
    assert places((800, 480), size) == ((32, 32), (0, 32))


def test_beside_the_clock_both_fit_on_a_screen_of_1920_pixels() -> None:
    assert places((1920, 1080), STATION) == ((32, 32), (1088, 32))
