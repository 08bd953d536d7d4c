import pytest
from msgspec.structs import replace

from appliance.texts import languages
from faults.errors import Phrase
from kiosk import events as ev
from kiosk.challenge.apply import apply
from kiosk.challenge.flow import EarlierRow, Flow, Notice, Question
from kiosk.context import Advice, TroubleKind
from kiosk.face.page import Icon, Page, Tone
from kiosk.face.view import players_page
from kiosk.keyboards import WIDEST, keyboard, layouts
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from records.entry import Kind, Way
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face import flows
from tests.kiosk.face.flows import asked, said
from tests.some import some


@pytest.mark.parametrize(("language", "stop"), [("en", "Stop your clock"), ("fr", "Arrêtez la pendule"), ("es", "Paren el reloj")])
def test_the_first_page_says_to_stop_the_clock_in_every_language(language: str, stop: str) -> None:
    assert some(flows.shown(flows.idle(), language=language).aside).startswith(stop)


def test_the_table_is_typed_large_on_a_pad_of_digits_or_a_real_keyboard() -> None:
    page = flows.shown(asked(Question.TABLE, digits="12", linked=True, asks_clock=True))
    assert page.name == "table.table"
    assert (page.entry, page.by_side) == ("12", None)
    assert page.typed
    pad = [[target.event for target in row] for row in page.keyboard]
    assert pad == [
        [ev.TypeTile("1"), ev.TypeTile("2"), ev.TypeTile("3")],
        [ev.TypeTile("4"), ev.TypeTile("5"), ev.TypeTile("6")],
        [ev.TypeTile("7"), ev.TypeTile("8"), ev.TypeTile("9")],
        [ev.Erase(), ev.TypeTile("0"), ev.Next()],
    ]
    assert page.keyboard[3][2].tone is Tone.MAIN
    assert (page.keys["return"], page.keys["backspace"], page.keys["escape"]) == (ev.Next(), ev.Erase(), ev.Back())
    assert flows.shown(asked(Question.TABLE)).entry == "", "the place for the first digit stands there"
    # What to do stands there beside a notice too.
    plain, told = (flows.shown(asked(Question.TABLE, notice=said)) for said in (None, Notice("notice.table_missing")))
    assert (len(plain.lines), told.lines, page.lines == plain.lines) == (1, plain.lines, False)


def test_who_challenges_is_touched_on_that_players_own_side() -> None:
    for page in (flows.shown(asked(Question.CHALLENGER, digits="12")), flows.shown(asked(Question.TABLE, digits="12"))):
        _asks_who_challenges(page)


def _asks_who_challenges(page: Page) -> None:
    assert ev.Next() not in [target.event for target in flows.targets(page)]
    assert page.by_side is not None
    assert page.by_side.map(lambda target: target.event) == BySide(ev.ChooseChallenger(Side.LEFT), ev.ChooseChallenger(Side.RIGHT))
    assert page.by_side.map(lambda target: target.icon) == BySide(Icon.LEFT, Icon.RIGHT)
    assert (page.keys["left"], page.keys["right"]) == (ev.ChooseChallenger(Side.LEFT), ev.ChooseChallenger(Side.RIGHT))
    assert page.by_side.map(lambda target: target.contested) == BySide.both(True)
    assert page.sides is None


def test_a_table_whose_repeat_is_open_is_asked_which_challenge_it_is() -> None:
    page = flows.shown(flows.last_asked())
    assert (page.name, page.table) == ("table.repeat", "Table 12")
    assert [(some(row.target).event, row.detail, some(row.target).key) for row in page.rows] == [
        (ev.RepeatIt(), "A word was mistyped: change one letter · 10:00 left", "F9"),
        (ev.ShowVerdict(), "Only once, without the words · 5:00 left", "F8"),
        (ev.NewChallenge(), "Its verdict closes the last one", "F10"),
    ]
    assert [target.event for target in page.actions] == [ev.Back(), ev.CallDirector()]
    assert (page.keys["f9"], page.keys["f8"], page.keys["f10"]) == (ev.RepeatIt(), ev.ShowVerdict(), ev.NewChallenge())
    assert [target.id for target in flows.targets(page) if target.tone is Tone.MAIN] == ["repeat.another"]


