"""A file that is no lexicon, or a damaged one, under every verb that takes one: a sentence, exit code 2, and no answer."""

from pathlib import Path

import pytest

from lexicon.errors import LexiconError
from tests.lexicon.cli.program import CLUB, lexicon_of, refusal, text_of

VERBS = [
    "verify {}",
    "words {}",
    "judge {} TILE",
    "convert {} out.txt --from tileclock --to text",
    "diff {} club.dawg",
    "diff club.dawg {}",
    "bench {}",
]


def _refused(folder: Path, verb: str, name: str) -> LexiconError:
    error = refusal(*[folder / word if word.endswith((".dawg", ".txt")) else word for word in verb.format(name).split()])
    assert not (folder / "out.txt").exists()
    return error


@pytest.mark.parametrize("verb", [*VERBS, "info {}"])
def test_what_is_no_lexicon_is_refused(tmp_path: Path, club: Path, verb: str) -> None:
    text_of(tmp_path, *CLUB, name="text.dawg")
    (tmp_path / "zeros.dawg").write_bytes(bytes(5000))
    (tmp_path / "empty.dawg").write_bytes(b"")
    (tmp_path / "cut.dawg").write_bytes(club.read_bytes()[:-4])
    (tmp_path / "folder.dawg").mkdir()
    for name in ("text", "zeros", "empty", "cut", "folder", "missing"):
        assert _refused(tmp_path, verb, f"{name}.dawg").where == str(tmp_path / f"{name}.dawg")


@pytest.mark.parametrize("verb", VERBS)
def test_a_flipped_bit_is_no_verdict_and_no_words(tmp_path: Path, club: Path, verb: str) -> None:
    data = bytearray(club.read_bytes())
    data[-1] ^= 1
    (tmp_path / "flipped.dawg").write_bytes(data)
    assert "SHA-256 of the units" in _refused(tmp_path, verb, "flipped.dawg").expected


def test_every_byte_changed_is_refused_by_verify(tmp_path: Path) -> None:
    data = lexicon_of(tmp_path / "small.dawg", "ZA").read_bytes()
    for at in range(0, len(data), 3):
        changed = bytearray(data)
        changed[at] ^= 0x10
        (tmp_path / "changed.dawg").write_bytes(changed)
        refusal("verify", tmp_path / "changed.dawg")
