from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import Hands
from game.history import History
from tests.examples import examples
from tests.firmware.gestures.trains import MS, Edge, Press, chatter, drive, said, table

STARTS = (
    ("naspa-2017", ()),
    ("naspa-2017", ("0 press right",)),
    ("naspa-2014", ("0 press right", "4 hold")),
    ("nzasp-2022", ("0 press right", "4 out_play")),
    ("club", ("0 press right", "4 challenge")),
    ("naspa-2017", ("0 press right", "1 out_play", "2 hold", "4 neutralise")),
    ("naspa-2017", ("0 late_start both",)),
)
APART = 70  # ms from letting go to pressing again: 30 ms of bounce and 35 ms of rest lie between
BETWEEN = 40  # ms between first edges of different buttons, so that their bounce does not overlap


class Game(Struct, frozen=True, dict=True):
    rulebook: str
    lines: tuple[str, ...]
    two_button: bool
    presses: tuple[Press, ...]
    until: int

    @property
    def start(self) -> ClockState:
        return table(self.rulebook, *self.lines, two_button=self.two_button)


@st.composite
def games(draw: st.DrawFn) -> Game:
    rulebook, lines = draw(st.sampled_from(STARTS))
    two_button = draw(st.booleans())
    buttons = ("left", "right") if two_button else ("left", "right", "centre")
    free = dict.fromkeys(buttons, 0)
    now, presses = 5_000, []
    for _ in range(draw(st.integers(1, 12))):
        now += draw(st.one_of(st.integers(BETWEEN, 500), st.integers(BETWEEN, 3_000)))
        button = draw(st.sampled_from(buttons))
        press = Press(
            button, max(now, free[button]), draw(st.one_of(st.integers(40, 300), st.integers(900, 1_500), st.integers(40, 6_000)))
        )
        now = press.at
        free[button] = press.at + press.held + APART
        presses.append(press)
    until = max(free.values()) + 2_000
    return Game(rulebook, lines, two_button, tuple(presses), until)


OFFSETS = st.lists(st.integers(1, 30 * MS), max_size=10, unique=True).map(lambda some: (0, *sorted(some[: len(some) // 2 * 2])))


def _clean(presses: tuple[Press, ...]) -> list[Edge]:
    return [one for press in presses for one in press.edges(bouncy=False)]


def _story(history: History) -> list[tuple[int, int, object]]:
    return [(link.number, link.at, link.event) for link in history]


@settings(deadline=None, max_examples=examples(250))
@given(game=games(), data=st.data())
def test_random_bounce_on_every_edge_changes_nothing(game: Game, data: st.DataObject) -> None:
    clean = drive(game.start, _clean(game.presses), game.until)
    ends = [(press.button, at * MS, down) for press in game.presses for at, down in ((press.at, True), (press.at + press.held, False))]
    bouncy = drive(game.start, [one for name, at, down in ends for one in chatter(name, at, data.draw(OFFSETS), down=down)], game.until)
    assert said(bouncy.history) == said(clean.history)
    assert _story(bouncy.history) == _story(clean.history)
    assert (bouncy.offer, bouncy.menu, bouncy.spikes) == (clean.offer, clean.menu, 0)


@settings(deadline=None, max_examples=examples(150))
@given(game=games(), looks=st.lists(st.integers(5_000 * MS, 60_000 * MS), max_size=30))
def test_looking_at_any_instants_in_between_changes_nothing(game: Game, looks: list[int]) -> None:
    unseen = drive(game.start, _clean(game.presses), game.until)
    seen, waiting = Hands(game.start, 0), sorted(look for look in looks if look <= game.until * MS)
    for one in sorted(_clean(game.presses)):
        while waiting and waiting[0] < one.at:
            seen = seen.tick(waiting.pop(0)).advanced
        seen = seen.tick(one.at - 1).advanced.edge(one.button, one.at, down=one.down)
    seen = seen.tick(game.until * MS).advanced
    assert _story(seen.shown.history) == _story(unseen.history)
    assert (seen.shown.offer, seen.shown.menu) == (unseen.offer, unseen.menu)


@settings(deadline=None, max_examples=examples(100))
@given(game=games())
def test_woken_only_when_due_the_table_misses_nothing(game: Game) -> None:
    woken, wakes = Hands(game.start, 0), 0
    edges = sorted(_clean(game.presses))
    for one in (*edges, None):
        while (wake := woken.due) is not None and (one is None or wake < one.at):
            woken, wakes = woken.tick(wake).advanced, wakes + 1
        woken = woken if one is None else woken.edge(one.button, one.at, down=one.down)
    assert _story(woken.decided.history) == _story(drive(game.start, edges, game.until).history)
    assert wakes <= 12 * len(edges), "it sleeps while nothing happens"


@settings(deadline=None, max_examples=examples(100))
@given(game=games(), at=st.integers(5_000, 20_000), widths=st.lists(st.integers(1, 2 * MS - 1), min_size=1, max_size=5))
def test_spikes_on_a_button_that_rests_change_nothing(game: Game, at: int, widths: list[int]) -> None:
    edges = [Edge(at * MS + index * 50 * MS + rise, "up", down=rise == 0) for index, width in enumerate(widths) for rise in (0, width)]
    clean = drive(game.start, _clean(game.presses), game.until + 20_000)
    spiked = drive(game.start, [*_clean(game.presses), *edges], game.until + 20_000)
    assert _story(spiked.history) == _story(clean.history)
    assert spiked.spikes == clean.spikes + len(widths)
