"""What each sheet says: a title and sections of rows, from the programs' texts and a rulebook."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from msgspec import Struct

from appliance.texts import Texts, load_part
from faults.errors import as_phrase
from firmware.texts import load_texts as clock_texts
from game.game import COURTESY_DRAW, RECOUNT
from kiosk.face.verdict import restart_needs
from kiosk.texts import load_texts as station_texts
from rules.duration import NS, reading
from rules.rulebooks import OvertimeLimit, OvertimeRule, Rulebook
from rules.rulebooks.model import RestartRule

Row: TypeAlias = tuple[str, ...]


class Section(Struct, frozen=True):
    """Rows below a heading; a row of one cell goes over the whole width."""

    heading: str
    rows: tuple[Row, ...]


class Sheet(Struct, frozen=True):
    """One page."""

    title: str
    size: tuple[float, float]
    """In mm."""
    letters: float
    """The size of the text, in points, where it fits."""
    sections: tuple[Section, ...]
    foot: str


A4: Final = (210.0, 297.0)
A6: Final = (105.0, 148.0)


class Words(Struct, frozen=True):
    """All texts in one language."""

    own: Texts
    clock: Texts
    station: Texts


def words(language: str) -> Words:
    return Words(load_part("sheets", language), clock_texts(language), station_texts(language))


def length(ns: int) -> str:
    """Return ``20 s``, ``5 min`` or ``1 min 30 s``."""
    minutes, seconds = divmod(ns // NS, 60)
    return " ".join(part for part in (f"{minutes} min" if minutes else "", f"{seconds} s" if seconds or not minutes else "") if part)


def player(said: Words, book: Rulebook) -> Sheet:
    def row(name: str, does: str, **fills: str) -> Row:
        return said.own.say(f"player.{name}"), said.own.say(f"player.{does}_does", **fills)

    hold_on = {name: said.clock.say(f"fill.hold_on.{name}") for name in _CALLS}
    own = (
        (said.own.say("player.own_first"),),
        row("press", "press"),
        row("waiting", "waiting", hold=hold_on["hold"], released=hold_on["released"]),
        row("stopped", "stopped", out_play=hold_on["out_play"]),
        row("answers", "answers", accept=hold_on["accept"]),
        row("challenged", "challenged", i_challenge=hold_on["i_challenge"]),
        row("late", "late"),
    )
    bar = (
        row("press", "bar_press"),
        row("bar_menu", "bar_menu", menu=hold_on["menu"]),
        row("bar_challenge", "bar_challenge", challenge=hold_on["challenge"], next_game=hold_on["next_game"]),
        row("bar_verdict", "bar_verdict"),
        row("bar_result", "bar_result"),
    )
    values = said.own.say(
        "player.values", regulation=reading(book.regulation_ns), overtime=_overtime(said, book.overtime), cost=_cost(said, book)
    )
    frames = [_frame(said, book, name) for name in ("courtesy_draw", "out_play") if name in book.windows]
    return Sheet(
        said.own.say("player.title"),
        A6,
        9.5,
        (
            Section(said.own.say("player.own"), own),
            Section(said.own.say("player.bar"), bar),
            Section(
                "", ((values,), *((said.own.say("player.windows", title=title, length=f"{took}, {then}"),) for title, took, then in frames))
            ),
        ),
        said.clock.render(as_phrase(book.title)),
    )


_CALLS: Final = ("hold", "released", "out_play", "accept", "i_challenge", "menu", "challenge", "next_game")


def director(said: Words, book: Rulebook) -> Sheet:
    opening = tuple((said.own.say(f"director.{name}"), said.own.say(f"director.{name}_does")) for name in ("key", "two", "power", "stuck"))
    situations = tuple(
        (said.own.say(f"director.{name}"), " · ".join(said.clock.say(f"menu.action.{action}") for action in actions))
        for name, actions in _SITUATIONS.items()
    )
    station = " · ".join(said.station.say(f"desk.menu.{name}") for name in ("lexicons", "rulebooks", "log", "export", "self_test", "judge"))
    frames = tuple(
        (title, " · ".join((took, then, *_frame_notes(said, book, name))))
        for name in book.windows
        for title, took, then in (_frame(said, book, name),)
    )
    return Sheet(
        said.own.say("director.title"),
        A4,
        11,
        (
            Section(said.own.say("director.open"), opening),
            Section(said.own.say("director.situations"), situations),
            Section(said.own.say("director.rules"), tuple(_rules(said, book))),
            Section(said.own.say("director.windows"), frames),
            Section(said.own.say("director.station"), ((said.own.say("director.station_door"), station),)),
        ),
        said.clock.render(as_phrase(book.title)),
    )


_SITUATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "wrong_press": ("undo",),
    "wrong_time": ("adjust",),
    "forced": ("erase_overtime",),
    "frame": ("window",),
    "absent": ("late_start", "arrive"),
    "infraction": ("infraction",),
    "unsaid": ("reason", "challenge", "verdict", "hold", "out_play"),
    "reopened": ("reopen",),
    "ended": ("end",),
    "seats": ("swap",),
    "book": ("rulebook",),
    "medical": ("new_game",),
}


def sign(said: Words, book: Rulebook) -> Sheet:
    station = said.station.say
    steps = [
        station("idle.how"),
        station("table.challenger_how"),
        station("help.words"),
        f"{station('checking.title')} {station('checking.together')} {station('help.checking')}",
        station("help.verdict"),
    ]
    notes = [said.own.say("sign.whole"), said.own.say("sign.lost", cost=_cost(said, book))]
    if not book.challenge.may_withdraw:
        notes.append(station("notice.no_withdrawal"))
    if not book.challenge.may_concede:
        notes.append(station("notice.no_concession"))
    if book.first_word_off_centre:
        notes.append(station("help.off_centre"))
    notes.append(said.own.say("sign.director", director=station("action.director")))
    return Sheet(
        station("idle.title"),
        A4,
        24,
        (Section("", tuple((str(number), step) for number, step in enumerate(steps, 1))), Section("", tuple((note,) for note in notes))),
        said.clock.render(as_phrase(book.title)),
    )


SHEETS: Final[Mapping[str, Callable[[Words, Rulebook], Sheet]]] = {"player": player, "director": director, "sign": sign}


def _frame_notes(said: Words, book: Rulebook, name: str) -> Iterator[str]:
    if name in book.clock_windows:
        yield said.own.say("rule.then_clock")
    if name in book.directors_windows:
        yield said.own.say("rule.by_director")


_BY: Final[Mapping[str, str]] = {"players": "rule.players", "director": "rule.by_director", "never": "rule.never"}


def _frame(said: Words, book: Rulebook, name: str) -> tuple[str, str, str]:
    """Return a time frame's title, its length, and what it is for."""
    key = {"out_play": "out_play" if book.out_play_ends_game else "out_play_open"}.get(name, name)
    lasts = length(book.windows[name])
    if name == COURTESY_DRAW and book.draw_from_press:
        lasts = f"{lasts} {said.own.say('rule.from_press')}"
    return said.clock.say(f"window.{name}.title"), lasts, said.clock.say(f"window.{key}.counting")


