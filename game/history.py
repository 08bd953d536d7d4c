"""The history of one game: its events in the order in which they were made, and the game after each as it stood then.

A history is a chain of frozen links, newest first, that is only ever appended to. Two events correct the past: an ``Undo`` strikes an event, and an
``OutPlay`` may take the place of the press that ended the turn. Neither changes a link: the game after it is what ``corrected`` makes of all links.

**The law of undo** (docs/spec/events.md). Taking back changes whose time it was, never how much time ran, and never ends a game. So the correction goes through
the stretches between the events as they were lived: the time that ran in one is charged to whoever should have run, and where no clock ran none runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from game import events
from game.event_table import EVENTS, carry_out, usual_maker
from game.events import By
from game.game import (
    OUT_PLAY_WINDOW,
    TIMES_CORRECTED,
    EventNotAllowed,
    Game,
    Late,
    OutPlaying,
    Over,
    Phase,
    Ready,
    Running,
    Stopped,
    Window,
    advance,
    needed,
    next_due,
    settle,
    stand,
    without_hold,
)
from game.play import whose
from game.rulings import SIGNED, fresh
from rules.duration import NS
from rules.side import Side, plain_members

_NOTHING_TO_UNDO: Final = "nothing to take back"


@plain_members
class Fate(Enum):
    STRUCK = "struck"
    DROPPED = "dropped"
    """It became impossible when another one was struck."""
    REPLACED = "replaced"
    """An out play has taken the place of the press."""


UNDONE_BY_DEFAULT: Final = tuple(spec.kind for spec in EVENTS if spec.undone)
PLAYERS_UNDO_NS: Final = 60 * NS


class History(Struct, frozen=True, eq=False):
    """One link: an accepted event, its number and instant (ns), and the game after it. It iterates as a chain does.

    Two histories are equal only if they are one: comparing values would walk down both chains.
    """

    number: int
    at: int
    event: events.Event
    game: Game
    before: History | None
    given_by: By | None = None
    """Who made the event, where that was stated; None: the usual maker."""
    fates: Mapping[int, Fate] = {}
    """Of the events up to this link, by number, that stand no more."""
    charged: Mapping[int, Side] = {}
    """To whom the last correction has charged the time before a link, by the link's number."""
    due: int | None = None
    """When (ns) the game changes by itself, if no event comes first."""

    @property
    def by(self) -> By:
        return self.given_by or usual_maker(self.event)

    def __repr__(self) -> str:
        return f"<History of {self.number} events>"

    def __iter__(self) -> Iterator[History]:
        link: History | None = self
        while link is not None:
            yield link
            link = link.before

    def oldest_first(self) -> list[History]:
        return list(self)[::-1]

    def standing(self) -> Iterator[History]:
        return (link for link in self if link.number not in self.fates)

    def until(self, at: int) -> History:
        """Return the newest link at or before ``at`` (the first link if there is none)."""
        return next((link for link in self if link.at <= at), self.first)

    @property
    def first(self) -> History:
        return next(link for link in self if link.before is None)

    def game_at(self, now: int) -> Game:
        if now < self.at:
            return advance(self.until(now).game, now)
        return self.game if self.due is None or now < self.due else advance(self.game, now)

    def find(self, number: int) -> History | None:
        return next((link for link in self if link.number == number), None)

    def can_strike(self, link: History) -> bool:
        return link.number not in self.fates and not isinstance(link.event, events.NewGame | events.Undo)


def begin(event: events.NewGame, at: int) -> History:
    return History(1, at, event, fresh(event), None)


def accept(history: History, event: events.Event, at: int, number: int | None = None, *, by: By | None = None) -> History:
    """Return the history with ``event`` at ``at`` (ns), at or after its last event. Raises ``EventNotAllowed``.

    ``number``: its number in the journal it comes from, which may lack events; None: the next. ``by``: who makes it; None: the usual maker.
    """
    if isinstance(event, events.NewGame):
        return _new_game(history, event, at)
    number, fates = number or history.number + 1, history.fates
    match event:
        case events.Undo():
            struck = _undo_target(history, event, at, by).number
            # Store the number of the struck event, so that a journal need not derive it again.
            event, fates = replace(event, event=struck), {**history.fates, struck: Fate.STRUCK}
        case events.OutPlay(int() as press):
            _require_habit_press(history, press, at)
        case _:
            game, due = settle(carry_out(history.game_at(at), event, at, by), at, at)
            return History(number, at, event, game, history, by, history.fates, history.charged, due)
    correction = _Correction(History(number, at, event, history.game, history, by, fates, history.charged))
    game = correction.game()
    return History(number, at, event, game, history, by, correction.fates, correction.charged, next_due(game))


