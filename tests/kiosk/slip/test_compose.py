import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.texts import languages
from hardware.printer.slip import Slip, SlipLine
from kiosk.events import Print, consequence
from kiosk.slip import compose, fitted
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from rules.rulebooks import load_rulebook
from tests.cells import each_cell
from tests.kiosk.challenge.making import lexicon_name

IMPRINT = ("Station 1", "2026-11-21 14:03")


WORDS = ("PIÑATA", "[CH]ICO", "QI")


WIDTHS = (32, 42, 48)


def wanted(
    *words: str,
    acceptable: bool = False,
    rulebook: str = "naspa-2017",
    row: int | None = 41,
    practice: bool = False,
    language: str = "en",
    **more: object,
) -> Print:
    fields = {"kind": Kind.LOOKUP, "table": 12, "challenger": "left", "words": words, "acceptable": acceptable, **more}
    entry = Entry(rulebook=rulebook, lexicon=lexicon_name(practice=practice), **fields)  # type: ignore[arg-type] # by their names
    rules = load_rulebook(rulebook)
    follows = consequence(rules.challenge, len(words), acceptable=acceptable, last_play=bool(entry.last_play))
    return Print(entry, row, follows, rules.title, language)


def test_a_slip_for_a_last_play_that_stands_says_that_the_game_is_over_and_starts_no_clock() -> None:
    over = said(slip(wanted(*WORDS, acceptable=True, last_play=True)))
    assert "The game is over: the play stays on the board. No clock is started." in over
    assert "starts the" not in over
    assert "starts the" in said(slip(wanted(*WORDS, last_play=True)))


def slip(asked: Print, width: int = 32) -> Slip:
    return compose(asked, *IMPRINT, load_texts(asked.language), width)


def said(composed: Slip) -> str:
    """Return the slip's text with its lines joined, so that a sentence is found wherever it was broken."""
    return re.sub(r"\s+", " ", " ".join(line.text for line in composed))


def test_a_slip_for_a_play_that_is_unacceptable_reads_so_from_top_to_bottom() -> None:
    assert slip(wanted(*WORDS)) == (
        SlipLine("Challenge slip", bold=True, centred=True),
        SlipLine("Table 12", large=True, bold=True, centred=True),
        SlipLine("2026-11-21 14:03", centred=True),
        SlipLine(""),
        SlipLine("The challenger is on the left."),
        SlipLine("Words challenged: 3"),
        SlipLine("1. PIÑATA"),
        SlipLine("2. CHICO"),
        SlipLine("3. QI"),
        SlipLine(""),
        SlipLine("UNACCEPTABLE", large=True, bold=True, centred=True),
        SlipLine("The play comes off and scores"),
        SlipLine("  nothing."),
        SlipLine("The challenged player loses the"),
        SlipLine("  turn."),
        SlipLine("The challenged player starts the"),
        SlipLine("  challenger's clock."),
        SlipLine(""),
        SlipLine("Row 41 of the log"),
        SlipLine("Rulebook: NASPA Official"),
        SlipLine("  Tournament Rules, effective"),
        SlipLine("  2017-01-04"),
        SlipLine("Lexicon: TEST LIST · 2026-11-21"),
        SlipLine("  · 270,163 words · 01234567"),
        SlipLine("Station 1"),
    )


POINTS = "No turn is lost. Points for the challenged player: 15. The challenged player starts the challenger's clock."
TURN = " ACCEPTABLE The challenger loses the turn. The challenger starts the challenged player's clock."
KINDS = ((Kind.REPEAT, "Repeated challenge"), (Kind.SECOND_OPINION, "Second opinion"), (Kind.MANUAL, "Manual adjudication"))


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (wanted(*WORDS, acceptable=True, rulebook="nzasp-2022"), POINTS),
        (wanted("QI", acceptable=True), TURN),
        (wanted("QI", rulebook="nzasp-2022"), load_rulebook("nzasp-2022").title),
        *((wanted("QI", kind=kind, first=40), f"{name} First look-up: row 40 of the log UNACCEPTABLE") for kind, name in KINDS),
    ],
)
def test_a_slip_says_what_follows_under_its_rulebook_and_of_a_verdict_after_the_first_its_kind_and_row(asked: Print, text: str) -> None:
    found = said(slip(asked))
    assert text in found
    assert ("comes off" in found) is not asked.entry.acceptable


