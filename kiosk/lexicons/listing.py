"""The lexicons of a folder, for the director to choose from: read by header only, which is fast; the chosen one is then read completely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis
from faults.errors import Phrase
from game.challenge_log.entry import LexiconName
from kiosk.lexicons.shelf import ANYTHING, Expected, named, unsuited
from kiosk.lexicons.stamp import stamp
from lexicon import Lexicon, LexiconError

MOST: Final = 50
"""The most files examined; a larger folder was named by mistake."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file of the folder."""

    path: Path
    name: LexiconName | None
    """None: it is not a lexicon."""
    fault: Phrase | None = None
    """Why it is unusable here: it is not a lexicon, or not a wanted one."""


def listing(folder: Path, others: Sequence[Path] = (), wanted: Expected = ANYTHING) -> tuple[Listed, ...]:
    """Return the lexicon files in ``folder``, by name, followed by those of ``others`` that exist elsewhere.

    Each is compared with ``wanted``. A folder that is missing or unreadable has none.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".dawg")[:MOST]
    except OSError:
        files = []
    # By stamp, because ``exists`` raises if the file may not be examined.
    return tuple(_listed(path, wanted) for path in dict.fromkeys((*files, *(other for other in others if stamp(other) is not None))))


def _listed(path: Path, wanted: Expected) -> Listed:
    try:
        with Lexicon.open(path) as lexicon:
            trouble = unsuited(lexicon, wanted)
            return Listed(path, named(lexicon), None if trouble is None else trouble.what.sentences)
    except LexiconError as error:
        return Listed(path, None, Diagnosis.of(error).sentences)
