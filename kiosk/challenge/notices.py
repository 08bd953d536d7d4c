"""What the flow may tell the players beside what the step itself says: each a key of the texts, with the braces it fills."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kiosk.challenge.flow import Flow, Notice

NOTICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "notice.clock_first": (),  # stop the clock first, then come again (2017 IV.J.1.a)
        "notice.table_missing": (),  # type the table's number first
        "notice.table_digits": (),  # a table's number is 1 to 999
        "notice.strange": ("characters",),  # left out: on no tile of this lexicon
        "notice.word_full": ("most",),  # a word has at most so many tiles
        "notice.words_full": ("most",),  # a play makes at most so many words
        "notice.left_out": ("count",),  # more words were pasted than the declared number
        "notice.cut": (),  # the pasted text was too long, its end is left out
        "notice.nothing_typed": (),
        "notice.short": ("word", "least"),
        "notice.unspellable": ("word",),
        "notice.ambiguous": ("word",),  # it can be laid in two ways: use the tile keys
        "notice.count_differs": ("count", "words"),  # declared and typed; the number can be changed
        "notice.repeat_fixed": ("count",),  # a repeat keeps its number of words
        "notice.repeat_closed": (),  # the time to repeat this challenge is over
        "notice.no_more_repeats": ("repeats",),  # call the director
        "notice.no_withdrawal": (),  # not under this rulebook
        "notice.no_concession": (),  # not under this rulebook
        "notice.already_judged": (),  # this play has a verdict: nothing to take back
        "notice.count_needed": (),  # points go by the words challenged: say how many first
        "notice.unlogged": (),  # the log cannot be written: no verdict, call the director
    }
)
"""Every notice of the flow, with the names of its values."""


def told(flow: Flow, key: str, **values: str | int) -> Flow:
    """Return the flow with the notice ``notice.<key>``."""
    return flow.replace(notice=notice(key, **values))


def notice(key: str, **values: str | int) -> Notice:
    """Return the notice ``notice.<key>``."""
    return Notice(f"notice.{key}", tuple(values.items()))
