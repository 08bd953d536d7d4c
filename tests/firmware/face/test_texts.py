import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import firmware
import game
import wire.proposals
from appliance.errors import TextsError
from appliance.texts import MASTER, check_against, languages, load_part, parse_texts
from firmware.shell.resume import POWER_CUT, RESTARTED, SWITCHED_OFF
from firmware.texts import load_reasons, load_texts
from game.game import EventNotAllowed, Phase
from game.history import accept
from languages import FOLDER
from rules.duration import parse_instant
from rules.rulebooks.model import WINDOW_NAMES
from rules.side import Side
from tests.errors import with_fields
from tests.firmware.saying import event_of, play

SOURCES = [
    *Path(firmware.__file__).parent.rglob("*.py"),
    *Path(game.__file__).parent.glob("*.py"),
    Path(wire.proposals.__file__),  # a refusal's name is the last part of its text's key
]
ANY = r"[a-z0-9_]+"
KEYS = set(load_texts().by_key)


@cache
def _trees() -> list[ast.Module]:
    return [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES]


def _pattern(node: ast.expr) -> str | None:
    """Return the pattern of the keys that a string or an f-string in the code can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ANY for part in node.values)
    return None


def _written(key: ast.expr, tree: ast.Module) -> list[ast.expr]:
    """Return what a key can be as it is written: either branch, or what the name it goes by was given in that module."""
    if isinstance(key, ast.IfExp):
        return [key.body, key.orelse]
    if not isinstance(key, ast.Name):
        return [key]
    given = (node for node in ast.walk(tree) if isinstance(node, ast.Assign))
    return [each.value for each in given if any(isinstance(target, ast.Name) and target.id == key.id for target in each.targets)]


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


@cache
def _asked() -> set[str]:
    return set(_patterns())


def _patterns() -> Iterator[str]:
    """Yield the patterns of every ``say`` and ``message`` in the code whose key is written there."""
    for tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in ("say", "message") and node.args:
                for key in _written(node.args[0], tree):
                    pattern = _pattern(key)
                    if pattern is not None:
                        yield pattern if not pattern.startswith(ANY) else rf"window\.{pattern}"  # a window's own key, and what it says


def test_every_key_that_the_code_asks_for_has_a_text() -> None:
    assert len(_asked()) > 40
    assert sorted(pattern for pattern in _asked() if not any(re.fullmatch(pattern, key) for key in KEYS)) == []


def test_no_text_stands_in_the_file_that_no_code_can_ask_for() -> None:
    nodes = (node for tree in _trees() for node in ast.walk(tree))
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    families = {pattern for pattern in _asked() if ANY in pattern}
    plain = {pattern for pattern in _asked() if ANY not in pattern}

    def asked_for(key: str) -> bool:
        if key in strings or key.rpartition(".")[0] in strings or re.escape(key) in plain:
            return True
        # A family's member has to be named by somebody: as a status, an event, a window, a phase.
        named = any({word, re.sub("^offer_|_(two|you|opponent)$", "", word)} & strings for word in key.split(".")[1:])
        return named and any(re.fullmatch(f"{family}(\\.{ANY})?", key) for family in families)

    assert sorted(key for key in KEYS if not asked_for(key)) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda toml: toml.replace('over = "GAME OVER"', ""), "de.toml: phase.over"),
        (lambda toml: f'{toml}\n[more]\nkey = "x"\n', "de.toml: more.key"),
        (lambda toml: toml.replace('points = "{points} points"', 'points = "{punkte} points"'), "de.toml: mark.points"),
        (lambda toml: toml.replace('points = "{points} points"', 'points = "points"'), "de.toml: mark.points"),
        (lambda toml: toml.replace('points = "{points} points"', 'points = "{points points"'), "de.toml"),
        (lambda toml: toml.replace('over = "GAME OVER"', "over = 3"), "de.toml: phase.over"),
        (lambda toml: toml.replace('over = "GAME OVER"', "over = "), "de.toml"),
    ],
)
def test_a_language_that_lacks_a_key_or_has_other_braces_is_refused_by_key(change: Callable[[str], str], where: str) -> None:
    english = (FOLDER / "en" / "clock.toml").read_text("utf-8")
    changed = change(english)
    assert changed != english
    with pytest.raises(TextsError, check=with_fields(where=where)):
        check_against(parse_texts(changed.encode(), "de", "de.toml"), load_part("clock", "en"), "de.toml")


@cache
def refusals() -> set[str]:
    nodes = (node for tree in _trees() for node in ast.walk(tree))
    said = [
        node.args[0]
        for node in nodes
        if isinstance(node, ast.Call) and _name(node.func) in ("EventNotAllowed", "Need", "Phrase") and node.args
    ]
    return {each.value for each in said if isinstance(each, ast.Constant) and isinstance(each.value, str)}


@pytest.mark.parametrize("language", [each for each in languages() if each != MASTER])
def test_every_reason_refusal_and_every_phase_side_and_window_within_one_has_words(language: str) -> None:
    reasons = {reason for kind in load_reasons().values() for reason in kind} | {POWER_CUT, RESTARTED, SWITCHED_OFF}
    assert len(refusals()) > 25
    named = {*(phase.value for phase in Phase), *(side.value for side in Side), *WINDOW_NAMES}
    assert sorted((reasons | refusals() | named) - load_texts(language).phrases.keys()) == []


@pytest.mark.parametrize(
    ("lines", "refused", "french"),
    [
        (("1 press right",), "resume left", "pas en phase tour en cours"),
        (("1 press right",), "press right", "droite ne peut pas lancer l'autre pendule"),
        (("1 press right", "2 end reason=forfeit loser=left"), "window name=recount", "pas de recomptage après\u00a0: forfait"),
        ((), "window name=courtesy_draw", "ce délai commence seulement avec son événement"),
        ((), "window name=missed_press ago=400", "le délai appui oublié est passé"),
    ],
)
def test_a_refusal_names_phase_side_reason_and_window_in_its_language(lines: tuple[str, ...], refused: str, french: str) -> None:
    history = play("naspa-2017", *lines).history
    with pytest.raises(EventNotAllowed) as caught:
        accept(history, event_of(refused), parse_instant("5"))
    assert load_texts("fr").render(caught.value.why) == french
