"""A whole page in bands: permanent content at the edges, text in the middle, targets below it.

In landscape, a number pad is beside its input, and the actions beside the letters; in portrait, everything is stacked. The ways on are below the letters.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from appliance.display.layout import Box
from kiosk.face.page import Icon, ListRow, Page, Target, Tone, WordLine
from kiosk.layout import parts
from kiosk.layout.parts import HINT, common, estimate, hint_of, least, liked, lines_of, readable
from kiosk.layout.placed import (
    APART_MM,
    ENDLESS,
    Arranged,
    Band,
    Options,
    Placed,
    Scale,
    What,
    columns,
    even,
    least_of,
    lines,
    mirrored,
    room,
    row,
    scale,
    stack,
)
from rules.side import BySide, Side

MAIN_WEIGHT: Final = 3
WEIGHT: Final = 2
ROOMY_MM: Final = 22.0
"""The width for an action's text."""
MAX_IN_ROW: Final = 5
NAMED: Final = 1.4
"""The height of narrow targets, on upright screens, in least heights: a label of two lines stands above its key's name."""
TIGHT_MM: Final = 21.0
ROWS_ABOVE: Final = 3
"""The most rows of letters that leave room, beside eight words, for a row of the ways on."""


def row_count(count: int, width: int, scale: Scale) -> int:
    return len(even(count, most_in_row(width, scale))) if count else 0


def most_in_row(width: int, scale: Scale) -> int:
    return max(1, min(MAX_IN_ROW, int(width / (ROOMY_MM * scale.across))))


def in_rows(actions: Sequence[Target], box: Box, scale: Scale, options: Options, most: int = 0) -> tuple[Placed, ...]:
    """Return the actions placed in rows that fill ``box``, of at most ``most`` (0: as many as have room)."""
    ordered = sorted(actions, key=lambda target: target.tone is Tone.MAIN)
    counts = even(len(ordered), most or most_in_row(box.width, scale))
    boxes: list[Box] = []
    for index, line in enumerate(lines(box, len(counts), scale.gap_down)):
        start, count = sum(counts[:index]), counts[index]
        weights = [MAIN_WEIGHT if target.tone is Tone.MAIN and count > 1 else WEIGHT for target in ordered[start : start + count]]
        boxes += row(line, weights, scale.gap_across)
    return _placed(ordered, mirrored(boxes, box) if options.left_handed else boxes, scale)


def ahead_and_others(actions: Sequence[Target]) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """Return the ways on, which come before the way back, and the others from the ways out to the way back, which is nearest to the ways on."""
    count = next((index for index, target in enumerate(actions) if target.icon is Icon.BACK), len(actions))
    return tuple(actions[:count]), tuple(reversed(actions[count:]))


def _placed(targets: Sequence[Target], boxes: Sequence[Box], scale: Scale) -> tuple[Placed, ...]:
    """Return the targets placed. All but the way on have one size, because a shorter label is not more important."""
    hint, top = round(scale.plain_text * HINT), round(scale.text * 1.15)
    each = list(zip(targets, boxes, strict=True))
    main = [(target, box) for target, box in each if target.tone is Tone.MAIN]
    others = [(target, box) for target, box in each if target.tone is not Tone.MAIN] or each
    size, column = common([target for target, _ in others], [box for _, box in others], top, hint, estimate)
    _, main_column = common([target for target, _ in main], [box for _, box in main], top, hint, estimate)
    return tuple(
        Placed(
            What.ACTION,
            box,
            (target.text,),
            top if target.tone is Tone.MAIN else size,
            target.tone,
            target.icon,
            target,
            hint=hint if target.key else 0,
            column=(main_column if target.tone is Tone.MAIN else column) if target.key else 0,
        )
        for target, box in each
    )


PAD: Final = 4
"""Keys in rows of at most this length are a number pad, which is beside its input."""
LETTER: Final = 0.62
"""The size of a letter, as a share of the smaller of its key's height and width."""
TALLEST_KEY: Final = 1.3
"""The maximum ratio of a key's height to its width."""
Rows = Sequence[Sequence[Target]]


def is_pad(rows: Rows) -> bool:
    return bool(rows) and max(map(len, rows)) <= PAD


