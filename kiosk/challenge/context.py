"""What stands at the station while players use it: its name, the lexicon, the rulebook, the director's limits. Frozen; changed only when nothing is in progress."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from appliance.errors import Diagnosis
from appliance.phrase import Phrase
from lexicon.spelling import Spelling
from rules.duration import NS
from rules.rulebooks.model import Rulebook

LONGEST_WORD: Final = 15
"""Tiles in a row of the board."""
SHORTEST_WORD: Final = 2


class Ailment(StrEnum):
    """Why the station does not judge; each has a text of its own with the way to mend it."""

    LEXICON_MISSING = "lexicon_missing"
    LEXICON_DAMAGED = "lexicon_damaged"
    LEXICON_ALPHABET = "lexicon_alphabet"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Trouble:
    """What keeps the station from judging."""

    ailment: Ailment
    what: Diagnosis


class Matter(StrEnum):
    """What the director has to be told of; each has a text of its own for the page that waits, first the one that is told first."""

    LOG = "log"
    SETTINGS = "settings"
    POWER = "power"
    PINS = "pins"
    BUTTON = "button"


@dataclass(frozen=True, slots=True)
class Advice:
    """What the director has to know, and players need not wait for: the station judges."""

    what: Phrase
    """The sentences for the desk."""
    matter: Matter = Matter.LOG
    """What the first of them is about."""
    seen: bool = False
    """The director has opened the desk since: the players' page is quiet about it."""


@dataclass(frozen=True, slots=True)
class LexiconName:
    """Which list verdicts come from: what players and directors read, and what the log keeps."""

    name: str
    edition: str
    words: int
    short_hash: str
    """The first 8 hex digits of the canonical list's SHA-256."""
    sha256: str
    """All 64 of them."""
    alphabet: str
    practice: bool
    """It is the practice list: no verdict of it counts, and the screen says so across its whole width."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the director set for the flow; times in ns."""

    count_first: bool = True
    """The number of words is asked for before the words."""
    idle_ns: int = 45 * NS
    """After so long without a touch what was typed is cleared."""
    verdict_ns: int = 10 * NS
    """A verdict clears itself after so long."""
    least_ns: int = NS // 2
    """Nothing clears a verdict sooner, and no adjudication key counts sooner after the words came up for checking: a second tap is no answer."""
    repeat_ns: int = 600 * NS
    """How long a mistyped challenge may be repeated."""
    repeats: int = 2
    """How many times a challenge may be repeated before only the director can help."""
    director_ns: int = 120 * NS
    """How long the call for the director stands on the screen."""
    judge_unlogged: bool = False
    """Whether the verdict is shown where the log cannot be written."""


@dataclass(frozen=True, slots=True)
class StationContext:
    """The station as it stands."""

    name: str
    rulebook: Rulebook
    lexicon: LexiconName | None
    """None: none is loaded, and ``trouble`` says why."""
    spelling: Spelling | None
    """The lexicon's alphabet: which tiles can be typed."""
    trouble: Trouble | None
    limits: Limits = Limits()
    language: str = "en"
    """The language the station goes back to."""
    languages: tuple[str, ...] = ("en", "fr", "es")
    """Those that players may choose from."""
    advice: Advice | None = None
    """What became of a log that was damaged or lost, of settings that cannot be used, or of the power, until the program ends; and of pins, until they are there."""
    power_off: bool = False
    """The machine can be switched off from the desk."""
