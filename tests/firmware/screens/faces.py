"""Faces of real games, one for everything a screen may have to show: each is a script, looked at at an instant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from firmware.core.events import When
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.gestures.offer import NO_OFFER, Offer, OfferKind
from firmware.menu.menu import Menu
from firmware.menu.setup import Setup
from firmware.texts import load_texts
from firmware.texts.reasons import load_reasons
from rules.duration import NS, parse_instant
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.firmware.saying import play

SETUP = Setup(two_button=False, rulebooks=(("naspa-2017", load_rulebook("naspa-2017")),), texts=load_texts(), reasons=load_reasons())
LONG_REASON = (
    "improper procedure: tiles from another game were found in the bag, and both players have asked for the director of the division"
)


def look(rulebook: str, t: str, *lines: str, notices: tuple[str, ...] = (), **changes: Any) -> Face:
    """Return the face at ``t`` of a game in which ``lines`` were said."""
    table = replace(ClockState(play(rulebook, *lines).record, SETUP), **changes)
    return face(table, parse_instant(t), notices)


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
RECOVERED = SETUP.texts.say("notice.recovered", until="10:20:30 UTC", seconds=2)
REFUSED = SETUP.texts.say(
    "notice.settings_kept", why="/boot/firmware/tileclock.toml: screen.layout is \"wide\", expected 'facing', 'side_by_side' or 'single'"
)
STUCK = SETUP.texts.say("notice.stuck", button="LEFT")

FACES: dict[str, Face] = {
    "ready": look("naspa-2017", "5", "0 adjust right seconds=600 when=now reason=medical"),
    "late": look("naspa-2017", "348", "300 late_start left"),
    "running": look("naspa-2017", "1151", "0 press right", "374 press left"),
    "next_second": look("naspa-2017", "1152", "0 press right", "374 press left"),
    "overtime": look("naspa-2017", "3105.5", *OVERTIME[:3]),
    "credit": look("naspa-2017", "3107.5", *OVERTIME),
    "hold": look(
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
    "neutral": look(
        "naspa-2017", "400", "0 press right", "242 press left", "380.5 neutralise", "390 infraction right", "391 infraction right"
    ),
    "verdict": look("naspa-2017", "400", "0 press right", "242 press left", "350.5 challenge", "390 verdict acceptable=false"),
    "verdict_points": look(
        "naspa-2017-collins-10", "400", "0 press right", "242 press left", "350.5 challenge", "390 verdict acceptable=true words=2"
    ),
    "out_play": look("naspa-2017", "2854", "0 press right", "1388 press left", "2848.5 out_play"),
    "out_play_nz": look("nzasp-2022", "2850", "0 press right", "1388 press left", "2848.5 out_play", "2849 hold"),
    "out_play_held": look("naspa-2017", "2860", "0 press right", "1388 press left", "2848.5 out_play", "2852 hold"),
    "hold_stopped": look("naspa-2017", "200", "0 press right", "100 press left", "120 hold", "160 neutralise"),
    "adjudication": look("naspa-2017", "1200", "0 press right", "510 press left", "1108 challenge", offer=Offer(OfferKind.ACCEPTABLE)),
    "over": look("naspa-2014", "3213.5", "0 press right", "1487 press left", "3190 infraction right", "3200.5 end reason=resignation"),
    "limit": look("naspa-2017", "3400", "0 press right", "1261 press left"),
    "decision": look("naspa-2017", "740", "0 press right", "500 press left", "700 neutralise reason=overdraw", "720.5 decide left"),
    "window_expired": look("naspa-2017", "720", "0 press right", "500 press left", "704.5 window name=overdraw_decision"),
    "not_recorded": look("naspa-2017", "0.5", "0 press right", notices=(NOT_RECORDED,)),
    "settings_refused": look("naspa-2017", "0", notices=(REFUSED,)),
    "recovered": look(
        "naspa-2017",
        "0",
        "0 press right",
        "700 press left",
        "1600 neutralise",
        notices=(RECOVERED, STUCK),
        frozen=1600 * NS,
    ),
    "long_reason": replace(
        look("naspa-2017", "400", *stopped("ruling")),
        details=(LONG_REASON, "LEFT is on turn: RIGHT presses"),
    ),
    "menu": look("naspa-2017", "400", *stopped("ruling"), menu=Menu("adjust", (Side.LEFT,), cursor=2, amount=60 * NS)),
    "menu_confirm": look(
        "naspa-2017",
        "400",
        *stopped("ruling"),
        menu=Menu("adjust", (Side.LEFT, -60 * NS, When.NOW, "third minor infraction"), cursor=1),
    ),
}
