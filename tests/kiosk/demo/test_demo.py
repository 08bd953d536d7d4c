import subprocess
import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.cli.main import main
from lexicon import Lexicon
from lexicon.practice import PRACTICE
from records.entry import Kind
from tests.appliance.display.xserver import click_cross, picture, window_at, x_server, xdotool
from tests.firmware.demo.reading_pngs import size_of
from tests.in_process import ran
from tests.kiosk.lexicons.files import made
from tests.kiosk.shell.programs import running
from tests.kiosk.shell.rig import entries_in
from tests.processes import PATIENCE_S, ended, until
from tests.some import some
from tools.station_demo.headless import TypedWords, words_of
from tools.windows import CLOCK, STATION, pair

PICTURES = "idle table words checking acceptable unacceptable repeat repeated still-there cleared"


def test_with_no_display_scripted_challenges_give_pictures_and_a_transcript_also_beside_the_clock(tmp_path: Path) -> None:
    folder = tmp_path / "station"
    with running("demo", "--beside", "--output", str(tmp_path), "--language", "fr") as demo:
        said, errors = demo.communicate(timeout=60)
    assert demo.returncode == 0, errors
    assert said.startswith("There is no screen here")
    pictures = sorted(folder.glob("*.png"))
    assert " ".join(picture.stem.split("-", 1)[1] for picture in pictures) == PICTURES
    assert {size_of(picture) for picture in pictures} == {CLOCK}
    assert pictures[0].read_bytes() == pictures[-1].read_bytes(), "nothing typed is left on the last picture"
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    assert all(line in said for line in transcript.splitlines())
    assert "COUP NON VALABLE" in transcript
    assert {"transcript.txt", "journal.db"} <= {each.name for each in tmp_path.iterdir()}


def _refused(folder: Path, *chosen: str) -> str:
    done = ran(main, "demo", "--headless", "--output", str(folder / "out"), *chosen)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert not list((folder / "out").glob("*.png"))
    assert done.stderr.startswith("tilekiosk: ")
    return done.stdout + done.stderr


def test_without_a_screen_a_lexicon_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    assert "nowhere.dawg" in _refused(tmp_path, "--lexicon", str(tmp_path / "nowhere.dawg"))
    (tmp_path / "words.txt").write_text("TILE\nRACKS\n")
    assert "words.txt" in _refused(tmp_path, "--lexicon", str(tmp_path / "words.txt"))
    assert "expected words to play a challenge with" in _refused(tmp_path, "--lexicon", str(made(tmp_path / "a.dawg", ("A",))))
    # So is a language or a log.
    assert "expected a language" in _refused(tmp_path, "--language", "tlh")
    assert "it is a folder" in _refused(tmp_path, "--log", str(tmp_path))


PLACES = [(window.x, window.y) for window in pair((2300, 900))]


def windows(display: str) -> list[bool]:
    return [drawn(display, place) for place in PLACES]


def drawn(display: str, place: tuple[int, int]) -> bool:
    return len(set(picture(display, place, CLOCK)[::97])) > 8


def changed(display: str, place: tuple[int, int], *words: str) -> None:
    before = picture(display, place, CLOCK)
    # Nothing but letters and digits counts in a page's first half second.
    xdotool(display, "sleep", "0.6", *words)
    until(lambda: picture(display, place, CLOCK) != before, str(words))


