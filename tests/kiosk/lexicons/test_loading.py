import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from appliance.version import VERSION
from faults.errors import Phrase
from kiosk.context import Trouble, TroubleKind
from kiosk.lexicons import loading
from kiosk.lexicons.loading import Expected, Loaded, Passing, Proven, expected, listing, load
from kiosk.lexicons.proof import prove
from lexicon import Lexicon, LexiconError
from lexicon.alphabet import load_alphabet
from lexicon.errors import Damaged, Unreadable
from lexicon.practice import PRACTICE
from tests.errors import with_fields
from tests.kiosk.lexicons.files import WORDS, cut, made, proven_here, written_over
from tests.some import of_kind, some


@pytest.fixture
def process() -> None:
    """Lists are proven by the real process."""


@pytest.fixture(autouse=True)
def _proven(request: pytest.FixtureRequest) -> Iterator[None]:
    with nullcontext() if "process" in request.fixturenames else proven_here():
        yield


def taken(found: Loaded | Trouble) -> Loaded:
    assert isinstance(found, Loaded), found
    return found


def refused(found: Loaded | Trouble) -> Trouble:
    assert isinstance(found, Trouble), found
    return found


@pytest.mark.usefixtures("process")
def test_a_sound_file_is_named_by_its_own_header_and_is_no_practice_list(tmp_path: Path) -> None:
    loaded = taken(load(made(tmp_path / "a.dawg")))
    assert (loaded.name.name, loaded.name.edition, loaded.name.words, loaded.name.alphabet) == ("EXAMPLE", "2026", len(WORDS), "english")
    assert loaded.name.sha256.startswith(loaded.name.short_hash)
    assert len(loaded.name.sha256) == 64
    assert not loaded.name.practice
    assert loaded.lexicon.accepts(("QI", "ZA"))


def test_the_practice_list_is_known_by_its_words_under_any_name_and_in_any_place(tmp_path: Path) -> None:
    elsewhere = tmp_path / "world-championship.dawg"
    shutil.copy(PRACTICE, elsewhere)
    assert taken(load(elsewhere)).name.practice


@pytest.mark.parametrize(
    ("spoil", "trouble_kind"),
    [
        (Path.unlink, TroubleKind.LEXICON_MISSING),
        (cut, TroubleKind.LEXICON_DAMAGED),
        (written_over, TroubleKind.LEXICON_DAMAGED),
        (lambda path: path.write_bytes(b""), TroubleKind.LEXICON_DAMAGED),
        (lambda path: path.write_text("QI\nZA\n"), TroubleKind.LEXICON_DAMAGED),
        (lambda path: (path.unlink(), path.mkdir()), TroubleKind.LEXICON_MISSING),
    ],
    ids=["removed", "cut", "written over", "emptied", "a text file", "a folder"],
)
def test_what_cannot_be_used_is_refused_with_the_file_what_was_found_and_what_to_do(
    tmp_path: Path, spoil: Callable[[Path], object], trouble_kind: TroubleKind
) -> None:
    path = made(tmp_path / "a.dawg")
    spoil(path)
    trouble = refused(load(path))
    assert trouble.trouble_kind is trouble_kind
    assert str(path) in str(trouble.what)
    assert "expected" in str(trouble.what)
    assert "found" in str(trouble.what)
    assert trouble.what.remedy


@pytest.mark.usefixtures("process")
def test_what_may_pass_while_the_file_stays_as_it_is_is_told_from_what_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "a.dawg")
    with monkeypatch.context() as short:
        short.setenv("PYTHONHASHSEED", "no number")
        found = refused(load(path))
    assert isinstance(found, Passing)
    assert found.trouble_kind is TroubleKind.LEXICON_MISSING
    assert "its reader ended by code 1" in str(found.what)
    written_over(path)
    assert not isinstance(refused(load(path)), Passing)


def test_the_list_of_another_alphabet_is_refused_by_its_tiles_and_one_of_the_expected_is_taken(tmp_path: Path) -> None:
    spanish = made(tmp_path / "spanish.dawg", ("CHICA", "LLAMA"), "spanish")
    trouble = refused(load(spanish, expected("english", None)))
    assert trouble.trouble_kind is TroubleKind.LEXICON_ALPHABET
    assert "english" in str(trouble.what)
    assert "spanish" in str(trouble.what)
    assert taken(load(spanish, expected("spanish", None))).spelling.tiles[3] == "CH"


OTHERWISE = """
id = "{id}"
name = "Example"
source = "made up"
blanks = 2
tiles = [{tiles}]
"""


def alphabet_file(path: Path, id_: str, tiles: Sequence[str]) -> str:
    each = ", ".join(f'{{ tile = "{tile}", score = 1, count = 1 }}' for tile in tiles)
    path.write_text(OTHERWISE.format(id=id_, tiles=each))
    return str(path)