def test_a_manual_adjudication_of_its_own_names_neither_another_row_nor_a_side_nor_the_judge() -> None:
    text = said(slip(wanted("QI", kind=Kind.MANUAL, challenger=None, why="first ZK")))
    assert "Manual adjudication UNACCEPTABLE" in text
    assert not [word for word in ("First look-up", "The challenger is on", "ZK") if word in text]


def test_on_the_practice_list_the_slip_begins_with_it() -> None:
    composed = slip(wanted("QI", practice=True))
    assert composed[0] == SlipLine("PRACTICE", large=True, bold=True, centred=True)
    assert composed[1].text == "Practice list: no verdict counts"
    assert "PRACTICE" not in said(slip(wanted("QI")))


def test_a_verdict_that_could_not_be_logged_says_so_in_the_place_of_its_row() -> None:
    text = said(slip(wanted("QI", row=None)))
    assert "The log could not be written: tell the director." in text
    assert "Row" not in text


@pytest.mark.parametrize("language", languages())
def test_in_every_language_no_line_is_wider_than_the_paper_and_the_verdict_is_large(language: str) -> None:
    for cell in each_cell(WIDTHS):
        with cell as width:
            for acceptable in (True, False):
                composed = slip(wanted(*WORDS, acceptable=acceptable, language=language, practice=True), width)
                assert max(len(line.text) * (2 if line.large else 1) for line in composed) <= width
                verdict = load_texts(language).say("verdict.acceptable" if acceptable else "verdict.unacceptable")
                large = " ".join(line.text for line in composed if line.large)
                assert large.endswith(verdict)


@given(st.lists(st.text("ABCDEFGHIJ", min_size=2, max_size=15), min_size=1, max_size=8), st.booleans(), st.sampled_from(WIDTHS))
def test_every_word_stands_once_as_typed_in_order_and_none_looks_other_than_another(words: list[str], acceptable: bool, width: int) -> None:
    composed = slip(wanted(*words, acceptable=acceptable), width)
    lines = [line for line in composed if re.match(r"\d\. ", line.text)]
    assert lines == [SlipLine(f"{number}. {word}") for number, word in enumerate(words, 1)]
    other = slip(wanted(*words, acceptable=not acceptable), width)
    assert [line for line in other if re.match(r"\d\. ", line.text)] == lines


LINES = st.builds(SlipLine, st.text("AB cd-.", max_size=120), st.booleans(), st.booleans(), st.booleans())


@given(LINES, st.integers(8, 80))
def test_a_line_fits_the_paper_and_loses_nothing_but_white_space(line: SlipLine, width: int) -> None:
    lines = list(fitted(line, width))
    assert all(len(each.text) * (2 if each.large else 1) <= width for each in lines)
    assert "".join(each.text for each in lines).replace(" ", "") == line.text.replace(" ", "")
    assert {replace(each, text="", large=False) for each in lines} == {replace(line, text="", large=False)}


def test_a_line_is_broken_between_words_and_never_at_a_hyphen_and_an_empty_one_stays() -> None:
    assert list(fitted(SlipLine("", bold=True), 32)) == [SlipLine("", bold=True)]
    assert [line.text for line in fitted(SlipLine("one two-three four"), 12)] == ["one", "  two-three", "  four"]


def test_a_large_line_has_half_the_room_and_is_small_where_a_word_of_it_is_longer_than_that() -> None:
    assert list(fitted(SlipLine("CAT DOG", large=True, centred=True), 8)) == [
        SlipLine("CAT", large=True, centred=True),
        SlipLine("DOG", large=True, centred=True),
    ]
    assert list(fitted(SlipLine("GIRAFFE", large=True), 8)) == [SlipLine("GIRAFFE")]
