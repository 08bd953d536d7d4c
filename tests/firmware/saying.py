"""A short notation for scripts in tests: ``"12.5 verdict acceptable=true words=2"`` is a line of a script.

The first word is the instant in seconds, the second what is done, a bare word a side, the rest keys with their values.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec import Struct

from game.event_table import parse_by, parse_event
from game.events import Event, NewGame
from game.game import EventNotAllowed, Game
from game.history import History, accept, begin
from game.script import show_line
from rules.duration import NS, parse_instant
from rules.rulebooks import load_rulebook
from tests.cells import each_cell
from tests.rules.rulebooks.own_files import OWN, written
from tests.some import of_kind

NASPA, NZ = "naspa-2017", "nzasp-2022"
RULEBOOKS = (
    "naspa-2012",
    "naspa-2014",
    "naspa-2014-collins-5",
    "naspa-2014-collins-10",
    "naspa-2017",
    "naspa-2017-collins-5",
    "naspa-2017-collins-10",
    "nzasp-2022",
    "club",
)


def keys_of(text: str) -> dict[str, Any]:
    do, *rest = text.split()
    keys: dict[str, Any] = {"do": do}
    for word in rest:
        key, equals, value = word.partition("=")
        keys[key if equals else "side"] = _value(value) if equals else key
    return keys


def event_of(text: str) -> Event:
    return parse_event(keys_of(text), load_rulebook)


def new_game(rulebook: str) -> NewGame:
    """Return the beginning of a game: a rulebook's id, and the keys of extra time if wanted."""
    return of_kind(NewGame, event_of(f"new_game rulebook={rulebook}"))


def own_rulebook(folder: Path, table: str, extends: str = NASPA) -> str:
    """Return the path of a rulebook of one's own, which is written into ``folder`` and differs by that table of TOML."""
    return written(folder, f'{OWN}extends = "{extends}"\n{table}\nclause = "ours"\n')


class Script(Struct, frozen=True, dict=True):
    history: History
    refused: tuple[str, ...] = ()

    def then(self, *lines: str) -> Script:
        history, refused = self.history, list(self.refused)
        for line in lines:
            t, _, what = line.partition(" ")
            try:
                history = accept(history, event_of(what), parse_instant(t), by=parse_by(keys_of(what)))
            except EventNotAllowed:
                refused.append(line)
        return Script(history, tuple(refused))

    def with_keys(self, t: str, keys: dict[str, Any]) -> Script:
        """Return the script gone on with one line of these keys, which may hold texts of several words."""
        try:
            return Script(accept(self.history, parse_event(keys, load_rulebook), parse_instant(t), by=parse_by(keys)), self.refused)
        except EventNotAllowed:
            return Script(self.history, (*self.refused, f"{t} {keys['do']}"))

    def game(self, t: str) -> Game:
        return self.history.game_at(parse_instant(t))

    def face(self, t: str) -> dict[str, Any]:
        return face_of(self.history, parse_instant(t))

    def states(self, t: str) -> tuple[str, str | None, str | None]:
        face = self.face(t)
        return face["phase"], face["running"], face["turn"]

    def window(self, t: str) -> tuple[str, str, bool] | None:
        """Return name, reading and whether it has expired of the window at ``t``."""
        window = self.face(t)["window"]
        return None if window is None else (window["name"], window["reading"], window["expired"])

    def readings(self, t: str) -> tuple[str, str]:
        face = self.face(t)
        return face["left"]["reading"], face["right"]["reading"]

    def line(self, t: str) -> str:
        """Return phase, running clock and turn at ``t``, and the window that stands."""
        window = self.window(t)
        states = " ".join(state or "-" for state in self.states(t))
        return states if window is None else f"{states}, {window[0]} {window[1]}{' over' if window[2] else ''}"

    def shown(self, t: str, like: str) -> str:
        """Return what stands at ``t``, of the form of ``like``: items parted by semicolons, of which one with a ``=`` is a key of the face."""
        face = self.face(t)

        def found(item: str) -> str:
            key, equals, _ = item.partition("=")
            if not equals:
                return " ".join(self.readings(t)) if item[-1].isdigit() and "," not in item else self.line(t)
            table, _, inner = key.rpartition(".")
            value = face[table][inner] if table else face[key]
            if isinstance(value, dict):
                return f"{key}={value.get('name', '')} {value['reading']}{' over' if value['expired'] else ''}".replace("= ", "=")
            return f"{key}={'none' if value is None else str(value).lower() if isinstance(value, bool) else value}"

        return "; ".join(map(found, like.split("; ")))


def play(rulebook: str, *lines: str) -> Script:
    """Return a script played from a new game at 0; every line has to be accepted."""
    script = attempt(rulebook, *lines)
    assert script.refused == ()
    return script


def attempt(rulebook: str, *lines: str) -> Script:
    """Return a script played from a new game at 0; lines may be refused."""
    return Script(begin(new_game(rulebook), 0)).then(*lines)


def check(cases: str, rulebook: str = NASPA) -> None:
    """Play each line of ``cases``, and require what stands after it.

    ``[club] 0 press right, 5 hold, !6 hold > 7 hold left left, courtesy_draw 0:13; holder=left`` is a script under a rulebook of its own, the events
    after ``!`` refused, and what is shown at 7 s: ``Script.line``, both readings, keys of the face. ``#`` begins a comment, ``>`` or ``...`` goes on with a case.
    """
    lines = [line.strip() for line in cases.strip().splitlines() if not line.strip().startswith("#")]
    for cell in each_cell("\n".join(lines).replace("\n>", " >").replace("\n...", "").splitlines()):
        with cell as case:
            script, *shown = case.split(" > ")
            own, _, said = script.removeprefix("[").rpartition("] ")
            events = said.split(", ")
            played = attempt(own or rulebook, *(each.removeprefix("!") for each in events))
            assert played.refused == tuple(each.removeprefix("!") for each in events if each.startswith("!"))
            found = [f"{t} {played.shown(t, wanted)}" for t, _, wanted in (each.partition(" ") for each in shown)]
            assert found == shown, found


def face_of(history: History, now: int) -> dict[str, Any]:
    return of_kind(dict, json.loads(show_line(history.game_at(now), now, str(now // NS)), parse_float=Decimal))


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal)
    except json.JSONDecodeError:
        return text
