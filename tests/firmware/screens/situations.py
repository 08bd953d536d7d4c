"""Everything else that a clock may have to show, by sheets: each fill from real presses, each page of both menus, each sentence, each time frame."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import cycle, product
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from firmware import guided_test as course
from firmware.arrival import arriving
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import Answer, ClockState, CodeDoor, apply_event
from firmware.gestures.meaning import offer_key
from firmware.menu.actions import Menu
from firmware.menu.menu import MenuPage, _choose, _context, page, press_menu
from firmware.table_menu.actions import PageKind, opened
from firmware.table_menu.pages import kind_of
from firmware.table_menu.pages import page as table_menu_page
from firmware.texts import message
from game.events import NewGame, StartWindow, Verdict, Withdraw
from game.history import accept, begin
from game.table import next_game
from hardware.buttons.watch import begin as watch
from records.device_test import DeviceTest, Failure
from rules.duration import NS, parse_instant
from rules.rulebooks import load_rulebook
from rules.rulebooks.model import DECISIONS, WINDOW_NAMES
from rules.side import BySide, Side
from tests.firmware.gestures.trains import MS, Edge, drive
from tests.firmware.saying import play
from tests.firmware.screens.faces import setup_in

NASPA, NZ, COLLINS = "naspa-2017", "nzasp-2022", "naspa-2017-collins-10"
RUN: Final = ("0 press right", "60 press left", "90 press right")
STOP: Final = (*RUN, "95 neutralise")
OUT: Final = (*RUN, "95 out_play")
CHALLENGED: Final = (*RUN, "95 challenge")
ENDED: Final = (*RUN, "95 end reason=resignation loser=right")
NO_TURN: Final = ("1 end reason=x", "2 reopen reason=x")
MORE_TIME: Final = tuple(f"0 adjust {side} seconds=60 when=now reason=x" for side in Side)
_ANSWERED: Final = (
    ((*RUN, "95 hold"), ("answer.on_hold", "act.hold_recorded", "act.held")),
    (OUT, ("answer.accept", "answer.opponent_runs", "answer.out_play_stopped", "closed.menu")),
    (STOP, ("act.release_recorded", "closed.menu")),
    (CHALLENGED, ("closed.menu", "closed.offer")),
    (ENDED, ("answer.signed", "answer.over", "answer.just_closed", "closed.over")),
)
"""Answers that stand beside much else: marks, and a time frame or a note."""
PRESSED_AT: Final = 100_000
"""The first edge of a fill's press, in ms."""
_FRAME_IN: Final = {
    "recount": ENDED,
    "recount_warning": ENDED,
    "disconnected": (*RUN, "95 end reason=x"),
    "late_start": (),
    "between_rounds": (),
}
"""The game in which a time frame is looked at, if not a stop."""
PHASES: Final = (
    ("ready", NASPA, ()),
    ("running", NASPA, RUN),
    ("late", NASPA, ("0 late_start left",)),
    ("hold", NASPA, (*RUN, "95 hold")),
    ("stopped", NASPA, STOP),
    ("overtime", NASPA, ("0 adjust left seconds=-1480 when=now reason=x", *RUN, "95 neutralise")),
    ("out play", NASPA, OUT),
    ("challenge", COLLINS, CHALLENGED),
    ("over", NASPA, ENDED),
)
"""The name of each phase, with a rulebook and a script that leads there."""
Faces: TypeAlias = Mapping[str, Face]
Scripts: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]


def begun(language: str, rulebook: str, *lines: str, two_button: bool = False, **more: Any) -> ClockState:
    return ClockState(play(rulebook, *lines).history, replace(setup_in(language, two_button=two_button), **more))


