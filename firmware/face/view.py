"""The face: what both players see of a game at an instant. Pure; the words come from the texts."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.core.direction import recount_by_event
from firmware.core.duration import reading, seconds_shown
from firmware.core.game import Ending, Game, Phase
from firmware.core.side import BySide, Side
from firmware.face.guidance import prompt, status
from firmware.face.value import Face, HalfFace, MenuFace, WindowFace
from firmware.gestures.meaning import Offer
from firmware.gestures.table import Table
from firmware.menu.describe import signed
from firmware.menu.menu import Menu, page
from firmware.menu.setup import Setup
from firmware.texts import Texts


def face(table: Table, now: int, notices: tuple[str, ...] = ()) -> Face:
    """Return the face of ``table`` (ticked up to ``now``) at ``now`` (ns), with what the shell has to say aloud."""
    game, setup, now = table.game_at(now), table.setup, table.instant(now)
    return Face(
        phase=game.phase,
        halves=BySide(*(_half(game, side, now, setup.texts) for side in Side)),
        banner=_banner(game, setup.texts),
        details=_details(table, game, now),
        window=_window(game, now, setup.texts),
        notices=notices,
        rulebook=game.rulebook.title,
        menu=None if table.menu is None else _menu(table.menu, table, setup, now),
    )


def _half(game: Game, side: Side, now: int, texts: Texts) -> HalfFace:
    remaining = game.remaining(side, now)
    return HalfFace(
        side=side,
        name=texts.say(f"side.{side}"),
        reading=reading(remaining),
        runs=game.running is side,
        overtime=seconds_shown(remaining) < 0,
        status=texts.say(f"status.{status(game, side)}"),
        prompt=prompt(game, side, now, texts),
        marks=tuple(_marks(game, side, now, texts)),
    )


def _marks(game: Game, side: Side, now: int, texts: Texts) -> list[str]:
    marks: list[str] = []
    penalty = game.penalty(side, now)
    # Not in overtime when it reads -0:00 (2017 V.G.2).
    if seconds_shown(game.remaining(side, now)) < 0:
        marks.append(texts.say("mark.overtime"))
    if penalty:
        lost = game.ending is Ending.LIMIT and game.loser is side
        marks.append(texts.say("mark.limit_penalty" if lost else "mark.penalty", points=penalty))
    if game.credit.of(side):
        marks.append(texts.say("mark.credit", time=signed(game.credit.of(side))))
    if game.points.of(side):
        marks.append(texts.say("mark.points", points=game.points.of(side)))
    if game.infractions.of(side):
        marks.append(texts.say("mark.infractions", count=game.infractions.of(side)))
    # Both allowances stand on the face before the start; later only one that is not regulation (2017 III.A.3).
    if game.phase in (Phase.READY, Phase.LATE) or game.allowed.of(side) != game.rulebook.regulation_ns:
        marks.append(texts.say("mark.allowed", time=reading(game.allowed.of(side))))
    return marks


def _banner(game: Game, texts: Texts) -> str:
    if game.phase is Phase.NEUTRAL and game.judged is not None:
        return texts.say("phase.acceptable" if game.judged else "phase.unacceptable")
    return texts.say(f"phase.{game.phase.value}")


def _details(table: Table, game: Game, now: int) -> tuple[str, ...]:
    texts = table.setup.texts
    bar = texts.say("bar.two_button" if table.setup.two_button else "bar.full")
    details: list[str] = []
    if game.phase is Phase.READY:
        details.append(texts.say("banner.start"))
    if game.reason is not None and game.phase in (Phase.NEUTRAL, Phase.OVER):
        details.append(texts.say("banner.reason", reason=game.reason))
    if game.phase is Phase.NEUTRAL:
        details += _stopped(game, texts)
    if game.phase is Phase.ADJUDICATION:
        offer = "binding" if table.offer is Offer.BACK and not game.rulebook.challenge.may_withdraw else table.offer.value
        details.append(texts.say(f"banner.offer_{offer}", bar=bar))
    if game.hold_noted:
        details.append(texts.say("banner.hold_noted"))
    # After the limit and a forfeit there is none, so it is not offered (2014 V.G, 2017 V.G.3); the bar still starts one for who asks.
    if recount_by_event(game) and game.ending is None and game.window_at(now) is None:
        details.append(texts.say("banner.recount", bar=bar))
    if game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION, Phase.OUT_PLAY):
        details.append(texts.say("banner.no_study"))  # 2017 II.A
    details += _minutes_to_decide(game, texts)
    return tuple(details)


def _minutes_to_decide(game: Game, texts: Texts) -> Iterator[str]:
    every = game.rulebook.infractions_a_minute
    for side, count in game.infractions.items():
        if every is not None and count and count % every == 0:
            yield texts.say("banner.infractions", count=count, side=texts.say(f"side.{side}"))


def _stopped(game: Game, texts: Texts) -> list[str]:
    details: list[str] = []
    if game.unexplained:
        details.append(texts.say("banner.reason_wanted"))
    if game.turn is not None and game.out_player is None:
        side, other = texts.say(f"side.{game.turn}"), texts.say(f"side.{game.turn.other}")
        details.append(texts.say("banner.restart", side=side, other=other))
    return details


def _window(game: Game, now: int, texts: Texts) -> WindowFace | None:
    window = game.window_at(now)
    if window is None:
        return None
    left = max(0, window.ends - now)
    key = f"window.{window.name}"
    if window.name == "out_play" and not game.rulebook.out_play_ends_game:
        key = "window.out_play_open"  # NZ 8.2.1
    text = texts.say(f"{key}.counting" if left else f"{key}.expired")
    return WindowFace(window.name, texts.say(f"window.{window.name}.title"), reading(left), text, expired=left == 0)


def _menu(menu: Menu, table: Table, setup: Setup, now: int) -> MenuFace:
    shown = page(menu, table.record, setup, now)
    chosen = menu.cursor % len(shown.options)
    options = (option.text for option in shown.options)
    hint = setup.texts.say("menu.hint_two" if setup.two_button else "menu.hint_full")
    return MenuFace(shown.title, (*shown.lines, *options), len(shown.lines) + chosen, hint)
