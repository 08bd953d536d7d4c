import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import kiosk
from appliance.texts import languages
from kiosk.context import TroubleKind
from kiosk.texts import load_texts

OTHERS = [language for language in languages() if language != "en"]
ENGLISH = re.compile(r"\b(the|and|word|words|play|clock|turn|player|challenge|please|your|you|this)\b", re.IGNORECASE)


def letters(text: str) -> str:
    return "".join(part for part, *_ in Formatter().parse(text) if any(character.isalpha() for character in part))


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_keys_of_english_in_their_order_and_none_is_empty(language: str) -> None:
    texts = load_texts(language).by_key
    assert list(texts) == list(load_texts("en").by_key)
    assert all(texts.values())


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_in_another_language(language: str) -> None:
    assert [text for text in load_texts(language).by_key.values() if ENGLISH.search(letters(text))] == []


def test_spanish_opens_its_questions() -> None:
    texts = load_texts("es").by_key.values()
    assert [text for text in texts if ("?" in text) != ("¿" in text) or ("!" in text) != ("¡" in text)] == []


@pytest.mark.parametrize(
    ("language", "about_words"),
    [("en", "words? (is|are) (un)?acceptable"), ("fr", "mots? (non )?valables?"), ("es", "palabras? (no )?válidas?")],
)
def test_a_play_is_acceptable_or_unacceptable_never_a_word(language: str, about_words: str) -> None:
    assert not [text for text in load_texts(language).by_key.values() if re.search(about_words, text, re.IGNORECASE)]


def test_every_ailment_has_its_text_with_the_way_to_mend_it() -> None:
    texts = load_texts("en").by_key
    assert {key for key in texts if key.startswith("trouble.")} == {f"trouble.{trouble_kind}" for trouble_kind in TroubleKind}
    assert all("Remedy: " in texts[f"trouble.{trouble_kind}"] for trouble_kind in TroubleKind)


def test_every_text_is_said_somewhere() -> None:
    patterns = [re.compile(pattern) for file in Path(*kiosk.__path__).rglob("*.py") for pattern in _keys_in(file)]
    unsaid = [key for key in load_texts("en").by_key if not any(pattern.fullmatch(key) for pattern in patterns)]
    assert unsaid == []


def _keys_in(file: Path) -> Iterator[str]:
    """Yield a pattern for each string of a module that may be a text's key: its beginning, up to the first dot, must be written out."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", node.value):
            yield re.escape(node.value)
        if isinstance(node, ast.JoinedStr):
            parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[a-z_.]+" for part in node.values]
            if re.match(r"[a-z_]+\\\.", parts[0]):
                yield "".join(parts)
