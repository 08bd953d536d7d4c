"""What the hall has changed at a clock (its place, a notice, a request to stop, the last verdict of a station, the timer), what the face shows of it, and what may come in.

Docs/spec/wire.md, "What may come in", lists that; everything else is refused. Never from the network: starting, resuming, setting or adjusting a time, ending a
game, choosing a winner. A station's verdict counts only while the clock adjudicates that very challenge.

No game depends on it. Without a hall the face is exactly as the game made it. The timer is one countdown on all clocks that have no game in progress, as
duplicate has it: neither side is charged. Pure.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import ValidationError

from appliance.errors import Finding, fail, ok
from appliance.texts import languages
from firmware.face.value import Face, HalfFace, MessageTone
from firmware.gestures.clock_state import ClockState
from firmware.hall.report import standing_challenge, verdict_on
from firmware.texts import Texts
from game import events
from game.events import By, Call, Neutralise, NewGame, Undo, Verdict, Withdraw
from game.game import EventNotAllowed, Game, Phase
from game.history import History, accept
from game.rulings import DIRECTOR_CALLED
from game.table import NO_NAMES, Assignment, OfferedGame, between_games, set_up_next
from rules.duration import NS, reading, seconds_shown
from rules.side import BySide, Side
from rules.verdict import points_for
from wire.proposals import (
    Assign,
    ChangeSettings,
    Clear,
    NoticeOrder,
    Order,
    OrderUpdate,
    RefusalReason,
    RoundBegins,
    SetTimer,
    SettingValue,
    SetUpKeys,
    SetUpNext,
    StopAsked,
    VerdictBody,
)
from wire.reports import JoinRequest

END_SHOWN_NS: Final = 300 * NS


class HallTimer(Struct, frozen=True):
    """A countdown from an instant (``begins``, ns of CLOCK_MONOTONIC) on."""

    begins: int
    seconds: int
    warnings: tuple[int, ...] = ()
    """The seconds before the end, falling."""
    label: str = ""

    @property
    def ends(self) -> int:
        return self.begins + self.seconds * NS

    def left(self, now: int) -> int:
        """Return what is left at ``now`` (ns): all of it before the beginning, 0 after the end."""
        return min(self.seconds * NS, max(0, self.ends - now))

    def warned(self, now: int) -> int | None:
        """Return the last warning that has been given, 0 for the end; None: there was none yet."""
        return min((each for each in (*self.warnings, 0) if now >= self.ends - each * NS), default=None)

    def next_due(self, now: int) -> int | None:
        left = self.left(now)
        if now < self.begins or not left:
            return min((at for at in (self.begins, self.ends + NS, self.ends + END_SHOWN_NS) if at > now), default=None)
        return now + left - (seconds_shown(left) - 1) * NS


def with_timer(face: Face, timer: HallTimer, texts: Texts, now: int) -> Face:
    """Return the face between games with ``timer`` at ``now`` (ns), the same on both halves. An open menu or time frame hides it."""
    if now >= timer.ends + END_SHOWN_NS or face.menu is not None or any(half.page for _, half in face.halves.items()):
        return face
    calls = (timer.begins, *(timer.ends - each * NS for each in (*timer.warnings, 0)))
    over = timer.warned(now) == 0
    return replace(
        face,
        phase=Phase.OVER if over else Phase.READY,
        halves=face.halves.map(lambda half: _half(half, face.phase, timer, texts, now)),
        banner=face.banner if face.no_buttons else "",
        details=(texts.say("hall.timer_free"), *(face.details if face.no_buttons else ())),
        cue="over" if over else "",
        timer_calls=any(at <= now < at + NS for at in calls),
    )


def _half(half: HalfFace, phase: Phase, timer: HallTimer, texts: Texts, now: int) -> HalfFace:
    warned, answers = timer.warned(now), half.tone is MessageTone.ANSWERS
    said = "" if warned is None else texts.say("hall.timer_warned", seconds=warned) if warned else texts.say("hall.timer_over")
    # The slip of the last game may not be signed yet; the allowance of the next one would be a second time.
    last = (texts.say("mark.last_game", time=half.reading),) if phase is Phase.OVER else ()
    marks = (*last, *(mark for mark in half.marks if mark != texts.say("mark.allowed", time=half.reading)))
    return replace(
        half,
        reading=reading(timer.left(now)),
        overtime=warned == 0,
        low=warned is not None,
        status=texts.say("hall.timer"),
        status_key="none",
        prompt=half.prompt if answers else said or timer.label,
        marks=(timer.label, *marks) if said and timer.label else marks,
        tone=MessageTone.ANSWERS if said or answers else MessageTone.INSTRUCTS,
    )


class LinkSign(StrEnum):
    """Whether the hall is in reach; the values are keys of the texts."""

    UP = "up"
    DOWN = "down"
    REFUSED = "refused"
    """The broker refuses what this clock publishes."""


class ShownNotice(Struct, frozen=True):
    text: str
    until: int


class StationVerdict(Struct, frozen=True):
    """The last verdict that this clock has taken from a station."""

    id: str
    station: str
    number: int
    at: int
    acceptable: bool
    count: int
    words: tuple[str, ...]


class VerdictRefused(Struct, frozen=True):
    """A station's message that this clock has not taken: both say so."""

    reason: RefusalReason
    at: int


