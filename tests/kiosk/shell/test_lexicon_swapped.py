"""The lexicon's file swapped, cut, written over or removed under the running station, in mid-challenge and between two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from game.challenge_log.entry import Kind
from kiosk.lexicons import watching
from kiosk.lexicons.loading import stamp
from tests.kiosk.lexicons.files import cut, made, moved_in, written_over
from tests.kiosk.shell.rig import WORDS, Rig, rig

pytestmark = [pytest.mark.usefixtures("dummy_display"), pytest.mark.waits(25)]


def kinds(station: Rig) -> list[Kind]:
    return [entry.kind for entry in station.entries()]


def shown(station: Rig) -> str:
    assert station.loop.page is not None
    return station.loop.page.footer.lexicon


def test_another_list_moved_in_between_two_challenges_is_taken_and_said(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        before = shown(station)
        moved_in(station.lexicon, ("AA", "AB"))
        station.until(lambda: shown(station) != before)
        assert "ANOTHER" in shown(station)
        assert "UNACCEPTABLE" not in station.judged("AA")
        assert station.entries()[-2].kind is Kind.CHANGED
        assert station.entries()[-1].lexicon == station.entries()[-2].lexicon


def test_another_list_moved_in_in_mid_challenge_waits_until_it_is_over(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        before = shown(station)
        moved_in(station.lexicon, ("AA", "AB"))
        station.until(lambda: Kind.CHANGED in kinds(station))
        assert shown(station) == before
        station.tap("adjudicate")
        # TILE is in the list that the challenge was begun with, and not in the new one.
        assert station.entries()[-1].acceptable is True
        assert station.entries()[-1].lexicon != station.entries()[-2].lexicon
        station.tap("done")
        assert "ANOTHER" in shown(station)
        station.judged("TILE", table=4)
        assert station.entries()[-1].acceptable is False


@contextmanager
def unnoticed(station: Rig, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the loader see nothing of what becomes of the file until the block ends: it looks but once a second."""
    before = stamp(station.lexicon)
    with monkeypatch.context() as patched:
        patched.setattr(watching, "stamp", lambda _: before)
        yield


@pytest.mark.parametrize(
    ("spoil", "word", "acceptable"),
    [(cut, "TILE", True), (written_over, "TLIE", False), (Path.unlink, "TILE", True)],
    ids=["cut", "written over", "removed"],
)
def test_a_file_spoiled_in_mid_challenge_changes_no_verdict_of_it_and_then_nothing_is_judged_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None], word: str, *, acceptable: bool
) -> None:
    with rig(tmp_path) as station:
        station.asked(word)
        before = shown(station)
        with unnoticed(station, monkeypatch):
            spoil(station.lexicon)
            station.tap("adjudicate")
            # By the copy that was proven, and it is named.
            assert (station.page, shown(station)) == ("verdict", before)
            verdict = station.entries()[-1]
            assert (verdict.kind, verdict.acceptable) == (Kind.LOOKUP, acceptable)
            assert verdict.lexicon == station.entries()[0].lexicon
        station.until(lambda: Kind.REFUSED in kinds(station))
        assert station.page == "verdict"
        station.tap("done")
        assert station.page == "idle.trouble"
        assert str(station.lexicon) in station.said
        assert "Copy" in station.said or "Give the path" in station.said
        station.key("return", "tab")
        assert station.page == "idle.trouble"
        moved_in(station.lexicon, WORDS)
        station.until(lambda: station.page == "idle")
        station.judged(word, table=13)
        assert station.entries()[-1].acceptable is acceptable


