"""The station's context: name, lexicon, rulebook, the director's limits. Frozen.

It has two places. What a challenge is judged under is in the flow (``Flow.context``): the current one. What the director, the loader of lists or the log
change meanwhile is the next one (``Station.next``), which the station takes over once no challenge is in progress.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.errors import Diagnosis
from faults.errors import Phrase
from lexicon.spelling import Spelling
from records.entry import LexiconName
from rules.duration import NS
from rules.rulebooks.model import Rulebook


class TroubleKind(StrEnum):
    """Why the station cannot judge; each has its own text with a remedy."""

    LEXICON_MISSING = "lexicon_missing"
    LEXICON_DAMAGED = "lexicon_damaged"
    LEXICON_ALPHABET = "lexicon_alphabet"
    LOG = "log"


class Trouble(Struct, frozen=True):
    """The reason why the station cannot judge."""

    trouble_kind: TroubleKind
    what: Diagnosis


class AdviceTopic(StrEnum):
    """Subjects of advice to the director; each has its own text for the idle page. The order is that of importance."""

    LOG = "log"
    SETTINGS = "settings"
    POWER = "power"
    PINS = "pins"
    BUTTON = "button"


class Advice(Struct, frozen=True):
    """Information for the director; the station still judges, so players need not wait."""

    what: Phrase
    """The sentences on the judge desk."""
    matter: AdviceTopic = AdviceTopic.LOG
    """The subject of the first sentence."""
    seen: bool = False
    """The director has opened the judge desk since: the players' page no longer shows it."""


class Limits(Struct, frozen=True):
    """The director's settings for the flow, as ``FlowSettings`` explains them; times in ns."""

    idle_ns: int = 45 * NS
    words_ns: int = 120 * NS
    still_there_ns: int = 60 * NS
    verdict_ns: int = 30 * NS
    least_ns: int = NS // 2
    repeat_ns: int = 600 * NS
    repeats: int = 1
    director_ns: int = 120 * NS
    judge_unlogged: bool = False


class JudgedBy(Struct, frozen=True):
    """The rulebook and the list that a challenge is judged by."""

    rulebook: Rulebook
    lexicon: LexiconName | None
    """None: no lexicon is loaded."""
    spelling: Spelling | None
    """The spelling of the lexicon's alphabet: the tiles that can be typed."""


class Division(Struct, frozen=True):
    """Tables that are judged by a rulebook and a list of their own."""

    name: str
    tables: tuple[range, ...]
    by: JudgedBy


class StationContext(Struct, frozen=True):
    """The station's present context."""

    name: str
    rulebook: Rulebook
    lexicon: LexiconName | None
    """None: no lexicon is loaded, and ``trouble`` says why."""
    spelling: Spelling | None
    trouble: Trouble | None
    limits: Limits = Limits()
    language: str = "en"
    languages: Mapping[str, str] = field(default_factory=dict)
    """The languages that players can choose: their own names, by their codes."""
    advice: Advice | None = None
    """News of a damaged or lost log, unusable settings or low power, until the program ends; of unavailable pins, until they are available."""
    power_off: bool = False
    divisions: tuple[Division, ...] = ()
    """Divisions of a mixed event; a table in none is judged by the station's own rulebook and list."""
    own: JudgedBy | None = None
    """The station's own rulebook and list, while those of a division or of a repeated challenge judge; None: its own judge."""

    @property
    def by(self) -> JudgedBy:
        return JudgedBy(self.rulebook, self.lexicon, self.spelling)

    @property
    def alphabet(self) -> tuple[str, ...]:
        return () if self.spelling is None else tuple(self.spelling.tiles)

    def judged_by(self, by: JudgedBy) -> StationContext:
        """Return the context with a challenge's rulebook and list."""
        own = self.own or self.by
        return replace(self, rulebook=by.rulebook, lexicon=by.lexicon, spelling=by.spelling, own=None if by == own else own)

    def of_table(self, table: int | None) -> StationContext:
        """Return the context of a table's challenge: that of its division, if it has one."""
        division = next((each for each in self.divisions if any(table in tables for tables in each.tables)), None)
        return self.judged_by(self.own or self.by if division is None else division.by)