def test_what_a_table_may_no_longer_do_about_its_last_challenge_stays_grey_at_its_place_with_the_reason() -> None:
    both = flows.shown(flows.last_asked())
    for gone, at, reason in (({"open": ()}, 0, "Already repeated, or too late"), ({"verdicts": ()}, 1, "Already shown, or too late")):
        page = flows.shown(flows.last_asked(**gone))
        assert [row.text for row in page.rows] == [row.text for row in both.rows]
        assert [(some(row.target).tone is Tone.OFF, row.detail == reason) for row in page.rows] == [(row == at,) * 2 for row in range(3)]


@pytest.mark.parametrize(
    ("challenger", "challenged", "said"), [(Side.LEFT, Side.RIGHT, "on the right"), (Side.RIGHT, Side.LEFT, "on the left")]
)
def test_the_adjudication_key_is_the_challenged_players_on_that_players_side(challenger: Side, challenged: Side, said: str) -> None:
    page = flows.shown(flows.checking(challenger=challenger))
    side, key = some(page.adjudicate)
    assert side is challenged
    assert (key.event, key.tone) == (ev.Adjudicate(Way.TOUCH), Tone.MAIN)
    assert key.icon is BySide(Icon.LEFT, Icon.RIGHT).of(challenged)
    assert any(said in line and "TAB" in line for line in page.lines)
    assert page.sides == BySide.both("CHALLENGED").replace(challenger, "CHALLENGER")


def test_of_all_keys_only_tab_adjudicates_and_only_where_both_check_the_words() -> None:
    for page in map(flows.shown, flows.every_flow()):
        adjudicating = {name: event for name, event in page.keys.items() if isinstance(event, ev.Adjudicate)}
        assert adjudicating == ({"tab": ev.Adjudicate(Way.TAB)} if page.name == "checking" else {})
    assert flows.shown(flows.checking()).keys["escape"] == ev.Back()


def test_all_words_are_in_sight_numbered_and_the_one_being_typed_is_marked() -> None:
    page = flows.shown(flows.typing())
    assert page.name == "words"
    assert [(word.number, word.text, word.chosen) for word in page.words] == [(1, "CAT", False), (2, "QI", True)]
    assert [each and (each.id, each.text, each.event) for each in (word.choose for word in page.words)] == [
        ("word.1", "1", ev.ChooseWord(0)),
        None,
    ]
    assert (page.keys["up"], page.keys["down"]) == (ev.ChooseWord(0), ev.NoFunction("Down"))
    assert page.lines == ()
    assert page.typed


@pytest.mark.parametrize("layout", layouts())
def test_every_tile_of_the_alphabet_is_a_key_that_acts_when_the_finger_comes_down_and_one_more_erases(layout: str) -> None:
    for cell in each_cell(["english", "spanish", "catalan", "polish", "norwegian"]):
        with cell as alphabet:
            tiles = load_alphabet(alphabet).spelling.tiles
            flow = flows.typing().replace(context=context(alphabet=alphabet))
            pressed = [target for row in players_page(flow, flows.NOW, load_texts(), keyboard(layout, tiles)).keyboard for target in row]
            assert all(target.on_down for target in pressed)
            assert sorted(target.event.tile for target in pressed if isinstance(target.event, ev.TypeTile)) == sorted(tiles)
            assert [target.event for target in pressed if not isinstance(target.event, ev.TypeTile)] == [ev.Erase()]
    # Under a row without a place for one more it has a row of its own.
    full = players_page(flows.typing(), flows.NOW, load_texts(), (tuple("ABCDEFGHIJKLMNOP"[:WIDEST]),)).keyboard
    assert [target.event for target in full[1]] == [ev.Erase()]


