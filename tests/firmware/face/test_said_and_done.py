"""What a half says about a button is what that button does now, on this side: each sentence is compared with what edges come to (docs/spec/rules.md, "At the clock")."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace as copy
from functools import cache, partial
from random import Random
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from appliance.texts import load_part
from firmware.face.guidance import with_receipt
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import Answer, ClockState, with_setup
from firmware.gestures.meaning import offer_key
from firmware.table_menu.actions import CHANGE, RECEIPT, REGULATION, PageKind, TablePage, opened
from firmware.table_menu.pages import first_page, kind_of, page
from firmware.texts import Texts, load_texts, message
from game import events
from game.events import Verdict
from game.game import Game, Phase
from game.table import OfferedGame
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.examples import THOROUGH
from tests.firmware.gestures.random_play import BOARDS, EDGES, PLAYED, STARTS, RandomPlay
from tests.firmware.gestures.states import RESULT
from tests.firmware.gestures.trains import MS, drive, setup
from tests.firmware.saying import NASPA, NZ, attempt, new_game
from tests.firmware.table_menu.player import Players
from tests.some import some

WESPA: Final = "wespa-2021"
ENGLISH: Final = load_texts()
FAMILIES: Final = ("prompt.", "note.", "banner.", "strip.", "answer.", "act.", "offer.", "table_menu.hint_", "result.")
OTHERS: Final = {"table_menu.no_out_play", "table_menu.not_done"}
OF_A_BUTTON: Final = re.compile(r"press|button|\{bar\}|hold\W(?:your|on|\{bar\}|\d)", re.IGNORECASE)


class Moment(NamedTuple):
    """The table before and after a gesture, for one reader."""

    before: ClockState
    after: ClockState
    now: int
    then: int
    side: Side

    @property
    def was(self) -> Game:
        return self.before.game_at(self.now)

    @property
    def game(self) -> Game:
        return self.after.game_at(self.then)

    @property
    def row(self) -> str:
        """The chosen row of the menu's first page, which has opened."""
        menu = self.after.table_menu
        assert menu is not None, "no menu"
        assert menu.path == (), menu.path
        shown = self.page
        return shown.rows[shown.cursor].name

    @property
    def page(self) -> TablePage:
        return page_of(self.after, self.then)

    def moved(self, by: int) -> bool:
        """Return whether the cursor, or the digit that is entered, has moved by so much, round and round."""
        before, after = page_of(self.before, self.now), self.page
        if before.entry is None or after.entry is None:
            names = [[row.name for row in each.rows] for each in (before, after)]
            return names[0] == names[1] and after.cursor != before.cursor and after.cursor == (before.cursor + by) % len(before.rows)
        was, now = (int(each.digits[each.place]) for each in (before.entry, after.entry))
        return self.before.table_menu == self.after.table_menu and now == (was - by) % 10


def page_of(state: ClockState, now: int) -> TablePage:
    assert state.table_menu is not None, "no menu"
    return page(state.table_menu, state.history, state.setup, state.instant(now), state.draft)


def about(state: ClockState) -> Side:
    """Return whom the answer to a page that asks who has named: on the page behind it, or in what it has made."""
    if state.table_menu is not None:
        return Side(state.table_menu.path[-1])
    match state.history.event:
        case events.Infraction(side) | events.StartWindow(side=Side() as side):
            return side
        case events.LateStart(side=Side() as side):
            # Who is here starts the other clock.
            return side.other
        case other:
            raise AssertionError(other)


