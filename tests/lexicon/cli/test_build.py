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
from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.build import Label, build
from lexicon.dawg import Dawg, minimal
from lexicon.errors import BadAlphabet, BadLines, BadName, LexiconError, Unreadable, Unwritable
from lexicon.formats import files
from lexicon.formats.siblings import Format
from tests.lexicon.cli.program import CLUB, TILELEXICON, invoke, lexicon_of, made_up, pair, refusal, run, text_of


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_it_says_what_it_built_without_a_bar_or_colours_where_there_is_no_terminal(tmp_path: Path) -> None:
    text = text_of(tmp_path, *reversed(CLUB), "tile", "Za")
    done = run("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list", "--edition", "2026-01-31", FORCE_COLOR="1")
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


def test_lines_that_cannot_be_laid_are_all_listed_and_nothing_is_written(tmp_path: Path) -> None:
    error = refusal("build", text_of(tmp_path, "TILE", "T1LE", "", "CAFÉ"), "-o", tmp_path / "club.dawg", "--name", "Club list")
    assert isinstance(error, BadLines)
    assert "--skip-invalid" in error.remedy
    assert [line.split(":")[0] for line in error.lines] == ["line 2", "line 4"]
    assert _left(tmp_path) == ["words.txt"]
    # For a list with definitions, the error says how to remove them.
    text = text_of(tmp_path, "AA a rough lava", "AB\ta muscle", "ABA")
    error = refusal("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list")
    assert "keep the first column (cut -d ' ' -f 1)" in error.remedy


@pytest.mark.parametrize(("count", "more"), [(2, []), (1500, ["and 500 more"])])
def test_lines_that_cannot_be_laid_are_left_out_when_that_is_asked_for(tmp_path: Path, count: int, more: list[str]) -> None:
    text = text_of(tmp_path, "TILE", *map(str, range(count)), *CLUB)
    done = invoke("build", text, "-o", tmp_path / "club.dawg", "--name", "Club list", "--skip-invalid")
    assert done.exit_code == 0
    _, *said = done.stderr.splitlines()
    assert [line.split(":")[0] for line in said[: min(count, 1000)]] == [f"line {number}" for number in range(2, 2 + min(count, 1000))]
    assert said[min(count, 1000) :] == [*more, f"{count:,} words were left out. Is it the right file and alphabet?"]
    assert f"\ninvalid              {count:,} left out\n" in done.stdout
    with Lexicon.open(tmp_path / "club.dawg") as lexicon:
        assert tuple(lexicon) == CLUB


def test_what_is_no_list_is_refused_by_name_and_the_old_file_stays(tmp_path: Path) -> None:
    (tmp_path / "club.dawg").write_bytes(b"old")
    for content, found in ((b"", "^none$"), ("CAFÉ\n".encode("latin-1"), "Latin-1"), (b"\x89DAWG\r\n\x1a", "already built")):
        (tmp_path / "words.txt").write_bytes(content)
        refusal("build", tmp_path / "words.txt", "-o", tmp_path / "club.dawg", "--name", "Club list", found=re.compile(found))
        assert _left(tmp_path) == ["club.dawg", "words.txt"]
        assert (tmp_path / "club.dawg").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("options", "kind", "field", "reported"),
    [
        (["--name", ""], BadName, "found", "''"),
        (["--name", "N", "--edition", "last May"], BadName, "expected", "YYYY-MM-DD"),
        (["--name", "N", "--alphabet", "klingon"], BadAlphabet, "found", "klingon"),
        (["--name", "N", "--alphabet", "none/such.toml"], Unreadable, "where", "none/such.toml"),
        (["--name", "N", "-o", "no/such/folder.dawg"], Unwritable, "where", "no/such/folder.dawg"),
        (["--name", "N", "-o", "."], Unwritable, "found", "a folder"),
    ],
)
def test_a_label_or_a_place_that_cannot_be_is_refused(
    tmp_path: Path, options: list[str], kind: type[LexiconError], field: str, reported: str
) -> None:
    error = refusal("build", text_of(tmp_path, *CLUB), "-o", tmp_path / "club.dawg", *options, **{field: re.compile(reported)})
    assert isinstance(error, kind)
    assert _left(tmp_path) == ["words.txt"]


def test_a_list_is_not_replaced_by_what_is_made_of_it(tmp_path: Path) -> None:
    text = text_of(tmp_path, *CLUB)
    (tmp_path / "link").symlink_to(text)
    (tmp_path / "twin").hardlink_to(text)
    for to in (text, tmp_path / "link", tmp_path / "twin"):
        refusal("build", text, "-o", to, "--name", "Club list", found=re.compile("^the same"))
    assert text.read_text(encoding="ascii").split() == list(CLUB)


LEXICON, TEXT = "a Tileclock lexicon", "a text"


def _converted(source: Path, to: Path, kind: str, *more: str) -> list[str]:
    done = invoke("convert", source, to, "--to", kind, *more)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


