"""``tilelexicon build``: what it makes, what it says, and what it refuses."""

import hashlib
import re
from pathlib import Path

import pytest

from lexicon import Lexicon
from lexicon.errors import BadAlphabet, BadLines, BadName, LexiconError, Unreadable, Unwritable
from tests.lexicon.cli.program import CLUB, PAIR, invoke, made_up, refusal, run, text_of


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
