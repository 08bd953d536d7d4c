"""The whole station as one frozen value, its lamps, and how events and time change them. Pure.

The value is the players' flow, the director's door, and the judge desk behind it. ``apply`` is the one that takes an event to what handles it: players' events
go to the flow while the door is closed, otherwise to the PIN or the judge desk. While the door is not closed, no key adjudicates, and the players' input is
suspended until it closes. A verdict that they have read still times out. Opening and closing the door writes rows, suspends the players' input and empties
the judge desk. A new context waits until no challenge is in progress.

The lamps follow from the state like the page.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import field

from kiosk import events
from kiosk.challenge import apply as challenge
from kiosk.challenge import timeouts as players
from kiosk.challenge.flow import Flow, LastVerdict, Open, Step
from kiosk.challenge.timeouts import without_table
from kiosk.context import StationContext, Value
from kiosk.director import door as doors
from kiosk.director import judge_desk as judge_desks
from kiosk.director.door import LAPSED_NS, Door, Doorway, Lock, seconds_lapsed, shuts_at
from kiosk.director.judge_desk import Around, JudgeDesk
from kiosk.director.word_judge import REMEMBERED_NS, Opinion, Stage, remembered, ruled, without
from kiosk.events import Consequence, Effect, Print, WriteEntry
from records.entry import Entry, Kind
from rules.contact import MS
from rules.duration import NS


class Station(Value, frozen=True):
    """Instants in ns."""

    flow: Flow
    door: Door
    judge_desk: JudgeDesk = field(default_factory=JudgeDesk)
    opinions: tuple[Opinion, ...] = ()
    suspended_at: int | None = None
    """Since when the door is not closed and the players' input is suspended; None: it is closed."""
    next: StationContext | None = None
    """The context to take over once no challenge is in progress; None: the flow's is the newest."""
    close_asked_until: int | None = None
    """Until when a second request closes the window, and the page says so; None: there was no first."""

    @property
    def in_progress(self) -> bool:
        return self.flow.in_progress or self.judge_desk.judging is not None

    @property
    def newest(self) -> StationContext:
        return self.next or self.flow.station


StationTransition: TypeAlias = tuple[Station, tuple[Effect, ...]]

_WORKED_AT: Final = (Step.TABLE, Step.WORDS, Step.CHECKING, Step.JUDGING)
"""The steps that players find again after the door closes."""


def is_suspended(station: Station) -> bool:
    """Return whether the players' flow is suspended because the door is not closed.

    A director's visit does not delete typed words. A verdict is for two players only and is cleared in its time: otherwise anyone could leave it on
    the screen for the next table by opening the door. But a verdict that came while the door was open, and was not visible yet, waits.
    """
    suspended_at, flow = station.suspended_at, station.flow
    waits = flow.step in _WORKED_AT or flow.calling or (flow.step is Step.VERDICT and flow.since > (suspended_at or 0))
    return suspended_at is not None and waits


def begin(  # noqa: PLR0913 - what survives a power cut
    context: StationContext,
    lock: Lock,
    at: int = 0,
    tries: int = 0,
    *,
    opinions: tuple[Opinion, ...] = (),
    open_: tuple[Open, ...] = (),
    verdicts: tuple[LastVerdict, ...] = (),
    first_test: bool = False,
) -> Station:
    """Return a station that starts at ``at`` (ns).

    ``tries``: wrong PINs since the door was last opened, from the log: DOOR_REFUSED rows after the last DOOR_OPENED. From the log, too: plays that wait for a word judge, challenges that may be repeated, verdicts that may be shown once more.
    ``first_test``: it begins with the touch at five points.
    """
    station = Station(challenge.begin(context, at, open_, verdicts), Door.after(lock, tries, at), opinions=opinions)
    if not first_test:
        return station
    door = station.door.replace(way=Doorway.FIRST_TEST, touched=at)
    return station.replace(door=door, judge_desk=JudgeDesk(events.JudgeDeskPlace.SELF_TEST, touches=()), suspended_at=at)


def end(station: Station, at: int, why: str) -> StationTransition:
    """Return the station at the end of the program at ``at`` (ns), and the final effects, whatever the cause. A second call has no effect.

    The judge desk closes as if it had locked itself, which settles a ruling. Words that were not adjudicated are logged as aborted, with ``why``.
    """
    now, settled = door_changed(station, doors.closed(station.door), at, why)
    return now.replace(flow=players.idle(now.flow, at)), (*settled, *players.aborted(now.flow))


