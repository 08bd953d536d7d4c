"""A page for everything the station may have to show, as the face makes them."""

from __future__ import annotations

from dataclasses import replace

from game.challenge_log.entry import Way
from kiosk import events as players
from kiosk.face.page import Banner, Footer, Icon, ListRow, Page, Target, Tone, WordLine
from kiosk.layout.options import Options
from rules.side import BySide, Side

FOOTER = Footer("Club list 2026 · 2026-01-15 · 270,163 words · 1f0c9a3e", "NASPA 2017", "Station 2")
PRACTICE = "PRACTICE: no verdict counts"
DOOR = Target("door", "Director", players.CallDirector(), Icon.LOCK, Tone.QUIET)
BACK = Target("back", "Back", players.Back(), Icon.BACK, Tone.QUIET)
ERASE = Target("erase", "Erase", players.Erase(), Icon.ERASE, on_down=True)
CALL = Target("director", "Call the director", players.CallDirector(), Icon.PERSON)
WORDS = ("QUIXOTRY", "ZA", "OXAZOLE", "UNEXCEPTIONABLE", "MAWS", "LETTERPRESSES", "TE", "AQUEDUCT")
ENGLISH = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
ROLES = BySide("challenger", "challenged player")
UPRIGHT = Options(millimetres_wide=85.92)


def keyboard(rows: tuple[str, ...] | tuple[tuple[str, ...], ...] = ENGLISH) -> tuple[tuple[Target, ...], ...]:
    """Return keys for rows of tiles."""
    return tuple(tuple(Target(f"tile.{tile}", tile, players.TypeTile(tile), on_down=True) for tile in row) for row in rows)


def pad() -> tuple[tuple[Target, ...], ...]:
    """Return the digits, with erase and next at the bottom."""
    onward = Target("next", "Next", players.Next(), Icon.TICK, Tone.MAIN)
    digits = keyboard(("123", "456", "789", "0"))
    return (*digits[:3], (ERASE, digits[3][0], onward))


def word_lines(count: int, chosen: int | None = None, *, touched: bool = True) -> tuple[WordLine, ...]:
    """Return so many words; ``chosen`` is the index of the one that is being typed."""
    return tuple(_line(index, word, chosen, touched=touched) for index, word in enumerate(WORDS[:count]))


def _line(index: int, word: str, chosen: int | None, *, touched: bool) -> WordLine:
    choose = Target(f"word.{index}", word, players.ChooseWord(index)) if touched else None
    remove = Target(f"remove.{index}", "Remove", players.RemoveWord(index), Icon.CROSS, Tone.QUIET) if touched else None
    return WordLine(index + 1, word, chosen=index == chosen, choose=choose, remove=remove)


def words_page(count: int, rows: tuple[str, ...] | tuple[tuple[str, ...], ...] = ENGLISH, practice: str | None = None) -> Page:
    """Return the page on which so many words are typed."""
    actions = (
        ERASE,
        BACK,
        Target("add", "Add a word", players.AddWord(), Icon.PLUS),
        Target("finish", "All typed", players.Finish(), Icon.TICK, Tone.MAIN),
    )
    return Page(
        "words",
        "Type all words of the play",
        FOOTER,
        words=word_lines(count, count - 1),
        keyboard=keyboard(rows),
        actions=actions,
        practice=practice,
        typed=True,
        keys={"return": players.Next(), "backspace": players.Erase(), "tab": players.Finish()},
    )


def checking(count: int, side: Side = Side.RIGHT, practice: str | None = None) -> Page:
    """Return the page on which both players check so many words."""
    key = Target("adjudicate", "Adjudicate the play", players.Adjudicate(Way.TOUCH), Icon.TICK, Tone.MAIN)
    concede = Target("concede", "Concede", players.Concede(side.other), None, Tone.QUIET)
    withdraw = Target("withdraw", "Withdraw", players.Withdraw(), None, Tone.QUIET)
    return Page(
        "checking",
        "Check the words, both of you",
        FOOTER,
        lines=("The challenged player presses the key on the right, or TAB.",),
        sides=ROLES if side is Side.RIGHT else ROLES.swapped(),
        words=word_lines(count, touched=False),
        actions=(BACK, withdraw, concede),
        adjudicate=(side, key),
        practice=practice,
        keys={"tab": players.Adjudicate(Way.TAB), "escape": players.Back()},
    )


def verdict(*, acceptable: bool) -> Page:
    """Return the page with a verdict."""
    banner = Banner("ACCEPTABLE", Icon.TICK, Tone.GOOD) if acceptable else Banner("UNACCEPTABLE", Icon.CROSS, Tone.BAD)
    told = (
        ("The play stands. The challenger loses the turn.", "The challenger starts the challenged player's clock.")
        if acceptable
        else ("The play comes off and scores nothing.", "The challenged player starts the challenger's clock.")
    )
    actions = (
        Target("mistyped", "A word was mistyped", players.Mistyped(), Icon.REPEAT),
        Target("second", "Second opinion", players.SecondOpinion(here=True), Icon.REPEAT),
        CALL,
        Target("done", "Done", players.Done(), Icon.TICK, Tone.MAIN),
    )
    return Page("verdict", "Table 12", FOOTER, lines=told, banner=banner, actions=actions, countdown_s=8)


