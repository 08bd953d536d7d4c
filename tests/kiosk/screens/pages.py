"""Pages to be laid out and drawn: some of the station's own, and those on which any number of words is typed and checked."""

from msgspec.structs import replace

from kiosk import events as players
from kiosk.face.page import Footer, Icon, ListRow, Page, Target, Tone, WordLine
from kiosk.layout.placed import Options
from records.entry import Way
from rules.side import BySide, Side
from tests.kiosk.screens.states import STATES

FOOTER = Footer("Club list 2026 · 2026-01-15 · 270,163 words · 1f0c9a3e", "NASPA 2017", "Station 2")
PRACTICE = "PRACTICE: no verdict counts"
DOOR = Target("door", "Director", players.CallDirector(), Icon.LOCK, Tone.QUIET)
BACK = Target("back", "Back", players.Back(), Icon.BACK, Tone.QUIET)
ERASE = Target("erase", "Erase", players.Erase(), Icon.ERASE, on_down=True)
WORDS = ("QUIXOTRY", "ZA", "OXAZOLE", "UNEXCEPTIONABLE", "MAWS", "LETTERPRESSES", "TE", "AQUEDUCT")
ENGLISH = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
ROLES = BySide("challenger", "challenged player")
UPRIGHT = Options(millimetres_wide=85.92)


def keyboard(rows: tuple[str, ...] | tuple[tuple[str, ...], ...] = ENGLISH) -> tuple[tuple[Target, ...], ...]:
    return tuple(tuple(Target(f"tile.{tile}", tile, players.TypeTile(tile), on_down=True) for tile in row) for row in rows)


def word_lines(count: int, chosen: int | None = None, *, touched: bool = True) -> tuple[WordLine, ...]:
    """Return so many words; ``chosen`` is the index of the one that is being typed."""

    def line(index: int, word: str) -> WordLine:
        choose = Target(f"word.{index}", word, players.ChooseWord(index)) if touched else None
        return WordLine(index + 1, word, chosen=index == chosen, choose=choose)

    return tuple(line(index, word) for index, word in enumerate(WORDS[:count]))


def words_page(count: int, rows: tuple[str, ...] | tuple[tuple[str, ...], ...] = ENGLISH, practice: str | None = None) -> Page:
    actions = (
        Target("add", "Add a word", players.AddWord(), Icon.PLUS),
        Target("finish", "All typed", players.Finish(), Icon.TICK, Tone.MAIN),
        BACK,
        ERASE,
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


POLISH = ("AĄBCĆDEĘFGH", "IJKLŁMNŃOÓP", "RSŚTUWYZŹŻ")
SPANISH = (("Q", "E", "R", "T", "Y", "U", "I", "O", "P"), tuple("ASDFGHJLÑ"), ("Z", "X", "C", "V", "B", "N", "M", "CH", "LL", "RR"))
SAME = ("idle", "idle_practice", "table", "table_asks_clock", "table_notice", "challenger", "director", "desk_menu", "desk_log", "door_pin")
OWN = {
    **{name: name for name in SAME},
    "verdict_acceptable": "acceptable",
    "verdict_unacceptable": "unacceptable_repeated",
    "trouble": "trouble_log",
}
"""Pages of the station's own face."""
PAGES: dict[str, Page] = {
    **{name: STATES[state]("en") for name, state in OWN.items()},
    "list": Page("list", "List", FOOTER, rows=(ListRow("Lexicon", "Club", Target("row", "Lexicon", players.Done(), Icon.RIGHT)),)),
    "words_1": words_page(1),
    "words_3": words_page(3, SPANISH),
    "words_8": words_page(8, POLISH, PRACTICE),
    "words_notice": replace(words_page(2), notice="The second word is empty: type it, or remove it."),
    "checking_1": checking(1),
    "checking_8": checking(8, Side.LEFT, PRACTICE),
}
DIGITS = PAGES["table_asks_clock"]
SIDES = PAGES["challenger"].by_side
