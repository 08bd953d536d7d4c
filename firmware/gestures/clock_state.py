"""The whole state of one table as one frozen value: the game's history, presses in progress, menus, and what lapses by itself.

Every change of the history goes through ``act``, for what a press does, or ``apply_event``, for all else.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.lock import wait_ns
from firmware.gestures.contacts import PLAYER_BUTTONS
from firmware.gestures.meaning import LAPSES_NS, HoldStage, Meaning, Stages
from firmware.menu.actions import Menu
from firmware.menu.setup import Setup
from firmware.table_menu.actions import EMPTY, Draft, PageKind, TableMenu, opened
from firmware.table_menu.pages import kind_of, outlives_end
from firmware.texts import KeyedMessage, message
from game import events
from game.game import EventNotAllowed, Game, Phase
from game.history import History, accept
from rules.contact import MS, Contact
from rules.duration import NS, GameTime
from rules.side import Side

REPEAT_AFTER_NS: Final = 600 * MS
REPEAT_EVERY_NS: Final = 400 * MS
"""A player button held in the table menu moves on after the first time, then after each second one."""
AGREE_NS: Final = 1000 * MS
STUCK_NS: Final = 10_000 * MS
"""A button down longer than this is stuck: the longest gesture takes five seconds."""


class Stroke(Struct, frozen=True, eq=False):
    """One press of a button, or of both player buttons as one. Instants in ns."""

    buttons: tuple[str, ...]
    at: int
    """The first edge."""
    held_from: int
    """The start of the hold time: the first edge, in a chord the second button's."""
    game: Game
    stages: Stages = ()
    """What holding on does, in the state at the first edge; none once another stroke has acted."""
    stage: int = 0
    acted: bool = False
    """It has acted, and holding on may still put another act in the place of that one."""
    short: Meaning = None
    page: tuple[str, ...] | None = None
    repeats: int | None = None
    """On that page: how often holding has moved on; None: it does not move."""
    agrees: bool = False
    over: bool = False
    way_back: bool = False
    """At its first edge a half named an act that a hand may not have meant, and the row that takes it back."""

    @property
    def is_chord(self) -> bool:
        return len(self.buttons) > 1

    @property
    def is_bar(self) -> bool:
        return self.is_chord or self.buttons == ("centre",)

    @property
    def side(self) -> Side | None:
        return None if self.is_chord else PLAYER_BUTTONS.get(self.buttons[0])

    @property
    def next_stage(self) -> HoldStage | None:
        return self.stages[self.stage] if not self.over and self.stage < len(self.stages) else None

    @property
    def reached(self) -> HoldStage | None:
        return self.stages[self.stage - 1] if self.stage and self.stages else None

    @property
    def deadline(self) -> int | None:
        stage = self.next_stage
        return None if stage is None else self.held_from + stage.after

    @property
    def repeat_at(self) -> int | None:
        return None if self.repeats is None or self.over else self.at + REPEAT_AFTER_NS + self.repeats * REPEAT_EVERY_NS


class CodeDoor(Struct, frozen=True):
    closes_at: int
    entered: str = ""
    """The presses as the digits that are hashed: 1 for left, 2 for right."""
    checking: bool = False
    """The code is handed in; the shell answers before any other press."""
    wrong: bool = False

    def __repr__(self) -> str:
        # Without the presses: a crash's report has this.
        return f"CodeDoor(closes_at={self.closes_at}, checking={self.checking}, wrong={self.wrong})"


class Answer(Struct, frozen=True):
    """A sentence that answers a press for a short time: why it did nothing, or what a row of the table menu did."""

    where: Side | None
    """The half of the player who pressed; None: both halves."""
    message: KeyedMessage
    until: int


CLOSED_NS: Final = 4 * NS
"""The face says for so long that a menu or a page has closed by itself, and a press that was meant for it starts no clock."""