OUTCOMES: Final[dict[str, Callable[[Moment], bool]]] = {
    "their clock": lambda it: it.game.running is it.side.other,
    "turn over": lambda it: (it.game.running, it.game.turn) == (it.side.other, it.side.other),
    "they decide": lambda it: (it.game.running, it.game.turn) == (it.side.other, it.was.turn),
    "my clock": lambda it: it.game.running is it.side,
    "stands": lambda it: (it.game.phase, it.game.turn) == (Phase.NEUTRAL, it.was.turn),
    "hold": lambda it: it.was.holder is None and it.game.holder is it.side.other,
    "released": lambda it: it.was.holder is it.side.other and it.game.holder is None,
    "accepted": lambda it: (it.game.phase, it.game.reason) == (Phase.OVER, "out play"),
    "asks me": lambda it: (
        it.after.table_menu is not None and (it.after.table_menu.path, it.after.table_menu.asked) == (("out_play",), it.side)
    ),
    "out play": lambda it: it.game.out_player is it.side,
    "nothing": lambda it: (it.after.table_menu, it.game) == (None, it.was),
    "back": lambda it: it.after.history is it.before.history and it.after.table_menu != it.before.table_menu,
    "challenge": lambda it: it.was.phase is not Phase.ADJUDICATION and it.game.phase is Phase.ADJUDICATION,
    "i challenge": lambda it: it.was.challenger is it.side.other and it.game.challenger is it.side,
    "menu": lambda it: bool(it.row),
    "take back": lambda it: it.row == "take_back",
    "acceptable": lambda it: it.game.phase is Phase.ADJUDICATION and offer_key(it.after.offer) == "acceptable",
    "next offer": lambda it: it.game.phase is Phase.ADJUDICATION and it.after.offer != it.before.offer,
    "unacceptable": lambda it: it.game.phase is Phase.ADJUDICATION and it.after.offer == Verdict(acceptable=False),
    "verdict": lambda it: it.after.history.event == it.before.offer,
    "i arrive": lambda it: it.side not in it.game.absent,
    "they arrive": lambda it: it.side.other not in it.game.absent and it.game.running is None,
    "asks for the next game": lambda it: it.after.table_menu is not None and it.after.table_menu.path == ("next_game",),
    "result": lambda it: it.row == "result",
    "up": lambda it: it.moved(-1),
    "down": lambda it: it.moved(1),
    "taken": lambda it: (it.after.table_menu, it.after.history) != (it.before.table_menu, it.before.history),
    "about me": lambda it: about(it.after) is it.side,
    "call back": lambda it: it.was.called and not it.game.called,
    "closed": lambda it: it.after.table_menu is None and it.game == it.was,
    "signed": lambda it: it.game.result is not None or it.side in some(it.after.draft).signed(it.game, it.then),
    "recorded": lambda it: it.was.result is None and it.game.result is not None,
    "to change": lambda it: it.after.table_menu is not None and it.after.table_menu.path == CHANGE,
}
GESTURES: Final = {
    "own": "{own}",
    "own 1 s": "{own} 1200",
    "own 2 s": "{own} 2200",
    "other": "{other}",
    "other 1 s": "{other} 1200",
    "bar": "bar",
    "bar 1 s": "bar 1200",
    "bar 2 s": "bar 2200",
}
WAY_BACK: Final = {"bar 1 s": "take back"}
HELD_OUT: Final = {"own 1 s": "accepted", "bar 2 s": "challenge"}
TO_MENU: Final = {"bar 1 s": "menu"}
UP: Final = {"own": "up", "other": "down", "bar": "taken"}
DOWN: Final = {"own": "down", "other": "up", "bar": "taken"}
TAKEN: Final = {"bar 1 s": "verdict"}
DOES: Final[dict[str, dict[str, str]]] = {
    "prompt.start": {"own": "their clock"},
    "prompt.go_on": {"own": "their clock"},
    "prompt.go_on_wait": {"other": "my clock", "bar": "my clock"},
    "prompt.your_turn": {"own": "turn over", "bar": "stands", "bar 1 s": "menu", "bar 2 s": "challenge"},
    "prompt.wait": {"own 1 s": "hold"},
    "prompt.decide": {"bar": "stands"},
    "prompt.decision_start": {"own": "they decide"},
    "prompt.wait_start": {"other": "my clock", "bar": "my clock"},
    "prompt.out_play_counting": {"own": "their clock"},
    "prompt.out_play_stopped": {"own": "their clock"},
    "prompt.out_play_answer": HELD_OUT,
    "prompt.out_play_held": HELD_OUT,
    "prompt.arrive": {"own": "i arrive"},
    "prompt.call_director": TO_MENU,
    "prompt.start_late": TO_MENU,
    "prompt.challenged": {"own 2 s": "i challenge"},
    "prompt.sign": {"bar 1 s": "result"},
    "note.holds": {"own": "turn over", "bar 2 s": "challenge"},
    "note.on_hold": {"own 1 s": "released"},
    "note.out_play": {"own 1 s": "asks me"},
    "note.out_play_menu": TO_MENU,
    "banner.no_offer": {"bar": "acceptable", "own": "unacceptable"},
    "banner.no_offer_back": {"bar": "acceptable", "own": "unacceptable"},
    "banner.offer": {"own": "next offer"},
    "banner.menu": TO_MENU,
    "banner.not_out": TO_MENU,
    "strip.say_why": TO_MENU,
    "strip.hold_stop": TO_MENU,
    "strip.receipt": {"bar": "menu"},
    "strip.next_game": {"bar 1 s": "menu", "bar 2 s": "asks for the next game"},
    "strip.next_game_results": {"bar 1 s": "menu", "bar 2 s": "asks for the next game"},
    "offer.acceptable": TAKEN,
    "offer.word": TAKEN,
    "offer.words": TAKEN,
    "offer.unacceptable": TAKEN,
    "offer.back": TAKEN,
    "answer.late": {"bar": "they arrive"},
    "answer.hold": {"own 1 s": "hold"},
    "answer.opponent_decides": {"bar": "stands"},
    "answer.on_hold": {"own 1 s": "released"},
    "answer.accept": {"own 1 s": "accepted"},
    "answer.both_absent": {"own": "i arrive"},
    "answer.out_play_stopped": {"bar 1 s": "menu", "bar 2 s": "challenge"},
    "answer.over": {"bar 1 s": "menu", "bar 2 s": "asks for the next game"},
    "act.turn_given": WAY_BACK,
    "act.turn_got": WAY_BACK,
    "act.ended_hold": WAY_BACK,
    "act.hold_ended": WAY_BACK,
    "act.challenges": WAY_BACK,
    "act.challenged": WAY_BACK,
    "act.hold_recorded": WAY_BACK,
    "act.release_recorded": WAY_BACK,
    "table_menu.no_out_play": TO_MENU,
    "table_menu.not_done": TO_MENU,
    "table_menu.hint_up": UP,
    "table_menu.hint_down": DOWN,
    "table_menu.hint_only_down": {"own": "down", "bar": "taken"},
    "table_menu.hint_only_choose": {"bar": "taken"},
    "table_menu.hint_who": {"own": "about me", "bar": "back"},
    "table_menu.hint_called": {"own 1 s": "call back", "bar": "closed"},
    "result.hint_up": UP,
    "result.hint_down": DOWN,
    "result.sign": {"own 1 s": "signed", "bar": "to change"},
    "result.wait": {"other 1 s": "recorded", "bar": "to change"},
    "table_menu.hint_agree": {"own": "back", "own 1 s": "back", "bar": "back"},
    "table_menu.hint_yes": {"own": "out play"},
    "table_menu.hint_no": {"own": "nothing"},
    "table_menu.hint_kept_late": {"own": "i arrive"},
}
"""What each sentence about a button promises its reader: the outcome of each gesture that it names."""
MORE: Final = (
    ("0 press right", "3 press left", "4 hold"),
    ("0 press right", "3 hold", "4 neutralise reason=x"),
    ("0 press right", "3 out_play", "4 hold", "5 neutralise"),
    ("0 press right", "3 out_play", "4 challenge", "5 withdraw by=director"),
    ("0 press right", "3 out_play", "4 end reason=x", "5 reopen reason=x"),
    ("0 press right", "3 challenge", "4 verdict acceptable=true"),
    ("0 press right", "3 challenge", "4 verdict acceptable=false"),
    ("0 press right", "3 neutralise", "4 window right name=overdraw_decision"),
    ("0 late_start both", "4 arrive left"),
    ("0 end reason=x", "1 reopen reason=x"),
    ("0 window name=late_start ago=273",),
)
OFFERED: Final = OfferedGame(new_game("club"), new_game("club"))
NOW_MS: Final = (6_000, 30_000)
"""In a window, and behind it."""


