"""Files of other programs: which they are recognised as, and damage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexicon.alphabet import load_alphabet
from lexicon.errors import BadText, BadWordFile, LexiconError, Unreadable
from lexicon.formats.files import FINDERS, LARGEST, WordFile, open_word_file, read, recognise
from lexicon.formats.kwg import NODE_ENDS, NODE_LAST, packed
from lexicon.formats.siblings import Format
from lexicon.header import MAGIC
from lexicon.limits import TILES_IN_WORD
from lexicon.wordtext import decoded, lines
from tests.cells import each_cell
from tests.errors import with_fields
from tests.lexicon.formats.test_round_trips import FILES, format_of, words_of

ENGLISH = load_alphabet("english")
TINY = ["tiny.kwg", "mini.gaddag.kwg", "tiny.dwg", "tiny.v1.dawg", "tiny.v0.dawg"]


def words_or_refusal(data: bytes, said: Format) -> list[bytes] | None:
    """The words of a file that somebody vouches for, which must be possible ones; None if it is refused."""
    try:
        found = read(WordFile(Path("damaged"), said, FINDERS[said](data), claimed=True), ENGLISH)
    except LexiconError:
        return None
    words = list(found.words)
    assert len(set(words)) == len(words) == found.count
    assert max(map(len, words)) == found.longest <= TILES_IN_WORD
    assert set(b"".join(words)) <= set(range(1, 27))
    return words


@pytest.mark.parametrize("name", TINY)
def test_a_file_cut_anywhere_is_refused(name: str) -> None:
    data = (FILES / name).read_bytes()
    for length in range(len(data)):
        assert words_or_refusal(data[:length], format_of(name)) is None


@pytest.mark.parametrize("name", TINY)
def test_a_file_with_something_after_its_end_is_refused(name: str) -> None:
    data = (FILES / name).read_bytes()
    for more in (b"\0", b"\0\0\0\0", b"\0" * 7, data):
        assert words_or_refusal(data + more, format_of(name)) is None


@pytest.mark.parametrize("name", [name for name in TINY if format_of(name) is not Format.QUACKLE])
def test_a_file_with_any_bit_turned_is_refused_or_holds_possible_words(name: str) -> None:
    data = (FILES / name).read_bytes()
    for bit in range(8 * len(data)):
        turned = bytearray(data)
        turned[bit // 8] ^= 1 << bit % 8
        words_or_refusal(bytes(turned), format_of(name))


def test_with_any_bit_turned_a_quackle_file_of_version_1_never_gives_other_words() -> None:
    data = (FILES / "tiny.v1.dawg").read_bytes()
    for bit in range(8 * len(data)):
        turned = bytearray(data)
        turned[bit // 8] ^= 1 << bit % 8
        words = words_or_refusal(bytes(turned), Format.QUACKLE)
        assert words is None or sorted(words) == words_of("tiny.v1.dawg")


@pytest.mark.parametrize("said", FINDERS)
@given(data=st.binary(max_size=400))
@example(b"")
@example(b"\0" * 4)
@example(b"\0" * 4096)
@example(b"\1")
@example(b"\0\0\1\xfc\0\0\0")
@example(b"\xff" * 4096)
def test_any_bytes_are_refused_or_hold_possible_words(said: Format, data: bytes) -> None:
    words_or_refusal(data, said)


@st.composite
def nodes(draw: st.DrawFn) -> bytes:
    """A file that is nearly KWG: nodes with few tiles that lead near, back and forth."""
    count = draw(st.integers(1, 40))
    node = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, count + 1))
    return packed(
        [
            0x00400000 | draw(st.integers(0, 3)),
            *[tile << 24 | flags << 22 | child for tile, flags, child in draw(st.lists(node, min_size=count, max_size=count))],
        ]
    )


@given(nodes())
def test_nodes_that_lead_anywhere_are_refused_or_hold_possible_words(data: bytes) -> None:
    words_or_refusal(data, Format.KWG)
    # The same nodes as Zyzzyva and Quackle would have them.
    words_or_refusal((len(data) // 4 - 1).to_bytes(4, "little") + data[4:], Format.ZYZZYVA)
    zyzzyva = [int.from_bytes(data[at : at + 4], "little") for at in range(4, len(data), 4)]
    sevens = b"".join((node & 0xFFFF).to_bytes(3, "big") + bytes((node >> 24 | node >> 17 & 0x60,)) + bytes(3) for node in zyzzyva)
    words_or_refusal(b"\0\0\1\xfc\0\0\0" + sevens, Format.QUACKLE0)


A, B, C = 1 << 24, 2 << 24, 3 << 24


def test_four_nodes_as_the_cases_below_have_them_are_words() -> None:
    found = recognise(packed([NODE_LAST | 1, A | 3, B | NODE_LAST | NODE_ENDS, B | NODE_LAST | NODE_ENDS]))
    assert list(found.siblings) == [b"\1\2", b"\2"]


NO_WORDS = [
    ("the nodes of a word graph", "leads out of the file", [NODE_LAST | 1, A | NODE_LAST | 7]),
    ("the nodes of a word graph", "its last list has no end", [NODE_LAST | 1, A | NODE_ENDS]),
    ("the nodes of a word graph", "in a circle", [NODE_LAST | 1, A | NODE_LAST | NODE_ENDS | 1]),
    ("the nodes of a word graph", "in a circle", [NODE_LAST | 1, A | NODE_ENDS, B | NODE_LAST | 3, A | NODE_LAST | 1]),
    ("the nodes of a word graph", "where no word ends or continues", [NODE_LAST | 1, A | NODE_LAST]),
    ("the nodes of a word graph", "do not ascend", [NODE_LAST | 1, B | NODE_ENDS, A | NODE_ENDS | NODE_LAST]),
    ("the nodes of a word graph", "do not ascend", [NODE_LAST | 1, A | NODE_ENDS, A | NODE_ENDS | NODE_LAST]),
    ("tiles 1 to 63", "^0 to ", [NODE_LAST | 1, A | NODE_LAST | 2, NODE_ENDS | NODE_LAST]),
    ("tiles 1 to 63", " to 64: ", [NODE_LAST | 1, 64 << 24 | NODE_LAST | NODE_ENDS]),
    ("that all nodes belong to words", "1 that do not", [NODE_LAST | 1, B | NODE_LAST | NODE_ENDS, A | NODE_LAST | NODE_ENDS]),
    ("a GADDAG of the same words", "another", [NODE_LAST | 2, NODE_LAST | 3, B | NODE_LAST | NODE_ENDS, A | NODE_LAST | NODE_ENDS]),
    ("a GADDAG of the same words", "another", [NODE_LAST | 2, NODE_LAST, B | NODE_LAST | NODE_ENDS]),
    ("words", "holds none", [NODE_LAST]),
    ("at most 255 letters", "longer", [NODE_LAST | 1, *[A | NODE_LAST | at + 2 for at in range(TILES_IN_WORD)], A | NODE_LAST | NODE_ENDS]),
    (
        "at most 16,777,216 words",
        "more",
        [
            NODE_LAST | 1,
            *[flags | at // 2 * 2 + 3 for at in range(120) for flags in [(A, B | NODE_LAST)[at % 2]]],
            A | NODE_LAST | NODE_ENDS,
        ],
    ),
]


def test_nodes_that_are_no_words_are_refused_and_the_refusal_says_why() -> None:
    for cell in each_cell(NO_WORDS):
        with cell as (expected, found, made):
            fields = with_fields(expected=re.compile(expected), found=re.compile(found))
            with pytest.raises(BadWordFile, check=fields):
                recognise(packed(made))


def test_a_list_may_begin_within_another() -> None:
    # A, AB, AC, B, C: what follows A is what follows A beside it.
    found = recognise(packed([NODE_LAST | 1, A | NODE_ENDS | 2, B | NODE_ENDS, C | NODE_LAST | NODE_ENDS]))
    assert list(found.siblings) == [b"\1", b"\1\2", b"\1\3", b"\2", b"\3"]


def test_nodes_of_zero_between_lists_are_padding() -> None:
    found = recognise(packed([NODE_LAST | 3, 0, 0, B | NODE_LAST | 5, 0, A | NODE_LAST | NODE_ENDS]))
    assert list(found.siblings) == [b"\2\1"]


def test_the_same_letter_twice_side_by_side_is_refused_where_order_is_free() -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("the same letter twice"))):
        recognise(packed([3, ord("A") << 24 | NODE_ENDS, ord("B") << 24 | NODE_ENDS, ord("A") << 24 | NODE_ENDS | NODE_LAST]))


def test_a_bit_that_zyzzyva_does_not_use_is_refused() -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("a bit set that is not used"))):
        recognise(packed([1, ord("A") << 24 | NODE_ENDS | NODE_LAST | 1 << 21]))


def test_a_refusal_names_the_file(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(packed([NODE_LAST | 1, A | NODE_LAST | 7]))
    with pytest.raises(BadWordFile, check=with_fields(where=str(damaged))):
        open_word_file(damaged)


def test_a_few_nodes_of_a_quackle_file_may_belong_to_no_word_but_not_many() -> None:
    data = (FILES / "tiny.v0.dawg").read_bytes()
    stray = bytes((0, 0, 0, 0x60, 0, 0, 0))
    assert sorted(recognise(data + stray).siblings) == words_of("tiny.v0.dawg")
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("belong to words"), found=re.compile("10 that do not"))):
        recognise(data + stray * 10)


def test_a_file_larger_than_any_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile(f"at most {LARGEST:,} bytes"))):
        open_word_file(path)


def test_what_is_no_file_or_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", Path("/dev/null"), Path("a\0b")):
        with pytest.raises(Unreadable, check=with_fields(expected=re.compile("a word file"))):
            open_word_file(path)


def put(folder: Path, data: bytes) -> Path:
    path = folder / "words.dwg"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    ["AB\nBA\n", "\ufeffAB\n", "ŁĄKA\r\nŻÓŁW\r\n", "CHE", "\n\n", "A" * 100_000, "@ABC" * 100],
    ids=["lines", "mark", "polish", "word", "blank", "long", "looks like a root"],
)
def test_text_in_utf_8_is_text(tmp_path: Path, data: str) -> None:
    assert open_word_file(put(tmp_path, data.encode())).format is Format.TEXT


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("ŁĄKA".encode("utf-16"), "UTF-16"),
        ("ŁĄKA".encode("utf-32"), "UTF-32"),
        ("ÉTÉ\n".encode("latin-1"), "Latin-1"),
        (b"\x1f\x8bwords", "gzip"),
    ],
)
def test_text_in_another_encoding_is_left_to_the_reader_of_texts_which_names_it(tmp_path: Path, data: bytes, named: str) -> None:
    file = open_word_file(put(tmp_path, data))
    assert file.format is Format.TEXT
    with pytest.raises(BadText, check=with_fields(found=re.compile(named))):
        [decoded(file.path, number, word) for number, word in lines(file.path)]


def test_our_own_file_is_known_by_its_magic(tmp_path: Path) -> None:
    file = open_word_file(put(tmp_path, MAGIC + bytes(100)))
    assert (file.format, file.found) == (Format.TILECLOCK, None)


@pytest.mark.parametrize(
    "data", [b"\0", bytes(4096), b"\x89PNG\r\n\x1a\n" + bytes(100), "WORDS\n".encode("utf-16-le"), b"\1" + bytes(40), b"words\0words"]
)
def test_what_is_none_of_them_is_refused_and_what_was_looked_for_is_named(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(
        BadWordFile,
        check=with_fields(
            expected=re.compile(r"Tileclock, text in UTF-8, KWG, Zyzzyva \.dwg, Quackle \.dawg version 1, Quackle \.dawg version 0")
        ),
    ):
        open_word_file(put(tmp_path, data))


@pytest.mark.parametrize("said", [Format.TEXT, Format.TILECLOCK])
def test_a_file_of_which_somebody_says_that_it_is_read_elsewhere_is_given_back(said: Format) -> None:
    file = open_word_file(FILES / "tiny.kwg", said)
    assert (file.format, file.found, file.claimed) == (said, None, True)


def test_a_text_is_not_read_as_a_file_of_another_program(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="another program, found text"):
        read(open_word_file(put(tmp_path, b"AB\n")), load_alphabet("english"))


def test_a_text_is_no_kwg_file_even_if_somebody_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("a KWG file"))):
        open_word_file(put(tmp_path, b"AB\nBA\n"), Format.KWG)