@pytest.mark.parametrize("spoil", [cut, written_over, Path.unlink], ids=["cut", "written over", "removed"])
def test_a_file_spoiled_between_two_challenges_is_a_trouble_that_says_which_and_how_to_mend_it(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with rig(tmp_path) as station:
        station.judged("TILE")
        station.tap("done")
        spoil(station.lexicon)
        station.until(lambda: station.page == "idle.trouble")
        assert str(station.lexicon) in station.said
        assert station.entries()[-1].kind is Kind.REFUSED
        moved_in(station.lexicon, WORDS)
        station.until(lambda: station.page == "idle")
        assert station.entries()[-1].kind is Kind.CHANGED
        station.judged("TILE", table=13)
        assert station.entries()[-1].acceptable is True


@pytest.mark.parametrize("spoil", [cut, written_over], ids=["cut", "written over"])
def test_a_file_found_spoiled_before_the_key_leaves_the_challenge_its_proven_copy_and_then_says_which_and_how_to_mend_it(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        before = shown(station)
        spoil(station.lexicon)
        station.until(lambda: Kind.REFUSED in kinds(station))
        assert (station.page, shown(station)) == ("checking", before)
        station.tap("adjudicate")
        assert (station.page, station.entries()[-1].acceptable) == ("verdict", True)
        assert station.entries()[-1].lexicon == station.entries()[0].lexicon
        station.tap("done")
        assert station.page == "idle.trouble"
        assert str(station.lexicon) in station.said
        assert "Copy" in station.said
        moved_in(station.lexicon, WORDS)
        station.until(lambda: station.page == "idle")
        assert station.entries()[-1].kind is Kind.CHANGED
        station.judged("TILE", table=13)
        assert station.entries()[-1].acceptable is True


def test_a_file_found_removed_before_the_key_leaves_the_challenge_its_copy_and_the_same_file_back_again_goes_on(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        station.lexicon.rename(tmp_path / "away")
        station.until(lambda: Kind.REFUSED in kinds(station))
        station.tap("adjudicate")
        assert (station.page, station.entries()[-1].acceptable) == ("verdict", True)
        station.tap("done")
        assert station.page == "idle.trouble"
        assert str(station.lexicon) in station.said
        (tmp_path / "away").rename(station.lexicon)
        station.until(lambda: station.page == "idle")
        station.judged("TILE", table=13)
        assert station.entries()[-1].acceptable is True


def test_a_station_whose_list_could_not_be_read_for_want_of_a_reader_takes_it_by_itself_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "AGAIN_LOOKS", 1)
    with monkeypatch.context() as short:
        short.setenv("PYTHONHASHSEED", "no number")
        with rig(tmp_path) as station:
            assert station.page == "idle.trouble"
            assert "its reader ended by code 1" in station.said
            short.undo()
            station.until(lambda: station.page == "idle")
            assert kinds(station) == [Kind.STARTED, Kind.CHANGED]
            station.judged("TILE")
            assert station.entries()[-1].acceptable is True


def test_a_list_of_another_alphabet_moved_in_is_not_taken_and_nothing_is_judged(tmp_path: Path) -> None:
    with rig(tmp_path, lexicon__alphabet="english") as station:
        moved_in(station.lexicon, ("CHICA",), "spanish")
        station.until(lambda: station.page == "idle.trouble")
        assert "spanish" in station.said
        assert "english" in station.said
        station.key("return")
        assert station.page == "idle.trouble"


@pytest.mark.parametrize("found", ["missing", "damaged", "of another alphabet"])
def test_a_station_that_starts_without_a_list_it_can_trust_says_why_and_judges_nothing(tmp_path: Path, found: str) -> None:
    path = tmp_path / "other.dawg"
    if found != "missing":
        made(path, ("CHICA",), "spanish")
    if found == "damaged":
        cut(path)
    with rig(tmp_path, lexicon__path=str(path), lexicon__alphabet="english") as station:
        assert station.page == "idle.trouble"
        assert str(path) in station.said
        station.key("return", "tab")
        assert station.page == "idle.trouble"
        made(path)
        station.until(lambda: station.page == "idle")
        station.lexicon = path
        station.judged("TILE")
        assert station.entries()[-1].acceptable is True