def keyed() -> Texts:
    """Return texts that say their keys, and those of what fills their braces."""
    named = {key: f"<{key}>{''.join(re.findall(r'{[a-z_]+}', text))}" for key, text in ENGLISH.by_key.items()}
    return replace(ENGLISH, by_key=named)


def said_on(shown: Face, side: Side) -> set[str]:
    """Return the keys of all that stands on the half of ``side`` and between both."""
    half = shown.halves.of(side)
    own = (half.page.title, half.page.sentence, half.page.hint) if half.page is not None else (half.prompt, half.note, *shown.details)
    return set(re.findall(r"<([a-z0-9_.]+)>", " ".join((*own, shown.hint))))


def after(both: Players, gesture: str, side: Side) -> Players:
    return copy(both).do(GESTURES[gesture].format(own=side.value, other=side.other.value))


def moments(rulebook: str, *, two_button: bool) -> Iterator[tuple[str, Players]]:
    """Yield tables at rest in each phase, and what one gesture makes of each: its answer, the act that it names, an offer, a page."""
    told = setup(two_button=two_button)
    told = replace(told, texts=keyed())
    for lines in (*STARTS, *MORE):
        history = attempt(rulebook, *lines).history
        for now in NOW_MS:
            begun = Players(ClockState(history, told), now)
            yield f"{lines} {now}", begun
            answer = Answer(None, message("table_menu.not_done", why="x"), (now + 9_000) * MS)
            yield "not_done", Players(replace(begun.table, answers=(answer,)), now)
            for side in Side:
                for gesture in GESTURES:
                    made = after(begun, gesture, side)
                    yield f"{lines} {now}, {gesture} of {side}", made
                    yield from _further(f"{lines} {now}, {gesture} of {side}", made)
            if begun.game.running is None or begun.game.phase is Phase.LATE:
                agree = opened(begun.game, ("take_back",))
                yield f"{lines} {now}, to agree on", Players(replace(begun.table, table_menu=agree), now)
                # The desk has set the table up anew meanwhile.
                closed = with_setup(replace(begun.table, table_menu=agree), replace(told, offered=OFFERED), now * MS)
                yield f"{lines} {now}, just closed", Players(closed, now)
                rows = first_page(history, told, now * MS)
                for path in (row.path for row in rows if row.refused is None and kind_of(row.path) is PageKind.WHO):
                    yield f"{lines} {now}, {path}", Players(replace(begun.table, table_menu=opened(begun.game, path)), now)
    signing = replace(told, results=True)
    words = ' words={"left":0,"right":2}' if load_rulebook(rulebook).result.bonus_words else ""
    ended = ("0 press right", "4 end reason=x")
    signed = attempt(rulebook, *ended, f"5 {RESULT}{words}").history
    yield "receipt", Players(ClockState(signed, signing, table_menu=opened(signed.game, (RECEIPT,))), NOW_MS[1])
    for name, lines in (
        ("played", ended),
        ("not played", ("4 end reason=x",)),
        ("disputed", (*ended, f"5 {RESULT}{words}", "6 call on=true disputes=true")),
    ):
        both = Players(ClockState(attempt(rulebook, *lines).history, signing), NOW_MS[1])
        yield f"result, {name}", both
        for gesture in ("bar 1 s", "bar 2 s"):
            asks = after(both, gesture, Side.LEFT)
            yield f"{gesture}, {name}", asks
            closed = with_setup(asks.table, replace(asks.table.setup, offered=OFFERED), asks.now * MS)
            yield f"{gesture}, {name}, just closed", Players(closed, asks.now)
    kept = Players(ClockState(attempt(rulebook).history, signing), NOW_MS[1])
    kept.table = replace(kept.table, table_menu=opened(kept.game, ("keep", str(60 * NS), REGULATION)))
    for side in Side:
        yield f"kept, {side}", kept
        yield f"not kept, {side}", after(kept, "own", side)
        yield "not kept", after(kept, "bar", side)
    yield from _results(Players(ClockState(attempt(rulebook, *ended).history, signing), NOW_MS[1]))