def phases(language: str) -> Iterator[tuple[str, Face]]:
    at = partial(_seen, language)
    yield "neutral, no turn yet", at(NASPA, "20", *NO_TURN)
    yield "a decision to start", at(NASPA, "115", *STOP, "96 window right name=overdraw_decision")
    yield "nz, out play waits", at(NZ, "97", *OUT)
    yield "nz, out play open", at(NZ, "110", *OUT, "101 press left")
    yield "out play, stopped", at(NASPA, "100", *OUT, "97 press left", "98 neutralise")
    yield "nz, decided", at(NZ, "110", *OUT, "101 press left", "105 neutralise")
    yield "out play challenged", at(NASPA, "100", *OUT, "96 challenge")
    yield "challenge, no verdict offered", at(NASPA, "100", *CHALLENGED)
    yield "challenge withdrawn", at(NASPA, "100", *CHALLENGED, "97 withdraw")
    yield "no out play", at(NASPA, "100", *OUT, "97 not_out")
    yield "reopened", at(NASPA, "100", *ENDED, "97 reopen reason=x")
    yield "forfeited", at(NASPA, "1600", "0 late_start left")
    yield "three infractions", at(NASPA, "100", *STOP, *(f"{t} infraction right" for t in (96, 97, 98)))
    before = begun(language, NASPA, "0 adjust left seconds=-1480 when=now reason=x", *RUN, "95 end reason=resignation loser=right")
    yield "next game", face(apply_event(before, next_game(before.history), 100 * NS), 102 * NS)
    two = begun(language, NASPA, *RUN, two_button=True)
    yield "two buttons", face(two, 100 * NS)
    yield "key while a clock runs", face(replace(begun(language, NASPA, *RUN), asks_ok=True), 100 * NS)


def offers(language: str) -> Iterator[tuple[str, Face]]:
    for rulebook, offer in (
        (NASPA, Verdict(acceptable=False)),
        (NASPA, Withdraw()),
        (COLLINS, Verdict(acceptable=True, words=1)),
    ):
        yield f"offer {offer}", face(replace(begun(language, rulebook, *CHALLENGED), offer=offer), 100 * NS)


def windows(language: str) -> Iterator[tuple[str, Face]]:
    for name in WINDOW_NAMES:
        rulebook = next((each for each in (NASPA, "club") if name in load_rulebook(each).windows), None)
        if rulebook is None or name in ("courtesy_draw", "out_play"):
            continue
        length = load_rulebook(rulebook).windows[name] // NS
        lines = (*_FRAME_IN.get(name, STOP), f"100 window{' right' if name in DECISIONS else ''} name={name}")
        for when, t in (("counts", 101), ("is over", 100 + length + 2)):
            yield f"{name} {when}", _seen(language, rulebook, str(t), *lines)
    players = replace(load_rulebook(NASPA), late_started_by="players")
    history = accept(begin(NewGame(players, NASPA, BySide.both(None)), 0), StartWindow("late_start"), 100 * NS)
    for when, t in (("counts", 101), ("is over", 402)):
        yield f"late_start by players {when}", face(ClockState(history, setup_in(language)), t * NS)


def answers(language: str) -> Iterator[tuple[str, Face]]:
    texts = setup_in(language).texts
    for key in texts.by_key:
        if key.startswith(("answer.", "table_menu.done.")):
            answer = Answer(Side.RIGHT, message(key, reading="0:05"), 101 * NS)
            runs = replace(begun(language, NASPA, *RUN), answers=(answer,))
            yield key, face(runs, 100 * NS)
            if key == "answer.late":
                yield f"{key}, two buttons", face(replace(runs, setup=setup_in(language, two_button=True)), 100 * NS)
    for (lines, keys), two_button in product(_ANSWERED, (False, True)):
        table = begun(language, NASPA, *MORE_TIME, *lines, two_button=two_button)
        for key in keys:
            answer = Answer(None, message(key), 101 * NS)
            yield f"{key} after {lines[-1]}, two buttons {two_button}", face(replace(table, answers=(answer,)), 100 * NS)


