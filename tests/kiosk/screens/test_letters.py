from __future__ import annotations

import pytest

from appliance.display.drawing import measure
from kiosk.layout.labels import estimate
from tests.cells import each_cell


@pytest.mark.usefixtures("letters")
def test_the_layout_guesses_a_texts_width_to_a_sixth() -> None:
    for cell in each_cell(
        [
            "QUIXOTRY",
            "UNEXCEPTIONABLE",
            "Stop your clock before you come here.",
            "La pendule est-elle arrêtée ?",
            "¿Está parado su reloj?",
            "L·L RR Ñ",
            "270,163 words",
        ]
    ):
        with cell as text:
            assert estimate(text, 100) == pytest.approx(measure(text, 100), rel=1 / 6)
