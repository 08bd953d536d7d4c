"""Games at random for property tests: events with the gaps between them, at instants that fall on no tick."""

from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from game.event_table import carry_out
from game.events import Arrive, By, Event, GameEvent, NewGame, Swap, Undo
from game.game import EventNotAllowed, Game, Late, Running, advance, next_due, settle
from game.history import History, accept, begin
from game.rulings import fresh
from rules.rulebooks import OvertimeLimit, load_rulebook
from rules.side import BySide, Side
from tests.firmware.saying import RULEBOOKS, event_of, new_game

S = 1_000_000_000
_TURNS = ("press left", "press right") * 3
_PLAYERS = (
    *("hold", "release", "out_play", "out_play", "not_out", "challenge", "challenge left", "neutralise reason=x"),
    *("resume left", "resume right"),
)
_SAID = ("reason reason=y", "call on=true", "call on=false", "points right points=-10 reason=x", "rulebook rulebook=nzasp-2022 reason=x")
_DECIDED = (
    *("withdraw", "verdict acceptable=true words=2", "verdict acceptable=false", "decide left", "decide right", "window name=mixing"),
    "window name=tile_decision left",
)
_ENDS = (
    *("end reason=x", "end reason=resignation loser=left", "reopen reason=x", "reopen reason=x", "late_start left", "late_start both"),
    *("arrive left", "arrive right"),
)
_DIRECTORS = (
    *("adjust left seconds=-45.25 when=now reason=x", "adjust right seconds=30 when=end reason=x", "erase_overtime left reason=x"),
    *("erase_overtime right to_seconds=-10 reason=x", "swap reason=x", "infraction right"),
)
_SIGNED = 'result scores={"left":412,"right":389} taken_off=true final={"left":412,"right":389} signed_ns={"left":0,"right":7} names={"left":"","right":""}'
WORDS = _TURNS + _PLAYERS + _SAID + _DECIDED + _ENDS + _DIRECTORS + (_SIGNED,)


class Said(Struct, frozen=True, dict=True):
    at: int
    event: GameEvent


Played: TypeAlias = tuple[NewGame, list[Said]]
"""A beginning, and the events after it."""


@st.composite
def played(draw: st.DrawFn, beginning: st.SearchStrategy[NewGame] | None = None, *, longest_gap_s: int = 900, most: int = 25) -> Played:
    """Draw a beginning and events in order, at least 1 ns apart; each is allowed where it comes, so that games get deep."""
    begun = draw(BEGINNINGS if beginning is None else beginning)
    game, at, script = fresh(begun), 0, list[Said]()
    gaps = GAPS | st.integers(1, longest_gap_s * S)
    for _ in range(draw(st.integers(1, most))):
        at += draw(gaps)
        event, game = _first_allowed(game, at, draw(ORDERS))
        script.append(Said(at, event))
    return begun, script


def apply(game: Game, event: GameEvent, at: int, by: By | None = None) -> Game:
    """Return the game after ``event`` at ``at`` (ns), with what time brings about up to then."""
    return settle(carry_out(advance(game, at), event, at, by), at, at)[0]


def fold(beginning: NewGame, script: list[Said]) -> tuple[Game, list[Said]]:
    """Return the game after a script without what it refused, and what it accepted."""
    game, accepted = fresh(beginning), []
    for line in script:
        try:
            game = apply(game, line.event, line.at)
        except EventNotAllowed:
            continue
        accepted.append(line)
    return game, accepted


def fold_at(beginning: NewGame, script: list[Said], now: int) -> Game:
    return advance(fold(beginning, script)[0], now)


def require_whole(history: History, now: int) -> None:
    """Require that used + used + neutral is the elapsed time at ``now``, and that each side is charged what its clock ran."""
    used = tuple(history.game_at(now).used_at(side, now) for side in Side)
    elapsed = now - history.first.at
    if history.fates:
        # What a correction moves from one side to the other is shown in tests/game/test_history.py.
        assert 0 <= sum(used) <= elapsed
        return
    left, right, neutral = _stopwatch(history, now)
    assert sum(used) == left + right
    assert used == (left, right) or any(isinstance(link.event, Swap) for link in history)
    assert sum(used) + neutral == elapsed


def _stopwatch(history: History, now: int) -> tuple[int, int, int]:
    """Return the ns of both sides and the neutral ones from the first link to ``now``, counted interval by interval."""
    counted = {Side.LEFT: 0, Side.RIGHT: 0, None: 0}
    links = history.oldest_first()
    for link, end in zip(links, [link.at for link in links[1:]] + [now], strict=True):
        late = None if link.before is None else link.before.game.state
        if isinstance(link.event, Arrive) and isinstance(late, Late) and late.side is None:
            # Both were absent: the one who comes later is charged from the start.
            counted[None] -= link.at - late.began
            counted[link.event.side.other] += link.at - late.began
        game, since = link.game, link.at
        while since < end:
            due = next_due(game)
            until = end if due is None else min(max(due, since), end)
            # A delay comes before the charge.
            charged = min(max(since, game.state.since), until) if isinstance(game.state, Running) else since
            counted[None] += charged - since
            counted[game.running] += until - charged
            since, game = until, advance(game, until)
            assert due != until or next_due(game) != due, "a transition that does not happen"
    return counted[Side.LEFT], counted[Side.RIGHT], counted[None]


def apply_or_advance(game: Game, line: Said) -> Game:
    try:
        return apply(game, line.event, line.at)
    except EventNotAllowed:
        return advance(game, line.at)


def keep(beginning: NewGame, script: list[Said]) -> History:
    history = begin(beginning, 0)
    for line in script:
        history = accept(history, line.event, line.at)
    return history


def _game_event(text: str) -> GameEvent:
    event: Event = event_of(text)
    assert not isinstance(event, NewGame | Undo)
    return event


def _first_allowed(game: Game, at: int, events: Iterable[GameEvent]) -> tuple[GameEvent, Game]:
    for event in events:
        with suppress(EventNotAllowed):
            return event, apply(game, event, at)
    raise AssertionError("the director may always adjust")


# Under every rulebook; some with little time, so that what comes by itself comes.
BEGINNINGS = st.sampled_from(
    [new_game(f"{rulebook}{extra}") for rulebook in RULEBOOKS for extra in ("", " left_seconds=40 right_seconds=700.5")]
)
AT_ZERO = OvertimeLimit(0, 0, "none", recount=False, wins_by=0, does="over")
ALONE = replace(load_rulebook("naspa-2017"), limit=replace(AT_ZERO, does="opponent_plays_on"))
"""A player out of time makes no more moves; the opponent plays on alone."""
ENDS = replace(ALONE, limit=AT_ZERO)
"""The game is over with the time of either player."""
TURNS = replace(load_rulebook("wespa-2021-double"), turns=3)
"""Each player has three turns; an out play has no deadline, and a challenger can lose a turn."""
OWN_ENDS = st.sampled_from([NewGame(book, book.id, BySide(40 * S, 55 * S)) for book in (ALONE, ENDS, TURNS)])
"""Games under rulebooks that end otherwise than the shipped ones."""
EVENTS = tuple(_game_event(text) for text in WORDS)
# The first event of a random order that is allowed is a random one of all that are, and the others need not be tried.
ORDERS = st.sampled_from([EVENTS, *(tuple(Random(seed).sample(EVENTS, len(EVENTS))) for seed in range(255))])  # noqa: S311 - no secret
GAPS = st.integers(1, 20 * S) | st.sampled_from([5 * S, 10 * S, 15 * S, 20 * S])
