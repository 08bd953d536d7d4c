"""A challenge as a station's log has it: which words, by which list, with which result. Never which word failed: no log has that."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType
from typing import Any, Final

from game.challenge_log.entry import Entry, Kind, LexiconName
from game.challenge_log.row import BadEntry, decode
from hall.picture.hall import RemoteDevice

_WORDS: Final = {
    Kind.LOOKUP: "",
    Kind.REPEAT: "the same challenge again",
    Kind.SECOND_OPINION: "second opinion",
    Kind.MANUAL: "by a word judge",
    Kind.WITHDRAWN: "withdrawn",
    Kind.CONCEDED: "conceded",
    Kind.ABORTED: "words typed, not judged",
    Kind.REFUSED: "not judged",
}
"""The kinds of rows that end or break off a challenge, and the words beside the verdict."""
_FORM: Final = ((int,), (str,), (int,), (str,), (str,), (str,), (int, NoneType), (str,))
"""The types of a row's fields: a station may send anything."""


@dataclass(frozen=True, slots=True)
class LoggedVerdict:
    """One row."""

    station: str
    device: str
    row: int
    at: int | None
    """When, in ns of the listener; None: the time of the station's machine is not known."""
    wall: str
    """When, by the station's own date."""
    table: int | None
    words: tuple[str, ...]
    acceptable: bool | None
    said: str
    """What kind of row it is, where it is no first look-up, and why."""
    lexicon: LexiconName | None


def station_verdict(device: RemoteDevice, fields: list[Any]) -> LoggedVerdict | None:
    """Return a row of a station's log (``game.challenge_log.row.covered``) for the page; None: it is no challenge, or not in the form of this release."""
    if len(fields) != len(_FORM) or not all(type(value) in kinds for value, kinds in zip(fields, _FORM, strict=True)):
        return None
    seq, kind, mono, boot, wall, station, table, body = fields
    if kind not in _WORDS:
        return None
    try:
        entry = decode(kind, table, body)
    except BadEntry:
        return None
    exchange = device.offsets.of_boot(boot).best
    return LoggedVerdict(
        station=station,
        device=device.id,
        row=seq,
        at=None if exchange is None else mono + exchange.offset,
        wall=wall,
        table=table,
        words=entry.words,
        acceptable=entry.acceptable,
        said=_said(entry),
        lexicon=entry.lexicon,
    )


def _said(entry: Entry) -> str:
    return ": ".join(filter(None, (_WORDS[entry.kind], entry.why or "")))


def newest_first(verdict: LoggedVerdict) -> tuple[int, str, int]:
    """Return the sort key: the latest first, those of an unknown time last."""
    return (0 if verdict.at is None else -verdict.at), verdict.device, -verdict.row
