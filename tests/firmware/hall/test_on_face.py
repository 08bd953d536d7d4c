"""What a clock shows of its hall, and when: that it asks to join, or that the director asks to stop."""

from __future__ import annotations

from firmware.hall.state import StopRequest
from tests.firmware.hall.hall_faces import CODE, RUNNING, look
from wire.local.device import JoinRequest

ASKS = JoinRequest("cambridge", "1234-5678", CODE)
DIGITS = "HALL cambridge: ADMIT 1234-5678"


def test_before_a_game_digits_and_code_are_shown() -> None:
    face = look("0", joins=ASKS)
    assert (face.called, face.code) == (DIGITS, CODE)


def test_a_game_in_progress_has_the_face_for_itself() -> None:
    for lines in (RUNNING, (*RUNNING, "390 neutralise"), (*RUNNING, "390 challenge")):
        assert look("400", *lines, joins=ASKS) == look("400", *lines)


def test_after_a_game_its_times_stay_beside_the_digits() -> None:
    face, plain = (look("1500", *RUNNING, "1400 end reason=x", joins=joins) for joins in (ASKS, None))
    assert (face.called, face.code, face.halves) == (DIGITS, (), plain.halves)


def test_the_players_own_call_comes_before_the_digits() -> None:
    face = look("1500", *RUNNING, "1400 end reason=x", "1450 call on=true", joins=ASKS)
    assert face.called == look("1500", *RUNNING, "1400 end reason=x", "1450 call on=true").called != ""


def test_a_request_to_stop_without_a_text_is_made_in_the_clocks_own_language() -> None:
    asked = {language: look("400", *RUNNING, language=language, stop=StopRequest("", 400)).called for language in ("en", "fr", "es")}
    assert asked == {
        "en": "THE DIRECTOR ASKS YOU TO STOP: Please wait",
        "fr": "L'ARBITRE VOUS DEMANDE D'ARRÊTER\u00a0: Veuillez patienter",
        "es": "EL DIRECTOR LES PIDE PARAR: Esperen, por favor",
    }
