from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Step
from kiosk.challenge.timeouts import tick
from kiosk.effects import Judge
from kiosk.events import ChooseLanguage, Judged, KnockAtDoor, Type
from kiosk.face.page import Page
from kiosk.texts import load_texts
from rules.duration import NS
from rules.side import Side
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import said, shown, targets
from tests.some import some

STEP_NS = NS


class Players:
    """Two players before the screen, who know nothing but what stands on it; and a list that finds every play acceptable, or none."""

    def __init__(self, rulebook: str, language: str, *, acceptable: bool) -> None:
        self.flow = begin(replace(context(rulebook), language=language))
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
            assert self.page.name == "judging"
            self.flow, _ = apply(self.flow, Judged(self._acceptable, 7), self.at)


def by_touch(players: Players) -> None:
    for id_ in ("begin", "tile.1", "tile.2", "challenger.left"):
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


ways = pytest.mark.parametrize(("played", "adjudicated"), [(by_touch, "adjudicate"), (by_keys, "tab")])


@ways
@pytest.mark.parametrize("language", ["en", "fr", "es"])
@pytest.mark.parametrize(("rulebook", "points"), [("naspa-2017", False), ("nzasp-2022", True)])
def test_a_challenge_is_played_through_by_touch_alone_and_by_keys_alone(
    played: Callable[[Players], None], adjudicated: str, language: str, rulebook: str, points: bool
) -> None:
    players, texts = Players(rulebook, language, acceptable=True), load_texts(language)
    played(players)
    assert players.page.name == "checking"
    assert [word.text for word in players.page.words] == ["CAT", "QI"]
    (players.touch if adjudicated == "adjudicate" else players.key)(adjudicated)
    assert players.page.name == "verdict"
    assert some(players.page.banner).text == texts.say("verdict.acceptable")
    assert (texts.say("points.given.right", points=10) in players.page.lines) is points
    assert (texts.say("turn.left") in players.page.lines) is not points
    assert "CAT" not in said(players.page)
    (players.touch if adjudicated == "adjudicate" else players.key)("done" if adjudicated == "adjudicate" else "return")
    assert players.page.name == "idle"


@ways
def test_after_the_verdict_a_mistyped_challenge_is_repeated_and_the_same_words_looked_up_again(
    played: Callable[[Players], None], adjudicated: str
) -> None:
    players = Players("naspa-2017", "en", acceptable=False)
    press = players.touch if adjudicated == "adjudicate" else players.key
    mistyped, here = ("mistyped", "opinion.here") if adjudicated == "adjudicate" else ("f9", "f8")
    played(players)
    press(adjudicated)
    press(here)
    assert players.page.name == "checking"
    assert players.page.lines[0] == "Second opinion"
    press(adjudicated)
    press(mistyped)
    assert players.page.name == "words"
    assert [word.text for word in players.page.words] == ["", ""]
    assert "Repeated challenge" in players.page.lines[0]


@ways
def test_the_director_is_called_to_the_table_from_wherever_it_is_known(played: Callable[[Players], None], adjudicated: str) -> None:
    players = Players("naspa-2017", "en", acceptable=True)
    press = players.touch if adjudicated == "adjudicate" else players.key
    played(players)
    press("director" if adjudicated == "adjudicate" else "f2")
    assert some(players.page.banner).text == "DIRECTOR PLEASE, TABLE 12"
    press("back" if adjudicated == "adjudicate" else "escape")
    assert players.page.name == "checking"


@ways
def test_the_challenged_player_concedes_and_the_play_comes_off(played: Callable[[Players], None], adjudicated: str) -> None:
    players = Players("naspa-2017", "en", acceptable=True)
    played(players)
    if adjudicated == "adjudicate":
        players.touch("ways")
        players.touch(f"concede.{Side.RIGHT}")
    else:
        players.key("f4")
        assert players.page.name == "ways"
        players.key("f4")
    assert players.page.name == "closed.conceded"
    assert "The player on the right loses the turn." in players.page.lines


class Monkey(Players):
    def press(self, choice: int) -> None:
        page = self.page
        events = [target.event for target in targets(page)] + [*page.keys.values()] + ([Type("q i"), Type("7")] if page.typed else [])
        events = [event for event in events if not isinstance(event, KnockAtDoor)]
        self._do(events[choice % len(events)])
        self.flow, _ = tick(self.flow, self.at)


@given(
    choices=st.lists(st.integers(0, 10_000), max_size=60),
    rulebook=st.sampled_from(["naspa-2017", "naspa-2017-collins-5", "nzasp-2022", "club"]),
    language=st.sampled_from(["en", "fr", "es"]),
)
def test_whatever_is_pressed_there_is_a_page_with_something_to_press_and_the_way_back_to_idle(
    choices: list[int], rulebook: str, language: str
) -> None:
    monkey = Monkey(rulebook, language, acceptable=True)
    monkey.flow = begin(replace(context(rulebook), language=language))
    for choice in choices:
        monkey.press(choice)
        page = monkey.page
        assert page.door is not None
        assert len({target.id for target in targets(page)}) == len(list(targets(page)))
        assert page.notice is None or "{" not in page.notice
    assert _idle_again(monkey)


def _idle_again(players: Players) -> bool:
    for _ in range(12):
        if players.flow.step is Step.IDLE:
            return True
        ways = {target.id for target in targets(players.page)}
        players.touch(next(id_ for id_ in ("done", "back", "help") if id_ in ways))
    return False


def test_a_language_is_chosen_for_two_players_and_forgotten_with_them() -> None:
    players = Players("naspa-2017", "en", acceptable=True)
    players.touch("language.es")
    players.touch("begin")
    assert players.page.title == load_texts("es").say("table.challenger")
    players.touch("tile.1")
    players.flow, _ = tick(players.flow, players.at + 3600 * NS)
    assert players.page.title == load_texts("en").say("idle.title")


def test_each_language_is_reached_by_its_function_key() -> None:
    page = Players("naspa-2017", "fr", acceptable=True).page
    assert (page.keys["f2"], page.keys["f3"]) == (ChooseLanguage("en"), ChooseLanguage("es"))