VERDICT_NS: Final = 10 * NS

SAID: Final = (
    RefusalReason.NO_CHALLENGE,
    RefusalReason.OTHER_CHALLENGE,
    RefusalReason.OTHER_GAME,
    RefusalReason.HAS_VERDICT,
    RefusalReason.GONE_ON,
    RefusalReason.NOT_BY_RULEBOOK,
)
"""Why a station's message was not taken, where the players can do something about it."""


class HallState(Struct, frozen=True):
    """Instants in ns of the hands' clock."""

    place: Assignment = Assignment()
    hard_freeze: bool = False
    on_card: frozenset[str] = frozenset()
    """Settings that the clock's own files or options set, by name: those stay."""
    arrival: bool = False
    """The players press on arrival."""
    updates: bool = False
    """The owner lets the desk order an update, and the machine can make it."""
    updating: bool = False
    """An update is ordered: no press counts until the clock is started again."""
    link: LinkSign = LinkSign.DOWN
    notice: ShownNotice | None = None
    stop: str | None = None
    """The request to stop in words; empty: the clock's own."""
    verdict: StationVerdict | None = None
    refused: VerdictRefused | None = None
    joins: JoinRequest | None = None
    timer: HallTimer | None = None
    """The hall's common countdown; a game that begins ends it here."""
    played: BySide[str] | None = None
    """Who has played the game that still stands here, where ``place`` already names the players of the next one."""

    @property
    def seats(self) -> Assignment:
        return self.place if self.played is None else replace(self.place, names=self.played)

    def shown_on(self, face: Face, state: ClockState, now: int) -> Face:
        game, texts = state.game_at(now), state.setup.texts
        if self.timer is not None and between_games(game):
            face = with_timer(face, self.timer, texts, now)
        line, refused = next(_lines(state, self, game, now), ""), next(_refused(self.refused, texts, now), "")
        if refused:
            # For so long nothing stands before it, and it takes the place of the reason for a stop.
            halves = face.halves.map(lambda half: replace(half, note=""))
            face = replace(face, halves=halves, details=(refused, *face.details), reason=refused)
        shown = replace(
            face,
            halves=face.halves.map(lambda half: _named(half, self.seats.names, game.phase)),
            rulebook=" · ".join((face.rulebook, *_signs(self, texts))),
            details=(*(() if refused else _verdict(self.verdict, game, texts, now)), *face.details),
            # In the place of the rulebook's name, where nothing else has taken it; after the end the slip's line gives way.
            hint=line or face.hint if game.phase is Phase.OVER else face.hint or line,
        )
        if self.joins is not None and between_games(game):
            shown = _joining(shown, game, self.joins, texts)
        if self.updating:
            return _updating(shown, texts)
        return shown if self.stop is None or game.running is None else _asked_to_stop(shown, _stop_text(self.stop, texts), texts)

    @property
    def network(self) -> Finding:
        if self.link is LinkSign.UP:
            return ok("network", "the hall is in reach")
        found = "the hall refuses this clock" if self.link is LinkSign.REFUSED else "no connection to the hall"
        return fail("network", found, "See to its cable or Wi-Fi; `systemctl status` of its link says why.")

    def next_due(self, now: int, *, covered: bool = False) -> int | None:
        """Return the next instant after ``now`` (ns) at which this changes by itself, or None; ``covered``: an open menu hides the timer."""
        ends = [] if self.notice is None else [self.notice.until]
        ends += [shown.at + VERDICT_NS for shown in (self.verdict, self.refused) if shown is not None]
        if self.timer is not None and not covered and (due := self.timer.next_due(now)) is not None:
            ends.append(due)
        return min((end for end in ends if end > now), default=None)