def _results(both: Players) -> Iterator[tuple[str, Players]]:
    """Yield each page on which a result is entered, changed and signed, with the signature of each player."""
    both = copy(both).do("bar 1200, bar")
    while both.page.kind is PageKind.SCORE:
        yield f"{both.table.table_menu}", both
        both = after(both, "bar", Side.LEFT)
    yield "to sign", both
    yield "to change", after(both, "bar", Side.LEFT)
    for side in Side:
        yield f"signed by {side}", after(both, "own 1 s", side)


def _further(name: str, made: Players) -> Iterator[tuple[str, Players]]:
    """Yield the offers of a challenge one after the other, what the bar is answered after the end, and the page before a menu's."""
    for count in range(1, 4 if made.game.phase is Phase.ADJUDICATION else 2):
        if made.game.phase in (Phase.ADJUDICATION, Phase.OVER) or made.table.table_menu is not None:
            gesture = "own" if made.game.phase is Phase.ADJUDICATION and made.table.table_menu is None else "bar"
            made = after(made, gesture, Side.LEFT)
            yield f"{name}, {gesture} {count}", made


def test_each_sentence_about_a_button_is_compared() -> None:
    spoken = {key for key, text in load_part("clock", "en").by_key.items() if key.startswith(FAMILIES) and OF_A_BUTTON.search(text)}
    # What a press has done says nothing of the next one; the director's door is in test_director_presses.
    assert spoken - {"answer.just_closed", "strip.called_door"} | OTHERS == DOES.keys()


