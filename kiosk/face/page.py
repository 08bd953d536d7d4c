"""A page: everything on the screen at one moment, as frozen values; and the targets common to several pages, the help for a page, the judge desk's lists.

``layout`` places a page, ``screens`` draws it. Each target carries the event that pressing it makes, so drawing and hit-testing need no knowledge of challenges.
A common target has one name, one text and one key of a real keyboard.

``named`` shows each target's key on it, on every page and in every size; arrows and Backspace are the target's icon. An action has the same function key
on every page. F1 is help on every page. ``with_every_key``: a key that does nothing says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeVar

from msgspec import field

from appliance.texts import Texts
from kiosk.challenge.flow import EarlierRow, Flow
from kiosk.context import StationContext, Value
from kiosk.director.judge_desk import ROWS, JudgeDesk
from kiosk.director.word_judge import Opinion
from kiosk.events import (
    Back,
    CallDirector,
    ChooseLanguage,
    Done,
    Erase,
    Event,
    KnockAtDoor,
    Next,
    NoFunction,
    ShowHelp,
    TurnPage,
    Type,
    TypeTile,
)
from kiosk.keyboards import WIDEST, Keyboard
from records.entry import LexiconName
from rules.side import BySide, Side


class Tone(StrEnum):
    """The meaning of a text or target, besides its words and icon; never shown by colour alone."""

    PLAIN = "plain"
    MAIN = "main"
    """The way on: usually the next target to press."""
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    QUIET = "quiet"
    OFF = "off"
    """It cannot be done now. It keeps its place, with the reason."""


class Icon(StrEnum):
    """Drawn symbols, independent of fonts."""

    TICK = "tick"
    CROSS = "cross"
    WARNING = "warning"
    LEFT = "left"
    RIGHT = "right"
    BACK = "back"
    ERASE = "erase"
    PLUS = "plus"
    MINUS = "minus"
    REPEAT = "repeat"
    PERSON = "person"
    LOCK = "lock"
    CLOCK = "clock"
    UP = "up"
    DOWN = "down"
    SPACE = "space"
    HELP = "help"


TOWARDS: Final = BySide(Icon.LEFT, Icon.RIGHT)


class Target(Value, frozen=True):
    id: str
    """Its name, the same on all pages for the same thing: ``tile.CH``, ``finish``, ``word.2``."""
    text: str
    event: Event
    icon: Icon | None = None
    tone: Tone = Tone.PLAIN
    key: str = ""
    """The keyboard key with the same function, if it is not obvious: F1. Shown if there is room."""
    on_down: bool = False
    """It acts on touch-down (letters and digits); others act on release over the same target."""
    contested: bool = False
    """One for each player: while fingers are on both, neither acts, because the order of their release is chance."""


class Banner(Value, frozen=True):
    """Text to be read from afar: the verdict, the call for the director. Colour, icon and text agree."""

    text: str
    icon: Icon
    tone: Tone


class WordLine(Value, frozen=True):
    number: int
    """From 1."""
    text: str
    chosen: bool = False
    choose: Target | None = None


class ListRow(Value, frozen=True):
    text: str
    detail: str = ""
    target: Target | None = None


class Footer(Value, frozen=True):
    """Always visible: list, rulebook, station."""

    lexicon: str
    rulebook: str
    station: str


class Page(Value, frozen=True):
    name: str
    """The page's name, for tests and pictures: ``idle``, ``table.clock``, ``words`` ..."""
    title: str
    footer: Footer
    table: str | None = None
    """The table's number, on every page from the moment it is known, at the same place; None: it is not known."""
    lines: tuple[str, ...] = ()
    aside: str | None = None
    banner: Banner | None = None
    point: int | None = None
    """The place, in reading order of ``judge_desk.POINTS``, of the first action, which stands alone there: the touch is tested."""
    code: tuple[str, ...] = ()
    """The rows of a QR code for the director, of 0 and 1 each."""
    sides: BySide[str] | None = None
    """The role of the player on each side: challenger, challenged."""
    entry: str | None = None
    words: tuple[WordLine, ...] = ()
    keyboard: tuple[tuple[Target, ...], ...] = ()
    alphabet: tuple[str, ...] = ()
    """The order of the keys on a screen that is too narrow for the rows."""
    actions: tuple[Target, ...] = ()
    room_for: int = 0
    """Of how many actions the place is kept, so that the keys stay where the page before had them."""
    by_side: BySide[Target] | None = None
    """Two targets on the players' own sides: who challenges, who concedes."""
    adjudicate: tuple[Side, Target] | None = None
    rows: tuple[ListRow, ...] = ()
    notice: str | None = None
    success: bool = False
    """The notice reports a success, so it carries no warning sign."""
    practice: str | None = None
    """PRACTICE, across the whole screen: no verdict counts."""
    countdown_s: int | None = None
    """Seconds until the screen clears itself; shown for the last ten."""
    door: Target | None = None
    help: Target | None = None
    typed: bool = False
    """Characters of a real keyboard become ``Type``."""
    keys: Mapping[str, Event] = field(default_factory=lambda: MappingProxyType({}))
    """The functions of a real keyboard's named keys: tab, return, backspace, escape, up, down, left, right, delete, f1 to f12; on a list, 1 to 9."""