def _named(half: HalfFace, names: BySide[str], phase: Phase) -> HalfFace:
    name = names.of(half.side)
    if name and half.page is not None and phase is Phase.OVER:
        # A page covers the marks, and names stay in sight where players sign.
        return replace(half, named=name)
    # Last: where there is no room it goes, and all that counts stays.
    return replace(half, marks=(*half.marks, name)) if name else half


def _signs(hall: HallState, texts: Texts) -> Iterator[str]:
    if hall.place.table is not None:
        yield texts.say("hall.table", table=hall.place.table)
    yield texts.say(f"hall.{hall.link}")


def _verdict(verdict: StationVerdict | None, game: Game, texts: Texts, now: int) -> Iterator[str]:
    if verdict is None or not verdict.words or now >= verdict.at + VERDICT_NS or game.phase not in (Phase.NEUTRAL, Phase.OVER):
        return
    points = points_for(game.rulebook.challenge, acceptable=verdict.acceptable, words=verdict.count)
    words = ", ".join(verdict.words)
    yield texts.say("hall.verdict_points", words=words, points=f"{points:+d}") if points else texts.say("hall.verdict", words=words)


def _refused(refused: VerdictRefused | None, texts: Texts, now: int) -> Iterator[str]:
    if refused is not None and refused.reason in SAID and now < refused.at + VERDICT_NS:
        yield texts.say(f"hall.refusal.{refused.reason}")


def _lines(state: ClockState, hall: HallState, game: Game, now: int) -> Iterator[str]:
    texts = state.setup.texts
    if hall.stop is not None:
        yield texts.say("hall.stop_asked", text=_stop_text(hall.stop, texts))
    if hall.notice is not None and now < hall.notice.until:
        yield hall.notice.text
    if (new := set_up_next(state.history, state.setup.offered, game)) is not None:
        left, right = (reading(new.accounts.of(side).allowed) for side in Side)
        yield texts.say("hall.next_game", rulebook=new.rulebook.title, left=left, right=right)
    if hall.played is not None and hall.place.names != NO_NAMES:
        yield texts.say("hall.next_players", left=hall.place.names.left, right=hall.place.names.right)


def _joining(face: Face, game: Game, asks: JoinRequest, texts: Texts) -> Face:
    """Return the face with what the director compares; the players' own call, and the times of a game that has ended, come first."""
    called = face.called or texts.say("hall.joins", hall=asks.hall, digits=asks.digits)
    return replace(face, called=called, code=asks.code if game.phase is Phase.READY else ())


def _stop_text(stop: str, texts: Texts) -> str:
    return stop or texts.say("hall.stop_wait")


def _updating(face: Face, texts: Texts) -> Face:
    halves = face.halves.map(lambda half: replace(half, prompt=texts.say("hall.updating_wait"), tone=MessageTone.ANSWERS))
    return replace(face, halves=halves, called=texts.say("hall.updating"), hint="", code=())


