"""The bands of a page with text: title, banner, sentences, notices, the players' roles, footer; the play's words; and labels, without a font.

The words have one common size, as large as possible: in one column, or in more if that makes them larger. A label has its icon beside or above it, in one line or
two. Estimated widths are enough to choose a size, a column or a line break; the painter measures exactly, and passes its own measure for labels.
"""

from collections.abc import Sequence
from functools import cache
from math import ceil
from typing import Final

from appliance.display.layout import SMALLEST, Box, Measure, fit, lines_height, split
from kiosk.face.page import TOWARDS, Banner, Footer, Icon, Page, Target, Tone, WordLine
from kiosk.layout.placed import Band, Placed, Scale, What, columns, row
from rules.duration import NS, reading
from rules.side import BySide

_NARROW: Final = frozenset("iljtfrI.,:;'!|()[]·-/ \u2018\u2019¡ìíîïłŀ")
_WIDE: Final = frozenset("mwMWÆŒæœ…—%@")
_CAPITAL: Final = 0.70
_FIGURE: Final = 0.66
"""Figures are all as wide, 1 too."""
_SMALL: Final = 0.58


@cache
def _of(character: str) -> float:
    if character in _NARROW:
        return 0.34
    if character in _WIDE:
        return 0.92
    if character.isdigit():
        return _FIGURE
    return _CAPITAL if character.isupper() else _SMALL


def estimate(text: str, size: int) -> int:
    return round(sum(map(_of, text)) * size)


def capitals(text: str) -> float:
    return estimate(text, 1000) / (1000 * _CAPITAL)


LEAST: Final = 16
"""The least size of a sentence in pixels, and of a word's number if the word itself has it."""
SIGN: Final = 0.95
"""The size of an icon beside a text, in sizes of the text."""
APART: Final = 0.4
"""The gap between icon and text, in sizes."""
BESIDE: Final = (SIGN + APART, 0.0)
ABOVE: Final = (0.0, SIGN)
"""The width and height taken by an icon, in sizes."""
BARE: Final = (0.0, 0.0)
FAR_LARGER: Final = 1.12
"""The icon goes above its text if that makes both larger by this factor."""
HINT: Final = 0.68
"""The size of the shown key, in sizes of a sentence."""
WORTH: Final = 0.9
"""Keys are at the foot of buttons if the labels then have at least this share of their size with the keys beside them."""
NARROW: Final = 0.15
"""The gap between a label and the column beside it, in sizes of the key's name."""
USUAL_KEY: Final = "F9"
"""The column's minimum width is that of this name, so that all icons above names have one size."""


