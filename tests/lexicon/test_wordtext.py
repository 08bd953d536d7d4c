import gzip
import io
import re
import zipfile
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.errors import BadAlphabet, BadLines, BadText, Unreadable
from lexicon.wordtext import Laid, Reading, Spelled, decoded, lines
from tests.cells import each_cell
from tests.errors import with_fields
from tests.lexicon.making import ENGLISH, coded

PIECE = 1 << 20
LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
LINES = st.lists(st.tuples(st.sampled_from([b"", b" ", b"\t", b"AT", b" CHAT ", b"\tB\xc3\x89B\xc3\x89", b"A B"]), LINE_ENDS), max_size=12)


def read(path: Path, content: bytes) -> list[tuple[int, bytes]]:
    path.write_bytes(content)
    return list(lines(path))


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return tmp_path / "words.txt"


@given(LINES, st.sampled_from([b"", b"\xef\xbb\xbf"]), st.sampled_from([b"", b"END"]))
def test_lines_are_those_that_python_reads_with_universal_line_ends(
    tmp_path_factory: pytest.TempPathFactory, many: list[tuple[bytes, bytes]], mark: bytes, last: bytes
) -> None:
    content = b"".join(line + end for line, end in many) + last
    universal = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline=None).read().split("\n")
    expected = [(number, line.strip(" \t").encode()) for number, line in enumerate(universal, 1) if line.strip(" \t")]
    assert read(tmp_path_factory.getbasetemp() / "lines.txt", mark + content) == expected


def test_a_line_end_or_a_letter_that_falls_on_the_end_of_a_piece_is_whole(text: Path) -> None:
    for cell in each_cell(product([b"\n", b"\r\n", b"\r"], range(-4, 4))):
        with cell as (end, before):
            width = 64 - len(end)
            content = (b"A" * width + end) * (PIECE // 64 - 1)
            content += b"B" * (PIECE + before - len(content)) + end + b"C" + end + end + b"D"
            found = read(text, content)
            rows = PIECE // 64
            assert found[-3:] == [(rows, b"B" * (64 + before)), (rows + 1, b"C"), (rows + 3, b"D")]
            assert len(found) == rows + 2
            assert {line for _, line in found[:-3]} == {b"A" * width}
    for before in range(3):
        content = b"A\n" * (PIECE // 2 - 2) + b"\n" * (3 - before) + "É€\n".encode() * 3
        assert [decoded(text, *line) for line in read(text, content)[-3:]] == ["É€"] * 3


WORDS = "AT\r\nCHAT\r\nÉTÉ\r\n"


def zipped() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("words.txt", WORDS)
    return archive.getvalue()


NO_UTF_8 = [
    (WORDS.encode("utf-16"), "found UTF-16. Convert it: iconv -f UTF-16 -t UTF-8"),
    (WORDS.encode("utf-16-le"), "found UTF-16 (little-endian). Convert it: iconv -f UTF-16LE"),
    (WORDS.encode("utf-16-be"), "found UTF-16 (big-endian). Convert it: iconv -f UTF-16BE"),
    (WORDS.encode("utf-32"), "found UTF-32. Convert it: iconv -f UTF-32"),
    (b"\0\0\xfe\xff" + WORDS.encode("utf-32-be"), "found UTF-32. Convert it"),
    (WORDS.encode("utf-32-le"), "found zero bytes"),
    (gzip.compress(WORDS.encode()), "found a gzip archive"),
    (zipped(), "found a ZIP archive or an office document"),
    (b"%PDF-1.7\n", "found a PDF document"),
    (b"{\\rtf1 AT}", "found a rich text document"),
    (b"\x89DAWG\r\n\x1a", "found an already built lexicon"),
    (b"AT\nCHAT\0\n", "found zero bytes: binary data, or UTF-16"),
]


def test_what_is_no_utf_8_text_is_refused_by_its_name(text: Path) -> None:
    for cell in each_cell(NO_UTF_8, lambda case: case[1]):
        with cell as (content, said):
            with pytest.raises(BadText) as refused:
                read(text, content)
            assert str(refused.value).startswith(f"{text}: expected ")
            assert said in str(refused.value)


EIGHT_BIT = "probably an 8-bit encoding like Latin-1 or Windows-1252"


def test_a_line_that_is_not_utf_8_is_named(text: Path) -> None:
    for word, said in (
        ("ÉTÉ".encode("latin-1"), f"found the byte 0xC9 in line 12: {EIGHT_BIT}. Convert it: iconv -f WINDOWS-1252"),
        ("CŒUR".encode("cp1252"), f"found the byte 0x8C in line 12: {EIGHT_BIT}"),
        (b"AT\x81\x05", "found the byte 0x81 in line 12: binary data"),
        (b"AT\xc3", f"found the byte 0xC3 in line 12: {EIGHT_BIT}"),
        (b"\xed\xa0\x80", "found the byte 0xED in line 12"),
    ):
        with pytest.raises(BadText) as refused:
            decoded(text, 12, word)
        assert said in str(refused.value)


@pytest.mark.parametrize("length", [4096, 4097, 4098, 5000, PIECE - 1, PIECE, PIECE + 5])
def test_a_line_longer_than_any_word_is_refused_and_only_such_a_line(text: Path, length: int) -> None:
    content = b"AT\n" + b"A" * length + b"\nCHAT\n"
    if length <= 4096:
        assert read(text, content) == [(1, b"AT"), (2, b"A" * length), (3, b"CHAT")]
    else:
        with pytest.raises(BadText, check=with_fields(expected="one word per line", found="more than 4096 bytes in line 2")):
            read(text, content)


def test_a_path_that_leads_to_no_text_is_a_sentence(tmp_path: Path) -> None:
    for path, found in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "a directory"),
        (Path("/proc/self/mem"), "input/output"),
    ):
        with pytest.raises(Unreadable, check=with_fields(found=re.compile(found))):
            list(lines(path))
    assert list(lines(Path("/dev/null"))) == []


