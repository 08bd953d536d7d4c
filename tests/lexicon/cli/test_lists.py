import hashlib
import json
import os
import re
import subprocess
import sys
import unicodedata
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from pathlib import Path
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon import Lexicon
from lexicon.alphabet import alphabets, load_alphabet
from lexicon.cli.lists import anonymous, changed, changes, measure
from lexicon.cli.main import main
from lexicon.errors import LexiconError
from lexicon.practice import PRACTICE
from tests.cells import each_cell
from tests.lexicon.cli.program import CLUB, invoke, lexicon_of, pair, refusal, run, text_of


@pytest.fixture(scope="module")
def anywhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lexicon_of(tmp_path_factory.mktemp("lexicon") / "club.dawg", *CLUB)


def _judged(path: Path, *play: str) -> tuple[int, str]:
    done = invoke("judge", path, *play)
    assert done.stderr == ""
    return done.exit_code, done.stdout


def test_a_play_is_acceptable_when_all_its_words_are_and_nothing_tells_which_is_none(club: Path) -> None:
    for play in (["TILE"], ["tile", "Za"], list(CLUB), ["ZA"] * 8):
        assert _judged(club, *play) == (0, "ACCEPTABLE\n")
    # One word that is none makes the play unacceptable, and nothing tells which.
    for cell in each_cell(["TILER", "T", "TI", "QQ", "[T]ILER", "Z" * 15]):
        with cell as wrong:
            plays = ([wrong], [wrong, "TILE", "ZA"], ["TILE", wrong, "ZA"], ["TILE", "ZA", wrong], [wrong] * 8)
            assert {_judged(club, "--", *play) for play in plays} == {(1, "UNACCEPTABLE\n")}


NO_WORDS = [
    "T1LE",
    "CAFÉ",
    "TILE ",
    "TILE\n",
    " ",
    "TI\tLE",
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


def test_a_play_has_one_to_eight_words_that_tiles_can_be_laid_for(club: Path) -> None:
    refusal("judge", club, "TI LE", found="'TI LE', where ' ' is on no tile")
    expected = "a word of at most 15 tiles, as the board has in a row"
    refusal("judge", club, "Z" * 16, expected=expected, found=re.compile("^16: "))
    refusal("judge", club, "Z" * 100_000, expected=expected, found="100,000 characters")
    # A play has one to eight words.
    refusal("judge", club, *["TILE"] * 9, expected=re.compile("at most 8 words"))
    refusal("judge", club, "TILE", "", found="an empty one")
    assert invoke("judge", club).exit_code == 2


@given(st.text(st.characters(exclude_characters="[]"), min_size=1, max_size=6) | st.sampled_from(CLUB).map(str.lower))
def test_any_text_is_judged_as_a_set_would_or_is_no_word(anywhere: Path, text: str) -> None:
    capitals = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).upper())
    if set(capitals) <= set(ascii_uppercase) and not set(text) & set("ıſﬀﬁﬂﬃﬄﬅﬆ"):
        assert _judged(anywhere, "--", text)[0] == (0 if capitals in CLUB else 1)
    else:
        assert invoke("judge", anywhere, "--", text).exit_code == 2


def test_a_text_that_can_be_laid_in_two_ways_is_refused_and_says_nothing_of_the_list(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "pair.dawg", "[AB]", "A", alphabet=pair(tmp_path))
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
    figures = [found[key] for key in ("name", "edition", "alphabet", "words", "longest word")]
    assert ", ".join(figures) == "Club list, 2026-01, english, 8, 6 tiles"
    assert (found["states"], found["edges"]) == (str(header.states), str(header.edges))
    assert found["size"] == f"{club.stat().st_size:,} bytes"
    assert found["SHA-256 of the list"] == LISTED
    assert found["short hash"] == LISTED[:8]
    assert found["SHA-256 of the units"] == hashlib.sha256(club.read_bytes()[header.size :]).hexdigest()
    assert found["SHA-256 of the file"] == _sha256sum(club)
    assert "this proves nothing" in invoke("info", club).stdout.splitlines()[-1]
    # The same as JSON.
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


