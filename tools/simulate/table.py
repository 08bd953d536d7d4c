"""One simulated table: the clock's own core, shell and journal, its local socket, and the link beside it. Only pins, screen and players are missing."""

import functools
import heapq
from collections import deque
from random import Random
from typing import Final

from appliance.clocks import Clocks
from appliance.program import Wakeup
from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import HallState
from firmware.journal.writer import HeadSigned, JournalRecorder, JournalWriter, open_journal
from firmware.menu.setup import Setup
from firmware.settings import HallSettings
from firmware.shell.clock import TableClock
from firmware.shell.hall import ClockDevice, HallInput
from firmware.shell.hall_messages import HallMessages
from firmware.shell.notices import Notices
from firmware.texts import load_reasons, load_texts
from game.events import NewGame
from game.game import next_due as next_transition
from game.history import begin
from hall.link.connection import BrokerConnection
from hall.link.relay import Relay
from rules.duration import NS
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook, shipped_ids
from rules.side import BySide, Side
from tools.simulate.plan import Schedule, TablePlan
from tools.simulate.players import PlayersMove, TrialPlayers, next_move
from wire.local.client import DeviceEnd

NEVER: Final = 1 << 62


class SimulatedTable:
    """A table that plays, and reports to its hall. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(self, plan: TablePlan, now: int, seed: int) -> None:
        self.plan = plan
        self.presses = 0
        """Gestures that the players have made."""
        self._chance = Random(seed * 10_007 + plan.number)  # noqa: S311 - players, not secrets
        self._players = None if plan.turns is None else TrialPlayers(plan.turns, plan.calls, self._chance)
        self._edges: list[tuple[int, int, str, bool]] = []
        self._made = 0
        self._move_due = NEVER
        self._turn_s = 0.0
        self._end = NEVER
        clocks = Clocks()
        settings = HallSettings(
            enabled=True,
            name=f"Clock {plan.number + 1}",
            table=min(999, plan.number + 1),
            socket=str(plan.link.socket),
            key=str(plan.key),
            link_user="root",
            # Every second clock stops itself when the director asks.
            freeze="hard" if plan.number % 2 else "advisory",
            trust=str(plan.trust),
        )
        setup = _setup()
        self._notices = Notices()
        self._from_hall: deque[HallInput | HeadSigned] = deque()
        """What the desk's thread passes on."""
        self._woken = Wakeup()
        self._desk = ClockDevice(settings, plan.journal, clocks, self._pass_on)
        open_journal(plan.journal)
        self.writer = JournalWriter(plan.journal, lambda _: None, on_rows=self._desk.committed)
        self._desk.watch(self.writer)
        event = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None))
        self._clock = TableClock(ClockState(begin(event, now), setup), JournalRecorder(self.writer, clocks, 0, None), self._notices, now)
        self._clock_due = now
        self._messages = HallMessages(self._clock, self._desk, HallState(self._desk.place, settings.freeze == "hard"))
        self._messages.begin()
        self.relay = Relay(plan.link, DeviceEnd(plan.link.device, plan.link.socket), BrokerConnection(plan.link)) if plan.hosted else None
        self._relay_due = now

    @property
    def linked(self) -> bool:
        """The hall is in reach."""
        return self._desk.link_state.up

    def play(self, schedule: Schedule) -> None:
        """Play from its start to its end; the tables' turns are spread at random."""
        self._turn_s, self._end = schedule.press_s, schedule.end
        self._move_due = schedule.start + round(self._chance.random() * schedule.press_s * NS)

    def director_comes(self, now: int, *, comes: bool) -> None:
        """Let the director come to this table's call, or not after all."""
        if self._players is not None:
            self._players.director_comes(self._clock.table, now, comes=comes)

    def descriptors(self) -> dict[int, bool]:
        """Return what the table and its link wait for."""
        return {self._woken.fileno(): False, **({} if self.relay is None else self.relay.descriptors())}

    def step(self, now: int, ready: frozenset[int]) -> int:
        """Do what is due; return when the next step is due at the latest."""
        if self._woken.fileno() in ready:
            self._woken.clear()
        while self._from_hall:
            item = self._from_hall.popleft()
            if isinstance(item, HeadSigned):
                self._clock.signed(now, item)
            else:
                self._messages.receive(item, now)
                self._clock_due = now
        if now >= min(self._move_due, self._clock_due, self._edge_due):
            self._step_clock(now)
        if self.relay is not None and (ready or now >= self._relay_due):
            self._relay_due = self.relay.step(now, ready - {self._woken.fileno()})
        return min(self._edge_due, self._move_due, self._clock_due, self._relay_due if self.relay is not None else NEVER)

    @property
    def _edge_due(self) -> int:
        return self._edges[0][0] if self._edges else NEVER

    def remaining(self, at: int) -> BySide[int]:
        """Return the remaining ns of each side at ``at``, as the clock itself has it."""
        state = self._clock.table
        game, instant = state.game_at(at), state.instant(at)
        return BySide(game.remaining(Side.LEFT, instant), game.remaining(Side.RIGHT, instant))

    def end_play(self) -> bool:
        """Write the rest of the journal; return whether all of it is on the disk. The link goes on."""
        return self.writer.close(60.0)

    def close(self) -> None:
        """End the link and the local socket."""
        if self.relay is not None:
            self.relay.close()
        self._desk.close()
        self._woken.close()

    def _pass_on(self, item: HallInput | HeadSigned) -> None:
        self._from_hall.append(item)
        self._woken.wake()

    def _step_clock(self, now: int) -> None:
        self._take_edges(now)
        if now >= self._move_due:
            self._move(now)
        self._clock.tick(now)
        self._messages.show(now)
        state = self._clock.table
        transition = next_transition(state.history.game)
        later = [
            each
            for each in (self._clock.next_due(now), None if transition is None else transition - state.offset)
            if each is not None and each > now
        ]
        self._clock_due = min(later, default=NEVER)

    def _move(self, now: int) -> None:
        # A press happens when its player makes it, also where this process is late.
        at = self._move_due
        move = self._next_move(now)
        if move is None or at >= self._end:
            self._move_due = NEVER
            return
        self.presses += bool(move.buttons)
        for place, button in enumerate(move.buttons):
            # Two fingers never close two contacts at once.
            self._push(at + place * 30_000_000, button, down=True)
            self._push(at + place * 30_000_000 + move.held, button, down=False)
        self._move_due = at + move.held + round(self._turn_s * move.pause * self._chance.uniform(0.5, 1.5) * NS)
        self._take_edges(now)

    def _next_move(self, now: int) -> PlayersMove | None:
        state = self._clock.table
        if self._players is None:
            return next_move(state, now, self._chance)
        return self._players.move(state, self._clock.hall or HallState(), now)

    def _take_edges(self, now: int) -> None:
        while self._edge_due <= now:
            at, _, button, down = heapq.heappop(self._edges)
            self._clock.edge(button, at, down=down)

    def _push(self, at: int, button: str, *, down: bool) -> None:
        self._made += 1
        heapq.heappush(self._edges, (at, self._made, button, down))


@functools.cache
def _setup() -> Setup:
    """Return what all tables have in common."""
    rulebooks = tuple((name, load_rulebook(name)) for name in shipped_ids())
    return Setup(two_button=False, rulebooks=rulebooks, texts=load_texts("en"), reasons=load_reasons())
