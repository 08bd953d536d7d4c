"""Scripts: JSON Lines in order, each with an exact instant, and the face as the line that ``show`` prints (docs/spec/events.md).

``show`` and ``edge`` are not events of the game; each is a value of its own. Numbers are exact: no instant or duration passes through a float.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, NoReturn, TypeAlias

from msgspec import Struct

from faults.errors import TileclockError
from game.event_table import Rulebooks, parse_by, parse_event
from game.event_values import Malformed
from game.events import By, Event, NewGame
from game.game import Game, Window
from rules.duration import NS, format_seconds, parse_instant, reading
from rules.side import Side

BUTTONS: Final = ("left", "right", "centre", "up", "down", "ok", "key")
"""The buttons of the format. The core does not import ``hardware``; a test compares this list with the boards."""


class Show(Struct, frozen=True):
    """Print the face as JSON."""


class ScriptEdge(Struct, frozen=True):
    """A raw contact edge of a button."""

    button: str
    down: bool


Command: TypeAlias = Event | Show | ScriptEdge


class ScriptLine(Struct, frozen=True):
    """One line: its number in the file, its instant as written and in ns, its command, and who made it where that is stated."""

    number: int
    t: str
    at: int
    command: Command
    by: By | None = None
    edition: bool = True
    """False: the first line, a ``new_game`` that names no edition."""


def read_lines(rows: Iterable[bytes], name: str, rulebooks: Rulebooks) -> Iterator[ScriptLine]:
    """Yield the lines of a script lazily, from its undecoded rows. ``Malformed`` names the file and the line."""
    last = 0
    begun = False
    known = lru_cache(maxsize=_COMMANDS_KEPT)(lambda rest: _command_of(rest, rulebooks))
    for number, row in enumerate(rows, 1):
        try:
            text = row.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if not text or text.startswith("//"):
                continue
            line = (_repeated_line(number, text, known) if begun else None) or _line(number, text, rulebooks, first=not begun)
            if not begun and not isinstance(line.command, NewGame):
                raise Malformed(expected="a new_game in the first line", found="another event")
            if line.at < last:
                raise Malformed(expected="lines in the order of their times", found=f"{line.t} after a later one")
        except RecursionError as error:
            raise Malformed(where=f"{name}:{number}", expected="one flat JSON object", found="one nested too deep") from error
        except (ValueError, ArithmeticError) as error:
            malformed = _malformed(error)
            malformed.locate(f"{name}:{number}")
            raise malformed from error
        last, begun = line.at, True
        yield line


def _repeated_line(number: int, text: str, known: Callable[[str], tuple[Command, By | None]]) -> ScriptLine | None:
    """Return the line if ``known`` reads its command; None: the line has to be read whole, which finds the place of an error too."""
    parts = _INSTANT_FIRST(text)
    if parts is None:
        return None
    t, whole, fraction, rest = parts.groups()
    try:
        command, by = known(rest)
    except ValueError:
        return None
    # As ``parse_instant``, whose checks the pattern has made.
    return ScriptLine(number, t, int(whole + (fraction or "").ljust(9, "0")), command, by)


def _line(number: int, text: str, rulebooks: Rulebooks, *, first: bool) -> ScriptLine:
    fields = _decode(text)
    t = fields.pop("t", None)
    if not isinstance(t, str):
        raise Malformed(expected='"t" to be a text of decimal seconds', found=repr(str(t)[:40]))
    at, command = parse_instant(t), _parse_command(fields, rulebooks)
    if first or "by" in fields:
        return ScriptLine(number, t, at, command, parse_by(fields), edition=not first or "edition" in fields)
    return ScriptLine(number, t, at, command)


def _command_of(rest: str, rulebooks: Rulebooks) -> tuple[Command, By | None]:
    """Return the command of a line without its instant, and who made it."""
    fields = _decode("{" + rest)
    if "t" in fields:
        raise Malformed(expected="each key once", found="'t' again")
    return _parse_command(fields, rulebooks), parse_by(fields)


def _decode(text: str) -> dict[str, Any]:
    fields, end = _DECODER.raw_decode(text)
    if end != len(text) or not isinstance(fields, dict):
        raise Malformed(expected="one JSON object", found=text[:40])
    return fields


def _parse_command(fields: dict[str, Any], rulebooks: Rulebooks) -> Command:
    do = fields.get("do")
    if do == "show" and len(fields) == 1:
        return _SHOW
    if do == "edge" and fields.keys() == {"do", "button", "down"}:
        button, down = fields["button"], fields["down"]
        if button not in BUTTONS or not isinstance(down, bool):
            raise Malformed(where="edge", expected=f"a button ({', '.join(BUTTONS)}) and down true or false", found=f"{button!r}, {down!r}")
        return ScriptEdge(button, down)
    if do in ("show", "edge"):
        others = ", ".join(key for key in fields if key != "do")
        raise Malformed(where=do, expected="no other key" if do == "show" else "the keys button and down", found=others or "none")
    return parse_event(fields, rulebooks)


def _malformed(error: ValueError | ArithmeticError) -> Malformed:
    if isinstance(error, TileclockError):
        return Malformed(where=error.where, expected=error.expected, found=error.found, remedy=error.remedy)
    if isinstance(error, ArithmeticError):
        return Malformed(expected="a number of seconds", found="one out of all bounds")
    if isinstance(error, UnicodeDecodeError):
        return Malformed(expected="UTF-8", found=f"the byte 0x{error.object[error.start]:02x}")
    if isinstance(error, json.JSONDecodeError):
        return Malformed(expected="a line of JSON", found=f"an error at column {error.colno}: {error.msg}")
    return Malformed(expected="a line of the format", found=str(error))


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == each for each, _ in pairs) > 1)
        raise Malformed(expected="each key once", found=f"{twice[:40]!r} again")
    return fields


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise Malformed(expected=f"a number of at most {_MAX_DIGITS} digits", found=f"one of {len(digits)}")
    return int(digits)


def _no_constant(word: str) -> NoReturn:
    raise Malformed(expected="a number", found=word)


_MAX_DIGITS: Final = 100
"""More than any number of the format needs; Python's own limit is some thousand digits and raises another error."""
_SHOW: Final = Show()
_INSTANT_FIRST: Final = re.compile(r'\{"t": ?"(([0-9]{1,12})(?:\.([0-9]{1,9}))?)", ?(".*)', re.DOTALL).fullmatch
"""A line as programs write it. Its rest repeats all game long, so it is parsed once: replay takes a third less time."""
_COMMANDS_KEPT: Final = 256
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_float=Decimal, parse_int=_whole, parse_constant=_no_constant)