class ClockState(Struct, frozen=True):
    """The whole state of one table, except the shell's notices."""

    history: History
    """With what the presses in progress would record if they were let go now."""
    setup: Setup
    base: History | None = None
    """The history without the act of the stroke that may still put another one in its place."""
    contacts: Mapping[str, Contact] = field(default_factory=dict)
    strokes: Mapping[str, Stroke] = field(default_factory=dict)
    """The latest stroke of each button; a chord is that of both player buttons."""
    spikes: int = 0
    offer: events.GameEvent | None = None
    menu: Menu | None = None
    menu_closes_at: int | None = None
    table_menu: TableMenu | None = None
    draft: Draft = EMPTY
    """What is entered of the game's result; it outlives the menu, and ends with the signing or the game's reopening."""
    closed_at: int | None = None
    answers: tuple[Answer, ...] = ()
    """The latest answers, expired ones too: at most one a half and one for both."""
    door: CodeDoor | None = None
    wrong_codes: int = 0
    """Wrong codes since the last right one; it survives a restart."""
    code_tried_at: int = 0
    """When the last wrong code was tried, for the wait after it; at a start with wrong codes, the start."""
    asks_ok: bool = False
    """The key was turned on while a clock ran: ``ok`` opens the director's menu, and the players play on."""
    offset: int = 0
    """Add this to an instant of the hands (CLOCK_MONOTONIC) for the game's instant: a game outlives a boot."""
    last_game: Game | None = None
    """How the game before this one ended; the face keeps it until the slip is signed. After a restart the journal gives it."""
    frozen: int | None = None
    """After a power cut: the game's instant, constant until the director confirms the times; player buttons do nothing."""
    power_off: bool = False
    test_asked: bool = False
    """The director has chosen the guided test: the shell begins it."""

    def instant(self, at: int) -> GameTime:
        return GameTime(at + self.offset if self.frozen is None else self.frozen)

    def game_at(self, now: int) -> Game:
        return self.history.game_at(self.instant(now))

    @property
    def shut_until(self) -> int:
        """Until when (ns) the door takes no press after wrong codes."""
        return self.code_tried_at + wait_ns(self.wrong_codes)

    @property
    def open_strokes(self) -> tuple[Stroke, ...]:
        return tuple(stroke for button, stroke in self.strokes.items() if not stroke.over and stroke.buttons[0] == button)


def apply_event(state: ClockState, event: events.Event, at: int, by: events.By | None = None) -> ClockState:
    """Return the state after ``event`` at ``at`` (ns), which no press in progress makes: those stay what they are. Raises EventNotAllowed.

    ``by``: who makes it; None: the usual maker.
    """
    history = accept(state.history, event, state.instant(at), by=by)
    if isinstance(event, events.NewGame):
        ended = state.game_at(at)
        state = replace(state, last_game=ended if ended.phase is Phase.OVER else state.last_game)
    if state.strokes or state.answers:
        state = replace(closed(state, over=isinstance(event, events.NewGame)), answers=())
    return with_history(state, history)


def act(state: ClockState, stroke: Stroke, act: Callable[[History], History]) -> ClockState:
    """Return the state in which ``stroke`` makes of the history what ``act`` does, in the place of what it did before. Raises what ``act`` raises.

    The other presses in progress stay what they are: this ends their fills, and the answers to earlier presses.
    """
    before = without_act(state, stroke)
    history = act(before.history)
    others = closed(before, but=stroke)
    return with_history(with_stroke(replace(others, base=before.history, answers=()), replace(stroke, acted=True)), history)


def act_with(state: ClockState, stroke: Stroke, event: events.GameEvent) -> ClockState:
    """Return the state in which ``stroke`` makes ``event`` at its first edge; unchanged where the game refuses it."""
    try:
        return act(state, stroke, lambda history: accept(history, event, state.instant(stroke.at)))
    except EventNotAllowed:
        return state


def without_act(state: ClockState, stroke: Stroke) -> ClockState:
    """Return the state without what ``stroke`` has done and what that was answered, if holding on may still change it."""
    if not stroke.acted or state.base is None:
        return state
    return with_stroke(replace(state, history=state.base, answers=()), replace(stroke, acted=False))


def with_stroke(state: ClockState, stroke: Stroke) -> ClockState:
    return replace(state, strokes={**state.strokes, **dict.fromkeys(stroke.buttons, stroke)})


def closed(state: ClockState, but: Stroke | None = None, *, over: bool = False) -> ClockState:
    """Return the state in which holding changes nothing more, except for the stroke ``but``; ``over``: letting go neither."""
    for stroke in state.open_strokes:
        if but is None or stroke.buttons != but.buttons:
            state = with_stroke(state, replace(stroke, stages=(), acted=False, repeats=None, agrees=False, over=over))
    return state


