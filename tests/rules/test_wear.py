"""How a contact wears: what is counted of a press, and which contacts are named, of a seeded model of sound and of worn ones."""

from collections.abc import Iterable
from itertools import cycle, islice
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.gestures import contacts
from hardware.boards.board import load_board
from hardware.buttons.board_pins import ButtonPins, Edge
from rules.contact import MS
from rules.contact import Contact as Debounced
from rules.duration import NS
from rules.wear import FIRST_GAMES, LAST_GAMES, Heard, Tally, Wear, Worn, worn
from tests.examples import THOROUGH
from tests.rules.contacts_model import Contact, WornContact, games, sound_contact, worn_contacts
from tools.mock_board import MockBoard

CONTACTS = 120
PRESSES = 8334
"""Of each sound contact: a million together."""


def moved(seen: Heard, instants: Iterable[int]) -> Heard:
    for at, down in zip(instants, cycle((True, False)), strict=False):
        seen = seen.edge(at, down=down)
    return seen


def heard(*instants: float, now: float = 1e6) -> Tally:
    """Return what is counted of a contact that moves at these instants (ms)."""
    return moved(Heard(), (round(at * MS) for at in instants)).until(round(now * MS)).tally


@pytest.mark.parametrize(
    ("instants", "bounce", "held_for", "opened", "touches"),
    [
        ((0, 90), 0, 3, 0, 0),
        ((0, 0.3, 2.1, 90, 90.5, 91), 4, 3, 0, 0),  # the longer one, at closing
        ((0, 0.3, 0.4, 90, 90.5, 99.1), 6, 3, 0, 0),  # at opening
        ((0, 45, 46, 90), 3, 3, 1, 0),
        ((0, 45, 65, 90), 0, 3, 1, 0),  # so long that it is no bounce, and still one press
        ((0, 2, 1000, 1090), 0, 3, 0, 1),
        ((0, 9000), 0, 10, 0, 0),
    ],
)
def test_the_longest_bounce_the_length_openings_and_touches_of_a_press_are_counted(
    instants: tuple[float, ...], bounce: int, held_for: int, opened: int, touches: int
) -> None:
    tally = heard(*instants)
    assert (tally.presses, tally.bounces[bounce], tally.held[held_for], tally.opened, tally.touches) == (1, 1, 1, opened, touches)
    assert tally.stuck == (held_for == len(tally.held) - 1)


def test_a_press_counts_once_it_is_over_and_a_tap_within_a_bounce_does_not() -> None:
    assert heard(0, 90, now=124.9).presses == 0
    assert heard(0, 90, now=125).presses == 1
    assert heard(0, 12).presses == 0


def tally(presses: int = 20, bounce_ms: float = 1, **more: Any) -> Tally:
    counted = Tally()
    for _ in range(presses):
        counted = counted.and_press(round(bounce_ms * MS), 100 * MS, opened=False)
    return replace(counted, **more)


def wear(*tallies: Tally) -> Wear:
    known = Wear()
    for each in tallies:
        known = known.and_game(each)
    return known


def test_games_of_few_presses_wait_for_each_other_and_the_first_ones_stay_known() -> None:
    assert wear(tally(4), tally(5)) == Wear(waiting=tally(9))
    assert wear(tally(4), tally(5), tally(1)) == Wear(last=(tally(10),))
    known = wear(*(tally(10) for _ in range(FIRST_GAMES)), *(tally(11) for _ in range(100)))
    assert known == Wear(tally(10 * FIRST_GAMES), FIRST_GAMES, (tally(11),) * LAST_GAMES)


SOUND = [tally() for _ in range(40)]
JUDGED = [
    ((), None),
    ((tally(bounce_ms=7.9),) * 8, None),  # not four times the 2 ms below which 1 ms counts
    ((tally(bounce_ms=9),) * 3, None),  # three hands
    ((tally(bounce_ms=9),) * 4, ("bounces", 2, 8)),
    ((tally(bounce_ms=9), *SOUND[:1]) * 4, ("bounces", 2, 8)),
    ((tally(bounce_ms=9), *SOUND[:2]) * 4, None),
    ((tally(touches=1),) * 8, None),
    ((tally(touches=2),) * 4, ("touches", 0, 5)),
    ((tally(opened=1),) * 4, ("opens", 0, 2)),
    ((tally(opened=3, touches=9), *SOUND[:1]) * 4, ("opens", 0, 8)),
    ((replace(tally(), held=(0,) * 10 + (2,)),) * 4, ("sticks", 0, 5)),
]