NOT_IN_EACH: Final = {
    *("offer.acceptable", "offer.word", "offer.words", "offer.back"),
    *("prompt.decision_start", "prompt.out_play_counting", "prompt.out_play_stopped", "banner.no_offer", "banner.no_offer_back"),
    *("prompt.call_director", "prompt.start_late"),
}
"""What not every rulebook says: verdicts by the word or not, no withdrawal, no decision, no out play that ends by itself, no late start, or who starts it."""


TABLES: Final = [(rulebook, two_button) for rulebook in (*PLAYED, WESPA) for two_button in (False, True)]
USUAL: Final = ((NASPA, False), (NZ, False), (WESPA, True))


@pytest.mark.parametrize(("rulebook", "two_button"), TABLES if THOROUGH else USUAL)
def test_what_a_half_says_about_a_button_is_what_that_button_does_now_on_this_side(rulebook: str, *, two_button: bool) -> None:
    wrong, compared = [], set()
    for name, both in moments(rulebook, two_button=two_button):
        for key, fault in comparing(name, both):
            compared.add(key)
            wrong += fault
    assert wrong == []
    missing = DOES.keys() - compared
    assert missing <= NOT_IN_EACH
    assert rulebook != NASPA or missing == {"offer.word", "offer.words", "prompt.start_late", "banner.no_offer"}


@pytest.mark.parametrize("buttons", BOARDS)
def test_so_it_is_at_any_rest_of_random_hands(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(45), buttons, longest=2_400 * MS)  # noqa: S311 - no secret
    wrong, compared = [], set()
    while play.reached["edges"] < EDGES // 5:
        for state, at in play.played(play.begun()):
            if at_rest(state) and (state.door, state.menu) == (None, None) and play.random.random() < 0.3:
                # A contact that has just opened would still bounce.
                now = at // MS + 50
                at_table = replace(state, setup=replace(state.setup, texts=keyed()))
                for key, fault in comparing(f"at {at}", Players(drive(at_table, [], now), now)):
                    compared.add(key)
                    wrong += fault
    assert wrong == []
    assert len(compared) > 10, compared


def at_rest(state: ClockState) -> bool:
    return not state.open_strokes and not any(contact.down for contact in state.contacts.values())


def comparing(name: str, both: Players) -> Iterator[tuple[str, list[str]]]:
    """Yield each sentence about a button on each half, and where it is wrong."""
    shown, menu = face(both.table, both.now * MS), both.table.table_menu
    coded = None if menu is None or menu.path != (RECEIPT,) else with_receipt(shown, both.table, ("1",))
    for side in Side:
        # Several sentences name the same gesture.
        made_by = cache(partial(after, both, side=side))
        # The receipt's page stands before its code is there, too.
        for key in sorted((said_on(shown, side) | (set() if coded is None else said_on(coded, side))) & DOES.keys()):
            for gesture, outcome in DOES[key].items():
                made = made_by(gesture)
                right = done(Moment(both.table, made.table, both.now * MS, made.now * MS, side), outcome)
                yield key, [] if right else [f"{name}: {side} reads {key}, but {gesture} is not: {outcome}"]


def done(moment: Moment, outcome: str) -> bool:
    try:
        return OUTCOMES[outcome](moment)
    except AssertionError:
        return False
