"""The kinds of the log's rows, by themselves: the command line lists them and need not load the rules for that."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kind of a row."""

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
