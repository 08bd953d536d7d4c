"""The facts that the shell sends to the desk, which reads no files itself: lists, rows of the log, results of requests. Frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from faults.errors import Phrase
from game.challenge_log.entry import Entry, LexiconName


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """A lexicon file in the station's folders."""

    path: str
    name: LexiconName | None
    """Its content; None: it cannot be read."""
    why: Phrase | None = None
    """Why it is unusable, with a remedy: the error's own sentence. Together with a name: a valid list, but not for this station (another alphabet)."""


@dataclass(frozen=True, slots=True)
class RulebookChoice:
    """A rulebook for the director to choose."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """One row of the log, as text for a director."""

    row: int
    when: str
    """Date and time of day by the station's clock, as text."""
    entry: Entry


@dataclass(frozen=True, slots=True)
class LogPage:
    """Some rows of the log, newest first."""

    lines: tuple[LogLine, ...]
    before: int | None
    """As requested: these are the newest rows before this one; None: the newest of all."""
    older: bool
    """There are older rows."""


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    """One result of the self-test."""

    what: Phrase
    """The finding, with a remedy if something is wrong."""
    fine: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of the desk; None: not received."""

    lexicons: tuple[LexiconFile, ...] | None = None
    in_use: str | None = None
    """The path of the lexicon file in use, as in ``lexicons``."""
    rulebooks: tuple[RulebookChoice, ...] | None = None
    log: LogPage | None = None
    findings: tuple[SelfTestResult, ...] | None = None
    result: str | None = None
    """The result of the last request, in a sentence: done, refused and why, where the export is."""
    done: bool | None = None
    """The result says that the request was carried out, with nothing to mend."""

    def updated(self, news: Facts) -> Facts:
        """Return the facts updated by ``news``."""
        return replace(self, **{name: value for name in self.__slots__ if (value := getattr(news, name)) is not None})
