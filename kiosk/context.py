"""What the pure station knows: its context (name, lexicon, rulebook, the director's limits), and what comes from outside. Frozen.

The context has two places. What a challenge is judged under is in the flow (``Flow.context``): the current one. What the director, the loader of lists or the
log change meanwhile is the next one (``Station.next``), which the station takes over once no challenge is in progress.

The hall tells of tables and their clocks, the shell of files, rows of the log and results: neither the challenge nor the judge desk reads anything itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Self, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from appliance.errors import Diagnosis
from faults.errors import Phrase
from faults.validation import Table
from lexicon.spelling import Spelling
from records.entry import Entry, LexiconName
from rules.duration import NS
from rules.rulebooks.model import Rulebook
from rules.side import Side


class Value(Struct, frozen=True):
    def replace(self, **changes: Any) -> Self:
        return replace(self, **changes)


class TroubleKind(StrEnum):
    """Why the station cannot judge; each has its own text with a remedy."""

    LEXICON_MISSING = "lexicon_missing"
    LEXICON_DAMAGED = "lexicon_damaged"
    LEXICON_ALPHABET = "lexicon_alphabet"
    LOG = "log"


class Trouble(Value, frozen=True):
    trouble_kind: TroubleKind
    what: Diagnosis


class AdviceTopic(StrEnum):
    """Subjects of advice to the director; each has its own text for the idle page. The order is that of importance."""

    LOG = "log"
    SETTINGS = "settings"
    POWER = "power"
    PINS = "pins"
    BUTTON = "button"


class Advice(Value, frozen=True):
    """Information for the director; the station still judges, so players need not wait."""

    what: Phrase
    matter: AdviceTopic = AdviceTopic.LOG
    seen: bool = False
    """The director has opened the judge desk since: the players' page no longer shows it."""


class FlowSettings(Table, frozen=True):
    """The course of a challenge."""

    idle_s: Annotated[int, Meta(ge=15, le=600)] = 45
    """Seconds without a touch after which the station clears a page on which no words are typed."""
    words_s: Annotated[int, Meta(ge=120, le=1800)] = 120
    """Seconds without a touch after which the station asks `Still there?` where words are typed. A longer `idle_s` counts there too, as does a longer `director_s` during a call."""
    still_there_s: Annotated[int, Meta(ge=30, le=600)] = 60
    """Seconds for which that question waits before the challenge is aborted; they are counted down on the screen."""
    verdict_s: Annotated[int, Meta(ge=1, le=120)] = 30
    """Seconds after which a verdict clears itself."""
    least_ms: Annotated[int, Meta(ge=500, le=1000)] = 500
    """Minimum time in milliseconds for which a verdict is shown, and for which the words are shown before the adjudication key counts."""
    repeat_minutes: Annotated[int, Meta(ge=1, le=60)] = 10
    """Minutes within which a mistyped challenge may be repeated."""
    repeats: Annotated[int, Meta(ge=0, le=9)] = 1
    """How often a mistyped challenge may be repeated, each time with one letter of one word changed; anything else is the director's."""
    director_s: Annotated[int, Meta(ge=10, le=3600)] = 120
    """Seconds for which the screen shows the call for the director."""
    judge_unlogged: bool = False
    """Continue to judge while the log is not writable. At most 1000 rows wait in memory and are written later, marked late; a crash loses them."""


class JudgedBy(Value, frozen=True):
    rulebook: Rulebook
    lexicon: LexiconName | None
    spelling: Spelling | None
    """The spelling of the lexicon's alphabet: the tiles that can be typed."""


class Division(Value, frozen=True):
    """Tables that are judged by a rulebook and a list of their own."""

    tables: tuple[range, ...]
    by: JudgedBy


class StationContext(Value, frozen=True):
    name: str
    rulebook: Rulebook
    lexicon: LexiconName | None
    """None: no lexicon is loaded, and ``trouble`` says why."""
    spelling: Spelling | None
    trouble: Trouble | None
    limits: FlowSettings = FlowSettings()
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
        own = self.own or self.by
        return self.replace(rulebook=by.rulebook, lexicon=by.lexicon, spelling=by.spelling, own=None if by == own else own)

    def of_table(self, table: int | None) -> StationContext:
        division = next((each for each in self.divisions if any(table in tables for tables in each.tables)), None)
        return self.judged_by(self.own or self.by if division is None else division.by)


LOOK_NS: Final = 3 * NS // 2
"""How long the players wait for their clock before the station asks them."""
ANSWER_NS: Final = 3 * NS
"""How long a clock may take to answer before the page says so."""


class NoFacts(StrEnum):
    UNKNOWN = "unknown"
    """No clock says that it stands there, or it is not heard any more."""
    AMBIGUOUS = "ambiguous"


class ClockChallenge(Value, frozen=True):
    """A challenge at a clock, as a verdict has to name it."""

    device: str
    epoch: str
    game: int
    challenge: int
    """The number of its event."""
    challenger: Side
    """On the clock."""


class TableFacts(Value, frozen=True):
    device: str
    running: bool
    challenge: ClockChallenge | None
    last_play: bool
    called: bool


HeardFacts: TypeAlias = TableFacts | NoFacts


class ClockAnswer(StrEnum):
    """What is known of a message to a clock."""

    WAITING = "waiting"
    TAKEN = "taken"
    REFUSED = "refused"
    UNSENT = "unsent"
    """The link is down."""
    SILENT = "silent"
    """No answer came in time; one may still come."""


class SentVerdict(Value, frozen=True):
    """A verdict, a concession or a withdrawal on its way to the clock."""

    id: str
    to: ClockChallenge
    at: int
    answer: ClockAnswer = ClockAnswer.WAITING
    reason: str = ""
    """The clock's refusal, by its name on the wire."""


class LexiconFile(Value, frozen=True):
    id: str
    """Its path."""
    name: LexiconName | None
    """Its content; None: it cannot be read."""
    why: Phrase | None = None
    """Why it is unusable, with a remedy: the error's own sentence. Together with a name: a valid list, but not for this station (another alphabet)."""


class RulebookChoice(Value, frozen=True):
    id: str
    title: str


class LogLine(Value, frozen=True):
    row: int
    when: str
    entry: Entry


class LogPage(Value, frozen=True):
    """Some rows of the log, newest first."""

    lines: tuple[LogLine, ...]
    before: int | None
    """As requested: these are the newest rows before this one; None: the newest of all."""
    older: bool


class SelfTestResult(Value, frozen=True):
    what: Phrase
    fine: bool


class Facts(Value, frozen=True):
    """Facts of the judge desk; None: not received."""

    lexicons: tuple[LexiconFile, ...] | None = None
    in_use: str | None = None
    """The path of the lexicon file in use, as in ``lexicons``."""
    rulebooks: tuple[RulebookChoice, ...] | None = None
    log: LogPage | None = None
    findings: tuple[SelfTestResult, ...] | None = None
    result: str | None = None
    """The result of the last request, in a sentence: done, refused and why, where the export is."""
    done: bool | None = None
    """The result says that the request was carried out, with nothing to repair."""

    def updated(self, news: Facts) -> Facts:
        return self.replace(**{name: value for name in self.__struct_fields__ if (value := getattr(news, name)) is not None})
