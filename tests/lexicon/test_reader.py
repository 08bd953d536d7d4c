import itertools
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lexicon import Lexicon
from lexicon.alphabet import Alphabet
from lexicon.errors import Ambiguous, Damaged, Unreadable
from tests.errors import with_fields
from tests.examples import examples
from tests.lexicon.crafting import resealed, taken_apart
from tests.lexicon.making import alphabet, alphabets, built, example, words_in


def neighbours(word: bytes, tiles: int) -> set[bytes]:
    """Every word that one change of a tile makes of ``word``: another tile, one more, one fewer."""
    numbers = [bytes((number,)) for number in range(1, tiles + 1)]
    changed = {word[:at] + tile + word[at + 1 :] for at in range(len(word)) for tile in numbers}
    longer = {word[:at] + tile + word[at:] for at in range(len(word) + 1) for tile in numbers}
    return changed | longer | {word[:at] + word[at + 1 :] for at in range(len(word))}


@settings(max_examples=examples(200))
@given(data=st.data())
def test_it_answers_as_a_set_would_for_each_word_and_each_change_of_one_tile(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    of: Alphabet = data.draw(alphabets())
    words = data.draw(words_in(of, most=8, longest=6))
    path = tmp_path_factory.getbasetemp() / "reader.dawg"
    built(path, words, of)
    plain = set(words)
    with Lexicon.open(path) as lexicon:
        for word in plain.union(*(neighbours(word, len(of.tiles)) for word in plain)):
            assert lexicon.holds(word) == (word in plain)
            if of.spelling.can_spell(word):
                assert (of.spelling.text(word) in lexicon) == (word in plain)


@settings(max_examples=examples(200))
@given(data=st.data())
def test_whatever_is_typed_is_answered_as_its_tiles_are(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    of: Alphabet = data.draw(alphabets(most=6))
    words = data.draw(words_in(of))
    path = tmp_path_factory.getbasetemp() / "typed.dawg"
    built(path, words, of)
    typed = data.draw(st.lists(st.sampled_from([*(tile.text for tile in of.tiles), "é", "e\u0301", "[", "]", "?", " ", "ß", "\ud800"])))
    with Lexicon.open(path) as lexicon:
        for text in ("".join(typed), "".join(typed).lower()):
            try:
                codes = of.spelling.codes(text)
            except Ambiguous:
                with pytest.raises(Ambiguous):
                    assert text in lexicon
            except ValueError:
                assert text not in lexicon
            else:
                assert (text in lexicon) == (codes in set(words))


def test_an_ambiguous_text_is_told_as_such_in_a_file_of_any_size(tmp_path: Path) -> None:
    of = alphabet(("A", "AB", "B", "C"))
    for longest in (1, 5):
        built(tmp_path / "x.dawg", [bytes(word) for word in itertools.product((1, 2, 3, 4), repeat=longest)], of)
        with Lexicon.open(tmp_path / "x.dawg") as lexicon:
            with pytest.raises(Ambiguous, check=with_fields(expected="one way to spell 'CAB'", found="C[AB] or C[A]B")):
                assert "CAB" in lexicon
            with pytest.raises(Ambiguous):
                lexicon.accepts(["C", "AB"])
            with pytest.raises(Ambiguous):
                lexicon.starting("AB")
            assert ("[AB]" in lexicon) is (longest == 1)
    # More than 300 units: the first unsettled character leads to a unit of the file.
    of = alphabet((*"CDEFGHIJKLMNOPQRSTUVWXYZ", "A", "B", "AB"))
    drawn = random.Random(3)  # noqa: S311 - words, not secrets
    built(tmp_path / "x.dawg", {bytes(drawn.choices(range(1, 28), k=6)) for _ in range(500)}, of)
    with Lexicon.open(tmp_path / "x.dawg") as lexicon:
        assert lexicon.header.units > 300
        with pytest.raises(Ambiguous):
            assert "AB" in lexicon


def test_what_is_no_text_is_no_word_but_a_slip(tmp_path: Path) -> None:
    with Lexicon.open(example(tmp_path / "x.dawg")) as lexicon:
        for slip in (b"AT", 7, None):
            with pytest.raises(TypeError, match="a word as str"):
                assert slip in lexicon  # type: ignore[operator] # what is shown


def test_a_play_is_acceptable_if_all_its_words_are_and_each_is_looked_up(tmp_path: Path) -> None:
    with Lexicon.open(example(tmp_path / "x.dawg")) as lexicon:
        assert lexicon.accepts(["AT", "chat"]) is True
        assert lexicon.accepts(iter(["AT", "TA", "CHAT"])) is False
        with pytest.raises(ValueError, match="at least one word"):
            lexicon.accepts([])
    # Every word is looked up, whatever the first gave.
    asked: list[str] = []

    def play() -> object:
        for word in ("TA", "AT", "TT"):
            asked.append(word)
            yield word

    with Lexicon.open(example(tmp_path / "x.dawg")) as lexicon:
        assert lexicon.accepts(play()) is False  # type: ignore[arg-type] # said to yield objects
    assert asked == ["TA", "AT", "TT"]


def test_it_says_what_it_is(tmp_path: Path) -> None:
    with Lexicon.open(str(example(tmp_path / "x.dawg"))) as lexicon:
        assert repr(lexicon) == "<Lexicon 'EXAMPLE' 2026-11-21 4 words 19c9562a>"
        assert lexicon.path == str(tmp_path / "x.dawg")
        assert lexicon.payload() == (tmp_path / "x.dawg").read_bytes()[448:]


@pytest.mark.parametrize("copied", [False, True])
def test_a_closed_lexicon_gives_no_verdict_and_no_words(tmp_path: Path, *, copied: bool) -> None:
    lexicon = Lexicon.open(example(tmp_path / "x.dawg"), copied=copied)
    lexicon.close()
    lexicon.close()
    for ask in (lambda: "AT" in lexicon, lambda: "CHAT" in lexicon, lambda: list(lexicon), lambda: lexicon.accepts(["AT"]), lexicon.verify):
        with pytest.raises(ValueError, match=r"released|closed"):
            ask()


def test_a_path_that_leads_to_no_file_is_a_sentence_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    for path, found in (
        (tmp_path / "none.dawg", "no such file"),
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "a device or a pipe"),
        (Path("/dev/null"), "a device or a pipe"),
        (tmp_path / "loop", "too many levels"),
        (tmp_path / ("x" * 300), "file name too long"),
        (Path("/proc/self/mem"), "input/output error"),
    ):
        with pytest.raises(Unreadable, check=with_fields(where=str(path), found=re.compile(found))):
            Lexicon.open(path)
    with pytest.raises(Unreadable, check=with_fields(found=re.compile("null"))):
        Lexicon.open("a\0b")


def test_a_header_without_an_alphabet_is_told_by_the_files_name(tmp_path: Path) -> None:
    path = example(tmp_path / "x.dawg")
    data = bytearray(path.read_bytes())
    data[0x19D] = 0xFF
    path.write_bytes(resealed(bytes(data[:448])) + data[448:])
    with Lexicon.open(path) as lexicon:
        assert "AT" in lexicon
        with pytest.raises(Damaged, check=with_fields(where=str(path), expected="a header as a builder writes it")):
            assert "CHAT" in lexicon
        with pytest.raises(Damaged, check=with_fields(where=str(path))):
            lexicon.verify()


ENDS = 0x40


@settings(max_examples=examples(200))
@given(data=st.data())
def test_the_words_that_begin_alike_come_as_a_sorted_list_has_them(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    of: Alphabet = data.draw(alphabets())
    words = data.draw(words_in(of))
    path = tmp_path_factory.getbasetemp() / "walk.dawg"
    built(path, words, of)
    prefixes = {word[:at] for word in words for at in range(len(word) + 1)} | {words[0] + b"\x01", bytes((len(of.tiles),))}
    with Lexicon.open(path) as lexicon:
        for prefix in prefixes:
            assert list(lexicon.walk(prefix)) == sorted({word for word in words if word.startswith(prefix)})


def opened(path: Path, **changed: Any) -> Lexicon:
    """The example with things changed in it, sealed as if nothing were."""
    path.write_bytes(replace(taken_apart(example(path).read_bytes()), **changed).sealed())
    return Lexicon.open(path)


def test_a_walk_ends_where_the_file_contradicts_its_header(tmp_path: Path) -> None:
    with opened(tmp_path / "x.dawg", units=(0, 0, 1 << 8 | ENDS | 1), words=1 << 24) as lexicon:
        words = iter(lexicon)
        assert list(itertools.islice(words, 4)) == ["A", "AA", "AAA", "AAAA"]
        with pytest.raises(Damaged, check=with_fields(found="a longer one, or a circle")):
            next(words)
    # Tiles 1 and 2 at each of 255 states, both on to the next: 2 to the 255 ways and not a word.
    bases = range(1, 1 + 3 * 255, 3)
    units = [0] * (bases[-1] + 6)
    for base in bases:
        to = base + 3 if base != bases[-1] else 0
        units[base + 1 : base + 3] = [to << 8 | 1, to << 8 | 2]
    with opened(tmp_path / "x.dawg", units=tuple(units), longest=255, words=1 << 20) as lexicon, pytest.raises(Damaged):
        list(lexicon)
    # More words than the header says are not given.
    with opened(tmp_path / "x.dawg", words=2) as lexicon:
        words = iter(lexicon)
        assert list(itertools.islice(words, 2)) == ["AT", "CHA"]
        with pytest.raises(Damaged, check=with_fields(found="a longer one, or a circle")):
            next(words)
    # An edge that leads out of the file is an error.
    with (
        opened(tmp_path / "x.dawg", units=(0, 0, 0xFFFFFF << 8 | 1)) as lexicon,
        pytest.raises(Damaged, check=with_fields(found=re.compile("way out"))),
    ):
        list(lexicon)