CLOSE_AGAIN_NS: Final = 5 * NS
"""How long a window in the middle of a challenge waits for the second request to close it."""
_ANSWERS = (events.JudgeDeskAnswer, events.VerdictWritten)
"""The shell's answers to the judge desk, which are not touches."""
_OF_FIRST_TEST = (events.PointDone, events.Begin, events.Confirm, events.TurnPage, *_ANSWERS)
"""What reaches the judge desk during a first test, which needs no PIN."""


def apply(station: Station, event: events.Event, at: int) -> StationTransition:
    """Return the station after ``event`` at ``at`` (ns), with everything due by then, and the effects for the shell, in order.

    An event that does not apply in the present state changes nothing.
    """
    ticked, due = tick(station, at)
    if ticked.door.useless is not None and not isinstance(event, _ANSWERS):
        ticked = ticked.replace(door=ticked.door.replace(useless=None))
    applied, done = _dispatched(ticked, event, at)
    return _up_to_date(applied, at), (*due, *done)


def _dispatched(station: Station, event: events.Event, at: int) -> StationTransition:
    match event:
        case events.KnockAtDoor() | events.LeaveJudgeDesk() | events.KeyTurned():
            return _at_door(station, event, at)
        case events.CloseAsked():
            return station.replace(close_asked_until=at + CLOSE_AGAIN_NS), ()
        case events.SetContext(context):
            return station.replace(next=None if context == station.flow.station else context), ()
    if isinstance(event, events.Judged | events.CannotJudge | events.HallEvent):
        # Answers to a key pressed before the key switch turned, and news of the hall: applied now, shown when the door closes.
        return _play(station, event, at)
    match station.door.way:
        case Doorway.CLOSED:
            return _play(station, event, at)
        case _ if isinstance(event, events.ShowHelp | events.NoFunction) or (station.door.helping and not isinstance(event, _ANSWERS)):
            return _help(station, event, at), ()
        case Doorway.ASKING:
            return _ask(station, event, at)
        case Doorway.OPEN | Doorway.FIRST_TEST:
            return _direct(station, event, at)


def _may_be_pin(event: events.Event) -> bool:
    """Return whether the event may belong to a PIN: no page may show its digits. Letters are the players'."""
    match event:
        case events.Type(text) | events.TypeTile(text):
            return any(character.isdigit() for character in text)
        case _:
            return isinstance(event, events.Erase | events.Next | events.Begin)


def _at_door(station: Station, event: events.Event, at: int) -> StationTransition:
    door = station.door
    match event:
        # Not while judging: the shell's answer precedes any other event.
        case events.KnockAtDoor() if station.flow.step is not Step.JUDGING:
            return door_changed(station, doors.knock(door, at), at, "key switch")
        case events.LeaveJudgeDesk():
            return door_changed(station, doors.closed(door), at, "the desk was closed")
        case events.KeyTurned(on):
            return door_changed(station, doors.turn_key(door, at, on=on), at, "key switch" if on else "the key was turned off")
        case _:
            return station, ()


def _help(station: Station, event: events.Event, at: int) -> Station:
    """Show or hide the help of a page of the door or the judge desk; nothing else is done while it hides that page. A key may have no function here."""
    if isinstance(event, events.NoFunction):
        return station.replace(door=station.door.replace(useless=event, touched=at))
    back = isinstance(event, events.Back | events.Done)
    if not (back or isinstance(event, events.ShowHelp)):
        return station
    return station.replace(door=station.door.replace(helping=not back and not station.door.helping, touched=at))


def _ask(station: Station, event: events.Event, at: int) -> StationTransition:
    door, effects = station.door, tuple[Effect, ...]()
    match event:
        case events.Type(text) | events.TypeTile(text):
            door = doors.type_digits(door, text, at)
        case events.Erase():
            door = door.replace(digits=door.digits[:-1])
        case events.Next() | events.Finish():
            door = doors.hand_in(door, at)
            if door.is_open:
                return door_changed(station, door, at, "PIN")
            if door.tries > station.door.tries:
                effects = (WriteEntry(Entry(Kind.DOOR_REFUSED, why=f"wrong PIN, {door.tries} in a row")),)
        case events.Back():
            return door_changed(station, doors.closed(door), at, "the desk was closed")
        case _:
            return station, ()
    return station.replace(door=door.replace(touched=at)), effects


