"""A limit of events in a second."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hall.link.pace import Bucket

S = 1_000_000_000


def test_as_many_as_allowed_pass_at_once() -> None:
    bucket = Bucket(20)
    assert sum(bucket.take(5 * S) for _ in range(100)) == 20
    assert bucket.free_at(5 * S) == 6 * S
    assert not bucket.take(6 * S - 1)
    assert bucket.take(6 * S)


@given(st.lists(st.integers(0, S // 5), max_size=200))
def test_no_second_has_more(pauses: list[int]) -> None:
    bucket, now, passed = Bucket(20), S, []
    for pause in pauses:
        now += pause
        if bucket.take(now):
            passed.append(now)
    assert all(sum(start <= each < start + S for each in passed) <= 20 for start in passed)
