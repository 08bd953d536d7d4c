"""The power of a table clock is cut again and again in one game, on one card: the emulator is killed, and the card loses what its own cache held."""

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from appliance.records.chain import ChainLink
from firmware.journal.recovery import MARK_EVERY_NS
from game.exact_json import decode
from game.game import Phase
from records.journal import Kind, Row
from rules.side import Side
from tests.machine.cache import scratch
from tests.machine.figures import Figures
from tests.packaged.rounds import CUTS, JOURNAL, Round, played, summary
from tests.some import some

pytestmark = pytest.mark.timeout(3600)
POWER_CUT: Final = "power cut"
SEED: Final = "TILECLOCK_CUTS_SEED"
"""Set to what an earlier run has printed, it cuts at the same instants again."""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("journal") / JOURNAL


@pytest.fixture(scope="module")
def rounds(figures: Figures, journal: Path) -> list[Round]:
    """Play the game to its last cut; each card is looked at as the emulator left it, and as one with a cache did: that one is booted next."""
    seed = int(os.environ.get(SEED) or random.SystemRandom().randrange(1 << 32))
    print(f"{SEED}={seed}")  # noqa: T201 - to have the same cuts again
    with scratch() as work:
        rounds = list(played(work, journal.parent, seed))
    for line in summary(rounds, seed):
        figures.add(line)
    return rounds


def test_the_game_comes_back_stopped_and_no_player_moves_it_before_the_director_has_looked(rounds: list[Round]) -> None:
    lives = [each.life for each in rounds if each.running]
    assert [life.stopped for life in lives] == [None] + [True] * CUTS
    # The first lamp is the one that was lit by what the director had the bar do.
    assert all(life.playing and life.lamps[0] in ("left", "right") for life in lives)
    assert {kept.row.game for kept in rounds[-1].found.rows if kept.row.kind == Kind.EVENT} == {1}


def test_a_running_clock_is_stopped_at_the_last_instant_that_is_on_the_card(rounds: list[Round]) -> None:
    for before, after in itertools.pairwise(rounds):
        if after.running:
            stops = [
                kept.row
                for kept in after.found.rows[len(before.found.rows) :]
                if kept.row.kind == Kind.EVENT and decode(kept.row.body).get("reason") == POWER_CUT
            ]
            ran = some(before.found.recovered.at_last)
            assert [stop.at for stop in stops] == [before.found.recovered.last.at] * (ran.phase is Phase.RUNNING)


def test_nothing_is_lost_that_could_be_read_in_the_journal_before_the_cut(rounds: list[Round]) -> None:
    for each in rounds:
        for known in each.life.known:
            assert each.found.rows[known.seq - 1].hash == known.hash
            assert each.found.recovered.last.at >= known.at
    for before, after in itertools.pairwise(rounds):
        assert after.found.rows[: len(before.found.rows)] == before.found.rows


def test_a_cut_in_the_midst_of_a_write_leaves_a_beginning_of_the_same_journal(rounds: list[Round]) -> None:
    for each in rounds:
        for other in each.others:
            assert other.rows == each.found.rows[: len(other.rows)]
            assert other.recovered.last.at <= each.found.recovered.last.at
    assert sum(len(each.others) for each in rounds) >= CUTS


def test_every_press_is_there_at_its_instant_but_those_of_the_last_moment(rounds: list[Round]) -> None:
    for each in rounds:
        events = _played_in(each)
        assert len(events) <= len(each.life.pressed)
        for event, press in zip(events, each.life.pressed, strict=False):
            assert press.before <= event.row.mono <= press.after
            assert _button(event) == press.button
        assert all(press.before > each.life.last - _allowed(each) for press in each.life.pressed[len(events) :])


def test_no_more_is_missing_than_a_second_and_the_promised_delay_and_the_clock_says_so(rounds: list[Round]) -> None:
    for each in rounds:
        # A running clock's second and the promised delay; in a stop the delay; before the first press, or while an earlier cut waits to be confirmed, nothing.
        assert each.found.own_uncertain_ns in (0, each.found.mark.commit_ns, MARK_EVERY_NS + each.found.mark.commit_ns)
        assert each.missing_ns <= _allowed(each)
    for before, after in itertools.pairwise(rounds):
        if after.running:
            (said,) = after.found.said(Kind.RECOVERED, after.life.boot)
            assert said["uncertain_ns"] == before.found.uncertain_ns
            assert said["refused"] == []
            # Before anything that is played in this life; the cut may have come before it was on the card.
            confirmed = after.found.said(Kind.CONFIRMED, after.life.boot)
            assert confirmed == [{}] or not (confirmed or _played_in(after))


def test_the_times_used_are_what_the_presses_make_them(rounds: list[Round]) -> None:
    for each in rounds:
        game, at = each.found.recovered.at_last, each.found.recovered.last.at
        assert game is not None
        assert {side.value: game.used_at(side, at) for side in Side} == _used(each.found.rows, at)


def test_the_journal_is_whole_for_whoever_asks(rounds: list[Round], journal: Path) -> None:
    tileclock = Path(sys.executable).with_name("tileclock")
    done = subprocess.run([str(tileclock), "journal", "verify", "--journal", str(journal)], capture_output=True, text=True, check=False)
    assert done.stdout.startswith(f"Whole: {len(rounds[-1].found.rows)} rows")
    assert done.returncode == 0


def _allowed(each: Round) -> int:
    """Return what may be missing at most (ns): what the mark on the card speaks of; and what an emulated machine on a busy one keeps its programs waiting."""
    return MARK_EVERY_NS + each.found.mark.commit_ns + 2 * each.life.longest_gap


def _played_in(each: Round) -> list[ChainLink[Row]]:
    """Return the events on the card that its players and its director made."""
    events = [kept for kept in each.found.rows if kept.row.kind == Kind.EVENT and kept.row.boot == each.life.boot]
    bodies = [decode(kept.row.body) for kept in events]
    return [kept for kept, body in zip(events, bodies, strict=True) if body["do"] != "new_game" and body.get("reason") != POWER_CUT]


def _button(kept: ChainLink[Row]) -> str:
    body = decode(kept.row.body)
    return str(body["side"]) if body["do"] == "press" else "centre"


def _used(rows: Iterable[ChainLink[Row]], at: int) -> dict[str, int]:
    """Return what each side has used at ``at`` (ns), by the rule that every button starts the other player's clock, and by nothing else of the project."""
    used, running, since = {"left": 0, "right": 0, "none": 0}, "none", 0
    for kept in rows:
        body = decode(kept.row.body)
        if kept.row.kind == Kind.EVENT and body["do"] != "new_game":
            used[running] += kept.row.at - since
            after = {"resume": body.get("side", ""), "neutralise": "none", "press": "right" if body.get("side") == "left" else "left"}
            running, since = after[body["do"]], kept.row.at
    used[running] += at - since
    del used["none"]
    return used
