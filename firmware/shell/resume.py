"""Which game is on the table at the start: the one that was interrupted, neutralised, or a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from appliance.clocks import is_dated
from appliance.phrase import Phrase
from firmware.core.events import End, Neutralise, NewGame
from firmware.core.game import Phase
from firmware.core.record import Record, accept, begin
from firmware.gestures.clock_state import ClockState
from firmware.journal.body import decode
from firmware.journal.errors import JournalError
from firmware.journal.memory import Anchor, Puts, Remembered
from firmware.journal.opening import Opened, open_journal
from firmware.journal.recovery import Recovered, journal_end, recover, recover_memory
from firmware.journal.row import Stamp
from firmware.menu.setup import Setup
from rules.duration import NS
from rules.rulebooks import load_rulebook

POWER_CUT = "power cut"
RESTARTED = "program restarted"
"""The machine stayed up."""
SWITCHED_OFF = "clock switched off"
NOT_PLAYED = "not played"


@dataclass(frozen=True, slots=True)
class Start:
    """What the clock starts with."""

    opened: Opened
    tables: tuple[ClockState, ...]
    """The table, after what has to be kept before it, in order."""
    game: int
    """The running number of the game in the journal; 0 before the first."""
    kept: Record | None
    """What the journal holds of it."""
    uncertain_ns: int | None
    """After an interruption: the time of the running clock that may be missing. None: nothing to confirm."""
    note: Mapping[str, Any] | None
    """What to keep in the journal about the recovery."""
    recorded_until: str | None = None
    """After an interruption: the wall time (UTC, HH:MM:SS) of the last durable instant; None: it cannot be read, or the machine's date was not set."""
    switched_off: bool = False
    """After an interruption: the program ended in order, so no time of this game is missing."""
    restarted: bool = False
    """After an interruption: the machine stayed up, the program alone ended."""
    stood: bool = False
    """After an interruption: all clocks stood, so at the most a press is missing that was just being kept."""
    lost: Phrase | None = None
    """Why the journal's last game is not on the table, as a sentence for the screen."""
    unwritten: Puts = ()
    """Rows of the program before that are not in the journal: to be written before all else."""
    end: Anchor | None = None
    """Where the journal ends now; None: it cannot be read."""


def start(path: Path, setup: Setup, new_game: NewGame, stamp: Stamp, memory: Remembered | None = None) -> Start:
    """Return what to start with: the journal's last game where it is not done with, else a new one.

    Args:
        path: the journal.
        setup: the table's setup.
        new_game: the game to begin where there is none to go on with.
        stamp: now; its ``at`` and ``mono`` are the same instant (ns).
        memory: what the program before has left in memory, of this boot.
    """
    opened = open_journal(path)
    recovered = _recovered(path, memory)
    unwritten = () if recovered is None or recovered.memory is None else recovered.memory.puts
    return replace(_begun(opened, recovered, setup, new_game, stamp), unwritten=unwritten, end=journal_end(path))


def _begun(opened: Opened, recovered: Recovered | None, setup: Setup, new_game: NewGame, stamp: Stamp) -> Start:
    if recovered is None or recovered.record is None:
        fresh = ClockState(begin(new_game, stamp.mono), setup)
        game, lost = (0, None) if recovered is None else (recovered.game, _lost(recovered.game))
        return Start(opened, (fresh,), game, None, None, None, lost=lost)
    found = _Found(opened, recovered, recovered.record, setup, stamp)
    return _unplayed(found, new_game) if found.record.before is None else _interrupted(found)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the journal held, and when we came."""

    opened: Opened
    recovered: Recovered
    record: Record
    setup: Setup
    stamp: Stamp

    @property
    def offset(self) -> int:
        """What takes an instant of now to the game's time, which goes on where it is last known."""
        return self.recovered.last_at - self.stamp.mono


def _recovered(path: Path, memory: Remembered | None) -> Recovered | None:
    try:
        return recover(path, load_rulebook, memory)
    except JournalError:
        # The journal's own opening has said why.
        return None if memory is None else recover_memory(memory, load_rulebook)


def _unplayed(found: _Found, new_game: NewGame) -> Start:
    """A game that was set up and never touched: go on with it, or end it where another was asked for since."""
    at, offset, game = found.recovered.last_at, found.offset, found.recovered.game
    if found.record.event == new_game:
        return Start(found.opened, (ClockState(found.record, found.setup, offset=offset),), game, found.record, None, None)
    ended = ClockState(accept(found.record, End(NOT_PLAYED), at), found.setup, offset=offset)
    fresh = ClockState(begin(new_game, at), found.setup, offset=offset)
    return Start(found.opened, (ended, fresh), game, found.record, None, None)


def _interrupted(found: _Found) -> Start:
    recovered, at = found.recovered, found.recovered.last_at
    phase = found.record.game_at(at).phase
    own_ns = recovered.uncertain_ns(found.stamp)
    uncertain = own_ns + _unconfirmed(recovered)
    reason = _reason(found, own_ns)
    cut = accept(found.record, Neutralise(reason), at) if phase in (Phase.RUNNING, Phase.HOLD) else found.record
    done = phase in (Phase.READY, Phase.OVER)
    table = ClockState(cut, found.setup, offset=found.offset, frozen=None if done else at)
    note = {
        "uncertain_ns": uncertain,
        "cause": reason,
        "last_boot": recovered.boot,
        "refused": [unfit.why for unfit in recovered.refused],
    }
    return Start(
        found.opened,
        (table,),
        recovered.game,
        found.record,
        None if done else uncertain,
        note,
        recorded_until=None if done else _time_of_day(recovered.last.wall),
        switched_off=reason == SWITCHED_OFF,
        restarted=reason == RESTARTED,
        # What an earlier recovery stopped ran, and nobody has confirmed since what is missing of it.
        stood=not recovered.clock_ran and not (recovered.unconfirmed is not None and cut.game.reason in (POWER_CUT, RESTARTED)),
    )


def _reason(found: _Found, own_ns: int) -> str:
    """Return why the game was interrupted: where an earlier interruption still waits to be confirmed and this one took nothing, it is that one."""
    recovered = found.recovered
    if recovered.unconfirmed is not None and own_ns == 0 and (_unconfirmed(recovered) or not recovered.switched_off):
        # Earlier versions kept no cause, and spoke of nothing else.
        return str(decode(recovered.unconfirmed.row.body).get("cause", POWER_CUT))
    if recovered.switched_off:
        return SWITCHED_OFF
    return RESTARTED if recovered.boot == found.stamp.boot else POWER_CUT


def _unconfirmed(recovered: Recovered) -> int:
    """What an earlier recovery left uncertain, where the director has not come to it yet."""
    if recovered.unconfirmed is None:
        return 0
    uncertain = decode(recovered.unconfirmed.row.body).get("uncertain_ns", NS)
    return uncertain if isinstance(uncertain, int) else NS


def _time_of_day(wall: str) -> str | None:
    return f"{datetime.fromisoformat(wall).astimezone(UTC):%H:%M:%S}" if is_dated(wall) else None


def _lost(game: int) -> Phrase:
    why = "Game {game} could not be brought back: its beginning cannot be read. It is kept; `tileclock journal list` says why"
    return Phrase(why, game=game)