FRENCH = load_alphabet("french")


def spelled(path: Path, text: str | bytes, of: Alphabet = ENGLISH, how: Reading = Reading()) -> tuple[list[bytes], Spelled]:  # noqa: B008 - frozen
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    words = Spelled(path, of, how=how)
    return list(words), words


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "words.txt"


def test_either_case_is_as_one_types_and_what_no_tiles_spell_is_left_out_and_listed(path: Path) -> None:
    words, listed = spelled(path, "tile\n Clock \n\tRACK\t\r\nqUIZ")
    assert words == coded(["TILE", "CLOCK", "RACK", "QUIZ"])
    assert (listed.invalid, listed.invalid_count) == ([], 0)
    listed.refuse_invalid()
    # A line that no tiles spell is left out and listed.
    for cell in each_cell(["TWO WORDS", "M1X", "IT'S", "TI\u200bLE", "\u200bTILE", "TI\u00adLE", "TILE\u00a0", "\ufeffTILE", "[TIL", "#"]):
        with cell as line:
            words, listed = spelled(path, f"TILE\r\n{line}\r\nCLOCK")
            assert words == coded(["TILE", "CLOCK"])
            assert [(each.line, each.text) for each in listed.invalid] == [(2, line)]
            with pytest.raises(BadText, check=with_fields(found="1 that is not")) as refused:
                listed.refuse_invalid()
            assert str(refused.value).startswith(f"{path}: expected words of at most 15 tiles that the alphabet's tiles spell")
            assert f"\nline 2: {line!r}: expected a text that the alphabet's tiles spell" in str(refused.value)


def test_of_many_invalid_lines_a_thousand_are_kept_and_a_long_one_is_shown_in_part(path: Path) -> None:
    _, listed = spelled(path, "1\n" * 2500)
    assert (len(listed.invalid), listed.invalid_count, listed.invalid[-1].line) == (1000, 2500, 1000)
    with pytest.raises(BadLines, check=with_fields(found="2,500 that are not")) as refused:
        listed.refuse_invalid()
    assert (len(refused.value.lines), refused.value.lines[-1]) == (1001, "and 1,500 more")
    # A long invalid line is shown in part.
    _, listed = spelled(path, "x" * 30 + "1" * 4000)
    assert len(str(listed.invalid[0])) < 250


