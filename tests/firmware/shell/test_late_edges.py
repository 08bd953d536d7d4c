"""Edges that come late, in any order: the game is the one that the same edges make in time, and so is what the journal gives back."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.clocks import Clocks
from firmware.gestures.clock_state import ClockState
from firmware.journal.recovery import recover
from firmware.journal.store import open_journal
from firmware.journal.writer import JournalRecorder, JournalWriter
from firmware.menu.menu import open_menu
from firmware.settings.places import merge
from firmware.shell.assemble import setup_of
from firmware.shell.clock import TableClock
from firmware.shell.notices import Notices
from game.record import Fate, Record, begin
from rules.rulebooks import load_rulebook
from tests.examples import examples
from tests.firmware.saying import new_game
from tests.firmware.shell.rig import BEGAN, rig, row_of_menu, rows_in

MS = 1_000_000
LATEST = 500 * MS
CHATTER = (0, 2 * MS, 5 * MS)
Raw = tuple[int, str, bool]
"""An edge: its instant in ns, the button, and whether it went down."""


@st.composite
def games(draw: st.DrawFn) -> list[Raw]:
    """Presses of every length with bounce and spikes, sometimes both players at once, in an evening's order."""
    at, edges = 0, []
    for _ in range(draw(st.integers(1, 10))):
        at += draw(st.integers(40 * MS + 1, 4_000 * MS))
        buttons = draw(st.sampled_from([("left",), ("right",), ("left",), ("right",), ("centre",), ("left", "right")]))
        held = draw(st.sampled_from([1 * MS, 80 * MS, 300 * MS, 1_100 * MS]))
        apart = draw(st.integers(0, 120 * MS))
        for place, button in enumerate(buttons):
            offsets = CHATTER if held > MS and draw(st.booleans()) else (0,)
            began = at + place * apart
            edges += [(began + offset, button, turn % 2 == 0) for turn, offset in enumerate(offsets)]
            edges += [(began + held + offset, button, turn % 2 == 1) for turn, offset in enumerate(offsets)]
        at += held + len(buttons) * apart
    return sorted(edges)


@st.composite
def late_games(draw: st.DrawFn) -> tuple[list[Raw], list[int]]:
    """A game and how late each of its edges is heard, in ns."""
    edges = draw(games())
    return edges, draw(st.lists(st.integers(0, LATEST), min_size=len(edges), max_size=len(edges)))


def _clock(path: Path) -> tuple[TableClock, JournalWriter]:
    setup = setup_of(merge([]).settings)
    open_journal(path)
    writer = JournalWriter(path, lambda _: None)
    table = ClockState(begin(new_game("naspa-2017"), 0), setup)
    return TableClock(table, JournalRecorder(writer, Clocks(wall=lambda: "", boot=lambda: "b"), 0, None), Notices(setup.texts), 0), writer


def _played(path: Path, heard: Iterable[tuple[int, Raw]], until: int) -> Record:
    """Hear each edge at its instant; time goes on in between as the loop would see it."""
    clock, writer = _clock(path)
    for now, (at, button, down) in heard:
        clock.tick(now)
        clock.edge(button, at, down=down)
    clock.tick(until)
    assert writer.close()
    return clock.table.record


def _left(record: Record) -> list[tuple[int, object, Fate]]:
    """Return the events that stand, without their numbers: those say in which order they came."""
    return [(link.at, link.event, link.fate) for link in record]


@settings(max_examples=examples(120), deadline=None)
@given(late_games())
def test_edges_up_to_half_a_second_late_in_any_order_make_the_same_game_and_the_same_journal(late: tuple[list[Raw], list[int]]) -> None:
    edges, delays = late
    until = edges[-1][0] + 10_000 * MS
    with tempfile.TemporaryDirectory() as folder:
        in_time = _played(Path(folder) / "in time.db", ((at, (at, button, down)) for at, button, down in edges), until)
        heard = sorted(((edge[0] + delay, edge) for edge, delay in zip(edges, delays, strict=True)), key=lambda each: each[0])
        path = Path(folder) / "late.db"
        belated = _played(path, heard, until)
        recovered = recover(path, load_rulebook)
    assert _left(belated) == _left(in_time)
    assert belated.game_at(until) == in_time.game_at(until)
    assert recovered is not None
    assert recovered.record is not None
    assert recovered.record.game_at(until) == in_time.game_at(until)


