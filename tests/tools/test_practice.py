"""What the script that makes the practice lexicon refuses; nothing here reaches a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tools.practice import main
from tools.scowl import SIZES, SPELLINGS


def make(tmp_path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["-o", str(tmp_path / "out.dawg"), *arguments])


def refused(result: Result, tmp_path: Path) -> str:
    """The one sentence of a refusal that left nothing behind."""
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert list(tmp_path.glob("out.dawg*")) == []
    return result.stderr


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one empty folder."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    (folder / name).chmod(0o755)


def test_without_apt_get_the_sentence_says_what_to_give_instead(tmp_path: Path, path: Path) -> None:
    said = refused(make(tmp_path), tmp_path)
    assert "expected Debian's program apt-get" in said
    assert "--scowl" in said


def test_what_apt_get_says_of_its_failure_is_passed_on(tmp_path: Path, path: Path) -> None:
    program(path, "apt-get", "echo 'E: no such version' >&2; exit 100")
    assert "found E: no such version" in refused(make(tmp_path), tmp_path)


def test_a_fetched_package_is_asked_for_by_its_version_and_checked_before_it_is_unpacked(tmp_path: Path, path: Path) -> None:
    asked, unpacked = tmp_path / "asked", tmp_path / "unpacked"
    program(path, "apt-get", f'echo "$*" > {asked}; echo tampered > scowl_2020.12.07-2_all.deb')
    program(path, "dpkg-deb", f"echo > {unpacked}")
    said = refused(make(tmp_path), tmp_path)
    assert asked.read_text(encoding="ascii") == "download scowl=2020.12.07-2\n"
    assert "with SHA-256 de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718, found" in said
    assert not unpacked.exists()


def test_a_given_package_of_another_hash_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "scowl_2018.deb"
    package.write_bytes(b"!<arch>\n")
    assert f"{package}: expected scowl 2020.12.07-2 with SHA-256" in refused(make(tmp_path, "--scowl", str(package)), tmp_path)


def test_without_dpkg_deb_the_right_package_is_refused_in_a_sentence(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "scowl.deb"
    package.write_bytes(b"")
    monkeypatch.setattr("tools.practice.PACKAGE_SHA256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")  # of nothing
    assert "expected Debian's program dpkg-deb" in refused(make(tmp_path, "--scowl", str(package)), tmp_path)


def test_a_folder_that_is_not_of_scowl_is_refused(tmp_path: Path) -> None:
    assert "english-words.10: expected a word file of SCOWL" in refused(make(tmp_path, "--scowl", str(tmp_path)), tmp_path)


def test_a_folder_of_another_version_of_scowl_is_refused_by_its_words(tmp_path: Path) -> None:
    folder = tmp_path / "unpacked" / "usr" / "share" / "dict" / "scowl"
    folder.mkdir(parents=True)
    for spelling in SPELLINGS:
        for size in SIZES:
            (folder / f"{spelling}-words.{size}").write_text("tile\n", encoding="ascii")
    assert "found 1 words with" in refused(make(tmp_path, "--scowl", str(tmp_path / "unpacked")), tmp_path)


def test_a_package_that_is_not_there_is_bad_use(tmp_path: Path) -> None:
    assert "nowhere.deb" in refused(make(tmp_path, "--scowl", str(tmp_path / "nowhere.deb")), tmp_path)