def _words(path: Path) -> list[str]:
    return invoke("words", path).stdout.splitlines()


@pytest.mark.parametrize(("kind", "alphabet"), [("text", "spanish"), ("kwg", "polish"), ("quackle", "spanish"), ("tileclock", "polish")])
def test_a_list_comes_back_from_each_format_as_it_went(tmp_path: Path, kind: str, alphabet: str) -> None:
    # A tile of the highest number, so that a file which does not name its alphabet can be of no smaller one.
    words = made_up(1000, alphabet)
    words = [*words, invoke("alphabets", alphabet).stdout.split("\n\n")[1].splitlines()[-1].split()[1] * 9]
    path = lexicon_of(tmp_path / "club.dawg", *words, alphabet=alphabet)
    _converted(path, tmp_path / "other", kind)
    more = [] if kind == "tileclock" else ["--alphabet", alphabet, "--name", "Club list", "--edition", "2026-01"]
    _converted(tmp_path / "other", tmp_path / "back.dawg", "tileclock", *more)
    assert set(_words(tmp_path / "back.dawg")) == set(words)
    assert (tmp_path / "back.dawg").read_bytes() == path.read_bytes()


def test_it_says_what_was_converted_and_a_lexicon_keeps_its_tiles_and_name(tmp_path: Path) -> None:
    text = text_of(tmp_path, "TILE", *CLUB, "tile")
    assert _converted(text, tmp_path / "club.dawg", "tileclock", "--name", "Club list") == [
        f"read {text}: {TEXT} in the alphabet english",
        f"wrote {tmp_path}/club.dawg: {LEXICON} of 8 words",
        "note: 2 duplicates left out.",
    ]
    assert _words(tmp_path / "club.dawg") == list(CLUB)
    # A lexicon keeps its name and its own tiles, or takes a new name.
    path = lexicon_of(tmp_path / "pair.dawg", "[AB]", alphabet=pair(tmp_path, "english"))
    _converted(path, tmp_path / "same.dawg", "tileclock")
    assert (tmp_path / "same.dawg").read_bytes() == path.read_bytes()
    _converted(path, tmp_path / "new.dawg", "tileclock", "--name", "New", "--edition", "2027")
    assert invoke("verify", tmp_path / "new.dawg").stdout.startswith("whole: New, 2027, english, 1 word, ")
    assert _words(tmp_path / "new.dawg") == ["[AB]"]


def test_options_that_say_nothing_are_refused(tmp_path: Path, club: Path) -> None:
    text = text_of(tmp_path, *CLUB)
    refusal("convert", text, tmp_path / "out", "--to", "tileclock", expected=re.compile("^--name"))
    refusal("convert", text, tmp_path / "out", "--to", "kwg", "--name", "N", remedy=re.compile("Leave them out"))
    refusal("convert", club, tmp_path / "out", "--to", "text", "--alphabet", "english", expected=re.compile("^no --alphabet"))
    assert not (tmp_path / "out").exists()


def test_a_file_that_could_be_of_another_alphabet_needs_from_and_one_that_is_not_what_from_says_is_refused(tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(255)))
    for said in ("kwg", "zyzzyva", "quackle", "quackle0", "tileclock", "text"):
        refusal("convert", noise, tmp_path / "out", "--from", said, "--to", "quackle", where=re.compile(re.escape(str(noise))))
        assert not (tmp_path / "out").exists()
    _converted(text_of(tmp_path, *CLUB[:3]), tmp_path / "club.kwg", "kwg")
    refusal("convert", tmp_path / "club.kwg", tmp_path / "out", "--to", "text", remedy=re.compile("--from kwg"))
    _converted(tmp_path / "club.kwg", tmp_path / "out", "text", "--from", "kwg")
    assert (tmp_path / "out").read_text(encoding="ascii").split() == list(CLUB[:3])


def _of_quackle_0(dawg: Dawg) -> bytes:
    """Write what Quackle's version 0 holds: big-endian child, letter with flags, playability."""
    places, at = [0] * len(dawg.states), 1
    for state in range(dawg.root, 0, -1):
        places[state] = at
        at += len(dawg.states[state])
    out = bytearray.fromhex("000001fc000000")
    for state in range(dawg.root, 0, -1):
        for edge in dawg.states[state]:
            out += places[edge >> 7].to_bytes(3, "big") + bytes(((edge & 63) - 1 | (edge & 64) >> 1, 0, 0, 0))
        out[-4] |= 64
    return bytes(out)


def _listed_in(kind: str, folder: Path, of: Alphabet, *words: str) -> Path:
    """Return a file of this format with these words in the tiles of ``of``, as some other program would have made it."""
    path = folder / f"list.{kind}"
    coded = sorted(map(of.spelling.codes, words))
    match kind:
        case "text":
            path.write_text("".join(f"{word}\n" for word in words), "utf-8")
        case "tileclock":
            build(coded, path, Label(of, "Other"))
        case "quackle0":
            path.write_bytes(_of_quackle_0(minimal(coded)))
        case _:
            for name, data in files.files(Format(kind), minimal(coded), of, path).items():
                name.write_bytes(data)
    return path


