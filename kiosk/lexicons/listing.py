"""The lexicons of a folder, for the director to choose from: by their headers alone, which is quick; whichever is chosen is then read whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from appliance.phrase import Phrase
from kiosk.challenge.context import LexiconName
from kiosk.lexicons.shelf import ANYTHING, Expected, diagnosis, named, unsuited
from kiosk.lexicons.stamp import stamp
from lexicon import Lexicon, LexiconError

MOST: Final = 50
"""Files that are looked at: a folder of more was named by mistake."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file of the folder."""

    path: Path
    name: LexiconName | None
    """None: it is no lexicon."""
    fault: Phrase | None = None
    """Why it cannot be used here: it is none, or not one of those that are wanted."""


def listing(folder: Path, others: Sequence[Path] = (), wanted: Expected = ANYTHING) -> tuple[Listed, ...]:
    """Return the lexicon files in ``folder``, by their names, and after them those of ``others`` that are there and lie elsewhere.

    Each is held against ``wanted``. None are in a folder that there is not, or that may not be read.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".dawg")[:MOST]
    except OSError:
        files = []
    # By their stamps: whether there is a file that may not be looked at, `exists` would not say but raise.
    return tuple(_listed(path, wanted) for path in dict.fromkeys((*files, *(other for other in others if stamp(other) is not None))))


def _listed(path: Path, wanted: Expected) -> Listed:
    try:
        with Lexicon.open(path) as lexicon:
            trouble = unsuited(lexicon, wanted)
            return Listed(path, named(lexicon), None if trouble is None else trouble.what.sentences)
    except LexiconError as error:
        return Listed(path, None, diagnosis(error).sentences)