def _new_game(history: History, event: events.NewGame, at: int) -> History:
    game = history.game_at(at)
    if not isinstance(game.state, Over) and not untouched(game):
        raise EventNotAllowed("a game is going on: it has to end first")
    return begin(event, at)


def untouched(game: Game) -> bool:
    """Return whether the game was set up and not begun, so that it may be set up anew (NZ 3.2)."""
    return game.phase is Phase.READY and not any(each for side in Side for each in (game.used.of(side), game.accounts.of(side).credit))


def _undo_target(history: History, event: events.Undo, at: int, by: By | None) -> History:
    if by is By.PLAYERS:
        link = players_last_act(history)
        if at - link.at > PLAYERS_UNDO_NS:
            raise EventNotAllowed("older than 60 s")
        if event.event not in (None, link.number):
            raise EventNotAllowed("only the director undoes any other event than the last")
        return link
    if event.event is None:
        return needed(next((link for link in history.standing() if isinstance(link.event, UNDONE_BY_DEFAULT)), None), _NOTHING_TO_UNDO)
    found = (link for link in history if link.number == event.event and history.can_strike(link))
    return needed(next(found, None), Phrase("event {number} cannot be undone", number=event.event))


def players_last_act(history: History) -> History:
    """Return the players' own last act, which they can take back together for ``PLAYERS_UNDO_NS``. Raises ``EventNotAllowed``."""
    for link in history:
        if link.by is By.DIRECTOR:
            raise EventNotAllowed("the director has acted since")
        if link.number not in history.fates and isinstance(link.event, events.Result):
            raise EventNotAllowed(SIGNED)
        if link.number not in history.fates and isinstance(link.event, UNDONE_BY_DEFAULT):
            return link
    raise EventNotAllowed(_NOTHING_TO_UNDO)


