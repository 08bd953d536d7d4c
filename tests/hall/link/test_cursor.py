"""The link's one position in the journal."""

from __future__ import annotations

from hall.link.device_end import Cursor

EPOCH = "0123456789abcdef"


def batch(first: int, last: int, epoch: str = EPOCH) -> dict[str, object]:
    return {"epoch": epoch, "first": first, "last": last}


def at(seq: int) -> Cursor:
    cursor = Cursor()
    cursor.stands_at(EPOCH, seq)
    return cursor


def test_nothing_is_asked_before_the_end_of_the_journal_is_known() -> None:
    assert Cursor().request is None


def test_it_begins_at_the_end_of_the_journal() -> None:
    assert at(80).request == 80


def test_one_request_is_outstanding() -> None:
    cursor = at(80)
    cursor.asked()
    assert cursor.request is None
    assert cursor.takes(batch(81, 83))
    assert cursor.request == 83


def test_a_want_sets_it_back_even_while_a_request_is_outstanding() -> None:
    cursor = at(80)
    cursor.asked()
    assert cursor.wanted(EPOCH, 20)
    assert cursor.request == 20


def test_what_was_asked_before_a_want_is_not_published_twice() -> None:
    cursor = at(80)
    cursor.asked()
    cursor.wanted(EPOCH, 20)
    cursor.asked()
    assert not cursor.takes(batch(81, 81))
    assert cursor.takes(batch(21, 81))
    assert cursor.after == 81


def test_a_want_changes_nothing_otherwise() -> None:
    for epoch, after in ((EPOCH, 80), (EPOCH, 81), ("f" * 16, 3), (EPOCH, -1), (EPOCH, "3"), (EPOCH, True), (None, 3)):
        cursor = at(80)
        assert not cursor.wanted(epoch, after)
        assert cursor.after == 80


def test_a_beat_moves_it_only_to_another_journal() -> None:
    cursor = at(80)
    cursor.stands_at(EPOCH, 90)
    assert cursor.after == 80
    cursor.stands_at("f" * 16, 2)
    assert cursor.request == 2


def test_the_first_row_of_an_empty_journal_makes_its_epoch() -> None:
    cursor = Cursor()
    cursor.stands_at(None, 0)
    assert cursor.request == 0
    cursor.asked()
    assert cursor.takes(batch(1, 1))
    assert cursor.epoch == EPOCH


def test_a_batch_of_another_journal_is_not_taken() -> None:
    assert not at(80).takes(batch(81, 81, "f" * 16))
