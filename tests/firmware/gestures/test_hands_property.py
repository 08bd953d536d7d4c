"""Decide, then record: edges that are delivered late or out of order make the same game, and what is decided is only ever added to."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import LATE_NS, Hands
from game.history import History
from tests.examples import examples
from tests.firmware.gestures.random_play import STARTS
from tests.firmware.gestures.trains import MS, Edge, Press, table

APART = 70  # ms from letting go to pressing again


class Train(Struct, frozen=True, dict=True):
    start: tuple[str, ...]
    two_button: bool
    edges: tuple[Edge, ...]
    delays: tuple[int, ...]

    @property
    def until(self) -> int:
        return self.edges[-1].at + 20_000 * MS

    def heard(self, *, late: bool) -> Hands:
        """Return the hands once all edges are heard, late or at once; what was decided on the way is required to stay."""
        begun = table("naspa-2017", *self.start, two_button=self.two_button, code=True)
        hands = Hands(begun, 5_000 * MS, now=5_000 * MS)
        delays = self.delays if late else (0,) * len(self.edges)
        arrivals = sorted(zip(self.edges, delays, strict=True), key=lambda each: each[0].at + each[1])
        for one, delay in arrivals:
            hands = ticked(hands, one.at + delay).edge(one.button, one.at, down=one.down)
        while (due := hands.due) is not None and due < self.until:
            hands = ticked(hands, due)
        return ticked(hands, self.until)


def ticked(hands: Hands, now: int) -> Hands:
    hands = hands.tick(now)
    before = hands.decided.history
    for at, decided in hands.newly_decided:
        assert at >= hands.since
        links = list(decided.history)
        assert before in links or links[-1] is not list(before)[-1], "what was decided has changed"
        before = decided.history
    # What is decided since leaves the picture as it is.
    shown, advanced = hands.shown, hands.advanced
    assert story(advanced.shown) == story(shown)
    return advanced


def story(state: ClockState) -> tuple[object, ...]:
    links = [(link.number, link.at, link.event) for link in state.history]
    return links, state.table_menu, state.offer, state.door, state.menu, state.answers, state.spikes


@st.composite
def trains(draw: st.DrawFn) -> Train:
    chance = Random(draw(st.integers(0, 1 << 30)))  # noqa: S311 - random hands
    two_button = draw(st.booleans())
    buttons = ("left", "right") if two_button else ("left", "right", "centre", "key", "ok")
    free = dict.fromkeys(buttons, 0)
    now, edges = 5_000, list[Edge]()
    for _ in range(draw(st.integers(1, 8))):
        now += chance.choice((20, 90, 400, 1_000, 1_600, 3_000))
        button = chance.choice(buttons)
        held = chance.choice((1, 40, 120, 700, 1_000, 1_300, 2_100, 5_200))
        press = Press(button, max(now, free[button]), held)
        free[button] = press.at + held + APART
        edges += press.edges(bouncy=held >= 40 and chance.random() < 0.3)
    delays = [chance.choice((0, chance.randrange(LATE_NS), LATE_NS - 1)) for _ in edges]
    return Train(draw(st.sampled_from(STARTS)), two_button, tuple(sorted(edges)), tuple(delays))


@settings(deadline=None, max_examples=examples(1_600))
@given(trains())
def test_edges_up_to_750_ms_late_and_out_of_order_make_the_same_game_and_the_same_picture(train: Train) -> None:
    in_time, late = train.heard(late=False), train.heard(late=True)
    assert story(late.shown) == story(in_time.shown)
    assert numbered(late.decided.history) == numbered(in_time.decided.history) == numbered(in_time.shown.history)


def numbered(history: History) -> list[tuple[int, int, object]]:
    return [(link.number, link.at, link.event) for link in history]
