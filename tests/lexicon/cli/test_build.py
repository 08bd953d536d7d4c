"""``tilelexicon build``: lists, options, progress, output, and a build that is cut short."""

import hashlib
import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lexicon import Lexicon
from lexicon.errors import BadAlphabet, BadLines, BadName, LexiconError, Unreadable, Unwritable
from tests.lexicon.cli.program import CLUB, PAIR, TILELEXICON, invoke, lexicon_of, made_up, refusal, run, text_of


def _built(text: Path, *more: str) -> Path:
    path = text.with_suffix(".dawg")
    done = invoke("build", text, "-o", path, "--name", "Club list", *more)
    assert (done.exit_code, done.stderr) == (0, "")
    return path


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_it_says_what_it_built(tmp_path: Path) -> None:
    text = text_of(tmp_path, *reversed(CLUB), "tile", "Za")
    done = run("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list", "--edition", "2026-01-31")
    data = (tmp_path / "club.dawg").read_bytes()
    listed = "".join(f"{word}\n" for word in CLUB).encode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert [tuple(line.split("  ", 1)) for line in done.stdout.decode().splitlines()] == [
        ("name", f"{'':15}Club list"),
        ("edition", f"{'':12}2026-01-31"),
        ("alphabet", f"{'':11}english"),
        ("words", f"{'':14}8"),
        ("duplicates", f"{'':9}2 left out"),
        ("invalid", f"{'':12}0 left out"),
        ("size", f"{'':15}{len(data):,} bytes"),
        ("SHA-256 of the list", hashlib.sha256(listed).hexdigest()),
        ("SHA-256 of the file", hashlib.sha256(data).hexdigest()),
        ("file", f"{'':15}{tmp_path}/club.dawg"),
    ]


def test_every_word_is_in_it_and_no_other(tmp_path: Path) -> None:
    words = made_up(5000)
    with Lexicon.open(_built(text_of(tmp_path, *words))) as lexicon:
        assert list(lexicon) == words


def test_the_order_of_the_text_changes_no_byte(tmp_path: Path) -> None:
    one = _built(text_of(tmp_path, *CLUB, name="one.txt"))
    other = _built(text_of(tmp_path, *reversed(CLUB), *CLUB, name="other.txt"))
    assert one.read_bytes() == other.read_bytes()


def test_lines_that_cannot_be_laid_are_all_listed_and_nothing_is_written(tmp_path: Path) -> None:
    error = refusal("build", text_of(tmp_path, "TILE", "T1LE", "", "CAFÉ"), "-o", tmp_path / "club.dawg", "--name", "Club list")
    assert isinstance(error, BadLines)
    assert "--skip-invalid" in error.remedy
    assert [line.split(":")[0] for line in error.lines] == ["line 2", "line 4"]
    assert _left(tmp_path) == ["words.txt"]


def test_lines_that_cannot_be_laid_are_left_out_when_that_is_asked_for(tmp_path: Path) -> None:
    text = text_of(tmp_path, "TILE", "T1LE", "two words", *CLUB)
    done = invoke("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list", "--skip-invalid")
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.stderr.splitlines()[1:-1]] == ["line 2", "line 3"]
    assert done.stderr.splitlines()[-1] == "2 of the text's lines were left out. Is it the right file and alphabet?"
    assert "\ninvalid              2 left out\n" in done.stdout
    with Lexicon.open(tmp_path / "club.dawg") as lexicon:
        assert tuple(lexicon) == CLUB


def test_the_list_of_lines_left_out_has_an_end_and_a_count(tmp_path: Path) -> None:
    text = text_of(tmp_path, "TILE", *map(str, range(1500)))
    done = invoke("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list", "--skip-invalid")
    assert done.stderr.splitlines()[-2] == "and 500 more"
    assert "1,500 left out" in done.stdout


