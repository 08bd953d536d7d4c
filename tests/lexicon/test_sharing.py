"""An open lexicon among threads, processes and people who change its file: answers go on, or a sentence says why not."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from lexicon import Lexicon
from lexicon.errors import Closed, Damaged, Replaced, Unreadable
from tests.errors import with_fields
from tests.lexicon.making import ENGLISH, built, coded, example
from tests.lexicon.shared_list import OTHERS, WORDS, right


@pytest.fixture
def path(tmp_path: Path) -> Path:
    built(tmp_path / "x.dawg", coded(WORDS))
    return tmp_path / "x.dawg"


def test_after_another_file_took_its_place_the_open_one_goes_on(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        built(path, coded(OTHERS))
        assert lexicon.replaced
        assert right(lexicon)
        assert lexicon.accepts(["BEL", "HUT"])
        lexicon.verify()
        with Lexicon.open(path) as other:
            assert not other.replaced
            assert list(other) == sorted(OTHERS)


def test_after_its_file_was_removed_the_open_one_goes_on(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        path.unlink()
        assert lexicon.replaced
        assert lexicon.accepts(["BEL"])
        lexicon.verify()
        shutil.rmtree(path.parent)
        assert lexicon.replaced
        assert right(lexicon)


def test_a_file_moved_elsewhere_and_back_is_the_same(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        path.rename(path.with_name("away.dawg"))
        away = lexicon.replaced
        path.with_name("away.dawg").rename(path)
        assert (away, lexicon.replaced) == (True, False)
        assert lexicon.accepts(["BEL"])


def later(path: Path) -> None:
    """Make the file's time of change another, whatever the clock's steps are."""
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1_000_000_000))


def test_a_file_changed_in_place_gives_no_verdict(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        with path.open("r+b") as file:
            file.seek(lexicon.header.size + 4 * lexicon.header.root + 4)
            file.write(bytes(400))
        later(path)
        for ask in (lexicon.check, lambda: lexicon.accepts(["BEL"]), lexicon.verify):
            with pytest.raises(
                Damaged, check=with_fields(where=str(path), expected="the file as it was opened", found="it changed in place")
            ):
                ask()


def test_a_file_cut_in_place_gives_no_verdict_and_kills_nobody(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        size = path.stat().st_size
        for length in (size - 4, lexicon.header.size, 10, 0):
            os.truncate(path, length)
            for ask in (lexicon.check, lambda: lexicon.accepts(["BEL"]), lexicon.verify):
                with pytest.raises(
                    Damaged, check=with_fields(expected=f"{size} bytes", found=f"{length}: the file was cut while it was open")
                ):
                    ask()


def test_a_file_written_anew_in_place_with_other_words_gives_no_verdict(path: Path, tmp_path: Path) -> None:
    built(tmp_path / "y.dawg", coded([*OTHERS, *WORDS]))
    with Lexicon.open(path) as lexicon:
        path.write_bytes((tmp_path / "y.dawg").read_bytes())
        later(path)
        with pytest.raises(Damaged, check=with_fields(found=re.compile("it changed"))):
            lexicon.accepts(["BEL"])


def test_a_file_that_was_only_touched_or_written_as_it_was_goes_on(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        later(path)
        lexicon.check()
        with path.open("r+b") as file:
            file.write(path.read_bytes())
        later(path)
        assert lexicon.accepts(["BEL"])
        lexicon.verify()


def test_a_change_is_told_even_if_the_time_of_it_was_put_back(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        before = path.stat()
        with path.open("r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"\x01")
        # Until the file system's clock, whose steps are milliseconds, has gone on since the file was made.
        while path.stat().st_ctime_ns == before.st_ctime_ns or path.stat().st_mtime_ns != before.st_mtime_ns:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        with pytest.raises(Damaged, check=with_fields(found=re.compile("changed in place"))):
            lexicon.check()


def test_a_walk_ends_when_its_lexicon_is_closed(path: Path) -> None:
    lexicon = Lexicon.open(path)
    # All states but those of the first letters have been passed through after the first 40 words: the walk needs the file no more for them.
    begun = [iter(lexicon) for _ in range(3)]
    for words, many in zip(begun, (0, 1, 40), strict=True):
        assert len(list(islice(words, many))) == many
    lexicon.close()
    for words in (*begun, iter(lexicon)):
        with pytest.raises(Closed):
            next(words)


def test_a_path_through_a_linked_folder_is_the_file_that_the_kernel_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "ln").symlink_to(tmp_path / "far" / "away")
    built(tmp_path / "x.dawg", coded(OTHERS))
    built(tmp_path / "far" / "x.dawg", coded(WORDS))
    monkeypatch.chdir(tmp_path)
    for given in ("ln/../x.dawg", b"ln/../x.dawg"):
        with Lexicon.open(given) as lexicon:
            assert right(lexicon)


def test_eight_threads_look_up_in_one_lexicon(path: Path) -> None:
    with Lexicon.open(path) as lexicon, ThreadPoolExecutor(8) as threads:
        assert all(threads.map(lambda _: right(lexicon) and list(lexicon) == sorted(WORDS), range(40)))


def test_closing_while_threads_look_up_is_told_to_each_of_them(path: Path) -> None:
    for _ in range(20):
        lexicon = Lexicon.open(path)
        begun = threading.Barrier(9)

        def look_up(way: int, lexicon: Lexicon = lexicon, begun: threading.Barrier = begun) -> None:
            begun.wait()
            while True:
                assert (right(lexicon), list(lexicon) == sorted(WORDS), lexicon.accepts(WORDS), lexicon.payload() != b"")[way % 4]

        with ThreadPoolExecutor(8) as threads:
            asking = [threads.submit(look_up, way) for way in range(8)]
            begun.wait()
            lexicon.close()
            for each in asking:
                with pytest.raises(Closed):
                    each.result(timeout=30)
        assert lexicon.closed


def test_a_child_process_uses_the_lexicon_it_inherits(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if right(lexicon) else 1
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert right(lexicon)


_PICKLED = "import pickle, sys; lexicon = pickle.load(sys.stdin.buffer); print(len(lexicon), 'BEL' in lexicon, 'LEB' in lexicon)"


def test_a_pickled_lexicon_is_opened_again_in_a_fresh_process(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        done = subprocess.run([sys.executable, "-c", _PICKLED], input=pickle.dumps(lexicon), capture_output=True, check=True, timeout=30)
    assert done.stdout == f"{len(WORDS)} True False\n".encode()


def test_spawned_workers_are_handed_a_lexicon(path: Path) -> None:
    with Lexicon.open(path) as lexicon, ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as workers:
        assert list(workers.map(lexicon.holds, coded(["BEL", "LEB"]), timeout=60)) == [True, False]


def test_a_pickled_lexicon_whose_file_is_another_list_now_is_refused(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        pickled = pickle.dumps(lexicon)
        hash_before = lexicon.header.short_hash
    built(path, coded(OTHERS))
    with pytest.raises(
        Replaced, check=with_fields(where=str(path), expected=f"the list {hash_before}", found=re.compile("[0-9a-f]{8} in its place"))
    ):
        pickle.loads(pickled)  # noqa: S301 - just pickled
    path.unlink()
    with pytest.raises(Unreadable):
        pickle.loads(pickled)  # noqa: S301 - just pickled


def test_a_pickled_lexicon_whose_file_was_built_again_of_the_same_words_is_the_same(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        pickled = pickle.dumps(lexicon)
    built(path, coded(reversed(WORDS)), ENGLISH, name="ANOTHER NAME")
    with pickle.loads(pickled) as again:  # noqa: S301 - just pickled
        assert right(again)


def test_opening_by_a_relative_path_survives_a_change_of_folder(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Lexicon.open("x.dawg") as lexicon:
        monkeypatch.chdir("/")
        assert not lexicon.replaced
        assert lexicon.accepts(["BEL"])
        with pickle.loads(pickle.dumps(lexicon)) as again:  # noqa: S301 - just pickled
            assert "BEL" in again


def test_the_same_file_can_be_open_many_times(tmp_path: Path) -> None:
    path = example(tmp_path / "x.dawg")
    many = [Lexicon.open(path) for _ in range(200)]
    assert all("CHAT" in each for each in many)
    for each in many:
        each.close()
