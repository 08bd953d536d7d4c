"""From an error of ours to a sentence and exit code 2: what every verb does with bad input."""

from __future__ import annotations

from typing import ClassVar

from appliance.errors import TileclockError
from lexicon.cli import errors
from lexicon.errors import LexiconError


class Guarded(errors.Guarded):
    """A group whose verbs may let an error through of the station, the hardware, a rulebook or the lexicon: it leaves as a ``Refusal``."""

    program: ClassVar[str] = "tilekiosk"
    refused: ClassVar[tuple[type[Exception], ...]] = (TileclockError, LexiconError)
