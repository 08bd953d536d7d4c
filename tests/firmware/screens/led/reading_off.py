"""Reading a module as a person does: from what is lit back to the reading, by a table of its own."""

from hardware.led.picture import Lit

_LIT = ["ABCDEF", "BC", "ABDEG", "ABCDG", "BCFG", "ACDFG", "ACDEFG", "ABCF", "ABCDEFG", "ABCDFG"]
SEGMENTS = {segments: str(numeral) for numeral, segments in enumerate(_LIT)} | {"": " ", "G": "-", "BCEFG": "H"}


def signs(lit: Lit) -> str:
    """Return the four digits as characters; ``*`` for what is none of a reading's."""
    return "".join(SEGMENTS.get("".join(name for bit, name in enumerate("ABCDEFG") if digit >> bit & 1), "*") for digit in lit.digits)


def read_off(lit: Lit) -> str | None:
    """Return the reading below 100 minutes that is lit, in either half of the second; None where it is none."""
    below = lit.points == 0b1111 and lit.apostrophe
    four = signs(lit)
    if not (below or (lit.points == 0b1000 and not lit.apostrophe)) or not four[1:].isdigit():
        return None
    minutes = four[:2].replace("-", " ").strip()
    if below != four.startswith("-") and not (below and four[0] in "123456789"):
        return None
    return f"{'-' if below else ''}{minutes}:{four[2:]}"