def _asked_to_stop(face: Face, text: str, texts: Texts) -> Face:
    """Return the face with the request as large as it gets, on the strip and before both players. No reading is covered."""
    stop_prompt = texts.say("hall.stop_here")
    halves = face.halves.map(lambda half: replace(half, prompt=stop_prompt, tone=MessageTone.ANSWERS))
    return replace(face, halves=halves, called=texts.say("hall.stop", text=text), stop_asked=True)


MadeEvent: TypeAlias = events.Verdict | events.Withdraw | events.Neutralise | events.Call | events.Undo
"""The only events that the network can make. An ``Undo`` strikes a station's own verdict; a ``Call`` is never an answer."""


class Decision(Struct, frozen=True):
    hall: HallState
    reason: RefusalReason | None = None
    events: tuple[tuple[MadeEvent, By], ...] = ()
    number: int | None = None
    offered: OfferedGame | None = None
    settings: Mapping[str, SettingValue] = field(default_factory=dict)


def refused(hall: HallState, reason: RefusalReason) -> Decision:
    return Decision(hall, reason)


CORRECTED: Final = "corrected at the station"


def decide_verdict(state: ClockState, hall: HallState, body: VerdictBody, now: int) -> Decision:
    if state.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if body.challenge is None:
        return refused(hall, RefusalReason.MALFORMED)
    given = verdict_on(state.history, body.challenge)
    if given is not None:
        return _corrected(state, hall, body, given, now)
    game = state.game_at(now)
    standing = standing_challenge(state.history, game)
    if standing != body.challenge:
        return refused(hall, RefusalReason.NO_CHALLENGE if standing is None else RefusalReason.OTHER_CHALLENGE)
    return _made(state, hall, body, (_event(body, game),), now) or refused(hall, RefusalReason.NOT_BY_RULEBOOK)


def _corrected(state: ClockState, hall: HallState, body: VerdictBody, given: History, now: int) -> Decision:
    """Decide on a verdict for a challenge that has one, ``given``: only the station that gave it corrects it."""
    before = hall.verdict
    if body.replaces is None or before is None or (before.id, before.station, before.number) != (body.replaces, body.station, given.number):
        return refused(hall, RefusalReason.HAS_VERDICT)
    verdict = Verdict(bool(body.acceptable), body.count or 1)
    if verdict == given.event:
        return Decision(replace(hall, verdict=replace(before, id=body.id)), number=given.number)
    return _made(state, hall, body, (Undo(CORRECTED, given.number), verdict), now) or refused(hall, RefusalReason.GONE_ON)


def _made(state: ClockState, hall: HallState, body: VerdictBody, events: tuple[MadeEvent, ...], now: int) -> Decision | None:
    history, at = state.history, state.instant(now)
    try:
        for event in events:
            history = accept(history, event, at, by=By.PLAYERS)
    except EventNotAllowed:
        return None
    made, number = events[-1], history.number
    verdict = None
    if isinstance(made, Verdict):
        verdict = StationVerdict(body.id, body.station, number, now, made.acceptable, made.words, body.words)
    return Decision(replace(hall, verdict=verdict), events=tuple((event, By.PLAYERS) for event in events), number=number)


def _event(body: VerdictBody, game: Game) -> Verdict | Withdraw:
    match body.do:
        case "withdrawn":
            return Withdraw()
        case "conceded":
            # Who challenges concedes that the play is acceptable, the other player that it is not.
            return Verdict(body.by is not None and Side(body.by) is game.challenger, body.count or 1)
        case _:
            return Verdict(bool(body.acceptable), body.count or 1)


_STOPPABLE: Final = (Phase.RUNNING, Phase.HOLD)


