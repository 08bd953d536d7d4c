"""Recovery: how far time is known, how much may be missing, and whose rulebook it was."""

from pathlib import Path

import pytest

from appliance.records.chain import GENESIS, ChainLink
from firmware.journal.export import export
from firmware.journal.recovery import recover_rows
from firmware.journal.store import MARK_EVERY_NS, MIN_NS
from game import events as ev
from game.journal.fold import fold
from game.journal.reading import Mark
from game.journal.row import GameStamp, Kind, Row, decode, row_of, rows_of
from game.record import Record, accept, begin
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side

S = 1_000_000_000


def _stamp(at: int, boot: str = "a") -> GameStamp:
    return GameStamp(at, at + 7, boot, f"wall {at}")


def _mark(at: int, game: int = 1) -> Mark:
    return Mark(_stamp(at), game, 2, GENESIS, 5_000_000, "")


def _kept(rows: list[Row]) -> tuple[ChainLink[Row], ...]:
    return tuple(ChainLink(seq, row, GENESIS) for seq, row in enumerate(rows, 1))


def _running() -> tuple[Record, list[Row]]:
    record = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), 0)
    after = accept(record, ev.Press(Side.RIGHT), 10 * S)
    return after, [*rows_of(None, record, 1, _stamp(0)), *rows_of(record, after, 1, _stamp(11 * S))]


def test_after_a_power_cut_time_is_known_up_to_the_mark_and_a_second_and_the_promised_delay_are_uncertain() -> None:
    _, rows = _running()
    recovered = recover_rows(_kept(rows), _mark(14 * S), load_rulebook)
    assert (recovered.last_at, recovered.boot, recovered.clock_ran) == (14 * S, "a", True)
    assert recovered.uncertain_ns(_stamp(0, "b")) == MARK_EVERY_NS + 5_000_000
    assert recovered.at_last is not None
    assert recovered.at_last.used_at(Side.LEFT, recovered.last_at) == 4 * S


def test_after_a_restart_within_the_same_boot_no_more_is_uncertain_than_has_passed() -> None:
    _, rows = _running()
    recovered = recover_rows(_kept(rows), _mark(14 * S), load_rulebook)
    assert recovered.uncertain_ns(_stamp(14 * S + 3)) == 3


@pytest.mark.parametrize("stop", [ev.Neutralise(), ev.Challenge(), ev.OutPlay()])
def test_while_all_clocks_stand_the_promised_delay_is_uncertain_in_which_a_press_may_have_set_one_going(stop: ev.GameEvent) -> None:
    record, rows = _running()
    stopped = accept(record, stop, 12 * S)
    recovered = recover_rows(_kept([*rows, *rows_of(record, stopped, 1, _stamp(12 * S))]), _mark(11 * S), load_rulebook)
    assert (recovered.last_at, recovered.clock_ran, recovered.uncertain_ns(_stamp(0, "b"))) == (12 * S, False, 5_000_000)
    assert recovered.uncertain_ns(_stamp(12 * S + 3)) == 3


def test_nothing_is_uncertain_before_the_first_press_and_after_the_end() -> None:
    record, rows = _running()
    over = accept(record, ev.End("score agreed"), 12 * S)
    for left in (rows[:1], [*rows, *rows_of(record, over, 1, _stamp(12 * S))]):
        recovered = recover_rows(_kept(left), _mark(12 * S), load_rulebook)
        assert (recovered.clock_ran, recovered.uncertain_ns(_stamp(0, "b"))) == (False, 0)


def test_nothing_more_is_uncertain_while_an_earlier_recovery_waits_for_the_directors_confirmation() -> None:
    record, rows = _running()
    stopped = accept(record, ev.Neutralise("power cut"), 14 * S)
    back = row_of(Kind.RECOVERED, 1, _stamp(14 * S, "b"), {"uncertain_ns": 5})
    kept = [*rows, *rows_of(record, stopped, 1, _stamp(14 * S, "b")), back]
    assert recover_rows(_kept(kept), _mark(14 * S), load_rulebook).uncertain_ns(_stamp(0, "c")) == 0
    confirmed = row_of(Kind.CONFIRMED, 1, _stamp(15 * S, "b"), {})
    assert recover_rows(_kept([*kept, confirmed]), _mark(15 * S), load_rulebook).uncertain_ns(_stamp(0, "c")) == 5_000_000


