import re
import shutil
import tempfile
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.alphabet import Alphabet, Tile, alphabets, load_alphabet
from lexicon.dawg import Dawg, minimal
from lexicon.errors import TILES_IN_ALPHABET, TILES_IN_WORD, BadAlphabet, BadName, BadText, BadWordFile, LexiconError, TooLarge, Unreadable
from lexicon.formats import files, kwg, quackle, zyzzyva
from lexicon.formats.files import FINDERS, LARGEST, ReadWords, WordFile, open_word_file, read, recognise
from lexicon.formats.kwg import NODE_ENDS, NODE_LAST
from lexicon.formats.siblings import Format
from lexicon.header import MAGIC
from lexicon.wordtext import decoded, lines
from tests.cells import each_cell
from tests.errors import with_fields
from tests.examples import THOROUGH

ENGLISH = load_alphabet("english")
FILES = Path(__file__).with_name("files")
OF_SUFFIX = {".kwg": Format.KWG, ".dwg": Format.ZYZZYVA, ".v1.dawg": Format.QUACKLE, ".v0.dawg": Format.QUACKLE0}


def format_of(name: str) -> Format:
    return next(found for suffix, found in OF_SUFFIX.items() if name.endswith(suffix))


READABLE = sorted(path.name for path in FILES.iterdir() if path.name.endswith(tuple(OF_SUFFIX)) and not path.name.endswith("-R.dwg"))
"""Names of all files that hold words, and not in reverse."""


def alphabet_of(name: str) -> Alphabet:
    return load_alphabet("english" if _list(name) in {"tiny", "mini"} else _list(name))


def words_of(name: str) -> list[bytes]:
    text = FILES / f"{_list(name)}.txt"
    return sorted(alphabet_of(name).spelling.codes(word) for word in text.read_text(encoding="utf-8").split())


def _list(name: str) -> str:
    return re.split("[.-]", name, maxsplit=1)[0]


def read_file(path: Path, alphabet: Alphabet, said: Format | None = None) -> ReadWords:
    return read(open_word_file(path, said), alphabet)


@pytest.mark.parametrize("name", READABLE)
def test_a_file_of_another_program_holds_the_words_it_was_made_of_and_is_nothing_else(name: str, tmp_path: Path) -> None:
    # Whatever it is called.
    file = open_word_file(Path(shutil.copy(FILES / name, tmp_path / "words.bin")))
    assert file.format is format_of(name)
    found, words = read(file, alphabet_of(name)), words_of(name)
    assert sorted(found) == words
    assert list(found) == list(found), "they can be gone through again"
    assert (found.siblings.words, found.siblings.longest) == (len(words), max(map(len, words)))
    # Even if somebody says so, it is nothing else.
    for cell in each_cell(FINDERS):
        with cell as said:
            if said is format_of(name):
                assert open_word_file(FILES / name, said).format is said
            else:
                with pytest.raises(BadWordFile, check=with_fields(where=re.compile(re.escape(name)))):
                    open_word_file(FILES / name, said)


OTHER_TILES = ["polish.kwg", "polish.gaddag.kwg", "polish.v0.dawg", "polish.v1.dawg", "spanish.v1.dawg"]
REFUSED = [
    ("tiny.kbwg", "english", None, "found", "Node24"),
    ("tiny.gaddag.kbwg", "english", None, "found", "Node24"),
    ("tiny.kad", "english", None, "found", "KAD"),
    ("tiny.kwg", "polish", None, "found", "another alphabet"),
    ("tiny.v0.dawg", "polish", None, "found", "another alphabet"),
    # Whatever somebody says.
    *((name, "english", format_of(name), "remedy", "--alphabet") for name in OTHER_TILES),
    ("tiny.v1.dawg", "german", Format.QUACKLE, "found", "without Ä"),
]


def test_a_file_that_is_in_another_alphabet_or_form_is_refused() -> None:
    for cell in each_cell(REFUSED):
        with cell as (name, alphabet, said, field, why), pytest.raises(BadWordFile, check=with_fields(**{field: re.compile(why)})):
            read_file(FILES / name, load_alphabet(alphabet), said)


def test_zyzzyvas_files_are_written_byte_for_byte_as_its_own_maker_writes_them(tmp_path: Path) -> None:
    made = files.files(Format.ZYZZYVA, minimal(words_of("tiny.dwg")), load_alphabet("english"), tmp_path / "tiny.dwg")
    assert {path.name: data for path, data in made.items()} == {
        name: (FILES / name).read_bytes() for name in ("tiny.dwg", "tiny-R.dwg", "tiny-Checksums.txt")
    }


