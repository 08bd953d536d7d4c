"""Where things stand: what is a player's on that player's side, and what a hand needs on the side of that hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.face.page import Banner, Icon, Page, Tone
from kiosk.layout.arrange import arrange
from kiosk.layout.options import scale
from kiosk.layout.placed import What
from rules.side import Side
from tests.cells import each_cell
from tests.kiosk.face.flows import every_flow, shown
from tests.kiosk.layout.any_page import LYING, SIZES, UPRIGHT, everything, meet, of, options_for, touched
from tests.kiosk.screens.pages import DIGITS, PAGES, SIDES, checking, words_page
from tests.kiosk.screens.states import STATES


@given(SIZES, st.sampled_from(Side), st.integers(1, 8), st.booleans())
def test_the_adjudication_key_is_on_the_challenged_players_side_large_and_apart_from_what_the_challenger_presses(
    size: tuple[int, int],
    side: Side,
    count: int,
    left: bool,
) -> None:
    options = options_for(size, left=left)
    arranged = arrange(checking(count, side), size, options)
    (key,) = of(arranged, What.ADJUDICATE)
    middle = size[0] // 2
    assert key.box.x >= middle if side is Side.RIGHT else key.box.right <= middle
    assert key.box.width >= size[0] * 2 // 5
    assert key.box.height >= 18 * scale(size, options).down
    for action in of(arranged, What.ACTION):
        assert action.box.right <= middle if side is Side.RIGHT else action.box.x >= middle
        apart = action.box.x - key.box.right if side is Side.LEFT else key.box.x - action.box.right
        assert apart >= 3 * scale(size, options).across


@given(SIZES)
def test_two_targets_for_the_players_stand_each_on_its_side(size: tuple[int, int]) -> None:
    arranged = arrange(PAGES["challenger"], size, options_for(size))
    places = {item.target.id: item.box for item in of(arranged, What.BY_SIDE) if item.target}
    assert places["challenger.left"].right <= size[0] // 2 <= places["challenger.right"].x


@given(SIZES)
def test_two_targets_for_the_players_stand_beside_the_adjudication_key_too(size: tuple[int, int]) -> None:
    page = replace(checking(8, practice="PRACTICE"), by_side=SIDES)
    arranged = arrange(page, size, options_for(size))
    assert len(of(arranged, What.BY_SIDE)) == 2
    assert min(item.box.height for item in touched(arranged)) >= 9 * scale(size, options_for(size)).down


def test_a_left_hand_has_what_it_needs_on_the_left() -> None:
    size = (800, 480)
    for page in (DIGITS, words_page(2)):
        right, left = (arrange(page, size, options_for(size, left=left)) for left in (False, True))
        what = What.KEY if page is DIGITS else What.ACTION
        assert min(item.box.x for item in of(right, what)) > 400
        assert max(item.box.right for item in of(left, what)) < 400


def test_the_way_on_stands_on_the_side_of_the_hand() -> None:
    size = (1280, 720)
    for left in (False, True):
        actions = of(arrange(PAGES["verdict_acceptable"], size, options_for(size, left=left)), What.ACTION)
        (main,) = (item for item in actions if item.tone is Tone.MAIN)
        assert main.box.x == (min if left else max)(item.box.x for item in actions)


def test_the_sides_are_labelled_each_on_its_own() -> None:
    labels = of(arrange(checking(2), (800, 480)), What.SIDE)
    assert [(item.texts[0], item.icon) for item in sorted(labels, key=lambda item: item.box.x)] == [
        ("challenger", Icon.LEFT),
        ("challenged player", Icon.RIGHT),
    ]


def test_a_page_with_a_banner_and_two_sides_and_all_else_keeps_its_targets() -> None:
    banner = Banner("B", Icon.WARNING, Tone.WARNING)
    page = replace(PAGES["director"], by_side=SIDES, banner=banner, countdown_s=3, notice="N", practice="P")
    arranged = arrange(page, (800, 480))
    assert len(arranged.targets) == len(everything(page))
    assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2))


@cache
def every_page() -> tuple[Page, ...]:
    """Return the page of every flow, with the challenger on either side, and of every state."""
    flows = [flow if flow.challenger is None else flow.replace(challenger=side) for flow in every_flow() for side in Side]
    return *(shown(flow) for flow in flows), *(state("en") for state in STATES.values())


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_what_names_a_side_stands_on_that_side_whatever_the_hand(size: tuple[int, int]) -> None:
    for cell in each_cell(product([False, True], [False, True])):
        with cell as (left, large):
            middle, named = size[0] // 2, set[str]()
            for page in every_page():
                arranged = arrange(page, size, options_for(size, large=large, left=left))
                for item in arranged.items:
                    side = None if item.target is None else item.target.id.rpartition(".")[2]
                    if page.adjudicate is not None and item.target == page.adjudicate[1]:
                        side = str(page.adjudicate[0])
                    if item.target is not None and side in {"left", "right"}:
                        named.add(item.target.id)
                        assert item.box.right <= middle if side == "left" else item.box.x >= middle, (page.name, item)
            assert named == {"adjudicate", *(f"{what}.{side}" for what in ("challenger", "concede") for side in Side)}