def _direct(station: Station, event: events.Event, at: int) -> StationTransition:
    """Pass an event to the judge desk; any input postpones the judge desk's locking itself."""
    if station.door.way is Doorway.FIRST_TEST and not isinstance(event, _OF_FIRST_TEST):
        return _leave_first_test(station, at) if isinstance(event, events.Back) else (station, ())
    judge_desk, asked = judge_desks.apply(
        station.judge_desk, event, Around(station.flow.station, station.opinions, has_pending=station.next is not None), at
    )
    touched = station if isinstance(event, _ANSWERS) else station.replace(door=station.door.replace(touched=at))
    return with_judge_desk(touched, judge_desk), asked


def _leave_first_test(station: Station, at: int) -> StationTransition:
    """Return the station with the players' pages; a test that was left before its end gets a row, so that the next start does not begin it."""
    now, _ = door_changed(station, doors.closed(station.door), at, "the test was left")
    left = WriteEntry(Entry(Kind.SELF_TEST, why="the guided test was left", device_test="left"))
    return now, () if station.judge_desk.touches is None else (left,)


def _play(station: Station, event: events.Event, at: int) -> StationTransition:
    if not isinstance(event, events.ChallengeEvent):
        return station, ()
    if seconds_lapsed(station.door, at) is not None and _may_be_pin(event):
        return station.replace(door=doors.lapsed(station.door, at + LAPSED_NS)), ()
    flow, effects = challenge.apply(station.flow, event, at)
    return station.replace(flow=flow, opinions=_with_new_opinion(station.opinions, station.flow, effects, at)), effects


def _with_new_opinion(opinions: tuple[Opinion, ...], flow: Flow, effects: tuple[Effect, ...], at: int) -> tuple[Opinion, ...]:
    """Return the opinions, with the one that the players have just requested from a word judge; ``flow`` is the flow before that.

    Once its table has a verdict, a play no longer waits for a judge: it was repeated, or play has continued (2017 IV.J.1.n).
    """
    for effect in effects:
        if isinstance(effect, Print) and flow.table is not None:
            opinions = without(opinions, flow.table)
        elif isinstance(effect, WriteEntry) and effect.entry.kind is Kind.OPINION_ASKED and flow.table is not None:
            new = Opinion(flow.table, flow.challenger, flow.words, effect.entry.first, at + REMEMBERED_NS, last_play=flow.last_play)
            opinions = remembered(opinions, new)
    return opinions


def tick(station: Station, at: int) -> StationTransition:
    shuts = shuts_at(station.door)
    now, effects = (
        (station, ())
        if shuts is None or at < shuts
        else door_changed(station, doors.lapsed(station.door, shuts + LAPSED_NS), at, "the desk locked itself")
    )
    now = now.replace(opinions=tuple(each for each in now.opinions if at < each.until))
    if now.door.lapsed_until is not None and seconds_lapsed(now.door, at) is None:
        now = now.replace(door=now.door.replace(lapsed_until=None))
    if now.close_asked_until is not None and at >= now.close_asked_until:
        now = now.replace(close_asked_until=None)
    if is_suspended(now):
        return now, effects
    flow, more = players.tick(now.flow, at)
    return _up_to_date(now.replace(flow=flow), at), (*effects, *more)


def _up_to_date(station: Station, at: int) -> Station:
    """Return the station at ``at`` (ns), with the next context taken over if no challenge is in progress."""
    if station.next is None or station.flow.in_progress:
        return station
    flow, _ = challenge.apply(station.flow, events.SetContext(station.next), at)
    return station.replace(flow=flow, next=None)


def next_due(station: Station, now: int) -> int | None:
    """Return the next instant at which the station changes by itself, or a countdown after ``now`` (ns) does; None: never.

    The result is in the past if ``tick`` is overdue.
    """
    # Opinions expire even without an input: an idle station must not hold words in memory.
    instants = [*_of_door(station.door, now), *(opinion.until for opinion in station.opinions)]
    if station.judge_desk.place is events.JudgeDeskPlace.JUDGE and station.judge_desk.judging is None:
        # The page shows for how long each waits.
        instants += [players.next_second(opinion.until, now) for opinion in station.opinions if opinion.until > now]
    flow = None if is_suspended(station) else players.next_due(station.flow, now)
    return min((each for each in (*instants, station.close_asked_until, flow) if each is not None), default=None)


