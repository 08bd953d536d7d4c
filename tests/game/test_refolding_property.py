"""Undo, late insertion and taking back give the game that the remaining events would have made."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from game.events import GameEvent, NewGame, Undo
from game.game import EventNotAllowed
from game.record import UNDONE_BY_DEFAULT, Fate, accept, take_back
from tests.examples import examples
from tests.firmware.random_games import EVENTS, Played, S, Said, fold, fold_at, keep, played


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), rest=st.integers(0, 30 * S))
def test_undoing_the_last_event_is_as_never_having_said_it_but_what_it_stopped_stays_stopped(drawn: Played, rest: int) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted and isinstance(accepted[-1].event, UNDONE_BY_DEFAULT))
    now = accepted[-1].at + rest
    undone = accept(keep(beginning, accepted), Undo("x"), now)
    assert undone.game_at(now) == fold_at(beginning, accepted, now, struck=accepted[-1:])


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(), rest=st.integers(0, 30 * S), data=st.data())
def test_striking_any_event_leaves_the_game_of_the_others_and_what_drops_stays_out(drawn: Played, rest: int, data: st.DataObject) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    record, now, standing = keep(beginning, accepted), accepted[-1].at + rest, dict(enumerate(accepted, 2))
    struck: dict[int, Said] = {}
    for _ in range(min(3, len(accepted))):
        strike = data.draw(st.sampled_from(sorted(standing)))
        record = accept(record, Undo("x", strike), now)
        struck[strike] = standing.pop(strike)
        survivors = fold(beginning, _in_order(standing | struck), struck.values())[1]
        standing = {number: line for number, line in standing.items() if line in survivors}
        assert record.game_at(now) == fold_at(beginning, _in_order(standing | struck), now, struck.values())
        assert {link.number for link in record if link.fate is Fate.VALID and not isinstance(link.event, Undo | NewGame)} == set(standing)
        if not standing:
            break


def _in_order(lines: dict[int, Said]) -> list[Said]:
    """Return the lines by their numbers."""
    return [line for _, line in sorted(lines.items())]


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(), rest=st.integers(0, 30 * S), data=st.data())
def test_an_event_put_in_late_is_as_one_put_in_at_its_instant(drawn: Played, rest: int, data: st.DataObject) -> None:
    beginning, script = drawn
    late = data.draw(st.sampled_from(script))
    others = fold(beginning, [line for line in script if line is not late])[1]
    in_order = sorted([*others, late], key=lambda line: line.at)
    now = script[-1].at + rest
    record = keep(beginning, others)
    try:
        record = accept(record, late.event, late.at)
    except EventNotAllowed:
        assert late not in fold(beginning, in_order)[1]
        return
    assert record.game_at(now) == fold_at(beginning, in_order, now)


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), rest=st.integers(0, 30 * S), data=st.data())
def test_what_is_taken_back_was_never_there(drawn: Played, rest: int, data: st.DataObject) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    index = data.draw(st.integers(0, len(accepted) - 1))
    now = accepted[-1].at + rest
    record = take_back(keep(beginning, accepted), index + 2, None)
    others = accepted[:index] + accepted[index + 1 :]
    assert record.game_at(now) == fold_at(beginning, others, now)


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(), other=st.sampled_from(EVENTS), data=st.data())
def test_what_stands_in_the_place_of_another_counts_at_its_own_instant(drawn: Played, other: GameEvent, data: st.DataObject) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    assume(accepted)
    index = data.draw(st.integers(0, len(accepted) - 1))
    instead = Said(accepted[index].at, other)
    changed = [*accepted[:index], instead, *accepted[index + 1 :]]
    now = accepted[-1].at
    try:
        record = take_back(keep(beginning, accepted), index + 2, (instead.event, instead.at))
    except EventNotAllowed:
        assert instead not in fold(beginning, changed)[1]
        return
    assert record.game_at(now) == fold_at(beginning, changed, now)