FORMATS = tuple(each.value for each in Format)
ENGLISH = load_alphabet("english")
LONG, LONGER = "UNEXCEPTIONABLES", "Z" * 17


@pytest.mark.parametrize("kind", FORMATS)
def test_a_word_too_long_for_the_board_is_named_with_the_way_on_and_left_out_in_every_format(tmp_path: Path, kind: str) -> None:
    source, to = _listed_in(kind, tmp_path, ENGLISH, "TILE", LONG, LONGER, "ZA"), tmp_path / "x.dawg"
    options = ("--to", "tileclock", "--name", "X", "--edition", "2026")
    error = refusal("convert", source, to, *options, found="2 that are not", remedy=re.compile("--skip-invalid$"))
    assert isinstance(error, BadLines)
    assert sorted(line.split("'")[1] for line in error.lines) == [LONG, LONGER]
    assert not to.exists()
    done = invoke("convert", source, to, *options, "--skip-invalid")
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, "2 words were left out. No play can make such a word.")
    assert LONG in done.stderr
    assert _words(to) == ["TILE", "ZA"]
    assert invoke("verify", to).stdout.startswith("whole: X, 2026, english, 2 words, ")


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("to", ["text", "kwg", "zyzzyva", "quackle"])
def test_other_formats_keep_words_that_are_too_long_for_the_board(tmp_path: Path, kind: str, to: str) -> None:
    _converted(_listed_in(kind, tmp_path, ENGLISH, "TILE", LONG, "ZA"), tmp_path / "other", to)
    _converted(tmp_path / "other", tmp_path / "words.txt", "text")
    assert sorted((tmp_path / "words.txt").read_text("ascii").split()) == sorted(["TILE", LONG, "ZA"])


@pytest.mark.parametrize("kind", FORMATS)
def test_the_alphabet_is_that_of_the_option_in_every_format_but_a_lexicon_which_has_its_own(tmp_path: Path, kind: str) -> None:
    source, to = _listed_in(kind, tmp_path, load_alphabet("french"), "TILE", "ZA"), tmp_path / "x.dawg"
    options = ("convert", source, to, "--to", "tileclock", "--name", "X", "--alphabet", "french")
    if kind == "tileclock":
        refusal(*options, expected=re.compile("^no --alphabet"))
    else:
        assert invoke(*options).exit_code == 0
        assert invoke("verify", to).stdout.startswith("whole: X, french, 2 words, ")
    # And of a wrong one each format that names its letters says which words do not fit.
    if kind in {"text", "zyzzyva"}:
        error = refusal(*options[:-1], "spanish-", remedy=re.compile("Did you mean spanish"))
        source = _listed_in(kind, tmp_path, ENGLISH, "KILO", "CHICO")
        error = refusal("convert", source, to, "--to", "text", "--alphabet", "italian", found="1 that is not")
        assert isinstance(error, BadLines)
        assert error.lines[0].split("'")[1] == "KILO"
        done = invoke("convert", source, tmp_path / "out", "--to", "text", "--alphabet", "italian", "--skip-invalid")
        assert (done.exit_code, (tmp_path / "out").read_text("ascii")) == (0, "CHICO\n")


@pytest.mark.parametrize("verb", ["build", "convert"])
def test_a_text_is_read_with_the_same_options_by_both_verbs(tmp_path: Path, verb: str) -> None:
    source, to = text_of(tmp_path, "KAMA", "CASA", "A" * 16, "1-"), tmp_path / "x.dawg"
    options = ("-o", to) if verb == "build" else (to, "--to", "tileclock")
    done = invoke(verb, source, *options, "--name", "X", "--alphabet", "spanish", "--coded", "--skip-invalid")
    assert (done.exit_code, _words(to)) == (0, ["CASA", "LLAMA"])
    refusal(verb, source, *options, "--name", "X", "--coded", expected=re.compile("--coded"), found="english")


OLD = b"the old edition"


@contextmanager
def _reading(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
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


def _left_beside_the_old(folder: Path) -> list[str]:
    assert (folder / "club.dawg").read_bytes() == OLD
    return sorted({path.name for path in folder.iterdir()} - {"club.dawg", "words.txt"})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_or_asked_to_stop_it_leaves_the_old_file_alone_and_nothing_else(tmp_path: Path, number: signal.Signals) -> None:
    with _reading(tmp_path) as process:
        process.send_signal(number)
        assert process.communicate() == (b"", b"")
        assert process.returncode == 128 + number
    assert _left_beside_the_old(tmp_path) == []


def _until(master: int, sign: bytes) -> None:
    seen = b""
    while sign not in seen:
        seen += os.read(master, 1000)


def _rest(master: int) -> bytes:
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
