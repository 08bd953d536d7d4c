"""The receipt of a signed result: a few lines of text for a phone, the same from the clock's own rows and from those that the hall holds (docs/spec/result.md)."""

import base64
import binascii
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from appliance.clocks import is_dated
from appliance.records.chain import ChainLink
from game.event_table import parse_event
from game.events import Result
from game.exact_json import Malformed, decode
from records.journal import Kind, Row
from rules.rulebooks import load_rulebook
from rules.side import Side
from wire.topics import CLOCK, device_id

HEADING: Final = "TILECLOCK"
_DATE: Final = len("2026-11-29")


class Receipt(Struct, frozen=True):
    seq: int
    text: str
    """When, table, names, final scores, and epoch, number and hash of the row: a line each."""
    signature: str
    """One line more: the clock's id and its signature of that row's head; empty: there is none."""

    @property
    def whole(self) -> str:
        return f"{self.text}\n{self.signature}".rstrip()


def receipts(rows: Sequence[ChainLink[Row]], epoch: str) -> Iterator[Receipt]:
    """Yield the receipt of each result in ``rows`` of one journal, also of one that was struck later; ``epoch``: that journal's."""
    signatures = {signed.get("seq"): signed for signed in (_body(each) for each in rows if each.row.kind == Kind.SIGNED)}
    for each in rows:
        if (result := _result(each)) is not None:
            yield Receipt(each.seq, _text(each, result, epoch), _signature(each, signatures.get(each.seq, {})))


def _result(link: ChainLink[Row]) -> Result | None:
    body = _body(link) if link.row.kind == Kind.EVENT else {}
    if body.get("do") != "result":
        return None
    try:
        event = parse_event(body, load_rulebook)
    except Malformed:
        # A clock of the hall may send anything in a row.
        return None
    return event if isinstance(event, Result) else None


def _text(link: ChainLink[Row], result: Result, epoch: str) -> str:
    date = link.row.wall[:_DATE] if is_dated(link.row.wall) else "-"
    table = "" if result.table is None else f" #{result.table}"
    players = (f"{result.names.of(side) or side} {result.final.of(side)}" for side in Side)
    return "\n".join((HEADING, f"{date}{table}", *players, f"{epoch} {link.seq} {link.hash}"))


def _signature(link: ChainLink[Row], signed: dict[str, Any]) -> str:
    if signed.get("head") != link.hash:
        return ""
    try:
        return f"{device_id(CLOCK, base64.b64decode(signed['key'], validate=True))} {signed['signature']}"
    except (KeyError, TypeError, binascii.Error):
        return ""


def _body(link: ChainLink[Row]) -> dict[str, Any]:
    try:
        return decode(link.row.body)
    except Malformed:
        return {}