def fills(language: str) -> Iterator[tuple[str, Face]]:
    """Yield each fill as presses make it: a button down since 100 s, and the instant in ms after."""

    def held(start: ClockState, after: int, *buttons: str) -> Face:
        edges = [Edge((PRESSED_AT + 50 * index) * MS, button, down=True) for index, button in enumerate(buttons)]
        at = PRESSED_AT + after
        return face(drive(start, edges, at), at * MS)

    table = partial(begun, language)
    own: Scripts = (("hold", RUN), ("release", (*RUN, "95 hold")), ("accept", OUT), ("i challenge", CHALLENGED))
    for name, lines in own:
        yield name, held(table(NASPA, *lines), 600, "right")
    yield "accept a held out play", held(table(NASPA, *OUT, "96 hold"), 600, "right")
    yield "out play", held(table(NASPA, *STOP), 600, "left")
    stages: Scripts = (("running", RUN), ("stopped", STOP), ("out play", OUT), ("late", ("0 late_start left",)), ("over", ENDED))
    for name, lines in stages:
        yield f"menu: {name}", held(table(NASPA, *lines), 600, "centre")
        if name != "late":
            yield f"two seconds: {name}", held(table(NASPA, *lines), 1600, "centre")
    yield "next game on letting go", held(table(NASPA, *ENDED), 2600, "centre")
    yield "first verdict", held(table(NASPA, *CHALLENGED), 600, "centre")
    for offer in (Verdict(acceptable=True), Verdict(acceptable=False), Withdraw()):
        # The offer stands since a press before.
        offered = replace(table(NASPA, *CHALLENGED), offer=offer)
        yield f"take {offer_key(offer)}", held(offered, 600, "centre")
    for count in (1, 3):
        offered = replace(table(COLLINS, *CHALLENGED), offer=Verdict(acceptable=True, words=count))
        yield f"take {count} words", held(offered, 600, "centre")
    doors_of: Scripts = (("running", RUN), ("ready", ()), ("over", ENDED))
    for name, lines in doors_of:
        yield f"director: {name}", held(table(NASPA, *lines, two_button=True), 3500, "left", "right")
    asked = table(NASPA, *RUN)
    asked = replace(asked, table_menu=opened(asked.game_at(99 * NS), ("take_back",)))
    yield "one agrees", held(asked, 600, "left")
    yield "both agree", held(asked, 600, "left", "right")
    stuck = drive(table(NASPA, *RUN, two_button=True), [Edge(PRESSED_AT * MS - 12 * NS, "right", down=True)], PRESSED_AT - 1)
    yield "stuck: stop", held(stuck, 600, "left")
    yield "stuck: director", held(stuck, 3500, "left")


def table_menu(language: str) -> Iterator[tuple[str, Face]]:
    """Yield each page of the players' menu: the first page of each phase, and every page behind a row."""
    now = 100 * NS
    seen = set()
    for name, rulebook, lines in (
        ("ready", NASPA, ()),
        ("late", NASPA, ("0 late_start left",)),
        ("stopped", "naspa-2014", (*STOP, "96 call on=true")),
        ("stopped", NASPA, STOP),
        ("no turn yet", NASPA, NO_TURN),
        ("out play", NASPA, OUT),
        ("challenge", COLLINS, CHALLENGED),
        ("over", NASPA, ENDED),
    ):
        table = begun(language, rulebook, *lines)
        for path in _paths(table, now):
            menu = opened(table.game_at(now), path)
            if (path or name) not in seen:
                seen.add(path or name)
                yield f"{name}: {' '.join(path)}", face(replace(table, table_menu=menu), now)
    ready = begun(language, NASPA)
    for path in (("allowance", "left", str(1800 * NS)), ("keep", "-", str(1800 * NS))):
        yield f"ready: {path[0]} agreed", face(replace(ready, table_menu=opened(ready.game_at(now), path)), now)
    stopped = begun(language, NASPA, *STOP)
    for name, path, asked in (("asked", ("out_play",), Side.LEFT), ("accepted", ("out_play", "right", "late"), None)):
        yield f"out play {name}", face(replace(stopped, table_menu=opened(stopped.game_at(now), path, asked=asked)), now)
    club = begun(language, "club", *STOP)
    yield "club: six_zeros", face(replace(club, table_menu=opened(club.game_at(now), ("six_zeros",))), now)
    two = begun(language, NASPA, *STOP, two_button=True)
    for path in ((), ("infraction",)):
        yield f"two buttons: {' '.join(path)}", face(replace(two, table_menu=opened(two.game_at(now), path)), now)