def footer(context: StationContext, texts: Texts) -> Footer:
    """Return the footer in the page's language; only the list and a name that the director chose are as they are."""
    return Footer(lexicon_line(context.lexicon, texts), texts.render(context.rulebook.title), texts.render(context.name))


def lexicon_line(lexicon: LexiconName | None, texts: Texts) -> str:
    """Return a list's name, edition, number of words and short hash in a line; a missing edition is left out."""
    if lexicon is None:
        return texts.say("footer.no_lexicon")
    words = texts.say("footer.words", count=thousands(lexicon.words, texts))
    return " · ".join(part for part in (lexicon.name, lexicon.edition, words, lexicon.short_hash) if part)


def practice(context: StationContext, texts: Texts) -> str | None:
    return texts.say("practice.across") if context.lexicon is not None and context.lexicon.practice else None


def thousands(number: int, texts: Texts) -> str:
    return f"{number:,}".replace(",", texts.say("number.thousands"))


SEPARATOR: Final = " · "

FUNCTION_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "help": "f1",
        "director": "f2",
        "withdraw": "f10",
        "concede.left": "f3",
        "concede.sure": "f9",
        "concede.right": "f4",
        "remove": "f5",
        "next": "f7",
        "finish": "f8",
        "ways": "f9",
        "mistyped": "f9",
        "last_play": "f6",
        "repeat.again": "f9",
        "repeat.verdict": "f8",
        "repeat.another": "f10",
        "runs.ask": "f9",
        "opinion.here": "f8",
        "opinion.judge": "f7",
        "door": "f12",
    }
)
"""The function key of each target id; no page has two targets with the same key. Names of two characters leave narrow buttons room for their labels."""
SHOWN_KEYS: Final = ("return", "escape")
"""The other keys that a target shows, besides the adjudication key's TAB. Arrows and Backspace are its icon."""
KEYS: Final = (*SHOWN_KEYS, "tab", "backspace", "delete", "up", "down", "left", "right", *(f"f{number}" for number in range(1, 13)))
FIGURES: Final = tuple("123456789")
_NONE: Final[Mapping[str, Event]] = MappingProxyType({})


def named(page: Page, texts: Texts) -> Page:

    def shown(target: Target) -> Target:
        return target if target.key else target.replace(key=_key(target, page.keys, texts))

    return page.replace(
        actions=tuple(map(shown, page.actions)),
        by_side=None if page.by_side is None else page.by_side.map(shown),
        adjudicate=None if page.adjudicate is None else (page.adjudicate[0], shown(page.adjudicate[1])),
        rows=tuple(row if row.target is None else row.replace(target=shown(row.target)) for row in page.rows),
        keyboard=tuple(tuple(target if target.on_down else shown(target) for target in line) for line in page.keyboard),
        door=None if page.door is None else shown(page.door),
    )


def _key(target: Target, keys: Mapping[str, Event], texts: Texts) -> str:
    """Return the name of the key that does the same as ``target``; empty: none, or one that its icon shows."""
    own = FUNCTION_KEYS.get(target.id)
    if own is not None and keys.get(own) == target.event:
        return own.upper()
    return next((key_name(name, texts) for name in SHOWN_KEYS if keys.get(name) == target.event), "")