def fitting(rows: Rows, most: int, alphabet: Sequence[str] = ()) -> tuple[tuple[Target, ...], ...]:
    """Return the keys in rows of at most ``most``: the given rows if short enough, otherwise in as few rows as possible, in the alphabet's order."""
    if not rows or max(map(len, rows)) <= most:
        return tuple(tuple(keys) for keys in rows if keys)
    places = {letter: place for place, letter in enumerate(alphabet)}
    keys = sorted(chain.from_iterable(rows), key=lambda target: places.get(target.text, len(places)))
    counts = even(len(keys), most)
    starts = [sum(counts[:index]) for index in range(len(counts))]
    return tuple(tuple(keys[start : start + count]) for start, count in zip(starts, counts, strict=True))


def parted(box: Box, rows: int, low: int, scale: Scale) -> tuple[Box, Box]:
    down = lines(box, rows, scale.gap_down)[-low].y - box.y
    return box.top(down - scale.gap_down), box.below(down)


def keys(rows: Rows, box: Box, scale: Scale) -> tuple[Placed, ...]:
    cell = row(Box(box.x, box.y, box.width, 1), [1] * max(map(len, rows)), scale.gap_across)[0].width
    placed: list[Placed] = []
    for line, targets in zip(lines(box, len(rows), scale.gap_down), rows, strict=True):
        taken = len(targets) * (cell + scale.gap_across) - scale.gap_across
        left = line.x + (line.width - taken) // 2
        size = int(min(line.height, cell) * LETTER)
        for index, target in enumerate(targets):
            place = Box(left + index * (cell + scale.gap_across), line.y, cell, line.height)
            placed.append(parts.placed(What.KEY, target, place, size, scale))
    return tuple(placed)


TALLEST_ROW: Final = 1.5
TALLEST_UPRIGHT: Final = 2.6
"""A row's maximum height, in minimum target heights; in portrait its text may need two more lines."""


def listing(rows: Sequence[ListRow], scale: Scale, height: int) -> Band:
    """Return the rows, for a screen with about ``height`` pixels for them."""
    touched = any(row.target for row in rows)
    wide = 2 if scale.lying and touched and scale.rows(len(rows)) > height else 1
    tall = -(-len(rows) // wide)
    need = scale.rows(tall) if touched else 0
    most = int(scale.rows(tall) * (TALLEST_ROW if scale.lying else TALLEST_UPRIGHT))

    def place(box: Box) -> tuple[Placed, ...]:
        return tuple(_row(row, cell, scale) for row, cell in zip(rows, columns(box, len(rows), wide, scale), strict=True))

    # An empty band shares what is over, and has next to nothing of it until the rows are as tall as they may be.
    return Band(place, need, scale.rows(tall), most, 30)


def _row(row: ListRow, box: Box, scale: Scale) -> Placed:
    tone = row.target.tone if row.target else Tone.PLAIN
    icon = row.target.icon if row.target else None
    hint = hint_of(row.target, scale) if row.target else 0
    return Placed(What.ROW, box, (row.text, row.detail), scale.text, tone, icon, row.target, hint=hint, place=0.0)


PAD_SHARE: Final = 0.46
"""The share of the width for a number pad beside its input."""
ADJUDICATE_ROWS: Final = 2
"""The adjudication key's minimum height, in minimum target heights."""


def arrange(page: Page, size: tuple[int, int], options: Options | None = None) -> Arranged:
    """Return everything on ``page`` with its place on a screen of ``size`` pixels (width, height).

    Every target is at least 9 mm wide and high and 1 mm from the next, unless the page has more than the screen can hold, as a keyboard with eight
    words or six rows of a list.
    """
    chosen = options or Options()
    if page.point is not None:
        return Arranged(size, page.name, _pointing(page, page.point, Box(0, 0, *size), scale(size, chosen), chosen))
    return Arranged(size, page.name, _Sheet(page, scale(size, chosen), chosen).placed())


_PLACES: Final = ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2))
"""Of the points where touch is tested, in halves of the width and height that are left."""


