"""Files of other programs: written, read again, and read as their own programs wrote them."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.alphabet import Alphabet, Tile, alphabets, load_alphabet
from lexicon.dawg import Dawg, minimal
from lexicon.errors import BadAlphabet, BadText, BadWordFile, LexiconError, TooLarge
from lexicon.formats import files, kwg, quackle, zyzzyva
from lexicon.formats.files import FINDERS, ReadWords, open_word_file, read
from lexicon.formats.siblings import Format
from tests.cells import each_cell
from tests.errors import with_fields

FILES = Path(__file__).with_name("files")

OF_SUFFIX = {".kwg": Format.KWG, ".dwg": Format.ZYZZYVA, ".v1.dawg": Format.QUACKLE, ".v0.dawg": Format.QUACKLE0}


def format_of(name: str) -> Format:
    """The format that a file of another program's was made in."""
    return next(found for suffix, found in OF_SUFFIX.items() if name.endswith(suffix))


READABLE = sorted(path.name for path in FILES.iterdir() if path.name.endswith(tuple(OF_SUFFIX)) and not path.name.endswith("-R.dwg"))
"""Names of all files that hold words, and not in reverse."""


def alphabet_of(name: str) -> Alphabet:
    """The alphabet a file was made in."""
    return load_alphabet("english" if _list(name) in {"tiny", "mini"} else _list(name))


def words_of(name: str) -> list[bytes]:
    """The words that a file was made of, in order."""
    text = FILES / f"{_list(name)}.txt"
    return sorted(alphabet_of(name).spelling.codes(word) for word in text.read_text(encoding="utf-8").split())


def _list(name: str) -> str:
    """The name of the list that a file was made of: what comes before the first mark."""
    return re.split("[.-]", name, maxsplit=1)[0]


def read_file(path: Path, alphabet: Alphabet, said: Format | None = None) -> ReadWords:
    """Open and read at once."""
    return read(open_word_file(path, said), alphabet)


OF_A_TO_Z = ("english", "french")


@st.composite
def any_alphabet(draw: st.DrawFn) -> Alphabet:
    """One of ours, or one of any number of tiles that Quackle holds too."""
    count = draw(st.integers(1, 55))
    texts = ["CH", "L·L", *map(chr, range(0x400, 0x430)), *"ABCDE"]
    own = Alphabet("own", "Own", "made up", tuple(Tile(text, 1, 1) for text in texts[:count]), {}, 0)
    return draw(st.one_of(st.just(own), st.sampled_from(alphabets()).map(load_alphabet)))


@st.composite
def lists(draw: st.DrawFn, among: st.SearchStrategy[Alphabet]) -> tuple[Alphabet, list[bytes]]:
    """An alphabet, and words that its tiles can lay, in order."""
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


@given(lists(any_alphabet()))
def test_words_come_back_from_kwg_in_order(given_list: tuple[Alphabet, list[bytes]]) -> None:
    alphabet, words = given_list
    read = there_and_back(Format.KWG, alphabet, words)
    assert (list(read.words), read.count, read.longest) == (words, len(words), max(map(len, words)))


@given(lists(any_alphabet().filter(lambda alphabet: alphabet.id != "norwegian")))
def test_words_come_back_from_quackle_in_order(given_list: tuple[Alphabet, list[bytes]]) -> None:
    alphabet, words = given_list
    read = there_and_back(Format.QUACKLE, alphabet, words)
    assert (list(read.words), read.count, read.longest) == (words, len(words), max(map(len, words)))


@pytest.mark.parametrize("alphabet", ["norwegian", "swedish"])
def test_quackles_files_are_in_the_order_of_its_own_alphabet(alphabet: str) -> None:
    ours = load_alphabet(alphabet)
    words = sorted(map(ours.spelling.codes, ("ZØ", "Å", "ÆZ") if alphabet == "norwegian" else ("ZÖ", "ÅÄ", "ÜÆ")))
    assert list(there_and_back(Format.QUACKLE, ours, words).words) == words
    texts = quackle.write(minimal(words), ours)[21:].split(b"\0")[0].decode().split()
    assert texts[25:] == (["Z", "Æ", "Ø", "Å"] if alphabet == "norwegian" else ["Z", "Å", "Ä", "Ö", "Æ", "Ü"])


def test_quackles_version_0_is_read_in_the_order_of_its_own_alphabet(tmp_path: Path) -> None:
    # Its 26th letter with 28th and 29th after it: Z, ZØ, ZÅ in Quackle's Norwegian.
    nodes = bytes.fromhex("000001fc000000 00000279000000 0000003b000000 0000007c000000")
    path = tmp_path / "x.dawg"
    path.write_bytes(nodes)
    norwegian = load_alphabet("norwegian")
    read = read_file(path, norwegian)
    assert [norwegian.spelling.text(word) for word in read.words] == ["Z", "ZØ", "ZÅ"]


