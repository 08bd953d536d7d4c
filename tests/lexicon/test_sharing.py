import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from pickle import PickleBuffer
from types import SimpleNamespace

import pytest

from lexicon import Lexicon, LexiconError, reader
from lexicon.errors import Damaged
from lexicon.header import Header
from tests.errors import with_fields
from tests.lexicon.crafting import resealed
from tests.lexicon.making import built, coded, example

WORDS = [f"{first}{middle}{last}" for first in "ABCDEFGH" for middle in "EIOU" for last in "LMNRST"]
OTHERS = [word[::-1] for word in WORDS]


def right(lexicon: Lexicon) -> bool:
    return all(word in lexicon for word in WORDS) and not any(word in lexicon for word in OTHERS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    built(tmp_path / "x.dawg", coded(WORDS))
    return tmp_path / "x.dawg"


def test_after_another_file_took_its_place_the_open_one_goes_on(path: Path) -> None:
    whole = path.read_bytes()
    with Lexicon.open(path) as lexicon:
        built(path, coded(OTHERS))
        assert lexicon.sha256() == sha256(whole).hexdigest()
        assert right(lexicon)
        assert lexicon.accepts(["BEL", "HUT"])
        lexicon.verify()
        with Lexicon.open(path) as other:
            assert list(other) == sorted(OTHERS)


def test_a_copy_can_be_closed_while_another_thread_hashes_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = Lexicon.open(path, copied=True)

    def begun(header: bytes) -> SimpleNamespace:
        digest = sha256(header)

        def update(units: memoryview) -> None:
            # So a running hash holds what it reads.
            with memoryview(PickleBuffer(units)) as held:
                lexicon.close()
                digest.update(held)

        return SimpleNamespace(update=update, hexdigest=digest.hexdigest)

    monkeypatch.setattr("hashlib.sha256", begun)
    assert lexicon.sha256() == sha256(path.read_bytes()).hexdigest()


def later(path: Path) -> None:
    """Make the file's time of change another, whatever the clock's steps are."""
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1_000_000_000))


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


def test_a_change_in_place_is_told_and_a_touch_is_not(path: Path) -> None:
    with Lexicon.open(path) as lexicon:
        later(path)
        lexicon.check()
        with path.open("r+b") as file:
            file.write(path.read_bytes())
        later(path)
        assert lexicon.accepts(["BEL"])
        lexicon.verify()
    # A change is reported even if its time was reset.
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


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def zeroed(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))


def swapped(path: Path) -> None:
    built(path, coded(OTHERS))


@pytest.mark.parametrize("spoil", [cut, emptied, zeroed, swapped, Path.unlink])
def test_whatever_becomes_of_the_file_a_copy_answers_as_it_did(path: Path, spoil: Callable[[Path], None]) -> None:
    whole = path.read_bytes()
    with Lexicon.open(path, copied=True) as lexicon:
        spoil(path)
        assert right(lexicon)
        assert lexicon.accepts(WORDS)
        lexicon.check()
        lexicon.verify()
        assert list(lexicon) == sorted(WORDS)
        assert lexicon.header.data + lexicon.payload() == whole
        assert lexicon.sha256() == sha256(whole).hexdigest()
        assert lexicon.path == str(path)


def bad_files(whole: bytes) -> Iterator[bytes]:
    yield from (b"", bytes(5000), b"AARDVARK\n", whole[:10], whole[:400], whole[:-4], whole + b"\0", whole * 2)
    yield whole[:100] + bytes(1) + whole[101:]
    yield resealed(whole[:448][:0x19D] + b"\xff" + whole[:448][0x19E:]) + whole[448:]
    yield whole[:-1] + b"\1"


def test_a_copy_is_refused_with_the_very_sentence_with_which_the_file_is(tmp_path: Path) -> None:
    path = example(tmp_path / "x.dawg")

    def refused(*, copied: bool) -> tuple[type[LexiconError], str]:
        with pytest.raises(LexiconError) as refusal, Lexicon.open(path, copied=copied) as lexicon:
            lexicon.verify()
        return refusal.type, str(refusal.value)

    for content in bad_files(path.read_bytes()):
        path.write_bytes(content)
        assert refused(copied=True) == refused(copied=False)
    path.unlink()
    assert refused(copied=True) == refused(copied=False)
    path.mkdir()
    assert refused(copied=True) == refused(copied=False)


def test_a_file_cut_while_it_is_copied_is_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = path.stat().st_size

    def cut_after(data: bytes) -> Header:
        cut(path)
        return Header(data)

    monkeypatch.setattr(reader, "Header", cut_after)
    with pytest.raises(
        Damaged, check=with_fields(where=str(path), expected=f"{size} bytes", found=f"{size // 2}: the file was cut while it was read")
    ):
        Lexicon.open(path, copied=True)


def test_whoever_opens_the_plain_file_loads_nothing_of_what_copies_and_hashes(path: Path) -> None:
    script = (
        "import sys; from lexicon import Lexicon; 'BEL' in Lexicon.open(sys.argv[1]); "
        "print(sorted({'contextlib', 'fcntl', 'hashlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script, path], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == "[]\n"