def _pointing(page: Page, point: int, whole: Box, scale: Scale, options: Options) -> tuple[Placed, ...]:
    """Return the first action at its point, up to the edges of the screen; the words and the others where no point is."""
    here, *others = page.actions
    wide, tall = whole.width // 5, whole.height // 5
    across, down = _PLACES[point]
    place = Box(across * (whole.width - wide) // 2, down * (whole.height - tall) // 2, wide, tall)
    between = whole.inset(scale.gap_across * 2, tall + scale.gap_down)
    rest = between.below(2 * tall)
    words = between.top(tall - scale.gap_down)
    notice = () if page.notice is None else (Placed(What.NOTICE, words.below(words.height // 2), (page.notice,), scale.text),)
    return (
        Placed(What.TITLE, words.top(words.height // 2 if notice else words.height), (page.title,), scale.text * 3 // 2),
        *notice,
        parts.placed(What.ACTION, here, place, scale.text, scale),
        *in_rows([*others, *([] if page.help is None else [page.help])], rest, scale, options),
    )


_TEXTS: Final = (What.TITLE, What.LINES, What.ASIDE)


def _free(texts: Sequence[Placed], still: Sequence[Placed], gap: int) -> Box:
    """Return the room between what is above ``texts`` and what is below them."""
    top, bottom = texts[0].box, texts[-1].box
    beside = [item.box for item in still if item not in texts and item.box.x < top.right and top.x < item.box.right]
    above = max((box.bottom + gap for box in beside if box.y < top.y), default=0)
    below = min((box.y - gap for box in beside if box.y >= bottom.bottom), default=top.bottom)
    return Box(top.x, above, top.width, below - above)


class _Sheet:
    def __init__(self, page: Page, lengths: Scale, options: Options) -> None:
        self._page, self._scale, self._options = page, lengths, options
        margin = lengths.gap_across * 2
        self._body = Box(margin, 0, lengths.width - 2 * margin, lengths.height)
        self._rows = fitting(page.keyboard, lengths.most_across(self._body.width), page.alphabet)
        self._beside = lengths.lying and is_pad(self._rows)

    def placed(self) -> tuple[Placed, ...]:
        """Return all placed parts: strip and footer from edge to edge, the rest inside the margins."""
        page, lengths = self._page, self._scale
        whole = Box(0, 0, lengths.width, lengths.height)
        bands = [Band(self._inner, share=1)]
        if page.practice:
            bands.insert(0, parts.practice(page.practice, lengths))
        still = stack(whole, [*bands, parts.footer(page.footer, lengths)], lengths.gap_down)
        return self._with_notice(page.notice, still) if page.notice else still

    def _with_notice(self, text: str, still: tuple[Placed, ...]) -> tuple[Placed, ...]:
        """Return the parts with the notice among the page's texts, or in the place of those that leave it no room: no target moves."""
        texts = [item for item in still if item.what in _TEXTS]
        # In the head, or above a banner, the title is alone.
        alone = bool(self._page.banner) or not (self._sparse or self._title_below)
        title = next((item for item in texts if item.what is What.TITLE and alone), None)
        below = [item for item in texts if item is not title]
        put = self._put_among(text, below, _free(below, still, self._scale.gap_down)) if below else ()
        if put:
            return *(item for item in still if item not in below), *put
        place = title or texts[0]
        notice = parts.notice(text, self._scale, place.box.width, success=self._page.success)
        # Where two lines have no room, as beside eight words, it has the gaps around it too.
        box = place.box if notice.least <= place.box.height else _free([place], still, 1)
        return *(item for item in still if item is not place), *notice.place(box)

    def _put_among(self, text: str, texts: Sequence[Placed], free: Box) -> tuple[Placed, ...]:
        """Return the notice below ``texts``, which give way to it from the last one, but for what follows from a verdict; empty: it has no room."""
        gap, notice = self._scale.gap_down, parts.notice(text, self._scale, free.width, success=self._page.success)
        # A large title may be half as large meanwhile.
        bands = {what: band.replace(least=band.least or band.want // 2) for what, band in self._texts(free.width).items()}
        kept = [bands[item.what] for item in texts]
        follows = self._page.banner is not None and not self._page.code
        for count in (len(kept),) if follows else range(len(kept), -1, -1):
            shown = [*kept[:count], notice]
            if least_of(shown, gap) <= free.height:
                return stack(free, [*([room()] if self._sparse else []), *shown, room()], gap)
        return ()

    def _inner(self, box: Box) -> tuple[Placed, ...]:
        inner = Box(self._body.x, box.y, self._body.width, box.height)
        if not self._page.practice:
            inner = inner.below(self._scale.gap_down)
        head = parts.head(self._page, self._scale, titled=not (self._sparse or self._title_below))
        below = [Band(self._columns, share=1)] if self._beside else [*self._read(inner), *self._pressed(inner.width)]
        return stack(inner, [*head, *below], self._scale.gap_down)

    def _columns(self, inner: Box) -> tuple[Placed, ...]:
        if self._page.by_side:
            return self._between_sides(self._page.by_side, inner)
        apart = self._scale.gap_across * 3
        pad = int(inner.width * PAD_SHARE)
        words, digits = row(inner, [inner.width - pad, pad], apart)
        if self._options.left_handed:
            digits, words = row(inner, [pad, inner.width - pad], apart)
        text = stack(words, [*self._read(words), room(), *self._actions(words.width)], self._scale.gap_down)
        return text + stack(digits, [room(), self._keyboard(digits.width), room()], self._scale.gap_down)

    def _between_sides(self, targets: BySide[Target], inner: Box) -> tuple[Placed, ...]:
        """Place the input and the number pad in the middle, and each player's target on that player's side."""
        lengths, wide = self._scale, inner.width // 4

        def place(box: Box) -> tuple[Placed, ...]:
            middle = Box(box.x + wide, box.y, box.width - 2 * wide, box.height).inset(lengths.gap_across * 3, 0)
            typed = stack(middle, [parts.entry(self._page.entry or "", lengths), self._keyboard(middle.width)], lengths.gap_down)
            return parts.of_sides(targets, BySide(box.left(wide), box.beside(box.width - wide)), lengths) + typed

        need = lengths.rows(len(self._rows)) + lengths.gap_down + 3 * lengths.plain_text // 2
        return stack(inner, [*self._read(inner), Band(place, need, share=1), *self._actions(inner.width)], lengths.gap_down)

    @property
    def _sparse(self) -> bool:
        """Whether the page has little besides a title and targets, so that the title is large."""
        page = self._page
        return not (page.banner or page.words or (page.keyboard and not is_pad(page.keyboard)) or page.rows or page.entry is not None)

    @property
    def _title_below(self) -> bool:
        """Whether the corners of an upright screen leave the title no room."""
        corners = self._page.table or self._page.door
        return bool(corners) and not (self._scale.lying or self._sparse)

    def _read(self, box: Box) -> list[Band]:
        page, lengths, texts = self._page, self._scale, self._texts(box.width)
        title = texts.pop(What.TITLE, None)
        return [
            *([room()] if self._sparse else []),
            *([] if title is None else [title]),
            *([parts.banner(page.banner, lengths, over_code=bool(page.code))] if page.banner else []),
            *([parts.code(page.code, lengths)] if page.code else []),
            *texts.values(),
            *([] if page.entry is None or (page.by_side and self._beside) else [parts.entry(page.entry, lengths)]),
            *self._listed(box),
        ]

    def _texts(self, width: int) -> dict[What, Band]:
        page, lengths = self._page, self._scale
        texts: dict[What, Band] = {}
        if self._sparse:
            texts[What.TITLE] = parts.hero(page.title, lengths)
        elif self._title_below:
            texts[What.TITLE] = parts.title(page.title, lengths, width, head=page.banner is None)
        middle = self._sparse or page.banner is not None
        if page.lines:
            texts[What.LINES] = parts.sentences(page.lines, lengths, middle=middle, width=width)
        if page.aside:
            texts[What.ASIDE] = parts.aside(page.aside, lengths, width, middle=middle, spare=bool(page.keyboard))
        return texts

    def _listed(self, box: Box) -> list[Band]:
        page, lengths = self._page, self._scale
        below = lengths.rows(1 + row_count(len(page.actions), box.width, lengths)) + lengths.gap_down
        alone = (self._sparse or bool(page.rows)) and not page.adjudicate
        return [
            *([self._words(page.words, box.width)] if page.words else []),
            *([listing(page.rows, lengths, box.height - below)] if page.rows else []),
            *([room()] if self._sparse or page.banner else []),
            *([parts.sides(page.sides, lengths, spare=page.banner is not None)] if page.sides else []),
            *([parts.by_side(page.by_side, lengths, alone=alone)] if page.by_side and not page.keyboard else []),
        ]

    def _words(self, words: Sequence[WordLine], width: int) -> Band:
        lengths = self._scale
        need, want, low = least(words, width, lengths), liked(words, lengths), readable(words, width, lengths)
        return Band(lambda box: lines_of(words, box, lengths), need, want, ENDLESS, 4, least=low)

    def _pressed(self, width: int) -> list[Band]:
        if self._page.adjudicate:
            return [self._adjudication(*self._page.adjudicate, width)]
        if not self._rows:
            return [*([] if self._page.banner or self._sparse or self._page.words else [room()]), *self._actions(width)]
        ahead, others = ahead_and_others(self._page.actions)
        if is_pad(self._rows) or not (ahead and others):
            sides = [parts.by_side(self._page.by_side, self._scale, alone=True)] if self._page.by_side else []
            return [self._keyboard(width), *sides, *self._actions(width)]
        if self._scale.lying:
            return [self._beside_letters(width, ahead, others)]
        # The letters of an upright screen are at one place, however many words and notices stand above them.
        high = self._scale.rows(len(self._rows))
        return [Band(lambda box: keys(self._rows, box, self._scale), high, high, high), self._row(ahead, 1.0), self._row(others, NAMED)]

    def _row(self, actions: Sequence[Target], share: float) -> Band:
        high = int(self._scale.least_down * share)
        return Band(lambda box: in_rows(actions, box, self._scale, self._options, MAX_IN_ROW), high, high, high)

    def _beside_letters(self, width: int, ahead: Sequence[Target], others: Sequence[Target]) -> Band:
        """Place the ways on below the letters, or beside many rows of them at the foot of the block of the others."""
        lengths, count = self._scale, len(self._rows)
        below = count <= ROWS_ABOVE
        wide = -(-len(others) // (count + 1 if below else count - len(ahead)))
        # Two columns of targets stand closer to the letters than one.
        needed, apart = lengths.columns(max(map(len, self._rows))), 2 * lengths.gap_across // wide
        block = max(int(wide * (TIGHT_MM + APART_MM) * lengths.across), min(wide * width // 5, width - needed - apart))
        left = width - block - apart
        band = self._keyboard(left)

        def place(box: Box) -> tuple[Placed, ...]:
            letters, beside = box.left(left), box.beside(box.width - block)
            if self._options.left_handed:
                letters, beside = box.beside(box.width - left), box.left(block)
            if below:
                letters, low = parted(letters, count + 1, 1, lengths)
            else:
                beside, low = parted(beside, count, len(ahead), lengths)
            put = _placed(others, columns(beside, len(others), wide, lengths), lengths)
            return keys(self._rows, letters, lengths) + in_rows(ahead, low, lengths, self._options, MAX_IN_ROW if below else 1) + put

        need = lengths.rows(count + below)
        return Band(place, need, need, band.most * (count + below) // count, band.share)

    def _keyboard(self, width: int) -> Band:
        rows, lengths = self._rows, self._scale
        need, wide = lengths.rows(len(rows)), width // max(map(len, rows))
        return Band(lambda box: keys(rows, box, lengths), need, need, max(need, int(len(rows) * wide * TALLEST_KEY)), 4)

    def _actions(self, width: int) -> list[Band]:
        actions, lengths, options = self._page.actions, self._scale, self._options
        if not actions:
            return []
        room_for = self._page.room_for
        # The names of languages are short, and a second row would take the room of what the page says.
        most = int(width / (TIGHT_MM * lengths.across)) if room_for else most_in_row(width, lengths)
        need = lengths.rows(len(even(max(len(actions), room_for), most)))
        roomy = self._sparse or self._page.banner
        want = need * 5 // 4 if roomy else need
        least = 0 if lengths.lying else int(need * NAMED)
        return [Band(lambda box: in_rows(actions, box, lengths, options, most), need, want, need * 2, int(bool(roomy)), least)]

    def _adjudication(self, side: Side, target: Target, width: int) -> Band:
        actions, lengths, options = self._page.actions, self._scale, self._options
        half = (width - 4 * lengths.gap_across) // 2
        need = lengths.rows(max(ADJUDICATE_ROWS, row_count(len(actions), half, lengths)))

        def place(box: Box) -> tuple[Placed, ...]:
            halves = BySide(*row(box, [1, 1], 4 * lengths.gap_across))
            key = parts.placed(What.ADJUDICATE, target, halves.of(side), round(lengths.text * 1.8), lengths)
            return key, *(in_rows(actions, halves.of(side.other), lengths, options) if actions else ())

        return Band(place, need, need, need * 3 // 2, 1)
