"""What errors say on a screen has words in every language: the phrases' files hold what the code can say there, and nothing else."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis, PinUnavailable
from appliance.phrase import Phrase, as_phrase, in_a_row
from appliance.texts import Texts
from kiosk.log.errors import NotLogged
from kiosk.texts import languages, load_texts

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("appliance", "hardware", "kiosk", "lexicon", "rules")
OTHERS: Final = ("en",)
"""The language of the code."""
ON_A_SCREEN: Final = {
    *("PinUnavailable", "PinLibraryMissing", "PrinterError", "PowerOffError", "SettingsError"),
    *("InUse", "NoFile", "NotOurs", "Replaced", "NotLogged", "LogError"),
    *("Diagnosis", "Trouble", "Passing", "problem_of"),
}
"""What is made of these words can stand on the station's screen."""
NOT_ON_ONE: Final = ("appliance/display", "kiosk/cli", "kiosk/demo", "kiosk/lexicons/proof.py", "lexicon")
"""What these say of the same kinds is for a command line, or comes from another package's error; without a display nothing is shown."""
BLANK: Final = re.compile(r"\{\w*(:\w+)?\}|[\W_]")


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield path, node


def _said(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the words that an error is made of, as they are written; where it is, is no word."""
    yield from (each for each in call.args if not isinstance(each, ast.Call))
    yield from (each.value for each in call.keywords if each.arg in {"expected", "found", "remedy"})


def _phrases() -> dict[str, str]:
    return dict(load_texts("fr").phrases)


def test_every_language_has_words_for_the_same_phrases() -> None:
    keys = {language: sorted(load_texts(language).phrases) for language in languages() if language not in OTHERS}
    assert set(keys) == {"fr", "es"}
    assert keys["fr"] == keys["es"]


def test_every_phrase_of_the_code_has_words_in_the_other_languages() -> None:
    known = _phrases()
    templates = [
        (path, call.args[0].value)
        for path, call in _calls()
        if _name(call) == "Phrase" and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    ]
    assert len(templates) > 60
    # One of braces and signs alone is the same in all languages, if no language says otherwise.
    assert [(path, each) for path, each in templates if each not in known and BLANK.sub("", each)] == []


def test_what_an_error_on_a_screen_is_made_of_has_words_or_is_a_phrase() -> None:
    known, wrong = _phrases(), []
    for path, call in _calls():
        if _name(call) in ON_A_SCREEN and not path.startswith(NOT_ON_ONE):
            for words in _said(call):
                plain = words.value if isinstance(words, ast.Constant) and isinstance(words.value, str) else ""
                if isinstance(words, ast.JoinedStr) or (plain and plain not in known):
                    wrong.append(f"{path}:{words.lineno} {ast.unparse(words)}")
    assert wrong == []


def test_no_phrase_is_left_that_nothing_says() -> None:
    strings = {
        node.value for _, tree in _trees() for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    system = {os.strerror(number) for number in range(1, 134)}
    said = strings | system | {f"{each[:1].lower()}{each[1:]}" for each in system}
    assert sorted(set(_phrases()) - said) == []


def test_an_error_is_rendered_in_the_language_of_the_texts_and_its_values_are_data() -> None:
    pin = Phrase("{pin} for {user}", pin="GPIO5", user="none")
    error = PinUnavailable(where="board station", expected=pin, found="permission denied", remedy="Check its wire and its pin")
    assert str(error) == "board station: expected GPIO5 for none, found permission denied. Check its wire and its pin."
    assert load_texts("en").render(error.sentences) == str(error)
    assert load_texts("fr").render(error.sentences) == (
        "board station : attendu : GPIO5 pour none ; trouvé : permission refusée. Vérifiez son fil et sa broche."
    )
    unlogged = NotLogged(where="/x.db", expected="to write the log", found="the disk is full", remedy="Free some space")
    assert (
        load_texts("es")
        .say("judge.notice.unlogged", why=unlogged.sentences)
        .endswith("No se puede escribir en el registro: /x.db: el disco está lleno. Libere espacio.")
    )


def test_braces_in_what_was_found_are_no_places_for_values() -> None:
    found = Diagnosis(as_phrase('expected a name, found {"a": 1}'), "Correct it")
    assert str(found) == 'expected a name, found {"a": 1}. Correct it.'
    assert load_texts("fr").render(found.sentences) == 'expected a name, found {"a": 1}. Corrigez-la.'


def test_a_question_ends_as_its_language_has_it_and_what_has_no_words_stays_english() -> None:
    texts = Texts("xx", {}, {"Did you mean {name}?": "{name}, maybe?", "so": "thus"})
    asked = Diagnosis("so", Phrase("Did you mean {name}?", name="so")).sentences
    assert texts.render(in_a_row(asked, Phrase("As it is."))) == "thus. so, maybe? As it is."
