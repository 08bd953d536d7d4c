"""The face: what both players see of a game at an instant. Pure; the words come from the language's texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from appliance.errors import Diagnosis
from firmware.core.game import Ending, Game, Phase
from firmware.face.cue import cue
from firmware.face.details import details
from firmware.face.guidance import prompt, status
from firmware.face.value import Face, HalfFace, MenuFace, WindowFace
from firmware.gestures.clock_state import ClockState
from firmware.menu.describe import infractions, signed
from firmware.menu.game_text import banner
from firmware.menu.menu import Menu, page
from firmware.menu.setup import Setup
from firmware.texts import Texts
from rules.duration import NS, reading, seconds_shown
from rules.side import BySide, Side

LOW_NS: Final = 60 * NS
"""A half looks different under this much remaining time."""


def face(table: ClockState, now: int, notices: tuple[str, ...] = (), no_buttons: Diagnosis | None = None) -> Face:
    """Return the face of ``table`` (ticked up to ``now``) at ``now`` (ns).

    Args:
        table: the table.
        now: the instant.
        notices: the shell's notices.
        no_buttons: why no button works; None: they work.
    """
    game, setup, now = table.game_at(now), table.setup, table.instant(now)
    shown = Face(
        phase=game.phase,
        halves=BySide(*(_half(table, game, side, now) for side in Side)),
        banner=banner(game, setup.texts),
        details=tuple(details(table, game, now)),
        window=_window(game, now, setup.texts),
        notices=notices,
        rulebook=game.rulebook.title,
        menu=None if table.menu is None else _menu(table.menu, table, setup, now),
        no_buttons=no_buttons is not None,
        cue=cue(table, game),
    )
    return shown if no_buttons is None or game.running is not None else _without_buttons(shown, no_buttons, setup.texts)


def _without_buttons(face: Face, why: Diagnosis, texts: Texts) -> Face:
    """Replace the prompts by the reason why no button works, as large as space permits."""
    sentences = (texts.render(why.problem), texts.render(why.remedy), texts.say("notice.no_buttons_again"))
    return replace(
        face,
        banner=texts.say("notice.no_buttons"),
        details=tuple(f"{each[:1].upper()}{each[1:]}" for each in sentences if each),
        window=None,
        halves=face.halves.map(lambda half: replace(half, prompt="")),
    )


def _half(table: ClockState, game: Game, side: Side, now: int) -> HalfFace:
    texts = table.setup.texts
    remaining, status_key = game.remaining(side, now), status(game, side)
    return HalfFace(
        side=side,
        name=texts.say(f"side.{side}"),
        reading=reading(remaining),
        runs=game.running is side,
        overtime=seconds_shown(remaining) < 0,
        low=remaining < LOW_NS,
        status=texts.say(f"status.{status_key}"),
        prompt=texts.say("prompt.confirm") if table.frozen is not None else prompt(game, side, now, texts),
        marks=tuple(_marks(game, side, now, texts)),
        status_key=status_key,
    )


def _marks(game: Game, side: Side, now: int, texts: Texts) -> list[str]:
    marks: list[str] = []
    penalty = game.penalty(side, now)
    # -0:00 is not overtime (2017 V.G.2).
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
        marks.append(infractions(game.infractions.of(side), texts))
    # Before the start show both allowances, later only one that differs from regulation (2017 III.A.3).
    if game.phase in (Phase.READY, Phase.LATE) or game.allowed.of(side) != game.rulebook.regulation_ns:
        marks.append(texts.say("mark.allowed", time=reading(game.allowed.of(side))))
    return marks


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


def _menu(menu: Menu, table: ClockState, setup: Setup, now: int) -> MenuFace:
    shown = page(menu, table.record, setup, now)
    chosen = menu.cursor % len(shown.options)
    options = tuple(option.text for option in shown.options)
    hint = setup.texts.say("menu.hint_two" if setup.two_button else "menu.hint_full")
    return MenuFace(shown.title, options, chosen, hint, shown.lines, signed(menu.amount) if menu.amount else "")
