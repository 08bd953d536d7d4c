from __future__ import annotations

from firmware.texts import languages
from hall.desk.web.pages import LANGUAGES, counted, order_words
from hall.orders.instruction import CLEAR, assignment, new_settings, next_game, notice, stop


def test_one_of_a_kind_has_no_plural() -> None:
    assert [counted(number, "row") for number in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]


def test_an_order_says_what_it_says_to_all_its_clocks() -> None:
    said = {
        "\u201cLunch at one\u201d, for 60 s": notice("Lunch at one", 60),
        "\u201cFire alarm\u201d": stop("Fire alarm"),
        "wespa-5, 25 min each": next_game("wespa-5", 1500, 1500),
        "wespa-5, left 20 min, right the rulebook's time": next_game("wespa-5", 1200),
        "wespa-5, the rulebook's time each": next_game("wespa-5"),
        "Language: French, LED brightness in percent: 0, Buzzer: off, Players choose the next rulebook: yes": new_settings(
            "fr", 0, buzzer_enabled=False, players_choose_rulebook=True
        ),
    }
    assert {order_words(each.do, each.keys): each for each in said.values()} == said
    assert {order_words(each.do, each.keys) for each in (CLEAR, assignment(1, "Ann", "Bo"))} == {""}


def test_the_desk_offers_each_language_that_a_clock_has() -> None:
    assert tuple(LANGUAGES) == languages()
