"""The meaning of each gesture in the present state of the game: the tables of docs/spec/events.md, "Own button" and "Bar", row by row.

A row says what a short press does, or why it does nothing, and what holding on calls; the words of the fill follow from it.
An offer during an adjudication is the event that taking it makes.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct

from firmware.texts import KeyedMessage, message
from game import events
from game.events import GameEvent
from game.game import Game, Phase
from rules.contact import MS
from rules.duration import NS, reading
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE

STAGE_NS: Final = (1000 * MS, 2000 * MS, 5000 * MS)
"""The stages of a held press; the last one is that of both buttons of a two-button board."""


class Act(Enum):
    """What a stage does besides making an event."""

    OUT_PLAY = "out_play"
    TABLE_MENU = "table_menu"
    NEXT_GAME = "next_game"
    """The next game begins on letting go."""
    SIGN = "sign"
    DOOR = "door"


class HoldStage(Struct, frozen=True):
    after: int
    """For how many ns it is held then."""
    does: GameEvent | Act
    hold_on: KeyedMessage


Stages: TypeAlias = tuple[HoldStage, ...]
LAPSES_NS: Final = 15 * NS
"""An offer lapses this long after the last press."""


def following(offer: events.GameEvent | None, rulebook: Rulebook) -> events.GameEvent:
    """Return an own button's offer after ``offer``; after the last one, and where none stands, the first."""
    counts = range(1, WORDS_IN_CHALLENGE + 1) if rulebook.challenge.points_a_word else (1,)
    back = (events.Withdraw(),) if rulebook.challenge.may_withdraw else ()
    acceptable = (events.Verdict(acceptable=True, words=count) for count in counts)
    order: tuple[events.GameEvent, ...] = (events.Verdict(acceptable=False), *back, *acceptable)
    # Another rulebook may have come in the meantime.
    return order[(order.index(offer) + 1) % len(order)] if offer in order else order[0]


def offer_key(offer: events.GameEvent | None) -> str:
    if isinstance(offer, events.Verdict):
        return "acceptable" if offer.acceptable else "unacceptable"
    return "none" if offer is None else "back"


_ONE_SECOND, _TWO_SECONDS, _FIVE_SECONDS = STAGE_NS


class Does(Struct, frozen=True):
    """A press makes an event."""

    event: events.GameEvent
    let_go: str
    """What letting go does before a stage, as a fill's key."""


class Offers(Struct, frozen=True):
    """A press makes no event, but letting go offers one; None: it ends the offer."""

    event: events.GameEvent | None
    let_go: str


class Says(Struct, frozen=True):
    """A press makes no event; the face says why for 2 s."""

    message: KeyedMessage


Meaning: TypeAlias = Does | Says | Offers | None
"""An offer: letting go makes it. None: a press does nothing, and there is nothing to say."""


class Row(Struct, frozen=True):
    """A row of a table: one button in one state of the game."""

    short: str = ""
    """The event that a short press makes, or the verdict that it offers."""
    says: str = ""
    """Why it makes none, as an answer's key."""
    held: str = ""
    """What holding it calls, as a fill's key: own buttons after 1 s (``i_challenge`` 2 s), the bar after 2 s."""
    let_go: str = "opponent_runs"
    """What letting go before does, as a fill's key, where a short press makes or offers an event."""


OWN_BUTTON: Final[dict[tuple[str, str], Row]] = {
    ("ready", "either"): Row("press"),
    ("late", "absent side"): Row("arrive"),
    ("late", "present side"): Row(says="late"),
    ("running", "the side that runs"): Row("press"),
    ("running", "the side that waits for the opponent's turn"): Row(says="hold", held="hold"),
    ("running", "the side that waits while the opponent decides"): Row(says="opponent_decides"),
    ("hold", "holder"): Row("press"),
    ("hold", "on hold"): Row(says="on_hold", held="released"),
    ("hold, pending", "out player"): Row(says="opponent_runs"),
    ("hold, pending", "opponent"): Row(says="accept", held="accept"),
    ("out_play", "out player"): Row("press"),
    ("out_play", "opponent"): Row(says="accept", held="accept"),
    ("neutral", "on turn"): Row("press", held="out_play"),
    ("neutral", "waiting"): Row("press", held="hold"),
    ("neutral", "on hold"): Row("press", held="released"),
    ("neutral", "no turn yet"): Row("press"),
    ("neutral, pending", "out player"): Row("press"),
    ("neutral, pending", "opponent"): Row(says="accept", held="accept"),
    ("adjudication", "challenger"): Row("unacceptable", let_go="unacceptable"),
    ("adjudication", "challenged"): Row("unacceptable", held="i_challenge", let_go="unacceptable"),
    ("adjudication", "out player"): Row("unacceptable", let_go="unacceptable"),
    ("over", "either"): Row(says="signed"),
}
BAR: Final = {
    "ready": Row(),
    "late, one absent": Row("arrive", let_go="arrived"),
    "late, both absent": Row(says="both_absent"),
    "running, hold": Row("neutralise", held="challenge", let_go="stopped"),
    "neutral": Row("resume", held="challenge", let_go="runs_on"),
    "neutral, no turn yet": Row(),
    "neutral, pending": Row("press", held="challenge"),
    "out_play": Row(says="out_play_stopped", held="challenge"),
    "adjudication, an offer stands": Row(),
    "adjudication, no offer": Row("acceptable", let_go="first"),
    "over": Row(says="over", held="next_game"),
}
"""Held for 1 s the bar opens the table menu, or takes the offer that stands."""
_CALLS: Final[dict[str, events.GameEvent | Act]] = {
    "hold": events.Hold(),
    "released": events.Release(),
    "accept": events.Release(),
    "out_play": Act.OUT_PLAY,
    "challenge": events.Challenge(),
    "next_game": Act.NEXT_GAME,
}


