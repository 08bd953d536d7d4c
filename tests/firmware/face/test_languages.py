"""The clock speaks French and Spanish: nothing English is left in its texts, its reasons and what the game refuses."""

import ast
import re
from pathlib import Path

import pytest

import firmware
from firmware.texts import load_texts
from firmware.texts.reasons import load_reasons

OTHERS = ("fr", "es")
SAME = re.compile(r"\{\w+\}|[\W\d_]")
"""What is no word of any language."""
ALIKE = {"fr": {"menu", "MENU", "ABSENT", "Verdict"}, "es": {"DIRECTOR", "director", "No", "OK: {amount}"}}
"""Words that both languages share."""


def refusals() -> set[str]:
    """Return the sentences of the core's refusals, as the code has them."""
    found = set()
    for path in (Path(firmware.__file__).parent / "core").rglob("*.py"):
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
