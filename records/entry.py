"""An entry for the station's log: what was looked up, and the result. The log adds time, place and chain."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from records.device_test import DeviceTest


class Kind(StrEnum):
    LOOKUP = "lookup"
    REPEAT = "repeat"
    """The same challenge again, because a word was mistyped."""
    SECOND_OPINION = "second_opinion"
    OPINION_ASKED = "opinion_asked"
    """The players asked a word judge for a second opinion."""
    MANUAL = "manual"
    """A word judge's verdict, given at the director's desk."""
    SHOWN_AGAIN = "shown_again"
    """A verdict was shown once more, to players who entered its table."""
    LAST_PLAY = "last_play"
    """The players said whether the acceptable play was the last one of its game."""
    ABORTED = "aborted"
    """Words were typed but not judged: cleared, cancelled, or timed out."""
    WITHDRAWN = "withdrawn"
    CONCEDED = "conceded"
    DIRECTOR_CALLED = "director_called"
    STARTED = "started"
    STOPPED = "stopped"
    DOOR_OPENED = "door_opened"
    DOOR_REFUSED = "door_refused"
    CHANGED = "changed"
    """The director chose another lexicon, rulebook or name; or the station loaded a new file."""
    REFUSED = "refused"
    """The station refused to judge, or to load a new file; ``why`` says why."""
    EXPORTED = "exported"
    SELF_TEST = "self_test"
    SIGNED = "signed"
    """The station's key has signed the head of an earlier row."""


class Way(StrEnum):
    """How the challenged player started adjudication."""

    TAB = "tab"
    BUTTON = "button"
    TOUCH = "touch"


class LexiconName(Struct, frozen=True):
    """The list in use, as players and directors read it and as the log stores it."""

    name: str
    edition: str
    words: int
    sha256: str
    """Of the canonical list: 64 hex digits."""
    alphabet: str
    practice: bool
    """The practice list: no verdict counts, and a banner across the screen says so."""

    @property
    def short_hash(self) -> str:
        return self.sha256[:8]


class Entry(Struct, frozen=True):
    """What happened. It never says which word of a play failed, because the station never reveals that."""

    kind: Kind
    table: int | None = None
    challenger: str | None = None
    """``left`` or ``right``, as the players stand before the screen."""
    words: tuple[str, ...] = ()
    """In the lexicon's spelling, however they were typed; a tile is in brackets only if it would be read otherwise without."""
    acceptable: bool | None = None
    first: int | None = None
    """The row of the challenge's first look-up (of a manual review: of the first ruling), if this row repeats it or adds an opinion."""
    way: Way | None = None
    rulebook: str | None = None
    lexicon: LexiconName | None = None
    why: str | None = None
    """The reason, or what was changed; for directors, never on the players' screen."""
    last_play: bool | None = None
    """The play was the last one of its game; None: not known."""
    device_test: DeviceTest | Literal["left"] | None = None
    """Of a self-test with the guided part: its result, which the hall's desk shows; or that a new station's test was left."""
    signed: str | None = None
    """The signature as JSON, which is the row's whole body."""
