"""Pages of the director's desk: the menu, the station's name, confirmations. Lists, log and word judge have modules of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from kiosk.director import events
from kiosk.director.events import DeskPlace, GoTo, LeaveDesk
from kiosk.face.desk_confirm import confirm_page
from kiosk.face.desk_lists import judges_page, lexicons_page, rulebooks_page, self_test_page
from kiosk.face.desk_log import log_page
from kiosk.face.desk_parts import TYPED, DeskView, desk_page, letters, pending
from kiosk.face.footer import footer, practice
from kiosk.face.judge import judge_page
from kiosk.face.page import Icon, ListRow, Page, Target, Tone
from kiosk.face.targets import keys, on
from rules.duration import NS, seconds_shown

COUNTED_NS: Final = 10 * NS
"""The page counts down the last seconds before the desk locks itself."""


def desk_pages(view: DeskView, now: int) -> Page:
    """Return the page of the director's place at ``now`` (ns)."""
    if view.desk.judging is not None:
        # A slip is judged by its table's division: its list and rulebook are the ones to show.
        view = replace(view, context=view.desk.judging.slip.context)
    page = _numbered(_page(view, now))
    left = None if view.locks_at is None else view.locks_at - now
    return replace(
        page,
        practice=practice(view.context, view.texts),
        countdown_s=None if left is None or left > COUNTED_NS else max(0, seconds_shown(left)),
    )


def _numbered(page: Page) -> Page:
    """Return the page with a digit key on each row that can be chosen, 1 on the first visible one, and then on each action without a key.

    Not on pages where digits are input.
    """
    if page.typed:
        return page
    known = tuple(page.keys.values())
    pressed = [row.target for row in page.rows if row.target] + [target for target in page.actions if target.event not in known]
    figures = {target.id: str(number) for number, target in enumerate(pressed, 1)}

    def named(target: Target) -> Target:
        return replace(target, key=figures[target.id]) if target.id in figures else target

    return replace(
        page,
        rows=tuple(row if row.target is None else replace(row, target=named(row.target)) for row in page.rows),
        actions=tuple(map(named, page.actions)),
        keys=MappingProxyType({**page.keys, **{figures[target.id]: target.event for target in pressed}}),
    )


def _page(view: DeskView, now: int) -> Page:
    if view.desk.judging is not None:
        return judge_page(view.desk.judging, view, now)
    return _AT[view.desk.place](view) if view.desk.wanted is None else confirm_page(view, view.desk.wanted)


def _menu(view: DeskView) -> Page:
    say = view.texts.say
    advice = view.context.advice
    close = Target("close", say("desk.close"), LeaveDesk(), Icon.LOCK, Tone.MAIN)
    return Page(
        "desk.menu",
        say("desk.title"),
        footer(view.context, view.texts),
        lines=(say("desk.busy"),) if view.busy else (),
        rows=tuple(
            ListRow(target.text, target=target) for target in (_to(place, view) for place in DeskPlace if place is not DeskPlace.MENU)
        ),
        actions=(close,),
        notice=None if advice is None else view.texts.render(advice.what),
        keys=keys((), {"escape": close.event}),
    )


def _to(place: DeskPlace, view: DeskView) -> Target:
    off = place is DeskPlace.QUIT and view.context.power_off
    return Target(f"place.{place}", view.texts.say(f"desk.menu.{place}{'_off' if off else ''}"), GoTo(place))


def _name(view: DeskView) -> Page:
    return desk_page(
        "desk.name",
        view.texts.say("desk.name.title"),
        view,
        lines=(view.texts.say("desk.name.how"), *pending(view)),
        entry=view.desk.name,
        keyboard=letters(view.board, view.texts, space=True),
        actions=(on(view.texts.say("desk.name.save")),),
        named=TYPED,
        typed=True,
        notice=view.desk.facts.result,
        success=bool(view.desk.facts.done),
    )


def _export(view: DeskView) -> Page:
    now = Target("export", view.texts.say("desk.export.now"), events.ExportNow(), tone=Tone.MAIN)
    return _question(view, "export", now)


def _quit(view: DeskView) -> Page:
    now = Target("quit", view.texts.say("desk.quit.now"), events.QuitNow(), Icon.WARNING, Tone.WARNING)
    if not view.context.power_off:
        return _question(view, "quit", now)
    # Systemd restarts the program, so the way to stop it for good is to switch the machine off.
    off = Target("switch_off", view.texts.say("desk.quit.off"), events.SwitchOffNow(), Icon.WARNING, Tone.WARNING)
    how = (view.texts.say("desk.quit.off_how"), *((view.texts.say("desk.busy"),) if view.busy else ()))
    title = view.texts.say("desk.quit.off_title")
    again = replace(now, text=view.texts.say("desk.quit.again"), tone=Tone.MAIN, icon=None)
    return desk_page(
        "desk.quit", title, view, lines=how, actions=(again, off), notice=view.desk.facts.result, success=bool(view.desk.facts.done)
    )


def _question(view: DeskView, name: str, yes: Target) -> Page:
    title, how = view.texts.say(f"desk.{name}.title"), view.texts.say(f"desk.{name}.how")
    return desk_page(
        f"desk.{name}", title, view, lines=(how,), actions=(yes,), notice=view.desk.facts.result, success=bool(view.desk.facts.done)
    )


_AT: Final[dict[DeskPlace, Callable[[DeskView], Page]]] = {
    DeskPlace.MENU: _menu,
    DeskPlace.LEXICONS: lexicons_page,
    DeskPlace.RULEBOOKS: rulebooks_page,
    DeskPlace.NAME: _name,
    DeskPlace.LOG: log_page,
    DeskPlace.EXPORT: _export,
    DeskPlace.SELF_TEST: self_test_page,
    DeskPlace.JUDGE: judges_page,
    DeskPlace.QUIT: _quit,
}
