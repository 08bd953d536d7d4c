"""Whatever the hall proposes, in whatever state of a game: no clock starts, no time changes, and no event is made but those of the table."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import decide
from firmware.hall.report import standing_challenge
from firmware.hall.state import HallState, StationVerdict
from game import events as ev
from game.events import By
from game.game import Phase
from game.record import accept
from game.table import between_games
from rules.duration import NS
from rules.side import Side
from tests.firmware.gestures.trains import setup
from tests.firmware.hall.hall_table import STATION, call, order, verdict
from tests.firmware.random_games import BEGINNINGS, Played, keep, played
from wire.proposals import DESK_SETTINGS, Order, VerdictBody

NAMES = st.text(alphabet="0123456789abcdef", min_size=32, max_size=32)
TEXTS = st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=40)
SECONDS = st.none() | st.integers(0, 86_400)


def proposals(challenges: st.SearchStrategy[int], numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Order | VerdictBody]:
    """Return a strategy of all proposals that can be read at all."""
    orders = st.one_of(
        st.builds(lambda text, seconds, name: order("notice", name=name, text=text, seconds=seconds), TEXTS, st.integers(5, 600), NAMES),
        st.builds(lambda text, name: order("stop", name=name, text=text), TEXTS, NAMES),
        st.builds(
            lambda number, left, right, seat: order("assign", number=number, table=seat, left=left, right=right, lexicon=None),
            numbers,
            TEXTS,
            TEXTS,
            st.integers(1, 999),
        ),
        st.builds(
            lambda number, rulebook, left, right: order("setup", number=number, rulebook=rulebook, left_seconds=left, right_seconds=right),
            numbers,
            st.sampled_from(["naspa-2017", "nzasp-2022", "club", "none"]),
            SECONDS,
            SECONDS,
        ),
        st.builds(
            lambda number, language, percent, sounds, choose: order(
                "settings", number=number, language=language, led_brightness=percent, buzzer_enabled=sounds, players_choose_rulebook=choose
            ),
            numbers,
            st.sampled_from(["en", "fr", "xx"]),
            st.none() | st.integers(0, 100),
            st.none() | st.booleans(),
            st.none() | st.booleans(),
        ),
        st.just(order("clear")),
        st.builds(lambda began: order("round", began=began), st.none() | st.integers(-(10**15), 10**15)),
        st.builds(lambda number: order("update", number=number), numbers),
    )
    counts = st.none() | st.integers(1, 100)
    verdicts = st.one_of(
        st.builds(
            lambda number, good, count, old: verdict(challenge=number, acceptable=good, count=count, replaces=old),
            challenges,
            st.booleans(),
            counts,
            st.none() | st.just("0d" * 16),
        ),
        st.builds(
            lambda number, side, count: verdict("conceded", challenge=number, by=side.value, count=count),
            challenges,
            st.sampled_from(Side),
            counts,
        ),
        st.builds(lambda number: verdict("withdrawn", challenge=number), challenges),
        st.just(call()),
    )
    return st.one_of(orders, verdicts)


@given(played(BEGINNINGS), st.data(), st.booleans(), st.booleans(), st.integers(0, 90 * NS))
def test_no_proposal_makes_any_event_but_those_of_the_table(game: Played, data: st.DataObject, hard: bool, stood: bool, later: int) -> None:
    record = keep(*game)
    start = ClockState(record, setup(), frozen=record.at if stood else None)
    now = record.at + later
    before = start.game_at(now)
    numbers = st.integers(1, record.highest + 1) | st.just(record.highest)
    standing = standing_challenge(record, before)
    challenges = numbers if standing is None else st.just(standing) | numbers
    given_before = next((link for link in record if isinstance(link.event, ev.Verdict)), None)
    old = None if given_before is None else StationVerdict("0d" * 16, STATION, given_before.number, 0, True, 1, ())
    updates = data.draw(st.booleans())
    answer = decide(start, HallState(hard_freeze=hard, verdict=old, updates=updates), data.draw(proposals(challenges, numbers)), now)
    after = record
    for event, by in answer.events:
        assert isinstance(event, ev.Verdict | ev.Withdraw | ev.Neutralise | ev.Call | ev.Undo)
        if isinstance(event, ev.Neutralise):
            assert hard
        if isinstance(event, ev.Call):
            assert event.on
        if isinstance(event, ev.Undo):
            struck = after.find(event.event or 0)
            assert by is By.PLAYERS
            assert struck is not None
            assert isinstance(struck.event, ev.Verdict)
        # The game takes each of them: the answer is true.
        after = accept(after, event, start.instant(now), by=by)
    assert answer.number is None or answer.events == () or answer.number == after.highest
    if answer.reason is not None:
        assert answer.events == ()
    # Settings come in between games, are of the short list, and touch no game.
    if answer.settings:
        assert answer.settings.keys() <= set(DESK_SETTINGS.values())
        assert between_games(before)
        assert not stood
        assert answer.events == ()
        assert answer.offered is None
    # An update comes in between games, where the owner allows it.
    if answer.hall.updating:
        assert updates
        assert between_games(before)
        assert not stood
        assert answer.events == ()
    told = after.game_at(start.instant(now))
    # No clock starts, and no time changes.
    assert told.running in (None, before.running)
    at = start.instant(now)
    for side in Side:
        assert told.used_at(side, at) == before.used_at(side, at)
        assert told.allowed.of(side) == before.allowed.of(side) or Phase.OVER in (told.phase, before.phase)
        assert told.credit.of(side) == before.credit.of(side)
    # Only a verdict on the play that ended the game ends it; no proposal chooses the loser.
    if told.phase is Phase.OVER and before.phase is not Phase.OVER:
        assert before.out_player is not None
        assert any(isinstance(event, ev.Verdict) and event.acceptable for event, _ in answer.events)
        assert told.loser is None
