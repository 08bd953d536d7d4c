import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from game.challenge_log.entry import Kind
from kiosk.challenge.flow import EarlierRow, TypedWord
from kiosk.events import CallDirector, Done, LastPlay, Mistyped, SecondOpinion
from kiosk.face.page import Icon, Tone
from kiosk.texts import languages
from rules.side import BySide, Side
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import conceded, said, shown, shown_again, targets, verdict, withdrawn
from tests.some import some

any_word = st.lists(st.sampled_from(["A", "Q", "Z", "CH", "Ñ", "X"]), min_size=2, max_size=15).map(tuple)


@pytest.mark.parametrize(
    ("acceptable", "text", "icon", "tone"), [(True, "ACCEPTABLE", Icon.TICK, Tone.GOOD), (False, "UNACCEPTABLE", Icon.CROSS, Tone.BAD)]
)
def test_the_verdict_is_told_by_text_icon_and_tone(text: str, icon: Icon, tone: Tone, *, acceptable: bool) -> None:
    page = shown(verdict(acceptable=acceptable))
    banner = some(page.banner)
    assert (page.name, banner.text, banner.icon, banner.tone) == ("verdict", text, icon, tone)


LOSES, STARTS = "The player on the {} loses the turn.", "The player on the {} starts the other's clock."
STANDS, POINTS = "The play stays on the board. No turn is lost.", "Points for the player on the right: {}."


@pytest.mark.parametrize(
    ("rulebook", "acceptable", "challenger", "lines"),
    [
        ("naspa-2017", True, Side.LEFT, (LOSES.format("left"), STARTS.format("left"))),
        ("naspa-2017", True, Side.RIGHT, (LOSES.format("right"), STARTS.format("right"))),
        ("naspa-2017", False, Side.LEFT, ("The play comes off and scores nothing.", LOSES.format("right"), STARTS.format("right"))),
        ("naspa-2017-collins-5", True, Side.LEFT, (STANDS, POINTS.format(10), STARTS.format("right"))),
        ("naspa-2017-collins-10", True, Side.LEFT, (STANDS, POINTS.format(20), STARTS.format("right"))),
        ("nzasp-2022", True, Side.LEFT, (STANDS, POINTS.format(10), STARTS.format("right"))),
        ("wespa-2021", True, Side.LEFT, (STANDS, POINTS.format(10), STARTS.format("right"))),
        ("wespa-2021-turn-5", True, Side.LEFT, (STANDS, POINTS.format(5), STARTS.format("right"))),
    ],
)
def test_who_loses_the_turn_gets_points_and_starts_the_clock_is_told_by_the_players_sides(
    rulebook: str, challenger: Side, lines: tuple[str, ...], *, acceptable: bool
) -> None:
    page = shown(verdict(rulebook, acceptable=acceptable, challenger=challenger))
    assert page.lines == lines
    assert page.sides == BySide.both("CHALLENGED").replace(challenger, "CHALLENGER")


def test_points_that_a_rulebook_takes_from_the_challenger_are_told_without_a_minus_sign() -> None:
    rulebook = context().rulebook
    rule = replace(rulebook.challenge, acceptable_loses_turn=False, points_a_challenge=5, points_are="taken")
    page = shown(verdict(acceptable=True, context=replace(context(), rulebook=replace(rulebook, challenge=rule))))
    assert "Points taken from the player on the left: 5." in page.lines
    assert "-5" not in said(page)


def test_a_single_challenge_costs_nothing_and_no_points_are_spoken_of() -> None:
    page = shown(verdict("club", acceptable=True))
    assert "oint" not in said(page)
    assert page.lines[0] == STANDS


def test_afterwards_players_may_repeat_ask_for_a_second_opinion_call_the_director_or_be_done() -> None:
    page = shown(verdict(acceptable=False))
    assert [(target.event, target.tone is Tone.MAIN) for target in page.actions] == [
        (Done(), True),
        (Mistyped(), False),
        (SecondOpinion(here=True), False),
        (SecondOpinion(here=False), False),
        (CallDirector(), False),
    ]
    assert page.keys["return"] == Done()
    assert [page.keys[key] for key in ("f2", "f9", "f8", "f7")] == [
        CallDirector(),
        Mistyped(),
        SecondOpinion(here=True),
        SecondOpinion(here=False),
    ]


LATE = "First, unless a player delays this:"
BLANK = "First: both seated, tiles back on the racks, the play off the board, a blank's letter crossed out."
TILE = "First: both seated, tiles back on the racks, a new tile seen by its drawer."
RERACKED = "First: the player whose clock it is has all tiles back on the rack."


@pytest.mark.parametrize(
    ("rulebook", "acceptable", "unacceptable"),
    [
        ("naspa-2012", TILE, BLANK),  # 2014 IV.J: nothing of a player who delays
        ("naspa-2014", TILE, BLANK),
        ("naspa-2014-collins-5", TILE, BLANK),  # 2014 VI speaks of the points only
        ("naspa-2014-collins-10", TILE, BLANK),
        ("naspa-2017", TILE.replace("First:", LATE), BLANK.replace("First:", LATE)),  # IV.J.1.o
        ("naspa-2017-collins-5", RERACKED, RERACKED),  # VI.B.1
        ("naspa-2017-collins-10", RERACKED, RERACKED),
        (
            "nzasp-2022",  # 6.13.6
            "First: both seated, tiles uncovered or back on the racks.",
            "First: both seated, tiles uncovered or back on the racks, the play off the board.",
        ),
        ("club", TILE.replace("First:", LATE), BLANK.replace("First:", LATE)),
    ],
)
def test_what_must_be_so_before_the_clock_starts_again_is_what_the_rulebook_in_force_says(
    rulebook: str, acceptable: str, unacceptable: str
) -> None:
    assert shown(verdict(rulebook, acceptable=True)).aside == acceptable
    assert shown(verdict(rulebook, acceptable=False)).aside == unacceptable


