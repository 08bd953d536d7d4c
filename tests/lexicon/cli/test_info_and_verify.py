"""``tilelexicon info`` and ``verify``: which list it is, and whether it is whole."""

import hashlib
import json
import re
import subprocess
from pathlib import Path
from zlib import crc32

import pytest

from lexicon import Lexicon
from lexicon.practice import PRACTICE
from tests.lexicon.cli.program import CLUB, invoke, lexicon_of, refusal, run

LISTED = hashlib.sha256("".join(f"{word}\n" for word in CLUB).encode()).hexdigest()


def _sha256sum(path: Path) -> str:
    return subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout.split()[0]


def _figures(path: Path) -> dict[str, str]:
    lines = invoke("info", path).stdout.splitlines()[:-1]
    return {what.strip(): figure.strip() for what, figure in (line.split("  ", 1) for line in lines)}


def test_info_says_what_the_header_says_and_that_this_proves_nothing(club: Path) -> None:
    found = _figures(club)
    with Lexicon.open(club) as lexicon:
        header = lexicon.header
    assert [found[key] for key in ("name", "edition", "alphabet", "words", "longest word")] == [
        "Club list",
        "2026-01",
        "english",
        "8",
        "6 tiles",
    ]
    assert (found["states"], found["edges"]) == (str(header.states), str(header.edges))
    assert found["size"] == f"{club.stat().st_size:,} bytes"
    assert found["SHA-256 of the list"] == LISTED
    assert found["short hash"] == LISTED[:8]
    assert found["SHA-256 of the units"] == hashlib.sha256(club.read_bytes()[header.size :]).hexdigest()
    assert found["SHA-256 of the file"] == _sha256sum(club)
    assert "this proves nothing" in invoke("info", club).stdout.splitlines()[-1]


def test_info_gives_the_same_as_json(club: Path) -> None:
    found = json.loads(invoke("info", "--json", club).stdout)
    assert found == {
        "name": "Club list",
        "edition": "2026-01",
        "alphabet": "english",
        "words": 8,
        "states": int(_figures(club)["states"]),
        "edges": int(_figures(club)["edges"]),
        "longest": 6,
        "size": club.stat().st_size,
        "short_hash": LISTED[:8],
        "words_sha256": LISTED,
        "units_sha256": _figures(club)["SHA-256 of the units"],
        "file_sha256": _sha256sum(club),
        "verified": False,
    }


def test_the_practice_list_is_whole_and_says_practice() -> None:
    assert "PRACTICE" in _figures(PRACTICE)["name"]
    assert invoke("verify", PRACTICE).stdout.startswith("whole: PRACTICE")


def test_verify_says_which_list_is_whole_and_its_hashes(club: Path) -> None:
    done = run("verify", club)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        f"whole: Club list, 2026-01, english, 8 words, {LISTED[:8]}",
        f"SHA-256 of the list  {LISTED}",
        f"SHA-256 of the file  {_sha256sum(club)}",
    ]


def test_a_list_without_an_edition_and_of_one_word_is_titled_so(tmp_path: Path) -> None:
    done = invoke("verify", lexicon_of(tmp_path / "one.dawg", "ZA", edition=""))
    assert done.stdout.startswith("whole: Club list, english, 1 word, ")


def test_expected_hashes_of_the_file_and_the_list_agree_from_eight_digits_on(club: Path) -> None:
    file = _sha256sum(club)
    for given in ([file], [LISTED], [file[:8]], [LISTED[:8].upper()], [LISTED[:9], file[:63]]):
        options = [option for each in given for option in ("--expect", each)]
        assert invoke("verify", club, *options).exit_code == 0


def test_a_hash_may_be_given_in_groups_or_as_sha256sum_prints_it(club: Path) -> None:
    file = _sha256sum(club)
    for given in (f"{file[:4]} {file[4:8]}", f"{file.upper()}  club.dawg", f" {LISTED[:8]}\n"):
        done = invoke("verify", club, "--expect", given)
        assert done.exit_code == 0
        assert done.stdout.count("  as expected") == 1


def test_another_hash_than_expected_is_told_with_exit_code_1(club: Path) -> None:
    file = _sha256sum(club)
    other = ("0" if file[0] != "0" else "1") + file[1:]
    for given in ([other], [other[:8]], [file, other], ["0" * 64]):
        done = invoke("verify", club, *[option for each in given for option in ("--expect", each)])
        assert done.exit_code == 1
        assert f"expected {given[-1]}, found" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert done.stdout.startswith("whole, but NOT as expected: ")


@pytest.mark.parametrize("given", ["", "1234567", "0" * 65, "xyzxyzxyz", "1234 567", "٣" * 8])
def test_what_is_no_hash_is_refused(club: Path, given: str) -> None:
    refusal("verify", club, "--expect", given, expected=re.compile("8 to 64 hex digits"))


def test_a_name_from_a_file_moves_no_cursor(tmp_path: Path, club: Path) -> None:
    data = bytearray(club.read_bytes())
    at = data.index(b"Club list")
    data[at : at + 4] = b"\x1b[2J"
    end = int.from_bytes(data[12:16], "little")
    data[end - 4 : end] = crc32(data[: end - 4]).to_bytes(4, "little")
    (tmp_path / "forged.dawg").write_bytes(data)
    for verb in ("info", "verify"):
        assert "\x1b" not in invoke(verb, tmp_path / "forged.dawg").output
