"""Explains a rulebook, for ``tileclock rulebooks show``: each value's meaning at the table, its clause, and what is assumed."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from rules.rulebooks.model import BothAbsent, EndBy, FirstClock, ForfeitScore, PlayersOrDirector, RestartRule, ReviewBy
from rules.rulebooks.schema import (
    DEFAULT_END,
    DEFAULT_LATE,
    DEFAULT_RESULT,
    NO_LIMIT,
    ChallengeTable,
    Forfeit,
    Grace,
    HoldTable,
    Late,
    Limit,
    MinuteTable,
    OutPlayTable,
    Overtime,
    Regulation,
    Restart,
    ResultTable,
    Rule,
    RulebookSource,
    TurnsTable,
    TurnTable,
    WindowTable,
    reading_seconds,
    started_by,
    starts_clock,
)

R = TypeVar("R", bound=Rule)

_WINDOWS = {
    "courtesy_draw": "Hold: for {length} the player on hold may not draw; after that they may, tiles kept apart",
    "courtesy_draw_from_press": "Hold: from {length} after the press the player on hold may draw, tiles kept apart",
    "missed_press": "A tile drawn without pressing the clock ended the turn: the opponent may hold for {length}",
    "return_to_table": "Back at the table: from the first new tile seen, hold or challenge for {length}",
    "overdraw_decision": "Overdraw: {length} to choose the tiles",
    "tiles_returned": "Tiles put back into the bag in error: {length} to choose",
    "tile_decision": "Exchange, underdraw or exposed tiles: {length} to decide which tiles go where",
    "mixing": "The tiles in the bag may be mixed for {length} a draw",
    "recount_warning": "A recount ends {length} after a warning",
    "late_start": "An absent player's clock may be started {length} after the round's actual start",
    "between_rounds": "The break between rounds without an announced time lasts {length}, unless the director says less",
    "disconnected": "Disconnected tiles found within {length} of the end reopen the game",
}

_MINUTES = {
    "clock_hit_in_error": "The opponent of a player who hit the clock in error gets {length}",
    "wrong_board": "The opponent of a player who left the board wrong after a challenge gets {length}",
}

_BY: dict[PlayersOrDirector, str] = {"players": "the players", "director": "the director"}

_BOTH_ABSENT: dict[BothAbsent, str] = {
    "owed": "the first to come owes, at the end, the time that has passed",
    "left": "the first to come starts with what is left, and owes nothing",
    "halved": "each loses half of the time that passes until the first one comes",
}

_ENDED_BY: dict[EndBy, str] = {
    "players": "either player may end the game",
    "director": "the director may end the game",
    "never": "the game goes on",
}

_RESIGNED: dict[EndBy, str] = {**_ENDED_BY, "players": "both players together may end the game, if the director allows it"}

_REVIEWS: dict[ReviewBy, str] = {
    "judges": "by another judge, and by a third where the two differ",
    "director": "by another judge, and by the director where the two differ",
    "appeal": "once, by a referee",
}

_AT_LIMIT = {
    "over": "the game is over, and neither player has lost it by that",
    "opponent_plays_on": "the clock stops: that player makes no more moves, and the opponent plays on alone until the own clock reads the same",
}

_WITHDRAWN = {True: "may be withdrawn before it is adjudicated, where the clause gives a ground", False: "may not be withdrawn"}
_AGAIN = {True: "looks the same words up again on request", False: "gives no second opinion"}
_OFF_CENTRE = {True: "comes off when it is challenged, whatever the words", False: "is judged by its words"}
_RECOUNTED = {True: "by itself when the game ends", False: "by hand, when the players agree on the score"}
_OF_FORFEITS = ("forfeit_spread", "forfeit_score")
_FORFEIT_SCORES: dict[ForfeitScore, str] = {"none": "", "average": ", and the winner's average score"}

_FIRST_CLOCK: dict[FirstClock, str] = {
    "tile_seen": "has seen a tile",
    "tile_taken": "has taken a tile from the bag",
    "tile_racked": "has a tile on the rack",
}


def explain(source: RulebookSource) -> tuple[str, ...]:
    return (*_heading(source), *_clock_lines(source), *_challenge_lines(source), *_ending_lines(source), *_window_lines(source))


def _heading(source: RulebookSource) -> tuple[str, ...]:
    return (
        f"{source.id} · {source.title}",
        source.summary,
        *((f"All other values are those of {source.extends}.",) if source.extends else ()),
        "Each value names its clause; where the source is silent, the value is assumed from another clause, whose rulebook is named.",
    )


def _clock_lines(source: RulebookSource) -> tuple[str, ...]:
    start, regulation = source.start, source.regulation
    return (
        "",
        "The clock",
        *_line(start, lambda each: f"The first clock may start when the starting player {_FIRST_CLOCK[each.first_clock]}.", "first_clock"),
        *_line(
            start,
            lambda each: "Where nothing else decides who starts, the tile nearest A does, a blank before A." if each.tile_draw else "",
            "tile_draw",
        ),
        _cited(regulation, f"Each side has {regulation.time} for all its turns together.", "time"),
        *_line(regulation, _increment, "increment_seconds"),
        *_line(regulation, _delay, "delay_seconds"),
        *_line(source.turn, _turn, "seconds", "warnings"),
        *_line(source.turns, _turns, "most"),
        _cited(source.overtime, _overtime(source.overtime), "points", "period_seconds", "bands", "count", "cap"),
        _cited(source.grace, _grace(source.grace), "zero_reading_free"),
        *_limit(source.limit),
        _cited(source.forfeit, _forfeit(source.forfeit), "reading", "minutes_late"),
        *_late(source.late, source.late or DEFAULT_LATE),
        *_line(source.hold, _hold, "maximum_seconds", "at_maximum"),
        *_line(
            source.infractions,
            lambda each: f"After every {each.a_minute} minor infractions of a player the director decides on a minute.",
            "a_minute",
        ),
        *(_cited(minute, _minute(name, minute), "seconds", "by") for name, minute in source.minutes.items()),
    )


def _increment(regulation: Regulation) -> str:
    added = regulation.increment_seconds
    return f"Each press that ends a turn adds {_length(added)} to that side's time." if added else ""


def _delay(regulation: Regulation) -> str:
    free = regulation.delay_seconds
    return f"The first {_length(free)} of each turn are charged to neither side." if free else ""


def _turns(table: TurnsTable) -> str:
    return f"Each player has {table.most} turns; when both have played them, the last play is answered as an out play is."


def _minute(name: str, minute: MinuteTable) -> str:
    agreed = "if both players agree" if minute.by == "players" else "from the director"
    return f"{_MINUTES[name].format(length=_length(minute.seconds))}, {agreed}."


def _late(late: Late | None, rule: Late) -> tuple[str, ...]:
    below = rule.may_forfeit_below
    forfeits = f"A late player who is left with less than {below} may choose to forfeit."
    return (
        _cited(late, f"An absent player's clock is started by {_BY[rule.starts]}.", "starts"),
        _cited(late, f"Both absent: {_BOTH_ABSENT[rule.both_absent]}.", "both_absent"),
        *(() if below is None else (_cited(late, forfeits, "may_forfeit_below"),)),
    )


def _challenge_lines(source: RulebookSource) -> tuple[str, ...]:
    rule = source.challenge
    turn = "loses the turn" if rule.acceptable_loses_turn else "keeps the turn"
    return (
        "",
        "The challenge",
        _cited(rule, f"Play acceptable: the challenger {turn}.", "acceptable_loses_turn"),
        _cited(rule, f"Play acceptable: {_points(rule)}.", "points_a_word", "points_a_challenge", "points_are"),
        "  Play unacceptable, under every rulebook: it comes off the board for nothing, and the challenger is on turn.",
        _cited(source.withdrawal, f"A challenge {_WITHDRAWN[source.withdrawal.allowed]}.", "allowed"),
        *_line(
            source.concession,
            lambda each: f"Either player {'may' if each.allowed else 'may not'} concede a challenge without a look-up.",
            "allowed",
        ),
        *_line(source.review, lambda each: f"A word judge's ruling may be reviewed {_REVIEWS[each.by]}.", "by"),
        *_line(source.second_opinion, lambda each: f"The station {_AGAIN[each.here]}.", "here"),
        *_line(
            source.first_word,
            lambda each: f"A first word that misses the centre square {_OFF_CENTRE[each.off_centre_comes_off]}.",
            "off_centre_comes_off",
        ),
        *_line(source.restart, _restart, *RestartRule.__struct_fields__),
    )


def _ending_lines(source: RulebookSource) -> tuple[str, ...]:
    end, six = source.end or DEFAULT_END, source.six_zeros
    zeros = "six" if six is None or six.turns == 6 else str(six.turns)
    counts = "count at every score" if six is None or six.at_zero_score else "do not count while the score is 0-0"
    return (
        "",
        "The end",
        *_out_play(source.out_play, source.windows["out_play"]),
        _cited(source.end, f"After {zeros} zeros in a row {_ENDED_BY[end.six_zeros]}.", "six_zeros"),
        _cited(six, f"{zeros.capitalize()} zeros in a row {counts}.", "at_zero_score", "turns"),
        _cited(source.end, f"When a player resigns, {_RESIGNED[end.resignation]}.", "resignation"),
        *_result_lines(source.result, source.result or DEFAULT_RESULT),
        *_line(source.recount, lambda each: f"The time to ask for a recount is started {_RECOUNTED[each.starts_itself]}.", "starts_itself"),
        *_line(source.windows.get("recount"), lambda each: f"A recount may be asked for during {_length(each.seconds)}.", "seconds"),
    )


def _out_play(rule: OutPlayTable, window: WindowTable) -> tuple[str, ...]:
    if rule.ends_game:
        return (
            _cited(window, f"Out play, clock stopped: the opponent has {_length(window.seconds)} to hold or challenge.", "seconds"),
            _cited(rule, "When that time is up, the game is over.", "ends_game"),
        )
    started = "the out player may start the clock of the opponent, who stops it after deciding"
    return (
        _cited(rule, "Out play, clock stopped: the opponent accepts, holds or challenges it, without a time limit.", "ends_game"),
        _cited(window, f"After {_length(window.seconds)} {started}.", "seconds"),
    )


def _result_lines(rule: ResultTable | None, result: ResultTable) -> tuple[str, ...]:
    margin = result.leaving_margin
    above = f"if not, the opponent's score becomes {margin} points more than the leaver's"
    left = f"Who leaves a game when behind loses {margin} points; {above}."
    counted = "counts" if result.bonus_words else "does not count"
    return (
        _cited(rule, f"A forfeit is a spread of {result.forfeit_spread} points{_FORFEIT_SCORES[result.forfeit_score]}.", *_OF_FORFEITS),
        _cited(rule, "Who leaves a game in progress forfeits it." if margin == "forfeit" else left, "leaving_margin"),
        _cited(rule, f"The result {counted} the players' bonus words.", "bonus_words"),
    )


def _window_lines(source: RulebookSource) -> tuple[str, ...]:
    keys = ("seconds", "by", "starts_clock", "counts_from")
    named = tuple(_cited(source.windows[name], _window(name, source.windows[name]), *keys) for name in _WINDOWS if name in source.windows)
    return ("", "Other time frames", *(named or ("  None.",)))


def _window(name: str, window: WindowTable) -> str:
    said = "courtesy_draw_from_press" if window.counts_from == "press" else name
    return f"{_WINDOWS[said].format(length=_length(window.seconds))}{_then(name, window)}."


def _then(name: str, window: WindowTable) -> str:
    clock = "; then the clock of the one who chooses may be started" if starts_clock(name, window) else ""
    return f"{clock}; only the director starts this time" if started_by(name, window) == "director" else clock


def _restart(restart: Restart) -> str:
    if not restart.seated:
        return "Afterwards the clock may start as soon as the player whose clock it is has all tiles back on the rack."
    needs = [
        "both players are seated",
        _reracked(restart),
        "an unacceptable play is off the board",
        *(["the designation of a blank in it is crossed out or erased"] if restart.blank_erased else []),
        *(["the score of an acceptable play is announced again"] if restart.score_announced else []),
        *(["the player of an acceptable play has seen a new tile, if there is one"] if restart.tile_seen else []),
    ]
    late = "; at once where a player delays this" if restart.delay else ""
    return f"Afterwards the clock may start when {', '.join(needs)}{late}."


def _reracked(restart: Restart) -> str:
    if restart.own_rack:
        return "the player whose clock it is has all tiles back on the rack or has begun to write"
    return "tiles are uncovered or back on the racks" if restart.uncovered else "all tiles are back on the racks"


def _line(rule: R | None, words: Callable[[R], str], *keys: str) -> Iterator[str]:
    if rule is not None and (sentence := words(rule)):
        yield _cited(rule, sentence, *keys)


def _cited(rule: Rule | None, sentence: str, *keys: str) -> str:
    """Return a sentence with the clauses of the values that it says; with their keys where the clauses differ."""
    cited: dict[str, list[str]] = {}
    for key in keys:
        if rule is not None and (clause := _of(key, rule.clause)):
            assumed = _of(key, rule.assumed)
            cited.setdefault(f"{clause}; assumed: as in {assumed}" if assumed else clause, []).append(key)
    citations = [f"{', '.join(names)}: {citation}" for citation, names in cited.items()] if len(cited) > 1 else [*cited]
    return f"  {sentence} {' '.join(f'[{each}]' for each in citations or ['the file does not say'])}"


def _of(key: str, cited: str | Mapping[str, str] | None) -> str | None:
    return cited.get(key) if isinstance(cited, Mapping) else cited


def _length(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    parts = ([f"{minutes} min"] if minutes else []) + ([f"{rest} s"] if rest else [])
    return " ".join(parts)


def _turn(turn: TurnTable) -> str:
    warned = f", and before it with {' and '.join(map(_length, turn.warnings))} left" if turn.warnings else ""
    return f"A turn may last {_length(turn.seconds)}: the clock says so at its end{warned}; it charges nothing for it."


def _overtime(overtime: Overtime) -> str:
    capped = "" if overtime.cap == NO_LIMIT else f", but never more than {overtime.cap} points"
    if overtime.points is not None and overtime.period_seconds is not None:
        return f"Overtime costs {_price(overtime.points, overtime.period_seconds, overtime.count)}{capped}."
    bands = [
        f"from {_length(band.from_seconds) or '0 s'} {_price(band.points, band.period_seconds, overtime.count)}" for band in overtime.bands
    ]
    return f"Overtime costs {', '.join(bands)}{capped}."


def _price(points: int, period_seconds: int, count: str) -> str:
    return f"{points} points for every {_length(period_seconds)} {count}"


def _grace(grace: Grace | None) -> str:
    if grace is None or grace.zero_reading_free:
        return "Overtime begins at reading -0:01, not at 0:00 or -0:00."
    return "Overtime begins at reading -0:00."


def _limit(limit: Limit) -> tuple[str, ...]:
    if limit.reading == NO_LIMIT:
        return (_cited(limit, "Overtime has no limit.", "reading"),)
    if limit.does != "lost":
        return (
            _cited(limit, f"At reading {limit.reading} {_AT_LIMIT[limit.does]}.", "reading", "does", "charge", "wins_by_one"),
            _cited(limit, "A recount may be asked for." if limit.recount else "No recount after it.", "recount"),
        )
    cost = {
        "instead": f"for {limit.penalty} points in place of the overtime penalty",
        "beside": f"for {limit.penalty} points beside the overtime penalty",
        "none": "for the overtime penalty alone",
    }
    lost = f"At reading {limit.reading} the game is over and lost, {cost[limit.charge]}"
    wins = "The opponent wins by one point at least" if limit.wins_by_one else "The opponent wins"
    if limit.margin is not None:
        wins = f"The opponent wins by {limit.margin} points at least: if need be, the loser's score is set that much below the opponent's"
    return (
        _cited(limit, f"{lost}; the opponent's own overtime still counts, unplayed tiles do not.", "reading", "penalty", "charge"),
        _cited(limit, "A recount may be asked for." if limit.recount else "No recount.", "recount"),
        _cited(limit, f"{wins}.", "wins_by_one", "margin"),
    )


def _forfeit(forfeit: Forfeit) -> str:
    if forfeit.reading is None:
        return f"A player who has not come forfeits {forfeit.minutes_late} min after that player's clock was started."
    when = "all the time is used" if reading_seconds(forfeit.reading) == 0 else f"that player's clock reads {forfeit.reading}"
    return f"A player who has not come forfeits when {when}."


def _hold(hold: HoldTable) -> str:
    then = "the clock releases it" if hold.at_maximum == "release" else "the clock says so"
    return f"A hold lasts {_length(hold.maximum_seconds)} at most: then {then}."


def _points(challenge: ChallengeTable) -> str:
    points = challenge.points_a_word or challenge.points_a_challenge
    if not points:
        return "no points"
    each = "for each word challenged" if challenge.points_a_word else "for the challenge"
    return f"{points} points {each} {'to the challenged player' if challenge.points_are == 'given' else 'taken from the challenger'}"