def test_a_tile_that_quackles_alphabet_lacks_is_not_written() -> None:
    norwegian = load_alphabet("norwegian")
    with pytest.raises(BadAlphabet, check=with_fields(expected=re.compile("Quackle's Norwegian"), found="Ü")):
        quackle.write(minimal([norwegian.spelling.codes("Ü")]), norwegian)


@given(lists(st.sampled_from(OF_A_TO_Z).map(load_alphabet)))
def test_words_come_back_from_zyzzyva_in_order(given_list: tuple[Alphabet, list[bytes]]) -> None:
    alphabet, words = given_list
    read = there_and_back(Format.ZYZZYVA, alphabet, words)
    assert (list(read.words), read.count, read.longest) == (words, len(words), max(map(len, words)))


@given(lists(st.just(load_alphabet("english"))))
def test_the_reversed_list_holds_every_word_from_its_end(given_list: tuple[Alphabet, list[bytes]]) -> None:
    alphabet, words = given_list
    found = zyzzyva.find(zyzzyva.write(minimal(words), alphabet).reversed_dwg)
    assert {bytes(letter - 64 for letter in reversed(word)) for word in found.siblings} == set(words)


@pytest.mark.parametrize("to", files.WRITTEN)
def test_no_words_are_not_written(to: Format, tmp_path: Path) -> None:
    with pytest.raises(BadText, check=with_fields(found="none")):
        files.files(to, minimal([]), load_alphabet("english"), tmp_path / "x")


@pytest.mark.parametrize("to", [to for to in Format if to not in files.WRITTEN])
def test_formats_that_are_not_written_here_are_a_mistake_of_the_caller(to: Format, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="kwg, zyzzyva, quackle"):
        files.files(to, minimal([b"\1"]), load_alphabet("english"), tmp_path / "x")


def refused_as_too_large(to: Format, dawg: Dawg, alphabet: Alphabet) -> str:
    with pytest.raises(TooLarge) as refusal:
        files.files(to, dawg, alphabet, Path("x"))
    return str(refusal.value)


def test_more_nodes_than_kwg_can_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its own limit takes a list that fills the memory.
    monkeypatch.setattr(kwg, "NODES", 4)
    english = load_alphabet("english")
    assert "at most 4 nodes for KWG, found 5" in refused_as_too_large(Format.KWG, minimal([b"\1\2\3\4"]), english)
    assert len(kwg.write(minimal([b"\1\2\3"]))) == 4 * 4


def test_more_edges_than_zyzzyva_can_name_are_refused() -> None:
    # A state of one edge with which a word ends, as often as it takes.
    dawg = Dawg(((), *[(65,)] * (1 << 21)), 1, 1)
    assert "at most 2,097,151 edges for Zyzzyva, found 2,097,407" in refused_as_too_large(Format.ZYZZYVA, dawg, load_alphabet("english"))


def test_more_nodes_than_are_read_back_are_not_written_for_quackle() -> None:
    dawg = Dawg(((), *[(65,)] * (1 << 22)), 1, 1)
    assert "at most 4,194,304 nodes for Quackle, found 4,194,305" in refused_as_too_large(Format.QUACKLE, dawg, load_alphabet("english"))


def test_more_words_than_quackle_can_count_are_refused() -> None:
    dawg = Dawg(((), (65,)), 1 << 24, 1)
    assert "at most 16,777,215 words for Quackle, found 16,777,216" in refused_as_too_large(Format.QUACKLE, dawg, load_alphabet("english"))


def test_more_letters_than_quackle_knows_are_refused() -> None:
    alphabet = Alphabet("own", "Own", "made up", tuple(Tile(chr(0x400 + at), 1, 1) for at in range(56)), {}, 0)
    assert "at most 55 letters for Quackle, found 56" in refused_as_too_large(Format.QUACKLE, minimal([b"\1"]), alphabet)


@pytest.mark.parametrize("name", READABLE)
def test_a_file_of_another_program_holds_the_words_it_was_made_of(name: str) -> None:
    read = read_file(FILES / name, alphabet_of(name))
    assert sorted(read.words) == words_of(name)
    assert read.count == len(words_of(name))
    assert read.longest == max(map(len, words_of(name)))


@pytest.mark.parametrize("name", READABLE)
def test_a_file_is_recognised_as_what_it_is_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    renamed = Path(shutil.copy(FILES / name, tmp_path / "words.bin"))
    assert open_word_file(renamed).format is format_of(name)


