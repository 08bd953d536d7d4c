"""Draws sheets as PDF, each on one page: the letters become smaller until it fits."""

import logging
from bisect import bisect_left
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

from appliance.texts import languages
from faults.errors import TileclockError
from rules.rulebooks import DEFAULT_RULEBOOK, Rulebook, load_rulebook
from tools.sheets.content import SHEETS, Section, Sheet, words

FONT: Final = Path(__file__).parents[2] / "appliance/display/typeface/AtkinsonHyperlegibleNext-Bold.ttf"
SHIPPED: Final = (DEFAULT_RULEBOOK, "wespa-2021")
"""The rulebooks of the documents' sheets."""
SCALES: Final = tuple(each / 1000 for each in range(1000, 649, -25))
"""How large the letters may be. Drawing is slow: the largest that fits is looked for by halves."""
GREY: Final = 110
logging.getLogger("fontTools.subset").setLevel(logging.WARNING)  # otherwise a page of Sphinx's output for each sheet


class SheetError(TileclockError, ValueError):
    """A sheet says more than a page holds."""


def write_all(folder: Path, *rulebooks: str) -> None:
    """Write each sheet of each rulebook (by id or file; none: those of the documents) in each language to ``folder``.

    Raises:
        RulebookError: a rulebook is unusable.
        SheetError: a sheet does not fit.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for book in map(load_rulebook, rulebooks or SHIPPED):
        for language in languages():
            for name in SHEETS:
                (folder / f"{name}-{book.id}-{language}.pdf").write_bytes(pdf(name, book, language))


def pdf(name: str, book: Rulebook, language: str) -> bytes:
    """Return a sheet as PDF.

    Raises:
        SheetError: it does not fit.
    """
    sheet = SHEETS[name](words(language), book)
    at = bisect_left(SCALES, True, hi=len(SCALES) - 1, key=lambda scale: _Page(sheet, scale, language).fits)
    page = _Page(sheet, SCALES[at], language)
    if page.fits:
        return bytes(page.output())
    raise SheetError(
        where=f"{name}, {language}, {book.id}",
        expected="one page",
        found="more",
        remedy="Shorten the texts in tools/sheets, or the rulebook's title",
    )


class _Page(FPDF):
    """A sheet drawn at one scale."""

    def __init__(self, sheet: Sheet, scale: float, language: str) -> None:
        super().__init__(format=sheet.size)
        width = sheet.size[0]
        margin = width / 15
        self.set_margin(margin)
        self.set_auto_page_break(False)
        self.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))  # the same bytes each time
        self.set_title(sheet.title)
        self.set_lang(language)
        self.add_font("heading", fname=FONT)
        self.add_page()
        self._letters = sheet.letters * scale
        self._set("heading", 2)
        self.multi_cell(0, self._line(2), sheet.title, align="L", new_x="LMARGIN", new_y="NEXT")
        for section in sheet.sections:
            self._section(section)
        self._set("helvetica", 0.8)
        self._foot = sheet.size[1] - margin - self._line(0.8)
        self.fits = self.get_y() + self._line(0.5) < self._foot
        self.set_y(self._foot)
        self.set_text_color(GREY)
        self.set_stretching(min(100, 100 * self.epw / max(1, self.get_string_width(sheet.foot) + 2)))
        self.cell(0, self._line(0.8), sheet.foot)

    def _set(self, family: str, times: float = 1) -> None:
        self.set_font(family, size=self._letters * times)

    def _line(self, times: float = 1) -> float:
        """Return the height of a line, in mm."""
        return self._letters * times * 0.3528 * 1.25

    def _section(self, section: Section) -> None:
        self.ln(self._line(0.5))
        if section.heading:
            self._set("heading")
            self.cell(0, self._line(1.3), section.heading, new_x="LMARGIN", new_y="NEXT")
        self._set("helvetica")
        pairs = [row for row in section.rows if len(row) > 1]
        numbered = all(len(row[0]) == 1 for row in pairs)
        with self.table(
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            col_widths=(1, 14) if numbered else (36, 64),
            first_row_as_headings=False,
            line_height=self._line(),
            padding=(self._line(0.13), 0.6),
            text_align="LEFT",
        ) as table:
            for row in section.rows:
                cells = table.row()
                if len(row) == 1:
                    cells.cell(row[0], colspan=2)
                else:
                    cells.cell(row[0], style=FontFace(family="heading"))
                    cells.cell(row[1])
