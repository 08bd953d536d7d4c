"""What the director orders, and which clocks of the listener's picture it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from pydantic import ValidationError

from hall.errors import RequestError
from hall.picture import OrderAddress
from rules.side import BySide
from rules.tables import tables_of as parsed_tables
from wire.proposals import ORDER


class Instruction(Struct, frozen=True):
    """An act with its keys, as on the wire."""

    do: str
    keys: Mapping[str, Any]


CLEAR = Instruction("clear", {})
"""The notice and the request to stop go."""
UPDATE = Instruction("update", {})
"""The machine installs what its own package sources offer, between games; the order carries no software."""


NO_TIMER = Instruction("timer", {"begins": None})
"""The hall's timer goes."""


def notice(text: str, seconds: int) -> Instruction:
    """Return a line on the face for 5 to 600 seconds."""
    return Instruction("notice", {"text": text, "seconds": seconds})


def stop(text: str) -> Instruction:
    """Return the request to stop; a clock with ``freeze = "hard"`` stops itself. ``text`` empty: the clock's own words, in its language."""
    return Instruction("stop", {"text": text})


def round_begins(began: int | None) -> Instruction:
    """Return when the round began or begins, in ns of the clock's own CLOCK_MONOTONIC; None: no start is set."""
    return Instruction("round", {"began": began})


def timer(shown: Mapping[str, Any], offset: int) -> Instruction:
    """Return the hall's timer, as browsers have it (``begins`` in µs of the desk), for a clock; ``offset``: from its machine to the desk's, in ns."""
    return Instruction("timer", {**shown, "begins": shown["begins"] * 1000 - offset, "warnings": tuple(shown["warnings"])})


def assignment(table: int, left: str, right: str, lexicon: str | None = None) -> Instruction:
    """Return table, names (empty: none) and the SHA-256 of the list to judge by."""
    return Instruction("assign", {"table": table, "left": left, "right": right, "lexicon": lexicon})


def next_game(rulebook: str, left_seconds: int | None = None, right_seconds: int | None = None) -> Instruction:
    """Return a set-up that the clock offers for the next game; None: the rulebook's regulation."""
    return Instruction("setup", {"rulebook": rulebook, "left_seconds": left_seconds, "right_seconds": right_seconds})


def new_settings(
    language: str | None = None,
    led_brightness: int | None = None,
    *,
    buzzer_enabled: bool | None = None,
    players_choose_rulebook: bool | None = None,
    results: str | None = None,
) -> Instruction:
    """Return settings that the clock takes up between games; None: as it is."""
    keys = {
        "language": language,
        "led_brightness": led_brightness,
        "buzzer_enabled": buzzer_enabled,
        "players_choose_rulebook": players_choose_rulebook,
        "results": results,
    }
    return Instruction("settings", {key: value for key, value in keys.items() if value is not None})


def body_of(act: Instruction, order: str, issuer: str, device: str, to: OrderAddress) -> str:
    """Return the text that the director signs; raises ``RequestError`` if a key is missing or out of its range.

    ``order``: 32 random hex digits. ``issuer``: the desk's name. ``to``: what stood there when the clock was last heard.
    """
    named = {"id": order, "issuer": issuer, "device": device, "epoch": to.epoch, "game": to.game, "number": to.number, "nonce": to.nonce}
    try:
        return ORDER.validate_python({**named, "do": act.do, **act.keys}).model_dump_json()
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        what = str(fault["loc"][-1]) if fault["loc"] else act.do
        raise RequestError(
            where=what, expected=fault["msg"][:1].lower() + fault["msg"][1:], found=repr(fault["input"])[:60], remedy="Nothing was sent"
        ) from error


class OrderTarget(Struct, frozen=True):
    """A clock that an order may be for."""

    id: str
    name: str
    table: int | None
    names: BySide[str]
    address: OrderAddress | None
    """None: it is not heard."""

    @property
    def title(self) -> str:
        return self.name if self.table is None else f"Table {self.table} ({self.name})"


def tables_of(spans: Iterable[str]) -> tuple[int, ...]:
    """Return the table numbers of texts such as ``12`` and ``1-20``; raises ``RequestError`` for others."""
    found: dict[int, None] = {}
    for span in spans:
        try:
            found |= dict.fromkeys(chain.from_iterable(parsed_tables(span)))
        except ValueError as error:
            raise RequestError(where="--table", expected="a table such as 12, or tables such as 1-20", found=f'"{span}"') from error
    return tuple(found)


def chosen(devices: Sequence[dict[str, Any]], tables: Sequence[int], names: Sequence[str], *, everyone: bool) -> tuple[OrderTarget, ...]:
    """Return the clocks at ``tables``, those with one of ``names`` (id or name), or all, in the order of the tables.

    Raises ``RequestError`` for a name that is none of a clock, or if nothing was chosen.
    """
    clocks = sorted((_clock(each) for each in devices if each["kind"] == "clock"), key=lambda each: (each.table or 1000, each.id))
    for name in names:
        if not any(name in (each.id, each.name) for each in clocks):
            raise RequestError(where="--device", expected="the id or the name of a clock", found=f'"{name}"', remedy="See tilehall status")
    found = tuple(each for each in clocks if everyone or each.table in tables or {each.id, each.name} & set(names))
    if not found:
        wanted = "a clock at one of these tables" if tables else "clocks: name them with --table, --device or --all"
        raise RequestError(expected=wanted, found="none", remedy="Nothing was sent")
    return found


def instructions(clocks: Iterable[OrderTarget], made: Callable[[OrderTarget], Instruction]) -> dict[str, Instruction]:
    return {clock.id: made(clock) for clock in clocks}


def _clock(device: dict[str, Any]) -> OrderTarget:
    names = {"left": "", "right": ""} if device["clock"] is None else device["clock"]["names"]
    address = None if device["address"] is None else OrderAddress(**device["address"])
    return OrderTarget(device["id"], device["name"], device["table"], BySide(names["left"], names["right"]), address)
