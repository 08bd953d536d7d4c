"""Faces of real games, one for everything a screen may have to show: each is a script, looked at at an instant."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from firmware.face.value import FILL_STEPS, Face, FillFace
from firmware.face.view import face
from firmware.gestures.clock_state import Answer, ClockState, CodeDoor
from firmware.menu.actions import Menu
from firmware.menu.setup import Setup
from firmware.table_menu.actions import CHANGE, SIGN, Draft, Signature, entry, opened
from firmware.texts import Texts, load_reasons, load_texts, message
from game.events import Verdict
from game.table import Assignment
from rules.duration import NS, parse_instant
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import BySide, Side
from tests.firmware.saying import play

LONG_REASON = (
    "improper procedure: tiles from another game were found in the bag, and both players have asked for the director of the division"
)
NASPA, NZ = "naspa-2017", "nzasp-2022"
NOT_RECORDED = "The game is not being recorded: /var/lib/tileclock/journal.db: the disk is full. Free some space."
STUCK = load_texts().say("notice.stuck", button="LEFT")
START, LATER = "0 press right", "374 press left"
STANDS = (START, "242 press left", "380.5 neutralise")
CHALLENGED = (START, "510 press left", "1108 challenge")
OVERTIME = (START, "1560 press left", "3098 press right")
HOLD = (START, LATER, "400 hold")
SIX_ZEROS = (START, "1487 press left", "2000 end reason=resignation loser=right")
OUT = (START, "1388 press left", "2848.5 out_play")
STOPPED = (NASPA, "400", START, "240.5 press left", "373.25 neutralise", '380 adjust left seconds=60 when="now" reason=ruling')

GAMES: dict[str, tuple[str, ...]] = {
    "ready": (NASPA, "5", "0 adjust right seconds=600 when=now reason=medical"),
    "late": (NASPA, "348", "300 late_start left"),
    "both_late": (NASPA, "348", "300 late_start both"),
    "running": (NASPA, "1151", START, LATER),
    "next_second": (NASPA, "1152", START, LATER),
    "low": (NASPA, "2845", START, "1388 press left"),
    "overtime": (NASPA, "3105.5", *OVERTIME),
    "credit": (NASPA, "3107.5", *OVERTIME, "3106 adjust left seconds=60 when=end reason=ruling"),
    "hold": (
        "naspa-2017-collins-5", "1616.5", START, "60 press left", "70 challenge", "90 verdict acceptable=true", "100 resume right",
        "700 press right", "1610.5 hold",
    ),
    "hold_long": (NASPA, "460", *HOLD),
    "hold_nz": (NZ, "410", *HOLD),
    "neutral": (NASPA, "400", *STANDS, "390 infraction right", "391 infraction right"),
    "called": (NASPA, "400", *STANDS, "395 call on=true"),
    "verdict": (NASPA, "400", START, "242 press left", "350.5 challenge", "390 verdict acceptable=false"),
    "verdict_points": (
        "naspa-2017-collins-10", "400", START, "242 press left", "350.5 challenge", "390 verdict acceptable=true words=2",
    ),
    "out_play": (NASPA, "2854", *OUT),
    "out_play_nz": (NZ, "2850", *OUT, "2849 hold"),
    "out_play_held": (NASPA, "2860", *OUT, "2852 hold"),
    "hold_stopped": (NASPA, "200", START, "100 press left", "120 hold", "160 neutralise"),
    "over": ("naspa-2014", "3213.5", START, "1487 press left", "3190 infraction right", "3200.5 end loser=left reason=resignation"),
    "over_just": (NASPA, "2006", START, "1487 press left", "1980 out_play"),
    "limit": (NASPA, "3400", START, "1261 press left"),
    "decision": (NASPA, "740", START, "500 press left", "700 neutralise reason=overdraw", "720.5 decide left"),
    "window_expired": (NASPA, "720", START, "500 press left", "702 neutralise", "704.5 window left name=overdraw_decision"),
}  # fmt: skip
"""Faces that a game alone makes: rulebook, instant and script."""
CHANGED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "answer": ((NASPA, "400", START, LATER), {"answers": (Answer(Side.LEFT, message("answer.hold"), 401 * NS),)}),
    "adjudication": ((NASPA, "1200", *CHALLENGED), {"offer": Verdict(acceptable=True)}),
    "adjudication_words": ((NZ, "1200", *CHALLENGED), {"offer": Verdict(acceptable=True, words=3)}),
    "not_recorded": ((NASPA, "0.5", START), {"notices": (NOT_RECORDED,)}),
    "door": ((NASPA, "400", *STANDS), {"door": CodeDoor(420 * NS, "121")}),
    "door_shut": ((NASPA, "400", *STANDS), {"door": CodeDoor(420 * NS, wrong=True), "wrong_codes": 3, "code_tried_at": 395 * NS}),
    "menu_first": (STOPPED, {"menu": Menu()}),
    "menu_over": ((NASPA, "2006", *SIX_ZEROS), {"menu": Menu()}),
    "menu": (STOPPED, {"menu": Menu("adjust", (Side.LEFT,), cursor=4)}),
    "menu_fine": (STOPPED, {"menu": Menu("adjust", (Side.LEFT,), cursor=5, amount=137 * NS, fine=True)}),
    "menu_confirm": (STOPPED, {"menu": Menu("infraction", (Side.LEFT,), cursor=1)}),
    "menu_key_off": (STOPPED, {"menu": Menu("adjust", (Side.LEFT,), key_off=True), "menu_closes_at": 410 * NS}),
}
"""Those that need more than the game: its script, and what else there is at the table."""


@cache
def setup_in(language: str, *, two_button: bool = False) -> Setup:
    return Setup(
        two_button=two_button,
        rulebooks=tuple((each, load_rulebook(each)) for each in shipped_ids()),
        texts=load_texts(language, two_button=two_button),
        reasons=load_reasons(),
        players_choose_rulebook=True,
    )


SETUP = setup_in("en")


def look(rulebook: str, t: str, *lines: str, notices: tuple[str, ...] = (), **changes: Any) -> Face:
    table = replace(ClockState(play(rulebook, *lines).history, SETUP), **changes)
    return face(table, parse_instant(t), notices)


@cache
def faces(language: str = "en") -> dict[str, Face]:
    setup = setup_in(language)
    at = partial(look, setup=setup)
    return {
        **{name: at(*script) for name, script in GAMES.items()},
        **{name: at(*script, **changes) for name, (script, changes) in CHANGED.items()},
        "long_reason": replace(at(*STOPPED), details=(LONG_REASON,)),
        **_noticed(at, setup.texts),
        **_fills(at, setup.texts),
        **_table_menus(at),
        **_results(setup),
    }


def _results(setup: Setup) -> dict[str, Face]:
    """Return the faces of a result: its pages, and what stands once it is signed or nothing is to be signed."""
    setup = replace(setup, results=True, seats=Assignment(7, BySide("Ada Lovelace", "Bo")))
    lines = (START, "1561 press left", "3098 end reason=x")
    recounting = (*lines, "3103 window name=recount")
    draft = Draft(BySide(412, 389), BySide(2, 0), entered=True)
    signature = Signature(3104 * NS, BySide(392, 379))

    def page(
        path: tuple[str, ...], draft: Draft = draft, rulebook: str = NASPA, ends: tuple[str, ...] = lines, *, without_screen: bool = False
    ) -> Face:
        menu = replace(opened(play(rulebook, *ends).history.game_at(3105 * NS)), path=path)
        return look(rulebook, "3105", *ends, setup=replace(setup, screen=not without_screen), table_menu=menu, draft=draft)

    row = 'result scores={"left":412,"right":389} taken_off=false final={"left":392,"right":379} signed_ns={"left":0,"right":7} '
    signed = f'3102 {row}names={{"left":"Ada","right":"Bo"}}'
    return {
        "result_unsigned": look(NASPA, "3105", *lines, setup=setup),
        "result_score": page(entry("score", Side.RIGHT, 1)),
        "result_words": page(entry("words", Side.LEFT), rulebook=NZ),
        "result_sign": page(SIGN, ends=recounting),
        "result_sign_one": page(SIGN, replace(draft, signatures=BySide(signature, None)), ends=recounting),
        "result_sign_limit": page(SIGN, replace(draft, scores=BySide(530, 389)), ends=(START,)),
        "result_sign_words": page(SIGN, rulebook=NZ),
        "result_change": page(CHANGE),
        "result_change_led": page(CHANGE, without_screen=True),
        "result_paper_led": page(("next_game",), without_screen=True),
        "result_signed": look(NASPA, "3105", *lines, signed, setup=setup),
        "result_disputed": look(NASPA, "3105.5", *lines, signed, "3105 call on=true disputes=true", setup=setup),
        "result_forfeit": look(NASPA, "1700", "0 late_start left", setup=setup),
    }


def _noticed(at: Callable[..., Face], texts: Texts) -> dict[str, Face]:
    recovered = texts.say("notice.recovered", until="10:20:30", seconds=2)
    refused = texts.say(
        "notice.settings_kept",
        why="/boot/firmware/tileclock.toml: screen.layout is \"wide\", expected 'facing', 'side_by_side' or 'single'",
    )
    return {
        "settings_refused": at(NASPA, "0", notices=(refused,)),
        "recovered": at(NASPA, "0", START, "700 press left", "1600 neutralise", notices=(recovered, STUCK), frozen=1600 * NS),
    }


def _fills(at: Callable[..., Face], texts: Texts) -> dict[str, Face]:
    def fill(base: Face, where: Side | None, let_go: str, hold_on: str, done: float = 0.6) -> Face:
        said = [texts.say(f"fill.{kind}", what=texts.say(f"fill.{key}")) for kind, key in (("letting_go", let_go), ("holding_on", hold_on))]
        return replace(base, fills=(FillFace(where, said[0], said[1], int(done * FILL_STEPS)),))

    stands = at(NASPA, "400", *STANDS)
    return {
        "fill_own": fill(at(*GAMES["running"]), Side.LEFT, "let_go.nothing", "hold_on.hold"),
        "fill_out": fill(stands, Side.RIGHT, "let_go.opponent_runs", "hold_on.out_play"),
        "fill_verdict": fill(at(NASPA, "1200", *CHALLENGED), Side.RIGHT, "let_go.nothing", "hold_on.i_challenge"),
        "fill_bar": fill(stands, None, "let_go.stopped", "hold_on.menu", 0.3),
    }


def _table_menus(at: Callable[..., Face]) -> dict[str, Face]:
    def table_menu(t: str, *lines: str, path: tuple[str, ...] = (), chosen: str | None = None) -> Face:
        now = parse_instant(t)
        menu = replace(opened(play(NASPA, *lines).history.game_at(now)), path=path, chosen=chosen)
        return at(NASPA, t, *lines, table_menu=menu)

    return {
        "table_menu": table_menu("400", *STANDS, chosen="frames"),
        "table_menu_late": table_menu("348", "300 late_start left"),
        "table_menu_over": table_menu("2006", *SIX_ZEROS),
        "table_menu_frames": table_menu("400", *STANDS, path=("frames",)),
        "table_menu_reasons": table_menu("400", *STANDS, path=("reason",), chosen="blank clarification"),
        "table_menu_who": table_menu("400", *STANDS, path=("infraction",)),
        "table_menu_agree": table_menu("400", START, "390 press left", path=("take_back",)),
        "table_menu_six_zeros": table_menu("400", *STANDS, path=("six_zeros",)),
    }


FACES = faces()
