"""A browser that comes back gets exactly what it missed, or has to begin again."""

from hypothesis import given
from hypothesis import strategies as st

from hall.desk.publisher import Ring


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 10))
def test_what_was_missed_comes_whole_or_not_at_all(added: int, known: int, kept: int) -> None:
    ring = Ring("run", kept)
    for number in range(1, added + 1):
        ring.add(b"%d" % number)
    found = ring.after(known)
    whole = [b"%d" % number for number in range(known + 1, added + 1)]
    assert found == (whole if known <= added and len(whole) <= kept else None)


def test_an_id_of_another_run_or_none_at_all_means_nothing() -> None:
    ring = Ring("0a1b")
    ring.add(b"x")
    assert ring.number_of(ring.id_of(1)) == 1
    assert {ring.number_of(given) for given in ("", "1", "ffff-1", "0a1b-", "0a1b--1", "0a1b-²", "0a1b-1 ", "0a1b-" + "9" * 50)} == {None}
