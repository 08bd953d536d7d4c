"""The history of one game: its events in the order of their instants, and the game after each.

A history is a chain of frozen links, newest first: adding an event takes constant time, and striking one folds only the later events again.
Gestures may insert an event at its earlier edge instant, or take back the effect of a short press; an ``Undo`` strikes events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from game import events
from game.event_table import EVENTS, apply, usual_maker
from game.events import By
from game.game import NOTHING, EventNotAllowed, Game, Phase
from game.rulings import fresh
from game.timed_transitions import advance, stopped_again
from rules.duration import NS
from rules.side import Side, plain_members

_NOTHING: Final = "nothing to take back"


@plain_members
class Fate(Enum):
    """The state of an accepted event."""

    VALID = "valid"
    STRUCK = "struck"
    DROPPED = "dropped"


UNDONE_BY_DEFAULT: Final = tuple(spec.kind for spec in EVENTS if spec.undone)
PLAYERS_UNDO_NS: Final = 60 * NS
"""How long players can take back their last act."""


class History(Struct, frozen=True, eq=False):
    """One link: an accepted event, its number and instant (ns), and the game after it. It iterates as a chain does.

    Two records are equal only if they are one: comparing values would walk down both chains.
    """

    number: int
    at: int
    event: events.Event
    fate: Fate
    game: Game
    before: History | None
    highest: int
    """The highest number so far: an event inserted at an earlier instant has a later number."""
    given_by: By | None = None
    """Who made the event, where that was stated; None: the usual maker."""

    @property
    def by(self) -> By:
        """Who made the event."""
        return self.given_by or usual_maker(self.event)

    def __repr__(self) -> str:
        return f"<History of {self.number} events>"

    def __iter__(self) -> Iterator[History]:
        """Yield the links, newest first."""
        link: History | None = self
        while link is not None:
            yield link
            link = link.before

    def oldest_first(self) -> list[History]:
        """Return the links, oldest first."""
        return _links_after(self, None)

    def until(self, at: int) -> History:
        """Return the newest link at or before ``at`` (the first link if there is none)."""
        link = self
        while link.at > at and link.before is not None:
            link = link.before
        return link

    def game_at(self, now: int) -> Game:
        """Return the game at ``now`` (ns), including timed transitions until then."""
        return advance(self.until(now).game, now)

    def find(self, number: int) -> History | None:
        """Return the link with that number, or None."""
        return next((link for link in self if link.number == number), None)


def begin(event: events.NewGame, at: int) -> History:
    return History(1, at, event, Fate.VALID, fresh(event), None, 1)


def accept(history: History, event: events.Event, at: int, number: int | None = None, *, by: By | None = None) -> History:
    """Return the history with ``event`` at ``at`` (ns), which may lie before recorded events: those are folded again. Raises ``EventNotAllowed``.

    ``number``: its number in the journal it comes from; None assigns the next. ``by``: who makes it; None: the usual maker.
    """
    if isinstance(event, events.NewGame):
        return _new_game(history, event, at)
    if isinstance(event, events.Undo):
        return _undo(history, event, at, number or history.highest + 1, by)
    if at >= history.at:
        return _append(history, number or history.highest + 1, at, event, by)
    base = history.until(at)
    linked = _append(base, number or history.highest + 1, at, event, by)
    return _refold(linked, _links_after(history, base), lost=None)


def take_back(history: History, number: int, instead: tuple[events.GameEvent, int] | None, *, by: By | None = None) -> History:
    """Return the history with event ``number`` removed (None), or replaced by another event at its instant (ns) under the same number.

    ``by``: who makes the replacement; None: the usual maker. Raises ``EventNotAllowed``: the event is missing or struck, or its replacement is not allowed
    at that instant.
    """
    link = history.find(number)
    if link is None or link.before is None or link.fate is not Fate.VALID:
        raise EventNotAllowed(Phrase("event {number} cannot be taken back", number=number))
    base, later = link.before, _links_after(history, link)
    if instead is None:
        return _refold(base, later, lost=None)
    event, at = instead
    if at < base.at:
        # A chord begins at its first edge, which may lie before an event of a third button.
        return accept(_refold(base, later, lost=None), event, at, number, by=by)
    return _refold(_append(base, number, at, event, by), later, lost=None)


def changes(old: History | None, new: History) -> tuple[tuple[int, ...], tuple[History, ...]]:
    """Return the difference from ``old`` to ``new`` for a journal: the numbers taken back, and the links to write, oldest first.

    Both are records of the same game; ``old`` is None for a new game. A link is written if it is new or its event has changed; what an undo
    strikes or drops follows from the undo itself.
    """
    if new.before is old:
        return (), (new,)
    known = {} if old is None else {link.number: link for link in old}
    fresh_links = []
    for link in new:
        old_link = known.get(link.number)
        if old_link is link:
            break
        if old_link is None or (old_link.at, old_link.event, old_link.given_by) != (link.at, link.event, link.given_by):
            fresh_links.append(link)
    removed = known.keys() - {link.number for link in new}
    return tuple(sorted(removed)), tuple(reversed(fresh_links))


def can_strike(link: History) -> bool:
    """Return whether the director can strike this event by its number."""
    return link.fate is Fate.VALID and not isinstance(link.event, events.NewGame | events.Undo)


def _new_game(history: History, event: events.NewGame, at: int) -> History:
    game = advance(history.game, at)
    # A game that was set up and not begun may be set up anew (NZ 3.2).
    untouched = game.phase is Phase.READY and game.used == NOTHING and game.credit == NOTHING
    if game.phase is not Phase.OVER and not untouched:
        raise EventNotAllowed("a game is going on: it has to end first")
    return begin(event, at)


def _undo(history: History, event: events.Undo, at: int, number: int, by: By | None) -> History:
    link = _players_undo_target(history, event, at) if by is By.PLAYERS else _undo_target(history, event)
    if link is None or link.before is None:
        raise EventNotAllowed(_NOTHING if event.event is None else Phrase("event {number} cannot be undone", number=event.event))
    without = _without(link, link.before.game)
    struck = History(link.number, link.at, link.event, Fate.STRUCK, without, link.before, link.highest, link.given_by)
    refolded = _refold(struck, _links_after(history, link), lost=Fate.DROPPED)
    # Store the number of the struck event, so that a journal need not derive it again.
    recorded = replace(event, event=link.number)
    return History(number, at, recorded, Fate.VALID, refolded.game, refolded, max(history.highest, number), by)


def _undo_target(history: History, event: events.Undo) -> History | None:
    if event.event is not None:
        link = history.find(event.event)
        return link if link is not None and can_strike(link) else None
    return next((link for link in history if link.fate is Fate.VALID and isinstance(link.event, UNDONE_BY_DEFAULT)), None)


def _players_undo_target(history: History, event: events.Undo, at: int) -> History | None:
    """Return the players' own last act, which they can take back together for a minute; None: there is none."""
    for link in history:
        if link.by is By.DIRECTOR:
            raise EventNotAllowed("the director has acted since")
        if link.fate is Fate.VALID and isinstance(link.event, UNDONE_BY_DEFAULT):
            if at - link.at > PLAYERS_UNDO_NS:
                raise EventNotAllowed("older than 60 s")
            if event.event not in (None, link.number):
                raise EventNotAllowed("only the director undoes any other event than the last")
            return link
    return None