def test_a_burst_of_four_thousand_edges_heard_half_a_second_late_is_one_press_at_its_first_edge(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        first = table.at("30")
        train = [first + turn * 7_001 for turn in range(3_999)]  # 28 ms of chatter, then down for good
        late = [
            (first + LATEST, lambda: table.board.bounce("left", train)),
            (first + LATEST, lambda: table.board.up("left", first + 200 * MS)),
        ]
        table.play(table.press("5", "right"), late, until="40")
        assert table.used() == (25_000_000_000, 0)
        assert [link.at for link in table.clock.table.record] == [first, table.at("5"), BEGAN]


def test_a_thousand_presses_that_all_come_at_once_after_seven_minutes_are_charged_as_if_each_had_been_heard_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gap, presses = 410 * MS + 1, 1_000
    with rig(monkeypatch, tmp_path / "journal.db") as table:

        def all_at_once() -> None:
            for turn in range(presses):
                table.board.press(("left", "right")[turn % 2], table.at("5.000000001") + turn * gap)
            table.hand.now = table.at("5.000000001") + presses * gap

        table.play([(table.at("1"), all_at_once)], until="600")
        game = table.clock.table.record.game
        assert (game.used.left, game.used.right) == (presses // 2 * gap - gap, presses // 2 * gap)
    assert len([kept for kept in rows_in(table.path) if kept.row.number]) == presses + 1


def _director_begins_anew(path: Path, late: Iterable[tuple[int, Raw]], until: int) -> Record:
    clock, writer = _clock(path)
    # While the clock runs, ok opens the menu.
    ends, begins = row_of_menu("end", "0 press right"), row_of_menu("new_game", "0 press right", "1 end reason=x")
    walk = ("right", "key", "ok", *ends, "ok", "down", "ok", *begins, "ok", "ok", "ok", "down")
    for second, button in enumerate(walk, start=1):
        clock.edge(button, second * 1_000 * MS, down=True)
        if button != "key":
            clock.edge(button, second * 1_000 * MS + 80 * MS, down=False)
    for now, (at, button, down) in late:
        clock.tick(now)
        clock.edge(button, at, down=down)
    clock.tick(until)
    assert writer.close()
    return clock.table.record


@pytest.mark.parametrize("delay", [0, 100 * MS, LATEST])
def test_a_new_game_begun_in_the_menu_is_one_game_in_the_journal_however_late_its_edges_come(tmp_path: Path, delay: int) -> None:
    last = 60_000 * MS
    edges: list[Raw] = [
        *((last - 200 * MS, "up", True), (last - 199 * MS, "up", False)),  # a spike
        *((last, "ok", True), (last + 80 * MS, "ok", False), (last + 150 * MS, "key", False)),
        *((last + 200 * MS, "right", True), (last + 280 * MS, "right", False)),
    ]
    turned = [(at + delay * (turn % 2), (at, button, down)) for turn, (at, button, down) in enumerate(edges)]
    path = tmp_path / "journal.db"
    record = _director_begins_anew(path, sorted(turned), last + 5_000 * MS)
    assert [type(link.event).__name__ for link in record] == ["Press", "NewGame"]
    begun = [(kept.row.game, kept.row.at) for kept in rows_in(path) if kept.row.number == 1]
    assert begun == [(1, 0), (2, last)]
    recovered = recover(path, load_rulebook)
    assert recovered is not None
    assert recovered.record is not None
    assert _left(recovered.record) == _left(record)


def test_what_no_edge_made_is_made_again_after_a_late_edge(tmp_path: Path) -> None:
    clock, writer = _clock(tmp_path / "journal.db")
    clock.edge("key", 1_000 * MS, down=True)
    clock.tick(2_000 * MS)
    clock.hit_row(0, 2_000 * MS)
    clock.without_screen(2_500 * MS)
    taken = clock.table.menu
    clock.tick(3_000 * MS)
    clock.edge("up", 1_500 * MS, down=True)
    clock.edge("up", 1_500 * MS + 500_000, down=False)
    assert writer.close()
    assert taken != open_menu()
    assert clock.table.menu == taken
    assert not clock.table.setup.screen
