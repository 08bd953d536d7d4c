"""``tilelexicon bench`` and the measuring behind it: the figures belong to the file, and the questions asked are fair."""

from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from pathlib import Path

from lexicon import Lexicon
from lexicon.cli.bench import anonymous, changed, measure
from lexicon.practice import PRACTICE
from tests.lexicon.cli.program import CLUB, PAIR, invoke, lexicon_of


def test_the_figures_are_those_of_the_file(club: Path) -> None:
    found = measure(club)
    assert (found.words, found.size, found.hits, found.misses) == (8, club.stat().st_size, 8, 8)
    assert min(found.open_ns, found.first_ns, found.verify_ns, found.hit_ns, found.miss_ns) > 0


def test_the_words_that_are_looked_up_are_spread_over_a_large_list() -> None:
    found = measure(PRACTICE)
    assert 5000 < found.hits <= 10_000
    assert found.misses == found.hits


def test_misses_are_words_with_one_tile_changed_that_are_in_no_list(club: Path) -> None:
    with Lexicon.open(club) as lexicon:
        misses = changed(lexicon, CLUB)
    assert not set(misses) & set(CLUB)
    for word, miss in zip(CLUB, misses, strict=True):
        assert [one == other for one, other in zip(word, miss, strict=True)].count(False) == 1


def test_where_every_change_is_a_word_there_are_no_misses(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    path = lexicon_of(tmp_path / "pair.dawg", "A", "B", "[AB]", alphabet=str(tmp_path / "pair.toml"))
    assert measure(path).misses == 0
    assert "every change is a word" in invoke("bench", path).stdout


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
