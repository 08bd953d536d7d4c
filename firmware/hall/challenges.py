"""The challenge that a clock adjudicates, by its event's number: a station's verdict names it."""

from __future__ import annotations

from game.events import Challenge, Verdict
from game.game import Game, Phase
from game.record import Fate, Record


def standing_challenge(record: Record, game: Game) -> int | None:
    """Return the number of the challenge that ``game``, the present state of ``record``, adjudicates; None: it adjudicates none.

    A later ``challenge`` that only corrects who challenges is no new one.
    """
    return _last_challenge(record) if game.phase is Phase.ADJUDICATION else None


def verdict_on(record: Record, challenge: int) -> Record | None:
    """Return the link of the verdict on that challenge; None: it has none."""
    for link in record:
        if (
            isinstance(link.event, Verdict)
            and link.fate is Fate.VALID
            and link.before is not None
            and _last_challenge(link.before) == challenge
        ):
            return link
    return None


def _last_challenge(record: Record) -> int | None:
    return next(
        (
            link.number
            for link in record
            if isinstance(link.event, Challenge)
            and link.fate is Fate.VALID
            and link.before is not None
            and link.before.game.phase is not Phase.ADJUDICATION
        ),
        None,
    )
