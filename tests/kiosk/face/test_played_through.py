from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.texts import languages
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import EarlierRow, TypedWord
from kiosk.context import ClockAnswer, ClockChallenge, SentVerdict
from kiosk.events import CallDirector, Done, Judge, Judged, KnockAtDoor, LastPlay, RepeatIt, SecondOpinion, Type
from kiosk.face.page import Page, Tone
from kiosk.layout.arrange import arrange
from kiosk.texts import load_texts
from records.entry import Kind
from rules.duration import NS
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import said, shown, shown_again, targets, verdict
from tests.kiosk.layout.test_arrange import LYING, UPRIGHT, options_for
from tests.some import some

STEP_NS = NS


class Players:
    """Two players before the screen, who know nothing but what stands on it; and a list that finds every play acceptable, or none."""

    def __init__(self, rulebook: str, language: str, *, acceptable: bool, alphabet: str = "english") -> None:
        self.flow = begin(replace(context(rulebook, alphabet=alphabet), language=language))
        self.at = 0
        self._acceptable = acceptable

    @property
    def page(self) -> Page:
        return shown(self.flow, self.at)

    def touch(self, id_: str) -> None:
        (target,) = (target for target in targets(self.page) if target.id == id_)
        self._do(target.event)

    def key(self, name: str) -> None:
        self._do(self.page.keys[name])

    def type(self, text: str) -> None:
        for character in text:
            assert self.page.typed
            self._do(Type(character))

    def _do(self, event: object) -> None:
        assert not isinstance(event, KnockAtDoor)
        self.at += STEP_NS
        self.flow, effects = apply(self.flow, event, self.at)  # type: ignore[arg-type]  # a page's events are the players', but for the door's
        if any(isinstance(effect, Judge) for effect in effects):
            self.flow, _ = apply(self.flow, Judged(self._acceptable, 7), self.at)


def by_touch(players: Players) -> None:
    for id_ in ("tile.1", "tile.2", "challenger.left"):
        players.touch(id_)
    for id_ in ("tile.C", "tile.A", "tile.B", "erase", "tile.T", "next", "tile.Q", "tile.I", "finish"):
        players.touch(id_)


def by_keys(players: Players) -> None:
    players.key("return")
    players.type("12")
    players.key("left")
    players.type("cab")
    players.key("backspace")
    players.type("t")
    players.key("return")
    players.type("qi")
    players.key("f8")


@pytest.mark.parametrize("linked", [False, True])
def test_the_first_digit_begins_and_the_pad_keeps_its_place_under_the_next_one(*, linked: bool) -> None:
    for cell in each_cell(product([*LYING, *UPRIGHT], languages(), [False, True])):
        with cell as (size, language, large):
            players = Players("naspa-2017", language, acceptable=True)
            players.flow = players.flow.replace(linked=linked)
            pads = []
            for page in ("idle", "table.table"):
                assert players.page.name == page
                placed = arrange(players.page, size, options_for(size, large=large)).items
                pads.append({item.target.id: item.box for item in placed if item.target and not item.target.id.startswith("language.")})
                players.touch("tile.1")
            assert players.flow.table == 11
            assert pads[0].items() <= pads[1].items()
            assert {f"tile.{digit}" for digit in range(10)} <= pads[0].keys()


@pytest.mark.parametrize(("language", "rulebook", "points"), [("en", "naspa-2017", False), ("fr", "nzasp-2022", True)])
@pytest.mark.parametrize("keyed", [False, True])
def test_a_challenge_is_played_through_by_touch_alone_and_by_keys_alone(language: str, rulebook: str, *, keyed: bool, points: bool) -> None:
    players, texts = Players(rulebook, language, acceptable=True), load_texts(language)
    press = players.key if keyed else players.touch
    (by_keys if keyed else by_touch)(players)
    assert players.page.name == "checking"
    assert [word.text for word in players.page.words] == ["CAT", "QI"]
    press("tab" if keyed else "adjudicate")
    assert players.page.name == "verdict"
    assert some(players.page.banner).text == texts.say("verdict.acceptable")
    assert (texts.say("points.given.right", points=10) in players.page.lines) is points
    assert (texts.say("turn.left") in players.page.lines) is not points
    assert "CAT" not in said(players.page)
    press("return" if keyed else "done")
    assert players.page.name == "idle"


any_word = st.lists(st.sampled_from(["A", "Q", "Z", "CH", "Ñ", "X"]), min_size=2, max_size=15).map(tuple)


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
        ("club", True, Side.LEFT, (STANDS, STARTS.format("right"))),
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


