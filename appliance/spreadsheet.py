"""A table as a spreadsheet opens it: its letters as they are, and no text as a formula."""

import re
from typing import Final

MARK: Final = "\ufeff"
"""Begins the file: without it Excel takes UTF-8 for the machine's 8-bit encoding."""
_SIGNS: Final = "[=+\\-@|\t\r\n\uff1d\uff0b\uff0d\uff20]"
_FORMULA: Final = re.compile(f"(?:^|(?<=;))(?='*{_SIGNS})")
"""A spreadsheet takes a cell that begins with these signs for a formula, which may send the sheet's data elsewhere (OWASP, CSV injection).

Where commas are decimal signs, a semicolon begins a cell too. East Asian spreadsheets also take the wide signs.
"""
_HARMLESS: Final = re.compile(f"(?:^|(?<=;))'(?='*{_SIGNS})")


def harmless(text: str) -> str:
    """Return ``text`` with an apostrophe before what would be a formula, also where one stands there already; ``as_written`` takes it away."""
    return _FORMULA.sub("'", text)


def as_written(text: str) -> str:
    return _HARMLESS.sub("", text)
