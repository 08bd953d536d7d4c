"""A worn contact on the kernel's pins: the clock names it before it loses a press, and none that is sound."""

import pytest

from tests.examples import THOROUGH
from tests.kernel.conftest import Ask
from tests.machine.figures import Figures
from tests.rules.contacts_model import WEARS

MOST = 6000
SOUND_PRESSES = 1500
SEEDS = range(4 if THOROUGH else 1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", WEARS if THOROUGH else ["growing_bounce"])
def test_a_worn_contact_is_named_before_the_first_lost_press(ask: Ask, figures: Figures, kind: str, seed: int) -> None:
    said = ask("wearing", kind=kind, seed=seed, most=MOST)
    assert said["strange"] == 0
    assert said["named"] is not None
    assert said["named"]["worn"] > 0, "it was sound"
    assert said["lost"] is not None, "it does wear out"
    assert said["named"]["presses"] < said["lost"]
    figures.add(
        f"gpiod: {kind} {seed}: named ({said['named']['sign']}) after {said['named']['presses']} presses, "
        f"the first one lost is number {said['lost']}; {said['edges']} edges, each at its pull"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sound_contact_is_not_named_and_loses_no_press(ask: Ask, figures: Figures, seed: int) -> None:
    said = ask("wearing", kind="sound", seed=seed, most=SOUND_PRESSES)
    assert (said["named"], said["lost"], said["strange"]) == (None, None, 0)
    figures.add(f"gpiod: a sound contact {seed}: {said['presses']} presses, {said['edges']} edges, none named, none lost")
