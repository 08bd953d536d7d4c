"""Scripts: JSON Lines in order, each with an exact instant, and the face as the line that ``show`` prints (docs/spec/events.md).

``show`` and ``edge`` are not events of the game; each is a value of its own.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Raw, Struct
from msgspec.json import Encoder
from msgspec.json import format as format_json

from faults.errors import TileclockError
from game.event_table import Rulebooks, keys_of, parse_by, parse_event, tag_of, values_of
from game.events import By, Event, NewGame
from game.exact_json import Malformed, decode, short
from game.forms import FLAG, one_of
from game.game import Game, Window
from rules.duration import NS, format_seconds, parse_instant, reading
from rules.side import Side

BUTTONS: Final = ("left", "right", "centre", "up", "down", "ok", "key")
"""The buttons of the format. The core does not import ``hardware``; a test compares this list with the boards."""


class Show(Struct, frozen=True, tag="show"):
    """Print the face as JSON."""


class ScriptEdge(Struct, frozen=True, tag="edge"):
    button: Annotated[str, one_of({name: name for name in BUTTONS})]
    down: Annotated[bool, FLAG]


Command: TypeAlias = Event | Show | ScriptEdge
_Said: TypeAlias = tuple[str, Command, By | None, bool]
"""A line without its number: instant, command, who made it where that is stated, and whether it names an edition."""


class ScriptLine(Struct, frozen=True):
    """One line: its number in the file, its instant as written and in ns, its command, and who made it where that is stated."""

    number: int
    t: str
    at: int
    command: Command
    by: By | None = None
    edition: bool = False


def read_lines(rows: Iterable[bytes], name: str, rulebooks: Rulebooks) -> Iterator[ScriptLine]:
    """Yield the lines of a script lazily, from its undecoded rows. Errors name the file and the line; ``Malformed``: it does not match the format."""
    last: ScriptLine | None = None
    known = lru_cache(maxsize=_LINES_KEPT)(partial(_read, rulebooks=rulebooks))
    for number, row in enumerate(rows, 1):
        try:
            text = row.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if not text or text.startswith("//"):
                continue
            line = _line(number, text, known)
            if last is None and not isinstance(line.command, NewGame):
                raise Malformed(expected="a new_game in the first line", found="another event")
            if last is not None and line.at < last.at:
                raise Malformed(expected="lines in the order of their times", found=f"{line.t} after a later one")
        except UnicodeDecodeError as error:
            raise Malformed(where=f"{name}:{number}", expected="UTF-8", found=f"the byte 0x{error.object[error.start]:02x}") from error
        except TileclockError as error:
            error.locate(f"{name}:{number}")
            raise
        last = line
        yield line


def _line(number: int, text: str, known: Callable[[str], _Said]) -> ScriptLine:
    if (parts := _INSTANT_FIRST(text)) is None:
        t, command, by, edition = known(text)
        return ScriptLine(number, t, parse_instant(t), command, by, edition)
    t, whole, fraction, rest = parts.groups("")
    _, command, by, edition = known(f'{{"t": "", {rest}')
    # As ``parse_instant``, whose checks the pattern has made.
    return ScriptLine(number, t, int(whole + fraction.ljust(9, "0")), command, by, edition)


def _read(text: str, rulebooks: Rulebooks) -> _Said:
    fields = decode(text)
    if not isinstance(t := fields.pop("t", None), str):
        raise Malformed(expected='"t" to be a text of decimal seconds', found=short(t))
    return t, _parse_command(fields, rulebooks), parse_by(fields), "edition" in fields


def _parse_command(fields: dict[str, Any], rulebooks: Rulebooks) -> Command:
    kind = next((kind for kind in (Show, ScriptEdge) if tag_of(kind) == fields.get("do")), None)
    return parse_event(fields, rulebooks) if kind is None else kind(**values_of(fields.pop("do"), keys_of(kind), fields))


_INSTANT_FIRST: Final = re.compile(r'\{"t": ?"(([0-9]{1,12})(?:\.([0-9]{1,9}))?)", ?(".*)', re.DOTALL).fullmatch
"""A line as programs write it. Its rest repeats all game long, so it is parsed once: replay takes a third less time."""
_LINES_KEPT: Final = 256


def show_line(game: Game, now: int, t: str) -> str:
    """Return one line of JSON for ``game`` (already advanced) at ``now`` (ns); ``t`` is that instant as text."""
    elapsed, turn_left, window = game.elapsed(now), game.turn_left(now), game.window_at(now)
    shown: dict[str, Any] = {
        "t": t,
        "phase": game.phase,
        "running": game.running,
        "turn": game.turn,
        "loser": game.loser,
        "lost_turn": game.lost_turn,
        "reason": None if game.reason is None else _escaped(game.reason),
        "left": _side(game, Side.LEFT, now),
        "right": _side(game, Side.RIGHT, now),
        "window": None
        if window is None
        else {"name": window.name, **_counted(window, now), **({"side": window.side} if window.side else {})},
        "holder": game.holder,
        "draw": None if game.draw is None else _counted(game.draw, now),
        "elapsed": None if elapsed is None else reading(elapsed // NS * NS),
        "called": game.called,
        **({} if game.result is None else {"final": {str(side): score for side, score in game.result.final.items()}}),
        **({"disputed": True} if game.disputed else {}),
        **({} if turn_left is None else {"turn_left": reading(turn_left)}),
    }
    return format_json(_ENCODER.encode(shown), indent=0).decode()


def _side(game: Game, side: Side, now: int) -> dict[str, Any]:
    account = game.accounts.of(side)
    return {
        "reading": reading(game.remaining(side, now)),
        "used_ns": game.used_at(side, now),
        "penalty": game.penalty(side, now),
        "credit": Raw(format_seconds(account.credit).encode()) if account.credit else 0,
        "points": account.points,
        "infractions": account.infractions,
        **({} if game.rulebook.turns is None else {"turns": account.turns}),
    }


def _counted(window: Window, now: int) -> dict[str, Any]:
    left = max(0, window.ends - now)
    return {"reading": reading(left), "expired": left == 0}


def _escaped(text: str) -> Raw:
    """Return ``text`` as ASCII JSON, also where a file cannot hold it."""
    return Raw(json.dumps(text).encode())


_ENCODER: Final = Encoder()