def show_line(game: Game, now: int, t: str) -> str:
    """Return one line of JSON for ``game`` (already advanced) at ``now`` (ns); ``t`` is that instant as text."""
    # Written by hand: an encoder takes three times as long, and a script can show after every event.
    elapsed, turn_left = game.elapsed(now), game.turn_left(now)
    last = "" if turn_left is None else f', "turn_left": "{reading(turn_left)}"'
    return (
        f'{{"t": {json.dumps(t)}, "phase": "{game.phase.value}", "running": {_word(game.running)}, "turn": {_word(game.turn)}, '
        f'"loser": {_word(game.loser)}, "lost_turn": {_word(game.lost_turn)}, "reason": {_text(game.reason)}, '
        f'"left": {_side(game, Side.LEFT, now)}, "right": {_side(game, Side.RIGHT, now)}, '
        f'"window": {_window(game.window_at(now), now)}, "holder": {_word(game.holder)}, "draw": {_counted(game.draw, now)}, '
        f'"elapsed": {_text(None if elapsed is None else reading(elapsed // NS * NS))}, "called": {_flag(game.called)}'
        f"{last}}}"
    )


def _side(game: Game, side: Side, now: int) -> str:
    used, account = game.used_at(side, now), game.accounts.of(side)
    return (
        f'{{"reading": "{reading(game.remaining(side, now))}", "used_ns": {used}, "penalty": {game.penalty(side, now)}, '
        f'"credit": {format_seconds(account.credit)}, "points": {account.points}, "infractions": {account.infractions}}}'
    )


def _window(window: Window | None, now: int) -> str:
    if window is None:
        return "null"
    decider = "" if window.side is None else f', "side": {_word(window.side)}'
    return f'{{"name": "{window.name}", {_counted(window, now)[1:-1]}{decider}}}'


def _counted(window: Window | None, now: int) -> str:
    if window is None:
        return "null"
    left = max(0, window.ends - now)
    return f'{{"reading": "{reading(left)}", "expired": {_flag(left == 0)}}}'


def _word(side: Side | None) -> str:
    return "null" if side is None else f'"{side.value}"'


def _text(text: str | None) -> str:
    return "null" if text is None else json.dumps(text)


def _flag(value: bool) -> str:
    return "true" if value else "false"
