"""Proposals: version 1, exact types, and no key that is not known."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from wire.proposals import ORDER, RefusalReason, SetUpNext, VerdictBody

TO: dict[str, Any] = {"v": 1, "id": "0a" * 16, "device": "c-" + "a" * 16, "epoch": "0011223344556677", "game": 1}
ORDERED: dict[str, Any] = {**TO, "issuer": "desk-main", "number": 4, "nonce": "0f" * 16}
GIVEN: dict[str, Any] = {**TO, "station": "s-" + "b" * 16, "do": "verdict", "challenge": 3, "acceptable": True, "count": 1, "words": ["QI"]}


def read(keys: dict[str, Any]) -> Any:
    return ORDER.validate_json(json.dumps(keys))


def test_an_order_is_what_its_do_says() -> None:
    keys = {**ORDERED, "do": "setup", "rulebook": "naspa-2017", "left_seconds": None, "right_seconds": 1200}
    assert isinstance(read(keys), SetUpNext)


@pytest.mark.parametrize(
    "wrong",
    [
        {"do": "notice", "text": "x", "seconds": 4},
        {"do": "notice", "text": "", "seconds": 5},
        {"do": "notice", "text": "a\nb", "seconds": 5},
        {"do": "notice", "text": "x" * 121, "seconds": 5},
        {"do": "notice", "text": "x", "seconds": "5"},
        {"do": "notice", "text": "x", "seconds": 5, "loud": True},
        {"do": "stop", "text": "x", "v": 2},
        {"do": "stop", "text": "x" * 121},
        {"do": "stop"},
        {"do": "assign", "table": 0, "left": "a", "right": "b", "lexicon": None},
        {"do": "assign", "table": 1, "left": "a" * 41, "right": "b", "lexicon": None},
        {"do": "setup", "rulebook": "../x", "left_seconds": None, "right_seconds": None},
        {"do": "setup", "rulebook": "club", "left_seconds": -1, "right_seconds": None},
        {"do": "settings"},
        {"do": "settings", "language": None},
        {"do": "settings", "language": "../fr"},
        {"do": "settings", "led_brightness": 101},
        {"do": "settings", "led_brightness": True},
        {"do": "settings", "buzzer_enabled": 1},
        {"do": "settings", "language": "fr", "rulebook": "club"},
        {"do": "settings", "language": "fr", "journal.path": "/x"},
        {"do": "round"},
        {"do": "round", "began": "5"},
        {"do": "round", "began": 1 << 63},
        {"do": "round", "began": 5, "minutes": 5},
        {"do": "update", "version": "2.0"},
        {"do": "update", "package": "tileclock"},
        {"do": "update", "source": "https://example.org/"},
        {"do": "press", "side": "left"},
    ],
)
def test_what_is_not_exactly_an_order_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        read({**ORDERED, **wrong})


def test_an_order_of_settings_names_only_what_is_to_change() -> None:
    assert read({**ORDERED, "do": "settings", "led_brightness": 0, "buzzer_enabled": False}).settings == {
        "led.brightness": 0,
        "buzzer.enabled": False,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"acceptable": None},
        {"acceptable": 1},
        {"challenge": None},
        {"by": "left"},
        {"nonce": "0f" * 16},
        {"count": 0},
        {"failed": "QI"},
        {"station": "c-" + "b" * 16},
        {"do": "withdrawn"},
        {"do": "call"},
        {"do": "conceded", "acceptable": None},
        {"do": "withdrawn", "acceptable": None, "replaces": "0a" * 16},
    ],
)
def test_what_is_not_exactly_a_verdict_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        VerdictBody.model_validate_json(json.dumps({**GIVEN, **wrong}))


def test_a_verdict_is_read_as_typed() -> None:
    assert VerdictBody.model_validate_json(json.dumps(GIVEN)).words == ("QI",)


def test_every_refusal_has_a_sentence() -> None:
    assert all(reason.sentence.endswith(".") for reason in RefusalReason)