def test_a_list_with_definitions_is_told_how_to_be_rid_of_them(tmp_path: Path) -> None:
    text = text_of(tmp_path, "AA a rough lava", "AB\ta muscle", "ABA")
    error = refusal("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list")
    assert "keep the first column (cut -d ' ' -f 1)" in error.remedy


def test_an_alphabet_is_taken_by_its_id_or_from_a_file(tmp_path: Path) -> None:
    with Lexicon.open(_built(text_of(tmp_path, "CHURRO"), "--alphabet", "spanish")) as lexicon:
        assert lexicon.header.longest == 4
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    with Lexicon.open(_built(text_of(tmp_path, "[AB]A"), "--alphabet", str(tmp_path / "pair.toml"))) as lexicon:
        assert (lexicon.header.alphabet, list(lexicon)) == ("pair", ["[AB][A]"])


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "^none$"),
        (b"\n \n", "^none$"),
        ("CAFÉ\n".encode("latin-1"), "Latin-1"),
        ("TILE\n".encode("utf-16"), "UTF-16"),
        (b"WORD\1\0\0\2", "binary"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x89DAWG\r\n\x1a", "already built"),
        (b"A" * 10_000, "more than 4096 bytes in line 1"),
    ],
)
def test_what_is_no_list_is_refused_by_name_and_the_old_file_stays(tmp_path: Path, content: bytes, found: str) -> None:
    (tmp_path / "words.txt").write_bytes(content)
    (tmp_path / "club.dawg").write_bytes(b"old")
    refusal("build", tmp_path / "words.txt", "-o", tmp_path / "club.dawg", "--name", "Club list", found=re.compile(found))
    assert _left(tmp_path) == ["club.dawg", "words.txt"]
    assert (tmp_path / "club.dawg").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("options", "kind", "field", "told"),
    [
        (["--name", ""], BadName, "found", "''"),
        (["--name", "N" * 101], BadName, "found", "N"),
        (["--name", "two\nlines"], BadName, "found", "two"),
        (["--name", "N", "--edition", "last May"], BadName, "expected", "YYYY-MM-DD"),
        (["--name", "N", "--alphabet", "klingon"], BadAlphabet, "found", "klingon"),
        (["--name", "N", "--alphabet", "none/such.toml"], Unreadable, "where", "none/such.toml"),
        (["--name", "N", "-o", "no/such/folder.dawg"], Unwritable, "where", "no/such/folder.dawg"),
        (["--name", "N", "-o", "."], Unwritable, "found", "a folder"),
        (["--name", "N", "-o", "/dev/null"], Unwritable, "found", "a device"),
    ],
)
def test_a_label_or_a_place_that_cannot_be_is_refused(
    tmp_path: Path, options: list[str], kind: type[LexiconError], field: str, told: str
) -> None:
    error = refusal("build", text_of(tmp_path, *CLUB), "-o", tmp_path / "club.dawg", *options, **{field: re.compile(told)})
    assert isinstance(error, kind)
    assert _left(tmp_path) == ["words.txt"]


def test_a_text_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        refusal("build", path, "-o", tmp_path / "club.dawg", "--name", "Club list", where=str(path))
    assert _left(tmp_path) == []


def test_a_list_is_not_replaced_by_what_is_made_of_it(tmp_path: Path) -> None:
    text = text_of(tmp_path, *CLUB)
    (tmp_path / "link").symlink_to(text)
    (tmp_path / "twin").hardlink_to(text)
    for to in (text, tmp_path / "link", tmp_path / "twin"):
        refusal("build", text, "-o", to, "--name", "Club list", found=re.compile("^the same"))
    assert text.read_text(encoding="ascii").split() == list(CLUB)


OLD = b"the old edition"


