"""What the desk is told by the shell, for it looks at no file itself: lists to choose from, rows of the log, what came of a wish. Frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from appliance.phrase import Phrase
from kiosk.challenge.context import LexiconName
from kiosk.challenge.entry import Entry


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """A lexicon file that lies where the station looks for them."""

    path: str
    name: LexiconName | None
    """What it holds; None where it cannot be read."""
    why: Phrase | None = None
    """Why it cannot be used, and how to mend it: the error's own sentences. Beside a name: a sound list, but not one for this station (another alphabet)."""


@dataclass(frozen=True, slots=True)
class RulebookChoice:
    """A rulebook that the director may take."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """One row of the log as a director reads it."""

    row: int
    when: str
    """Date and time of day by the station's clock, as text."""
    entry: Entry


@dataclass(frozen=True, slots=True)
class LogPage:
    """Some rows of the log, the newest first."""

    lines: tuple[LogLine, ...]
    before: int | None
    """They are the newest rows before this one; None: the newest of all. As it was asked for."""
    older: bool
    """There are older rows."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the self-test looked at."""

    what: Phrase
    """What was found and, where it is not as it should be, what to do."""
    fine: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What the desk knows; None is what it was not told."""

    lexicons: tuple[LexiconFile, ...] | None = None
    in_use: str | None = None
    """The path of the lexicon file in use, as ``lexicons`` has it."""
    rulebooks: tuple[RulebookChoice, ...] | None = None
    log: LogPage | None = None
    findings: tuple[Finding, ...] | None = None
    said: str | None = None
    """What came of the last wish, in a sentence: taken, refused and why, where the export lies."""

    def told(self, news: Facts) -> Facts:
        """Return the facts with all that ``news`` says."""
        return replace(self, **{name: value for name in self.__slots__ if (value := getattr(news, name)) is not None})
