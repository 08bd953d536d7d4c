"""The real ``tileclock run`` on the kernel's pins: what it charged is what lies between the kernel's instants, to the nanosecond."""

import base64
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from appliance.records.chain import ChainLink
from game.exact_json import decode
from records.games import fold
from records.journal import Kind, Row, reading, rows_of_game
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.kernel.conftest import Ask
from tests.machine.figures import Figures

TURNS: Final = 40
BOUNCES_NS: Final = 25_000_000
"""Open for longer than this is no bounce (30 ms): the emulator itself was held up in the middle of one, and the game is played again."""


def played(ask: Ask, **how: Any) -> dict[str, Any]:
    games = (ask("game", pins="gpiod", seed=seed, turns=TURNS, **how) for seed in range(5))
    return next(game for game in games if game["opened_ns"] < BOUNCES_NS)


def rows(game: dict[str, Any], folder: Path) -> tuple[ChainLink[Row], ...]:
    path = folder / "journal.db"
    path.write_bytes(base64.b64decode(game["journal"]))
    with reading(path) as connection:
        return rows_of_game(connection, 1)


def first_pulls(pulls: Sequence[tuple[str, bool, int, int]]) -> list[tuple[str, int, int]]:
    """Return the pull that began each player's press: button, before, after."""
    mine = [(button, before, after) for button, down, before, after in pulls if down and button in ("left", "right", "centre")]
    return [now for last, now in pairwise([("", 0, 0), *mine]) if last[0] != now[0]]


@pytest.mark.parametrize(
    ("toggles", "of"),
    [(0, "parts"), (4001, "parts"), (0, "hall"), (0, "checkout")],
    ids=["quiet", "flooded", "in-a-hall", "from-a-checkout"],
)
def test_a_game_is_charged_to_the_nanosecond_between_the_kernels_instants(
    ask: Ask, figures: Figures, tmp_path: Path, toggles: int, of: str
) -> None:
    game = played(ask, toggles=toggles, of=of)
    assert game["code"] == 0, game["said"]
    kept = rows(game, tmp_path)
    folded = fold(kept, load_rulebook)
    assert folded.history is not None
    assert folded.refused == ()
    presses = sorted(link.at for link in folded.history if link.before is not None)
    pulled = first_pulls(game["pulls"])
    assert [pull for pull in pulled if not any(pull[1] <= at <= pull[2] for at in presses)] == []
    assert len(presses) == len(pulled) == TURNS + 1
    assert all(before <= at <= after for at, (_, before, after) in zip(presses, pulled, strict=True))
    charged = [later - earlier for earlier, later in pairwise(presses)]
    used = folded.history.game_at(presses[-1] + 1).used
    assert used == BySide(left=sum(charged[::2]), right=sum(charged[1::2]))
    assert used.left + used.right == presses[-1] - presses[0]
    noted = [decode(each.row.body).get("edges_lost") for each in kept if each.row.kind == Kind.NOTE]
    lost = next((int(each) for each in reversed(noted) if each is not None), 0)
    if toggles == 0:
        assert lost == 0
    hall = ""
    if of == "hall":
        code, compared = game["compared"]
        assert (code, game["arrived"] >= len(presses)) == (0, True), compared
        hall = f", in a hall (broker, link and listener beside it; {game['arrived']} rows at the listener)"
    figures.add(
        f"gpiod: tileclock run{' from a checkout' if of == 'checkout' else ''}, {TURNS} turns that bounce, the processor busy{f', {toggles} edges on another button' if toggles else ''}{hall}: "
        f"{len(presses)} presses, used {used.left} + {used.right} ns = the sum of the kernel's intervals; edges noticed as lost: {lost}"
    )
