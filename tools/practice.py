"""Rebuilds ``practice.dawg`` from Debian's SCOWL package: ``python -m tools.practice``.

It fetches the package (or takes a given one), checks it against its pinned SHA-256, unpacks it, reads it with ``scowl`` and builds the file. The words have a
pinned SHA-256 too: a folder has no version to check, and the file's edition must be correct.
"""

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import click

from faults.endings import fail
from faults.errors import reason
from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build
from lexicon.errors import LexiconError
from lexicon.practice import PRACTICE
from tools.scowl import practice_words

NAME = "PRACTICE (SCOWL 70)"
EDITION = "2020-12-07"

VERSION = "2020.12.07-2"
PACKAGE_SHA256 = "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718"
WORDS_SHA256 = "15eaff8e12a99b24dc85b6ab032d39084f0e42522dc9e9004c40320112dde0ce"
"""SHA-256 of the practice words in ASCII, each followed by a line feed."""

_WORD_FILES = Path("usr/share/dict/scowl")  # within the package


class NoScowl(LexiconError):
    """SCOWL is unavailable, or not the practice lexicon's version."""


@click.command()
@click.option(
    "--scowl",
    type=click.Path(exists=True, path_type=Path),
    help="SCOWL's Debian package, or its unpacked folder. Default: fetched by apt-get.",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=PRACTICE, help="The file to make. Default: the bundled one."
)
def main(scowl: Path | None, output: Path) -> None:
    """Make the practice lexicon from SCOWL."""
    try:
        words = _checked(_words(scowl))
        english = load_alphabet("english")
        report = build(map(english.spelling.codes, words), output, Label(english, NAME, EDITION))
    except LexiconError as error:
        fail("practice", error)
    click.echo(f"{output}: {NAME}, {EDITION}, {report.words:,} words, SHA-256 {report.sha256}")


def _words(scowl: Path | None) -> list[str]:
    """Return the words of the folder or package ``scowl``, by default of Debian's package."""
    if scowl is not None and scowl.is_dir():
        within = scowl / _WORD_FILES
        return practice_words(within if within.is_dir() else scowl)
    try:
        with tempfile.TemporaryDirectory(prefix="scowl-") as folder:
            scratch = Path(folder)
            unpacked = _unpacked(scowl or _fetched(scratch), scratch / "unpacked")
            return practice_words(unpacked / _WORD_FILES)
    except OSError as error:
        raise NoScowl(
            expected="to unpack SCOWL in a temporary folder",
            found=reason(error),
            remedy="Make room there, or give the unpacked folder with --scowl",
        ) from error


def _fetched(folder: Path) -> Path:
    """Fetch the package of the pinned version into ``folder``."""
    _run("apt-get", "download", f"scowl={VERSION}", within=folder)
    return folder / f"scowl_{VERSION}_all.deb"


def _unpacked(package: Path, to: Path) -> Path:
    """Unpack the package into ``to``; reject any but the pinned package."""
    try:
        found = hashlib.sha256(package.read_bytes()).hexdigest()
    except OSError as error:
        raise NoScowl(
            where=package, expected=f"the Debian package scowl {VERSION}", found=reason(error), remedy="Give a readable file"
        ) from error
    if found != PACKAGE_SHA256:
        raise NoScowl(
            where=package,
            expected=f"scowl {VERSION} with SHA-256 {PACKAGE_SHA256}",
            found=found,
            remedy="Fetch that version of the Debian package again",
        )
    _run("dpkg-deb", "-x", str(package.resolve()), str(to), within=to.parent)
    return to


def _checked(words: list[str]) -> list[str]:
    found = hashlib.sha256("".join(f"{word}\n" for word in words).encode("ascii")).hexdigest()
    if found != WORDS_SHA256:
        raise NoScowl(
            expected=f"the words of SCOWL {VERSION} with SHA-256 {WORDS_SHA256}",
            found=f"{len(words):,} words with {found}",
            remedy="Give that version with --scowl",
        )
    return words


def _run(name: str, *arguments: str, within: Path) -> None:
    """Run a Debian program in the folder ``within``."""
    advice = f"Get the Debian package scowl {VERSION} another way, unpack it, and give the folder with --scowl."
    program = shutil.which(name)
    if program is None:
        raise NoScowl(expected=f"Debian's program {name}", found="not on this machine", remedy=advice)
    ended = subprocess.run([program, *arguments], cwd=within, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603 - no shell, and the names are ours or a path
    if ended.returncode != 0:
        found = " ".join(ended.stderr.split()) or f"exit code {ended.returncode}"
        raise NoScowl(expected=f"{name} to succeed", found=found, remedy=advice)


if __name__ == "__main__":
    main()
