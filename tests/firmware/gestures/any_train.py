"""Any train of edges at any table, and how late each edge is heard."""

from random import Random

from hypothesis import strategies as st
from msgspec import Struct

from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import LATE_NS, Hands
from game.history import History
from tests.firmware.gestures.random_play import PLAYED, STARTS
from tests.firmware.gestures.trains import MS, Edge, Press, setup
from tests.firmware.saying import attempt

APART = 70
"""Milliseconds from letting go to pressing again: 30 of bounce and 35 of rest lie between."""
NEAR = (20, 90, 400, 1_000, 1_600, 3_000)
HELD = (1, 40, 120, 700, 1_000, 1_300, 2_100, 5_200)


class Train(Struct, frozen=True, dict=True):
    start: ClockState
    edges: tuple[Edge, ...]
    delays: tuple[int, ...]
    """In ns, below what counts as too late."""

    @property
    def until(self) -> int:
        return self.edges[-1].at + 20_000 * MS

    def heard(self, *, late: bool) -> Hands:
        """Return the hands once all edges are heard, late or at once, and woken only when they ask; what was decided on the way is required to stay."""
        hands, wakes = Hands(self.start, 5_000 * MS, now=5_000 * MS), 0
        delays = self.delays if late else (0,) * len(self.edges)
        for now, edge in sorted((edge.at + delay, edge) for edge, delay in zip(self.edges, delays, strict=True)):
            while (due := hands.due) is not None and due < now:
                hands, wakes = ticked(hands, due), wakes + 1
            hands = ticked(hands, now).edge(edge.button, edge.at, down=edge.down)
        while (due := hands.due) is not None and due < self.until:
            hands, wakes = ticked(hands, due), wakes + 1
        assert wakes <= 12 * len(self.edges) + 12, "they sleep while nothing happens"
        return ticked(hands, self.until)


def ticked(hands: Hands, now: int) -> Hands:
    hands = hands.tick(now)
    before = hands.decided.history
    for at, decided in hands.newly_decided:
        assert at >= hands.since
        assert before in decided.history or decided.history.first is not before.first, "what was decided has changed"
        before = decided.history
    shown, advanced = hands.shown, hands.advanced
    assert story(advanced.shown) == story(shown), "what is decided leaves the picture as it is"
    return advanced


def story(state: ClockState) -> tuple[object, ...]:
    return links(state.history), state.table_menu, state.offer, state.door, state.menu, state.answers, state.spikes


def links(history: History) -> list[tuple[int, int, object]]:
    return [(link.number, link.at, link.event) for link in history]


@st.composite
def trains(draw: st.DrawFn, *, clean: bool = False) -> Train:
    """Draw a train; ``clean``: no press is so short or so near another one that bounce could join them."""
    chance = Random(draw(st.integers(0, 1 << 30)))  # noqa: S311 - random hands
    two_button = draw(st.booleans())
    buttons = ("left", "right") if two_button else ("left", "right", "centre", "key", "ok")
    free = dict.fromkeys(buttons, 0)
    now, edges = 5_000, list[Edge]()
    for _ in range(draw(st.integers(1, 8))):
        now += chance.choice(NEAR[clean:])
        button, held = chance.choice(buttons), chance.choice(HELD[clean:])
        press = Press(button, max(now, free[button]), held)
        now, free[button] = press.at, press.at + held + APART
        edges += press.edges(bouncy=not clean and held >= 40 and chance.random() < 0.3)
    delays = [chance.choice((0, chance.randrange(LATE_NS), LATE_NS - 1)) for _ in edges]
    begun = attempt(draw(st.sampled_from(PLAYED)), *draw(st.sampled_from(STARTS))).history
    return Train(ClockState(begun, setup(two_button=two_button, code=True)), tuple(sorted(edges)), tuple(delays))
