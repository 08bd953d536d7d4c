"""Decide, then record: the state with the recent edges of the hands, from which follows what they have decided, and what they would do now.

A press may still become a chord or a held press, and an edge may be delivered late. So what each press does is computed
anew from the last decided state and all edges since, in the order of their instants; the more edges are known, the more is certain. The face shows that. It
becomes decided, and is recorded, once nothing can change it: nothing that is recorded is taken back but by a person's undo. All instants are in ns of CLOCK_MONOTONIC.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from firmware.gestures import presses, table_presses
from firmware.gestures.clock_state import STUCK_NS, ClockState, Stroke, agreed_at, agreeing, asks_both, closed, closing, settled
from firmware.gestures.contacts import CHORD_WITHIN_NS, KEY, SETTLED_NS, Edge, Hold, chords, hear, unsettled
from game.events import NewGame
from game.game import EventNotAllowed
from rules.contact import MS

LATE_NS: Final = 750 * MS
"""How late an edge may come and still count at its own instant: 500 ms until it is delivered, the rest for a loop that waits for a busy processor."""
_SETTLES_NS: Final = 2 * SETTLED_NS
"""A press or its end is known so long after its first edge, if the contact settles."""
_KEPT_NS: Final = 1000 * MS
"""Edges that decide nothing are kept for so long: each step of the decided state takes a fold."""


class Change(Struct, frozen=True):
    """A change of the state that no edge makes."""

    at: int
    make: Callable[[ClockState], ClockState]
    """It may raise EventNotAllowed: a late edge has made the change impossible, and nothing happens."""


class Decided(NamedTuple):
    """A state that nothing changes any more, at its instant."""

    at: int
    state: ClockState


class Hands(Struct, frozen=True, dict=True):
    decided: ClockState
    """It can only be added to."""
    since: int
    """Its instant: an edge that is older counts here."""
    recent: tuple[Edge | Change, ...] = ()
    now: int = 0
    late: int = LATE_NS

    @property
    def shown(self) -> ClockState:
        """The state at ``now``, with what letting go of all buttons would record."""
        return self._fold.shown

    @property
    def undecided_since(self) -> int | None:
        """The instant from which ``decided`` may not be all that has happened, or None: no press has done anything since."""
        return None if self.shown.history is self.decided.history or not self.recent else self.recent[0].at

    @property
    def due(self) -> int | None:
        decides = self._fold.certain
        dues = [] if decides is None else [max(decides + self.late, self.now) + _SETTLES_NS]
        return min((*dues, *self._fold.dues()), default=None)

    @cached_property
    def _fold(self) -> _Fold:
        return _Fold(self.decided, self.since, self.recent, self.now)

    @cached_property
    def newly_decided(self) -> tuple[Decided, ...]:
        """The states to record, in order; the last one is that from which ``advanced`` goes on."""
        until, certain = self.now - self.late, self._fold.certain
        if (certain is None or certain > until) and (not self.recent or self.recent[0].at > until - _KEPT_NS):
            return (Decided(self.since, self.decided),)
        return _Fold(self.decided, self.since, tuple(each for each in self.recent if each.at <= until), until).decided

    @property
    def advanced(self) -> Hands:
        *_, (at, state) = self.newly_decided
        recent = tuple(each for each in self.recent if each.at > at)
        return self if at == self.since else replace(self, decided=state, since=at, recent=recent)

    def edge(self, button: str, at: int, *, down: bool) -> Hands:
        return self._with(Edge(button, max(at, self.since), down))

    def change(self, make: Callable[[ClockState], ClockState], at: int) -> Hands:
        return self._with(Change(max(at, self.since), make))

    def _with(self, item: Edge | Change) -> Hands:
        recent = list(self.recent)
        insort(recent, item, key=lambda each: each.at)
        return replace(self, recent=tuple(recent), now=max(self.now, item.at))

    def tick(self, now: int) -> Hands:
        return self if now <= self.now else replace(self, now=now)

    def at_once(self, make: Callable[[ClockState], ClockState] = closed) -> Hands:
        """Return the hands with all decided now: what is held stays what it is, and no late edge reaches back."""
        state = make(self.shown)
        # What only later proves to be a press counts from now: the history is only appended to.
        contacts = {
            button: each if each.pressed or each.began_at is None else replace(each, began_at=self.now)
            for button, each in state.contacts.items()
        }
        return Hands(replace(state, contacts=contacts), self.now, now=self.now, late=self.late)


class _Moment(NamedTuple):
    """What happens at an instant (ns); ``order``: its place among all of one instant."""

    at: int
    order: int
    do: Callable[[ClockState], ClockState]


_IN_ORDER: Final = itemgetter(slice(2))
_CLOSE, _AGREE, _STAGE, _REPEAT, _RELEASE, _SPIKE, _KEY, _PRESS, _CHANGE = range(9)
"""The order of one instant: what a press is held for is full before another press begins."""


class _Fold:
    """The decided state, folded with what has come since up to ``now`` (ns) in the order of the instants."""

    def __init__(self, decided: ClockState, since: int, recent: tuple[Edge | Change, ...], now: int) -> None:
        self._before, self._since, self._now = decided, since, now
        self._state, self._at = decided, since
        self._edges = [each for each in recent if isinstance(each, Edge)]
        self._heard = hear(decided.contacts, self._edges, now)
        self._second_of, self._open = chords(self._heard.holds, now) if decided.setup.two_button else ({}, {})
        self._held = {hold.button: hold for hold in self._heard.holds if not hold.new}
        self._seconds: set[Hold] = set()
        self._limit = min([now, *(at - 1 for contact in self._heard.contacts.values() for at in unsettled(contact, now))])
        self._latest = Decided(since, decided)
        self._recorded: list[Decided] = []
        self._ended: list[Decided] = []
        """How games ended that another one has followed, while that is undecided."""
        self._moments = deque(sorted(self._known(recent), key=_IN_ORDER))
        while (moment := self._upcoming()) is not None:
            self._pass(moment.at)
            self._happen(moment)
        self._pass(now + 1)

    @property
    def shown(self) -> ClockState:
        state, contacts = self._state, self._heard.contacts
        return state if contacts == state.contacts else replace(state, contacts=contacts)

    @property
    def certain(self) -> int | None:
        """From when on something that is not decided yet is certain but for late edges, or None."""
        if self._recorded:
            return self._recorded[0].at
        return _certain_from(self._state, self._at) if self._differs() else None

    @property
    def decided(self) -> tuple[Decided, ...]:
        """The states with another history or setup, or with the times confirmed, and at last the latest one."""
        return *self._recorded, Decided(self._latest.at, self._with_contacts(self._latest))

    def dues(self) -> Iterator[int]:
        state = self.shown
        agreed = agreed_at(state)
        held = [
            (stroke, at) for stroke in state.open_strokes for at in (stroke.deadline, stroke.repeat_at, agreed if stroke.agrees else None)
        ]
        dues = (
            *closing(state),
            *(contact.due for contact in self._heard.contacts.values()),
            *self._open.values(),
            *(max(at, *(self._held[button].sure(at) or at for button in stroke.buttons)) for stroke, at in held if at is not None),
        )
        return (at for at in dues if at is not None and at > self._now)

    def _known(self, recent: tuple[Edge | Change, ...]) -> Iterator[_Moment]:
        heard = self._heard
        yield from (_Moment(each.at, _CHANGE, partial(_changed, change=each)) for each in recent if isinstance(each, Change))
        yield from (_Moment(at, _KEY, partial(presses.key_on if down else presses.key_off, at=at)) for at, down in heard.turned)
        yield from (_Moment(at, _SPIKE, lambda state: replace(state, spikes=state.spikes + 1)) for at in heard.spikes)
        for hold in heard.holds:
            if hold.new and hold.is_press and hold.button != KEY:
                yield _Moment(hold.at, _PRESS, partial(self._press, hold=hold))
            if hold.released is not None:
                yield _Moment(max(hold.released, self._since), _RELEASE, partial(_release, hold=hold))

    def _upcoming(self) -> _Moment | None:
        moment = min((*islice(self._moments, 1), *self._dynamic()), key=_IN_ORDER, default=None)
        return None if moment is None or moment.at > self._now else moment

    def _dynamic(self) -> Iterator[_Moment]:
        state = self._state
        for closes in closing(state):
            if closes > self._at:
                yield _Moment(closes, _CLOSE, lambda state: state)
        for stroke in state.open_strokes:
            for due, order, do in ((stroke.deadline, _STAGE, presses.hold_on), (stroke.repeat_at, _REPEAT, presses.repeat)):
                if due is not None and self._is_held(stroke, due):
                    yield _Moment(max(due, self._at), order, partial(do, stroke=stroke, at=due))
        agreed = agreed_at(state)
        if agreed is not None and all(self._held[each.buttons[0]].held(agreed, self._now) for each in agreeing(state)):
            yield _Moment(max(agreed, self._at), _AGREE, table_presses.agree)

    def _is_held(self, stroke: Stroke, at: int) -> bool:
        holds = [self._held[button] for button in stroke.buttons if button in self._held]
        return all(hold not in self._open and hold.held(at, self._now) for hold in holds)

    def _pass(self, at: int) -> None:
        """Let the time pass up to just before ``at``: what nothing can change any more is decided."""
        certain, decided_at = _certain_from(self._state, self._at), min(at - 1, self._limit)
        if certain is None or certain > decided_at or decided_at <= self._since:
            return
        if self._differs():
            self._recorded += [*self._ended, Decided(certain, self._state)]
        self._ended = []
        self._latest = Decided(decided_at, self._state)

    def _differs(self) -> bool:
        state, latest = self._state, self._latest.state
        return state.history is not latest.history or state.setup is not latest.setup or state.frozen != latest.frozen

    def _happen(self, moment: _Moment) -> None:
        if self._moments and moment is self._moments[0]:
            self._moments.popleft()
        before, self._at = self._state, moment.at
        self._state = settled(moment.do(before), moment.at)
        if self._state.history is not before.history and isinstance(self._state.history.event, NewGame):
            self._ended.append(Decided(moment.at, before))

    def _press(self, state: ClockState, hold: Hold) -> ClockState:
        self._held[hold.button] = hold
        if hold in self._seconds:
            return state
        second = self._second_of.get(hold)
        if second is None or asks_both(state):
            stroke = Stroke((hold.button,), hold.at, hold.at, state.game_at(hold.at))
        else:
            self._seconds.add(second)
            stroke = Stroke((hold.button, second.button), hold.at, second.at, state.game_at(hold.at))
        other = None if stroke.side is None or not state.setup.two_button else self._held.get(stroke.side.other.value)
        beside_stuck = other is not None and stroke.at >= other.at + STUCK_NS and (other.released is None or other.released > stroke.at)
        return presses.began(state, stroke, beside_stuck=beside_stuck)

    def _with_contacts(self, decided: Decided) -> ClockState:
        """Return the decided state with its contacts; a press that is known since does not begin again."""
        if decided.at == self._since:
            return decided.state
        contacts = hear(self._before.contacts, (edge for edge in self._edges if edge.at <= decided.at), decided.at).contacts
        known = {(hold.button, hold.at) for hold in self._heard.holds if hold.is_press}
        pressed = {button: replace(each, pressed=True) for button, each in contacts.items() if (button, each.began_at) in known}
        return replace(decided.state, contacts={**contacts, **pressed})


def _certain_from(state: ClockState, at: int) -> int | None:
    """Return the instant from ``at`` on at which only a late edge changes what the presses do; None: holding on or letting go may."""
    for stroke in state.strokes.values():
        at = max(at, stroke.held_from)
        if stroke.next_stage is not None or (stroke.agrees and not stroke.over):
            return None
        if stroke.side is not None and not stroke.over and state.setup.two_button:
            # Until then the other button may still make a chord of it.
            at = max(at, stroke.at + CHORD_WITHIN_NS)
    return at


def _release(state: ClockState, hold: Hold) -> ClockState:
    stroke = state.strokes.get(hold.button)
    # A chord stands from its first edge on, when an earlier press of its second button may still be down.
    if hold.released is None or stroke is None or stroke.over or hold.at not in (stroke.at, stroke.held_from):
        return state
    return presses.let_go(state, stroke, hold.released)


def _changed(state: ClockState, change: Change) -> ClockState:
    try:
        return change.make(state)
    except EventNotAllowed:
        return state