def own_button(game: Game, side: Side, at: int, offer: events.GameEvent | None = None, *, beside_stuck: bool) -> tuple[Meaning, Stages]:
    """Return what a short press of an own button means and what holding it does.

    ``beside_stuck``: it is the only free button of a two-button board, so that both together are impossible.
    """
    row = OWN_BUTTON[own_place(game, side)]
    does = events.Challenge(side) if row.held == "i_challenge" else _CALLS.get(row.held)
    # The same button offers a verdict: what would cost the wrong player the turn takes longer than a firm press.
    after = _TWO_SECONDS if row.held == "i_challenge" else _ONE_SECOND
    stages = () if does is None else (HoldStage(after, does, message(f"fill.hold_on.{row.held}")),)
    if beside_stuck and game.phase in (Phase.RUNNING, Phase.HOLD):
        stages = (HoldStage(_ONE_SECOND, events.Neutralise(), message("fill.hold_on.stop")),)
    short = _short(row, game, side, at, Offers(following(offer, game.rulebook), row.let_go if offer is None else "next"))
    return short, (*stages, DOOR) if beside_stuck else stages


def own_place(game: Game, side: Side) -> tuple[str, str]:
    phase, out_player = game.phase, game.out_player
    if out_player is not None and phase is not Phase.ADJUDICATION:
        return _pending(game), "out player" if side is out_player else "opponent"
    match phase:
        case Phase.LATE:
            who = "absent side" if side in game.absent else "present side"
        case Phase.RUNNING if game.running is side:
            who = "the side that runs"
        case Phase.RUNNING:
            decides = game.turn is side or game.holder is not None
            who = "the side that waits while the opponent decides" if decides else "the side that waits for the opponent's turn"
        case Phase.HOLD:
            who = "holder" if game.running is side else "on hold"
        case Phase.NEUTRAL:
            waits = "waiting" if game.holder is None else "on hold"
            who = "no turn yet" if game.turn is None else "on turn" if game.turn is side else waits
        case Phase.ADJUDICATION:
            # Only the opponent of an out play can challenge it (2017 IV.I.3).
            who = "challenger" if game.challenger is side else "challenged" if game.out_player is None else "out player"
        case _:
            who = "either"
    return phase.value, who


def _pending(game: Game) -> str:
    return game.phase.value if game.phase is Phase.OUT_PLAY else f"{game.phase.value}, pending"


_MAKES: Final[Mapping[str, Callable[[Side], events.GameEvent]]] = {
    "press": events.Press,
    "arrive": events.Arrive,
    "resume": events.Resume,
    "neutralise": lambda _: events.Neutralise(),
}


def _short(row: Row, game: Game, side: Side | None, at: int, offers: Offers | None) -> Meaning:
    """Return what a short press means for ``side``; during an adjudication ``offers``."""
    if row.says:
        return Says(message(f"answer.{row.says}"))
    if game.phase is Phase.ADJUDICATION:
        return offers
    if not row.short or side is None:
        return None
    if game.phase is Phase.OUT_PLAY and not game.rulebook.out_play_ends_game and at < game.out_play_ends:
        return Says(message("answer.out_play_wait", reading=reading(game.out_play_ends - at)))
    decides = row.short == "press" and decider(game, at) is side.other
    return Does(events.Decide(side.other) if decides else _MAKES[row.short](side), row.let_go)


