import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.records.chain import GENESIS, ChainLink, chained, covered
from firmware.journal.export import export
from firmware.journal.recovery import recover
from firmware.journal.writer import JournalWriter, open_journal
from game import events as ev
from game.game import EventNotAllowed, Game
from game.history import History, accept, begin
from game.script import Show, read_lines
from records.games import fold
from records.journal import GameStamp, Row, game_numbers, games, reading, rows_of, verify
from records.words import row_words
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import BySide, Side
from tests.examples import examples
from tests.firmware.any_event import SIDES, any_event
from tests.firmware.saying import new_game
from tests.some import some

START = 7_123_456_789
Step = tuple[int, ev.Event, ev.By | None]
Move = tuple[History | None, History, int]
REASONS = st.sampled_from(["wrong side", "tiles dropped", 'Zu früh "gedrückt" \U0001f552'])
SECONDS = st.integers(-900_000_000_007, 900_000_000_007)
PRESSES = st.builds(ev.Press, SIDES)
EVENTS: st.SearchStrategy[ev.GameEvent | ev.Undo] = st.one_of(PRESSES, PRESSES, any_event(REASONS, SECONDS, st.integers(2, 30)))
"""Presses come more often, so that clocks run."""
MAKERS = st.sampled_from([None, None, *ev.By])
STEPS = st.lists(st.tuples(st.integers(0, 300_000_000_001), EVENTS, MAKERS), max_size=40)
ALLOWANCES = st.builds(BySide, st.none() | st.integers(0, 3_000_000_000_001), st.none())


def _moves(steps: list[Step], rulebook: str, allowed: BySide[int | None]) -> list[Move]:
    now = START
    history = begin(ev.NewGame(load_rulebook(rulebook), rulebook, allowed), now)
    moves: list[Move] = [(None, history, now)]
    for gap, event, by in steps:
        now += gap
        try:
            after = accept(history, event, now, by=by)
        except EventNotAllowed:
            continue
        moves.append((history, after, now))
        history = after
    return moves


def _puts(moves: list[Move], game: int = 1) -> list[tuple[Row, ...]]:
    return [rows_of(old, new, game, GameStamp(now, now + 5, "boot", "2026-01-01T00:00:00Z")) for old, new, now in moves]


def _kept(puts: list[tuple[Row, ...]]) -> list[ChainLink[Row]]:
    kept: list[ChainLink[Row]] = []
    for row in (row for rows in puts for row in rows):
        head = kept[-1].hash if kept else GENESIS
        kept.append(ChainLink(len(kept) + 1, row, chained(head, covered(len(kept) + 1, row))))
    return kept


def _links(history: History) -> list[tuple[object, ...]]:
    return [(link.number, link.at, link.event, link.fates, link.game, link.by) for link in history]


def _replayed(lines: list[str], first_at: int) -> list[Game]:
    found: list[Game] = []
    history: History | None = None
    for line in read_lines((line.encode() for line in lines), "export", load_rulebook):
        assert not isinstance(line.command, Show) or history is not None
        if isinstance(line.command, ev.NewGame):
            found += [] if history is None else [history.game]
            history = begin(line.command, line.at + first_at)
        elif not isinstance(line.command, Show) and history is not None:
            history = accept(history, line.command, line.at + first_at, by=line.by)  # type: ignore[arg-type]  # an export holds no edges
    assert history is not None
    return [*found, history.game]


@settings(max_examples=examples(300), deadline=None)
@given(STEPS, st.sampled_from(shipped_ids()), ALLOWANCES)
def test_the_rows_of_any_game_fold_to_the_same_record_link_by_link(steps: list[Step], rulebook: str, allowed: BySide[int | None]) -> None:
    moves = _moves(steps, rulebook, allowed)
    folded = fold(_kept(_puts(moves)), load_rulebook)
    assert folded.refused == ()
    assert _links(some(folded.history)) == _links(moves[-1][1])


@settings(max_examples=examples(300), deadline=None)
@given(STEPS, st.sampled_from(shipped_ids()), ALLOWANCES, st.booleans())
def test_an_export_of_any_game_replays_to_the_same_game(steps: list[Step], rulebook: str, allowed: BySide[int | None], shows: bool) -> None:
    moves = _moves(steps, rulebook, allowed)
    lines = list(export([_kept(_puts(moves))], load_rulebook, shows=shows))
    assert _replayed(lines, START) == [moves[-1][1].game]


@settings(max_examples=25, deadline=None)
@given(STEPS, STEPS, st.sampled_from(shipped_ids()))
def test_two_games_through_the_file_recover_and_export_as_they_were(first: list[Step], second: list[Step], rulebook: str) -> None:
    none: BySide[int | None] = BySide(None, None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        open_journal(path)
        writer = JournalWriter(path, lambda progress: None)
        played = [_moves(first, rulebook, none), _moves(second, rulebook, none)]
        for game, moves in enumerate(played, 1):
            for rows in _puts(moves, game):
                writer.put(rows)
        last = GameStamp(played[1][-1][2] + 1, 5, "boot", "later")
        writer.mark(last)
        assert writer.close(30)
        recovered = some(recover(path, load_rulebook))
        assert (recovered.game, recovered.last, recovered.refused) == (2, last, ())
        assert _links(some(recovered.history)) == _links(played[1][-1][1])
        with reading(path) as connection:
            assert verify(connection).fault is None
            kept = list(games(connection))
            assert game_numbers(connection) == (1, 2)
        found = _faces(_replayed(list(export(kept, load_rulebook)), 0))
        assert found[-1] == _faces([played[1][-1][1].game])[0]
        assert len(found) == 2


def _faces(found: list[Game]) -> list[tuple[object, ...]]:
    return [(game.phase, game.used, game.accounts, game.turn, game.reason) for game in found]


def test_an_undo_is_exported_with_the_number_that_a_script_counts_also_where_a_row_is_missing() -> None:
    history = begin(new_game("naspa-2017"), START)
    moves: list[Move] = [(None, history, START)]
    events: tuple[ev.Event, ...] = (
        ev.Press(Side.RIGHT),
        ev.Infraction(Side.LEFT),
        ev.Press(Side.LEFT),
        ev.Undo("slip", 4),
        ev.Press(Side.LEFT),
    )
    for place, event in enumerate(events, 1):
        history = accept(moves[-1][1], event, START + 10 * place)
        moves.append((moves[-1][1], history, START + 10 * place))
    kept = _kept(_puts(moves))
    kept.pop(2)
    assert fold(kept, load_rulebook).refused == ()
    assert [row.fate for row in row_words(kept)] == ["", "", "struck by event 5", "", ""]
    lines = list(export([kept], load_rulebook))
    assert lines[3] == '{"t": "0.00000004", "do": "undo", "reason": "slip", "event": 3}'
    [game] = _replayed(lines, START)
    assert (game.turn, game.used, game.accounts.left.infractions) == (Side.RIGHT, BySide(40, 0), 0)
