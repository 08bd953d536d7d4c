"""The notices of the flow to the players: keys of the texts, with their placeholders."""

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
        "notice.strange": ("characters",),  # dropped: on no tile of this lexicon
        "notice.word_full": ("most",),  # the most tiles of a word
        "notice.words_full": ("most",),  # the most words of a play
        "notice.left_out": ("count",),  # more words were pasted than the declared number
        "notice.cut": (),  # the pasted text was too long; its end is dropped
        "notice.nothing_typed": (),
        "notice.short": ("word", "least"),
        "notice.unspellable": ("word",),
        "notice.ambiguous": ("word",),  # it can be spelt with tiles in two ways: use the tile keys
        "notice.count_differs": ("count", "words"),  # declared and typed; the number can be changed
        "notice.repeat_fixed": ("count",),  # the number of words is that of the first time
        "notice.repeat_closed": (),  # the time to repeat this challenge is over
        "notice.verdict_gone": (),  # the time to show this verdict once more is over
        "notice.list_gone": (),  # the list or the rulebook of the first try is gone: the director is called
        "notice.no_more_repeats": ("repeats",),  # call the director
        "notice.no_withdrawal": (),  # not under this rulebook
        "notice.no_concession": (),  # not under this rulebook
        "notice.already_judged": (),  # this play has a verdict: nothing to take back
        "notice.count_needed": (),  # points depend on the number of words: enter it first
        "notice.two_clocks": ("table",),  # two clocks of the hall say that they stand there
        "notice.clock_calls": (),  # the players have called the director at their clock
        "notice.unlogged": (),  # the log cannot be written: no verdict, call the director
    }
)
"""All notices of the flow, with the names of their placeholders."""


def with_notice(flow: Flow, key: str, **values: str | int) -> Flow:
    """Return the flow with the notice ``notice.<key>``."""
    return flow.replace(notice=notice(key, **values))


def notice(key: str, **values: str | int) -> Notice:
    """Return the notice ``notice.<key>``."""
    return Notice(f"notice.{key}", tuple(values.items()))