def _without(link: History, before: Game) -> Game:
    """Return the game after ``before`` without the event of ``link``: stopped at its instant where a clock, or the game, has stood since."""
    game = advance(before, link.at)
    if game.phase is Phase.OVER or isinstance(link.event, events.NewGame | events.Undo):
        return before
    if isinstance(link.event, events.OutPlay) and link.event.declared_after is not None and game.turn is not None:
        # The press whose place it took had ended the turn; the stops since then are gone, so the opponent is not charged.
        return stopped_again(apply(game, events.Press(game.turn), link.at), link.at)
    try:
        after = apply(game, link.event, link.at, link.given_by)
    except EventNotAllowed:
        return before
    return stopped_again(game, link.at) if _stood_since(link.event, game, after) else before


def _stood_since(event: events.Event, game: Game, after: Game) -> bool:
    """Return whether ``event``, which made ``after`` of ``game``, stopped what counted: the players saw that it stood, so neither is charged (2017 II.D)."""
    if after.phase is Phase.OVER:
        return True
    if isinstance(event, events.Neutralise | events.Arrive):
        # Struck to say that the clock should have run.
        return False
    if game.running is not None and after.running is None:
        return True
    # The rest of an out play's 20 s does not run behind the event that ended them.
    return game.phase is Phase.OUT_PLAY and after.phase is not Phase.OUT_PLAY and game.rulebook.out_play_ends_game