def _paths(table: ClockState, now: int) -> Iterator[tuple[str, ...]]:
    """Yield the path of every page: one player stands for both, one of many rows for the others."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        path = waiting.pop(0)
        shown = table_menu_page(opened(table.game_at(now), path), table.history, table.setup, now)
        kind = kind_of(path)
        if not shown.rows and kind is PageKind.ROWS:
            continue
        yield path
        behind = (
            [row.path for row in shown.rows if row.refused is None]
            if kind is PageKind.ROWS
            else [(str(Side.LEFT),)]
            if kind is PageKind.WHO
            else []
        )
        if path == ("rulebook",):
            # Both agree on any of them on the same page.
            behind = behind[1:2]
        waiting += [(*path, *row) for row in behind if row not in (("close",), ("back",)) and len(path) < 2]


def director(language: str) -> Iterator[tuple[str, Face]]:
    """Yield each page of the director's menu: the first of each phase, every question, every confirmation, what refuses."""
    now, seen = 100 * NS, set()
    for name, rulebook, lines in PHASES:
        table = begun(language, rulebook, *lines, power_off=True)
        for menu, shown in _menus(Menu(), table, now):
            asked = (name, shown.title) if menu.action is None else (menu.action, shown.title)
            if asked not in seen:
                seen.add(asked)
                yield f"{name}: {shown.title}", face(replace(table, menu=menu), now)
    after_a_cut = replace(begun(language, NASPA, *STOP), frozen=now, menu=Menu(confirms=True))
    yield "after a power cut", face(after_a_cut, now)
    two = begun(language, NASPA, *STOP, two_button=True)
    yield "two buttons, no code", face(replace(two, menu=Menu()), now)
    yield "two buttons, a question", face(replace(two, menu=Menu("adjust", (Side.LEFT,))), now)
    for asks in range(2):
        yield f"another answer than the usual one, {asks}", face(replace(two, menu=Menu("adjust", (Side.RIGHT,), asks=asks)), now)
    texts = setup_in(language).texts
    done = texts.say("menu.done", what=texts.say("menu.action.infraction"))
    yield "done", face(replace(begun(language, NASPA, *STOP), menu=Menu(result=done)), now)


def refused(language: str) -> Iterator[tuple[str, Face]]:
    """Yield for each reason why a row of the director's menu cannot be taken now the page whose cursor is on such a row."""
    now, seen = 100 * NS, set()
    waits = (("late start", NASPA, ("95 window name=late_start",)), ("nz", NZ, (*RUN, "96 out_play")))
    for name, rulebook, lines in (*PHASES, *waits):
        table = begun(language, rulebook, *lines, power_off=True)
        for menu in (Menu(), Menu("press"), Menu("resume"), Menu("window"), Menu("call"), Menu("adjust", (Side.LEFT,), fine=True)):
            for row, option in enumerate(page(menu, table.history, table.setup, now).options):
                if option.why and option.why not in seen:
                    seen.add(option.why)
                    yield f"{name}: {option.text}: {option.why}", face(replace(table, menu=replace(menu, cursor=row)), now)


def _menus(menu: Menu, table: ClockState, now: int) -> Iterator[tuple[Menu, MenuPage]]:
    """Yield the menu and the pages behind each row of the first page, by the first answer to each question."""
    at = (table.history, table.setup, now)
    first = page(menu, *at)
    yield menu, first
    for option in first.options:
        # As a press on this row does, but without making the first page anew for each of them.
        behind = _choose(option, _context(menu, *at)).menu
        while behind is not None and behind.action is not None:
            shown = page(behind, *at)
            yield behind, shown
            if shown.sentence or (shown.options[0].value is None and len(shown.options) == 1):
                break
            # "Back" stands first where nothing is preselected.
            back = shown.options[0].text == table.setup.texts.say("menu.back")
            cursor = 1 if back or (behind.action == "adjust" and len(behind.chosen) == 1 and not behind.amount) else 0
            following = press_menu(replace(behind, cursor=cursor), "ok", *at).menu
            if following is None or (following.action, following.chosen, following.amount) == (behind.action, behind.chosen, behind.amount):
                break
            behind = following


def doors(language: str) -> Iterator[tuple[str, Face]]:
    table = begun(language, NASPA, *STOP, two_button=True, code=True)
    open_until = 120 * NS
    for name, door in (
        ("asks", CodeDoor(open_until)),
        ("checks", CodeDoor(open_until, "1" * 12, checking=True)),
        ("wrong", CodeDoor(open_until, wrong=True)),
    ):
        yield name, face(replace(table, door=door), 100 * NS)


