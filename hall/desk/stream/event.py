"""Events as a browser reads them (server-sent events), and cards as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hall.desk.cards.need import NeedKind
from hall.desk.cards.table import CardSide, TableCard
from rules.side import BySide


def event(name: str, number: str, content: dict[str, Any]) -> bytes:
    """Return one event: its name, its id (empty: a browser that comes back does not count from it) and its JSON."""
    numbered = f"id: {number}\n" if number else ""
    return f"event: {name}\n{numbered}data: {json.dumps(content, separators=(',', ':'))}\n\n".encode()


def card_json(card: TableCard) -> dict[str, Any]:
    """Return a card for the browser. Durations in ns, instants in µs of the listener: a browser's numbers are exact up to 2^53."""
    return {
        "id": card.id,
        "table": card.table,
        "name": card.name,
        "division": card.division,
        "sides": None if card.sides is None else _sides(card.sides),
        "at": _us(card.at),
        "runs": None if card.running is None else card.running.value,
        "about": card.about,
        "phase": card.phase,
        "doing": card.state,
        "since": _us(card.since),
        "needs": [
            {"kind": NeedKind(need.kind).name.lower(), "rank": int(need.kind), "since": _us(need.since), "words": need.words}
            for need in card.needs
        ],
        "stale": _us(card.stale),
        "up": card.up,
        "game": card.game,
        "rows": card.rows,
    }


def cards_json(cards: Iterable[TableCard]) -> list[dict[str, Any]]:
    """Return cards for the browser."""
    return [card_json(card) for card in cards]


def us(at: int) -> int:
    """Return an instant (ns) for the browser."""
    return at // 1000


def _us(at: int | None) -> int | None:
    return None if at is None else us(at)


def _sides(sides: BySide[CardSide]) -> dict[str, Any]:
    return {side.value: {"name": each.name, "left": each.remaining, "penalty": each.penalty} for side, each in sides.items()}