def _links_after(history: History, than: History | None) -> list[History]:
    """Return the links after ``than`` (None: all), oldest first."""
    later: list[History] = []
    for link in history:
        if link is than:
            break
        later.append(link)
    return later[::-1]


def _refold(base: History, later: Sequence[History], lost: Fate | None) -> History:
    """Fold ``later`` again onto ``base``; an event that is no longer possible gets the fate ``lost``, or is removed where that is None."""
    for link in later:
        game, fate = base.game, link.fate
        if fate is Fate.STRUCK:
            game = _without(link, game)
        elif fate is Fate.VALID and not isinstance(link.event, events.NewGame | events.Undo):
            try:
                game = apply(game, link.event, link.at, link.given_by)
            except EventNotAllowed:
                if lost is None:
                    continue
                fate = lost
        base = History(link.number, link.at, link.event, fate, game, base, max(base.highest, link.number), link.given_by)
    return base


def _append(base: History, number: int, at: int, event: events.GameEvent, by: By | None) -> History:
    highest = max(number, base.highest)
    return History(number, at, event, Fate.VALID, apply(base.game, event, at, by), base, highest, by)


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


def can_declare(history: History, side: Side, at: int) -> bool:
    """Return whether ``side`` can declare an out play at ``at`` (ns), be it in time or too late."""
    game = history.game_at(at)
    on_turn = game.turn is side and game.phase is Phase.NEUTRAL
    return _stopped(game) and (on_turn or habit_press(history, side, at) is not None)


def declare(history: History, side: Side, at: int, number: int | None = None, *, even_if_over: bool = False) -> History:
    """Return the history with the out play that ``side`` declares at ``at`` (ns), after a stop.

    ``number``: that of the same stroke's short press, which is taken back. ``even_if_over``: the game may end by it at once.

    Raises:
        OutPlayTooLate: it would end the game at once, or lose a later hold.
        EventNotAllowed: that side cannot have played out.
    """
    before = history if number is None else take_back(history, number, None)
    game = before.game_at(at)
    if not _stopped(game):
        raise EventNotAllowed("an out play is declared after a stop, with a player on turn and none pending")
    press = habit_press(before, side, at)
    if press is not None:
        # The opponent has the whole time from the declaration: before it, nothing said that the play was the last (2017 V.E).
        out_play = events.OutPlay(declared_after=at - press.at)
        declared = take_back(_without_restarts(before, press), press.number, (out_play, press.at))
    elif game.turn is side and game.phase is Phase.NEUTRAL:
        declared = accept(before, events.OutPlay(), at, number)
    else:
        raise EventNotAllowed("that player's last press ended no turn")
    if not even_if_over and (declared.game_at(at).phase is Phase.OVER or _loses_hold(before, declared)):
        raise OutPlayTooLate("the time for the out play is over")
    return declared


def habit_press(history: History, side: Side, at: int) -> History | None:
    """Return the press by which ``side`` ended its turn, if nothing has come since that settles it; else None.

    A press that starts a clock after a stop or a challenge ends no turn: no out play takes its place (2017 V.E, IV.G.1).
    """
    for link in history:
        if link.at > at or link.fate is not Fate.VALID:
            continue
        if isinstance(link.event, events.Press):
            return link if link.event.side is side and _ends_turn(link) else None
        if not isinstance(link.event, _LEAVE_THE_PRESS) or _settles(link):
            return None
    return None


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


def _without_restarts(history: History, press: History) -> History:
    """Return the history without the starts of the opponent's clock since ``press``: after an out play it stands."""
    for link in history.oldest_first():
        if link.at >= press.at and link.fate is Fate.VALID and isinstance(link.event, events.Resume) and link.number != press.number:
            history = take_back(history, link.number, None)
    return history


def _ends_turn(press: History) -> bool:
    if press.before is None:
        return False
    before = press.before.game_at(press.at)
    return before.running is not None and before.running is before.turn


def _stopped(game: Game) -> bool:
    """Return whether a player can declare an out play: in a stop, or while the play is challenged."""
    return game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION) and game.turn is not None and game.out_player is None


def _loses_hold(before: History, declared: History) -> bool:
    kept = {link.number for link in declared}
    return any(isinstance(link.event, events.Hold) and link.fate is Fate.VALID and link.number not in kept for link in before)