@pytest.mark.parametrize("name", READABLE)
def test_a_file_is_nothing_but_what_it_is_even_if_somebody_says_so(name: str) -> None:
    for cell in each_cell(FINDERS):
        with cell as said:
            if said is format_of(name):
                assert open_word_file(FILES / name, said).format is said
            else:
                with pytest.raises(BadWordFile, check=with_fields(where=re.compile(re.escape(name)))):
                    open_word_file(FILES / name, said)


@pytest.mark.parametrize("name", READABLE)
def test_words_can_be_gone_through_again(name: str) -> None:
    read = read_file(FILES / name, alphabet_of(name))
    assert list(read.words) == list(read.words)


@pytest.mark.parametrize("name", ["tiny.kbwg", "tiny.gaddag.kbwg"])
def test_a_node24_file_is_named_and_refused(name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("Node24"))):
        open_word_file(FILES / name)


def test_a_kad_file_is_refused_unless_somebody_says_that_it_is_none() -> None:
    english = load_alphabet("english")
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("KAD"))):
        read_file(FILES / "tiny.kad", english)
    assert sorted(read_file(FILES / "tiny.kad", english, Format.KWG).words) == sorted(
        {bytes(sorted(word)) for word in words_of("tiny.kwg")}
    )


@pytest.mark.parametrize("name", ["polish.kwg", "polish.gaddag.kwg", "polish.v0.dawg", "polish.v1.dawg", "spanish.dwg", "spanish.v1.dawg"])
def test_a_file_with_tiles_that_the_alphabet_lacks_is_refused_whatever_somebody_says(name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(remedy=re.compile("--alphabet"))):
        read_file(FILES / name, load_alphabet("english"), format_of(name))


@pytest.mark.parametrize("name", ["tiny.kwg", "tiny.v0.dawg"])
def test_a_file_that_may_be_in_an_alphabet_of_fewer_tiles_is_refused_unless_somebody_says_what_it_is(name: str) -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("another alphabet"))):
        read_file(FILES / name, load_alphabet("polish"))
    assert sorted(read_file(FILES / name, load_alphabet("polish"), format_of(name)).words) == words_of(name)


def test_a_quackle_file_that_names_fewer_letters_is_refused_whatever_somebody_says() -> None:
    with pytest.raises(BadWordFile, check=with_fields(found=re.compile("without Ä"))):
        read_file(FILES / "tiny.v1.dawg", load_alphabet("german"), Format.QUACKLE)


def test_what_a_file_does_not_say_is_said_to_whoever_reads_it() -> None:
    assert any("does not name its alphabet" in note for note in read_file(FILES / "polish.kwg", load_alphabet("polish")).notes)
    assert any("does not name its alphabet" in note for note in read_file(FILES / "polish.v0.dawg", load_alphabet("polish")).notes)
    assert read_file(FILES / "polish.v1.dawg", load_alphabet("polish")).notes == ()


def test_zyzzyvas_files_are_written_byte_for_byte_as_its_own_maker_writes_them(tmp_path: Path) -> None:
    made = files.files(Format.ZYZZYVA, minimal(words_of("tiny.dwg")), load_alphabet("english"), tmp_path / "tiny.dwg")
    assert {path.name: data for path, data in made.items()} == {
        name: (FILES / name).read_bytes() for name in ("tiny.dwg", "tiny-R.dwg", "tiny-Checksums.txt")
    }


@pytest.mark.parametrize("name", ["tiny", "polish", "spanish"])
def test_quackles_header_is_written_byte_for_byte_as_quackle_writes_it(name: str) -> None:
    path = FILES / f"{name}.v1.dawg"
    made = files.files(Format.QUACKLE, minimal(words_of(path.name)), alphabet_of(path.name), path)[path]
    header = path.read_bytes().partition(b"\0\0\1\xfc\0\0\0")[0]
    assert made.startswith(header + b"\0\0\1\xfc\0\0\0")


@pytest.mark.parametrize("name", ["tiny", "polish", "spanish"])
def test_a_kwg_file_is_written_with_as_few_nodes_as_wolges_needs(name: str) -> None:
    path = FILES / f"{name}.kwg"
    assert len(files.files(Format.KWG, minimal(words_of(path.name)), alphabet_of(path.name), path)[path]) == path.stat().st_size


def test_no_file_but_a_readable_one_is_read() -> None:
    others = [path for path in FILES.iterdir() if path.name not in READABLE and path.suffix in {".kad", ".kbwg", ".dwg"}]
    assert len(others) == 5
    for path in others:
        with pytest.raises(LexiconError):
            read_file(path, alphabet_of(path.name))