def test_a_mark_of_an_earlier_game_says_nothing_about_this_one() -> None:
    _, rows = _running()
    assert recover_rows(_kept(rows), _mark(9000 * S, game=0), load_rulebook).last_at == 11 * S - S


def test_a_programs_start_is_not_on_the_games_timeline() -> None:
    _, rows = _running()
    boot = row_of(Kind.BOOT, 1, _stamp(9000 * S, "b"), {"version": "0.1.0"})
    recovered = recover_rows(_kept([*rows, boot]), _mark(14 * S), load_rulebook)
    assert (recovered.last_at, recovered.boot) == (14 * S, "a")


def test_a_recovery_that_the_director_has_not_confirmed_is_still_open() -> None:
    _, rows = _running()
    back = row_of(Kind.RECOVERED, 1, _stamp(15 * S, "b"), {"uncertain_ns": 5})
    recovered = recover_rows(_kept([*rows, back]), _mark(14 * S), load_rulebook)
    assert recovered.unconfirmed is not None
    assert (recovered.unconfirmed.row, recovered.last_at, recovered.boot) == (back, 15 * S, "b")
    confirmed = row_of(Kind.CONFIRMED, 1, _stamp(16 * S, "b"), {})
    assert recover_rows(_kept([*rows, back, confirmed]), None, load_rulebook).unconfirmed is None


def test_rows_that_the_core_refuses_are_named_and_the_rest_stands() -> None:
    record, rows = _running()
    wrong = [
        Row("event", 1, 3, 12 * S, 0, "a", "", '{"do": "arrive", "side": "left"}'),
        Row("event", 1, 4, 12 * S, 0, "a", "", '{"do": "dance"}'),
        Row("event", 1, 5, 12 * S, 0, "a", "", "no JSON"),
        Row("event", 1, 1, 12 * S, 0, "a", "", '{"do": "undo", "reason": "x"}'),
        Row("taken_back", 1, 99, 12 * S, 0, "a", "", "{}"),
    ]
    recovered = recover_rows(_kept([*rows, *wrong]), None, load_rulebook)
    assert sorted(unfit.seq for unfit in recovered.refused) == [3, 4, 5, 6]
    assert recovered.record is not None
    assert recovered.record.game == record.game


def test_a_game_whose_beginning_cannot_be_read_is_reported_and_not_raised() -> None:
    _, rows = _running()
    recovered = recover_rows(_kept(rows[1:]), None, load_rulebook)
    assert (recovered.record, recovered.clock_ran, len(recovered.refused)) == (None, False, 1)


def test_a_game_under_a_rulebook_of_the_directors_own_is_the_same_when_the_file_has_changed_or_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    text = 'id = "ours"\ntitle = "Ours"\nsummary = "Twenty"\nextends = "club"\n[regulation]\ntime = "20:00"\nclause = "ours, 1"\n'
    file.write_text(text)
    record = begin(ev.NewGame(load_rulebook(str(file)), str(file), BySide(None, None)), 0)
    rows = rows_of(None, record, 1, _stamp(0))
    file.unlink()
    folded = fold(_kept(list(rows)), load_rulebook)
    assert folded.record is not None
    assert (folded.record.game, folded.record.event) == (record.game, record.event)
    lines = list(export([_kept(list(rows))], load_rulebook))
    assert '// id = "ours"' in lines
    assert all(f"// {line}" in lines for line in text.splitlines())


