"""Random players: tables in every state, random presses of all lengths, and a count of what was reached."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from firmware.gestures.clock_state import ClockState, apply_event, with_setup
from firmware.gestures.hands import Hands
from firmware.gestures.presses import code_checked
from firmware.table_menu.pages import page
from game.events import Verdict
from game.game import Phase
from tests.examples import THOROUGH
from tests.firmware.gestures.trains import BOUNCES, MS, Edge, Press, chatter, drive, setup
from tests.firmware.saying import RULEBOOKS, attempt

EDGES: Final = int(os.environ.get("TILECLOCK_RANDOM_EDGES", "240000" if THOROUGH else "5000"))
"""Edges of one test on one board: too few in a short run to require that each rare state is reached."""
RUN: Final = 150
"""Edges after which another game begins: the states must not run out into one."""
STARTS: Final = (
    (),
    ("0 press right",),
    ("0 press right", "4 hold"),
    ("0 press right", "3 hold", "4 neutralise"),
    ("0 press right", "4 neutralise"),
    ("0 press right", "3 press left", "4 neutralise"),
    ("0 press right", "4 out_play"),
    ("0 press right", "3 out_play", "4 hold"),
    ("0 press right", "3 out_play", "4 hold", "5 neutralise"),
    ("0 press right", "4 challenge"),
    ("0 press right", "3 out_play", "4 challenge"),
    ("0 press right", "2 neutralise", "4 decide right"),
    ("0 press right", "2 hold", "3 neutralise", "4 decide right"),
    ("0 press right", "2 hold", "3 neutralise", "4 window left name=overdraw_decision"),
    ("0 press right", "4 end reason=x"),
    ("0 late_start left",),
    ("0 late_start both",),
)
PLAYED: Final = tuple(name for name in RULEBOOKS if not name.startswith("naspa-2014-collins"))
"""The rulebooks at the table: the Collins variants of 2014 are played as those of 2017, and would only take edges from the others."""
BOARDS: Final = [pytest.param(("left", "right"), id="two buttons"), pytest.param(("left", "right", "centre"), id="with a bar")]
LIMITS_MS: Final = (99, 100, 101, 999, 1_000, 1_001, 1_999, 2_000, 2_001, 4_999, 5_000, 5_001)


@dataclass
class RandomPlay:
    """Random games on one board. Lengths in ns."""

    random: Random
    buttons: tuple[str, ...]
    longest: int
    reached: Counter[str] = field(default_factory=Counter)
    """How many edges found each state."""
    first_edges: dict[int, str] = field(default_factory=dict)
    """The first edges of the presses of the present run, and their buttons."""
    _turn: int = 0

    def begun(self, *, menu: bool = False) -> ClockState:
        """Return a table in the next state of ``STARTS`` under a random rulebook, with a code at its door; ``menu``: with the table menu open at a random row."""
        # A rulebook may refuse a line of the start, which then begins elsewhere.
        history = attempt(self.random.choice(PLAYED), *STARTS[self._turn % len(STARTS)]).history
        self._turn += 1
        state = ClockState(history, setup(two_button="centre" not in self.buttons, code=True, players_choose_rulebook=True, results=True))
        opens = [Press(button, 6_000, 1_200) for button in (("left", "right") if "centre" not in self.buttons else ("centre",))]
        if not menu:
            return state
        opened = drive(state, [one for press in opens for one in press.edges(bouncy=False)], 6_900)
        if opened.table_menu is None:
            return opened
        # A menu stays open: the cursor begins on any row, so that every page is reached.
        rows = page(opened.table_menu, history, opened.setup, 7_300 * MS).rows
        return replace(opened, table_menu=replace(opened.table_menu, chosen=self.random.choice(rows).name))

    def played(self, state: ClockState) -> Iterator[tuple[ClockState, int]]:
        """Yield what is shown after each edge of a run, and the instant (ns)."""
        hands = Hands(state, 0)
        for count, one in enumerate(self.edges()):
            hands = self._from_outside(self._checked(hands.edge(one.button, one.at, down=one.down)))
            self._note(hands.shown, one.at)
            yield hands.shown, one.at
            hands = hands.advanced
            if count >= RUN:
                return

    def edges(self) -> Iterator[Edge]:
        """Yield edges in order, from 8 s on, for ever: single presses and pairs, short and held, with bounce and spikes, near and far apart."""
        self.first_edges.clear()
        at, free = 8_000 * MS, dict.fromkeys(self.buttons, 0)
        waiting: list[Edge] = []
        while True:
            at += self._between((0, 90), (90, 500), (500, 3_000), (3_000, 26_000))
            for button, began in self._pressed(at):
                if began >= free[button]:
                    self.first_edges[began] = button
                    train = self._train(button, began)
                    free[button] = max(one.at for one in train) + 70 * MS
                    for one in train:
                        heappush(waiting, one)
            while waiting and waiting[0].at <= at:
                yield heappop(waiting)

    def _pressed(self, at: int) -> list[tuple[str, int]]:
        if self.random.random() < 0.3:
            return [("left", at), ("right", at + self._between((0, 60), (60, 1_100)))][:: self.random.choice((1, -1))]
        return [(self.random.choice(self.buttons), at)]

    def _train(self, button: str, at: int) -> list[Edge]:
        length = min(self._length(), self.longest)
        bouncy = length >= 35 * MS and self.random.random() < 0.3
        offsets = BOUNCES if bouncy else (0,)
        return [*chatter(button, at, offsets, down=True), *chatter(button, at + length, offsets, down=False)]

    def _length(self) -> int:
        if self.random.random() < 0.2:
            return self.random.choice(LIMITS_MS) * MS + self.random.choice((-1, 0, 1))
        return self._between((0, 6), (6, 90), (90, 600), (600, 1_000), (1_000, 2_400), (2_000, 7_000), (7_000, 20_000))

    def _between(self, *ranges: tuple[int, int]) -> int:
        """Return a random length of a random one of these ranges in ms; the first ones are likelier."""
        low, high = ranges[min(self.random.randrange(len(ranges)), self.random.randrange(len(ranges)))]
        return self.random.randrange(low * MS, high * MS) + 1

    def _checked(self, hands: Hands) -> Hands:
        door = hands.shown.door
        if door is None or not door.checking:
            return hands
        return hands.change(partial(code_checked, at=hands.now, right=self.random.random() < 0.5), hands.now)

    def _from_outside(self, hands: Hands) -> Hands:
        """Return the hands after what sometimes closes an open page of the table menu: a station's verdict, or the desk's settings."""
        state, now = hands.shown, hands.now
        if state.table_menu is None or self.random.random() > 0.02:
            return hands
        self.reached["closed by itself"] += 1
        if state.game_at(now).phase is Phase.ADJUDICATION:
            return hands.change(partial(apply_event, event=Verdict(acceptable=False), at=now), now)
        paper = not state.setup.results
        return hands.change(lambda each: with_setup(each, replace(each.setup, results=paper), now), now)

    def _note(self, state: ClockState, at: int) -> None:
        game, menu = state.game_at(at), state.table_menu
        self.reached["edges"] += 1
        self.reached[f"{game.phase.value}{' pending' if game.out_player is not None and game.phase is not Phase.OVER else ''}"] += 1
        if menu is not None:
            self.reached["menu"] += 1
            self.reached[f"menu {menu.path[0] if menu.path else 'first page'}"] += 1
        self.reached["door"] += state.door is not None
        self.reached["director's menu"] += state.menu is not None
        self.reached["offer"] += state.offer is not None
        for stroke in state.open_strokes:
            self.reached[f"{'chord' if stroke.is_chord else 'bar' if stroke.is_bar else 'own button'} stage {stroke.stage}"] += 1