def test_an_alphabet_is_the_expected_one_by_its_tiles_and_not_by_its_name(tmp_path: Path) -> None:
    english = load_alphabet("english").spelling.tiles
    path = made(tmp_path / "a.dawg")
    alike = alphabet_file(tmp_path / "house.toml", "house", english)
    assert taken(load(path, expected(alike, None))).name.alphabet == "english"
    other = alphabet_file(tmp_path / "english.toml", "english", english[::-1])
    assert refused(load(path, expected(other, None))).trouble_kind is TroubleKind.LEXICON_ALPHABET


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were proven, by name."""
    proofs: list[str] = []

    def counted(lexicon: Lexicon) -> None:
        proofs.append(Path(lexicon.path).name)
        prove(lexicon)

    monkeypatch.setattr(loading, "prove", counted)
    return proofs


def a_pipe(kept: Path) -> None:
    kept.unlink()
    os.mkfifo(kept)


def test_the_same_bytes_are_proven_once_also_for_the_next_start_and_others_are_not(tmp_path: Path, proofs: list[str]) -> None:
    kept, first = tmp_path / "proven", made(tmp_path / "a.dawg")
    other = made(tmp_path / "b.dawg", ("AA", "AB"))
    proven = Proven(kept)
    for path in (first, first, other):
        taken(load(path, proven=proven))
    shutil.copy(first, tmp_path / "c.dawg")
    taken(load(tmp_path / "c.dawg", proven=Proven(kept)))
    assert proofs == ["a.dawg", "b.dawg"]
    written_over(tmp_path / "c.dawg")
    assert refused(load(tmp_path / "c.dawg", proven=Proven(kept))).trouble_kind is TroubleKind.LEXICON_DAMAGED
    taken(load(first))
    assert proofs == ["a.dawg", "b.dawg", "c.dawg", "a.dawg"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda kept: kept.write_text(kept.read_text().replace(VERSION, "0.0.1")),
        lambda kept: kept.write_bytes(b"\xff" + kept.read_bytes()),
        lambda kept: kept.write_bytes(b""),
        a_pipe,
    ],
    ids=["another version", "no text", "empty", "a pipe"],
)
def test_what_another_version_has_proven_or_nobody_can_read_is_proven_again(
    tmp_path: Path, proofs: list[str], spoil: Callable[[Path], object]
) -> None:
    kept, path = tmp_path / "proven", made(tmp_path / "a.dawg")
    taken(load(path, proven=Proven(kept)))
    spoil(kept)
    for _ in range(2):
        taken(load(path, proven=Proven(kept)))
    assert proofs == ["a.dawg"] * 2


def test_a_proof_that_cannot_be_kept_counts_until_the_end(tmp_path: Path, proofs: list[str]) -> None:
    proven, path = Proven(tmp_path / "missing" / "proven"), made(tmp_path / "a.dawg")
    for _ in range(2):
        taken(load(path, proven=proven))
    assert proofs == ["a.dawg"]


def test_where_a_hash_is_expected_only_the_list_that_has_it_is_taken(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    name = taken(load(path)).name
    assert taken(load(path, expected(None, name.short_hash.upper()))).name == name
    trouble = refused(load(made(tmp_path / "b.dawg", WORDS[1:]), expected(None, name.sha256)))
    assert trouble.trouble_kind is TroubleKind.LEXICON_DAMAGED
    assert name.short_hash in str(trouble.what)


def test_an_alphabet_that_there_is_none_of_is_an_error_of_its_own() -> None:
    with pytest.raises(LexiconError, check=with_fields(found='"klingon"')):
        expected("klingon", None)
    assert expected(None, None) == Expected()


def test_a_folder_is_listed_by_headers_with_the_fault_of_each_file_that_has_one(tmp_path: Path) -> None:
    made(tmp_path / "b.dawg")
    (tmp_path / "a.dawg").write_text("no lexicon")
    (tmp_path / "c.txt").write_text("QI")
    first, second = listing(tmp_path)
    assert (first.id, first.name) == (str(tmp_path / "a.dawg"), None)
    assert first.id in some(first.why)
    assert some(second.name).words == len(WORDS)
    assert listing(tmp_path / "nowhere") == ()


def test_a_sound_list_that_is_not_wanted_here_is_listed_by_name_with_the_reason(tmp_path: Path) -> None:
    made(tmp_path / "b.dawg")
    for wanted, reason in ((expected("spanish", None), "alphabet spanish"), (expected(None, "0" * 8), "expected the list 00000000")):
        (found,) = listing(tmp_path, (), wanted)
        assert found.name is not None
        assert reason in some(found.why)


@pytest.fixture
def copy(tmp_path: Path) -> Lexicon:
    return Lexicon.open(shutil.copy(PRACTICE, tmp_path / "list.dawg"), copied=True)


@pytest.mark.usefixtures("process")
def test_a_list_that_takes_too_long_is_given_up_and_not_called_damaged(copy: Lexicon) -> None:
    with pytest.raises(
        Unreadable, check=with_fields(where=copy.path, expected="to read it whole within 0.001 s", found="that it takes longer")
    ):
        prove(copy, longest_s=0.001)


@pytest.mark.usefixtures("process")
def test_where_no_process_can_be_started_it_is_a_sentence(copy: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", copy.path)
    with pytest.raises(Unreadable, check=with_fields(expected="to start a process that reads it", found="permission denied")):
        prove(copy)


@pytest.mark.usefixtures("process")
def test_what_is_wrong_is_told_of_the_stations_file_in_words_for_any_language(tmp_path: Path) -> None:
    path = made(tmp_path / "a.dawg")
    written_over(path)
    with pytest.raises(Damaged, check=with_fields(where=str(path))) as refused:
        prove(Lexicon.open(path, copied=True))
    assert of_kind(Phrase, refused.value.expected).template == "{what} to be {expected}"


def test_a_reader_started_by_a_program_that_blocks_signals_can_still_be_ended() -> None:
    blocking = (
        "import signal, subprocess, sys; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM}); "
        "reader = subprocess.Popen([sys.executable, '-m', 'kiosk.lexicons.proof'], stdin=subprocess.PIPE); "
        "import pathlib, time\n"
        "while 'SigBlk:\\t0000000000000000' not in pathlib.Path(f'/proc/{reader.pid}/status').read_text(): time.sleep(0.01)\n"
        "reader.terminate(); sys.exit(reader.wait())"
    )
    ended = subprocess.run([sys.executable, "-c", blocking], check=False, timeout=60)
    assert ended.returncode == 256 - signal.SIGTERM
