"""A game's account from the clock's own journal alone, by the names of the exports: what the desk says is compared with it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from firmware.journal.recovery import recover
from game.journal.row import Kind
from game.record import Fate
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.firmware.shell.rig import rows_in
from tests.hall.joined import PlayedClock


def own_account(clock: PlayedClock) -> dict[Any, Any]:
    """Return each side's account of the last game, and the hash of its last row."""
    recovered = recover(clock.journal, load_rulebook)
    assert recovered is not None
    assert recovered.record is not None
    record = recovered.record
    game = record.game_at(record.at)
    counts: Counter[tuple[str, Side | None]] = Counter()
    for link in record:
        name = type(link.event).__name__
        if link.fate is Fate.VALID and name in ("Hold", "Challenge"):
            counts[name, link.game.holder if name == "Hold" else link.game.challenger] += 1
    rows = [each for each in rows_in(clock.journal) if each.row.game == recovered.game and each.row.kind != Kind.BOOT]
    accounts = {
        side: {
            "used_ms": game.used.of(side) // 1_000_000,
            "overtime_ms": max(0, -game.remaining(side, record.at)) // 1_000_000,
            "penalty": game.penalty(side, record.at),
            "holds": counts["Hold", side],
            "challenges": counts["Challenge", side],
        }
        for side in Side
    }
    return {"journal": rows[-1].hash, **accounts}