def test_the_check_is_the_way_on_beside_the_next_word_which_return_and_f7_begin() -> None:
    for flow in (flows.typing(), flows.typing(chosen=0), flows.typing(words=((),), chosen=0)):
        page = flows.shown(flow)
        finish, following = page.actions[:2]
        assert (finish.event, finish.tone, following.event, following.tone) == (ev.Finish(), Tone.MAIN, ev.AddWord(), Tone.PLAIN)
        assert (following.key, page.keys["f7"], page.keys["return"], page.keys["f8"]) == ("F7", ev.AddWord(), ev.Next(), ev.Finish())
        assert page.keys["f5"] == page.keys["delete"] == ev.RemoveWord(flow.chosen)


def test_where_no_word_can_be_added_the_next_one_stays_grey_with_the_reason() -> None:
    link = EarlierRow(Kind.REPEAT, 3, 1)
    full, fixed = flows.typing(words=flows.WORDS * 4, chosen=7), flows.typing(count=2, link=link)
    for flow, why in ((full, "No more words: 8 at most"), (fixed, "No more words: 2 as before")):
        following = flows.shown(flow).actions[1]
        assert (following.text, following.tone, following.key) == (why, Tone.OFF, "F7")
        assert flows.shown(apply(flow, ev.AddWord(), flows.NOW)[0]).notice is not None
    assert flows.shown(flows.typing(words=(*flows.WORDS[:1], ()), chosen=0, count=2, link=link)).actions[1].tone is Tone.PLAIN


PAGES = [flows.typing(), flows.checking()]


on_each = pytest.mark.parametrize("flow", PAGES, ids=["words", "check"])


def test_on_no_other_page_does_a_single_touch_or_key_end_a_challenge_that_can_be_ended_so() -> None:
    for cell in each_cell([flow for flow in flows.every_flow() if not flow.leaving], lambda flow: flows.shown(flow).name):
        with cell as flow:
            page = flows.shown(flow)
            assert not any(isinstance(target.event, ev.Withdraw | ev.Concede) for target in flows.targets(page))
            if flow.context.rulebook.challenge.may_concede and flow.link is None:
                assert not any(isinstance(event, ev.Withdraw | ev.Concede) for event in page.keys.values())


@on_each
def test_there_each_way_out_is_named_by_its_effect_and_who_concedes_presses_on_the_own_side(flow: Flow) -> None:
    out = flows.shown(flow.replace(leaving=True))
    assert (out.name, out.words, out.keyboard, out.typed, out.adjudicate) == ("ways", (), (), False, None)
    assert [target.event for target in out.actions] == [ev.Back(), ev.CallDirector()]
    assert [some(row.target).event for row in out.rows] == [ev.Withdraw()]
    assert some(out.by_side).map(lambda target: (target.event, target.text, target.icon, target.key)) == BySide(
        (ev.AskToConcede(Side.LEFT), "I concede: I\xa0lose my turn", Icon.LEFT, "F3"),
        (ev.AskToConcede(Side.RIGHT), "My play is wrong: it comes off", Icon.RIGHT, "F4"),
    )
    assert [out.keys[key] for key in ("f10", "f3", "f4", "escape")] == [ev.Withdraw(), *map(ev.AskToConcede, Side), ev.Back()]
    assert [row.text for row in out.rows] == ["I withdraw: play on"]
    concedes = some(flows.shown(flow.replace(challenger=Side.RIGHT, leaving=True)).by_side)
    assert concedes.map(lambda target: target.text) == BySide("My play is wrong: it comes off", "I concede: I\xa0lose my turn")


@pytest.mark.parametrize("kind", [Kind.REPEAT, Kind.SECOND_OPINION])
def test_a_play_with_a_verdict_cannot_be_withdrawn_there(kind: Kind) -> None:
    out = flows.shown(flows.checking(link=EarlierRow(kind, 3, 0), leaving=True))
    assert (out.name, out.rows) == ("ways", ())


@pytest.mark.parametrize("flow", [flows.typing(flows.NO_WAY_OUT), flows.checking(flows.NO_WAY_OUT)])
def test_under_a_rulebook_that_has_none_there_is_no_target_for_them_and_their_keys_say_so(flow: Flow) -> None:
    page = flows.shown(flow)
    assert ev.ShowWaysOut() not in [target.event for target in page.actions]
    assert [page.keys[key] for key in ("f10", "f3", "f4")] == [ev.Withdraw(), ev.AskToConcede(Side.LEFT), ev.AskToConcede(Side.RIGHT)]
    assert page.keys["f9"] == ev.NoFunction("F9")