@contextmanager
def _reading(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A build that has begun to read its list, and waits for more of it."""
    (folder / "club.dawg").write_bytes(OLD)
    os.mkfifo(folder / "words.txt")
    command = [*TILELEXICON, "build", "words.txt", "-o", "club.dawg", "--name", "Club list"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # Opening waits until the build opens the other end.
        with (folder / "words.txt").open("wb", buffering=0) as text:
            text.write(b"TILE\nCLOCK\n")
            yield process
        process.kill()


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """A child started where interrupts are ignored would ignore them too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _left_by_a_cut(folder: Path) -> list[str]:
    assert (folder / "club.dawg").read_bytes() == OLD
    return sorted({path.name for path in folder.iterdir()} - {"club.dawg", "words.txt"})


def test_killed_it_leaves_the_old_file_and_a_part_at_most(tmp_path: Path) -> None:
    with _reading(tmp_path) as process:
        process.kill()
        assert process.wait() == -signal.SIGKILL
    left = _left_by_a_cut(tmp_path)
    assert len(left) == 1
    assert left[0].endswith(".part")


def test_interrupted_it_leaves_the_old_file_alone_and_ends_with_130(tmp_path: Path) -> None:
    with _reading(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        assert process.communicate() == (b"", b"")
        assert process.returncode == 130
    assert _left_by_a_cut(tmp_path) == []


def test_asked_to_stop_it_leaves_the_old_file_alone_and_nothing_else(tmp_path: Path) -> None:
    with _reading(tmp_path) as process:
        process.send_signal(signal.SIGTERM)
        process.communicate()
        assert process.returncode == 128 + signal.SIGTERM
    assert _left_by_a_cut(tmp_path) == []


def _without_room(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # A file may grow to two blocks, of 512 or 1,024 bytes as the shell counts.
    command = ["sh", "-c", 'ulimit -f 2 && exec "$@"', "sh", *TILELEXICON, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_without_room_it_says_so_and_leaves_the_old_file_alone(tmp_path: Path) -> None:
    text_of(tmp_path, *made_up(5000))
    (tmp_path / "club.dawg").write_bytes(OLD)
    done = _without_room(tmp_path, "build", "words.txt", "-o", "club.dawg", "--name", "Club list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tilelexicon: club.dawg: expected to write the file, found file too large.")
    assert _left_by_a_cut(tmp_path) == []


def test_without_room_a_conversion_leaves_none_of_its_files(tmp_path: Path) -> None:
    text_of(tmp_path, *made_up(5000))
    (tmp_path / "club.dawg").write_bytes(OLD)
    for kind in ("text", "kwg", "zyzzyva", "quackle"):
        done = _without_room(tmp_path, "convert", "words.txt", "club.dawg", "--to", kind)
        assert (done.returncode, done.stdout) == (2, "")
        assert "file too large" in done.stderr
        assert _left_by_a_cut(tmp_path) == []


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


def _until(master: int, sign: bytes) -> None:
    """Read what the terminal is told until ``sign`` is among it."""
    seen = b""
    while sign not in seen:
        seen += os.read(master, 1000)


def _rest(master: int) -> bytes:
    """What else the terminal is told before everybody has left it."""
    seen = b""
    try:
        while read := os.read(master, 1000):
            seen += read
    except OSError:  # Linux says so when the last one has left
        return seen
    return seen


def test_a_terminal_sees_how_much_was_read_and_standard_output_only_the_figures(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "words.txt")
    master, terminal = pty.openpty()
    command = [*TILELEXICON, "build", "words.txt", "-o", "club.dawg", "--name", "Club list"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        with (tmp_path / "words.txt").open("wb", buffering=0) as text:
            # More than is read at a time.
            text.write(1000 * "".join(f"{word}\n" for word in made_up(500)).encode())
            _until(master, b"reading")
        # The bar is taken away and the cursor given back.
        assert _rest(master).endswith((b"\x1b[2K", b"\x1b[?25h", b"\n"))
        output, _ = process.communicate()
    os.close(master)
    assert process.returncode == 0
    assert output.startswith(b"name ")
    assert b"\x1b" not in output


def test_without_a_terminal_there_is_no_bar(tmp_path: Path) -> None:
    done = run("build", text_of(tmp_path, *CLUB), "-o", tmp_path / "club.dawg", "--name", "Club list", FORCE_COLOR="1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
