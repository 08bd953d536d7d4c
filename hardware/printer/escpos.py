"""Encodes slips for ESC/POS printers with python-escpos.

The library picks a code page for every letter. We offer it only the Latin pages that Epson's printers and their copies share, and the Greek one. A letter in none of them is
printed as the nearest letters, so that words stay readable.

Loading this module loads python-escpos (15 MB and a quarter of a second on a PC): do it in the printer's thread, and only if there is a printer.
"""

import shutil
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from escpos import capabilities
from escpos.capabilities import get_profile
from escpos.magicencode import Encoder
from escpos.printer import Dummy

from hardware.printer.slip import Slip

_PAGES: Final = ("CP437", "CP850", "CP858", "CP852", "CP1250", "CP1252", "ISO_8859-2", "ISO_8859-15", "CP857", "CP1254", "CP737")
_TO_THE_EDGE: Final = 6
"""Lines from the print head to the tear bar; as many as the library feeds before a cut."""
_NEAR: Final = {
    "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "ẞ": "SS", "ß": "ss", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "Þ": "TH", "þ": "th",
    "·": ".", "\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{LEFT SINGLE QUOTATION MARK}": "'", "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "“": '"', "”": '"', "«": '"', "»": '"', "…": "...", "\N{MULTIPLICATION SIGN}": "x",
}  # fmt: skip # a table of pairs, read along its rows
"""Letters that do not decompose into a plain letter and an accent, and typographic marks."""

# The library creates a new directory at each import and never reads it again.
shutil.rmtree(capabilities.pickle_dir, ignore_errors=True)


def encode(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
    """Return the bytes that print the slip, feed it and cut it off. Control characters are printed as ``?``, so that a text cannot contain commands.

    ``profile`` is the printer's name in python-escpos; ``default`` has the code pages of Epson's own. Raises KeyError: python-escpos lacks it, or
    all its code pages are unknown here.
    """
    encoder = _encoder(profile)
    printer = Dummy(profile=profile, magic_encode_args={"encoder": encoder})
    printer.hw("INIT")
    for line in slip:
        size = 2 if line.large else 1
        printer.set(align="center" if line.centred else "left", bold=line.bold, custom_size=True, width=size, height=size)
        printer.text(printable(line.text, encoder) + "\n")
    if cut:
        printer.cut(mode="PART")
    else:
        printer.print_and_feed(_TO_THE_EDGE)
    data: bytes = printer.output
    return data


def printable(text: str, encoder: Any) -> str:
    return "".join(near for char in unicodedata.normalize("NFC", text) for near in _nearest(char, encoder))


def _encoder(profile: str) -> Any:
    pages = get_profile(profile).get_code_pages()
    # The library tries pages in order of their numbers; as texts, 16 would come before 2.
    known = {name: int(number) for name, number in pages.items() if name in _PAGES}
    if not known:
        # The library would search a page for its own question mark for ever.
        raise KeyError(profile)
    return Encoder(known)


def _nearest(char: str, encoder: Any) -> Iterator[str]:
    if unicodedata.category(char) == "Zs":
        yield " "  # French puts a non-breaking space before a colon
    elif not char.isprintable():
        yield "?"
    elif ord(char) < 128 or any(encoder.can_encode(page, char) for page in encoder.codepages):
        yield char
    elif char in _NEAR:
        yield _NEAR[char]
    else:
        yield "".join(part for part in unicodedata.normalize("NFKD", char) if ord(part) < 128 and part.isprintable()) or "?"
