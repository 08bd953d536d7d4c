from pathlib import Path

import pygame
import pytest

from firmware.hall.state import StopRequest
from firmware.screens.layout import Arrangement, arrange
from firmware.screens.painter import Painter
from tests.appliance.display.fixtures import letters
from tests.appliance.display.pictures import compare, renew
from tests.firmware.hall.hall_faces import CODE, RUNNING, hall_faces, look
from wire.local.device import JoinRequest

__all__ = ["letters"]

KEPT = Path(__file__).parent / "golden"
SIZE = (1024, 600)
IN_THREE = ("stop", "joins", "updating", "verdict")
ASKS = JoinRequest("cambridge", "1234-5678", CODE)
DIGITS = "HALL cambridge: ADMIT 1234-5678"
OVER = (*RUNNING, "1400 end reason=x")


def test_digits_and_code_are_shown_before_a_game_and_digits_beside_its_times_after_it_but_a_call_or_request_to_stop_first() -> None:
    face, plain = (look("1500", *OVER, joins=joins) for joins in (ASKS, None))
    assert (face.called, face.code, face.halves) == (DIGITS, (), plain.halves)
    called = look("1500", *OVER, "1450 call on=true", joins=ASKS)
    assert called.called == look("1500", *OVER, "1450 call on=true").called != ""
    asked = [look("400", *RUNNING, language=language, stop=StopRequest("", 400)).called for language in ("en", "fr")]
    assert asked == ["THE DIRECTOR ASKS YOU TO STOP: Please wait", "L'ARBITRE VOUS DEMANDE D'ARRÊTER\u00a0: Veuillez patienter"]
    face = look("0", joins=ASKS)
    assert (face.called, face.code) == (DIGITS, CODE)
    for lines in (RUNNING, (*RUNNING, "390 neutralise"), (*RUNNING, "390 challenge")):
        assert look("400", *lines, joins=ASKS) == look("400", *lines)


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(
    ("name", "language"), [*((name, "en") for name in hall_faces()), *((name, language) for name in IN_THREE for language in ("fr", "es"))]
)
def test_the_hall_looks_as_it_did(name: str, language: str, tmp_path: Path) -> None:
    picture = pygame.Surface(SIZE)
    Painter(arrange(*SIZE, Arrangement.FACING)).draw(picture, hall_faces(language)[name])
    renew(f"{language}-{name}", picture, KEPT)
    assert compare(f"{language}-{name}", picture, tmp_path, KEPT) == ""