def decide(state: ClockState, hall: HallState, proposal: Order | VerdictBody, now: int) -> Decision:
    match proposal:
        case NoticeOrder():
            return Decision(replace(hall, notice=ShownNotice(proposal.text, now + proposal.seconds * NS)))
        case Clear():
            return Decision(replace(hall, notice=None, stop=None))
        case RoundBegins():
            # It is kept as an instant of the game, which a restored game has only once its times are confirmed.
            return Decision(hall) if state.frozen is None else refused(hall, RefusalReason.FROZEN)
        case SetTimer():
            return _timer(state, hall, proposal, now)
        case StopAsked():
            return _stop(state, hall, proposal, now)
        case Assign() | SetUpNext() | ChangeSettings() | OrderUpdate():
            return _between_games(state, hall, proposal, now)
        case VerdictBody(do="call"):
            return _call(state, hall, now)
        case VerdictBody():
            return decide_verdict(state, hall, proposal, now)


def _stop(state: ClockState, hall: HallState, order: StopAsked, now: int) -> Decision:
    asked = replace(hall, stop=order.text)
    # A restored game stands anyway, until the director confirms its times.
    if not hall.hard_freeze or state.frozen is not None or state.game_at(now).phase not in _STOPPABLE:
        return Decision(asked)
    return Decision(asked, events=((Neutralise(DIRECTOR_CALLED), By.DIRECTOR),), number=state.history.number + 1)


def _timer(state: ClockState, hall: HallState, order: SetTimer, now: int) -> Decision:
    if state.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if order.begins is None or order.seconds is None:
        return Decision(replace(hall, timer=None))
    if not between_games(state.game_at(now)):
        return refused(hall, RefusalReason.NOT_BETWEEN_GAMES)
    return Decision(replace(hall, timer=HallTimer(order.begins, order.seconds, order.warnings, order.label)))


def _call(state: ClockState, hall: HallState, now: int) -> Decision:
    if state.game_at(now).called:
        return Decision(hall)
    return Decision(hall, events=((Call(on=True), By.PLAYERS),), number=state.history.number + 1)


def offered_again(state: ClockState, keys: object) -> OfferedGame | None:
    """Return the next game that an order has set up before a restart, by its ``keys`` in the journal; None: nothing that this clock can offer."""
    try:
        return _offered(state, SetUpKeys.model_validate(keys))
    except ValidationError:
        return None


def _between_games(state: ClockState, hall: HallState, order: Assign | SetUpNext | ChangeSettings | OrderUpdate, now: int) -> Decision:
    if state.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if not between_games(state.game_at(now)):
        return refused(hall, RefusalReason.NOT_BETWEEN_GAMES)
    if order.number != state.history.number:
        return refused(hall, RefusalReason.OUT_OF_DATE)
    if isinstance(order, Assign):
        over = state.game_at(now).phase is Phase.OVER
        played = hall.place.names if over and hall.played is None else hall.played
        return Decision(replace(hall, place=Assignment(order.table, BySide(order.left, order.right), order.lexicon), played=played))
    if isinstance(order, ChangeSettings):
        return _settings(hall, order)
    if isinstance(order, OrderUpdate):
        return Decision(replace(hall, updating=True)) if hall.updates else refused(hall, RefusalReason.NO_UPDATES)
    offered = _offered(state, order)
    return refused(hall, RefusalReason.UNKNOWN_RULEBOOK) if offered is None else Decision(hall, offered=offered)


def _settings(hall: HallState, order: ChangeSettings) -> Decision:
    """Take all of the order or nothing: half of it would be no answer that a director can read."""
    if order.settings.keys() & hall.on_card:
        return refused(hall, RefusalReason.SET_ON_CARD)
    if order.language is not None and order.language not in languages():
        return refused(hall, RefusalReason.UNKNOWN_LANGUAGE)
    return Decision(hall, settings=order.settings)


def _offered(state: ClockState, keys: SetUpKeys) -> OfferedGame | None:
    found = next(((named, rulebook) for named, rulebook in state.setup.rulebooks if rulebook.id == keys.rulebook), None)
    if found is None:
        return None
    named, rulebook = found
    allowed = BySide(keys.left_seconds, keys.right_seconds).map(lambda seconds: None if seconds is None else seconds * NS)
    return OfferedGame(NewGame(rulebook, named, allowed), state.history.first.event)
