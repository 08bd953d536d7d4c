"""Explains a rulebook, for ``tileclock rulebooks show``: each value's meaning at the table, its clause, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterator

from rules.rulebooks.model import ReviewBy
from rules.rulebooks.schema import NO_LIMIT, ChallengeTable, Limit, Overtime, Restart, Rule, RulebookSource, reading_seconds

_WINDOWS = {
    "courtesy_draw": "Hold: for {length} the player on hold may not draw; after that they may, tiles kept apart.",
    "missed_press": "A tile drawn without pressing the clock ended the turn: the opponent may hold for {length}.",
    "return_to_table": "Back at the table: from the first new tile seen, hold or challenge for {length}.",
    "overdraw_decision": "Overdraw: {length} to choose the tiles; then the clock of the one who chooses is started.",
    "tiles_returned": "Tiles put back into the bag in error: {length} to choose; then that player's clock may be started.",
    "tile_decision": "Exchange, underdraw or exposed tiles: {length} to decide which tiles go where.",
    "mixing": "The tiles in the bag may be mixed for {length} a draw.",
    "recount_warning": "The director ends a recount {length} after a warning.",
    "late_start": "An absent player's clock may be started {length} after the round's actual start.",
    "between_rounds": "The break between rounds without an announced time lasts {length}, unless the director says less.",
}

_REVIEWS: dict[ReviewBy, str] = {"judges": "by another judge, and by a third where the two differ", "appeal": "once, by a referee"}


def explain(source: RulebookSource) -> tuple[str, ...]:
    """Return the lines that explain ``source``: a heading, then one sentence per rule with its clause and assumption."""
    return (*_heading(source), *_clock_lines(source), *_challenge_lines(source), *_ending_lines(source), *_window_lines(source))


def _heading(source: RulebookSource) -> Iterator[str]:
    yield f"{source.id} · {source.title}"
    yield source.summary
    if source.extends:
        yield f"All other values are those of {source.extends}."
    yield "Each value names its clause; where the source is silent, the value is assumed from another rulebook, which is named."


def _clock_lines(source: RulebookSource) -> Iterator[str]:
    yield from ("", "The clock")
    yield _line(source.regulation, f"Each side has {source.regulation.time} for all its turns together.")
    yield _line(source.overtime, _overtime(source.overtime))
    yield _line(source.limit, _limit(source.limit))
    yield _line(source.forfeit, _forfeit(source.forfeit.reading))
    if source.infractions is not None:
        sentence = f"After every {source.infractions.a_minute} minor infractions of a player the director decides on a minute."
        yield _line(source.infractions, sentence)


def _challenge_lines(source: RulebookSource) -> Iterator[str]:
    yield from ("", "The challenge")
    yield _line(source.challenge, _challenge(source.challenge))
    yield _line(source.challenge, "Play unacceptable: it comes off the board for nothing, and the challenger is on turn.")
    allowed = (
        "may be withdrawn before it is adjudicated, where the clause gives a ground"
        if source.withdrawal.allowed
        else "may not be withdrawn"
    )
    yield _line(source.withdrawal, f"A challenge {allowed}.")
    if source.concession is not None:
        conceded = "may" if source.concession.allowed else "may not"
        yield _line(source.concession, f"Either player {conceded} concede a challenge without a look-up.")
    if source.review is not None:
        yield _line(source.review, f"A word judge's ruling may be reviewed {_REVIEWS[source.review.by]}.")
    if source.restart is not None:
        yield _line(source.restart, _restart(source.restart))


def _ending_lines(source: RulebookSource) -> Iterator[str]:
    yield from ("", "The end")
    window = source.windows["out_play"]
    yield _line(window, f"Out play, clock stopped: the opponent has {_length(window.seconds)} to hold or challenge.")
    after = "the game is over" if source.out_play.ends_game else "the out player may start the opponent's clock, and the game goes on"
    yield _line(source.out_play, f"When that time is up, {after}.")
    if source.recount is None:
        return
    start = "by itself when the game ends" if source.recount.starts_itself else "by hand, when the players agree on the score"
    yield _line(source.recount, f"The time to ask for a recount is started {start}.")
    yield _line(source.windows["recount"], f"A recount may be asked for during {_length(source.windows['recount'].seconds)}.")


def _window_lines(source: RulebookSource) -> Iterator[str]:
    named = [(text, source.windows[name]) for name, text in _WINDOWS.items() if name in source.windows]
    yield from ("", "Other time frames")
    if not named:
        yield "  None."
    for text, window in named:
        length = _length(window.seconds)
        yield _line(window, text.format(length=length))


def _restart(restart: Restart) -> str:
    if not restart.seated:
        return "Afterwards the clock may start as soon as the player whose clock it is has all tiles back on the rack."
    needs = [
        "both players are seated",
        "tiles are uncovered or back on the racks" if restart.uncovered else "all tiles are back on the racks",
        "an unacceptable play is off the board",
        *(["the designation of a blank in it is crossed out or erased"] if restart.blank_erased else []),
        *(["the player of an acceptable play has seen a new tile, if there is one"] if restart.tile_seen else []),
    ]
    late = "; at once where a player delays this" if restart.delay else ""
    return f"Afterwards the clock may start when {', '.join(needs)}{late}."


def _line(rule: Rule, sentence: str) -> str:
    assumed = f"; assumed: as in {rule.assumed}" if rule.assumed else ""
    return f"  {sentence} [{rule.clause}{assumed}]"


def _length(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    parts = ([f"{minutes} min"] if minutes else []) + ([f"{rest} s"] if rest else [])
    return " ".join(parts)


def _overtime(overtime: Overtime) -> str:
    return f"Overtime begins at reading -0:01 (not at 0:00 or -0:00) and costs {overtime.points} points for every {_length(overtime.period_seconds)} begun."


def _limit(limit: Limit) -> str:
    if limit.reading == NO_LIMIT:
        return "Overtime has no limit."
    return (
        f"At reading {limit.reading} the game is over and lost, for {limit.penalty} points in place of the overtime penalty; "
        "the opponent's own overtime still counts, unplayed tiles do not."
    )


def _forfeit(reading: str) -> str:
    when = "all the time is used" if reading_seconds(reading) == 0 else f"the clock reads {reading}"
    return f"A player who has not come forfeits when {when}."


def _challenge(challenge: ChallengeTable) -> str:
    turn = "the challenger loses the turn" if challenge.acceptable_loses_turn else "the challenger keeps the turn"
    points = f"{challenge.points_a_word} points for each word challenged" if challenge.points_a_word else "no points"
    return f"Play acceptable: {turn}; {points} to the challenged player."
