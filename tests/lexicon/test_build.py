import hashlib
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lexicon import Lexicon
from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.build import Label, build, build_text, in_order
from lexicon.dawg import BASE, ENDS, NEXT, TILE, Dawg, PlacedUnits, minimal, place, words_of
from lexicon.errors import BadName, TooLarge, Unspellable
from tests.cells import each_cell
from tests.errors import with_fields
from tests.examples import THOROUGH, examples
from tests.lexicon.making import ENGLISH, alphabets, built, coded, words_in

LABEL = Label(ENGLISH, "TEST", "2026-11-21")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@settings(max_examples=examples(200))
@given(data=st.data())
def test_the_same_words_in_any_order_and_number_give_the_same_bytes(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    of: Alphabet = data.draw(alphabets())
    words = data.draw(words_in(of))
    again = data.draw(st.permutations(words + data.draw(st.lists(st.sampled_from(words), max_size=5))))
    folder = tmp_path_factory.getbasetemp()
    first, second = built(folder / "1.dawg", words, of), built(folder / "2.dawg", again, of)
    assert (folder / "1.dawg").read_bytes() == (folder / "2.dawg").read_bytes()
    assert first.duplicates == len(words) - len(set(words))
    assert second.duplicates == len(again) - len(set(words))
    assert first.words_sha256 == second.words_sha256


@settings(max_examples=examples(200))
@given(data=st.data())
def test_what_is_listed_from_a_file_builds_the_same_file_again(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    of: Alphabet = data.draw(alphabets())
    folder = tmp_path_factory.getbasetemp()
    report = built(folder / "first.dawg", data.draw(words_in(of)), of)
    with Lexicon.open(folder / "first.dawg") as lexicon:
        canonical = "".join(f"{word}\n" for word in lexicon)
    assert hashlib.sha256(canonical.encode()).hexdigest() == report.words_sha256
    (folder / "listed.txt").write_text(canonical, encoding="utf-8")
    again, spelled = build_text(folder / "listed.txt", folder / "again.dawg", Label(of, "EXAMPLE"))
    assert again == replace(report, duplicates=0)
    assert spelled.invalid_count == 0
    assert (folder / "again.dawg").read_bytes() == (folder / "first.dawg").read_bytes()


def test_words_of_too_many_or_broken_tiles_are_not_built(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, check=with_fields(expected="words of at most 255 tiles", found="one of 256")):
        build([b"\x01" * 256], tmp_path / "x.dawg", LABEL)
    assert names(tmp_path) == []
    # Words that break up a tile are not built.
    spanish = load_alphabet("spanish")
    tiles = [tile.text for tile in spanish.tiles]
    broken = bytes(tiles.index(letter) + 1 for letter in ("C", "H", "O"))
    with pytest.raises(Unspellable, check=with_fields(expected="every tile whole")):
        build([broken], tmp_path / "x.dawg", Label(spanish, "X"))
    # Words of no tiles, or of others, are a mistake of the caller.
    for word in (b"", b"\0\1", b"\x1b", b"\x01\xff"):
        with pytest.raises(ValueError, match="expected words of tiles 1 to 26"):
            build([b"\x01", word], tmp_path / "x.dawg", Label(ENGLISH, "X"))
    assert list(tmp_path.iterdir()) == []


def test_more_words_than_the_format_holds_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The true limit of 16,777,216 takes minutes to reach.
    monkeypatch.setattr("lexicon.build.WORDS_IN_LEXICON", 3)
    build(coded(["A", "B", "C", "C"]), tmp_path / "x.dawg", LABEL)
    with pytest.raises(TooLarge, check=with_fields(expected="at most 3 words", found="more")):
        build(coded(["A", "B", "C", "D"]), tmp_path / "y.dawg", LABEL)
    assert names(tmp_path) == ["x.dawg"]


def test_name_and_edition_are_in_the_file_and_what_cannot_be_shown_or_is_no_date_is_refused(tmp_path: Path) -> None:
    for edition in ("", "2026", "2026-11", "2024-02-29"):
        build(coded(["TILE"]), tmp_path / "x.dawg", Label(ENGLISH, "é" * 50, edition))
        with Lexicon.open(tmp_path / "x.dawg") as lexicon:
            assert (lexicon.header.name, lexicon.header.edition, lexicon.header.alphabet) == ("é" * 50, edition, "english")
    for cell in each_cell(["", " ", "\n", "A\x1b[2JB", "E\u0301", " TEST", "TEST ", "x" * 101, "é" * 51, "A\u200b", "a\u202eb", "\ud800"]):
        with cell as name, pytest.raises(BadName, check=with_fields(expected=re.compile("a printable name of 1 to 100 bytes"))):
            Label(ENGLISH, name)
    for cell in each_cell(["2026-13", "2026-00", "2026-1", "2025-02-29", "0000", "hello", "21.11.2026", "2026-11-21\n", "٢٠٢٦", "26", " "]):
        with cell as edition, pytest.raises(BadName, check=with_fields(expected=re.compile("YYYY-MM-DD"), found=repr(edition))):
            Label(ENGLISH, "TEST", edition)


_BUILD = """
import itertools, resource, signal, sys
from itertools import product
from pathlib import Path
from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build
from lexicon.errors import LexiconError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit, megabytes, words = map(int, sys.argv[2:])
label = Label(load_alphabet("english"), "TEST")
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
some = (bytes((*word, word[0], 27 - word[1])) for word in itertools.product(range(16, 0, -1), repeat=5))
try:
    build(itertools.islice(itertools.cycle(some) if words < 0 else some, None if words < 0 else words), Path(sys.argv[1]), label)
except LexiconError as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""

NO_LIMIT = 1 << 40


def building(to: Path, limit: int, megabytes: int, words: int) -> list[str]:
    """The command that builds ``to`` in a process that may write files of ``limit`` bytes and use ``megabytes`` of memory."""
    return [sys.executable, "-c", _BUILD, *map(str, (to, limit, megabytes, words))]


@pytest.mark.parametrize(("words", "megabytes"), [(1_000_000, 200) if THOROUGH else (300_000, 110)])
def test_a_long_list_is_built_in_bounded_memory(tmp_path: Path, words: int, megabytes: int) -> None:
    done = subprocess.run(
        building(tmp_path / "x.dawg", NO_LIMIT, megabytes, words), capture_output=True, text=True, check=False, timeout=240
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Lexicon.open(tmp_path / "x.dawg") as lexicon:
        assert len(lexicon) == words


WORDS = st.lists(st.lists(st.integers(1, 63), min_size=1, max_size=4).map(bytes), max_size=60)


@given(WORDS)
def test_the_order_and_the_repetitions_are_those_of_a_sorted_set(words: list[bytes]) -> None:
    assert in_order(words) == (sorted(set(words)), len(words) - len(set(words)))


WORD_SETS = st.sets(st.binary(min_size=1, max_size=7).map(lambda word: bytes(byte % 4 + 1 for byte in word)), max_size=60)
WIDE = st.sets(st.lists(st.integers(1, 63), min_size=1, max_size=6).map(bytes), max_size=40)


def right_languages(words: set[bytes]) -> set[frozenset[bytes]]:
    """What can follow each beginning of a word, the beginning itself aside: as many as a minimal automaton, ending on edges, has states with edges."""
    beginnings = {word[:at] for word in words for at in range(len(word))}
    return {
        frozenset(word[len(beginning) :] for word in words if word.startswith(beginning) and word != beginning) for beginning in beginnings
    }


@given(WORD_SETS | WIDE)
def test_the_words_come_out_in_order_of_as_few_states_as_can_be(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert list(words_of(dawg)) == sorted(words)
    assert dawg.words == len(words)
    assert dawg.longest == max(map(len, words), default=0)
    # There are as many states as ways to go on.
    dawg = minimal(sorted(words))
    assert len(dawg.states) - 1 == len(right_languages(words))
    assert dawg.edges == sum(len({ending[0] for ending in language}) for language in right_languages(words))
    # Edges ascend and lead to lower numbers.
    for number, edges in enumerate(minimal(sorted(words)).states):
        tiles = [edge & TILE for edge in edges]
        assert tiles == sorted(set(tiles))
        assert all(edge >> NEXT < number for edge in edges)
        assert all(edge >> NEXT or edge & ENDS for edge in edges)


@pytest.mark.parametrize("words", [[b"\x02", b"\x01"], [b"\x01", b"\x01"], [b""], [b"\x01\x02", b"\x01"]])
def test_words_out_of_order_twice_or_empty_are_refused(words: list[bytes]) -> None:
    with pytest.raises(ValueError, match="ascending order"):
        minimal(words)


PLACED_WORDS = st.sets(st.lists(st.integers(1, 63), min_size=1, max_size=7).map(bytes), min_size=1, max_size=80)
FEW_TILES = st.sets(st.lists(st.integers(1, 3), min_size=1, max_size=7).map(bytes), min_size=1, max_size=80)


def bases(dawg: Dawg, placed: PlacedUnits) -> dict[int, int]:
    found, ahead = {dawg.root: placed.root}, [dawg.root]
    while ahead:
        state = ahead.pop()
        for edge in dawg.states[state]:
            unit, to = placed.units[found[state] + (edge & TILE)], edge >> NEXT
            assert unit & (TILE | ENDS) == edge & (TILE | ENDS)
            assert unit & 0x80 == 0
            if to == 0:
                assert unit >> BASE == 0
            elif to not in found:
                found[to] = unit >> BASE
                ahead.append(to)
            assert unit >> BASE == found.get(to, 0)
    return found


def assert_well_placed(dawg: Dawg, placed: PlacedUnits) -> None:
    found = bases(dawg, placed)
    assert min(found.values()) >= 1
    assert len(set(found.values())) == len(found) == len(dawg.states) - 1
    assert sum(1 for unit in placed.units if unit) == dawg.edges
    assert placed.units[-1] != 0


@given(PLACED_WORDS | FEW_TILES)
def test_each_state_has_a_base_of_its_own_the_lowest_that_is_free_to_the_most_used(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert_well_placed(dawg, place(dawg))
    # The states that most words pass through take the lowest bases that are free.
    dawg = minimal(sorted(words))
    placed = place(dawg)
    lies_at, passing = bases(dawg, placed), passed_by(dawg, words)
    used: set[int] = set()
    taken: set[int] = {0}
    for state in sorted(passing, key=lambda state: (-passing[state], -state)):
        tiles = [edge & TILE for edge in dawg.states[state]]
        fits = (at for at in range(len(placed.units)) if at not in taken and not used & {at + tile for tile in tiles})
        assert lies_at[state] == next(fits)
        taken.add(lies_at[state])
        used |= {lies_at[state] + tile for tile in tiles}


def passed_by(dawg: Dawg, words: set[bytes]) -> Counter[int]:
    passing: Counter[int] = Counter()
    for word in words:
        state = dawg.root
        for tile in word:
            passing[state] += 1
            state = next(edge >> NEXT for edge in dawg.states[state] if edge & TILE == tile)
    return passing


def test_a_graph_that_needs_more_bases_than_there_are_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # The true limit of 24 bits takes half a minute to reach.
    dawg = minimal([bytes([1] * 30)])
    monkeypatch.setattr("lexicon.dawg._BASES", 31)
    assert max(bases(dawg, place(dawg)).values()) == 30
    monkeypatch.setattr("lexicon.dawg._BASES", 30)
    with pytest.raises(TooLarge, check=with_fields(expected=re.compile("at most 30 bases"), found="one that needs 31")):
        place(dawg)
