"""What the fuzzer asks, on inputs that hypothesis draws: bytes changed, headers sealed again, units crafted with counts that fit."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.lexicon.crafting import taken_apart, true_words
from tests.lexicon.fuzz.mutating import asked, mutated, recrafted
from tests.lexicon.making import example

CASES = 400

BYTES = st.lists(st.tuples(st.integers(0, 487), st.integers(0, 255)), max_size=6)
EDGES = st.builds(
    lambda to, low: to << 8 | low, st.integers(0, 12) | st.integers(0, (1 << 24) - 1), st.integers(0, 0x45) | st.integers(0, 255)
)
UNITS = st.lists(st.tuples(st.integers(0, 9), st.just(0) | EDGES), max_size=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def whole(folder: Path) -> bytes:
    return example(folder / "example.dawg").read_bytes()


@settings(max_examples=examples(CASES))
@given(BYTES, st.integers(0, 1000), st.booleans())
def test_changed_bytes_are_refused_or_answered(folder: Path, whole: bytes, changes: list[tuple[int, int]], cut: int, seal: bool) -> None:
    data = mutated(whole, changes, cut, seal=seal)
    (folder / "x.dawg").write_bytes(data)
    found_whole = asked(folder / "x.dawg")
    # Without a new seal, only what was not changed at all is whole.
    assert seal or found_whole == (data == whole)


@settings(max_examples=examples(CASES))
@given(UNITS, st.none() | st.integers(0, 12), st.booleans())
def test_crafted_units_are_whole_just_where_a_plain_reading_finds_them_so(
    folder: Path,
    whole: bytes,
    changes: list[tuple[int, int]],
    root: int | None,
    count: bool,
) -> None:
    data = recrafted(whole, changes, root, count=count).sealed()
    (folder / "y.dawg").write_bytes(data)
    assert asked(folder / "y.dawg") == (true_words(taken_apart(data)) is not None)


@settings(max_examples=examples(CASES))
@given(st.binary(max_size=600))
def test_anything_else_is_refused(folder: Path, content: bytes) -> None:
    (folder / "z.dawg").write_bytes(content)
    assert not asked(folder / "z.dawg")
