"""What each sheet says: a title and sections of rows, from the programs' texts and a rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from appliance.texts import Texts, load_part
from faults.errors import as_phrase
from firmware.texts import load_texts as clock_texts
from kiosk.texts import load_texts as station_texts
from rules.duration import NS, reading
from rules.rulebooks import OvertimeRule, Rulebook

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
    frames = tuple((title, f"{took} · {then}") for title, took, then in (_frame(said, book, name) for name in book.windows))
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


def _frame(said: Words, book: Rulebook, name: str) -> tuple[str, str, str]:
    """Return a time frame's title, its length, and what it is for."""
    key = {"out_play": "out_play" if book.out_play_ends_game else "out_play_open"}.get(name, name)
    return said.clock.say(f"window.{name}.title"), length(book.windows[name]), said.clock.say(f"window.{key}.counting")


def _rules(said: Words, book: Rulebook) -> Iterator[Row]:
    def rule(name: str, value: str) -> Row:
        return said.own.say(f"rule.{name}"), value

    say = said.own.say
    yield rule("regulation", reading(book.regulation_ns))
    extras = {"increment": book.increment_ns, "delay": book.delay_ns, "turn": book.turn.ns if book.turn else 0}
    yield from (rule(name, length(ns)) for name, ns in extras.items() if ns)
    yield rule("overtime", _overtime(said, book.overtime))
    if book.limit is not None:
        yield rule("limit", say("rule.limit_at", reading=reading(book.limit.reading_s * NS), points=-book.limit.penalty))
    if book.forfeit_late_ns is not None:
        yield rule("forfeit", say("rule.forfeit_late", length=length(book.forfeit_late_ns)))
    else:
        yield rule("forfeit", say("rule.forfeit_at", reading=reading(book.forfeit_remaining_s * NS)))
    if book.hold_maximum is not None:
        yield rule("hold", length(book.hold_maximum.ns))
    yield rule("cost", _cost(said, book))
    yield rule(
        "withdraw", " · ".join(say("rule.yes" if may else "rule.no") for may in (book.challenge.may_withdraw, book.challenge.may_concede))
    )
    if book.challenge.review is not None:
        yield rule("review", say(f"rule.review_{book.challenge.review}"))
    if book.infractions_a_minute is not None:
        yield rule("infractions", say("rule.infractions_are", count=book.infractions_a_minute))
    by = {"players": "rule.players", "director": "rule.by_director", "never": "rule.never"}
    yield rule("zeros", f"{book.zeros_in_a_row}: {say(by[book.six_zeros_by])} · {say(by[book.resignation_by])}")


def _overtime(said: Words, rule: OvertimeRule) -> str:
    kind = "rule.completed" if rule.counts_completed else "rule.begun"
    costs = [(band.from_s, said.own.say(kind, points=band.points, period=length(band.period_s * NS))) for band in rule.bands]
    parts = [said.own.say("rule.from", since=length(since * NS), cost=cost) if since else cost for since, cost in costs]
    return ", ".join(parts if rule.cap is None else [*parts, said.own.say("rule.cap", points=rule.cap)])


def _cost(said: Words, book: Rulebook) -> str:
    rule = book.challenge
    points = rule.points_a_word or rule.points_a_challenge
    kinds = [*(["turn"] if rule.acceptable_loses_turn else []), *(["word" if rule.points_a_word else "challenge"] if points else [])]
    return " + ".join(said.own.say(f"rule.cost_{kind}", points=points) for kind in kinds or ["nothing"])