@pytest.mark.parametrize("name", ["tiny", "polish", "spanish"])
def test_what_is_written_has_quackles_header_and_as_few_nodes_as_wolges_needs(name: str) -> None:
    # Quackle's header, byte for byte.
    path = FILES / f"{name}.v1.dawg"
    made = files.files(Format.QUACKLE, minimal(words_of(path.name)), alphabet_of(path.name), path)[path]
    header = path.read_bytes().partition(b"\0\0\1\xfc\0\0\0")[0]
    assert made.startswith(header + b"\0\0\1\xfc\0\0\0")
    # KWG.
    path = FILES / f"{name}.kwg"
    assert len(files.files(Format.KWG, minimal(words_of(path.name)), alphabet_of(path.name), path)[path]) == path.stat().st_size


def put(folder: Path, data: bytes) -> Path:
    path = folder / "words.dwg"
    path.write_bytes(data)
    return path


def test_text_is_text_and_another_encoding_is_left_to_the_reader_of_texts_which_names_it(tmp_path: Path) -> None:
    # The last one looks like a root.
    for text in ("AB\nBA\n", "\ufeffAB\n", "ŁĄKA\r\nŻÓŁW\r\n", "CHE", "\n\n", "A" * 100_000, "@ABC" * 100):
        assert open_word_file(put(tmp_path, text.encode())).format is Format.TEXT
    for data, named in (
        ("ŁĄKA".encode("utf-16"), "UTF-16"),
        ("ŁĄKA".encode("utf-32"), "UTF-32"),
        ("ÉTÉ\n".encode("latin-1"), "Latin-1"),
        (b"\x1f\x8bwords", "gzip"),
    ):
        file = open_word_file(put(tmp_path, data))
        assert file.format is Format.TEXT
        with pytest.raises(BadText, check=with_fields(found=re.compile(named))):
            [decoded(file.path, number, word) for number, word in lines(file.path)]


def test_what_is_none_of_them_is_refused_and_what_was_looked_for_is_named(tmp_path: Path) -> None:
    named = re.compile(r"Tileclock, text in UTF-8, KWG, Zyzzyva \.dwg, Quackle \.dawg version 1, Quackle \.dawg version 0")
    for data in (b"\0", bytes(4096), b"\x89PNG\r\n\x1a\n" + bytes(100), "WORDS\n".encode("utf-16-le"), b"\1" + bytes(40), b"words\0words"):
        with pytest.raises(BadWordFile, check=with_fields(expected=named)):
            open_word_file(put(tmp_path, data))


def test_what_is_read_elsewhere_is_given_back_our_own_by_its_magic_and_not_read_here(tmp_path: Path) -> None:
    file = open_word_file(put(tmp_path, MAGIC + bytes(100)))
    assert (file.format, file.found) == (Format.TILECLOCK, None)
    for said in (Format.TEXT, Format.TILECLOCK):
        file = open_word_file(FILES / "tiny.kwg", said)
        assert (file.format, file.found, file.claimed) == (said, None, True)
    with pytest.raises(ValueError, match="another program, found text"):
        read(open_word_file(put(tmp_path, b"AB\n")), load_alphabet("english"))


@st.composite
def any_alphabet(draw: st.DrawFn) -> Alphabet:
    """One of ours, or one of any number of tiles that Quackle holds too."""
    count = draw(st.integers(1, 55))
    texts = ["CH", "L·L", *map(chr, range(0x400, 0x430)), *"ABCDE"]
    own = Alphabet("own", "Own", "made up", tuple(Tile(text, 1, 1) for text in texts[:count]), 0)
    return draw(st.one_of(st.just(own), st.sampled_from(alphabets()).map(load_alphabet)))


@st.composite
def lists(draw: st.DrawFn, among: st.SearchStrategy[Alphabet]) -> tuple[Alphabet, list[bytes]]:
    alphabet = draw(among)
    # Few tiles as a rule, so that words share much; the highest among them.
    tiles = draw(st.lists(st.integers(1, len(alphabet.tiles)), min_size=1, max_size=6))
    word = st.lists(st.sampled_from(tiles), min_size=1, max_size=9).map(bytes).filter(alphabet.spelling.can_spell)
    return alphabet, sorted(draw(st.sets(word, min_size=1, max_size=60)))


def there_and_back(to: Format, alphabet: Alphabet, words: list[bytes]) -> ReadWords:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.dwg"
        for name, data in files.files(to, minimal(words), alphabet, path).items():
            name.write_bytes(data)
        return read_file(path, alphabet, to)


