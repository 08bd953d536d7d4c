from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine, delete, update
from sqlalchemy.exc import DBAPIError

from hall.desk.store import LOG, CallKey, DeskLog, Lease, Takers, open_store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return str(tmp_path / "desk.db")


@pytest.fixture
def engine(url: str) -> Engine:
    return open_store(url)


def test_the_log_is_there_after_a_restart_newest_first(url: str) -> None:
    DeskLog(open_store(url), "trial", "desk-1").add("ruth", "notice", {"text": "Böard 3 <b>"}, "a" * 32)
    DeskLog(open_store(url), "other", "desk-1").add("jo", "notice", {})
    again = DeskLog(open_store(url), "trial", "desk-2")
    again.add("jo", "took call", {})
    newest, oldest = again.latest(10)
    assert (newest.desk, newest.who, newest.request) == ("desk-2", "jo", None)
    assert (oldest.desk, oldest.who, oldest.what, oldest.detail, oldest.request) == (
        "desk-1",
        "ruth",
        "notice",
        {"text": "Böard 3 <b>"},
        "a" * 32,
    )
    assert again.latest(10, before=newest.n) == (oldest,)


def test_an_entry_of_the_log_is_never_changed(engine: Engine) -> None:
    log = DeskLog(engine, "trial", "desk-1")
    log.add("ruth", "stop", {})
    for statement in (update(LOG).values(who="jo"), delete(LOG)):
        with pytest.raises(DBAPIError), engine.begin() as connection:
            connection.execute(statement)
    assert [each.who for each in log.latest(10)] == ["ruth"]


def test_the_first_desk_holds_the_lease_until_a_director_takes_it_over(engine: Engine) -> None:
    first, second = Lease(engine, "trial", "desk-1"), Lease(engine, "trial", "desk-2")
    assert (first.is_ours, second.is_ours) == (True, False)
    term = second.holding().term
    assert second.take_over(term, "ruth")
    assert (first.is_ours, second.is_ours) == (False, True)
    assert second.holding().by == "ruth"
    # A page of before that act moves nothing.
    assert not first.take_over(term, "jo")
    assert (first.is_ours, second.is_ours) == (False, True)
    assert Lease(engine, "other hall", "desk-1").is_ours


def test_the_first_who_goes_to_a_call_has_it(url: str) -> None:
    takers = Takers(open_store(url), "trial")
    call = CallKey("c-aaaaaaaaaaaaaaaa", "boot", 1 << 62)
    assert takers.take(call, "ruth")
    assert not takers.take(call, "jo")
    assert takers.take(call._replace(since=5), "jo")
    again = Takers(open_store(url), "trial").all()
    assert {key.since: each.who for key, each in again.items()} == {1 << 62: "ruth", 5: "jo"}
    assert Takers(open_store(url), "other").all() == {}
