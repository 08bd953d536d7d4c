"""Standings as TSH has them."""

import dataclasses

from hypothesis import given, settings
from msgspec.structs import replace

from hall.event.model import BYE, Event, Pairing, Player
from hall.results.book import Applied, Forfeit, GameResult, Source
from hall.results.standings import NO_CAPS, Caps, standings
from tests.examples import examples
from tests.hall.results.events import events, with_rows

PLAYERS = tuple(Player("A", each, f"P{each}", str(2000 - each)) for each in range(1, 5))
EVENT = Event(
    PLAYERS,
    (
        Pairing("A", 1, 2, 1, scores=(350, 900)),
        Pairing("A", 1, 3, 4, scores=(400, 400)),
        Pairing("A", 2, 1, 3, scores=(300, 410)),
        Pairing("A", 2, 2, BYE, scores=(50, None)),
        Pairing("A", 2, 4, BYE, scores=(0, None)),
        Pairing("A", 3, 1, 4, scores=(500, None)),
    ),
)


def table(event: Event, caps: Caps = NO_CAPS) -> list[tuple[int, int, float, float, int, int]]:
    return [
        (each.rank, each.player.number, each.wins, each.losses, each.spread, each.games) for each in standings(Applied(event), caps)["A"]
    ]


def with_extras(event: Event, number: int, extras: str) -> Event:
    return dataclasses.replace(
        event, players=tuple(replace(each, extras=extras) if each.number == number else each for each in event.players)
    )


def test_wins_count_first_then_losses_then_spread_and_a_bye_of_nothing_is_no_game_won_or_lost() -> None:
    assert table(EVENT) == [(1, 3, 1.5, 0.5, 110, 2), (2, 1, 1.0, 1.0, 440, 2), (3, 2, 1.0, 1.0, -500, 2), (4, 4, 0.5, 0.5, 0, 2)]


def test_a_cap_of_each_game_counts_for_all_or_for_the_order_alone() -> None:
    assert [row[4] for row in table(EVENT, Caps(spread=(350,)))] == [110, 240, -300, 0]
    assert [row[4] for row in table(EVENT, Caps(spread=(500, 90)))] == [90, 410, -450, 0]
    found = standings(Applied(EVENT), Caps(standings=(350,)))["A"]
    assert [(each.spread, each.capped) for each in found] == [(110, 110), (440, 240), (-500, -300), (0, 0)]


def test_a_penalty_takes_spread_behind_the_cap_and_decides_about_a_bye() -> None:
    event = with_extras(EVENT, 1, "penalty -10 -20")
    assert {row[1]: row[4] for row in table(event)}[1] == 410
    assert {row[1]: row[4] for row in table(event, Caps(spread=(350,)))}[1] == 210
    kinds = (Caps((350,)), Caps((), (350,)), Caps((350,), (350,)))
    found = [{each.player.number: each.capped for each in standings(Applied(event), caps)["A"]} for caps in kinds]
    # TSH's own code orders by these.
    assert [each[1] for each in found] == [240, 220, 240]
    assert {row[1]: row[2:5] for row in table(with_extras(EVENT, 4, "penalty 0 -5"))}[4] == (1.0, 1.0, -5)


def test_who_is_off_has_no_place_and_the_others_keep_their_games() -> None:
    assert table(with_extras(EVENT, 1, "off 50")) == [(1, 3, 1.5, 0.5, 110, 2), (2, 2, 1.0, 1.0, -500, 2), (3, 4, 0.5, 0.5, 0, 2)]


def test_equal_players_share_a_place_in_the_order_of_their_ratings_as_numbers() -> None:
    players = (Player("A", 1, "Ann", "900"), Player("A", 2, "Bo", "1437+21"), Player("A", 3, "Cy", "unrated"), Player("A", 4, "Di", "1000"))
    assert [(row[0], row[1]) for row in table(Event(players))] == [(1, 2), (1, 4), (1, 1), (1, 3)]


def test_equal_players_of_one_rating_are_in_the_order_that_tsh_makes_of_their_lines() -> None:
    # The order that TSH's own code has for this file.
    players = tuple(Player("A", number, name, "1500") for number, name in enumerate(["Ann", "Bo", "Cyril"], 1))
    assert [row[1] for row in table(Event(players))] == [3, 1, 2]


def test_a_forfeit_counts_with_the_rulebooks_spread_and_no_scores() -> None:
    forfeit = GameResult(row=1, division="A", round=3, first=1, second=4, source=Source.END, forfeit=Forfeit((1,), 50))
    found = table(with_rows(EVENT, forfeit).event)
    assert {row[1]: row[2:] for row in found} == {
        3: (1.5, 0.5, 110, 2),
        4: (1.5, 0.5, 50, 3),
        1: (1.0, 2.0, 390, 3),
        2: (1.0, 1.0, -500, 2),
    }


def test_the_average_is_of_games_played_so_a_forfeit_won_with_the_average_leaves_it() -> None:
    forfeit = GameResult(row=1, division="A", round=3, first=1, second=4, source=Source.END, forfeit=Forfeit((1,), 50))
    idle = dataclasses.replace(EVENT, players=(*PLAYERS, Player("A", 5, "P5")))
    found = {each.player.number: each.average for each in standings(with_rows(idle, forfeit))["A"]}
    assert found == {1: 600, 2: 350, 3: 405, 4: 400, 5: None}


def test_under_new_zealands_rules_a_bye_and_a_forfeit_won_add_the_averages_to_points_and_bonus_words() -> None:
    def signed(number: int, first: int, second: int, scores: tuple[int, int], words: tuple[int, int]) -> GameResult:
        return GameResult(row=1, division="A", round=number, first=first, second=second, source=Source.CLOCK, scores=scores, words=words)

    forfeit = GameResult(row=1, division="A", round=3, first=1, second=4, source=Source.END, forfeit=Forfeit((1,), 50))
    games = signed(1, 1, 2, (900, 350), (3, 1)), signed(1, 4, 3, (400, 401), (0, 2)), signed(2, 1, 3, (300, 411), (2, 4))
    found = {each.player.number: (each.aggregate, each.words) for each in standings(with_rows(EVENT, *games, forfeit))["A"]}
    # 1 loses the forfeit: no points. 2 wins a bye; 4 wins the forfeit, and its bye of 0 is not counted.
    assert found == {1: (1200, 5), 2: (700, 2), 3: (812, 6), 4: (800, 0)}
    assert {(each.aggregate, each.words) for each in standings(with_rows(EVENT, forfeit))["A"]} == {(None, None)}
    odd = with_rows(
        EVENT, signed(2, 3, 1, (410, 301), (4, 3)), signed(1, 1, 2, (900, 351), (0, 5)), replace(forfeit, forfeit=Forfeit((4,), 50))
    )
    assert {each.player.number: (each.aggregate, each.words) for each in standings(odd)["A"]}[1] == (1801.5, 4.5)


@settings(max_examples=examples(200), deadline=None)
@given(events(("A",)))
def test_every_game_gives_one_win_and_no_spread_in_all(event: Event) -> None:
    games = [each for each in event.pairings if each.second != BYE and each.is_scored]
    event = dataclasses.replace(event, players=tuple(replace(each, extras="") for each in event.players), pairings=tuple(games))
    found = standings(Applied(event))["A"]
    assert (sum(each.wins for each in found), sum(each.losses for each in found), sum(each.spread for each in found)) == (
        len(games),
        len(games),
        0,
    )
    assert [each.rank for each in found] == sorted(each.rank for each in found)
    order = [(-each.wins, each.losses, -each.capped) for each in found]
    assert order == sorted(order)
