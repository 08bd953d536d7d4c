"""Any event but a new game, for property tests: of no game in particular, so a game refuses most of them."""

from typing import Final

from hypothesis import strategies as st

from game import events as ev
from rules.duration import NS
from rules.rulebooks import WINDOW_NAMES, load_rulebook
from rules.side import BySide, Side

SIDES: Final = st.sampled_from(Side)
SHIPPED: Final = ("naspa-2014", "naspa-2017", "nzasp-2022", "club")
REASONS: Final = st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]) | st.just(" "), min_size=1, max_size=20)
"""Texts that the format takes: one printable line."""
SCORES: Final = st.builds(BySide, st.integers(-999, 1999), st.integers(-999, 1999))
WAITS: Final = st.builds(BySide, st.just(0), st.integers(0, 10**12))
NAMES: Final = st.builds(BySide, REASONS, st.just(""))
WORDS: Final = st.builds(BySide, st.integers(0, 9), st.integers(0, 9))


def any_event(
    reasons: st.SearchStrategy[str], amounts: st.SearchStrategy[int], numbers: st.SearchStrategy[int]
) -> st.SearchStrategy[ev.GameEvent | ev.Undo]:
    return st.one_of(
        st.builds(ev.Press, SIDES),
        st.builds(ev.Neutralise, st.none() | reasons),
        st.builds(ev.Reason, reasons),
        st.just(ev.Hold()),
        st.just(ev.Release()),
        st.just(ev.OutPlay()),
        st.just(ev.NotOut()),
        st.builds(ev.Challenge, st.none() | SIDES),
        st.just(ev.Withdraw()),
        st.builds(ev.Verdict, st.booleans(), st.integers(1, 20)),
        st.builds(ev.Resume, SIDES),
        st.builds(ev.Decide, SIDES),
        st.builds(
            ev.StartWindow,
            st.sampled_from(WINDOW_NAMES),
            st.none() | SIDES,
            st.none() | st.integers(0, 400).map(lambda seconds: seconds * NS),
            st.none() | st.integers(300, 600).map(lambda seconds: seconds * NS),
        ),
        st.builds(ev.End, reasons, st.none() | SIDES),
        st.builds(ev.Reopen, reasons),
        st.builds(ev.LateStart, st.none() | SIDES),
        st.builds(ev.Arrive, SIDES),
        st.builds(ev.Adjust, SIDES, amounts, st.sampled_from(ev.When), reasons),
        st.builds(ev.EraseOvertime, SIDES, reasons, st.integers(-700, 0).map(lambda seconds: seconds * NS)),
        st.builds(ev.Points, SIDES, st.integers(-1000, 1000).filter(bool), reasons),
        st.builds(lambda rulebook, reason: ev.ChangeRulebook(load_rulebook(rulebook), rulebook, reason), st.sampled_from(SHIPPED), reasons),
        st.builds(ev.Swap, reasons),
        st.builds(ev.Infraction, SIDES),
        st.builds(ev.Call, st.booleans(), st.booleans()),
        st.builds(ev.Result, SCORES, st.booleans(), SCORES, WAITS, NAMES, st.none() | WORDS, st.none() | st.integers(1, 999)),
        st.builds(ev.Undo, reasons, st.none() | numbers),
    )