def _of_door(door: Door, now: int) -> Iterator[int]:
    """Yield the instants at which the door closes by itself, and the seconds of the countdown to that or to the next PIN attempt."""
    shuts = shuts_at(door)
    if shuts is not None:
        yield shuts
        if shuts > now:
            yield players.next_of_last(shuts, now)
    if door.shut_until is not None and door.shut(now) and not door.is_closed:
        yield players.next_second(door.shut_until, now)
    if door.lapsed_until is not None and seconds_lapsed(door, now) is not None:
        yield players.next_second(door.lapsed_until, now)


def door_changed(station: Station, door: Door, at: int, why: str) -> StationTransition:
    before, now, effects = station.door, station.replace(door=door), list[Effect]()
    if before.is_closed and not door.is_closed:
        now = now.replace(suspended_at=at)
    if door.is_open and not before.is_open:
        effects.append(WriteEntry(Entry(Kind.DOOR_OPENED, why=why)))
    if door.is_closed:
        effects += judge_desks.left(station.judge_desk, f"manual adjudication: {why}")
        now = with_judge_desk(now, JudgeDesk())
    if door.is_closed and now.suspended_at is not None:
        now = now.replace(flow=shifted(now.flow, now.suspended_at, at) if is_suspended(now) else now.flow, suspended_at=None)
    return now, tuple(effects)


def with_judge_desk(station: Station, judge_desk: JudgeDesk) -> Station:
    """Return the station with its new desk; a ruled play no longer waits for a word judge, one between two judges waits for the next.

    A word judge's verdict takes the place of the station's own, which is shown no more.
    """
    if judge_desk.judging is not None and judge_desk.judging.rulings:
        station = station.replace(flow=station.flow.replace(verdicts=without_table(station.flow.verdicts, judge_desk.judging.slip.table)))
    judged, opinions = station.judge_desk.judging, station.opinions
    table = None if judged is None else judged.slip.table
    if judged is not None and table is not None and judge_desk.judging is None:
        settled = judged.stage is Stage.RULED
        opinions = without(opinions, table) if settled else ruled(opinions, table, judged.slip.words, judged.rulings)
    return station.replace(judge_desk=judge_desk, opinions=opinions)


def shifted(flow: Flow, suspended_at: int, at: int) -> Flow:
    """Return a flow suspended from ``suspended_at`` to ``at`` (ns) with its times shifted. Open challenges are not extended, because play goes on meanwhile."""
    # The key switch's instant may lie slightly before the last touch; the shell's answers meanwhile are not newer than now.
    by = max(0, at - suspended_at)
    # A check starts anew, so that the finger that closed the door does not count as the adjudication key; its time to clear continues.
    since = at if flow.step is Step.CHECKING else min(at, flow.since + by)
    return flow.replace(since=since, touched=min(at, flow.touched + by))


BUTTON: Final = "adjudicate"


Timed: TypeAlias = tuple[events.Event, int]
"""An event and its instant, ns: that of its first edge."""


def lit(station: Station, now: int) -> frozenset[str]:
    """Return the names of the lamps lit at ``now`` (ns); none while the director's door is not closed."""
    if station.suspended_at is not None:
        return frozenset()
    flow = station.flow
    counts = _counts_from(flow)
    if counts is not None:
        return frozenset({BUTTON} if now >= counts else ())
    follows = _shown(flow)
    if follows is None or flow.calling:
        return frozenset()
    return frozenset({"acceptable" if follows.acceptable else "unacceptable"})


def lamps_next_due(station: Station, now: int) -> int | None:
    """Return the next instant after ``now`` (ns) at which a lamp changes by itself, or None."""
    counts = None if station.suspended_at is not None else _counts_from(station.flow)
    return counts if counts is not None and counts > now else None


def _shown(flow: Flow) -> Consequence | None:
    if flow.step is Step.SHOWN_AGAIN:
        return None if flow.again is None else flow.again.consequence
    return flow.outcome.consequence if flow.step is Step.VERDICT and flow.outcome is not None else None


def _counts_from(flow: Flow) -> int | None:
    """Return from when (ns) the adjudication key counts; None: no words are shown, their number is wrong, or the station cannot judge."""
    if (
        flow.step is not Step.CHECKING
        or flow.leaving
        or flow.calling
        or flow.helping
        or flow.still_there
        or len(flow.words) != flow.count
        or flow.context.trouble is not None
    ):
        return None
    return flow.since + flow.context.limits.least_ms * MS
