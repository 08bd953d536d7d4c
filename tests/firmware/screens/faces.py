"""Faces of real games, one for everything a screen may have to show: each is a script, looked at at an instant."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

from firmware.core.events import When
from firmware.face.value import FILL_STEPS, Face, FillFace
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.gestures.door import CodeDoor
from firmware.gestures.fill import Answer
from firmware.gestures.offer import Offer, OfferKind
from firmware.menu.menu import Menu
from firmware.menu.setup import Setup
from firmware.table_menu.value import opened
from firmware.texts import load_texts
from firmware.texts.message import message
from firmware.texts.reasons import load_reasons
from rules.duration import NS, parse_instant
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import Side
from tests.firmware.saying import play

LANGUAGES = ("en", "fr", "es")
LONG_REASON = (
    "improper procedure: tiles from another game were found in the bag, and both players have asked for the director of the division"
)


def stopped(reason: str) -> Any:
    """Return the lines of a game that was stopped, and then adjusted for a reason too long to fit."""
    return (
        "0 press right",
        "240.5 press left",
        "373.25 neutralise",
        f'380 adjust left seconds=60 when="now" reason={reason.split(maxsplit=1)[0]}',
    )


OVERTIME = ("0 press right", "1560 press left", "3098 press right", "3106 adjust left seconds=60 when=end reason=ruling")
NOT_RECORDED = "The game is not being recorded: /var/lib/tileclock/journal.db: the disk is full. Free some space."
STUCK = load_texts().say("notice.stuck", button="LEFT")
START, LATER = "0 press right", "374 press left"
HOLD = (START, LATER, "400 hold")
SIX_ZEROS = "2000 end reason=resignation loser=right"
OUT = (START, "1388 press left", "2848.5 out_play")


@cache
def setup_in(language: str) -> Setup:
    """Return the setup of a table whose face speaks that language."""
    return Setup(
        two_button=False,
        rulebooks=tuple((each, load_rulebook(each)) for each in shipped_ids()),
        texts=load_texts(language),
        reasons=load_reasons(),
        players_choose_rulebook=True,
    )


SETUP = setup_in("en")


def look(rulebook: str, t: str, *lines: str, notices: tuple[str, ...] = (), **changes: Any) -> Face:
    """Return the face at ``t`` of a game in which ``lines`` were said; ``changes`` are the table's."""
    table = replace(ClockState(play(rulebook, *lines).record, SETUP), **changes)
    return face(table, parse_instant(t), notices)