SPANISH = load_alphabet("spanish")
CODED = "CASA\nKAMA\nÇEWO\nPERO\n"


def remedy(listed: Spelled | Laid) -> str:
    with pytest.raises(BadLines) as refused:
        listed.refuse_invalid()
    return refused.value.remedy


def test_a_list_that_writes_letters_for_digraphs_is_recognised_and_read_so_only_where_that_is_asked_for(path: Path) -> None:
    words, listed = spelled(path, CODED, SPANISH)
    assert (words, remedy(listed)) == (
        coded(["CASA", "PERO"], SPANISH),
        "The list seems to write K for LL, W for RR, Ç for CH. To read it so, add --coded.",
    )
    words, listed = spelled(path, CODED.lower() + "kilo-", SPANISH, Reading(coded=True))
    assert (words, listed.invalid_count) == (coded(["CASA", "LLAMA", "CHERRO", "PERO"], SPANISH), 1)
    # In a list with a digraph K is foreign.
    words, listed = spelled(path, CODED + "LLANO", SPANISH)
    assert "--skip-invalid" in remedy(listed)
    assert "--coded" not in remedy(listed)
    # Nor are long words, and other faults, a sign of it.
    for others in ("A" * 16, "CASA-CASA\nPERO'\nSI-NO\nKIWI\nKAMA"):
        assert "--skip-invalid" in remedy(spelled(path, f"CASA\n{others}", SPANISH)[1])
    with pytest.raises(BadAlphabet, check=with_fields(expected=re.compile("--coded"), found="english")):
        spelled(path, CODED, ENGLISH, Reading(coded=True))


def test_the_way_on_fits_what_is_wrong(path: Path) -> None:
    only_long = remedy(spelled(path, f"TILE\n{'A' * 16}\n{'B' * 17}")[1])
    assert only_long == "No play can make such a word. To leave them out, add --skip-invalid"
    _, listed = spelled(path, f"TILE\n{'A' * 16}\n1\n2")
    with pytest.raises(BadLines, check=with_fields(found="3 that are not, 1 of them only too long")):
        listed.refuse_invalid()
    for text, cut in (("AA\ta lava\nAB\ta muscle", "(cut -f 1)"), ("AA a lava\nAB\ta muscle", "(cut -d ' ' -f 1)")):
        assert cut in remedy(spelled(path, text)[1])


@pytest.mark.parametrize(
    "lines",
    ["4\nabs/17\nan/n1,S\nab\nate/12\tpo:verb", "3\nabz\u0151/12\tpo:noun\nabs/17\tst:ab\nab", "# made by\nab\nabs/17\naba/ABC\t\u2028"],
)
def test_a_hunspell_dictionary_is_named_with_what_writes_its_words_out(path: Path, lines: str) -> None:
    said = remedy(spelled(path, lines)[1])
    assert "npx hunspell-reader words NAME.dic -o words.txt" in said
    # A word with flags is a good one: no cut and no skipping makes a list of them.
    assert ("cut" in said, "--skip-invalid" in said) == (False, False)
    assert "Hunspell" not in remedy(spelled(path, "AB\nAND/OR\n1\n2\n3")[1])


def test_words_in_tiles_are_checked_like_lines(path: Path) -> None:
    given = [b"\2", bytes([1] * 16), coded(["PERRO"], SPANISH)[0], b"\x01\x40", bytes([3, 9])]
    listed = Laid(path, SPANISH, given, {0x40: "K"})
    assert list(listed) == [b"\2", given[2]]
    assert [str(each) for each in listed.invalid] == [
        "'AAAAAAAAAAAAAAAA': expected at most 15 tiles, as the board has in a row, found 16.",
        "'AK': expected tiles of Spanish, found 'K'.",
        "'CH': expected every tile of Spanish whole, found one spelled letter by letter.",
    ]
    assert list(Laid(path, SPANISH, given[:2], how=Reading(longest=255))) == given[:2]
