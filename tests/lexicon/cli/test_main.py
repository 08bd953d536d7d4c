"""``tilelexicon`` as a program: its help, its output wherever that goes, and ``bench``."""

import os
import subprocess
import sys
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from pathlib import Path

import pytest

from lexicon import Lexicon
from lexicon.cli.bench import anonymous, changed, measure
from lexicon.cli.main import main
from lexicon.practice import PRACTICE
from tests.lexicon.cli.program import CLUB, TILELEXICON, invoke, lexicon_of, made_up, pair, run


def test_help_names_every_verb_and_loads_no_library_that_only_some_verb_needs() -> None:
    done = invoke("--help")
    assert "tilelexicon build words.txt" in done.stdout
    assert [verb for verb in main.commands if f"\n  {verb} " not in done.stdout] == []
    # Help loads no library that only some verb needs.
    script = "import sys, lexicon.cli.main; print({'rich', 'pydantic', 'lexicon.build', 'lexicon.formats'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"set()\n"


def test_a_reader_may_take_the_first_words_and_go(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "large.dawg", *made_up(20_000))
    with subprocess.Popen([*TILELEXICON, "words", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == f"{made_up(20_000)[0]}\n".encode()
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


def test_closed_streams_leave_the_exit_code(club: Path) -> None:
    script = 'exec "$@" >&- 2>&-'
    codes = [
        subprocess.run(["sh", "-c", script, "sh", *TILELEXICON, "judge", club, *play], check=False).returncode
        for play in (["TILE"], ["TILE", "NOTAWORD"], [])
    ]
    assert codes == [0, 1, 2]


def test_words_are_utf_8_and_names_are_escaped_where_the_terminal_is_not(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "ñ.dawg", "AÑO", alphabet="spanish", name="Año")
    assert run("words", path, PYTHONIOENCODING="latin-1").stdout == "AÑO\n".encode()
    done = run("info", path, PYTHONIOENCODING="koi8-r")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"name                  A\\xf1o\n")


@pytest.mark.parametrize("name", [b"\xff\xfe.dawg", b"a\nb.dawg", b"\x1b[2J.dawg", b"-o.dawg"])
def test_any_path_can_be_used_and_moves_no_cursor(tmp_path: Path, name: bytes) -> None:
    text = tmp_path / "words.txt"
    text.write_text("\n".join(CLUB), encoding="ascii")
    path = os.fsencode(tmp_path) + b"/" + name
    for arguments in (
        ("build", text, "-o", path, "--name", "Odd"),
        ("info", path),
        ("verify", path, "--expect", "0" * 8),
        ("convert", path, path + b".txt", "--to", "text"),
        ("info", path + b".none"),
        ("build", path, "-o", path + b"2", "--name", "Odd"),
    ):
        done = run(*arguments)
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
    assert Path(os.fsdecode(path)).stat().st_size > 0


def test_what_is_measured_are_the_words_of_the_file_and_misses_in_no_list(club: Path, tmp_path: Path) -> None:
    found = measure(club)
    assert (found.words, found.size, found.hits, found.misses) == (8, club.stat().st_size, 8, 8)
    assert min(found.open_ns, found.first_ns, found.verify_ns, found.hit_ns, found.miss_ns) > 0
    # Misses are words with one tile changed that are in no list.
    with Lexicon.open(club) as lexicon:
        misses = changed(lexicon, CLUB)
    assert not set(misses) & set(CLUB)
    for word, miss in zip(CLUB, misses, strict=True):
        assert [one == other for one, other in zip(word, miss, strict=True)].count(False) == 1
    # Where every change is a word, there are no misses.
    path = lexicon_of(tmp_path / "pair.dawg", "A", "B", "[AB]", alphabet=pair(tmp_path))
    assert measure(path).misses == 0
    assert "every change is a word" in invoke("bench", path).stdout
    # The words that are looked up are spread over a large list.
    found = measure(PRACTICE)
    assert 5000 < found.hits <= 10_000
    assert found.misses == found.hits


def test_own_memory_is_told_and_grows_with_what_is_taken() -> None:
    before = anonymous()
    # Of the kernel, not of what this process has had and given back.
    taken = mmap(-1, 10_000_000, flags=MAP_PRIVATE | MAP_ANONYMOUS)
    taken.write(b"\1" * 10_000_000)
    after = anonymous()
    assert before is not None
    assert after is not None
    assert after - before > 9_000_000
    taken.close()


def test_the_verb_shows_each_figure_with_its_unit(club: Path) -> None:
    lines = invoke("bench", club).stdout.splitlines()
    size = club.stat().st_size
    assert lines[0].split() == ["words", "8"]
    assert lines[1].endswith(f"{size:,} bytes, {size // 8}.{size % 8 * 100 // 8:02d} a word")
    assert [unit for line, unit in zip(lines[2:6], ["µs", "KiB", "µs", "ms"], strict=True) if not line.endswith(f" {unit}")] == []
    assert all(" ns, of 8" in line for line in lines[6:])