def key_name(name: str, texts: Texts) -> str:
    return texts.say(f"key.{name}") if f"key.{name}" in texts.by_key else name.upper()


def with_every_key(page: Page, texts: Texts) -> Page:
    """Return the page with all keys: those without a function say so, so that none seems to be broken."""
    figures = FIGURES if any(name in page.keys for name in FIGURES) else ()
    useless = {name: NoFunction(key_name(name, texts)) for name in (*KEYS, *figures)}
    return page.replace(keys=MappingProxyType({**useless, **page.keys}))


def keys(targets: Iterable[Target], named: Mapping[str, Event] = _NONE) -> Mapping[str, Event]:
    by_function = {FUNCTION_KEYS[target.id]: target.event for target in targets if target.id in FUNCTION_KEYS}
    return MappingProxyType({**by_function, **named})


def with_own_keys(page: Page) -> Page:
    """Return the page with the function keys of its actions and rows, besides those that it names."""
    return page.replace(keys=keys((*page.actions, *(row.target for row in page.rows if row.target)), page.keys))


def back(texts: Texts) -> Target:
    return Target("back", texts.say("action.back"), Back(), Icon.BACK)


def done(texts: Texts) -> Target:
    return Target("done", texts.say("action.done"), Done(), Icon.TICK, Tone.MAIN)


def director(texts: Texts) -> Target:
    return Target("director", texts.say("action.director"), CallDirector(), Icon.PERSON)


def with_door(page: Page, texts: Texts) -> Page:
    door = Target("door", texts.say("action.door"), KnockAtDoor(), Icon.LOCK, Tone.QUIET)
    return page.replace(door=door, keys=keys((door,), page.keys))


def erase(texts: Texts) -> Target:
    return Target("erase", texts.say("action.erase"), Erase(), Icon.ERASE, on_down=True)


def on(text: str) -> Target:
    return Target("next", text, Next(), Icon.RIGHT, Tone.MAIN)


def tile(text: str) -> Target:
    return Target(f"tile.{text}", text, TypeTile(text), on_down=True)


def pad(texts: Texts, onwards: Target | None) -> tuple[tuple[Target, ...], ...]:
    return (*(tuple(map(tile, row)) for row in ("123", "456", "789")), (erase(texts), tile("0"), *((onwards,) if onwards else ())))


def link_lines(link: EarlierRow | None, texts: Texts) -> tuple[str, ...]:
    """Return a line that says that this is not the first look-up of its challenge."""
    return () if link is None else (texts.say(f"verdict.{link.kind}"),)


def table_label(flow: Flow, texts: Texts) -> str | None:
    return None if flow.known_table is None else texts.say("words.where", table=flow.known_table)


def with_help(page: Page, texts: Texts, *, shown: bool, about: tuple[str, ...] = ()) -> Page:
    """Return the page with its help in a corner; ``shown``: the help itself, which hides the page. ``about``: its sentences, if the page has several kinds."""
    if shown:
        return _help_page(page, texts, about or (texts.say(f"help.{page.name.replace('.', '_')}"),))
    target = Target("help", texts.say("action.help"), ShowHelp(), Icon.HELP, Tone.QUIET, key="F1")
    return page.replace(help=target, keys=keys((target,), page.keys))


def _help_page(page: Page, texts: Texts, about: tuple[str, ...]) -> Page:
    def meant(name: str, event: Event) -> Event:
        # A key calls the director, chooses the help's language, or says that the help hides the page.
        return event if isinstance(event, CallDirector | ChooseLanguage) else NoFunction(key_name(name, texts), behind=True)

    out = dict.fromkeys(("return", "escape", "f1"), Back())
    shown = Page(
        name="help",
        title=page.title,
        footer=page.footer,
        lines=about,
        aside=SEPARATOR.join(_keys(page, texts)) or None,
        actions=(Target("help", texts.say("action.back"), Back(), Icon.BACK, Tone.MAIN),),
        table=page.table,
        practice=page.practice,
        countdown_s=page.countdown_s,
        keys=MappingProxyType({**{name: meant(name, event) for name, event in page.keys.items()}, **out}),
    )
    return named(shown, texts)