@pytest.mark.parametrize(
    ("to", "among"),
    [
        (Format.KWG, any_alphabet()),
        (Format.QUACKLE, any_alphabet().filter(lambda alphabet: alphabet.id != "norwegian")),
        (Format.ZYZZYVA, st.sampled_from(("english", "french")).map(load_alphabet)),
    ],
    ids=str,
)
@given(data=st.data())
def test_words_come_back_in_order(to: Format, among: st.SearchStrategy[Alphabet], data: st.DataObject) -> None:
    alphabet, words = data.draw(lists(among))
    read = there_and_back(to, alphabet, words)
    assert (list(read), read.siblings.words, read.siblings.longest) == (words, len(words), max(map(len, words)))


def test_quackles_version_0_is_read_in_the_order_of_its_own_alphabet(tmp_path: Path) -> None:
    # Its 26th letter with 28th and 29th after it: Z, ZØ, ZÅ in Quackle's Norwegian.
    nodes = bytes.fromhex("000001fc000000 00000279000000 0000003b000000 0000007c000000")
    path = tmp_path / "x.dawg"
    path.write_bytes(nodes)
    norwegian = load_alphabet("norwegian")
    read = read_file(path, norwegian)
    assert [norwegian.spelling.text(word) for word in read] == ["Z", "ZØ", "ZÅ"]


def test_a_tile_that_quackles_alphabet_lacks_is_not_written() -> None:
    norwegian = load_alphabet("norwegian")
    with pytest.raises(BadAlphabet, check=with_fields(expected=re.compile("Quackle's Norwegian"), found="Ü")):
        quackle.write(minimal([norwegian.spelling.codes("Ü")]), norwegian)


def packed(numbers: list[int]) -> bytes:
    return array("I", numbers).tobytes()


def test_more_nodes_than_kwg_can_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its own limit takes a list that fills the memory.
    monkeypatch.setattr(kwg, "NODES", 4)
    with pytest.raises(TooLarge, match="at most 4 nodes for KWG, found 5"):
        kwg.write(minimal([b"\1\2\3\4"]))
    assert len(kwg.write(minimal([b"\1\2\3"]))) == 4 * 4


MANY_LETTERS = Alphabet("own", "Own", "made up", tuple(Tile(chr(0x4E00 + at), 1, 1) for at in range(56)), 0)


@pytest.mark.parametrize(
    ("to", "states", "words", "alphabet", "found"),
    [
        # A state of one edge with which a word ends, as often as it takes.
        (Format.ZYZZYVA, 1 << 21, 1, ENGLISH, "at most 2,097,151 edges for Zyzzyva, found 2,097,407"),
        (Format.QUACKLE, 1 << 22, 1, ENGLISH, "at most 4,194,304 nodes for Quackle, found 4,194,305"),
        (Format.QUACKLE, 1, 1 << 24, ENGLISH, "at most 16,777,215 words for Quackle, found 16,777,216"),
        (Format.QUACKLE, 1, 1, MANY_LETTERS, "at most 55 letters for Quackle, found 56"),
    ],
)
def test_more_than_a_format_holds_is_refused(to: Format, states: int, words: int, alphabet: Alphabet, found: str) -> None:
    with pytest.raises(TooLarge, match=found):
        files.files(to, Dawg(((), *[(65,)] * states), words, 1), alphabet, Path("x"))


@pytest.fixture
def dwg(tmp_path: Path) -> Path:
    return Path(shutil.copy(FILES / "tiny.dwg", tmp_path))


def test_the_checksum_is_crc_16_x_25() -> None:
    # The check value that catalogues of CRCs give: of "123456789", at the place of the edges it is to cover.
    covered = b"123456789"
    assert zyzzyva.checksum((len(covered)).to_bytes(4, "little") + covered.ljust(4 * len(covered), b"\0")) == 0x906E


def test_checksums_that_do_not_fit_are_none_or_cannot_be_read_are_refused(dwg: Path) -> None:
    beside = dwg.with_name("tiny-Checksums.txt")
    for text in ("1\n2\n", "", "words\n", "-1\n2\n", "12345678\n", "0x12\n", "\0\0", "²\n"):
        beside.write_text(text, encoding="utf-8")
        with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("the checksum 1 " if text == "1\n2\n" else "checksums"))):
            open_word_file(dwg)
    beside.unlink()
    beside.mkdir()
    with pytest.raises(Unreadable, check=with_fields(where=re.compile("tiny-Checksums"))):
        open_word_file(dwg)