CODE = ("10" * 10 + "1",) * 21


OWN_NAMES = {"en": "English", "es": "Español", "fr": "Français"}


def test_one_key_leads_round_all_languages() -> None:
    flow, seen = flows.idle(context=replace(context(), languages=OWN_NAMES)), []
    for _ in range(4):
        event = flows.shown(flow).keys["f11"]
        assert isinstance(event, ev.ChooseLanguage)
        flow, _effects = apply(flow, event, flows.NOW)
        seen.append(flow.language)
    assert seen == ["es", "fr", "en", "es"]
    assert flows.shown(flows.idle(context=replace(context(), languages={"en": "English"}))).keys["f11"] == ev.NoFunction("F11")


@pytest.mark.parametrize("trouble_kind", list(TroubleKind))
def test_a_station_that_cannot_judge_begins_nothing_and_says_what_ails_and_mends_it_and_whom_to_call(trouble_kind: TroubleKind) -> None:
    for cell in each_cell(languages()):
        with cell as language:
            page = flows.shown(flows.ailing(trouble_kind), language=language)
            texts = load_texts(language)
            assert page.name == "idle.trouble"
            assert ev.Begin() not in [target.event for target in flows.targets(page)]
            assert ev.Begin() not in page.keys.values()
            assert page.lines[0] == texts.say(f"trouble.{trouble_kind}")
            assert some(page.aside).startswith("lists/mine.dawg")
            assert page.banner is not None
            assert (page.banner.text, page.banner.icon, page.banner.tone) == (texts.say("idle.call"), Icon.WARNING, Tone.WARNING)
            assert page.footer.lexicon == texts.say("footer.no_lexicon")


def test_a_station_that_asks_to_join_shows_the_digits_on_every_idle_page_until_it_no_longer_does() -> None:
    for flow in (flows.idle(), flows.ailing(TroubleKind.LEXICON_MISSING)):
        asks = apply(flow, ev.JoinAsked("cambridge", "1234-5678", CODE), 1)[0]
        banner = some(flows.shown(asks).banner)
        assert (banner.text, banner.icon, flows.shown(asks).code) == ("Hall cambridge: admit 1234-5678", Icon.PERSON, CODE)
        after = flows.shown(apply(asks, ev.JoinAsked(), 2)[0])
        assert (after.banner, after.code) == (flows.shown(flow).banner, ())


def test_the_footer_names_list_rules_and_station_with_the_languages_thousands_and_no_gap_for_a_missing_edition() -> None:
    footer = flows.shown(flows.idle()).footer
    assert footer.lexicon == "TEST LIST · 2026-11-21 · 270,163 words · 01234567"
    assert (footer.rulebook, footer.station) == ("NASPA Official Tournament Rules, effective 2017-01-04", "Station 1")
    assert "270\u00a0163 mots" in flows.shown(flows.idle(), language="fr").footer.lexicon
    assert "270\u00a0163 palabras" in flows.shown(flows.idle(), language="es").footer.lexicon
    undated = replace(context(), lexicon=replace(lexicon_name(), edition=""))
    assert flows.shown(flows.idle(context=undated)).footer.lexicon == "TEST LIST · 270,163 words · 01234567"


@pytest.mark.parametrize("language", languages())
def test_what_the_director_has_to_know_is_one_quiet_line_until_seen_after_what_players_have_to_know(language: str) -> None:
    stands = replace(context(), advice=Advice(Phrase("The log was set aside as station.db.damaged.")))
    page = flows.shown(flows.idle(context=stands), language=language)
    assert page.notice == load_texts(language).say("idle.advice.log")
    assert "station.db" not in said(page)
    assert page.name == "idle"
    assert flows.shown(flows.idle(context=stands, notice=Notice("words.declared", (("count", 3),)))).notice == "Words challenged: 3"
    assert flows.shown(flows.idle(context=replace(stands, advice=Advice(Phrase("The log"), seen=True)))).notice is None