def _rules(said: Words, book: Rulebook) -> Iterator[Row]:
    parts = (_times(said, book), _absent(said, book), _challenges(said, book), _ends(said, book), _of_the_result(said, book))
    return ((said.own.say(f"rule.{name}"), value) for name, value in chain(*parts))


def _times(said: Words, book: Rulebook) -> Iterator[tuple[str, str]]:
    yield "regulation", reading(book.regulation_ns)
    if book.turns is not None:
        yield "turns", str(book.turns)
    extras = {"increment": book.increment_ns, "delay": book.delay_ns, "turn": book.turn.ns if book.turn else 0}
    yield from ((name, length(ns)) for name, ns in extras.items() if ns)
    yield "overtime", _overtime(said, book.overtime)
    if book.limit is not None:
        yield "limit", _limit(said, book.limit)
    if book.hold_maximum is not None:
        yield "hold", length(book.hold_maximum.ns)
    # All minutes of a rulebook have one length and one maker.
    for minute in [*book.minutes.values()][:1]:
        yield "minutes", said.own.say(f"rule.minutes_by_{minute.by}", length=length(minute.ns))
    if book.infractions_a_minute is not None:
        yield "infractions", said.own.say("rule.infractions_are", count=book.infractions_a_minute)


def _absent(said: Words, book: Rulebook) -> Iterator[tuple[str, str]]:
    say = said.own.say
    if book.forfeit_late_ns is not None:
        yield "forfeit", say("rule.forfeit_late", length=length(book.forfeit_late_ns))
    else:
        yield "forfeit", say("rule.forfeit_at", reading=reading(book.forfeit_remaining_s * NS))
    if book.late_forfeits_below_ns is not None:
        yield "may_forfeit", say("rule.may_forfeit_below", reading=reading(book.late_forfeits_below_ns))
    yield "late", f"{say(_BY[book.late_started_by])} · {say(f'rule.late_{book.both_absent}')}"


