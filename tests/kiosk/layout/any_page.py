"""Any page on any screen, arranged, and what is asked of an arrangement."""

from itertools import combinations

from hypothesis import strategies as st
from msgspec.structs import replace

from kiosk import events as players
from kiosk.face.page import Page, Target
from kiosk.layout.arrange import arrange
from kiosk.layout.options import Options, scale
from kiosk.layout.placed import Arranged, Placed, What
from lexicon.alphabet import alphabets, load_alphabet
from rules.side import Side
from tests.firmware.screens.boxes import meet
from tests.kiosk.screens.pages import PAGES, checking, words_page

LYING = [(800, 480), (1024, 600), (1280, 720), (1280, 800), (1024, 768), (1920, 1080)]
UPRIGHT = [(480, 800), (600, 1024), (1080, 1920), (768, 1024)]

SIZES = st.one_of(
    st.sampled_from(LYING + UPRIGHT),
    st.tuples(st.integers(800, 1920), st.integers(480, 1080)).filter(lambda size: 1.3 <= size[0] / size[1] <= 1.8),
    st.tuples(st.integers(480, 1080), st.integers(800, 1920)).filter(lambda size: 1.3 <= size[1] / size[0] <= 1.8),
)


def options_for(size: tuple[int, int], *, large: bool = False, left: bool = False) -> Options:
    return Options(large_text=large, left_handed=left, millimetres_wide=154.08 if size[0] >= size[1] else 85.92)


def tiles_in_rows(alphabet: str, most: int) -> tuple[tuple[str, ...], ...]:
    tiles = [tile.text for tile in load_alphabet(alphabet).tiles]
    return tuple(tuple(tiles[start : start + most]) for start in range(0, len(tiles), most))


WORDS_PAGES = st.builds(
    lambda count, alphabet, most, practice: words_page(count, tiles_in_rows(alphabet, most), practice),
    st.integers(1, 8),
    st.sampled_from(alphabets()),
    st.integers(9, 12),
    st.sampled_from([None, "PRACTICE: no verdict counts"]),
).filter(lambda page: len(page.keyboard) <= 3)

CHECKING_PAGES = st.builds(checking, st.integers(1, 8), st.sampled_from(Side), st.sampled_from([None, "PRACTICE"]))
ANSWERS = st.integers(1, 6).map(lambda count: tuple(Target(f"answer.{index}", f"Answer {index}", players.Done()) for index in range(count)))

QUESTIONS = st.builds(
    lambda page, actions, lines, notice, practice: replace(page, actions=actions, lines=lines, notice=notice, practice=practice),
    st.sampled_from([page for page in PAGES.values() if not page.words and not page.keyboard]),
    ANSWERS,
    st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=120), max_size=3).map(tuple),
    st.one_of(st.none(), st.just("The printer has no paper: nothing is printed.")),
    st.sampled_from([None, "PRACTICE"]),
)

ANY_PAGE = st.builds(
    lambda page, table: replace(page, table=table),
    st.one_of(st.sampled_from(list(PAGES.values())), WORDS_PAGES, CHECKING_PAGES, QUESTIONS),
    st.sampled_from([None, "Table 345"]),
)


def touched(arranged: Arranged) -> list[Placed]:
    return [item for item in arranged.items if item.target is not None]


def of(arranged: Arranged, what: What) -> list[Placed]:
    return [item for item in arranged.items if item.what is what]


def everything(page: Page) -> list[Target]:
    several = [*(key for row in page.keyboard for key in row), *page.actions]
    several += [word.choose for word in page.words if word.choose]
    several += [row.target for row in page.rows if row.target]
    several += [target for _, target in page.by_side.items()] if page.by_side else []
    several += [page.adjudicate[1]] if page.adjudicate else []
    return several + [target for target in (page.door, page.help) if target]


def laid_out(page: Page, size: tuple[int, int], *, large: bool = False, left: bool = False) -> Arranged:
    """Arrange a page, and see that all of it is on the screen, nothing covers anything, and each target is there once and nine millimetres large."""
    options = options_for(size, large=large, left=left)
    arranged, lengths = arrange(page, size, options), scale(size, options)
    for item in arranged.items:
        assert 0 <= item.box.x < item.box.right <= size[0], (page.name, item)
        assert 0 <= item.box.y < item.box.bottom <= size[1], (page.name, item)
    assert not any(meet(one.box, other.box) for one, other in combinations(arranged.items, 2)), page.name
    assert sorted(target.id for target in arranged.targets) == sorted(target.id for target in everything(page))
    for item in touched(arranged):
        assert item.box.width >= 9 * lengths.across, (page.name, item)
        assert item.box.height >= 9 * lengths.down, (page.name, item)
    return arranged