def question(name: str, title: str, *answers: Target, lines: tuple[str, ...] = (), **more: object) -> Page:
    """Return a page that asks something."""
    return replace(Page(name, title, FOOTER, lines=lines, actions=answers), **more)  # type: ignore[arg-type]  # fields of a page by name


LANGUAGES = tuple(
    Target(f"language.{name}", text, players.ChooseLanguage(name), None, Tone.QUIET)
    for name, text in (("en", "English"), ("fr", "Français"), ("es", "Español"))
)
BEGIN = Target("begin", "Begin", players.Begin(), Icon.RIGHT, Tone.MAIN)
IDLE = question(
    "idle",
    "Challenge station",
    *LANGUAGES,
    BEGIN,
    lines=("Come with your challenge slip, both of you, when your clock is stopped.",),
    door=DOOR,
)
POLISH = (
    ("A", "Ą", "B", "C", "Ć", "D", "E", "Ę", "F", "G", "H"),
    ("I", "J", "K", "L", "Ł", "M", "N", "Ń", "O", "Ó", "P"),
    ("R", "S", "Ś", "T", "U", "W", "Y", "Z", "Ź", "Ż"),
)
SPANISH = (
    ("Q", "E", "R", "T", "Y", "U", "I", "O", "P"),
    ("A", "S", "D", "F", "G", "H", "J", "L", "Ñ"),
    ("Z", "X", "C", "V", "B", "N", "M", "CH", "LL", "RR"),
)
DIGITS = Page(
    "table.table",
    "Table number",
    FOOTER,
    entry="12",
    keyboard=pad(),
    lines=("The number on your table, or on your slip.",),
    actions=(BACK,),
    typed=True,
)
MENU = Page(
    "desk.menu",
    "Director",
    FOOTER,
    rows=tuple(
        ListRow(text, detail, Target(f"row.{text}", text, players.Done(), Icon.RIGHT))
        for text, detail in (
            ("Lexicon", "Club list 2026"),
            ("Rulebook", "NASPA 2017"),
            ("Station name", "Station 2"),
            ("Log", "128 rows"),
            ("Self-test", ""),
        )
    ),
    actions=(
        Target("leave", "Close the door", players.Done(), Icon.LOCK, Tone.MAIN),
        Target("quit", "Quit", players.Done(), Icon.CROSS, Tone.QUIET),
    ),
)
LOG = Page(
    "desk.log",
    "Log",
    FOOTER,
    rows=tuple(ListRow(f"{128 - n} · 14:{50 - n:02d} · table 12", "unacceptable · QUIXOTRY ZA") for n in range(5)),
    actions=(
        BACK,
        Target("up", "Newer", players.Done(), Icon.UP),
        Target("down", "Older", players.Done(), Icon.DOWN),
        Target("export", "Export", players.Done(), None, Tone.MAIN),
    ),
)
COUNT = Page("table.count", "How many words are challenged?", FOOTER, keyboard=keyboard(("1234", "5678")), actions=(BACK,), typed=True)
SIDES = BySide(
    Target("left", "The left player", players.ChooseChallenger(Side.LEFT), Icon.LEFT),
    Target("right", "The right player", players.ChooseChallenger(Side.RIGHT), Icon.RIGHT),
)

PAGES: dict[str, Page] = {
    "idle": IDLE,
    "idle_practice": replace(IDLE, practice=PRACTICE),
    "clock": question(
        "table.clock",
        "Is your clock stopped?",
        Target("no", "No", players.ClockRuns(), Icon.CROSS),
        Target("yes", "Yes, it is stopped", players.ClockStopped(), Icon.TICK, Tone.MAIN),
    ),
    "table": DIGITS,
    "table_empty": replace(DIGITS, entry="", practice=PRACTICE),
    "challenger": question("table.challenger", "Who challenges?", BACK, by_side=SIDES),
    "count": COUNT,
    "words_1": words_page(1),
    "words_3": words_page(3, SPANISH),
    "words_8": words_page(8, POLISH, PRACTICE),
    "words_notice": replace(words_page(2), notice="The second word is empty: type it, or remove it."),
    "checking_1": checking(1),
    "checking_8": checking(8, Side.LEFT, PRACTICE),
    "verdict_acceptable": verdict(acceptable=True),
    "verdict_unacceptable": replace(verdict(acceptable=False), practice=PRACTICE),
    "director": question(
        "director",
        "Table 12",
        BACK,
        banner=Banner("The director is coming", Icon.PERSON, Tone.WARNING),
        lines=("Leave everything as it is. Your clock stays stopped.",),
    ),
    "trouble": question(
        "idle",
        "No challenges here for now",
        CALL,
        notice="The lexicon club.dawg is damaged: expected the SHA-256 1f0c9a3e, found 77aa01d2. Copy the file again, or choose another behind the door.",
        door=DOOR,
    ),
    "desk_menu": MENU,
    "desk_log": LOG,
    "desk_pin": replace(DIGITS, name="door.pin", title="Director's PIN", entry="••••", lines=()),
}