def bar(game: Game, at: int, offer: events.GameEvent | None, *, menu: bool, door: bool) -> tuple[Meaning, Stages]:
    """Return what a short press of the bar means and what holding it does.

    ``game`` and ``at`` (ns of the game's time) are those of its first edge; ``menu``: there is a screen for the table menu; ``door``: it is the
    chord of a two-button board, which leads to the director's door.
    """
    row = BAR[_bar_place(game, offer)]
    early = game.wait_to_leave(at)
    if early:
        short: Meaning = Says(message("answer.next_game_wait", reading=reading(early)))
    else:
        whose = game.absent[0] if game.absent else game.out_player or game.turn
        short = _short(row, game, whose, at, Offers(events.Verdict(acceptable=True), row.let_go) if offer is None else None)
    stages: list[HoldStage] = []
    if offer is not None:
        stages.append(HoldStage(_ONE_SECOND, offer, _offered(offer, game.rulebook)))
    elif menu:
        stages.append(HoldStage(_ONE_SECOND, Act.TABLE_MENU, message("fill.hold_on.menu")))
    if row.held and not early:
        stages.append(HoldStage(_TWO_SECONDS, _CALLS[row.held], message(f"fill.hold_on.{row.held}")))
    return short, (*stages, DOOR) if door else tuple(stages)


def _bar_place(game: Game, offer: events.GameEvent | None) -> str:
    match game.phase:
        case Phase.LATE:
            return "late, one absent" if len(game.absent) == 1 else "late, both absent"
        case Phase.RUNNING | Phase.HOLD:
            return "running, hold"
        case Phase.ADJUDICATION:
            return "adjudication, no offer" if offer is None else "adjudication, an offer stands"
        case Phase.NEUTRAL if game.out_player is not None:
            return _pending(game)
        case Phase.NEUTRAL if game.turn is None:
            return "neutral, no turn yet"
        case _:
            return str(game.phase.value)


DOOR: Final = HoldStage(_FIVE_SECONDS, Act.DOOR, message("fill.hold_on.director"))
"""The last stage of both buttons of a two-button board."""
WAYS_BACK: Final = (
    "act.turn_given",
    "act.turn_got",
    "act.ended_hold",
    "act.hold_ended",
    "act.challenges",
    "act.challenged",
    "act.hold_recorded",
    "act.release_recorded",
)
"""The sentences after an act that point to the row that takes it back."""


def announced(before: Game, after: Game, event: events.GameEvent, *, held: bool) -> BySide[KeyedMessage] | None:
    """Return what each player reads after ``event``, which a hand may have made without meaning it: what happened, and how to take it back.

    ``held``: the press was held for a second, as the waiting player's is for a hold.
    """
    match event:
        # While the turn runs, only one that may have meant a hold.
        case events.Press(side) if (
            before.turn is side
            and before.out_player is None
            and before.phase in ((Phase.NEUTRAL, Phase.RUNNING) if held else (Phase.NEUTRAL,))
        ):
            return BySide.both(message("act.turn_got")).replace(side, message("act.turn_given"))
        case events.Press(side) if before.phase is Phase.HOLD and before.turn is side and before.out_player is None:
            return BySide.both(message("act.hold_ended")).replace(side, message("act.ended_hold"))
        case events.Challenge() if after.challenger is not None:
            return BySide.both(message("act.challenged")).replace(after.challenger, message("act.challenges"))
        case events.Call(on=False):
            return BySide.both(message("table_menu.done.called"))
        case events.Hold() | events.Press() if after.holder is not None and before.holder is None:
            return BySide.both(message("act.hold_recorded")).replace(after.holder, message("act.held"))
        case events.Release() if before.turn is not None and before.out_player is None:
            return BySide.both(message("act.release_recorded")).replace(before.turn, message("act.released"))
        case _:
            return None


def decider(game: Game, at: int) -> Side | None:
    """Return the side that decides and whose clock the other player's button starts now (2017 IV.B.2, IV.B.5.b), or None."""
    window = game.window
    if game.phase is not Phase.NEUTRAL or game.turn is None or game.out_player is not None or window is None:
        return None
    return window.side if window.name in game.rulebook.clock_windows and at >= window.ends else None


def counts_to_an_end(game: Game, at: int) -> bool:
    """Return whether a clock runs or an out play's window counts at ``at`` (ns): what does not wait for a menu."""
    return game.running is not None or game.phase is Phase.LATE or (game.phase is Phase.OUT_PLAY and at < game.out_play_ends)


def _offered(offer: events.GameEvent, rulebook: Rulebook) -> KeyedMessage:
    if isinstance(offer, events.Verdict) and offer.acceptable and rulebook.challenge.points_a_word:
        return message("fill.hold_on.word") if offer.words == 1 else message("fill.hold_on.words", count=offer.words)
    return message(f"fill.hold_on.{offer_key(offer)}")