def test_verify_says_which_list_is_whole_and_its_hashes(club: Path, tmp_path: Path) -> None:
    done = run("verify", club)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        f"whole: Club list, 2026-01, english, 8 words, {LISTED[:8]}",
        f"SHA-256 of the list  {LISTED}",
        f"SHA-256 of the file  {_sha256sum(club)}",
    ]
    # A list without an edition and of one word is titled so.
    one = lexicon_of(tmp_path / "one.dawg", "ZA", edition="")
    assert invoke("verify", one).stdout.startswith("whole: Club list, english, 1 word, ")
    # The practice list is whole and says practice.
    assert "PRACTICE" in _figures(PRACTICE)["name"]
    assert invoke("verify", PRACTICE).stdout.startswith("whole: PRACTICE")


def test_expected_hashes_agree_from_eight_digits_on_and_another_is_told_with_exit_code_1(club: Path) -> None:
    # In groups, or as sha256sum prints them.
    file = _sha256sum(club)
    single = [file, LISTED, file[:8], LISTED[:8].upper(), f"{file[:4]} {file[4:8]}", f"{file.upper()}  club.dawg", f" {LISTED[:8]}\n"]
    for hashes in (*([each] for each in single), [LISTED[:9], file[:63]]):
        done = invoke("verify", club, *[option for each in hashes for option in ("--expect", each)])
        assert done.exit_code == 0
        assert done.stdout.count("  as expected") == len(hashes)
    # A hash that differs from the expected one gives exit code 1.
    file = _sha256sum(club)
    other = ("0" if file[0] != "0" else "1") + file[1:]
    for expecting in ([other], [other[:8]], [file, other], ["0" * 64]):
        done = invoke("verify", club, *[option for each in expecting for option in ("--expect", each)])
        assert done.exit_code == 1
        assert f"expected {expecting[-1]}, found" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert done.stdout.startswith("whole, but NOT as expected: ")
    for none in ("", "1234567", "0" * 65, "xyzxyzxyz", "1234 567", "٣" * 8):
        refusal("verify", club, "--expect", none, expected=re.compile("8 to 64 hex digits"))


LISTS = st.sets(st.binary(max_size=3), max_size=12)


@given(LISTS, LISTS)
def test_changes_are_what_sets_say_in_order(old: set[bytes], new: set[bytes]) -> None:
    found = list(changes(sorted(old), sorted(new)))
    assert [word for _, word in found] == sorted(old ^ new)
    assert {word for mark, word in found if mark == "+"} == new - old
    assert {word for mark, word in found if mark == "-"} == old - new


def test_what_was_added_and_removed_is_shown_in_order_and_counted(tmp_path: Path, club: Path) -> None:
    new = lexicon_of(tmp_path / "new.dawg", "AB", *CLUB[1:], "ZZ", name="New", edition="2027")
    done = invoke("diff", club, new)
    assert (done.exit_code, done.stdout) == (1, "+ AB\n- BANE\n+ ZZ\n")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("A: Club list, 2026-01, english, 8 words, ")
    assert lines[1].startswith("B: New, 2027, english, 9 words, ")
    assert lines[2:] == ["2 added, 1 removed, 7 words in both"]
    # The same words are the same, whatever the lists are called.
    new = lexicon_of(tmp_path / "new.dawg", *CLUB, name="New")
    done = invoke("diff", club, new)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-1] == "0 added, 0 removed, 8 words in both"
    # A summary is only the counts.
    done = invoke("diff", "--summary", club, lexicon_of(tmp_path / "new.dawg", *CLUB[2:]))
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1] == "0 added, 2 removed, 6 words in both"


def test_lists_in_different_alphabets_are_compared_by_how_words_are_written(tmp_path: Path) -> None:
    two_ways = lexicon_of(tmp_path / "pair.dawg", "AA", "BB", alphabet=pair(tmp_path))
    polish = lexicon_of(tmp_path / "pl.dawg", "ĄĆ", "BA", "ZA", alphabet="polish")
    german = lexicon_of(tmp_path / "de.dawg", "BA", "ZA", "ÄÖ", alphabet="german")
    done = invoke("diff", polish, german)
    assert (done.exit_code, done.stdout) == (1, "+ ÄÖ\n- ĄĆ\n")
    assert "different alphabets" in done.stderr
    assert invoke("diff", two_ways, polish).exit_code == 1
    english = lexicon_of(tmp_path / "en.dawg", "BA", "ZA")
    same = invoke("diff", english, lexicon_of(tmp_path / "pl2.dawg", "BA", "ZA", alphabet="polish"))
    assert (same.exit_code, same.stdout) == (0, "")


