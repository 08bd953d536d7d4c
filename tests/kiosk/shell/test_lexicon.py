from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from appliance.errors import Diagnosis
from kiosk.context import Trouble, TroubleKind
from kiosk.lexicons import loading
from kiosk.lexicons.loading import Loaded, load, stamp
from kiosk.shell.judging import MAX_JITTER_NS, QUANTUM_NS, OpenLexicons, judge
from lexicon import Lexicon
from lexicon.errors import Ambiguous
from lexicon.practice import PRACTICE
from records.entry import Kind, LexiconName
from tests.kiosk.lexicons.files import cut, made, moved_in, written_over
from tests.kiosk.shell.rig import WORDS, Rig, rig
from tests.lexicon.making import alphabet, built

pytestmark = [pytest.mark.usefixtures("dummy_display"), pytest.mark.waits(7)]


def test_another_list_moved_in_in_mid_challenge_waits_until_it_is_over(station: Rig) -> None:
    station.asked("TILE")
    before = station.footer
    moved_in(station.lexicon, ("AA", "AB"))
    station.until(lambda: Kind.CHANGED in station.kinds)
    assert station.footer == before
    station.tap("adjudicate")
    # TILE is in the list that the challenge was begun with, and not in the new one.
    assert station.last.acceptable is True
    assert station.last.lexicon != station.entries()[-2].lexicon
    station.tap("done")
    assert "ANOTHER" in station.footer
    station.judged("TILE", table=4)
    assert station.last.acceptable is False


@contextmanager
def unnoticed(station: Rig) -> Iterator[None]:
    before = stamp(station.lexicon)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(loading, "stamp", lambda _: before)
        yield


@pytest.mark.parametrize(
    ("spoil", "word", "acceptable", "noticed"),
    [(cut, "TILE", True, False), (written_over, "TLIE", False, True)],
    ids=["cut, after the verdict", "written over, before the key"],
)
def test_a_file_spoiled_in_mid_challenge_changes_no_verdict_of_it_and_then_nothing_is_judged_until_it_is_mended(
    station: Rig, spoil: Callable[[Path], None], word: str, *, acceptable: bool, noticed: bool
) -> None:
    station.asked(word)
    before, proven = station.footer, station.entries()[0].lexicon
    # The loader looks but once a second: unless it is waited for, it sees nothing of what becomes of the file.
    with nullcontext() if noticed else unnoticed(station):
        spoil(station.lexicon)
        if noticed:
            station.until(lambda: Kind.REFUSED in station.kinds)
            assert (station.page, station.footer) == ("checking", before)
        station.tap("adjudicate")
        # By the copy that was proven, and it is named.
        assert (station.page, station.footer) == ("verdict", before)
        verdict = station.last
        assert (verdict.kind, verdict.acceptable, verdict.lexicon) == (Kind.LOOKUP, acceptable, proven)
    station.until(lambda: Kind.REFUSED in station.kinds)
    assert station.page == "verdict"
    assert station.tap("done") == "idle.trouble"
    assert str(station.lexicon) in station.said
    assert "Copy" in station.said or "Give the path" in station.said
    assert station.key("return", "tab") == "idle.trouble"
    moved_in(station.lexicon, WORDS)
    station.until(lambda: station.page == "idle")
    assert station.last.kind is Kind.CHANGED
    station.judged(word, table=13)
    assert station.last.acceptable is acceptable


def test_a_list_that_could_not_be_read_for_want_of_a_reader_is_taken_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "AGAIN_LOOKS", 1)
    with monkeypatch.context() as short:
        short.setenv("PYTHONHASHSEED", "no number")
        with rig(tmp_path, proving=nullcontext) as station:
            assert station.page == "idle.trouble"
            assert "its reader ended by code 1" in station.said
            short.undo()
            station.until(lambda: station.page == "idle")
            assert station.kinds == [Kind.STARTED, Kind.CHANGED]
            station.judged("TILE")
            assert station.last.acceptable is True


def test_a_station_that_starts_without_a_list_it_can_trust_says_why_and_judges_nothing(tmp_path: Path) -> None:
    path = made(tmp_path / "other.dawg", ("CHICA",), "spanish")
    with rig(tmp_path, lexicon__path=str(path), lexicon__alphabet="english") as station:
        assert station.page == "idle.trouble"
        assert str(path) in station.said
        assert station.key("return", "tab") == "idle.trouble"
        made(path)
        station.until(lambda: station.page == "idle")
        station.judged("TILE")
        assert station.last.acceptable is True


class Time:
    """A clock that each look moves on, and each sleep too; the look-up of the words takes ``look_up`` ns."""

    def __init__(self, look_up: int = 0) -> None:
        self.now = 1_000_003
        self._look_up = look_up
        self._looks = 0

    def __call__(self) -> int:
        self._looks += 1
        self.now += self._look_up if self._looks == 2 else 150
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += int(seconds * 1e9) + 70_000


@pytest.mark.parametrize("words", ["QI ZA", "qi za", "QI ZZ", "ZZ QI", "QI ", "QI Ñ", "A" * 16, "A"])
def test_a_play_is_acceptable_when_every_word_is_in_the_list(tmp_path: Path, words: str) -> None:
    with Lexicon.open(made(tmp_path / "a.dawg")) as lexicon:
        assert judge(lexicon, words.split(" ")) is (words.upper() == "QI ZA")


@example(look_up=QUANTUM_NS - 1, lot=0)
@given(look_up=st.integers(1, 3 * QUANTUM_NS), lot=st.integers(0, MAX_JITTER_NS - 1))
def test_however_long_the_look_up_takes_the_verdict_comes_at_the_end_of_a_quantum_and_of_the_lot(look_up: int, lot: int) -> None:
    time, asked = Time(look_up), list[int]()

    def draw(below: int) -> int:
        asked.append(below)
        return lot

    with Lexicon.open(PRACTICE) as lexicon:
        begun = time.now
        judge(lexicon, ("TILE",), now=time, sleep=time.sleep, draw=draw)
    quanta, beyond = divmod(time.now - begun - lot, QUANTUM_NS)
    assert quanta == 1 + look_up // QUANTUM_NS
    assert beyond < 1000
    assert asked == [MAX_JITTER_NS]


def test_a_text_that_can_be_laid_in_two_ways_is_no_word(tmp_path: Path) -> None:
    built(tmp_path / "a.dawg", (b"\1\3", b"\2"), alphabet(("A", "AB", "B")))
    with Lexicon.open(tmp_path / "a.dawg", copied=True) as lexicon:
        with pytest.raises(Ambiguous):
            assert "AB" in lexicon
        assert judge(lexicon, ("AB",)) is False
        assert judge(lexicon, ("A[B]", "[AB]")) is True


def loaded(path: Path) -> Loaded:
    found = load(path)
    assert isinstance(found, Loaded)
    return found


def test_a_list_that_is_not_open_judges_nothing_and_says_so(tmp_path: Path) -> None:
    found, open_lexicons = loaded(made(tmp_path / "list.dawg")), OpenLexicons()

    def trouble(name: LexiconName | None) -> Diagnosis:
        judged = open_lexicons.judge(name, ("CAT",))
        assert isinstance(judged, Trouble)
        assert judged.trouble_kind is TroubleKind.LEXICON_MISSING
        return judged.what

    for name in (None, found.name):
        assert "Choose one at the director's desk" in trouble(name).remedy
    open_lexicons.add(found)
    assert open_lexicons.judge(found.name, ("CAT",)) is True
    open_lexicons.retain(())
    assert "found none" in trouble(found.name).problem
