import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kiosk
from kiosk.context import TroubleKind
from kiosk.texts import load_texts


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
