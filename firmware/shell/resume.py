"""The game on the table at startup: the interrupted one, neutralised, or a new one."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from appliance.clocks import is_dated
from appliance.errors import RecordError
from faults.errors import Phrase
from firmware.gestures.clock_state import ClockState
from firmware.journal.recovery import Anchor, Batches, Recovered, RecoveredMemory, earlier_games, journal_end, recover, recover_memory
from firmware.journal.writer import NOT_PLAYED, OpenedJournal, open_journal
from firmware.menu.setup import Setup
from firmware.shell.notices import Interruption
from game.events import End, Neutralise, NewGame
from game.exact_json import decode
from game.game import Phase
from game.history import History, accept, begin
from records.device_test import DEVICE_TEST
from records.journal import REMEMBERED_ROWS, GameStamp, Kind, last_bodies
from rules.duration import NS
from rules.rulebooks import load_rulebook

POWER_CUT = "power cut"
RESTARTED = "program restarted"
"""The machine kept running; only the program ended."""
SWITCHED_OFF = "clock switched off"


class Start(Struct, frozen=True):
    opened: OpenedJournal
    tables: tuple[ClockState, ...]
    """The present table last, after those that must be recorded before it."""
    game: int
    """The number of the game in the journal; 0 before the first."""
    recorded: History | None
    note: Mapping[str, Any] | None = None
    """The journal's note about the recovery."""
    interruption: Interruption | None = None
    """None: there is nothing to confirm."""
    lost: Phrase | None = None
    unwritten: Batches = ()
    """The previous program's rows that are not in the journal; they must be written first."""
    end: Anchor | None = None
    """The end of the journal; None: it cannot be read."""


def start(path: Path, setup: Setup, new_game: NewGame, stamp: GameStamp, memory: RecoveredMemory | None = None) -> Start:
    """Return the journal's last game if it can be continued, else a new one; ``stamp`` is now, ``at`` and ``mono`` the same instant (ns)."""
    opened = open_journal(path)
    recovered = _recovered(path, memory)
    unwritten = () if recovered is None or recovered.memory is None else recovered.memory.batches
    begun = _begun(opened, recovered, setup, new_game, stamp)
    if recovered is not None and begun.tables[-1].history.game.phase in (Phase.READY, Phase.LATE):
        *earlier, table = begun.tables
        played = (each for each in earlier_games(path, recovered.game, load_rulebook) if each.reason != NOT_PLAYED)
        begun = replace(begun, tables=(*earlier, replace(table, last_game=next(played, None))))
    return replace(begun, unwritten=unwritten, end=journal_end(path))


def is_new(started: Start) -> bool:
    """Return whether the journal is whole and has neither a game that was played nor a guided test with a result, or one that was left."""
    table, opened = started.tables[-1], started.opened
    if (
        table.history.before is not None
        or table.last_game is not None
        or (started.lost, opened.set_aside, opened.trouble) != (None, None, None)
    ):
        return False
    return not any(DEVICE_TEST in body for _, body in last_bodies(opened.path, started.unwritten, Kind.NOTE, REMEMBERED_ROWS))


def _begun(opened: OpenedJournal, recovered: Recovered | None, setup: Setup, new_game: NewGame, stamp: GameStamp) -> Start:
    if recovered is None or recovered.history is None:
        fresh = ClockState(begin(new_game, stamp.mono), setup)
        game, lost = (0, None) if recovered is None else (recovered.game, _lost(recovered.game))
        return Start(opened, (fresh,), game, None, lost=lost)
    # The game's time continues from its last known instant.
    state = ClockState(recovered.history, setup, offset=recovered.last.at - stamp.mono)
    if recovered.history.before is None:
        return _unplayed(Start(opened, (state,), recovered.game, recovered.history), recovered.last.at, new_game)
    return _interrupted(opened, recovered, state, stamp)


def _recovered(path: Path, memory: RecoveredMemory | None) -> Recovered | None:
    try:
        return recover(path, load_rulebook, memory)
    except RecordError:
        # open_journal has reported why.
        return None if memory is None else recover_memory(memory, load_rulebook)


def _unplayed(found: Start, at: int, new_game: NewGame) -> Start:
    """Continue a game that was set up but never started, or end it if the settings now ask for another."""
    (state,) = found.tables
    if state.history.event == new_game:
        return found
    ended, fresh = accept(state.history, End(NOT_PLAYED), at), begin(new_game, at)
    return replace(found, tables=(replace(state, history=ended), replace(state, history=fresh)))


def _interrupted(opened: OpenedJournal, recovered: Recovered, state: ClockState, stamp: GameStamp) -> Start:
    history, at = state.history, recovered.last.at
    phase = history.game_at(at).phase
    own_ns = recovered.uncertain_ns(stamp)
    uncertain = own_ns + _unconfirmed(recovered)
    reason = _reason(recovered, stamp, own_ns)
    cut = accept(history, Neutralise(reason), at) if phase in (Phase.RUNNING, Phase.HOLD) else history
    done = phase in (Phase.READY, Phase.OVER)
    note = {
        "uncertain_ns": uncertain,
        "cause": reason,
        "last_boot": recovered.last.boot,
        "refused": [unfit.why for unfit in recovered.refused],
    }
    interruption = None
    if not done:
        # If an earlier recovery stopped the clock and is not confirmed yet, a clock did run.
        stood = not recovered.clock_ran and not (recovered.unconfirmed is not None and cut.game.reason in (POWER_CUT, RESTARTED))
        interruption = Interruption(
            _kind(reason, uncertain, stood=stood),
            uncertain,
            datetime.fromisoformat(recovered.last.wall) if is_dated(recovered.last.wall) else None,
        )
    return Start(opened, (replace(state, history=cut, frozen=None if done else at),), recovered.game, history, note, interruption)


def _kind(reason: str, uncertain: int, *, stood: bool) -> str:
    if reason == SWITCHED_OFF:
        return "switched_off"
    if reason == RESTARTED and not uncertain:
        return "restarted_whole"
    return f"{'restarted_' if reason == RESTARTED else ''}{'stood' if stood else 'recovered'}"


def _reason(recovered: Recovered, stamp: GameStamp, own_ns: int) -> str:
    """Return the reason of the interruption; while an earlier one is unconfirmed and this one lost nothing, the earlier one's."""
    if recovered.unconfirmed is not None and own_ns == 0 and (_unconfirmed(recovered) or not recovered.switched_off):
        # Earlier versions stored no cause and knew only power cuts.
        return str(decode(recovered.unconfirmed.row.body).get("cause", POWER_CUT))
    if recovered.switched_off:
        return SWITCHED_OFF
    return RESTARTED if recovered.last.boot == stamp.boot else POWER_CUT


def _unconfirmed(recovered: Recovered) -> int:
    if recovered.unconfirmed is None:
        return 0
    uncertain = decode(recovered.unconfirmed.row.body).get("uncertain_ns", NS)
    return uncertain if isinstance(uncertain, int) else NS


def _lost(game: int) -> Phrase:
    why = "Game {game} could not be brought back: its beginning cannot be read. It is kept; `tileclock journal list` says why"
    return Phrase(why, game=game)