def test_escape_in_the_stations_window_goes_back_and_its_cross_asks_first_and_leaves_the_clock(tmp_path: Path) -> None:
    log = tmp_path / "station.db"
    with x_server(tmp_path, "2300x900") as display, running("demo", "--beside", "--log", str(log), DISPLAY=display) as demo:
        until(lambda: windows(display) == [True, True])
        clocks, place = PLACES
        clock_window, kiosk_window = (window_at(display, x + 20, y + 300) for x, y in (clocks, place))
        xdotool(display, "windowfocus", kiosk_window)
        changed(display, place, "key", "Return")
        changed(display, place, "type", "7")
        changed(display, place, "key", "Left")
        changed(display, place, "type", "tile")
        clock = picture(display, clocks, CLOCK)
        changed(display, place, "key", "Escape")
        assert picture(display, clocks, CLOCK) == clock
        before = picture(display, place, STATION)
        click_cross(display, kiosk_window)
        until(lambda: picture(display, place, STATION) != before, "the cross does not ask")
        assert windows(display) == [True, True]

        def closed() -> bool:
            click_cross(display, kiosk_window)
            return windows(display) == [True, False]

        until(closed)
        assert demo.poll() is None
        # Before a game, Escape ends the clock at once.
        xdotool(display, "windowfocus", clock_window, "key", "Escape")
        _, errors = demo.communicate(timeout=PATIENCE_S)
        assert demo.returncode == 0, errors
    _, aborted, stopped = entries_in(log)
    assert (aborted.kind, aborted.table, aborted.words) == (Kind.ABORTED, 7, ("TILE",))
    assert (stopped.kind, stopped.why) == (Kind.STOPPED, "the window was closed")


def children(parent: int) -> list[Path]:
    return [Path("/proc", child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()]


def test_beside_the_clock_a_station_that_is_killed_takes_the_clock_and_both_windows_with_it(tmp_path: Path) -> None:
    with x_server(tmp_path, "2300x900") as display, running("demo", "--beside", DISPLAY=display) as demo:
        until(lambda: windows(display) == [True, True])
        (clock,) = children(demo.pid)
        assert b"tileclock" in (clock / "cmdline").read_bytes()
        demo.kill()
        demo.wait(PATIENCE_S)
        until(lambda: ended(clock))
        assert windows(display) == [False, False]


ANOTHER = """
import os, subprocess, sys
from tools.station_demo.beside import bound
bind = bound()
if os.fork() == 0:
    # As the kernel has it where the one that asked is dead: the parent is another.
    os._exit(subprocess.run(["touch", sys.argv[1]], preexec_fn=bind).returncode)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_program_whose_parent_is_gone_before_it_is_bound_never_begins(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", ANOTHER, str(tmp_path / "begun")], check=True, timeout=PATIENCE_S)
    assert not (tmp_path / "begun").exists()


def _chosen(path: Path) -> TypedWords | None:
    with Lexicon.open(path) as lexicon:
        return words_of(lexicon)


def test_of_the_practice_list_the_words_are_always_the_same() -> None:
    words = some(_chosen(PRACTICE))
    assert (words.first, words.second) == (tuple("TILE"), tuple("RACKS"))
    assert (words.mistyped, words.meant, words.left) == (tuple("CHALENGE"), tuple("CHALLENGE"), tuple("QI"))


def test_of_a_list_without_them_they_are_its_own_and_the_mistyped_one_is_in_no_list(tmp_path: Path) -> None:
    own = {("CH", "I", "C", "O"), tuple("CASA"), ("LL", "A", "V", "E"), ("P", "E", "RR", "O"), tuple("NIÑO")}
    words = some(_chosen(made(tmp_path / "es.dawg", ("[CH]ICO", "CASA", "[LL]AVE", "PE[RR]O", "NIÑO"), "spanish")))
    assert {words.first, words.second, words.meant} <= own
    assert words.mistyped not in own


def test_one_word_is_enough_and_a_letter_is_none(tmp_path: Path) -> None:
    words = _chosen(made(tmp_path / "one.dawg", ("AA",)))
    assert words == TypedWords(("A", "A"), ("A", "A"), ("A", "A", "A"), ("A", "A"), ("A", "A"))
    assert _chosen(made(tmp_path / "letter.dawg", ("A",))) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(of=st.sets(st.text("ABLCH", min_size=1, max_size=6), min_size=1))
def test_what_is_judged_is_in_the_list_but_for_the_mistyped_word(tmp_path: Path, of: set[str]) -> None:
    words = _chosen(made(tmp_path / "list.dawg", tuple(of)))
    if words is None:
        assert all(len(word) < 2 for word in of)
        return
    assert {"".join(each) for each in (words.first, words.second, words.meant)} <= of
    assert "".join(words.mistyped) not in of
