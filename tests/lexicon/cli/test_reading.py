"""The verbs of ``tilelexicon`` that read a lexicon: words, judge, info, verify, bench; and files that are none."""

import hashlib
import json
import re
import subprocess
import unicodedata
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from pathlib import Path
from string import ascii_uppercase
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon import Lexicon
from lexicon.cli.bench import anonymous, changed, measure
from lexicon.errors import LexiconError
from lexicon.practice import PRACTICE
from tests.cells import each_cell
from tests.lexicon.cli.program import CLUB, PAIR, invoke, lexicon_of, made_up, refusal, run, text_of


@pytest.fixture(scope="module")
def anywhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lexicon_of(tmp_path_factory.mktemp("lexicon") / "club.dawg", *CLUB)


def test_words_are_those_of_the_list_in_order(tmp_path: Path) -> None:
    words = made_up(5000, "spanish")
    done = run("words", lexicon_of(tmp_path / "large.dawg", *words, alphabet="spanish"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == words


def test_a_prefix_is_of_whole_tiles(tmp_path: Path, club: Path) -> None:
    assert invoke("words", club, "--prefix", "tile").stdout.split() == ["TILE", "TILED", "TILES"]
    assert invoke("words", club, "--prefix", "x").stdout == ""
    spanish = lexicon_of(tmp_path / "es.dawg", "CHA", "CASA", alphabet="spanish")
    assert invoke("words", spanish, "--prefix", "C").stdout == "CASA\n"
    assert invoke("words", spanish, "--prefix", "CH").stdout == "CHA\n"
    refusal("words", club, "--prefix", "7", found=re.compile("'7'"))


def _judged(path: Path, *play: str) -> tuple[int, str]:
    done = invoke("judge", path, *play)
    assert done.stderr == ""
    return done.exit_code, done.stdout


def test_a_play_is_acceptable_when_all_its_words_are(club: Path) -> None:
    for play in (["TILE"], ["tile", "Za"], list(CLUB), ["ZA"] * 8):
        assert _judged(club, *play) == (0, "ACCEPTABLE\n")


def test_one_word_that_is_none_makes_the_play_unacceptable_and_nothing_tells_which(club: Path) -> None:
    for cell in each_cell(["TILER", "T", "TI", "QQ", "[T]ILER", "Z" * 15]):
        with cell as wrong:
            plays = ([wrong], [wrong, "TILE", "ZA"], ["TILE", wrong, "ZA"], ["TILE", "ZA", wrong], [wrong] * 8)
            assert {_judged(club, "--", *play) for play in plays} == {(1, "UNACCEPTABLE\n")}


def test_every_word_and_every_one_letter_change_is_judged_as_a_set_would(club: Path) -> None:
    letters = [chr(letter) for letter in range(ord("A"), ord("Z") + 1)]
    words = ["TILE", "ZA", "CLOCK"]
    changed = {word[:at] + letter + word[at + 1 :] for word in words for at in range(len(word)) for letter in letters}
    for word in sorted(changed):
        assert _judged(club, word)[0] == (0 if word in CLUB else 1)


NO_WORDS = [
    "T1LE",
    "CAFÉ",
    "TILE ",
    " ",
    "TI LE",
    "TI\tLE",
    "TILE\n",
    "TI\x00LE",
    "\x1b[2J",
    "-za",
    "--",
    "\ud800",
    "[TILE]",
    "Z" * 16,
    "Z" * 100_000,
]


def test_what_is_no_word_is_refused_in_a_sentence_whatever_stands_beside_it_and_never_judged(club: Path) -> None:
    for cell in each_cell(NO_WORDS, lambda text: repr(text[:20])):
        with cell as wrong:
            plays = ([wrong], [wrong, "TILE", "QQ"], ["TILE", wrong], ["QQ", wrong])
            said = {str(refusal("judge", club, "--", *play)) for play in plays}
            assert len(said) == 1, "the sentence would tell of the other words"
            assert "UNACCEPTABLE" not in said.pop()


def test_the_sentence_names_what_is_on_no_tile_or_how_long_it_is(club: Path) -> None:
    refusal("judge", club, "TI LE", found="'TI LE', where ' ' is on no tile")
    expected = "a word of at most 15 tiles, as the board has in a row"
    refusal("judge", club, "Z" * 16, expected=expected, found=re.compile("^16: "))
    refusal("judge", club, "Z" * 100_000, expected=expected, found="100,000 characters")


@given(st.text(st.characters(exclude_characters="[]"), min_size=1, max_size=6) | st.sampled_from(CLUB).map(str.lower))
def test_any_text_is_judged_as_a_set_would_or_is_no_word(anywhere: Path, text: str) -> None:
    capitals = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).upper())
    if set(capitals) <= set(ascii_uppercase) and not set(text) & set("ıſﬀﬁﬂﬃﬄﬅﬆ"):
        assert _judged(anywhere, "--", text)[0] == (0 if capitals in CLUB else 1)
    else:
        assert invoke("judge", anywhere, "--", text).exit_code == 2