def test_afterwards_players_may_repeat_ask_for_a_second_opinion_call_the_director_or_be_done() -> None:
    page = shown(verdict(acceptable=False))
    assert [(target.event, target.tone is Tone.MAIN) for target in page.actions] == [
        (Done(), True),
        (RepeatIt(), False),
        (SecondOpinion(here=True), False),
        (SecondOpinion(here=False), False),
        (CallDirector(), False),
    ]
    assert page.keys["return"] == Done()
    assert [page.keys[key] for key in ("f9", "f8", "f7", "f2")] == [target.event for target in page.actions[1:]]


LATE = " If a player delays, do not wait."
BLANK = "Before the clock starts: both players sit, the tiles are on the racks, the play is off the board, a blank's letter is crossed out."
TILE = "Before the clock starts: both players sit, the tiles are on the racks, who draws has seen a new tile."
UNCOVERED = "Before the clock starts: both players sit, the tiles are uncovered or on the racks."
RERACKED = "Before the clock starts: its player has all tiles back on the rack."


@pytest.mark.parametrize(
    ("rulebook", "acceptable", "unacceptable"),
    [
        ("naspa-2012", TILE, BLANK),  # 2014 IV.J: nothing of a player who delays
        ("naspa-2014", TILE, BLANK),
        ("naspa-2014-collins-5", TILE, BLANK),  # 2014 VI speaks of the points only
        ("naspa-2014-collins-10", TILE, BLANK),
        ("naspa-2017", TILE + LATE, BLANK + LATE),  # IV.J.1.o
        ("naspa-2017-collins-5", RERACKED, RERACKED),  # VI.B.1
        ("naspa-2017-collins-10", RERACKED, RERACKED),
        ("nzasp-2022", UNCOVERED, UNCOVERED.replace("racks.", "racks, the play is off the board.")),  # 6.13.6
        ("club", TILE + LATE, BLANK + LATE),
    ],
)
def test_what_must_be_so_before_the_clock_starts_again_is_what_the_rulebook_says(rulebook: str, acceptable: str, unacceptable: str) -> None:
    assert shown(verdict(rulebook, acceptable=True)).aside == acceptable
    assert shown(verdict(rulebook, acceptable=False)).aside == unacceptable


SENT = [
    (ClockAnswer.WAITING, "", True),
    (ClockAnswer.TAKEN, "", True),
    (ClockAnswer.SILENT, "", False),
    (ClockAnswer.UNSENT, "", False),
    (ClockAnswer.REFUSED, "gone_on", False),
    (ClockAnswer.REFUSED, "not_by_rulebook", False),
]


def test_what_the_clock_answers_is_good_news_only_while_it_may_take_the_verdict_and_that_is_in_the_log() -> None:
    to = ClockChallenge("c-" + "a" * 16, "00" * 8, 3, 14, Side.RIGHT)
    for cell in each_cell(SENT):
        with cell as (answer, reason, good):
            logged, unlogged = (
                shown(verdict(acceptable=True, row=row, sent=SentVerdict("1a" * 16, to, 0, answer, reason))) for row in (7, None)
            )
            assert (logged.success, unlogged.success) == (good, False)
            assert "12" in some(logged.notice)
            assert unlogged.notice == "The log could not be written: tell the director."


@given(
    first=st.lists(any_word, min_size=2, max_size=2),
    second=st.lists(any_word, min_size=2, max_size=2),
    acceptable=st.booleans(),
    language=st.sampled_from(languages()),
    link=st.sampled_from([None, EarlierRow(Kind.REPEAT, 3, 1), EarlierRow(Kind.SECOND_OPINION, 3, 0)]),
)
def test_the_verdicts_page_is_the_same_whatever_the_words(
    first: list[TypedWord], second: list[TypedWord], acceptable: bool, language: str, link: EarlierRow | None
) -> None:
    one, other = (verdict(acceptable=acceptable, link=link, words=tuple(words), language=language) for words in (first, second))
    assert shown(one) == shown(other)


def test_a_verdict_differs_from_the_other_by_its_words_about_the_play_and_only_after_an_acceptable_one_the_last_play_can_be_named() -> None:
    good, bad = shown(verdict(acceptable=True)), shown(verdict(acceptable=False))
    assert [target for target in targets(good) if target.id != "last_play"] == list(targets(bad))
    assert good.keys == {**bad.keys, "f6": LastPlay(was_last=True)}
    assert (good.title, good.footer, good.sides) == (bad.title, bad.footer, bad.sides)


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