def _challenges(said: Words, book: Rulebook) -> Iterator[tuple[str, str]]:
    say, rule = said.own.say, book.challenge
    yield "cost", _cost(said, book)
    yield "withdraw", " · ".join(say("rule.yes" if may else "rule.no") for may in (rule.may_withdraw, rule.may_concede))
    if rule.review is not None:
        yield "review", say(f"rule.review_{rule.review}")
    yield "opinion", say("rule.yes" if book.second_opinion_here else "rule.no")
    yield "off_centre", say("rule.off_centre_off" if book.first_word_off_centre else "rule.off_centre_words")
    if rule.restart is not None:
        yield "restart", _restart(said, rule.restart)


def _restart(said: Words, restart: RestartRule) -> str:
    if not restart.seated:
        return said.station.say("restart.reracked")
    # What an acceptable and an unacceptable play need, each need once.
    needs = dict.fromkeys(need for acceptable in (True, False) for need in restart_needs(restart, acceptable=acceptable))
    named = ", ".join(said.station.say(f"restart.need.{need}") for need in needs)
    return said.station.say("restart.first_or_late" if restart.delay else "restart.first", needs=named)


def _ends(said: Words, book: Rulebook) -> Iterator[tuple[str, str]]:
    say = said.own.say
    zeros = f"{book.zeros_in_a_row}: {say(_BY[book.six_zeros_by])}"
    if not book.six_zeros_at_zero_score:
        zeros = say("rule.zero_score", zeros=zeros)
    yield "zeros", f"{zeros} · {say(_BY[book.resignation_by])}"
    if RECOUNT in book.windows:
        name = "recount_itself" if book.recount_starts_itself else "recount_asked"
        yield "recount", say(f"rule.{name}", length=length(book.windows[RECOUNT]))


def _of_the_result(said: Words, book: Rulebook) -> Iterator[tuple[str, str]]:
    say, result = said.own.say, book.result
    worth = "rule.average" if result.forfeit_score == "average" else "rule.points"
    yield "forfeit_worth", say(worth, points=result.forfeit_spread)
    yield "leaving", say("rule.leaving_forfeit") if result.leaving_margin is None else say("rule.points", points=result.leaving_margin)
    yield "bonus_words", say("rule.yes" if result.bonus_words else "rule.no")


def _overtime(said: Words, rule: OvertimeRule) -> str:
    kind = "rule.completed" if rule.counts_completed else "rule.begun"
    costs = [(band.from_seconds, said.own.say(kind, points=band.points, period=length(band.period_seconds * NS))) for band in rule.bands]
    parts = [said.own.say("rule.from", since=length(since * NS), cost=cost) if since else cost for since, cost in costs]
    return ", ".join(parts if rule.cap is None else [*parts, said.own.say("rule.cap", points=rule.cap)])


def _limit(said: Words, limit: OvertimeLimit) -> str:
    say, at = said.own.say, reading(limit.reading_s * NS)
    if limit.does != "lost":
        return say(f"rule.limit_{limit.does}", reading=at)
    margin = say("rule.limit_margin", points=limit.wins_by) if limit.wins_by else ""
    return say("rule.limit_at", reading=at, points=-limit.penalty) + margin + (say("rule.limit_recount") if limit.recount else "")


def _cost(said: Words, book: Rulebook) -> str:
    rule = book.challenge
    points = rule.points_a_word or rule.points_a_challenge
    kinds = [*(["turn"] if rule.acceptable_loses_turn else []), *(["word" if rule.points_a_word else "challenge"] if points else [])]
    return " + ".join(said.own.say(f"rule.cost_{kind}", points=points) for kind in kinds or ["nothing"])
