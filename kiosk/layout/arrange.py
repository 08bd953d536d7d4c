"""A whole page in bands: permanent content at the edges, text in the middle, targets below it.

In landscape, a number pad is beside its input, and the actions beside the letters; in portrait, everything is stacked.
"""

from __future__ import annotations

from typing import Final

from appliance.display.layout import Box
from kiosk.face.page import Page, Target
from kiosk.layout import parts
from kiosk.layout.grid import ENDLESS, Band, room, row, stack
from kiosk.layout.options import Options, Scale, scale
from kiosk.layout.parts import least, liked, lines_of, readable
from kiosk.layout.placed import Arranged, Placed
from kiosk.layout.targets import block_width, fitting, in_block, in_rows, is_pad, keys, listing, row_count, tallest
from rules.side import BySide, Side

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
    return Arranged(size, page.name, _Sheet(page, scale(size, chosen), chosen).placed())


class _Sheet:
    """One page on one screen, during arrangement."""

    def __init__(self, page: Page, lengths: Scale, options: Options) -> None:
        self._page, self._scale, self._options = page, lengths, options
        margin = lengths.gap_across * 2
        self._body = Box(margin, 0, lengths.width - 2 * margin, lengths.height)
        self._rows = fitting(page.keyboard, lengths.most_across(self._body.width))
        self._beside = lengths.lying and is_pad(self._rows)

    def placed(self) -> tuple[Placed, ...]:
        """Return all placed parts: strip and footer from edge to edge, the rest inside the margins."""
        page, lengths = self._page, self._scale
        whole = Box(0, 0, lengths.width, lengths.height)
        bands = [Band(self._inner, share=1)]
        if page.practice:
            bands.insert(0, parts.practice(page.practice, lengths))
        return stack(whole, [*bands, parts.footer(page.footer, lengths)], lengths.gap_down)

    def _inner(self, box: Box) -> tuple[Placed, ...]:
        inner = Box(self._body.x, box.y, self._body.width, box.height)
        if not self._page.practice:
            inner = inner.below(self._scale.gap_down)
        if not self._beside:
            return stack(inner, [*self._head(), *self._read(inner), *self._pressed(inner.width)], self._scale.gap_down)
        return stack(inner, [*self._head(), Band(self._columns, share=1)], self._scale.gap_down)

    def _columns(self, inner: Box) -> tuple[Placed, ...]:
        """Place the input, and the number pad beside it on the side of the typing hand."""
        apart = self._scale.gap_across * 3
        pad = int(inner.width * PAD_SHARE)
        words, digits = row(inner, [inner.width - pad, pad], apart)
        if self._options.left_handed:
            digits, words = row(inner, [pad, inner.width - pad], apart)
        text = stack(words, [*self._read(words), room(), *self._actions(words.width)], self._scale.gap_down)
        return text + stack(digits, [room(), self._keyboard(digits.width), room()], self._scale.gap_down)

    @property
    def _sparse(self) -> bool:
        """Whether the page has little besides a title and targets, so that the title is large."""
        page = self._page
        return not (page.banner or page.words or (page.keyboard and not is_pad(page.keyboard)) or page.rows or page.entry is not None)

    def _head(self) -> list[Band]:
        head = parts.head(self._page, self._scale, titled=not self._sparse)
        return [head] if head else []

    def _read(self, box: Box) -> list[Band]:
        """Return the text bands, from the top."""
        page, lengths = self._page, self._scale
        bands: list[Band] = []
        if self._sparse:
            bands += [room(), parts.hero(page.title, lengths)]
        if page.banner:
            bands.append(parts.banner(page.banner, lengths, over_code=bool(page.code)))
        if page.code:
            bands.append(parts.code(page.code, lengths))
        if page.lines:
            bands.append(parts.sentences(page.lines, lengths, middle=self._sparse or page.banner is not None, width=box.width))
        if page.aside:
            bands.append(parts.aside(page.aside, lengths, box.width))
        if page.notice:
            bands.append(parts.notice(page.notice, lengths, box.width, success=page.success))
        if page.entry is not None:
            bands.append(parts.entry(page.entry, lengths))
        return bands + self._listed(box)

    def _listed(self, box: Box) -> list[Band]:
        """Return the bands with several entries: words, rows, the players' sides."""
        page, lengths = self._page, self._scale
        bands: list[Band] = []
        if page.words:
            bands.append(self._words(box.width))
        if page.rows:
            bands.append(
                listing(
                    page.rows, lengths, box.height - lengths.rows(1 + row_count(len(page.actions), box.width, lengths)) - lengths.gap_down
                )
            )
        if self._sparse or page.banner:
            bands.append(room())
        if page.sides:
            bands.append(parts.sides(page.sides, lengths))
        if page.by_side:
            bands.append(parts.by_side(page.by_side, lengths, alone=self._sparse and not page.adjudicate))
        return bands

    def _words(self, width: int) -> Band:
        words, lengths = self._page.words, self._scale
        need, want = least(words, width, lengths), liked(words, lengths)
        return Band(lambda box: lines_of(words, box, lengths), need, want, ENDLESS, 4, least=readable(words, width, lengths))

    def _pressed(self, width: int) -> list[Band]:
        """Return the target bands, at the bottom."""
        if self._page.adjudicate:
            return [self._adjudication(*self._page.adjudicate, width)]
        if not self._rows:
            return [*self._filler(), *self._actions(width)]
        block = block_width(len(self._page.actions), len(self._rows), self._scale) if self._page.actions else 0
        longest = max(map(len, self._rows))
        needed = longest * (self._scale.least_across + self._scale.gap_across)
        if self._scale.lying and block and needed + self._scale.gap_across + block <= width:
            return [self._desk(width, max(block, min(width // 5, width - needed - self._scale.gap_across)))]
        return [self._keyboard(width), *self._actions(width)]

    def _filler(self) -> list[Band]:
        return [] if self._page.banner or self._sparse or self._page.words else [room()]

    def _desk(self, width: int, block: int) -> Band:
        """Return the letters with the actions beside them."""
        lengths, options, rows, actions = self._scale, self._options, self._rows, self._page.actions
        band = self._keyboard(width - block - 2 * lengths.gap_across)

        def place(box: Box) -> tuple[Placed, ...]:
            wide = box.width - block - 2 * lengths.gap_across
            letters, beside = box.left(wide), box.beside(box.width - block)
            if options.left_handed:
                letters, beside = box.beside(box.width - wide), box.left(block)
            return keys(rows, letters, lengths) + in_block(actions, beside, len(rows), lengths, options)

        return Band(place, band.need, band.want, band.most, band.share)

    def _keyboard(self, width: int) -> Band:
        rows, lengths = self._rows, self._scale
        need, most = lengths.rows(len(rows)), tallest(rows, width, lengths)
        return Band(lambda box: keys(rows, box, lengths), need, need, most, 4)

    def _actions(self, width: int) -> list[Band]:
        actions, lengths, options = self._page.actions, self._scale, self._options
        if not actions:
            return []
        need = lengths.rows(row_count(len(actions), width, lengths))
        roomy = self._sparse or self._page.banner
        return [
            Band(lambda box: in_rows(actions, box, lengths, options), need, need * 5 // 4 if roomy else need, need * 2, int(bool(roomy)))
        ]

    def _adjudication(self, side: Side, target: Target, width: int) -> Band:
        """Return the challenged player's key on that player's side, and the other targets on the other."""
        actions, lengths, options = self._page.actions, self._scale, self._options
        half = (width - 4 * lengths.gap_across) // 2
        need = lengths.rows(max(ADJUDICATE_ROWS, row_count(len(actions), half, lengths)))

        def place(box: Box) -> tuple[Placed, ...]:
            halves = BySide(*row(box, [1, 1], 4 * lengths.gap_across))
            key = parts.adjudication(target, halves.of(side), lengths)
            return key, *(in_rows(actions, halves.of(side.other), lengths, options) if actions else ())

        return Band(place, need, need, need * 3 // 2, 1)
