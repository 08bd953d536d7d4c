"""What may still be repeated, found again in the log's rows: the same as the flow itself would know, had it not lost its power."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from game.challenge_log.entry import Entry, Kind, Way
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Flow
from kiosk.challenge.repeats import Aged, reopened, still_open, verdicts_in
from kiosk.effects import ChallengeEffect, Judge, WriteEntry
from kiosk.events import (
    Adjudicate,
    Begin,
    ChallengeEvent,
    ClockStopped,
    Concede,
    Done,
    Finish,
    Judged,
    Mistyped,
    Next,
    SecondOpinion,
    ShowVerdict,
    Type,
    Withdraw,
)
from rules.side import Side
from tests.kiosk.challenge.making import S, at_words, context

ENDS = ("verdict", "repeat", "repeats", "opinion", "judge", "again", "withdraw", "concede")


class Logged:
    """A flow, and the rows that a shell would have written for it: number, entry, instant."""

    def __init__(self, repeats: int) -> None:
        self.flow: Flow = begin(context(repeats=repeats))
        self.rows: list[tuple[int, Entry, int]] = []

    def do(self, *events: ChallengeEvent) -> None:
        for event in events:
            at = max(self.flow.touched, self.flow.since) + S
            self.flow, effects = apply(self.flow, event, at)
            for effect in effects:
                self._done(effect, at)

    def _done(self, effect: ChallengeEffect, at: int) -> None:
        if isinstance(effect, WriteEntry):
            self.rows.append((len(self.rows) + 1, effect.entry, at))
        if isinstance(effect, Judge):
            row = len(self.rows) + 1
            self.rows.append((row, replace(effect.entry, acceptable=False), at + S))
            self.do(Judged(False, row))

    def challenge(self, table: int, challenger: Side, words: int, end: str) -> None:
        self.flow = at_words(self.flow, table, words, challenger)
        text = Type(" ".join(["CAT"] * words))
        match end:
            case "withdraw":
                self.do(Withdraw())
            case "concede":
                self.do(Concede(challenger))
            case _:
                self.do(text, Finish(), Adjudicate(Way.TAB))
                for _ in range({"repeat": 1, "repeats": 3}.get(end, 0)):
                    self.do(Mistyped(), text, Finish(), Adjudicate(Way.TAB))
                if end == "opinion":
                    self.do(SecondOpinion(here=True), Adjudicate(Way.TAB))
                if end == "judge":
                    self.do(SecondOpinion(here=False))
                if end == "again":
                    self.do(Done(), Begin(), ClockStopped(), Type(str(table)), Next(), ShowVerdict())
        self.do(Done())

    def aged(self, now: int) -> list[Aged]:
        return [Aged(number, entry, now - at) for number, entry, at in self.rows]


@given(
    st.integers(0, 2),
    st.lists(st.tuples(st.integers(1, 3), st.sampled_from(list(Side)), st.integers(1, 3), st.sampled_from(ENDS)), max_size=6),
    st.integers(0, 700),
)
def test_what_is_open_is_found_again_in_the_rows_as_the_flow_knew_it(
    repeats: int, challenges: list[tuple[int, Side, int, str]], later: int
) -> None:
    logged = Logged(repeats)
    for challenge in challenges:
        logged.challenge(*challenge)
    now = logged.flow.touched + later * S
    found = reopened(logged.aged(now), logged.flow.context.limits, now, lambda _: logged.flow.context.by)
    assert {each.table: each for each in found} == {each.table: each for each in still_open(logged.flow.open, now)}
    shown = verdicts_in(logged.aged(now), now, lambda _: logged.flow.context.by)
    assert {each.table: each for each in shown} == {each.table: each for each in still_open(logged.flow.verdicts, now)}


def test_a_word_judges_verdict_leaves_none_of_the_stations_to_show_and_one_without_its_rulebook_or_list_is_not_shown() -> None:
    by = context().by
    verdict = Entry(Kind.LOOKUP, 7, "left", ("CAT",), acceptable=True)
    manual = Entry(Kind.MANUAL, 7, "left", ("CAT",), acceptable=False)
    assert [each.first for each in verdicts_in([Aged(4, verdict, S)], 9 * S, lambda _: by)] == [4]
    assert verdicts_in([Aged(4, verdict, S), Aged(5, manual, S)], 9 * S, lambda _: by) == ()
    assert verdicts_in([Aged(4, verdict, S)], 9 * S, lambda _: None) == ()
    assert verdicts_in([Aged(4, verdict, 300 * S)], 400 * S, lambda _: by) == ()


def test_rows_that_are_no_look_up_of_that_table_open_and_close_nothing() -> None:
    limits = context().limits
    verdict = Entry(Kind.LOOKUP, 7, "left", ("CAT",), acceptable=True)
    others = (
        Entry(Kind.STARTED),
        Entry(Kind.ABORTED, 7, "right", ("DOG",)),
        Entry(Kind.WITHDRAWN, 7, "right"),
        Entry(Kind.CONCEDED, 8, "left"),
    )
    rows = [Aged(number, entry, 5 * S) for number, entry in enumerate((verdict, *others), 1)]
    (open_,) = reopened(rows, limits, 100 * S, lambda _: None)
    assert (open_.table, open_.challenger, open_.count, open_.first, open_.repeats) == (7, Side.LEFT, 1, 1, 0)
    assert open_.until == 95 * S + limits.repeat_ns
    assert reopened([Aged(1, verdict, limits.repeat_ns)], limits, 100 * S, lambda _: None) == ()
    assert reopened([Aged(1, Entry(Kind.REPEAT, 7, "left", ("CAT",), acceptable=True), S)], limits, 100 * S, lambda _: None) == ()
