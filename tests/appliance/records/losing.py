"""What can become of a file of record while its program runs."""

import shutil
from pathlib import Path

LETTER = b"a letter"


def deleted(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def only_the_file(path: Path) -> None:
    path.unlink()


def only_the_wal(path: Path) -> None:
    path.with_name(path.name + "-wal").unlink()


def moved_away(path: Path) -> None:
    path.rename(path.with_name("moved.db"))


def another_program(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(LETTER)
    other.replace(path)
    # Its program, which runs, holds it.
    path.with_name(path.name + "-lock").touch()


def a_copy(path: Path) -> None:
    other = path.with_name("copy.db")
    shutil.copy(path, other)
    other.replace(path)


def folder_gone(path: Path) -> None:
    shutil.rmtree(path.parent)
