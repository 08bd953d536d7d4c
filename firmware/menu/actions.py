"""The director's actions, each with its questions, one a page, and the event it makes. They cover every event of a game.

Actions and answers that lead to no event which the game allows now say why.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu.describe import ago, describe, listed, refusal, said_reason, signed, signed_points
from firmware.menu.setup import Setup
from firmware.texts import Texts
from game import events
from game.event_table import BY_NAME
from game.events import Adjust, By, Swap, When
from game.forms import LONGEST_BREAK_NS, SHORTEST_BREAK_NS
from game.game import NOTHING, SIX_ZEROS, ZEROS, EventNotAllowed, Game, Phase, zeros_reason
from game.history import History, accept
from game.rulings import BETWEEN_ROUNDS, LATE_START, MISSED_PRESS, WINDOW_PHASES, WITH_LOSER
from game.table import next_game
from rules.duration import NS, reading, seconds_shown
from rules.rulebooks.model import DECISIONS, Rulebook
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE

REASON: Final = "asked to stop"
"""The reason of the adjustment, as the journal has it."""


def credit_due(history: History, asked: int | None) -> BySide[int]:
    """Return what each side may get back, in ns: what its player used since the request at ``asked`` (the game's instant; None: none) until the clock stood.

    Nothing while the clock has not stood since, and nothing for a side that has its credit.
    """
    if asked is None or history.until(asked).at > asked:
        return NOTHING
    then = history.game_at(asked)
    later = [link for link in history if link.at >= asked]
    stood = next((link for link in reversed(later) if link.game.running is None), None)
    if then.running is None or stood is None:
        return NOTHING
    due = BySide(*(stood.game.used.of(side) - then.used_at(side, asked) for side in Side))
    for link in reversed(later):
        match link.event:
            case Adjust(side=side, reason=reason) if reason == REASON and link.number not in history.fates:
                due = due.replace(side, 0)
            case Swap() if link.number not in history.fates:
                due = due.swapped()
    return due


UNDO_ROWS: Final = 24
"""The number of events listed, latest first; older ones can be struck from a keyboard only."""
USUAL_AMOUNTS: Final = tuple(sign * seconds * NS for sign in (1, -1) for seconds in (60, 120, 180, 240, 300, 600, 900, 1, 2, 5, 10, 20, 30))
"""Most rules give or take minutes, so these come first."""
STEPS: Final = tuple(seconds * NS for seconds in (60, 10, 1, -1, -10, -60, 600, -600))
POINTS_ROWS: Final = (-10, -30, -5, -1, -20, -50, -100, 1, 5, 10, 20, 30, 50, 100)
"""-10 and -30 are the rules' own (2017 IV.J.2, IV.E.2.b.5); further points by another event."""
ERASE_STEP: Final = 10
RULING: Final = "director's ruling"
"""The usual reason: it is true of every change that a director makes."""
LATE_CLOCK: Final = "late_clock"
AGO: Final[Mapping[str, tuple[int, ...]]] = {
    MISSED_PRESS: tuple(seconds * NS for seconds in (0, 5, 10, 15)),
    LATE_START: tuple(minutes * 60 * NS for minutes in range(5)),
    LATE_CLOCK: tuple(minutes * 60 * NS for minutes in range(11)),
}
"""What asks how long ago it began, two windows and an absent player's clock, each with its answers (ns)."""


class Menu(Struct, frozen=True):
    """The director's position in the menu."""

    action: str | None = None
    chosen: tuple[Any, ...] = ()
    cursor: int | None = None
    """The cursor's row; None: the page's own."""
    amount: int = 0
    """The amount being entered, in ns."""
    fine: bool = False
    unusual: tuple[Any, ...] = ()
    """The answers to what need not be asked, once one of them is not the usual one."""
    asks: int | None = None
    """The open question among those that need not be asked."""
    result: str | None = None
    confirms: bool = False
    key_off: bool = False
    """The key was turned off with an act half made: the page asks."""


class MenuStep(Struct, frozen=True):
    """The result of a press in the menu: the next menu (None: closed), and the event to record, if any."""

    menu: Menu | None
    event: events.Event | None = None
    confirmed: bool = False
    power_off: bool = False
    test: bool = False
    """The guided test of the clock is to begin."""


class MenuOption(Struct, frozen=True):
    text: str
    value: Any = None
    side: Side | None = None
    """The player's button that selects it directly on a full board."""
    group: str = ""
    why: str = ""
    """Why it cannot be taken now; empty: it can."""
    step: MenuStep | None = None
    """What taking it does; None: it answers the page's question with ``value``."""


class Context(Struct, frozen=True):
    history: History
    game: Game
    """The game at this instant, including timed transitions since the last event."""
    now: int
    setup: Setup
    menu: Menu

    @property
    def texts(self) -> Texts:
        return self.setup.texts

    def stays(self, text: str, **changes: Any) -> MenuOption:
        """Return a row that answers nothing, but changes how the page asks."""
        return MenuOption(text, step=MenuStep(replace(self.menu, result=None, **changes)))


OptionsOf: TypeAlias = Callable[[Context], tuple[MenuOption, ...]]


class MenuQuestion(Struct, frozen=True):
    """One question: the key of its text, and its options in the game's present state."""

    title: str
    options: OptionsOf
    applies: Callable[[Context], bool] = lambda _: True
    default: Callable[[Context], Any] = lambda _: None
    """The answer if it does not apply; of a question that need not be asked, the usual one."""
    example: Any = None
    """An answer as good as any other to find out whether the event is possible; None: each answer is tried."""
    preselects: bool = True
    """The cursor begins on the first answer; False: on "back", because one press too many must not answer."""
    shows_change: bool = False
    """The page shows what the cursor's answer changes, so that taking it makes the event."""


def _sides(context: Context) -> tuple[MenuOption, ...]:
    return tuple(MenuOption(context.texts.say(f"side.{side}"), side, side) for side in Side)


def _below_zero(context: Context) -> tuple[MenuOption, ...]:
    above = context.texts.say("menu.why_not.erase_overtime")
    return tuple(
        option if seconds_shown(context.game.remaining_after_debts(option.value, context.now)) < 0 else replace(option, why=above)
        for option in _sides(context)
    )


def _amounts(context: Context) -> tuple[MenuOption, ...]:
    if not context.menu.fine:
        return (*(MenuOption(signed(ns), ns) for ns in USUAL_AMOUNTS), _finer(context))
    accepts = replace(_accept_amount(context), why="" if context.menu.amount else context.texts.say("menu.no_amount"))
    return (accepts, *(_changes_amount(context, ns) for ns in STEPS))


def _finer(context: Context) -> MenuOption:
    return context.stays(context.texts.say("menu.finer"), fine=True, cursor=None)


def _changes_amount(context: Context, ns: int) -> MenuOption:
    return context.stays(signed(ns), amount=context.menu.amount + ns)


def _extra(context: Context) -> tuple[MenuOption, ...]:
    none = MenuOption(context.texts.say("menu.no_extra"), 0)
    return (_accept_amount(context) if context.menu.amount else none, *(_changes_amount(context, ns) for ns in STEPS if ns > 0))


def _accept_amount(context: Context) -> MenuOption:
    return MenuOption(context.texts.say("menu.take", amount=signed(context.menu.amount)), context.menu.amount)


def _back_to(context: Context) -> tuple[MenuOption, ...]:
    """Return the readings above the present one: 0:00, then each whole 10 s, or each second once "finer" was taken."""
    lowest = seconds_shown(context.game.remaining_after_debts(context.menu.chosen[0], context.now))
    step = 1 if context.menu.fine else ERASE_STEP
    rows = (MenuOption(context.texts.say("menu.back_to", reading=reading(-s * NS)), -s * NS) for s in range(0, -lowest, step))
    # At the top, because a running clock adds readings at the end.
    return (*(() if context.menu.fine else (_finer(context),)), *rows)


def _credits(context: Context) -> tuple[MenuOption, ...]:
    due, none = credit_due(context.history, context.setup.stop_asked), context.texts.say("menu.why_not.credit")
    return tuple(
        MenuOption(
            listed(context.texts.say(f"side.{side}"), iter((signed(ns),)), context.texts), (side, ns), side, why="" if ns > 0 else none
        )
        for side, ns in due.items()
    )


def _called(context: Context) -> tuple[MenuOption, ...]:
    texts, called = context.texts, context.game.called
    yes = MenuOption(texts.say("menu.called.yes"), value=True, why=texts.say("menu.called.already") if called else "")
    return (yes, MenuOption(texts.say("menu.called.no"), value=False, why="" if called else texts.say("menu.called.not_yet")))


def _words(context: Context) -> tuple[MenuOption, ...]:
    more = (MenuOption(context.texts.say("menu.words", count=count), count) for count in range(2, WORDS_IN_CHALLENGE + 1))
    return (MenuOption(context.texts.say("menu.word"), 1), *more)


def _windows(context: Context) -> tuple[MenuOption, ...]:
    lengths = {name: ns for name, ns in context.game.rulebook.windows.items() if WINDOW_PHASES[name]}
    return tuple(MenuOption(f"{context.texts.say(f'window.{name}.title')} {reading(length)}", name) for name, length in lengths.items())


def _break(context: Context) -> tuple[MenuOption, ...]:
    """Return the rulebook's length, and those that the director may announce (2017 III.C)."""
    usual = context.game.rulebook.windows[BETWEEN_ROUNDS]
    announced = (ns for ns in range(LONGEST_BREAK_NS, SHORTEST_BREAK_NS - 1, -60 * NS) if ns != usual)
    return (MenuOption(reading(usual), None), *(MenuOption(reading(ns), ns) for ns in announced))


def _rulebooks(context: Context) -> tuple[MenuOption, ...]:
    titles = [context.texts.render(rulebook.title) for _, rulebook in context.setup.rulebooks]
    ordered = sorted(zip(context.setup.rulebooks, titles, strict=True), key=lambda each: each[0][1] != context.game.rulebook)
    return tuple(MenuOption(_named(name, title, titles), (name, rulebook)) for (name, rulebook), title in ordered)


def _named(name: str, title: str, titles: list[str]) -> str:
    # If a copy has the same title as the shipped rulebook, show its name as well.
    return title if titles.count(title) == 1 else f"{title}: {name}"


def _events(context: Context) -> tuple[MenuOption, ...]:
    latest = [link for link in context.history if context.history.can_strike(link)][:UNDO_ROWS]
    return tuple(MenuOption(describe(link, context.texts), link.number) for link in latest)


def _how_long_ago(name: str, applies: Callable[[Context], bool]) -> MenuQuestion:

    return MenuQuestion(
        f"ago.{name}", lambda context: tuple(MenuOption(ago(ns).said(context.texts), ns) for ns in AGO[name]), applies, default=lambda _: 0
    )


def reasons(kind: str) -> MenuQuestion:

    def options(context: Context) -> tuple[MenuOption, ...]:
        other = {SIX_ZEROS, ZEROS} - {zeros_reason(context.game.rulebook)}
        offered = (reason for reason in context.setup.reasons[kind] if reason not in other)
        return tuple(MenuOption(said_reason(reason, context.texts), reason) for reason in offered)

    # An end's reason decides whether a loser is asked for, and either kind is possible where the other is.
    return MenuQuestion("menu.step.reason", options, default=lambda _: RULING, example="x", preselects=False)


SIDE: Final = MenuQuestion("menu.step.side", _sides)
BELOW_ZERO: Final = MenuQuestion("menu.step.side", _below_zero)
ABSENT: Final = MenuQuestion("menu.step.absent", lambda context: (*_sides(context), MenuOption(context.texts.say("menu.both"), None)))
CHALLENGER: Final = MenuQuestion(
    "menu.step.challenger", lambda context: (MenuOption(context.texts.say("menu.clock_decides"), None), *_sides(context))
)
DECIDER: Final = MenuQuestion(
    "menu.step.decider",
    lambda context: (*_sides(context), MenuOption(context.texts.say("menu.nobody"), None)),
    lambda context: context.menu.chosen[0] in DECISIONS,
)
LOSER: Final = MenuQuestion("menu.step.loser", _sides, lambda context: context.menu.chosen[0] in WITH_LOSER)
AMOUNT: Final = MenuQuestion("menu.step.amount", _amounts, example=60 * NS, shows_change=True)
POINTS: Final = MenuQuestion(
    "menu.step.points",
    lambda context: tuple(MenuOption(signed_points(points, context.texts), points) for points in POINTS_ROWS),
    example=-10,
    shows_change=True,
)
BACK_TO: Final = MenuQuestion("menu.step.to", _back_to, example=0, shows_change=True)
EXTRA_LEFT: Final = MenuQuestion("menu.step.extra_left", _extra, example=0)
EXTRA_RIGHT: Final = MenuQuestion("menu.step.extra_right", _extra, example=0)
WHEN: Final = MenuQuestion(
    "menu.step.when",
    lambda context: tuple(MenuOption(context.texts.say(f"menu.when.{when.value}"), when) for when in When),
    default=lambda _: When.NOW,
    example=When.NOW,
)
VERDICT: Final = MenuQuestion(
    "menu.step.verdict",
    lambda context: (
        MenuOption(context.texts.say("menu.acceptable"), value=True),
        MenuOption(context.texts.say("menu.unacceptable"), value=False),
    ),
)
WORDS: Final = MenuQuestion(
    "menu.step.words", _words, lambda context: context.game.rulebook.challenge.points_a_word > 0, default=lambda _: 1, example=1
)
WINDOW: Final = MenuQuestion("menu.step.window", _windows)
DRAWN_AGO: Final = _how_long_ago(MISSED_PRESS, lambda context: bool(context.menu.chosen[0] == MISSED_PRESS))
ROUND_AGO: Final = _how_long_ago(LATE_START, lambda context: bool(context.menu.chosen[0] == LATE_START))
# Under the other rulebooks the Director starts it and it counts from there (2017 III.C); here from the adjudicator's call (NZ 4.2).
CALL_AGO: Final = _how_long_ago(LATE_CLOCK, lambda context: context.game.rulebook.late_started_by == "players")
BREAK: Final = MenuQuestion("menu.step.break", _break, lambda context: bool(context.menu.chosen[0] == BETWEEN_ROUNDS))
RULEBOOK: Final = MenuQuestion("menu.step.rulebook", _rulebooks)
OTHER_RULEBOOK: Final = MenuQuestion(
    "menu.step.rulebook", lambda context: tuple(option for option in _rulebooks(context) if option.value[1] != context.game.rulebook)
)
CALLED: Final = MenuQuestion("menu.step.called", _called)
CREDIT: Final = MenuQuestion("menu.step.side", _credits)
EVENT: Final = MenuQuestion("menu.step.event", _events)
SAME_GAME: Final = MenuQuestion(
    "", lambda _: (), lambda _: False, default=lambda context: next_game(context.history, context.setup.offered)
)


class Action(Struct, frozen=True):
    """A row of the first page."""

    name: str
    """The event's name in the script format, or ``next_game`` or ``credit``."""
    group: str
    steps: tuple[MenuQuestion, ...] = ()
    answers: Callable[..., events.Event] | None = None
    """Makes the event of the answers; None: they are the fields of the event with that name."""
    asks_confirmation: bool = True
    """Show before and after and ask for confirmation; only stopping the clock, and its reason, skip this."""
    usual: tuple[MenuQuestion, ...] = ()
    """What need not be asked: rows of the last page show the usual answers, and change them."""

    def make(self, *answers: Any) -> events.Event:
        made: events.Event = (self.answers or BY_NAME[self.name].kind)(*answers)
        return made


def _new_game(rulebook: tuple[str, Rulebook], left: int, right: int) -> events.NewGame:
    named, rules = rulebook
    extra = BySide(left, right)
    return events.NewGame(rules, named, extra.map(lambda ns: max(0, rules.regulation_ns + ns) if ns else None))


ACTIONS: Final[tuple[Action, ...]] = (
    Action("neutralise", "time", asks_confirmation=False),
    Action("adjust", "time", (SIDE, AMOUNT), usual=(WHEN, reasons("time"))),
    Action("credit", "time", (CREDIT,), lambda given: events.Adjust(given[0], given[1], events.When.NOW, REASON)),
    Action(
        "erase_overtime",
        "time",
        (BELOW_ZERO, BACK_TO),
        lambda side, to_ns, reason: events.EraseOvertime(side, reason, to_ns),
        usual=(reasons("erase"),),
    ),
    Action("resume", "time", (SIDE,)),
    Action("decide", "time", (SIDE,)),
    Action("hold", "time"),
    Action("release", "time"),
    Action("press", "time", (SIDE,)),
    Action(
        "window",
        "time",
        (WINDOW, DRAWN_AGO, ROUND_AGO, BREAK, DECIDER),
        lambda name, drawn_ago, round_ago, length, decider: events.StartWindow(name, decider, drawn_ago or round_ago or None, length),
    ),
    Action("late_start", "time", (ABSENT, CALL_AGO), lambda side, ago: events.LateStart(side, ago or None)),
    Action("arrive", "time", (SIDE,)),
    Action("undo", "rulings", (EVENT,), lambda number, reason: events.Undo(reason, number), usual=(reasons("undo"),)),
    Action("points", "rulings", (SIDE, POINTS), usual=(reasons("points"),)),
    Action("infraction", "rulings", (SIDE,)),
    Action("reason", "rulings", (reasons("stop"),), asks_confirmation=False),
    Action("challenge", "rulings", (CHALLENGER,)),
    Action("verdict", "rulings", (VERDICT, WORDS)),
    Action("withdraw", "rulings"),
    Action("out_play", "rulings"),
    Action("not_out", "rulings"),
    Action("call", "rulings", (CALLED,)),
    Action("next_game", "game", (SAME_GAME,), lambda new_game: new_game),
    Action("end", "game", (reasons("end"), LOSER)),
    Action("reopen", "game", usual=(reasons("reopen"),)),
    Action(
        "rulebook",
        "game",
        (OTHER_RULEBOOK,),
        lambda chosen, reason: events.ChangeRulebook(chosen[1], chosen[0], reason),
        usual=(reasons("rulebook"),),
    ),
    Action("swap", "game", usual=(reasons("swap"),)),
    Action("new_game", "game", (RULEBOOK, EXTRA_LEFT, EXTRA_RIGHT), _new_game),
)
COMMON: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("late_start",),
    Phase.LATE: ("arrive",),
    Phase.RUNNING: ("neutralise",),
    Phase.HOLD: ("neutralise",),
    Phase.NEUTRAL: ("credit", "adjust"),
    Phase.OUT_PLAY: ("challenge",),
    Phase.ADJUDICATION: ("verdict",),
    Phase.OVER: ("next_game",),
}


