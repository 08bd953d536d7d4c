from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.board_pins import Edge
from hardware.buttons.steady import Steady
from rules.contact import MS


def train(*changes: int, button: str = "left") -> list[Edge]:
    """Return the edges of one button at these instants (ms): down, up, down ..."""
    return [Edge(button, place % 2 == 0, at * MS, stamped=True) for place, at in enumerate(changes)]


def counted(steady: Steady, edges: list[Edge], until: int) -> list[int]:
    """Return the instants (ms) of the edges that count by ``until``, each edge being taken as it comes."""
    heard = [edge for each in edges for edge in steady.take([each], each.at)]
    return [edge.at // MS for edge in heard + steady.take([], until * MS)]


def test_a_press_shorter_than_asked_is_left_out_and_a_longer_one_counts_from_its_first_edge() -> None:
    assert counted(Steady(200 * MS, 0), train(1_000, 1_199, 2_000, 2_200), 3_000) == [2_000, 2_200]


def test_a_press_is_heard_of_as_soon_as_it_has_lasted_long_enough() -> None:
    steady, (down, up) = Steady(200 * MS, 0), train(1_000, 1_900)
    assert steady.take([down], down.at) == []
    assert 1_200 * MS in steady.dues
    assert steady.take([], 1_199 * MS) == []
    assert steady.take([], 1_200 * MS) == [down]
    assert steady.take([up], up.at) == [up]


def test_a_bounce_ends_no_press_and_a_tremor_that_lets_go_for_longer_does() -> None:
    assert counted(Steady(200 * MS, 0), train(1_000, 1_004, 1_009, 1_210, 1_214, 1_218), 2_000) == [
        1_000,
        1_004,
        1_009,
        1_210,
        1_214,
        1_218,
    ]
    assert counted(Steady(200 * MS, 0), train(1_000, 1_110, 1_150, 1_260), 2_000) == []


def test_a_button_begins_no_second_press_within_its_guard_and_the_other_button_does() -> None:
    steady = Steady(0, 500 * MS)
    again = train(1_000, 1_100, 1_599, 2_500, 2_700, 2_800)
    assert counted(steady, again, 4_000) == [1_000, 1_100, 2_700, 2_800]
    assert counted(steady, train(2_900, 2_950, button="right"), 4_500) == [2_900, 2_950]


def test_with_a_guard_alone_a_press_is_heard_of_at_once() -> None:
    (down, _) = train(1_000, 1_100)
    assert Steady(0, 500 * MS).take([down], down.at) == [down]


def test_the_release_of_a_button_that_was_down_at_the_start_and_each_turn_of_the_key_pass() -> None:
    steady = Steady(400 * MS, 1_000 * MS)
    released = Edge("left", False, 5 * MS, stamped=True)
    assert steady.take([released], released.at) == [released]
    assert counted(steady, train(10, 60, 100, 150, button="key"), 500) == [10, 60, 100, 150]


def test_edges_that_come_all_at_once_count_as_if_each_had_come_at_its_instant() -> None:
    edges = train(1_000, 1_100, 2_000, 2_300, 2_400, 2_900)
    assert [edge.at // MS for edge in Steady(200 * MS, 300 * MS).take(edges, 9_000 * MS)] == [2_000, 2_300]


@given(st.lists(st.integers(36, 900), max_size=12), st.integers(0, 400), st.integers(0, 1_000))
def test_what_counts_is_whole_presses_as_long_and_as_far_apart_as_asked(gaps: list[int], press: int, guard: int) -> None:
    instants = [1_000 + sum(gaps[: place + 1]) for place in range(len(gaps) // 2 * 2)]
    heard = counted(Steady(press * MS, guard * MS), train(*instants), 100_000)
    began, ended = heard[0::2], heard[1::2]
    assert set(zip(began, ended, strict=True)) <= set(zip(instants[0::2], instants[1::2], strict=True))
    assert all(up - down >= press for down, up in zip(began, ended, strict=True))
    assert all(down - up >= guard for down, up in zip(began[1:], ended, strict=False))
