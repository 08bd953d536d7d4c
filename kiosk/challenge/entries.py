"""Log entries from the state of the flow."""

from __future__ import annotations

from game.challenge_log.entry import Entry, Kind, Way
from kiosk.challenge.flow import Flow
from kiosk.challenge.spelling import log_text


def entry(flow: Flow, kind: Kind, *, way: Way | None = None, why: str | None = None) -> Entry:
    """Return an entry of ``kind`` for ``flow``: table, challenger, the words typed so far, rulebook and list."""
    return Entry(
        kind=kind,
        table=flow.table,
        challenger=None if flow.challenger is None else str(flow.challenger),
        words=tuple(log_text(word, flow.context.spelling) for word in flow.words if word),
        first=first_row(flow),
        last_play=flow.last_play,
        way=way,
        rulebook=flow.context.rulebook.id,
        lexicon=flow.context.lexicon,
        why=why,
    )


def first_row(flow: Flow) -> int | None:
    """Return the row of the challenge's first look-up, which repeats and second opinions refer to; None if there is none."""
    if flow.link is not None:
        return flow.link.first
    return None if flow.outcome is None else flow.outcome.row