def test_all_alphabets_are_listed_and_one_of_ones_own_is_shown_by_its_path(tmp_path: Path) -> None:
    # With their source.
    lines = invoke("alphabets").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(alphabets())
    assert all(load_alphabet(line.split()[0]).source in line for line in lines)
    # An alphabet of one's own is shown by its path.
    assert "Pair (pair): made up" in invoke("alphabets", pair(tmp_path)).stdout
    (tmp_path / "bad.toml").write_text("tiles = 1", encoding="utf-8")
    refusal("alphabets", tmp_path / "bad.toml", where=re.compile("bad.toml"))


@pytest.mark.parametrize("alphabet_id", alphabets())
def test_each_shows_its_tiles_in_order_and_what_is_typed_for_them(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    head, tiles, *more = invoke("alphabets", alphabet_id).stdout.split("\n\n")
    assert alphabet.source in head
    assert [tuple(line.split()[:4]) for line in tiles.splitlines()[1:]] == [
        (str(number), tile.text, str(tile.score), str(tile.count)) for number, tile in enumerate(alphabet.tiles, 1)
    ]
    assert {line.split()[1] for line in tiles.splitlines() if "always" in line} == {tile.text for tile in alphabet.tiles if tile.always}
    assert {(line.split()[1], line.split()[-1]) for line in tiles.splitlines() if "brackets" in line} == {
        (tile.text, f"[{tile.text[0]}]{tile.text[1:]}") for tile in alphabet.tiles if tile.joined
    }
    shown = {rows[0].split()[0]: [tuple(row.split()) for row in rows[1:]] for rows in (table.splitlines() for table in more)}
    assert shown.get("typed", []) == [(text, *stands_for) for text, stands_for in alphabet.typed.items()]
    assert shown.get("coded", []) == list(alphabet.coded.items())


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


def test_help_names_every_verb_and_loads_no_library_that_only_some_verb_needs() -> None:
    done = invoke("--help")
    assert "tilelexicon build words.txt" in done.stdout
    assert [verb for verb in main.commands if f"\n  {verb} " not in done.stdout] == []
    # Help loads no library that only some verb needs.
    script = "import sys, lexicon.cli.main; print({'rich', 'pydantic'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"set()\n"


@pytest.mark.parametrize("name", [b"\xff\x1b[2J.dawg", b"-o.dawg"])
def test_any_path_can_be_used_and_moves_no_cursor(tmp_path: Path, name: bytes) -> None:
    text = tmp_path / "words.txt"
    text.write_text("\n".join(CLUB), encoding="ascii")
    path = os.fsencode(tmp_path) + b"/" + name
    for arguments in (("build", text, "-o", path, "--name", "Odd"), ("info", path + b".none")):
        done = run(*arguments)
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
    assert Path(os.fsdecode(path)).stat().st_size > 0


def test_what_is_measured_are_the_words_of_the_file_and_misses_in_no_list(club: Path, tmp_path: Path) -> None:
    found = dict(measure(club))
    hits, misses = found["look-up, a word of the list"].split(" ns, of "), found["look-up, one tile changed"].split(" ns, of ")
    assert (found["words"], found["size"].split()[0], hits[1], misses[1]) == ("8", f"{club.stat().st_size:,}", "8", "8")
    assert min(float(each.replace(",", "")) for each in (found["first look-up"].split()[0], hits[0], misses[0])) > 0
    # Misses are words with one tile changed that are in no list.
    with Lexicon.open(club) as lexicon:
        misses = changed(lexicon, CLUB)
    assert not set(misses) & set(CLUB)
    for word, miss in zip(CLUB, misses, strict=True):
        assert [one == other for one, other in zip(word, miss, strict=True)].count(False) == 1
    # Where every change is a word, there are no misses.
    path = lexicon_of(tmp_path / "pair.dawg", "A", "B", "[AB]", alphabet=pair(tmp_path))
    assert "every change is a word" in invoke("bench", path).stdout
    # The words that are looked up are spread over a large list.
    found = dict(measure(PRACTICE))
    looked_up = int(found["look-up, a word of the list"].split(" of ")[1].replace(",", ""))
    assert 5000 < looked_up <= 10_000
    assert found["look-up, one tile changed"].endswith(f" of {looked_up:,}")
    assert re.fullmatch("[1-9][0-9,]* ms", found["verify"])


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
