"""A journal with a game of another edition of the events: set aside as a damaged one is, and refused with the spec's sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.journal.store import open_journal
from firmware.journal.writer import JournalWriter
from game import events as ev
from game.event_table import format_event
from game.journal import row as rows
from game.journal.reading import reading
from game.journal.row import AnotherEdition, GameStamp, rows_of
from game.record import begin
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.firmware.journal.short_game import play, rows_whole

SENTENCE = "new_game: edition: expected 4, found {found}: this file was written for another edition of the events"
OTHERS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "an earlier one": (lambda fields: fields | {"edition": 2}, "2"),
    "none": (lambda fields: {key: value for key, value in fields.items() if key != "edition"}, "none"),
    "another type": (lambda fields: fields | {"edition": True}, "True"),
}


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, str]:
    """A whole journal with a game of another edition between two of this one, and the sentence about it."""
    path = tmp_path / "journal.db"
    play(path)
    change, found = OTHERS[request.param]
    stamp = GameStamp(0, 0, "boot", "2026-07-03T11:00:00Z")
    new_game = begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 0)
    writer = JournalWriter(path, lambda progress: None)
    with monkeypatch.context() as patch:
        patch.setattr(rows, "format_event", lambda event, by=None: change(format_event(event, by)))
        writer.put(rows_of(None, new_game, 2, stamp))
    writer.put(rows_of(None, new_game, 3, stamp))
    assert writer.close(30)
    return path, SENTENCE.format(found=found)


def test_it_is_set_aside_unchanged_with_the_sentence_and_a_new_one_begins(other: tuple[Path, str]) -> None:
    path, sentence = other
    before = path.read_bytes()
    opened = open_journal(path)
    assert opened.trouble is None
    assert opened.set_aside is not None
    assert str(opened.reason) == sentence
    assert opened.set_aside.read_bytes() == before
    assert rows_whole(path) == 0


def test_reading_refuses_it_with_the_sentence(other: tuple[Path, str]) -> None:
    path, sentence = other
    with pytest.raises(AnotherEdition) as caught, reading(path):
        pass
    assert str(caught.value) == f"{path}: {sentence}."


def test_a_journal_of_this_edition_is_kept(tmp_path: Path) -> None:
    play(tmp_path / "journal.db")
    assert open_journal(tmp_path / "journal.db").set_aside is None
