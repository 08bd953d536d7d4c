"""Rows of the journal in words, for ``tileclock journal list`` and ``show`` and for the hall's desk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from appliance.clocks import wall_in_words
from appliance.records.chain import ChainLink
from faults.errors import Phrase, as_phrase, in_a_row
from game.event_table import Rulebooks
from game.exact_json import Malformed, decode
from game.forms import ALLOWANCE
from records.device_test import tested_in
from records.games import EXTRAS, fold
from records.journal import ACCEPTED, Kind, Row
from rules.duration import NS, NotSeconds, reading
from rules.side import Side

_MS = 1_000_000
SIDES: Final[Mapping[Side, Phrase]] = {Side.LEFT: Phrase("left"), Side.RIGHT: Phrase("right")}
_SIDE: Final = {Side.LEFT: as_phrase("left {value}"), Side.RIGHT: as_phrase("right {value}")}
_MESSAGES: Final[Mapping[str, str]] = {
    "notice": Phrase("notice"),
    "stop": Phrase("request to stop"),
    "clear": Phrase("notice taken back"),
    "assign": Phrase("table and names"),
    "setup": Phrase("set-up of the next game"),
    "round": Phrase("start of the round"),
    "timer": Phrase("hall timer"),
    "settings": Phrase("settings"),
    "update": Phrase("update of the software"),
    "verdict": Phrase("verdict"),
    "conceded": Phrase("challenge conceded"),
    "withdrawn": Phrase("challenge withdrawn"),
    "call": Phrase("call of the director"),
}


def title(rows: Sequence[ChainLink[Row]], rulebooks: Rulebooks) -> str:
    """Return one line for a game: number, wall time, rulebook, phase or reason of its end, readings."""
    game = rows[0].row.game
    wall = next((stored.row.wall for stored in rows if stored.row.kind == Kind.EVENT), rows[0].row.wall)
    folded = fold(rows, rulebooks)
    if folded.history is None:
        return f"{game:>4}  {wall_in_words(wall)}  cannot be read: {folded.refused[0].why if folded.refused else 'no beginning'}"
    now = max(stored.row.at for stored in rows if stored.row.kind != Kind.BOOT)
    state = folded.history.game_at(now)
    how = state.phase.value if state.reason is None else f"{state.phase.value}: {state.reason}"
    readings = ", ".join(f"{side} {reading(state.remaining(side, now))}" for side in Side)
    unfit = f"  ({len(folded.refused)} rows do not fit)" if folded.refused else ""
    return f"{game:>4}  {wall_in_words(wall)}  {state.rulebook.id}  {how}  {readings}{unfit}"


class RowWords(Struct, frozen=True):
    since_ns: int
    """From the game's first event."""
    wall: str
    number: int | None
    """The event's number; None: the row is no event's."""
    fields: Mapping[str, Any]
    what: str
    fate: str
    """What later happened to the event, such as ``struck by event 5``; empty: nothing."""
    faces: tuple[tuple[str, str], ...]


def row_words(rows: Sequence[ChainLink[Row]]) -> Iterator[RowWords]:
    fates = _fates(rows)
    start = min((stored.row.at for stored in rows if stored.row.kind == Kind.EVENT), default=0)
    for stored in rows:
        row, fields = stored.row, _fields(stored)
        faces = tuple((when, _face(fields[when])) for when in (Phrase("before"), Phrase("after")) if isinstance(fields.get(when), dict))
        what, fate = _description(row.kind, fields), "" if row.number is None else fates.get(row.number, "")
        yield RowWords(row.at - start, row.wall, row.number, fields, what, fate, faces)


def lines(rows: Sequence[ChainLink[Row]]) -> Iterator[str]:
    for row in row_words(rows):
        number, fate = "" if row.number is None else str(row.number), f"  ({row.fate})" if row.fate else ""
        yield f"{elapsed(row.since_ns):>10}  {wall_in_words(row.wall)}  {number:>4}  {row.what}{fate}"
        for when, face in row.faces:
            yield f"{'':>10}  {when}: {face}"


