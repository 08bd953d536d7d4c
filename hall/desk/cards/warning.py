"""What every page says at the top: what is wrong in the hall, and a freeze that stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hall.desk.cards.table import TableCard


@dataclass(frozen=True, slots=True)
class PageWarning:
    """One line."""

    text: str
    since: str = ""
    """Wall time (UTC, ISO 8601); empty: not known."""
    links: tuple[tuple[str, str], ...] = ()
    """Where to act: path and word."""

    @property
    def as_json(self) -> dict[str, Any]:
        """The line for the browser."""
        return {"text": self.text, "since": self.since, "links": self.links}


def trouble_warning(sentence: str) -> PageWarning:
    """Return the line for what is wrong in the hall."""
    return PageWarning(sentence, links=(("/assign", "Names"),) if " clocks report table " in sentence else ())


def freeze_warnings(cards: Iterable[TableCard], wall_of: Callable[[str, int], str]) -> tuple[PageWarning, ...]:
    """Return the line for the freeze that stands in the hall; empty: none does.

    Args:
        cards: all tables.
        wall_of: gives the wall time of an order that asked at an instant (ns of the listener).
    """
    asked = [card for card in cards if card.freeze is not None]
    # A game that is over is neither; but the freeze stands at its clock, too.
    concerned = [card for card in asked if card.phase != "over"]
    situation = sorted((card.freeze for card in concerned or asked if card.freeze is not None), key=lambda freeze: freeze.since or 0)
    if not situation:
        return ()
    since = next((wall_of(freeze.order, freeze.since) for freeze in situation if freeze.since is not None), "")
    texts = "; ".join(sorted({freeze.text for freeze in situation if freeze.text}))
    frozen = sum(card.frozen for card in concerned)
    counts = f"{frozen} frozen, {len(concerned) - frozen} still running" if concerned else "the game is over at each of its tables"
    words = f"Freeze{f' ({texts})' if texts else ''}: {counts}."
    return (PageWarning(words, since, ((f"/orders/{situation[-1].order}", "Show"), ("/notices?do=clear", "Take back"))),)