class _Correction:
    """All links of a game gone through again, up to a newest one that corrects the past.

    Between two links the *lived* game says how much time ran, and to whom it was charged; the *corrected* game, whose clock should have run.
    """

    def __init__(self, newest: History) -> None:
        self._newest = newest
        self.fates: dict[int, Fate] = {number: fate for number, fate in newest.fates.items() if fate is not Fate.REPLACED}
        standing = (link for link in newest if link.number not in self.fates)
        self._by_press = {link.event.press: link for link in standing if isinstance(link.event, events.OutPlay) and link.event.press}
        """The out plays that stand in the place of a press, by its number."""
        self.fates |= dict.fromkeys(self._by_press, Fate.REPLACED)
        self.charged = dict(newest.charged)
        self._declaring = False
        """Between a press that was an out play and its declaration: the clock should have stood, so the time is neither player's (2017 V.E)."""
        self._would_run: Side | None = None
        """Whose clock should run in the corrected game, while it stands because the lived one stood."""
        self._runs_on = False
        """Since a struck event that was taken back just to say that a clock should have run: that time is added."""

    def game(self) -> Game:
        """Return the corrected game after the newest link; then the fates and charges are known. Raises ``EventNotAllowed``."""
        links = self._newest.oldest_first()
        game = links[0].game
        for before, link in pairwise(links):
            lived = advance(before.game, link.at)
            game = self._passed(game, before, lived, link)
            game = self._after(game, lived, link)
        return game

    def _passed(self, game: Game, before: History, lived: Game, link: History) -> Game:
        """Return the corrected game just before ``link``, with the time of the stretch since the link ``before``."""
        ended = lived.end if before.game.end is None else None
        until = link.at if ended is None else ended.at
        lived_side = before.game.running
        ran = 0 if lived_side is None else lived.used_at(lived_side, until) - before.game.used_at(lived_side, before.at)
        if game.running is not None:
            self._would_run = None
        # Where no clock should have run, the time stays with whom it is charged to.
        side = game.running or self._would_run or self.charged.get(link.number, lived_side)
        if self._runs_on and game.running is not None:
            ran = game.used_at(game.running, until) - game.used_at(game.running, before.at)
        elif game.running is None and (self._declaring or isinstance(game.state, Ready | Late | Over)):
            # The game had not begun, or was over; or the play was an out play.
            ran = 0
        if side is not None:
            self.charged[link.number] = side
        game = _charged(game, side, ran, before.at, until)
        if ended is not None:
            return _ended(game, ended)
        return without_hold(game) if before.game.hold is not None and lived.hold is None and game.hold is not None else game

    def _after(self, game: Game, lived: Game, link: History) -> Game:
        """Return the corrected game after ``link``: with its event if that stands and is possible, and with its clock standing where the lived one stands."""
        event, fate = link.event, self.fates.get(link.number)
        if link is self._newest:
            return _for_people(game, lived, link.at) if isinstance(event, events.Undo) else _declared(game, link.at)
        if fate is Fate.REPLACED and isinstance(event, events.Press):
            return self._replaced(game, lived, link, event)
        if fate is None and isinstance(event, events.OutPlay) and event.press is not None:
            self._declaring = False
            game = _declared(game, link.at)
        elif fate is None and not isinstance(event, events.NewGame | events.Undo):
            game = self._carried_out(game, lived, link, event)
        if fate is Fate.STRUCK:
            self._runs_on = isinstance(event, events.Neutralise | events.Arrive)
        elif link.game.running is not None:
            self._runs_on = False
        if self._declaring:
            return game
        if link.game.end is not None and game.end is None:
            return _ended(game, link.game.end)
        if self._runs_on or _counts_alike(game, link.game):
            return game
        self._would_run = game.running or self._would_run
        return stand(game, link.at)

    def _replaced(self, game: Game, lived: Game, link: History, press: events.Press) -> Game:
        """Return the game with the out play that stands in the place of ``press``; an earlier one that fits there no more drops out, and the press stands."""
        out_play = self._by_press[link.number]
        try:
            after = carry_out(game, events.OutPlay(), link.at)
        except EventNotAllowed:
            if out_play is self._newest:
                raise
            after = None
        if after is None or after.out_player is not press.side:
            self.fates[out_play.number] = Fate.DROPPED
            del self.fates[link.number]
            return self._carried_out(game, lived, link, press)
        self._declaring = True
        return after

    def _carried_out(self, game: Game, lived: Game, link: History, event: events.GameEvent) -> Game:
        """Return the corrected game with the event of ``link``; an event that is impossible now, another player's, or would be the first to end the game, drops out."""
        try:
            after = carry_out(game, event, link.at, link.given_by)
        except EventNotAllowed:
            after = None
            if isinstance(event, events.NotOut) and game.end is not None:
                # Its out play is struck; the game that it brought back from an end goes on: no undo ends it.
                after = carry_out(game, events.Reopen("not out"), link.at)
        ends = after is not None and after.end is not None and link.game.end is None and not self._declaring
        if after is None or ends or whose(game, event) is not whose(lived, event) or (self._declaring and isinstance(event, events.Resume)):
            self.fates[link.number] = Fate.DROPPED
            return game
        return after


def _charged(game: Game, side: Side | None, ran: int, since: int, until: int) -> Game:
    """Return the game with its clock charged up to ``since``, and ``side`` with ``ran`` more ns for the time from then to ``until`` (ns)."""
    state, used = game.state, game.used
    if isinstance(state, Running | Late) and state.side is not None:
        used = used.replace(state.side, game.used_at(state.side, since))
        state = replace(state, since=max(state.since, until))
    if side is not None and ran:
        used = used.replace(side, used.of(side) + ran)
    return game.replace(state=state, used=used)


def _ended(game: Game, end: Over) -> Game:
    """Return the game at an end that was lived: over where time had ended the corrected one too, in the same way; else it stands."""
    settled, _ = settle(game, end.at, end.at)
    alike = settled.end is not None and (settled.end.reason, settled.end.loser) == (end.reason, end.loser)
    return settled if alike else stand(game, end.at)


def _counts_alike(game: Game, lived: Game) -> bool:
    """Return whether nothing counts in the game that does not count in the lived one."""
    match game.state:
        case OutPlaying():
            return isinstance(lived.state, OutPlaying) or not game.rulebook.out_play_ends_game
        case Late(side=None):
            return isinstance(lived.state, Late)
        case Late() | Running():
            return lived.running is not None
        case _:
            return True