def test_where_a_rulebook_does_not_say_when_the_clock_starts_again_nothing_is_said() -> None:
    flow = verdict(acceptable=True)
    outcome = some(flow.outcome)
    silent = replace(outcome, consequence=replace(some(outcome.consequence), restart=None))
    assert shown(flow.replace(outcome=silent)).aside is None


@pytest.mark.parametrize("language", sorted(languages()))
def test_what_follows_is_at_most_three_short_lines(language: str) -> None:
    for rulebook in ("naspa-2017", "naspa-2017-collins-10", "nzasp-2022", "club"):
        for acceptable in (True, False):
            lines = shown(verdict(rulebook, acceptable=acceptable), language=language).lines
            assert len(lines) <= 3
            assert max(map(len, lines)) <= 52


def test_a_verdict_that_is_not_in_the_log_says_so() -> None:
    assert shown(verdict(acceptable=True, row=None)).notice == "The log could not be written: tell the director."
    assert shown(verdict(acceptable=True)).notice is None


def test_a_repeat_and_a_second_opinion_are_named() -> None:
    titles = [shown(verdict(acceptable=True, link=EarlierRow(kind, 3, 0))).title for kind in (Kind.REPEAT, Kind.SECOND_OPINION)]
    assert titles == ["Words challenged: 2 · Repeated challenge", "Words challenged: 2 · Second opinion"]


@given(
    first=st.lists(any_word, min_size=2, max_size=2),
    second=st.lists(any_word, min_size=2, max_size=2),
    acceptable=st.booleans(),
    language=st.sampled_from(sorted(languages())),
    link=st.sampled_from([None, EarlierRow(Kind.REPEAT, 3, 1), EarlierRow(Kind.SECOND_OPINION, 3, 0)]),
)
def test_the_verdicts_page_is_the_same_whatever_the_words(
    first: list[TypedWord], second: list[TypedWord], acceptable: bool, language: str, link: EarlierRow | None
) -> None:
    one, other = (verdict(acceptable=acceptable, link=link, words=tuple(words), language=language) for words in (first, second))
    assert shown(one) == shown(other)


@given(words=st.lists(any_word, min_size=1, max_size=8), acceptable=st.booleans())
def test_no_word_of_the_play_can_be_read_or_pressed_on_the_verdicts_page(words: list[TypedWord], *, acceptable: bool) -> None:
    page = shown(verdict(acceptable=acceptable, words=tuple(words), count=len(words)))
    assert page.words == ()
    assert page.keyboard == ()
    assert not page.typed
    assert not any("".join(word) in said(page).split() for word in words)


def test_a_verdict_differs_from_the_other_by_its_words_about_the_play_and_only_after_an_acceptable_one_the_last_play_can_be_named() -> None:
    good, bad = shown(verdict(acceptable=True)), shown(verdict(acceptable=False))
    assert [target for target in targets(good) if target.id != "last_play"] == list(targets(bad))
    assert good.keys == {**bad.keys, "f6": LastPlay(was_last=True)}
    assert (good.title, good.footer, good.sides) == (bad.title, bad.footer, bad.sides)


def test_a_challenge_withdrawn_has_no_consequence() -> None:
    page = shown(withdrawn())
    banner = some(page.banner)
    assert (page.name, banner.text, banner.icon, banner.tone) == ("closed.withdrawn", "CHALLENGE WITHDRAWN", Icon.BACK, Tone.PLAIN)
    assert page.lines == ("It has no consequences: the game goes on as before.",)
    assert [target.event for target in page.actions] == [Done(), CallDirector()]


def test_a_challenge_conceded_says_what_the_play_counts_as_and_what_follows() -> None:
    by_challenger, by_challenged = shown(conceded(acceptable=True)), shown(conceded(acceptable=False))
    assert by_challenger.name == by_challenged.name == "closed.conceded"
    assert [page.banner.icon for page in (by_challenger, by_challenged) if page.banner] == [Icon.TICK, Icon.CROSS]
    assert by_challenger.lines[:2] == ("Not looked up: the play counts as acceptable.", "The player on the left loses the turn.")
    assert by_challenged.lines[:2] == ("Not looked up: the play comes off, unacceptable.", "The player on the right loses the turn.")


@pytest.mark.parametrize(
    ("rulebook", "acceptable", "lines"),
    [
        ("naspa-2017", True, ("The challenger loses the turn.", "The challenger starts the challenged player's clock.")),
        (
            "naspa-2017",
            False,
            (
                "The play comes off and scores nothing.",
                "The challenged player loses the turn.",
                "The challenged player starts the challenger's clock.",
            ),
        ),
        (
            "nzasp-2022",
            True,
            ("No turn is lost.", "Points for the challenged player: 10.", "The challenged player starts the challenger's clock."),
        ),
    ],
)
def test_a_verdict_shown_once_more_says_what_follows_by_roles_for_the_players_may_stand_the_other_way_round(
    rulebook: str, lines: tuple[str, ...], *, acceptable: bool
) -> None:
    page = shown(shown_again(rulebook, acceptable=acceptable))
    assert (page.name, page.table, page.sides, page.lines) == ("verdict.again", "Table 12", None, lines)
    first = shown(verdict(rulebook, acceptable=acceptable))
    assert (page.banner, page.aside, page.footer) == (first.banner, first.aside, first.footer)
    assert [target.event for target in page.actions] == [Done(), CallDirector()]
    assert page.words == ()