def _keys(page: Page, texts: Texts) -> Iterator[str]:
    """Yield each key with what it does on ``page``, whose keys are shown on its targets."""
    if page.name == "words":
        yield texts.say("help.key.word", pressed=key_name("return", texts))
    of_rows = [row.target for row in page.rows if row.target]
    if any(target.key in FIGURES for target in (*of_rows, *page.actions)):
        yield texts.say("help.key.row")
    sides = () if page.by_side is None else (page.by_side.left, page.by_side.right)
    key = () if page.adjudicate is None else (page.adjudicate[1],)
    pad = (target for line in page.keyboard for target in line)
    yield from (
        texts.say("help.key.button", pressed=target.key, does=target.text)
        for target in (*of_rows, *key, *pad, *page.actions, *sides)
        if target.key and target.key not in FIGURES
    )


T = TypeVar("T")
LATIN: Final[Keyboard] = (tuple("ABCDEFGHI"), tuple("JKLMNOPQR"), tuple("STUVWXYZ"))
"""The keys without a lexicon's alphabet: even then a station has a name, and a judge a book."""
_DIGITS: Final = tuple("1234567890")


class JudgeDeskView(Value, frozen=True):
    judge_desk: JudgeDesk
    context: StationContext
    opinions: tuple[Opinion, ...]
    busy: bool
    """A challenge is in progress: changes apply later."""
    texts: Texts
    board: Keyboard


def judge_desk_page(
    name: str, title: str, view: JudgeDeskView, *, actions: tuple[Target, ...] = (), named: Mapping[str, Event] = _NONE, **rest: Any
) -> Page:
    """Return a page of the judge desk, whose last action and escape key lead back."""
    turning = {target.id: target.event for target in actions if isinstance(target.event, TurnPage)}
    return Page(
        name,
        title,
        footer(view.context, view.texts),
        alphabet=view.context.alphabet,
        actions=(*actions, back(view.texts)),
        keys=keys((), {**turning, **named, "escape": Back()}),
        **rest,
    )


def pending(view: JudgeDeskView) -> tuple[str, ...]:
    return (view.texts.say("desk.pending"),) if view.busy else ()


def in_sight(everything: Sequence[T], first: int) -> Sequence[T]:
    return everything[first : first + ROWS]


def with_part(title: str, first: int, count: int, texts: Texts) -> str:
    """Return a list's title, with the part of the list that is visible, if not all: a line of its own leaves five rows too little room."""
    last = min(first + ROWS, count)
    return SEPARATOR.join((title, texts.say("desk.part", first=first + 1, last=last, count=count))) if count > ROWS else title


def turns(first: int, count: int, texts: Texts) -> tuple[Target, ...]:
    up = turn(-1, texts.say("desk.earlier"), texts, possible=first > 0)
    down = turn(1, texts.say("desk.later"), texts, possible=first + ROWS < count)
    return (up, down) if count > ROWS else ()


def turn(by: int, text: str, texts: Texts, *, possible: bool) -> Target:
    """Return the target for the next (1) or previous (-1) page. It keeps its place at the end of the list, which it then names."""
    ends, icon = ("desk.end", Icon.DOWN) if by > 0 else ("desk.top", Icon.UP)
    if possible:
        return Target(icon.value, text, TurnPage(by), icon)
    return Target(icon.value, texts.say(ends), TurnPage(by), icon, Tone.OFF)


def letters(board: Keyboard, texts: Texts, *, space: bool) -> tuple[tuple[Target, ...], ...]:
    """Return keys for a name: digits, the alphabet's letters, and erase; ``space`` if there may be several words."""
    *rows, last = (tuple(map(tile, row)) for row in (_DIGITS, *(board or LATIN)))
    others = (*((Target("space", texts.say("desk.space"), Type(" "), Icon.SPACE, on_down=True),) if space else ()), erase(texts))
    return (*rows, (*last, *others)) if len(last) + len(others) <= WIDEST else (*rows, last, others)


TYPED: Final[Mapping[str, Event]] = MappingProxyType({"return": Next(), "backspace": Erase()})
