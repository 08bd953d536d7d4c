"""Explains a rulebook, for ``tileclock rulebooks show``: each value's meaning at the table, its clause, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    Overtime,
    Regulation,
    Restart,
    ResultTable,
    Rule,
    RulebookSource,
    StartTable,
    TurnTable,
    WindowTable,
    reading_seconds,
    started_by,
    starts_clock,
)

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

_OF_FORFEITS = ("forfeit_spread", "forfeit_score")
_FORFEIT_SCORES: dict[ForfeitScore, str] = {"none": "", "average": ", and the winner's average score"}

_FIRST_CLOCK: dict[FirstClock, str] = {
    "tile_seen": "has seen a tile",
    "tile_taken": "has taken a tile from the bag",
    "tile_racked": "has a tile on the rack",
}


def explain(source: RulebookSource) -> tuple[str, ...]:
    return (*_heading(source), *_clock_lines(source), *_challenge_lines(source), *_ending_lines(source), *_window_lines(source))


def _heading(source: RulebookSource) -> Iterator[str]:
    yield f"{source.id} · {source.title}"
    yield source.summary
    if source.extends:
        yield f"All other values are those of {source.extends}."
    yield "Each value names its clause; where the source is silent, the value is assumed from another clause, whose rulebook is named."


def _clock_lines(source: RulebookSource) -> Iterator[str]:
    yield from ("", "The clock")
    if source.start is not None:
        yield from _start(source.start)
    yield from _regulation(source.regulation)
    if source.turn is not None:
        yield _line(source.turn, _turn(source.turn), "seconds", "warnings")
    if source.turns is not None:
        sentence = f"Each player has {source.turns.most} turns; when both have played them, the last play is answered as an out play is."
        yield _line(source.turns, sentence, "most")
    yield _line(source.overtime, _overtime(source.overtime), "points", "period_seconds", "bands", "count", "cap")
    yield _line(source.grace, _grace(source.grace), "zero_reading_free")
    yield from _limit(source.limit)
    yield _line(source.forfeit, _forfeit(source.forfeit), "reading", "minutes_late")
    yield from _late(source.late)
    if source.hold is not None:
        yield _line(source.hold, _hold(source.hold), "maximum_seconds", "at_maximum")
    if source.infractions is not None:
        sentence = f"After every {source.infractions.a_minute} minor infractions of a player the director decides on a minute."
        yield _line(source.infractions, sentence, "a_minute")
    for name, minute in source.minutes.items():
        agreed = "if both players agree" if minute.by == "players" else "from the director"
        yield _line(minute, f"{_MINUTES[name].format(length=_length(minute.seconds))}, {agreed}.", "seconds", "by")


def _start(start: StartTable) -> Iterator[str]:
    yield _line(start, f"The first clock may start when the starting player {_FIRST_CLOCK[start.first_clock]}.", "first_clock")
    if start.tile_draw:
        yield _line(start, "Where nothing else decides who starts, the tile nearest A does, a blank before A.", "tile_draw")


def _regulation(regulation: Regulation) -> Iterator[str]:
    yield _line(regulation, f"Each side has {regulation.time} for all its turns together.", "time")
    if regulation.increment_seconds:
        added = f"Each press that ends a turn adds {_length(regulation.increment_seconds)} to that side's time."
        yield _line(regulation, added, "increment_seconds")
    if regulation.delay_seconds:
        free = f"The first {_length(regulation.delay_seconds)} of each turn are charged to neither side."
        yield _line(regulation, free, "delay_seconds")


def _late(late: Late | None) -> Iterator[str]:
    rule = late or DEFAULT_LATE
    yield _line(late, f"An absent player's clock is started by {_BY[rule.starts]}.", "starts")
    yield _line(late, f"Both absent: {_BOTH_ABSENT[rule.both_absent]}.", "both_absent")
    if rule.may_forfeit_below is not None:
        sentence = f"A late player who is left with less than {rule.may_forfeit_below} may choose to forfeit."
        yield _line(late, sentence, "may_forfeit_below")


def _challenge_lines(source: RulebookSource) -> Iterator[str]:
    yield from ("", "The challenge")
    turn = "loses the turn" if source.challenge.acceptable_loses_turn else "keeps the turn"
    yield _line(source.challenge, f"Play acceptable: the challenger {turn}.", "acceptable_loses_turn")
    points = _points(source.challenge)
    yield _line(source.challenge, f"Play acceptable: {points}.", "points_a_word", "points_a_challenge", "points_are")
    yield "  Play unacceptable, under every rulebook: it comes off the board for nothing, and the challenger is on turn."
    allowed = (
        "may be withdrawn before it is adjudicated, where the clause gives a ground"
        if source.withdrawal.allowed
        else "may not be withdrawn"
    )
    yield _line(source.withdrawal, f"A challenge {allowed}.", "allowed")
    if source.concession is not None:
        conceded = "may" if source.concession.allowed else "may not"
        yield _line(source.concession, f"Either player {conceded} concede a challenge without a look-up.", "allowed")
    if source.review is not None:
        yield _line(source.review, f"A word judge's ruling may be reviewed {_REVIEWS[source.review.by]}.", "by")
    if source.second_opinion is not None:
        again = "looks the same words up again on request" if source.second_opinion.here else "gives no second opinion"
        yield _line(source.second_opinion, f"The station {again}.", "here")
    if source.first_word is not None:
        judged = (
            "comes off when it is challenged, whatever the words" if source.first_word.off_centre_comes_off else "is judged by its words"
        )
        yield _line(source.first_word, f"A first word that misses the centre square {judged}.", "off_centre_comes_off")
    if source.restart is not None:
        yield _line(source.restart, _restart(source.restart), *RestartRule.__struct_fields__)


def _ending_lines(source: RulebookSource) -> Iterator[str]:
    yield from ("", "The end")
    window = source.windows["out_play"]
    if source.out_play.ends_game:
        yield _line(window, f"Out play, clock stopped: the opponent has {_length(window.seconds)} to hold or challenge.", "seconds")
        yield _line(source.out_play, "When that time is up, the game is over.", "ends_game")
    else:
        open_end = "Out play, clock stopped: the opponent accepts, holds or challenges it, without a time limit."
        yield _line(source.out_play, open_end, "ends_game")
        started = "the out player may start the clock of the opponent, who stops it after deciding"
        yield _line(window, f"After {_length(window.seconds)} {started}.", "seconds")
    end = source.end or DEFAULT_END
    zeros = "six" if source.six_zeros is None or source.six_zeros.turns == 6 else str(source.six_zeros.turns)
    yield _line(source.end, f"After {zeros} zeros in a row {_ENDED_BY[end.six_zeros]}.", "six_zeros")
    counts = "count at every score" if source.six_zeros is None or source.six_zeros.at_zero_score else "do not count while the score is 0-0"
    yield _line(source.six_zeros, f"{zeros.capitalize()} zeros in a row {counts}.", "at_zero_score", "turns")
    yield _line(source.end, f"When a player resigns, {_RESIGNED[end.resignation]}.", "resignation")
    yield from _result_lines(source.result, source.result or DEFAULT_RESULT)
    if source.recount is None:
        return
    start = "by itself when the game ends" if source.recount.starts_itself else "by hand, when the players agree on the score"
    yield _line(source.recount, f"The time to ask for a recount is started {start}.", "starts_itself")
    yield _line(source.windows["recount"], f"A recount may be asked for during {_length(source.windows['recount'].seconds)}.", "seconds")


def _result_lines(rule: ResultTable | None, result: ResultTable) -> Iterator[str]:
    yield _line(rule, f"A forfeit is a spread of {result.forfeit_spread} points{_FORFEIT_SCORES[result.forfeit_score]}.", *_OF_FORFEITS)
    if result.leaving_margin == "forfeit":
        yield _line(rule, "Who leaves a game in progress forfeits it.", "leaving_margin")
    else:
        above = f"if not, the opponent's score becomes {result.leaving_margin} points more than the leaver's"
        yield _line(rule, f"Who leaves a game when behind loses {result.leaving_margin} points; {above}.", "leaving_margin")
    counted = "counts" if result.bonus_words else "does not count"
    yield _line(rule, f"The result {counted} the players' bonus words.", "bonus_words")


def _window_lines(source: RulebookSource) -> Iterator[str]:
    named = [(name, source.windows[name]) for name in _WINDOWS if name in source.windows]
    yield from ("", "Other time frames")
    if not named:
        yield "  None."
    for name, window in named:
        said = "courtesy_draw_from_press" if window.counts_from == "press" else name
        sentence = f"{_WINDOWS[said].format(length=_length(window.seconds))}{_then(name, window)}."
        yield _line(window, sentence, "seconds", "by", "starts_clock", "counts_from")


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


def _line(rule: Rule | None, sentence: str, *keys: str) -> str:
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


def _limit(limit: Limit) -> Iterator[str]:
    if limit.reading == NO_LIMIT:
        yield _line(limit, "Overtime has no limit.", "reading")
        return
    if limit.does != "lost":
        yield _line(limit, f"At reading {limit.reading} {_AT_LIMIT[limit.does]}.", "reading", "does", "charge", "wins_by_one")
        yield _line(limit, "A recount may be asked for." if limit.recount else "No recount after it.", "recount")
        return
    cost = {
        "instead": f"for {limit.penalty} points in place of the overtime penalty",
        "beside": f"for {limit.penalty} points beside the overtime penalty",
        "none": "for the overtime penalty alone",
    }
    lost = f"At reading {limit.reading} the game is over and lost, {cost[limit.charge]}"
    yield _line(limit, f"{lost}; the opponent's own overtime still counts, unplayed tiles do not.", "reading", "penalty", "charge")
    yield _line(limit, "A recount may be asked for." if limit.recount else "No recount.", "recount")
    if limit.margin is not None:
        wins = f"The opponent wins by {limit.margin} points at least: if need be, the loser's score is set that much below the opponent's"
    else:
        wins = "The opponent wins by one point at least" if limit.wins_by_one else "The opponent wins"
    yield _line(limit, f"{wins}.", "wins_by_one", "margin")


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
