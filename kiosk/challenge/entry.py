"""One row for the log, as the flow says it: what was looked up, and what came of it. The log adds when, where, and the chain."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.challenge.context import LexiconName


class Kind(StrEnum):
    """What a row says."""

    LOOKUP = "lookup"
    REPEAT = "repeat"
    """The same challenge once more, for a word was mistyped."""
    SECOND_OPINION = "second_opinion"
    OPINION_ASKED = "opinion_asked"
    """A second opinion was asked of a word judge."""
    MANUAL = "manual"
    """A word judge's verdict, given behind the director's door."""
    ABORTED = "aborted"
    """Words were typed and never judged: cleared, cancelled, or the time ran out."""
    WITHDRAWN = "withdrawn"
    CONCEDED = "conceded"
    DIRECTOR_CALLED = "director_called"
    STARTED = "started"
    STOPPED = "stopped"
    DOOR_OPENED = "door_opened"
    DOOR_REFUSED = "door_refused"
    CHANGED = "changed"
    """The director chose another lexicon, rulebook or name; or a new file was taken."""
    REFUSED = "refused"
    """The station would not judge, or not take a new file; ``why`` says why."""
    EXPORTED = "exported"
    SELF_TEST = "self_test"


class Way(StrEnum):
    """By what the challenged player had the play adjudicated."""

    TAB = "tab"
    BUTTON = "button"
    TOUCH = "touch"


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened. Which word of a play failed is nowhere in it: nobody ever learns that from the station."""

    kind: Kind
    table: int | None = None
    challenger: str | None = None
    """``left`` or ``right``, as the players stand before the screen."""
    words: tuple[str, ...] = ()
    """As the lexicon spells them, however they were typed: a tile is in brackets only where it would be read otherwise without."""
    acceptable: bool | None = None
    """The play's verdict, where there was one."""
    first: int | None = None
    """The row of the challenge's first look-up (of a manual review: of the first ruling), where this one repeats it or is a further opinion on it."""
    way: Way | None = None
    rulebook: str | None = None
    """The rulebook's id."""
    lexicon: LexiconName | None = None
    why: str | None = None
    """The reason, or what was changed; for a director, never for the players' screen."""