def test_a_game_that_went_on_under_a_rulebook_of_the_directors_own_is_the_same_when_the_file_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('id = "ours"\ntitle = "Ours"\nsummary = "Twenty"\nextends = "club"\n[regulation]\ntime = "20:00"\nclause = "ours, 1"\n')
    begun = begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 0)
    changed = accept(begun, ev.ChangeRulebook(load_rulebook(str(file)), str(file), "announced late"), S)
    rows = _kept([*rows_of(None, begun, 1, _stamp(0)), *rows_of(begun, changed, 1, _stamp(S))])
    file.unlink()
    folded = fold(rows, load_rulebook)
    assert folded.refused == ()
    assert folded.record is not None
    assert folded.record.game == changed.game
    saved: list[str] = []
    lines = list(export([rows], load_rulebook, save_rulebook=lambda text: saved.append(text) or "ours.toml"))  # type: ignore[func-returns-value]  # of append
    assert ['"rulebook": "ours.toml"' in line for line in lines] == [False, True, False]
    assert len(saved) == 1
    assert '// id = "ours"' in list(export([rows], load_rulebook))


def test_a_game_that_was_switched_off_in_order_has_nothing_uncertain_even_if_the_next_start_was_cut_short() -> None:
    _, rows = _running()
    stopped = row_of(Kind.STOPPED, 1, _stamp(15 * S), {})
    boot = row_of(Kind.BOOT, 1, _stamp(9000 * S, "b"), {"version": "0.1.0"})
    for end in ([stopped], [stopped, boot]):
        recovered = recover_rows(_kept([*rows, *end]), _mark(14 * S), load_rulebook)
        assert (recovered.last_at, recovered.clock_ran, recovered.switched_off, recovered.uncertain_ns(_stamp(0, "b"))) == (
            15 * S,
            True,
            True,
            0,
        )


def test_a_game_that_went_on_after_it_was_switched_off_is_uncertain_again() -> None:
    record, rows = _running()
    stopped = row_of(Kind.STOPPED, 1, _stamp(15 * S), {})
    pressed = rows_of(record, accept(record, ev.Press(Side.LEFT), 16 * S), 1, _stamp(16 * S))
    recovered = recover_rows(_kept([*rows, stopped, *pressed]), None, load_rulebook)
    assert (recovered.switched_off, recovered.uncertain_ns(_stamp(0, "b"))) == (False, MARK_EVERY_NS + MIN_NS)


def test_the_last_known_instant_has_the_wall_time_of_before_the_interruption_not_of_an_earlier_recovery() -> None:
    _, rows = _running()
    again = row_of(Kind.RECOVERED, 1, GameStamp(14 * S, 5, "b", "later"), {"uncertain_ns": 5})
    assert recover_rows(_kept([*rows, again]), _mark(14 * S), load_rulebook).last == _stamp(14 * S)


def test_a_directors_event_is_kept_with_what_was_shown_before_and_after() -> None:
    record, _ = _running()
    undone = accept(record, ev.Undo("slip"), 12 * S)
    fields = decode(rows_of(record, undone, 1, _stamp(13 * S))[0].body)
    assert (fields["do"], fields["event"]) == ("undo", 2)
    assert (fields["before"]["phase"], fields["before"]["left"]["used_ns"], fields["before"]["t"]) == ("running", 2 * S, "12")
    assert (fields["after"]["phase"], fields["after"]["left"]["used_ns"]) == ("ready", 0)


def test_a_new_game_is_kept_with_the_end_of_the_one_before() -> None:
    record, _ = _running()
    over = accept(record, ev.End("score agreed"), 20 * S)
    again = accept(over, ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 30 * S)
    (row,) = rows_of(over, again, 2, _stamp(30 * S))
    fields = decode(row.body)
    assert (row.game, row.number) == (2, 1)
    assert (fields["before"]["reason"], fields["after"]["phase"]) == ("score agreed", "ready")


def test_an_events_row_carries_the_edges_own_instant_on_both_clocks() -> None:
    record, _ = _running()
    after = accept(record, ev.Press(Side.LEFT), 12 * S)
    (row,) = rows_of(record, after, 1, GameStamp(13 * S, 113 * S, "b", "wall"))
    assert (row.at, row.mono) == (12 * S, 112 * S)