def guided_test(language: str) -> Iterator[tuple[str, Face]]:
    """Yield each page of the guided test, with what the press before came to, and its results."""
    pins = dict.fromkeys(("left", "right", "centre", "up", "down", "ok"), "GPIO5")
    table, began = begun(language, NASPA), 100 * NS
    looked, texts = face(table, began), table.setup.texts
    test = course.begun(course.Parts(pins, panel=True, sound=True, lamps=True), (), began)
    for said, step in zip(cycle(_SAID), test.steps, strict=False):
        yield f"{step.name}{' held' if step.held else ''}", replace(test, said=said).shown_on(looked, texts, began)
        test = replace(test, steps=test.steps[1:], count=test.count + 1)
    held = watch("left", down=False).with_edge("left", began, down=True)
    letting_go = replace(test, steps=(course.Step("left", ("left",), held=True),), watches=(held,))
    yield "let go", letting_go.shown_on(looked, texts, began + 3 * NS)
    whats = ("left button", "both", "red", "digits", "sound", "lamps", "power", "battery", "network", "disk space", "boot id")
    for failed in ((), whats[:1], whats[-2:], whats):
        result = DeviceTest(23, tuple(Failure(each, "", "") for each in failed))
        shown = replace(test, result=result).shown_on(looked, texts, began + course.READ_NS)
        yield f"{len(failed)} failed {' '.join(failed[:1])}", shown
    yield "examines", test.shown_on(looked, texts, began)


def arrivals(language: str) -> Iterator[tuple[str, Face]]:
    """Yield the arrival page before any arrival, after one, and after both."""
    for two_button in (False, True):
        table, came = begun(language, NASPA, two_button=two_button), arriving(BySide("Ann", "Bo"), frozenset())
        for name, button in (("nobody", ""), ("one", "right"), ("both", "left")):
            came = came.edge(button, 100 * NS, down=True).edge(button, 101 * NS, down=False).until(102 * NS) if button else came
            yield f"{name}{', two buttons' if two_button else ''}", came.shown_on(face(table, 103 * NS), table.setup.texts)


_SAID: Final = (
    None,
    message("test.pressed", button="centre", ms=2048, bounces=12),
    course.TOO_SHORT,
    message("test.not_together"),
)


def notices(language: str, *, crowded: bool = False) -> Iterator[tuple[str, Face]]:
    """Yield each notice that has words of its own, alone in the strip; ``crowded``: those after an interruption, beside another."""
    texts = setup_in(language).texts
    values = {
        "until": texts.say("notice.ago", time="12\u00a0min"),
        "seconds": 2,
        "percent": 17,
        "button": texts.say("button.left"),
        "before": 0,
        "now": 12,
    }
    table = begun(language, NASPA, *STOP)
    stuck = texts.say("notice.stuck", **values)
    for key in texts.by_key:
        name = key.removeprefix("notice.")
        if name == key or any(brace in texts.by_key[key] for brace in ("{why}", "{port}", "{missing}")) or name in ("no_time", "ago"):
            continue
        said = texts.say(key, **values)
        if not crowded or "{until}" in texts.by_key[key]:
            yield f"notice: {name}", face(table, 100 * NS, notices=(said, stuck) if crowded else (said,))


_MADE: Final[Mapping[str, tuple[Callable[[str], Iterator[tuple[str, Face]]], ...]]] = {
    "phases": (phases, offers),
    "sentences": (windows, answers, notices),
    "fills": (fills,),
    "table_menu": (table_menu,),
    "director": (director, doors),
    "guided_test": (guided_test,),
    "arrivals": (arrivals,),
    "crowded": (partial(notices, crowded=True), refused),
}
SITUATIONS: Final = tuple(_MADE)
DRAWN: Final = SITUATIONS[:-1]


@cache
def sheet(name: str, language: str) -> Faces:
    found = {}
    for make in _MADE[name]:
        for key, shown in make(language):
            assert key not in found, key
            found[key] = shown
    return found


def _seen(language: str, rulebook: str, t: str, *lines: str) -> Face:
    return face(begun(language, rulebook, *lines), parse_instant(t))
