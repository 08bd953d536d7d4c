import pytest
from msgspec.structs import replace

from faults.errors import Phrase
from kiosk.challenge.apply import apply
from kiosk.challenge.flow import Notice
from kiosk.challenge.timeouts import idle as back_to_idle
from kiosk.context import Advice, TroubleKind
from kiosk.events import Begin, ChooseLanguage, JoinAsked
from kiosk.face.page import Icon, Tone
from kiosk.settings.model import Settings
from kiosk.texts import load_texts
from tests.cells import each_cell
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.flows import ailing, idle, said, shown, targets
from tests.some import some

CODE = ("10" * 10 + "1",) * 21


def test_the_idle_page_asks_for_a_touch_and_offers_the_other_languages_by_their_own_names() -> None:
    page = shown(idle())
    assert page.name == "idle"
    assert page.title == "Challenge a play?"
    begin, *languages = page.actions
    assert (begin.text, begin.event, begin.tone) == ("Touch here", Begin(), Tone.MAIN)
    assert [(target.text, target.key, target.event) for target in languages] == [
        ("Français", "F2", ChooseLanguage("fr")),
        ("Español", "F3", ChooseLanguage("es")),
    ]


def test_in_french_the_page_is_french_and_english_is_offered_and_a_station_of_one_language_offers_no_other() -> None:
    page = shown(idle(language="fr"))
    assert page.title == load_texts("fr").say("idle.title")
    assert page.keys["f2"] == ChooseLanguage("en")
    assert [target.id for target in shown(idle(context=replace(context(), languages=("en",)))).actions] == ["begin"]


@pytest.mark.parametrize("trouble_kind", list(TroubleKind))
def test_a_station_that_cannot_judge_begins_nothing_and_says_what_ails_it_how_to_mend_it_and_whom_to_call(
    trouble_kind: TroubleKind,
) -> None:
    for cell in each_cell(["en", "fr", "es"]):
        with cell as language:
            page = shown(ailing(trouble_kind), language=language)
            texts = load_texts(language)
            assert page.name == "idle.trouble"
            assert Begin() not in [target.event for target in targets(page)]
            assert Begin() not in page.keys.values()
            assert page.lines[0] == texts.say(f"trouble.{trouble_kind}")
            assert some(page.aside).startswith("lists/mine.dawg")
            assert page.banner is not None
            assert (page.banner.text, page.banner.icon, page.banner.tone) == (texts.say("idle.call"), Icon.WARNING, Tone.WARNING)
            assert page.footer.lexicon == texts.say("footer.no_lexicon")


def test_a_station_that_asks_to_join_shows_the_digits_on_every_idle_page_until_it_no_longer_does() -> None:
    for flow in (idle(), ailing(TroubleKind.LEXICON_MISSING)):
        asks = apply(flow, JoinAsked("cambridge", "1234-5678", CODE), 1)[0]
        banner = some(shown(asks).banner)
        assert (banner.text, banner.icon, shown(asks).code) == ("Hall cambridge: admit 1234-5678", Icon.PERSON, CODE)
        after = shown(apply(asks, JoinAsked(), 2)[0])
        assert (after.banner, after.code) == (shown(flow).banner, ())


def test_a_challenge_hides_the_digits_and_they_come_back_after_it() -> None:
    asks = apply(idle(), JoinAsked("cambridge", "1234-5678", CODE), 1)[0]
    asked = apply(asks, Begin(), 2)[0]
    assert "1234-5678" not in said(shown(asked))
    assert "1234-5678" in said(shown(back_to_idle(asked, 3)))


def test_the_footer_names_list_rules_and_station_with_the_languages_thousands_and_no_gap_for_a_missing_edition() -> None:
    footer = shown(idle()).footer
    assert footer.lexicon == "TEST LIST · 2026-11-21 · 270,163 words · 01234567"
    assert (footer.rulebook, footer.station) == ("NASPA Official Tournament Rules, effective 2017-01-04", "Station 1")
    assert "270\u00a0163 mots" in shown(idle(), language="fr").footer.lexicon
    assert "270\u00a0163 palabras" in shown(idle(), language="es").footer.lexicon
    undated = replace(context(), lexicon=replace(lexicon_name(), edition=""))
    assert shown(idle(context=undated)).footer.lexicon == "TEST LIST · 270,163 words · 01234567"


def test_the_practice_list_says_practice_across_the_screen_and_another_does_not() -> None:
    stands = replace(context(), lexicon=lexicon_name(practice=True))
    assert shown(idle(context=stands)).practice == "PRACTICE"
    assert shown(idle()).practice is None


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_what_the_director_has_to_know_is_one_quiet_line_until_it_was_seen_and_gives_way_to_what_players_have_to_know(
    language: str,
) -> None:
    stands = replace(context(), advice=Advice(Phrase("The log was set aside as station.db.damaged.")))
    page = shown(idle(context=stands), language=language)
    assert page.notice == load_texts(language).say("idle.advice.log")
    assert "station.db" not in said(page)
    assert page.actions[0].event == Begin()
    assert shown(idle(context=stands, notice=Notice("words.declared", (("count", 3),)))).notice == "Words challenged: 3"
    assert shown(idle(context=replace(stands, advice=Advice(Phrase("The log"), seen=True)))).notice is None


def test_a_notice_is_told_in_the_players_language() -> None:
    page = shown(idle(notice=Notice("words.declared", (("count", 3),))), language="es")
    assert page.notice == "Palabras impugnadas: 3"
    assert page.notice in said(page)


def test_the_footer_is_in_the_pages_language_but_a_name_that_was_chosen_stays() -> None:
    unnamed = replace(context(), name=Settings.model_fields["name"].default)
    footers = [shown(idle(context=each), language="fr").footer for each in (unnamed, replace(unnamed, name="Salle 2"))]
    assert [footer.station for footer in footers] == ["Poste de contestation", "Salle 2"]
    assert footers[0].rulebook == "NASPA, règlement officiel des tournois, 04-01-2017"
