"""Words in order, each once, whatever order they come in and however few are sorted at a time."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.build import SortedWords
from lexicon.errors import Unwritable
from tests.errors import with_fields

WORDS = st.lists(st.lists(st.integers(1, 63), min_size=1, max_size=4).map(bytes), max_size=60)


@given(WORDS, st.integers(1, 70))
def test_the_order_and_the_repetitions_are_those_of_a_sorted_set(
    tmp_path_factory: pytest.TempPathFactory, words: list[bytes], run: int
) -> None:
    ordered = SortedWords(words, tmp_path_factory.getbasetemp(), run)
    assert list(ordered) == sorted(set(words))
    assert ordered.duplicates == len(words) - len(set(words))


@pytest.mark.parametrize("run", [1, 2, 3, 6, 7, 100])
def test_a_repetition_across_runs_is_counted(tmp_path: Path, run: int) -> None:
    ordered = SortedWords([b"\x02", b"\x01", b"\x02", b"\x02", b"\x03", b"\x01"], tmp_path, run)
    assert list(ordered) == [b"\x01", b"\x02", b"\x03"]
    assert ordered.duplicates == 3


def test_runs_longer_than_a_reading_are_merged_whole(tmp_path: Path) -> None:
    words = [bytes((1 + number % 63, 1 + number // 63 % 63, 1 + number // 63**2)) * 9 for number in range(30_000)]
    assert list(SortedWords(reversed(words), tmp_path, 10_000)) == sorted(words)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_waiting_runs_have_no_name_and_are_let_go_of(tmp_path: Path) -> None:
    before = open_files()
    words = iter(SortedWords([b"\x03", b"\x02", b"\x01"], tmp_path, 1))
    assert next(words) == b"\x01"
    assert list(tmp_path.iterdir()) == []
    assert open_files() > before
    del words
    gc.collect()
    assert open_files() == before


_SORT = """
import resource, sys
from pathlib import Path
from lexicon.build import SortedWords
resource.setrlimit(resource.RLIMIT_AS, (60 << 20,) * 2)
words = (number.to_bytes(4) * 50 for number in range(0x3F3F3F3F, 0x3F3F3F3F - 300_000, -1) if 0 not in number.to_bytes(4))
print(sum(1 for _ in SortedWords(words, Path(sys.argv[1]), 10_000)))
"""


def test_a_list_larger_than_the_memory_is_sorted(tmp_path: Path) -> None:
    # 70 MB of words in 60 MB of addresses, of which Python itself takes half.
    done = subprocess.run([sys.executable, "-c", _SORT, tmp_path], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert int(done.stdout) > 290_000
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unwritable, check=with_fields(expected="room for temporary files", found="no such file or directory")):
        list(SortedWords([b"\x01", b"\x02"], tmp_path / "none", 1))


def test_what_goes_wrong_with_the_words_themselves_is_passed_on(tmp_path: Path) -> None:
    def words() -> object:
        yield b"\x01"
        yield b"\x02"
        raise LookupError

    with pytest.raises(LookupError):
        list(SortedWords(words(), tmp_path, 1))  # type: ignore[arg-type] # said to yield objects, so that the raise is not unreachable