@cache
def faces(language: str = "en") -> dict[str, Face]:
    """Return the faces in that language, by name."""
    setup = setup_in(language)
    texts = setup.texts
    at = partial(look, setup=setup)

    def table_menu(rulebook: str, t: str, *lines: str, path: tuple[str, ...] = (), chosen: str | None = None) -> Face:
        now = parse_instant(t)
        menu = replace(opened(play(rulebook, *lines).record.game_at(now), now), path=path, chosen=chosen)
        return at(rulebook, t, *lines, table_menu=menu)

    def fill(base: Face, where: Side | None, let_go: str, hold_on: str, done: float = 0.6) -> Face:
        said = [texts.say(f"fill.{kind}", what=texts.say(f"fill.{key}")) for kind, key in (("letting_go", let_go), ("holding_on", hold_on))]
        return replace(base, fills=(FillFace(where, said[0], said[1], int(done * FILL_STEPS)),))

    recovered = texts.say("notice.recovered", until="10:20:30 UTC", seconds=2)
    refused = texts.say(
        "notice.settings_kept",
        why="/boot/firmware/tileclock.toml: screen.layout is \"wide\", expected 'facing', 'side_by_side' or 'single'",
    )
    running = at("naspa-2017", "1151", START, LATER)
    stands = (START, "242 press left", "380.5 neutralise")
    return {
        "ready": at("naspa-2017", "5", "0 adjust right seconds=600 when=now reason=medical"),
        "late": at("naspa-2017", "348", "300 late_start left"),
        "both_late": at("naspa-2017", "348", "300 late_start both"),
        "running": running,
        "next_second": at("naspa-2017", "1152", START, LATER),
        "low": at("naspa-2017", "2845", START, "1388 press left"),
        "overtime": at("naspa-2017", "3105.5", *OVERTIME[:3]),
        "credit": at("naspa-2017", "3107.5", *OVERTIME),
        "hold": at(
            "naspa-2017-collins-5",
            "1616.5",
            "0 press right",
            "60 press left",
            "70 challenge",
            "90 verdict acceptable=true",
            "100 resume right",
            "700 press right",
            "1610.5 hold",
        ),
        "hold_long": at("naspa-2017", "460", *HOLD),
        "hold_nz": at("nzasp-2022", "410", *HOLD),
        "neutral": at("naspa-2017", "400", *stands, "390 infraction right", "391 infraction right"),
        "answer": at("naspa-2017", "400", START, LATER, answers=(Answer(Side.LEFT, message("answer.hold"), 401 * NS),)),
        "called": at("naspa-2017", "400", *stands, "395 call on=true"),
        "verdict": at("naspa-2017", "400", START, "242 press left", "350.5 challenge", "390 verdict acceptable=false"),
        "verdict_points": at(
            "naspa-2017-collins-10", "400", START, "242 press left", "350.5 challenge", "390 verdict acceptable=true words=2"
        ),
        "out_play": at("naspa-2017", "2854", *OUT),
        "out_play_nz": at("nzasp-2022", "2850", *OUT, "2849 hold"),
        "out_play_held": at("naspa-2017", "2860", *OUT, "2852 hold"),
        "hold_stopped": at("naspa-2017", "200", START, "100 press left", "120 hold", "160 neutralise"),
        "adjudication": at("naspa-2017", "1200", START, "510 press left", "1108 challenge", offer=Offer(OfferKind.ACCEPTABLE)),
        "adjudication_words": at("nzasp-2022", "1200", START, "510 press left", "1108 challenge", offer=Offer(OfferKind.ACCEPTABLE, 3)),
        "over": at("naspa-2014", "3213.5", START, "1487 press left", "3190 infraction right", "3200.5 end loser=left reason=resignation"),
        "over_just": at("naspa-2017", "2006", START, "1487 press left", SIX_ZEROS),
        "limit": at("naspa-2017", "3400", START, "1261 press left"),
        "decision": at("naspa-2017", "740", START, "500 press left", "700 neutralise reason=overdraw", "720.5 decide left"),
        "window_expired": at("naspa-2017", "720", START, "500 press left", "702 neutralise", "704.5 window left name=overdraw_decision"),
        "not_recorded": at("naspa-2017", "0.5", START, notices=(NOT_RECORDED,)),
        "settings_refused": at("naspa-2017", "0", notices=(refused,)),
        "recovered": at("naspa-2017", "0", START, "700 press left", "1600 neutralise", notices=(recovered, STUCK), frozen=1600 * NS),
        "long_reason": replace(at("naspa-2017", "400", *stopped("ruling")), details=(LONG_REASON,)),
        "fill_own": fill(running, Side.LEFT, "let_go.nothing", "hold_on.hold"),
        "fill_out": fill(at("naspa-2017", "400", *stands), Side.RIGHT, "let_go.opponent_runs", "hold_on.out_play"),
        "fill_verdict": fill(
            at("naspa-2017", "1200", START, "510 press left", "1108 challenge"), Side.RIGHT, "let_go.no_verdict", "hold_on.i_challenge"
        ),
        "fill_bar": fill(at("naspa-2017", "400", *stands), None, "let_go.stopped", "hold_on.menu", 0.3),
        "table_menu": table_menu("naspa-2017", "400", *stands, chosen="frames"),
        "table_menu_late": table_menu("naspa-2017", "348", "300 late_start left"),
        "table_menu_over": table_menu("naspa-2017", "2006", START, "1487 press left", SIX_ZEROS),
        "table_menu_frames": table_menu("naspa-2017", "400", *stands, path=("frames",)),
        "table_menu_reasons": table_menu("naspa-2017", "400", *stands, path=("reason",), chosen="blank clarification"),
        "table_menu_who": table_menu("naspa-2017", "400", *stands, path=("infraction",)),
        "table_menu_agree": table_menu("naspa-2017", "400", START, "390 press left", path=("take_back",)),
        "table_menu_six_zeros": table_menu("naspa-2017", "400", *stands, path=("six_zeros",)),
        "door": at("naspa-2017", "400", *stands, door=CodeDoor(420 * NS, (Side.LEFT, Side.RIGHT, Side.LEFT))),
        "door_shut": at("naspa-2017", "400", *stands, door=CodeDoor(420 * NS, wrong=True, shut_until=425 * NS)),
        "menu_first": at("naspa-2017", "400", *stopped("ruling"), menu=Menu()),
        "menu_over": at("naspa-2017", "2006", START, "1487 press left", SIX_ZEROS, menu=Menu()),
        "menu": at("naspa-2017", "400", *stopped("ruling"), menu=Menu("adjust", (Side.LEFT,), cursor=2, amount=60 * NS)),
        "menu_confirm": at(
            "naspa-2017",
            "400",
            *stopped("ruling"),
            menu=Menu("adjust", (Side.LEFT, -60 * NS, When.NOW, "third minor infraction"), cursor=1),
        ),
    }


FACES = faces()
