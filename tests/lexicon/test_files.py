import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lexicon.build import atomic_write
from lexicon.errors import Unreadable, Unwritable
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.errors import with_fields

__all__ = ["open_folder"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    with (tmp_path / "x").open("rb") as reader, atomic_write(tmp_path / "x") as file:
        file.write(b"new")
        assert (tmp_path / "x").read_bytes() == b"old"
        assert len(names(tmp_path)) == 2
        assert reader.read() == b"old"
    assert (tmp_path / "x").read_bytes() == b"new"
    assert names(tmp_path) == ["x"]


def write_half_and_raise(path: Path, error: type[BaseException]) -> None:
    with atomic_write(path) as file:
        file.write(b"half")
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("there", [True, False])
def test_what_ends_the_writing_leaves_all_as_it_was(tmp_path: Path, error: type[BaseException], there: bool) -> None:
    if there:
        (tmp_path / "x").write_bytes(b"old")
    with pytest.raises(error):
        write_half_and_raise(tmp_path / "x", error)
    assert names(tmp_path) == (["x"] if there else [])
    assert not there or (tmp_path / "x").read_bytes() == b"old"


def test_what_the_writer_could_not_read_is_not_told_as_a_fault_of_the_written_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, check=with_fields(found="the words")), atomic_write(tmp_path / "x"):
        raise Unreadable(expected="to read on", found="the words")
    with pytest.raises(FileNotFoundError, match="another"), atomic_write(tmp_path / "x"):
        (tmp_path / "another").read_bytes()
    assert names(tmp_path) == []


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664), (0o027, 0o640)])
def test_the_new_file_may_be_read_by_whom_the_umask_lets(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        with atomic_write(tmp_path / "x") as file:
            file.write(b"new")
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == mode


@pytest.mark.parametrize("mode", [0o555, 0o333])
def test_a_folder_that_may_not_be_written_to_or_not_be_read_is_a_sentence(open_folder: Path, mode: int) -> None:
    folder = open_folder / "folder"
    folder.mkdir()
    (folder / "x").write_bytes(b"old")
    folder.chmod(mode)
    with bound_by_permissions(), pytest.raises(Unwritable) as refused, atomic_write(folder / "x") as file:
        file.write(b"new")
    folder.chmod(0o755)
    assert str(refused.value).startswith(f"{folder / 'x'}: expected to write the file, found permission denied. Nothing was changed")
    assert (folder / "x").read_bytes() == b"old"
    assert names(folder) == ["x"]


_FULL = """
import resource, signal, sys
from pathlib import Path
from lexicon.errors import LexiconError
from lexicon.build import atomic_write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    with atomic_write(Path(sys.argv[1])) as file:
        file.write(bytes(int(sys.argv[2])))
except LexiconError as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""


@pytest.mark.parametrize("size", [10_001, 1 << 20])
def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path: Path, size: int) -> None:
    (tmp_path / "x").write_bytes(b"old")
    child = [sys.executable, "-c", _FULL, str(tmp_path / "x"), str(size)]
    done = subprocess.run(child, capture_output=True, text=True, check=False, timeout=30)
    assert done.stderr.startswith(f"Unwritable: {tmp_path / 'x'}: expected to write the file, found file too large. Nothing was changed")
    assert (tmp_path / "x").read_bytes() == b"old"
    assert names(tmp_path) == ["x"]