def elapsed(ns: int) -> str:
    """Return ``m:ss.fff`` for ``ns``, cut to the millisecond."""
    minutes, rest = divmod(abs(ns) // _MS, 60_000)
    return f"{'-' if ns < 0 else ''}{minutes}:{rest // 1000:02d}.{rest % 1000:03d}"


def own_times(fields: Mapping[str, Any]) -> Phrase:
    """Return the times of its own that a set-up gives, such as ``20:00 each``; empty: it has those of its rulebook."""
    given: dict[Side, str] = {}
    for side in Side:
        with suppress(Malformed, NotSeconds):
            given[side] = reading(ALLOWANCE.parse(fields.get(f"{side}_seconds")))
    if len(given) == len(Side) and len(set(given.values())) == 1:
        return Phrase("{time} each", time=given[Side.LEFT])
    return sides_in_a_row(given)


def sides_in_a_row(given: Mapping[Side, object]) -> Phrase:
    return in_a_row(*(Phrase(_SIDE[side].template, value=value) for side, value in given.items()), between=", ")


def _fields(stored: ChainLink[Row]) -> dict[str, Any]:
    with suppress(ValueError):
        fields = decode(stored.row.body)
        # A clock of the hall may send anything in a row.
        if all(isinstance(fields.get(name, ""), str) for name in ("do", "what")):
            return fields
    return {"body": stored.row.body}


def _description(kind: str, fields: dict[str, Any]) -> str:
    do = fields.get("do", kind)
    if (own := _OWN_WORDS.get(do)) is not None:
        return own(fields)
    return _plain(do, fields)


def _plain(do: str, fields: dict[str, Any]) -> str:
    details = " ".join(_word(key, value) for key, value in fields.items() if key not in (*EXTRAS, "do", "edition"))
    return f"{do} {details}".rstrip()


def _fates(rows: Sequence[ChainLink[Row]]) -> dict[int | None, str]:
    fates: dict[int | None, str] = {}
    for stored in rows:
        fields = _fields(stored)
        for do, key, said in _CORRECTIONS:
            if fields.get("do") == do and isinstance(number := fields.get(key), int):
                fates[number] = Phrase(said.template, number=stored.row.number)
    return fates


_CORRECTIONS: Final = (
    ("undo", "event", as_phrase("struck by event {number}")),
    ("out_play", "press", as_phrase("was the out play of event {number}")),
)
"""The events that correct an earlier one, the key of its number, and what that one reads."""


def _recovered(fields: dict[str, Any]) -> Phrase:
    uncertain, refused = fields.get("uncertain_ns"), fields.get("refused")
    missing = (
        # Rounded up: a stated maximum must not be too low.
        Phrase("up to {time} of a running clock may be missing", time=elapsed(-(-uncertain // _MS) * _MS))
        if isinstance(uncertain, int) and uncertain
        else Phrase("no time is missing")
    )
    unfit = Phrase("; rows that did not fit: {rows}", rows="; ".join(map(str, refused))) if isinstance(refused, list) and refused else ""
    cause = Phrase(" ({cause})", cause=as_phrase(fields["cause"])) if "cause" in fields else ""
    return Phrase("recovered after an interruption{cause}: {missing}{unfit}", cause=cause, missing=missing, unfit=unfit)


def _proposal(fields: dict[str, Any]) -> Phrase:
    """Return what a message of the hall wanted, from whom, and the clock's answer."""
    what = fields.get("what")
    about: list[str] = [f' "{fields["text"]}"'] if fields.get("text") else []
    if isinstance(settings := fields.get("settings"), dict):
        about.append(" " + ", ".join(f"{name} = {value}" for name, value in settings.items()))
    if isinstance(setup := fields.get("setup"), dict):
        about += [" ", rulebook_and_times(setup)]
    if isinstance(begins := fields.get("round"), dict):
        about.append(_begins(begins.get("ago_s")))
    if isinstance(timer := fields.get("timer"), dict):
        seconds = timer.get("seconds")
        about += [*([Phrase(" of {time}", time=reading(seconds * NS))] if isinstance(seconds, int) else []), _begins(timer.get("ago_s"))]
    answer = str(fields.get("answer"))
    return Phrase(
        "from {issuer}: {message}{about}, {answer}{times}",
        issuer=fields.get("issuer"),
        message=_MESSAGES.get(str(what), what or Phrase("message")),
        about=in_a_row(*about, between=""),
        answer=Phrase("accepted") if answer == ACCEPTED else Phrase("refused ({reason})", reason=as_phrase(answer.replace("_", " "))),
        times=Phrase(", {count} times", count=fields["count"]) if "count" in fields else "",
    )


def rulebook_and_times(fields: Mapping[str, Any]) -> Phrase:
    return in_a_row(*filter(None, (str(fields.get("rulebook", "")), own_times(fields))), between=", ")


def _begins(ago_s: object) -> Phrase:
    """Return when a round began or begins, from the arrival of the message."""
    if not isinstance(ago_s, int):
        return Phrase(", none set")
    return Phrase(", {seconds} s ago", seconds=ago_s) if ago_s >= 0 else Phrase(", in {seconds} s", seconds=-ago_s)


def _assigned(fields: dict[str, Any]) -> Phrase:
    names = {side: fields[side.value] for side in Side if fields.get(side.value)}
    place = Phrase("table {table}", table=fields["table"]) if fields.get("table") is not None else Phrase("no table")
    words = Phrase("word list {name}", name=str(fields["lexicon"])[:16]) if fields.get("lexicon") else ""
    return Phrase("assigned: {place}", place=in_a_row(*filter(None, (place, sides_in_a_row(names), words)), between=", "))


def _verdict(fields: dict[str, Any]) -> Phrase:
    words, verdict = fields.get("words", 1), Phrase("acceptable") if fields.get("acceptable") else Phrase("unacceptable")
    if words == 1:
        return Phrase("verdict: {verdict}, 1 word challenged", verdict=verdict)
    return Phrase("verdict: {verdict}, {count} words challenged", verdict=verdict, count=words)


def _result(fields: dict[str, Any]) -> Phrase:
    """A clock of the hall may send anything in a row."""
    scores, final, names, words = (fields.get(key) for key in ("scores", "final", "names", "words"))
    pairs = [pair if isinstance(pair, dict) else {} for pair in (scores, final, names, words)]
    table = Phrase("table {table}", table=fields["table"]) if fields.get("table") is not None else ""
    both = (_score(side, *pairs) for side in Side)
    return Phrase("result signed by both: {result}", result=in_a_row(*filter(None, (table, *both)), between=", "))


def _score(side: Side, scores: Mapping[str, Any], final: Mapping[str, Any], names: Mapping[str, Any], words: Mapping[str, Any]) -> Phrase:
    one = side.value
    name = names.get(one) or SIDES[side]
    entered = "" if scores.get(one) == final.get(one) else Phrase(" ({score} entered)", score=scores.get(one))
    bonus = Phrase(", bonus words {words}", words=words[one]) if one in words else ""
    return Phrase("{name} {score}{entered}{bonus}", name=name, score=final.get(one), entered=entered, bonus=bonus)


def _word(key: str, value: object) -> str:
    if key in ("side", "when", "name", "rulebook"):
        return str(value)
    if key == "ago":
        return f"{value} s ago"
    return f"{key} {value}" if isinstance(value, str | int) and not isinstance(value, bool) else f"{key}: {value}"


def _face(face: dict[str, Any]) -> Phrase:
    sides = sides_in_a_row({side: _side(face.get(side.value)) for side in Side})
    reason = Phrase(" ({reason})", reason=as_phrase(face["reason"])) if face.get("reason") else ""
    return Phrase("{phase}{reason}; {sides}", phase=as_phrase(str(face.get("phase"))), reason=reason, sides=sides)


def _side(shown: Any) -> str:
    if not isinstance(shown, dict):
        return "?"
    owed = Phrase(", {seconds} s at the end", seconds=shown["credit"]) if shown.get("credit") else ""
    given = {name: shown.get(name) for name in ("reading", "penalty", "points")}
    return Phrase("{reading}{owed}, penalty {penalty}, points {points}", owed=owed, **given)


_OWN_WORDS: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    Kind.NOTE: lambda fields: (
        _plain("note", fields) if (test := tested_in(fields)) is None else Phrase("test of this clock: {result}", result=test.words)
    ),
    Kind.RECOVERED: _recovered,
    Kind.SIGNED: lambda fields: Phrase("signed by this clock up to row {row}", row=fields.get("seq")),
    Kind.PROPOSAL: _proposal,
    Kind.ASSIGNED: _assigned,
    "verdict": _verdict,
    "result": _result,
    "call": lambda fields: Phrase("call: the signed result is disputed") if fields.get("disputes") is True else _plain("call", fields),
}
