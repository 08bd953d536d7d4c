"""The clock speaks French and Spanish: nothing English is left in its texts, its reasons and what the game refuses."""

import ast
import re
from pathlib import Path

import pytest

import game
from firmware.texts import load_reasons, load_texts
from game.game import EventNotAllowed, Phase
from game.record import accept
from rules.duration import parse_instant
from rules.rulebooks.model import WINDOW_NAMES
from rules.side import Side
from tests.firmware.saying import event_of, play

OTHERS = ("fr", "es")
SAME = re.compile(r"\{\w+\}|[\W\d_]")
"""What is no word of any language."""
ALIKE = {"fr": {"menu", "table {table}", "MENU", "ABSENT", "Verdict", "OK"}, "es": {"DIRECTOR", "director", "No", "OK", "OK: {amount}"}}
"""Words that both languages share."""


def refusals() -> set[str]:
    """Return the sentences of the core's refusals, as the code has them."""
    found = set()
    for path in Path(game.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("EventNotAllowed", "Phrase")
                and node.args
            ):
                said = node.args[0]
                if isinstance(said, ast.Constant) and isinstance(said.value, str):
                    found.add(said.value)
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_the_english_one(language: str) -> None:
    english, other = load_texts().by_key, load_texts(language).by_key
    same = {key for key, text in english.items() if SAME.sub("", text) and other[key] == text}
    assert {english[key] for key in same if english[key] not in ALIKE[language]} <= {
        "+{points} points",
        "{points} points",
        "-{points} points",
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_and_every_refusal_has_words(language: str) -> None:
    phrases = load_texts(language).phrases
    reasons = {reason for kind in load_reasons().values() for reason in kind}
    assert len(refusals()) > 25
    assert sorted((reasons | refusals()) - phrases.keys()) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_phase_side_and_window_within_a_refusal_has_words(language: str) -> None:
    named = {*(phase.value for phase in Phase), *(side.value for side in Side), *WINDOW_NAMES}
    assert sorted(named - load_texts(language).phrases.keys()) == []


@pytest.mark.parametrize(
    ("lines", "refused", "french"),
    [
        (("1 press right",), "resume left", "pas en phase tour en cours"),
        (("1 press right",), "press right", "droite ne peut pas lancer l'autre pendule en phase tour en cours"),
        (("1 press right", "2 end reason=forfeit loser=left"), "window name=recount", "pas de décompte après\u00a0: forfait"),
        ((), "window name=courtesy_draw", "le délai pioche de courtoisie commence seulement avec son événement"),
    ],
)
def test_a_refusal_names_phase_side_reason_and_window_in_its_language(lines: tuple[str, ...], refused: str, french: str) -> None:
    record = play("naspa-2017", *lines).record
    with pytest.raises(EventNotAllowed) as caught:
        accept(record, event_of(refused), parse_instant("5"))
    assert load_texts("fr").render(caught.value.why) == french