@given(st.text(max_size=6))
def test_any_text_is_a_prefix_or_refused(anywhere: Path, text: str) -> None:
    assert invoke("words", anywhere, f"--prefix={text}").exit_code in (0, 2)


def test_a_play_has_one_to_eight_words(club: Path) -> None:
    refusal("judge", club, *["TILE"] * 9, expected=re.compile("at most 8 words"))
    refusal("judge", club, "TILE", "", found="an empty one")
    assert invoke("judge", club).exit_code == 2


def test_a_text_that_can_be_laid_in_two_ways_is_refused_and_says_nothing_of_the_list(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    path = lexicon_of(tmp_path / "pair.dawg", "[AB]", "A", alphabet=str(tmp_path / "pair.toml"))
    said = {
        str(refusal("judge", path, *play, found="[AB] or [A]B")) for play in (["AB"], ["A", "AB"], ["AB", "A"], ["B", "AB"], ["AB", "B"])
    }
    assert len(said) == 1
    assert _judged(path, "[AB]", "A") == (0, "ACCEPTABLE\n")
    assert _judged(path, "[A][B]") == (1, "UNACCEPTABLE\n")


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
    for hashes in ([file], [LISTED], [file[:8]], [LISTED[:8].upper()], [LISTED[:9], file[:63]]):
        options = [option for each in hashes for option in ("--expect", each)]
        assert invoke("verify", club, *options).exit_code == 0


def test_a_hash_may_be_given_in_groups_or_as_sha256sum_prints_it(club: Path) -> None:
    file = _sha256sum(club)
    for hashes in (f"{file[:4]} {file[4:8]}", f"{file.upper()}  club.dawg", f" {LISTED[:8]}\n"):
        done = invoke("verify", club, "--expect", hashes)
        assert done.exit_code == 0
        assert done.stdout.count("  as expected") == 1


def test_another_hash_than_expected_is_told_with_exit_code_1(club: Path) -> None:
    file = _sha256sum(club)
    other = ("0" if file[0] != "0" else "1") + file[1:]
    for hashes in ([other], [other[:8]], [file, other], ["0" * 64]):
        done = invoke("verify", club, *[option for each in hashes for option in ("--expect", each)])
        assert done.exit_code == 1
        assert f"expected {hashes[-1]}, found" in done.stderr
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


def test_the_figures_are_those_of_the_file(club: Path) -> None:
    found = measure(club)
    assert (found.words, found.size, found.hits, found.misses) == (8, club.stat().st_size, 8, 8)
    assert min(found.open_ns, found.first_ns, found.verify_ns, found.hit_ns, found.miss_ns) > 0


def test_the_words_that_are_looked_up_are_spread_over_a_large_list() -> None:
    found = measure(PRACTICE)
    assert 5000 < found.hits <= 10_000
    assert found.misses == found.hits


def test_misses_are_words_with_one_tile_changed_that_are_in_no_list(club: Path) -> None:
    with Lexicon.open(club) as lexicon:
        misses = changed(lexicon, CLUB)
    assert not set(misses) & set(CLUB)
    for word, miss in zip(CLUB, misses, strict=True):
        assert [one == other for one, other in zip(word, miss, strict=True)].count(False) == 1


def test_where_every_change_is_a_word_there_are_no_misses(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    path = lexicon_of(tmp_path / "pair.dawg", "A", "B", "[AB]", alphabet=str(tmp_path / "pair.toml"))
    assert measure(path).misses == 0
    assert "every change is a word" in invoke("bench", path).stdout


def test_own_memory_is_told_and_grows_with_what_is_taken() -> None:
    before = anonymous()
    # Of the kernel, not of what this process has had and given back.
    taken = mmap(-1, 10_000_000, flags=MAP_PRIVATE | MAP_ANONYMOUS)
    taken.write(b"\1" * 10_000_000)
    after = anonymous()
    assert before is not None
    assert after is not None
    assert after - before > 9_000_000
    taken.close()


def test_the_verb_shows_each_figure_with_its_unit(club: Path) -> None:
    lines = invoke("bench", club).stdout.splitlines()
    size = club.stat().st_size
    assert lines[0].split() == ["words", "8"]
    assert lines[1].endswith(f"{size:,} bytes, {size // 8}.{size % 8 * 100 // 8:02d} a word")
    assert [unit for line, unit in zip(lines[2:6], ["µs", "KiB", "µs", "ms"], strict=True) if not line.endswith(f" {unit}")] == []
    assert all(" ns, of 8" in line for line in lines[6:])
