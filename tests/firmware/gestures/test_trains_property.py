"""Laws of any train of edges: bounce and spikes change nothing, nor when it is looked at, nor how late the edges come; what is decided is only ever added to."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.firmware.gestures.any_train import Train, links, story, trains
from tests.firmware.gestures.trains import MS, Edge, chatter, drive

OFFSETS = st.lists(st.integers(1, 30 * MS), max_size=10, unique=True).map(lambda some: (0, *sorted(some[: len(some) // 2 * 2])))


@settings(deadline=None, max_examples=examples(1_600))
@given(trains())
def test_edges_up_to_750_ms_late_and_out_of_order_and_looks_in_between_make_the_same_game_and_the_same_picture(train: Train) -> None:
    unseen, in_time, late = drive(train.start, list(train.edges), train.until // MS), train.heard(late=False), train.heard(late=True)
    assert story(late.shown) == story(in_time.shown) == story(unseen)
    assert links(late.decided.history) == links(in_time.decided.history) == links(in_time.shown.history)


@given(trains(clean=True), st.data())
def test_random_bounce_on_every_edge_changes_nothing(train: Train, data: st.DataObject) -> None:
    bouncy = [one for edge in train.edges for one in chatter(edge.button, edge.at, data.draw(OFFSETS), down=edge.down)]
    clean, done = (drive(train.start, edges, train.until // MS) for edges in (list(train.edges), bouncy))
    assert story(done) == story(clean)
    assert done.spikes == 0


@given(trains(clean=True), st.integers(5_000, 20_000), st.lists(st.integers(1, 2 * MS - 1), min_size=1, max_size=5))
def test_spikes_on_a_button_that_rests_change_nothing_and_are_counted(train: Train, at: int, widths: list[int]) -> None:
    spikes = [Edge(at * MS + index * 50 * MS + rise, "up", down=rise == 0) for index, width in enumerate(widths) for rise in (0, width)]
    clean, spiked = (drive(train.start, [*train.edges, *more], train.until // MS + 20_000) for more in ([], spikes))
    assert (*story(spiked)[:-1], spiked.spikes) == (*story(clean)[:-1], clean.spikes + len(widths))
