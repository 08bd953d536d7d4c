"""Word lists as memory-mapped DAWGs: build, open, verify, convert. Knows no clock and no screen.

    from lexicon import Lexicon

    with Lexicon.open("practice.dawg") as lexicon:
        lexicon.verify()
        "tile" in lexicon

FORMAT.md describes the file. Import the public names from this module; ``build`` and ``formats`` create files.
"""

from lexicon.errors import LexiconError
from lexicon.reader import Lexicon

__all__ = ["Lexicon", "LexiconError"]