def inside(box: Box) -> Box:
    return box.inset(max(3, min(box.height // 12, box.width // 24)))


def largest(text: str, box: Box, top: int, taken: tuple[float, float], measure: Measure) -> tuple[int, tuple[str, ...]]:
    """Return the largest size in pixels, at most ``top``, at which a text fits beside its icon's ``taken`` width and height (in sizes), and its lines."""
    ways = _ways(text)
    for size in range(top, SMALLEST, -1):
        width, height = box.width - int(taken[0] * size), box.height - int(taken[1] * size)
        for lines in ways:
            if lines_height(len(lines), size) <= height and all(measure(line, size) <= width for line in lines):
                return size, lines
    return SMALLEST, (text,)


def goes_above(above: int, beside: int) -> bool:
    return above > beside * FAR_LARGER


def size_of(text: str, icon: Icon | None, box: Box, top: int, measure: Measure) -> int:
    if icon is None:
        return largest(text, box, top, BARE, measure)[0]
    beside, above = (largest(text, box, top, taken, measure)[0] for taken in (BESIDE, ABOVE))
    return above if goes_above(above, beside) else beside


def common(targets: Sequence[Target], boxes: Sequence[Box], top: int, hint: int, measure: Measure) -> tuple[int, int]:
    """Return one size in pixels for the labels of several buttons whose keys have ``hint`` pixels, and the place of these keys.

    The place is the foot of the buttons (0), or for low buttons a column of that many pixels beside the labels, under the icons.
    """
    inners = zip(targets, map(inside, boxes), strict=True)
    above = ((target, inner.top(inner.height - lines_height(1, hint)) if target.key else inner) for target, inner in inners)
    foot = min((size_of(target.text, target.icon, box, top, measure) for target, box in above), default=top)
    keys = [target.key for target in targets if target.key]
    if not keys:
        return foot, 0
    column = max(measure(key, hint) for key in (*keys, USUAL_KEY)) + round(NARROW * hint)
    beside = min(_least_beside(target, box, top, column, measure) for target, box in zip(targets, boxes, strict=True))
    return (foot, 0) if foot >= max(beside * WORTH, min(beside, LEAST)) else (beside, column)


def _least_beside(target: Target, box: Box, top: int, column: int, measure: Measure) -> int:
    if not target.key:
        return size_of(target.text, target.icon, inside(box), top, measure)
    return largest(target.text, inside(box).beside(column), top, BARE, measure)[0]


def _ways(text: str) -> tuple[tuple[str, ...], ...]:
    words = split(text)
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return ((text,), *((min(cuts, key=lambda way: max(map(len, way))),) if cuts else ()))


CODE_SHARE: Final = 0.40
BANNER_SHARE, LEAST_BANNER = 0.30, 0.25
"""The shares of the screen's height, and the banner's least one beside much text; its own text is about half of it, with an icon beside or above it."""
READ, READ_ALOUD = 0.68, 0.8
"""The minimum size of text to be read at arm's length, in sizes of a sentence: 16 pixels on the smallest screen; and of what two read together."""
ASIDE, READ_ASIDE = 0.85, 0.7
"""The size of what stands aside, and its minimum: it is read by two, as the lines are."""
FOOT: Final = 0.72
TITLE, LEAST_TITLE, COUNTDOWN = 1.5, 1.1, 1.1
"""The size of a title, which is the largest text but a banner, its minimum, and the size of the countdown, in sizes of a sentence."""
TABLE_LYING: Final = 5.0
TABLE_UPRIGHT: Final = 3.4
"""The width of the table's number, in sizes of a sentence: one place on all pages of a screen. Large text leaves the room to the title."""
MINUTE_S: Final = 60
COUNTDOWN_LYING, COUNTDOWN_UPRIGHT = 5.5, 4.0
"""The width of the countdown to clearing, likewise: it is as large as a title."""


def text_height(texts: Sequence[str], size: int, width: int) -> int:
    """Return the estimated height of ``texts`` at ``size`` pixels, wrapped to ``width`` pixels."""
    room = Box(0, 0, width, 100 * size)
    return sum(lines_height(len(fit([text], room, estimate, size, 1.0).lines), size) for text in texts)


def practice(text: str, scale: Scale) -> Band:
    height = round(scale.plain_text * 1.1)
    return Band(lambda box: (Placed(What.PRACTICE, box, (text,), round(height * 0.7), Tone.WARNING),), height, height, height)


def footer(shown: Footer, scale: Scale) -> Band:
    size = round(scale.plain_text * FOOT)
    texts = (shown.lexicon, shown.rulebook, shown.station)
    height = round(size * (1.4 if scale.lying else 3.0))
    return Band(lambda box: (Placed(What.FOOTER, box, texts, size, Tone.QUIET),), height, height, height)


def head(page: Page, scale: Scale, *, titled: bool) -> list[Band]:
    corner = page.door or page.help
    if not (titled or corner or page.table or page.countdown_s is not None):
        return []
    need = scale.least_down if corner else 0
    high = max(scale.least_down if page.table else need, round(scale.text * 1.9))
    return [
        Band(lambda box: _head(page, box, scale, titled=titled), need, high, high, least=round(scale.plain_text * 1.2) if titled else 0)
    ]


def _head(page: Page, box: Box, scale: Scale, *, titled: bool) -> tuple[Placed, ...]:
    parts: list[Placed] = []
    left, right = box.x, box.right
    if page.table:
        wide = round(scale.plain_text * (TABLE_LYING if scale.lying else TABLE_UPRIGHT))
        # As high on a full page as on another.
        place = Box(left, box.y, wide, min(box.height, scale.least_down))
        parts.append(Placed(What.TABLE, place, (page.table,), scale.plain_text, Tone.QUIET, place=0.0))
        left += wide + scale.gap_across
    for what, target in ((What.DOOR, page.door), (What.HELP, page.help)):
        if target is not None:
            wide = max(scale.least_across, box.height)
            right -= wide
            parts.append(placed(what, target, Box(right, box.y, wide, box.height), box.height, scale))
            right -= scale.gap_across
    if page.countdown_s is not None:
        shown = f"{page.countdown_s} s" if page.countdown_s < MINUTE_S else reading(page.countdown_s * NS)
        wide = round((COUNTDOWN_LYING if scale.lying else COUNTDOWN_UPRIGHT) * scale.text)
        right -= wide
        place = Box(right, box.y, wide, box.height)
        parts.append(Placed(What.COUNTDOWN, place, (shown,), round(scale.text * COUNTDOWN), Tone.QUIET, Icon.CLOCK))
        right -= scale.gap_across
    middle = Box(left, box.y, right - left, box.height)
    if titled:
        parts.append(Placed(What.TITLE, middle, (page.title,), round(scale.text * TITLE), place=0.0))
    return tuple(parts)


def title(text: str, scale: Scale, width: int, *, head: bool) -> Band:
    """Return the title below the corners: larger than the sentences if it is the page's headline, which otherwise is the banner."""
    shares = (TITLE, LEAST_TITLE) if head else (1.0, READ)
    want, least = (text_height([text], round(scale.plain_text * each), width) for each in shares)
    size = round(scale.text * shares[0])
    return Band(lambda box: (Placed(What.TITLE, box, (text,), size, place=0.0 if head else 0.5),), 0, want, want, least=least + 1)


def hero(title: str, scale: Scale) -> Band:
    size = round(scale.text * (2.6 if scale.lying else 2.2))
    want = text_height([title], size, scale.width * 9 // 10)
    return Band(lambda box: (Placed(What.TITLE, box, (title,), size),), 0, want, 2 * want, 1)


def sides(labels: BySide[str], scale: Scale, *, spare: bool) -> Band:
    """Return both players' roles, each on that player's side with an arrow that points there; ``spare``: the page's lines name the players too."""
    size = round(scale.text * 0.9)
    high, least = round(size * 1.7), lines_height(1, round(scale.plain_text * READ))

    def place(box: Box) -> tuple[Placed, ...]:
        halves = BySide(*row(box, [1, 1], scale.gap_across))
        return tuple(
            Placed(What.SIDE, halves.of(side), (label,), size, Tone.QUIET, TOWARDS.of(side), place=float(side is not side.LEFT))
            for side, label in labels.items()
        )

    return Band(place, 0, high, high, least=least, spare=spare)


def banner(shown: Banner, scale: Scale, *, over_code: bool) -> Band:
    """Return the banner, to be read from afar; over a code it leaves that the room."""
    want = round(scale.height * (BANNER_SHARE / 2 if over_code else BANNER_SHARE))
    need = min(want, ceil(scale.height * LEAST_BANNER))
    return Band(
        lambda box: (Placed(What.BANNER, box, (shown.text,), box.height, shown.tone, shown.icon),),
        need,
        want,
        round(want * 1.5),
        0 if over_code else 3,
        least=want,
    )


def code(rows: tuple[str, ...], scale: Scale) -> Band:
    want = round(scale.height * CODE_SHARE)
    return Band(lambda box: (Placed(What.CODE, box, rows),), 0, want, want)


def sentences(texts: tuple[str, ...], scale: Scale, *, middle: bool, width: int) -> Band:
    want = text_height(texts, scale.text, width) + scale.gap_down
    size = round(scale.text * 1.2) if middle else scale.text
    least = text_height(texts, round(scale.plain_text * (READ_ALOUD if middle else READ)), width) + 1
    return Band(
        lambda box: (Placed(What.LINES, box, texts, size, place=0.5 if middle else 0.0),), 0, want, round(want * 1.6), 1, least=least
    )


def aside(text: str, scale: Scale, width: int, *, middle: bool, spare: bool) -> Band:
    """Return text beside the lines: the keys of the help, what comes before a clock is started; ``spare``: the page can do without it."""
    size = round(scale.text * ASIDE)
    want, least = (text_height([text], each, width) + 1 for each in (size, round(scale.plain_text * READ_ASIDE)))
    place = 0.5 if middle else 0.0
    return Band(lambda box: (Placed(What.ASIDE, box, (text,), size, Tone.QUIET, place=place),), 0, want, want, least=least, spare=spare)


def notice(text: str, scale: Scale, width: int, *, success: bool) -> Band:
    pad = scale.text
    want = text_height([text], round(scale.text * 0.9), width - 4 * pad) + pad
    least = text_height([text], round(scale.plain_text * READ), width - 4 * pad) + scale.plain_text // 2
    size = round(scale.text * 0.9)
    tone, icon = (Tone.GOOD, Icon.TICK) if success else (Tone.WARNING, Icon.WARNING)
    return Band(lambda box: (Placed(What.NOTICE, box, (text,), size, tone, icon, place=0.0),), 0, want, want, least=least)


def entry(text: str, scale: Scale) -> Band:
    want = scale.text * 3
    return Band(lambda box: (Placed(What.ENTRY, box, (text,), round(box.height * 0.7)),), 0, want, want * 3 // 2, 2)


def by_side(targets: BySide[Target], scale: Scale, *, alone: bool) -> Band:
    """Return two targets, each on its own side; high if the page has no other question."""

    def place(box: Box) -> tuple[Placed, ...]:
        return of_sides(targets, BySide(*row(box, [1, 1], scale.gap_across * 2)), scale)

    return Band(place, scale.least_down, scale.rows(2) if alone else scale.least_down, scale.rows(4 if alone else 1), 4 if alone else 0)


def of_sides(targets: BySide[Target], boxes: BySide[Box], scale: Scale) -> tuple[Placed, ...]:
    return tuple(placed(What.BY_SIDE, target, boxes.of(side), round(scale.text * 1.5), scale) for side, target in targets.items())


def hint_of(target: Target, scale: Scale) -> int:
    """Return the size in pixels of the target's shown key; 0: it has none."""
    return round(scale.text * HINT) if target.key else 0


def placed(what: What, target: Target, box: Box, size: int, scale: Scale) -> Placed:
    return Placed(what, box, (target.text,), size, target.tone, target.icon, target, hint=hint_of(target, scale))


MAX_COLUMNS: Final = 4
USUAL: Final = 8
"""The letters for which there is room from the start: with most words, the size does not change during typing."""
STEPS: Final = (USUAL, 11, 15)
"""The steps of the room for letters, in capitals."""
LETTER: Final = 0.74
"""A letter's size, as a share of its line's height."""
READ_WORD: Final = 1.35
"""The minimum height of a line to read, in sizes of a sentence."""
ROOMY: Final = 1.25
"""The maximum height of a line, in heights of its letters."""
SMALL: Final = 0.7
"""The minimum size of a word during typing if there is room, in sizes of a sentence."""
NUMBERED: Final = 1.1
"""The width of the number beside the word, in line heights."""


def touched(words: Sequence[WordLine]) -> bool:
    return any(word.choose for word in words)


def least(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    """Return the minimum height of the words in ``width`` pixels, for their targets or for two readers."""
    if not touched(words):
        # Both players read the words before anything else on the page.
        return _read_in(2, words, scale)
    return scale.rows(-(-len(words) // _most_columns(words, width, scale)))


def readable(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    """Return the height below which a long word's letters become small, because it would need too many columns."""
    if not touched(words):
        return _read_in(2 if scale.lying else 1, words, scale)
    size = SMALL * scale.plain_text
    needed = int(_CAPITAL * STEPS[-1] * round(size)) + int(NUMBERED * size)
    return scale.rows(-(-len(words) // max(1, min(_most_columns(words, width, scale), width // needed))))


def _read_in(side_by_side: int, words: Sequence[WordLine], scale: Scale) -> int:
    """Return the minimum height of words that are only read, so many of them side by side."""
    return -(-len(words) // side_by_side) * (round(scale.plain_text * READ_WORD) + scale.gap_down)


def liked(words: Sequence[WordLine], scale: Scale) -> int:
    """Return the preferred height of the words in two columns, at a size to be read from a step away."""
    rows = -(-len(words) // 2)
    return scale.rows(rows) if touched(words) else rows * scale.text * 2


def lines_of(words: Sequence[WordLine], box: Box, scale: Scale) -> tuple[Placed, ...]:
    count = max(range(1, _most_columns(words, box.width, scale) + 1), key=lambda wide: _merit(words, box, wide, scale))
    size = _size(words, box, count, scale, _letters(words))
    # Limit the box of a single word.
    rows = -(-len(words) // count)
    # During typing the boxes do not change, however long a word becomes.
    widest = _size(words, box, count, scale, USUAL) if touched(words) else size
    tall = min(box.height, rows * (max(int(widest / LETTER * ROOMY), scale.least_down) + scale.gap_down) - scale.gap_down)
    cells = columns(Box(box.x, box.y + (box.height - tall) // 2, box.width, tall), len(words), count, scale)
    return tuple(
        Placed(What.WORD, cell, (str(word.number), word.text), size, target=word.choose, chosen=word.chosen, place=0.0)
        for word, cell in zip(words, cells, strict=True)
    )


def _most_columns(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    return max(1, min(MAX_COLUMNS, len(words), (width + scale.gap_across) // (2 * (scale.least_across + scale.gap_across))))


def _merit(words: Sequence[WordLine], box: Box, count: int, scale: Scale) -> tuple[bool, int, int]:
    """Return the merit: room for fingers first, then large letters, then few columns."""
    low = _height(words, box, count, scale) >= (scale.least_down if touched(words) else 1)
    # During typing the number of columns does not change, however long a word becomes.
    return low, _size(words, box, count, scale, STEPS[1] if touched(words) else _letters(words)), -count


def _height(words: Sequence[WordLine], box: Box, count: int, scale: Scale) -> int:
    rows = -(-len(words) // count)
    return (box.height - (rows - 1) * scale.gap_down) // rows


def _letters(words: Sequence[WordLine]) -> int:
    """Return the number of capitals to make room for: one size for all words, which falls in a few steps while a long one is typed."""
    longest = max(capitals(word.text) for word in words)
    return next((step for step in STEPS if longest <= step), ceil(longest))


def _size(words: Sequence[WordLine], box: Box, count: int, scale: Scale, letters: int) -> int:
    height = _height(words, box, count, scale)
    width = (box.width - (count - 1) * scale.gap_across) // count
    for size in range(int(height * LETTER), 8, -1):
        if size <= int((width - int(NUMBERED * size)) / (_CAPITAL * max(1, letters))):
            return size
    return 8
