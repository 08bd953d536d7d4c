"""Faces of a clock in a hall, one for everything that a hall adds."""

from typing import Any

from msgspec.structs import replace

from appliance.qr import qr_rows
from firmware.face.guidance import with_receipt
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import (
    SAID,
    Decision,
    HallState,
    HallTimer,
    LinkSign,
    ShownNotice,
    StationVerdict,
    VerdictRefused,
    decide,
)
from firmware.table_menu.actions import SIGN, Draft, opened
from game.events import Event
from game.table import Assignment
from rules.duration import NS, parse_instant
from rules.side import BySide
from tests.firmware.saying import play
from tests.firmware.screens.faces import setup_in
from wire.proposals import ORDER, Order, VerdictBody
from wire.reports import JoinRequest

PLACE = Assignment(12, BySide("Ana María Fernández", "Björn Šťastný"))
RUNNING = ("0 press right", "374 press left")
CLOCK = "c-" + "a" * 16
STATION = "s-" + "b" * 16
OTHER_STATION = "s-" + "c" * 16
EPOCH = "0011223344556677"
NONCE, START = "0f" * 16, "0e" * 16
TIMER = HallTimer(1_000 * NS, 180, (30,), "Move 7")
CODE = tuple(qr_rows("0123456789abcdef" * 4))
_ROW = f"{EPOCH} 1234 {'0a' * 32}"
RECEIPT = tuple(qr_rows("\n".join(("TILECLOCK", "2026-07-03 #7", "Ada Lovelace 392", "Bo 379", _ROW, "A" * 107)), dense=True))
VERDICT = StationVerdict("0a" * 16, STATION, 4, 405 * NS, True, 2, ("QUIXOTRY", "ZA"))


def look(t: str, *lines: str, language: str = "en", up: bool = True, rulebook: str = "naspa-2017", **hall: Any) -> Face:
    table = ClockState(play(rulebook, *lines).history, setup_in(language))
    now = parse_instant(t)
    return HallState(PLACE, link=LinkSign.UP if up else LinkSign.DOWN, **hall).shown_on(face(table, now), table, now)


def hall_faces(language: str = "en") -> dict[str, Face]:
    over = ClockState(play("naspa-2017", *RUNNING, "1400 end reason=x").history, setup_in(language))
    set_up = order("setup", number=4, rulebook="nzasp-2022", left_seconds=1800, right_seconds=None)
    now = 1500 * NS
    sign = replace(
        over,
        setup=replace(over.setup, results=True),
        table_menu=replace(opened(over.history.game_at(now)), path=SIGN),
        draft=Draft(BySide(412, 389), entered=True),
    )
    over = replace(over, setup=replace(over.setup, offered=decided(over, set_up, 1500).offered))
    return {
        "running": look("400", *RUNNING, language=language),
        "no_hall": look("400", *RUNNING, language=language, up=False),
        "notice": look("400", *RUNNING, language=language, notice=ShownNotice("Lunch is at noon in room 2", 999 * NS)),
        "stop": look("400", *RUNNING, language=language, stop="fire alarm"),
        "verdict": look(
            "406",
            *RUNNING,
            "390 challenge",
            "405 verdict acceptable=true words=2",
            language=language,
            rulebook="naspa-2017-collins-5",
            verdict=VERDICT,
        ),
        "joins": look("0", language=language, up=False, joins=JoinRequest("cambridge", "1234-5678", CODE)),
        "updating": look("1500", *RUNNING, "1400 end reason=x", language=language, updates=True, updating=True),
        "set_up": HallState(PLACE, link=LinkSign.UP).shown_on(face(over, now), over, now),
        "sign": HallState(PLACE, link=LinkSign.UP).shown_on(face(sign, now), sign, now),
        "receipt": with_receipt(face(over, now), over, RECEIPT),
        "timer": look("1012.5", language=language, timer=TIMER),
        "timer_warned": look("1155", *RUNNING, "900 end reason=x", language=language, timer=TIMER),
        "timer_over": look("1180", language=language, timer=TIMER),
    }


def refusals(language: str, *lines: str, stop: str = "neutralise") -> dict[str, Face]:
    at = 405 * NS
    return {
        f"refused: {reason}": look("406", *lines, *RUNNING, f"390 {stop}", language=language, refused=VerdictRefused(reason, at))
        for reason in SAID
    }


def order(do: str, *, number: int = 1, name: str = "0a" * 16, **keys: Any) -> Order:
    to = {"device": CLOCK, "epoch": EPOCH, "game": 1, "number": number, "nonce": NONCE}
    return ORDER.validate_python({"id": name, "issuer": "desk-main", **to, "do": do, **keys})


def verdict(do: str = "verdict", *, challenge: int | None = 3, name: str = "0b" * 16, **keys: Any) -> VerdictBody:
    keys = {"acceptable": True, **keys} if do == "verdict" else keys
    to = {"station": STATION, "device": CLOCK, "epoch": EPOCH, "game": 1, "nonce": START}
    return VerdictBody.model_validate({"id": name, **to, "do": do, "challenge": challenge, **keys})


def call(name: str = "0c" * 16) -> VerdictBody:
    return verdict("call", challenge=None, name=name)


def decided(table: ClockState, proposal: Order | VerdictBody, at_s: float, hall: HallState | None = None) -> Decision:
    return decide(table, HallState() if hall is None else hall, proposal, int(at_s * NS))


def made(decision: Decision) -> list[Event]:
    return [event for event, _ in decision.events]