@pytest.mark.parametrize(("later", "found"), JUDGED)
def test_a_change_in_four_of_the_last_eight_games_is_named_the_gravest_first(later: Iterable[Tally], found: Any) -> None:
    assert worn("left", wear(*SOUND, *later)) == (None if found is None else Worn("left", *found))


def test_what_was_so_in_the_first_games_is_no_change_but_a_bounce_that_is_too_long_is_named_at_once() -> None:
    assert worn("ok", wear(*[tally(touches=3)] * 60)) is None
    assert worn("ok", wear(*[tally(bounce_ms=5)] * 60)) is None
    assert worn("ok", wear(*[tally(bounce_ms=17)] * 3)) is None
    assert worn("ok", wear(*[tally(bounce_ms=17)] * 4)) == Worn("ok", "bounces", 16, 16)
    assert str(Worn("ok", "bounces", 2, 8).words) == "ok button is wearing: bounce 2 ms before, 8 ms now"


class Bench:
    """A contact on the left button of a board, with the reader and the gestures of a clock behind it."""

    def __init__(self, contact: Contact) -> None:
        self.board, self.edges = MockBoard(load_board("full")), list[Edge]()
        self.pins = ButtonPins(self.board.board, self.board.factory, self.edges.append)
        self.games = games(contact)
        self.heard, self.wear = Heard(), Wear()
        self.before: dict[str, Debounced] = {}
        self.lost = False
        """A press did not come as one press."""

    def game(self) -> Worn | None:
        for began, train in next(self.games):
            self._press(train, max([began, *train]) + NS)
        self.wear, self.heard = self.wear.and_game(self.heard.tally), replace(self.heard, tally=Tally())
        return worn("left", self.wear)

    def _press(self, train: list[int], now: int) -> None:
        self.edges.clear()
        self.board.bounce("left", train)
        for each in self.edges:
            self.heard = self.heard.edge(each.at, down=each.down)
        self.heard = self.heard.until(now)
        said = contacts.hear(self.before, (contacts.Edge(each.button, each.at, each.down) for each in self.edges), now)
        self.before = said.contacts
        self.lost = self.lost or [each.released is not None for each in said.holds] != [True]


@pytest.mark.parametrize(
    ("kind", "contact"), [pytest.param(*each, id=each[0]) for each in islice(worn_contacts(), 0, None, 1 if THOROUGH else 2)]
)
def test_each_of_twenty_worn_contacts_is_named_before_it_loses_a_press_and_not_while_it_is_sound(kind: str, contact: WornContact) -> None:
    bench = Bench(contact)
    while (found := bench.game()) is None:
        assert not bench.lost, f"{contact.worn:.2f} worn"
    assert contact.worn > 0
    assert not bench.lost
    assert (found.sign == {"growing_bounce": "bounces", "sticks": "sticks"}.get(kind, "opens"), found.now > found.before) == (True, True)
    while not bench.lost and contact.worn < 2:
        bench.game()
    assert bench.lost, "it does wear out"


@pytest.mark.parametrize("seed", range(CONTACTS if THOROUGH else 4))
def test_no_sound_contact_is_named_in_a_million_presses_of_many_hands_bounces_and_temperatures(seed: int) -> None:
    contact = sound_contact(seed)
    seen, known, presses, later = Heard(), Wear(), 0, games(contact)
    while presses < PRESSES:
        game = next(later)
        presses += len(game)
        seen = moved(seen, (at for _, train in game for at in train)).until(game[-1][0] + 19 * NS)
        known, seen = known.and_game(seen.tally), replace(seen, tally=Tally())
        assert worn("left", known) is None, f"after {presses} presses, {contact.bounce_ns / MS:.2f} ms"
    assert known.games == FIRST_GAMES


def test_the_model_of_sound_hands_has_what_must_not_alarm() -> None:
    presses = [press for seed in range(4) for game in islice(games(sound_contact(seed)), 300) for press in game]
    counted = moved(Heard(), (at for _, train in presses for at in train)).tally
    assert min(counted.touches, counted.stuck, counted.opened) > 0
    assert len([each for each in counted.bounces if each]) > 5, "from below 0.25 ms to above 4 ms"