def with_history(state: ClockState, history: History) -> ClockState:
    """Return the state with ``history``; an offer ends with its adjudication or another challenger, a draft with its signing or with the end that it was for."""
    if state.offer is None and state.draft is EMPTY:
        # Nearly always: replay must stay fast.
        return replace(state, history=history)
    game = history.game
    draft = EMPTY if game.end is None or game.result is not None else state.draft
    return replace(state, history=history, draft=draft, offer=state.offer if game.challenger is state.history.game.challenger else None)


def confirm(state: ClockState, now: int) -> ClockState:
    return state if state.frozen is None else replace(state, frozen=None, offset=state.frozen - now)


def with_answer(state: ClockState, answer: Answer) -> ClockState:
    others = tuple(each for each in state.answers if each.where is not answer.where)
    return replace(state, answers=(*others, answer))


def at_rest(state: ClockState) -> ClockState:
    return replace(
        state, contacts={}, strokes={}, answers=(), menu=None, menu_closes_at=None, table_menu=None, draft=EMPTY, door=None, asks_ok=False
    )


def settled(state: ClockState, at: int) -> ClockState:
    menu, game = state.table_menu, state.game_at(at)
    if menu is not None and (seen := opened(game).seen) != menu.seen:
        stays = outlives_end(menu, state.history, state.setup, state.instant(at))
        state = (
            replace(state, table_menu=replace(menu, seen=seen))
            if stays
            else _closed(replace(state, table_menu=None), "over" if game.phase is Phase.OVER else "menu", at)
        )
    for closes, what, changes in _open_for_a_time(state):
        if at >= closes:
            state = _closed(replace(state, **changes), what, at)
    return state


def _closed(state: ClockState, what: str, at: int) -> ClockState:
    # The bar answers an offer, not a player's button.
    state = state if what == "offer" else replace(state, closed_at=at)
    return with_answer(state, Answer(None, message(f"closed.{what}"), at + CLOSED_NS))


def with_setup(state: ClockState, setup: Setup, at: int) -> ClockState:
    """Return the state with ``setup`` from ``at`` (ns) on; the table menu closes if its pages follow from what has changed: nothing is agreed on unread."""
    after = replace(state, setup=setup)
    return (
        after
        if state.table_menu is None or setup.of_pages == state.setup.of_pages
        else _closed(closed(replace(after, table_menu=None)), "menu", at)
    )


def closing(state: ClockState) -> Iterator[int]:
    yield from (closes for closes, _, _ in _open_for_a_time(state))
    if state.table_menu is not None:
        due = state.history.due
        if due is not None:
            yield due - state.offset


def _open_for_a_time(state: ClockState) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield what closes by itself: when (ns), as what, and what changes then."""
    if state.door is not None:
        yield state.door.closes_at, "door", {"door": None}
    if state.menu is not None and state.menu_closes_at is not None:
        yield state.menu_closes_at, "menu", {"menu": None, "menu_closes_at": None}
    if (lapses := lapses_at(state)) is not None:
        kept = state.table_menu if state.setup.screen else None
        yield lapses, "menu" if state.offer is None else "offer", {"offer": None, "table_menu": kept}


def lapses_at(state: ClockState) -> int | None:
    """Return when (ns) the offer lapses, or without a screen the question who has played out; None: neither stands."""
    if state.offer is None and (state.setup.screen or state.table_menu is None):
        return None
    return max((stroke.at + LAPSES_NS for stroke in state.strokes.values()), default=None)


def asks_both(state: ClockState) -> bool:
    return state.table_menu is not None and kind_of(state.table_menu.path) is PageKind.AGREE


def agreeing(state: ClockState) -> tuple[Stroke, ...]:
    return tuple(sorted((stroke for stroke in state.open_strokes if stroke.agrees), key=lambda stroke: stroke.at))


def agreed_at(state: ClockState) -> int | None:
    strokes = agreeing(state)
    return strokes[1].at + AGREE_NS if len(strokes) == 2 and strokes[0].page == strokes[1].page else None