def test_reversed_words_are_known_by_their_files_name_or_their_checksum(dwg: Path) -> None:
    is_reversed = with_fields(found=re.compile("reversed"))
    for name in ("tiny-R.dwg", "tiny-r.dwg"):
        with pytest.raises(BadWordFile, check=is_reversed):
            open_word_file(Path(shutil.copy(dwg, dwg.with_name(name))), Format.ZYZZYVA)
    shutil.copy(FILES / "tiny-R.dwg", dwg)
    shutil.copy(FILES / "tiny-Checksums.txt", dwg.parent)
    with pytest.raises(BadWordFile, check=is_reversed):
        open_word_file(dwg)


def test_zyzzyva_gets_no_other_tiles_than_a_to_z_and_no_words_under_the_name_of_reversed_ones(tmp_path: Path) -> None:
    for alphabet in ("spanish", "polish", "german", "catalan"):
        with pytest.raises(BadAlphabet, check=with_fields(expected=re.compile("A to Z"))):
            files.files(Format.ZYZZYVA, minimal([b"\1\2"]), load_alphabet(alphabet), tmp_path / "x.dwg")
    with pytest.raises(BadName, check=with_fields(expected=re.compile("-R"))):
        files.files(Format.ZYZZYVA, minimal(words_of("tiny.dwg")), ENGLISH, tmp_path / "x-R.dwg")


def test_letters_on_no_tile_have_numbers_of_their_own_and_coded_ones_are_tiles_where_that_is_asked_for(tmp_path: Path) -> None:
    spanish, path = load_alphabet("spanish"), tmp_path / "x.dwg"
    for name, data in files.files(Format.ZYZZYVA, minimal(sorted(map(ENGLISH.spelling.codes, ("KILO", "WACO")))), ENGLISH, path).items():
        name.write_bytes(data)
    found = read_file(path, spanish)
    assert sorted(found.strange.values()) == ["K", "W"]
    assert min(found.strange) > TILES_IN_ALPHABET
    assert {"".join(found.strange.get(number) or spanish.tiles[number - 1].text for number in word) for word in found} == {
        "KILO",
        "WACO",
    }
    found = read(open_word_file(path), spanish, coded=True)
    assert (found.strange, {spanish.spelling.text(word) for word in found}) == ({}, {"LLILO", "RRACO"})
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile("--coded"), found=re.compile("by their numbers"))):
        read(open_word_file(FILES / "spanish.kwg"), spanish, coded=True)


TINY = ["tiny.kwg", "mini.gaddag.kwg", "tiny.dwg", "tiny.v1.dawg", "tiny.v0.dawg"]


def words_or_refusal(data: bytes, said: Format) -> list[bytes] | None:
    """The words of a file that somebody vouches for, which must be possible ones; None if it is refused."""
    try:
        found = read(WordFile(Path("damaged"), said, FINDERS[said](data), claimed=True), ENGLISH)
    except LexiconError:
        return None
    words = list(found)
    assert len(set(words)) == len(words) == found.siblings.words
    assert max(map(len, words)) == found.siblings.longest <= TILES_IN_WORD
    assert set(b"".join(words)) <= {*range(1, 27), *found.strange}
    return words


@pytest.mark.parametrize("name", TINY)
def test_a_file_that_was_cut_lengthened_or_turned_is_refused_or_holds_possible_words(name: str) -> None:
    data = (FILES / name).read_bytes()
    longer = [data + more for more in (b"\0", b"\0\0\0\0", b"\0" * 7, data)] + [b"\1" + bytes(7)]
    step = 1 if THOROUGH else 7
    for damaged in (*(data[:length] for length in range(0, len(data), step)), *longer):
        assert words_or_refusal(damaged, format_of(name)) is None
    # With any bit turned it holds possible words at most; in Quackle's version 1 its own.
    for bit in range(0, 8 * len(data), step):
        turned = bytearray(data)
        turned[bit // 8] ^= 1 << bit % 8
        words = words_or_refusal(bytes(turned), format_of(name))
        assert words is None or format_of(name) is not Format.QUACKLE or sorted(words) == words_of(name)


A, B, C = 1 << 24, 2 << 24, 3 << 24


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
    ("", "the same letter twice", [3, ord("A") << 24 | NODE_ENDS, ord("B") << 24 | NODE_ENDS, ord("A") << 24 | NODE_ENDS | NODE_LAST]),
    ("", "a bit set that is not used", [1, ord("A") << 24 | NODE_ENDS | NODE_LAST | 1 << 21]),
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


def test_what_is_larger_than_any_or_no_file_or_cannot_be_read_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(BadWordFile, check=with_fields(expected=re.compile(f"at most {LARGEST:,} bytes"))):
        open_word_file(large)
    for path in (tmp_path, tmp_path / "missing", Path("/dev/null"), Path("a\0b")):
        with pytest.raises(Unreadable, check=with_fields(expected=re.compile("a word file"))):
            open_word_file(path)
