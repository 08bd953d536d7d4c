"""A table as a spreadsheet opens it: its letters as they are, and no text as a formula."""

from typing import Final

MARK: Final = "\ufeff"
"""Begins the file: without it Excel takes UTF-8 for the machine's 8-bit encoding."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet takes a cell that begins with these for a formula, which may send the sheet's data elsewhere (OWASP, CSV injection)."""


def harmless(text: str) -> str:
    """Return ``text`` with an apostrophe before what would be a formula. Texts that already look so get one more: a reader that drops one has them all back."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text