def _for_people(game: Game, lived: Game, at: int) -> Game:
    """Return the game after an undo at ``at`` (ns): where its times would bring an end by themselves, the clock stands, and people decide."""
    if isinstance(game.state, OutPlaying) and isinstance(lived.state, OutPlaying):
        # The players see it count.
        return game.replace(window=lived.window)
    due = next_due(game)
    if due is None or due > at or game.end is not None:
        return game
    stopped = stand(game, at)
    return stopped.replace(state=Stopped(at, explicit=True, reason=TIMES_CORRECTED)) if isinstance(stopped.state, Stopped) else stopped


def _declared(game: Game, at: int) -> Game:
    """Return the game in which an out play was declared at ``at`` (ns): before, nothing said that the play was the last, so the window counts from here (2017 V.E)."""
    if not isinstance(game.state, OutPlaying):
        return game
    return game.replace(window=Window(OUT_PLAY_WINDOW, at, game.rulebook.windows[OUT_PLAY_WINDOW]))


_LEAVE_THE_PRESS: Final = (
    events.Neutralise,
    events.Reason,
    events.Resume,
    events.StartWindow,
    events.Call,
    events.Infraction,
    events.Adjust,
    events.Hold,
    events.Release,
    events.Challenge,
    events.Withdraw,
    events.Verdict,
    events.Undo,
)
"""The events after a press that leave it the last play: while its opponent is on turn, an out play can still take its place."""


class OutPlayTooLate(EventNotAllowed):
    """The declared out play would end the game at once, or lose a hold that came later."""


def declare(history: History, side: Side, at: int, *, even_if_over: bool = False) -> History:
    """Return the history with an out play by ``side`` declared at ``at`` (ns) after the stop: in the place of the press that ended its turn, or of the player on turn.

    Raises ``EventNotAllowed``, and ``OutPlayTooLate`` unless ``even_if_over``.
    """
    game = history.game_at(at)
    if not _stopped(game):
        raise EventNotAllowed("an out play is declared after a stop, with a player on turn and none pending")
    press = habit_press(history, side)
    if press is None and not (game.turn is side and isinstance(game.state, Stopped)):
        raise EventNotAllowed("that player's last press ended no turn")
    declared = accept(history, events.OutPlay(None if press is None else press.number), at)
    lost = (link for link in history.standing() if isinstance(link.event, events.Hold) and link.number in declared.fates)
    if not even_if_over and (declared.game.end is not None or any(lost)):
        raise OutPlayTooLate("the time for the out play is over")
    return declared


def habit_press(history: History, side: Side) -> History | None:
    """Return the press by which ``side`` ended its turn, if nothing has come since that settles it; else None.

    A press that starts a clock after a stop or a challenge ends no turn: no out play takes its place (2017 V.E, IV.G.1).
    """
    for link in history.standing():
        if isinstance(link.event, events.Press):
            return link if link.event.side is side and _ends_turn(link) else None
        if not isinstance(link.event, _LEAVE_THE_PRESS) or _settles(link):
            return None
    return None


def _require_habit_press(history: History, number: int, at: int) -> None:
    press = next((link for side in Side if (link := habit_press(history, side)) is not None), None)
    if press is None or press.number != number or not _stopped(history.game_at(at)):
        raise EventNotAllowed("an out play takes the place of the last press that ended a turn, after a stop")


def _settles(link: History) -> bool:
    """Return whether an event of those kinds says that the play before was none, or not the last: the director's time, a play that came off, another turn."""
    match link.event:
        case events.Adjust():
            return link.by is By.DIRECTOR
        case events.Verdict(acceptable):
            return not acceptable
        case events.Resume(side):
            return link.before is None or link.before.game.turn is not side
        case _:
            return False


def _ends_turn(press: History) -> bool:
    before = None if press.before is None else press.before.game_at(press.at)
    return before is not None and before.running is not None and before.running is before.turn


def _stopped(game: Game) -> bool:
    """Return whether a player can declare an out play: in a stop, or while the play is challenged."""
    return game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION) and game.turn is not None and game.out_player is None