def options_of(action: Action, context: Context) -> tuple[MenuOption, ...]:
    step = action.steps[len(context.menu.chosen)]
    options = step.options(context)
    if step.example is not None:
        why = why_not(action, context) or ""
        return tuple(option if option.why else replace(option, why=why) for option in options)
    return tuple(
        option if option.why else replace(option, why=why_not(action, _answered(context, option.value)) or "") for option in options
    )


def usual_answers(action: Action, context: Context) -> tuple[Any, ...]:
    return tuple(question.default(context) for question in action.usual)


def why_not(action: Action, context: Context) -> str | None:
    """Return why no answers to the rest of the action's questions make an event that the game allows, or None if some do."""
    if len(context.menu.chosen) == len(action.steps):
        try:
            accept(context.history, action.make(*context.menu.chosen, *usual_answers(action, context)), context.now, by=By.DIRECTOR)
        except EventNotAllowed as refused:
            return refusal(refused, context.game, context.now, context.texts)
        return None
    why = None
    for answer, refused_because in _answers(action, context):
        found = refused_because or why_not(action, _answered(context, answer))
        if found is None:
            return None
        why = found if why is None else why
    return why or context.texts.say("menu.why_not.nothing")


def _answers(action: Action, context: Context) -> Iterator[tuple[Any, str]]:
    """Yield the answers to the next question, each with why it cannot be given."""
    step = action.steps[len(context.menu.chosen)]
    if not step.applies(context):
        yield step.default(context), ""
    elif step.example is not None:
        yield step.example, ""
    else:
        yield from ((option.value, option.why) for option in step.options(context))


def _answered(context: Context, answer: Any) -> Context:
    return replace(context, menu=replace(context.menu, chosen=(*context.menu.chosen, answer), amount=0, fine=False))
