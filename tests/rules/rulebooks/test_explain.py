from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.main import main
from rules.rulebooks import RulebookError, explain, load_source, shipped_ids
from rules.rulebooks.schema import Rule
from tests.cells import each_cell
from tests.errors import refused
from tests.rules.rulebooks.own_files import OWN, shipped_text, written


def _rules(rulebook_id: str) -> list[Rule]:
    source = load_source(rulebook_id)
    tables = [getattr(source, name) for name in type(source).__struct_fields__]
    return [table for table in tables if isinstance(table, Rule)] + list(source.windows.values()) + list(source.minutes.values())


@pytest.mark.parametrize("rulebook_id", shipped_ids())
def test_the_explanation_names_the_clause_of_every_value_and_what_it_is_assumed_from(rulebook_id: str) -> None:
    said = "\n".join(explain(load_source(rulebook_id)))
    for rule in _rules(rulebook_id):
        for key, clause in rule.clause.items() if isinstance(rule.clause, dict) else [("", rule.clause)]:
            assumed = rule.assumed.get(key) if isinstance(rule.assumed, dict) else rule.assumed
            assert f"{clause}; assumed: as in {assumed}]" in said if assumed else f"{clause}]" in said, rule


SAID = [
    ("naspa-2012", "At reading -10:00 the game is over"),
    ("naspa-2012", "Overdraw: 1 min to choose"),
    ("naspa-2014", "recount is started by itself when the game ends. [2014 V.I]"),
    ("naspa-2017", "recount is started by hand, when the players agree on the score. [2017 V.I]"),
    ("naspa-2017", "Each side has 25:00 for all its turns together. [2017 III.A.3]"),
    ("naspa-2017", "Play acceptable: the challenger loses the turn. [2017 IV.I.3, IV.J.1.l]"),
    ("naspa-2017", "Play acceptable: no points. [2017 IV.I.3, IV.J.1.l]"),
    ("nzasp-2022", "Play unacceptable, under every rulebook: it comes off the board for nothing, and the challenger is on turn."),
    ("naspa-2017", "Out play, clock stopped: the opponent has 20 s to hold or challenge. [2017 V.E]"),
    ("naspa-2017", "When that time is up, the game is over. [2017 V.E]"),
    ("naspa-2017-collins-10", "Play acceptable: 10 points for each word challenged"),
    ("naspa-2017-collins-10", "All other values are those of naspa-2017."),
    ("naspa-2014-collins-5", "Play acceptable: 5 points for each word challenged to the challenged player. [2014 VI]"),
    ("naspa-2014-collins-5", "the challenger keeps the turn. [2017 VI.B.3; assumed: as in naspa-2017-collins-5]"),
    ("naspa-2017-collins-5", "the challenger keeps the turn. [2017 VI.B.3]"),
    ("naspa-2017", "No recount. [2017 V.G.3]"),
    ("naspa-2017", "The opponent wins by one point at least. [2017 V.G.3]"),
    ("nzasp-2022", "Overtime begins at reading -0:01, not at 0:00 or -0:00. [2017 V.G.2; assumed: as in naspa-2017]"),
    ("nzasp-2022", "Overtime has no limit. [NZ 8.4]"),
    ("naspa-2017", "An absent player's clock is started by the director. [2017 III.C]"),
    ("club", "Both absent: the first to come owes, at the end, the time that has passed. [2017 III.C; assumed: as in naspa-2017]"),
    ("nzasp-2022", "Both absent: the first to come starts with what is left, and owes nothing. [NZ 4.2]"),
    ("naspa-2014", "hit the clock in error gets 1 min, if both players agree. [2017 IV.E.1; assumed: as in naspa-2017]"),
    ("nzasp-2022", "After six zeros in a row either player may end the game. [NZ 8.1.3]"),
    ("nzasp-2022", "When a player resigns, the director may end the game. [WESPA 5.7; assumed: as in wespa-2021]"),
    ("nzasp-2022", "Play acceptable: the challenger keeps the turn. [NZ 6.17]"),
    ("nzasp-2022", "5 points for each word challenged to the challenged player. [NZ 6.17]"),
    ("naspa-2014", "After six zeros in a row either player may end the game. [2014 V.B]"),
    ("naspa-2014", "may end the game, if the director allows it. [2017 I.B; assumed: as in naspa-2017]"),
    ("naspa-2014", "Overtime begins at reading -0:01, not at 0:00 or -0:00. [2014 V.G]"),
    ("naspa-2012", "After six zeros in a row either player may end the game. [2014 V.B; assumed: as in naspa-2014]"),
    ("naspa-2012", "may end the game, if the director allows it. [2017 I.B; assumed: as in naspa-2017]"),
    ("naspa-2017", "gets 1 min, if both players agree. [seconds: 2017 III.G.6] [by: 2017 IV.E.1; assumed: as in naspa-2017]"),
    ("naspa-2017", "Six zeros in a row count at every score. [2017 V.B]"),
    ("club", "Six zeros in a row do not count while the score is 0-0. [general rules, on the end]"),
    ("naspa-2017", "When a player resigns, both players together may end the game, if the director allows it. [2017 I.B]"),
    ("naspa-2017", "A first word that misses the centre square comes off when it is challenged, whatever the words. [2017 III.G.1]"),
    (
        "club",
        "A first word that misses the centre square comes off when it is challenged, whatever the words. [2017 III.G.1; assumed: as in naspa-2017]",
    ),
    ("naspa-2017", "The station looks the same words up again on request. [2017 IV.J.1.n]"),
    ("naspa-2017", "15 s to choose the tiles; then the clock of the one who chooses may be started. [2017 IV.B.5.b]"),
    ("naspa-2017", "A recount ends 1 min after a warning; only the director starts this time. [2017 V.I]"),
    ("naspa-2017", "Disconnected tiles found within 20 s of the end reopen the game. [2017 III.G.5.7]"),
    ("naspa-2017", "forfeits when that player's clock reads -0:01. [2017 III.C]"),
    ("nzasp-2022", "forfeits when all the time is used. [NZ 4.1, 4.2]"),
    ("nzasp-2022", "A challenge may not be withdrawn"),
    ("naspa-2017", "Either player may concede a challenge without a look-up. [2017 IV.I.3.5]"),
    ("naspa-2014", "reviewed by another judge, and by a third where the two differ. [2014 IV.K]"),
    ("nzasp-2022", "A word judge's ruling may be reviewed once, by a referee. [NZ 6.15.3]"),
    ("nzasp-2022", "Out play, clock stopped: the opponent accepts, holds or challenges it, without a time limit. [NZ 8.2, 8.2.1]"),
    ("nzasp-2022", "After 5 s the out player may start the clock of the opponent, who stops it after deciding. [NZ 8.2.1]"),
    ("wespa-2021", "After 5 s the out player may start the clock of the opponent, who stops it after deciding. [WESPA 5.1.3]"),
    ("naspa-2017", "has seen a new tile, if there is one; at once where a player delays this. [2017 IV.J.1.o]"),
    ("naspa-2017-collins-5", "the clock may start as soon as the player whose clock it is has all tiles back on the rack. [2017 VI.B.1]"),
    ("nzasp-2022", "tiles are uncovered or back on the racks, an unacceptable play is off the board. [NZ 6.13.6]"),
    ("club", "Play acceptable: the challenger keeps the turn."),
    ("naspa-2017", "has seen a tile. [2017 III.F]"),
    ("naspa-2017", "Where nothing else decides who starts, the tile nearest A does, a blank before A. [2017 III.D]"),
    ("nzasp-2022", "The first clock may start when the starting player has a tile on the rack. [NZ 6.1.1]"),
    ("wespa-2021", "A recount may be asked for. [WESPA 5.5.1]"),
    (
        "wespa-2021",
        "The opponent wins by 100 points at least: if need be, the loser's score is set that much below the opponent's. [WESPA 5.3.3]",
    ),
    ("wespa-2021", "owes nothing. [WESPA 2.3.2]"),
    ("wespa-2021", "A late player who is left with less than 15:00 may choose to forfeit. [WESPA 2.3.4]"),
    ("wespa-2021", "Hold: from 30 s after the press the player on hold may draw, tiles kept apart. [WESPA 3.10.6]"),
    ("wespa-2021", "reviewed by another judge, and by the director where the two differ. [WESPA 3.10.9]"),
    (
        "wespa-2021",
        "the player whose clock it is has all tiles back on the rack or has begun to write, an unacceptable play is off the board, ",
    ),
    ("wespa-2021", "the score of an acceptable play is announced again. [WESPA 3.11]"),
    ("wespa-2021-turn-10", "Play acceptable: 10 points for the challenge to the challenged player. [WESPA 3.10.13]"),
]


def test_the_explanation_says_in_words_what_sets_a_rulebook_apart() -> None:
    for cell in each_cell(SAID):
        with cell as (rulebook_id, sentence):
            assert sentence in "\n".join(explain(load_source(rulebook_id)))
    # What a rulebook does not know it says nothing of.
    said = "\n".join(explain(load_source("nzasp-2022")))
    assert not any(word in said for word in ("recount", "infractions", "concede"))
    assert "After every 3 minor infractions" in "\n".join(explain(load_source("naspa-2012")))


OF_AN_OWN_FILE = [
    ('[regulation]\ntime = "20:00"\nincrement_seconds = 5', "Each press that ends a turn adds 5 s to that side's time."),
    ('[regulation]\ntime = "20:00"\ndelay_seconds = 3', "The first 3 s of each turn are charged to neither side."),
    (
        "[turn]\nseconds = 120\nwarnings = [30, 10]",
        "A turn may last 2 min: the clock says so at its end, and before it with 30 s and 10 s left; it charges nothing for it.",
    ),
    ("[turn]\nseconds = 60", "A turn may last 1 min: the clock says so at its end; it charges nothing for it."),
    (
        '[overtime]\npoints = 5\nperiod_seconds = 30\ncount = "completed"\ncap = 50',
        "Overtime costs 5 points for every 30 s completed, but never more than 50 points.",
    ),
    (
        "[overtime]\nbands = [{from_seconds = 0, points = 5, period_seconds = 60}, {from_seconds = 120, points = 10, period_seconds = 60}]",
        "Overtime costs from 0 s 5 points for every 1 min begun, from 2 min 10 points for every 1 min begun.",
    ),
    ("[grace]\nzero_reading_free = false", "Overtime begins at reading -0:00."),
    (
        '[limit]\nreading = "-5:01"\npenalty = 50\ncharge = "beside"',
        "the game is over and lost, for 50 points beside the overtime penalty;",
    ),
    (
        '[limit]\nreading = "-5:01"\ncharge = "none"\nrecount = true\nwins_by_one = false',
        "the game is over and lost, for the overtime penalty alone;",
    ),
    ('[limit]\nreading = "-5:01"\ncharge = "none"\nrecount = true\nwins_by_one = false', "The opponent wins."),
    ('[forfeit]\nreading = "10:00"', "A player who has not come forfeits when that player's clock reads 10:00."),
    ("[forfeit]\nminutes_late = 15", "A player who has not come forfeits 15 min after that player's clock was started."),
    ('[late]\nstarts = "players"', "An absent player's clock is started by the players."),
    ('[late]\nstarts = "players"\nboth_absent = "left"', "the first to come starts with what is left, and owes nothing."),
    ('[late]\nboth_absent = "halved"', "Both absent: each loses half of the time that passes until the first one comes."),
    ("[hold]\nmaximum_seconds = 60", "A hold lasts 1 min at most: then the clock says so."),
    ('[hold]\nmaximum_seconds = 60\nat_maximum = "release"', "A hold lasts 1 min at most: then the clock releases it."),
    (
        "[challenge]\nacceptable_loses_turn = false\npoints_a_word = 0\npoints_a_challenge = 10",
        "Play acceptable: 10 points for the challenge to the challenged player.",
    ),
    (
        '[challenge]\nacceptable_loses_turn = false\npoints_a_word = 5\npoints_are = "taken"',
        "5 points for each word challenged taken from the challenger.",
    ),
    ('[minutes.wrong_board]\nseconds = 30\nby = "director"', "left the board wrong after a challenge gets 30 s, from the director."),
    ('[end]\nsix_zeros = "never"\nresignation = "players"', "After six zeros in a row the game goes on."),
    ("[six_zeros]\nturns = 4\nat_zero_score = true", "4 zeros in a row count at every score."),
    (
        '[end]\nsix_zeros = "never"\nresignation = "players"',
        "When a player resigns, both players together may end the game, if the director allows it.",
    ),
    ("[six_zeros]\nat_zero_score = true", "Six zeros in a row count at every score."),
    ("[first_word]\noff_centre_comes_off = false", "A first word that misses the centre square is judged by its words."),
    ('[result]\nforfeit_spread = 75\nforfeit_score = "average"', "A forfeit is a spread of 75 points, and the winner's average score."),
    ("[result]\nleaving_margin = 40", "Who leaves a game when behind loses 40 points; if not, the opponent's score becomes 40 points more"),
    ("[result]\nbonus_words = true", "The result counts the players' bonus words."),
    ("[second_opinion]\nhere = false", "The station gives no second opinion."),
    ("[windows.overdraw_decision]\nseconds = 30\nstarts_clock = false", "Overdraw: 30 s to choose the tiles."),
    ('[windows.mixing]\nseconds = 20\nby = "director"', "may be mixed for 20 s a draw; only the director starts this time."),
]


def test_the_explanation_has_a_sentence_for_every_value_of_an_own_file_with_its_clause(tmp_path: Path) -> None:
    for cell in each_cell(OF_AN_OWN_FILE):
        with cell as (table, sentence):
            path = written(tmp_path, f'extends = "club"\n{OWN}{table}\nclause = "ours, 7"\n')
            lines = [line for line in explain(load_source(path)) if sentence in line]
            assert [line.endswith("[ours, 7]") for line in lines] == [True]


OF_ITS_VALUES = [
    # The table, and the end of the line that says each of its sentences.
    (
        '[late]\nstarts = "players"\nboth_absent = "left"\nclause = {starts = "a", both_absent = "b"}\nassumed = {both_absent = "nzasp-2022"}',
        ("started by the players. [a]", "owes nothing. [b; assumed: as in nzasp-2022]"),
    ),
    # A value that the file does not write.
    ('[late]\nstarts = "players"\nclause = {starts = "a"}', ("started by the players. [a]", "that has passed. [the file does not say]")),
    # Values of one sentence.
    ('[hold]\nmaximum_seconds = 60\nclause = {maximum_seconds = "a"}', ("then the clock says so. [a]",)),
    (
        '[minutes.wrong_board]\nseconds = 30\nby = "players"\nclause = {seconds = "a", by = "b"}\nassumed = {by = "club"}',
        ("30 s, if both players agree. [seconds: a] [by: b; assumed: as in club]",),
    ),
    (
        '[overtime]\npoints = 5\nperiod_seconds = 30\ncap = 50\nclause = {points = "a", period_seconds = "a", cap = "b"}',
        ("than 50 points. [points, period_seconds: a] [cap: b]",),
    ),
    (
        '[limit]\nreading = "-5:00"\npenalty = 50\nrecount = true\nclause = {reading = "a", penalty = "a", recount = "b"}',
        ("unplayed tiles do not. [a]", "A recount may be asked for. [b]", "by one point at least. [the file does not say]"),
    ),
    (
        '[start]\nfirst_clock = "tile_seen"\ntile_draw = true\nclause = {first_clock = "a", tile_draw = "b"}',
        ("has seen a tile. [a]", "a blank before A. [b]"),
    ),
    (
        '[challenge]\nacceptable_loses_turn = false\npoints_a_word = 5\nclause = {acceptable_loses_turn = "a", points_a_word = "b"}',
        ("the challenger keeps the turn. [a]", "to the challenged player. [b]"),
    ),
    (
        '[end]\nsix_zeros = "players"\nresignation = "never"\nclause = {six_zeros = "a", resignation = "b"}',
        ("may end the game. [a]", "goes on. [b]"),
    ),
    (
        '[regulation]\ntime = "20:00"\ndelay_seconds = 3\nclause = {time = "a", delay_seconds = "b"}',
        ("together. [a]", "to neither side. [b]"),
    ),
]


def test_each_value_is_explained_with_its_own_clause_and_what_it_is_assumed_from(tmp_path: Path) -> None:
    for cell in each_cell(OF_ITS_VALUES):
        with cell as (table, ends):
            lines = explain(load_source(written(tmp_path, f'extends = "nzasp-2022"\n{OWN}{table}\n')))
            assert [sum(line.endswith(end) for line in lines) for end in ends] == [1 for _ in ends]


def test_a_table_that_an_own_file_leaves_out_is_explained_as_its_default(tmp_path: Path) -> None:
    tables = shipped_text("naspa-2017").split("\n\n")
    path = written(tmp_path, "\n\n".join(table for table in tables if not table.startswith(("[grace]", "[late]", "[end]", "[six_zeros]"))))
    left_out = [line for line in explain(load_source(path)) if line.endswith("[the file does not say]")]
    assert [line.split(" [")[0].strip() for line in left_out] == [
        "Overtime begins at reading -0:01, not at 0:00 or -0:00.",
        "An absent player's clock is started by the director.",
        "Both absent: the first to come owes, at the end, the time that has passed.",
        "After six zeros in a row either player may end the game.",
        "Six zeros in a row count at every score.",
        "When a player resigns, the director may end the game.",
    ]


@pytest.mark.parametrize("arguments", [[], ["list"]])
def test_the_verb_lists_every_rulebook_and_marks_the_default(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["rulebooks", *arguments])
    assert result.exit_code == 0
    assert all(any(line.startswith(f"{each} ") for line in result.stdout.splitlines()) for each in shipped_ids())
    assert [line.split()[0] for line in result.stdout.splitlines() if line.endswith("(the default)")] == ["naspa-2017"]


def test_the_verb_shows_a_shipped_rulebook_or_a_file_and_refuses_an_unknown_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["rulebooks", "show", "club"])
    assert (result.exit_code, result.stdout.splitlines()) == (0, list(explain(load_source("club"))))
    result = CliRunner().invoke(main, ["rulebooks", "show", written(tmp_path, f'extends = "club"\n{OWN}')])
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "ours · Our rules")
    result = CliRunner().invoke(main, ["rulebooks", "show", "clubb"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert isinstance(refused(result, found='"clubb"', remedy="Did you mean club?"), RulebookError)


def test_the_verb_checks_a_file_and_names_every_fault_with_its_line_or_says_what_it_means(tmp_path: Path) -> None:
    good = f'extends = "club"\n{OWN}'
    bad = f'extends = "clubs"\n{OWN}[regulation]\ntime = "25"\nclause = "ours"\n\n[hold]\nmaximum = 3\nclause = "ours"\n\n[windows.mixing]\nclause = "ours"\n'
    # What contradicts itself beside a key at fault is named too; what contradicts another table that is at fault is not.
    bad += 'counts_from = "hold"\nstarts_clock = true\n[late]\nassumed = "wespa"\nclause = ""\n[limit]\nreading = "x"\ncharge = "none"\npenalty = 1\nmargin = 1\nclause = "ours"\n'
    bad += '[overtime]\nclause = "ours"\n[[overtime.bands]]\nfrom_seconds = 0\npoints = 5\nperiod_seconds = 60\n[[overtime.bands]]\npoints = 5\nperiod_seconds = 60\n'
    checked = CliRunner().invoke(main, ["rulebooks", "check", written(tmp_path, good)])
    assert (checked.exit_code, checked.stdout.splitlines()[0]) == (0, "ours · Our rules")
    wrong = CliRunner().invoke(main, ["rulebooks", "check", written(tmp_path, bad)])
    places = [line.removeprefix(f"{tmp_path}/ours.toml:").split(" expected")[0] for line in wrong.stdout.splitlines()]
    assert wrong.exit_code == 1
    assert places == [
        *("1: extends:", "6: regulation.time:", "9: hold.maximum_seconds:", "10: hold:"),
        "13: windows.mixing.seconds:",
        *("18: late.assumed:", "19: late.clause:", "20: limit:", "21: limit.reading:", "23: limit.penalty:"),
        "32: overtime.bands.1.from_seconds:",
    ]
    none = CliRunner().invoke(main, ["rulebooks", "check", written(tmp_path, "id = ")])
    assert (none.exit_code, none.stdout.count("\n")) == (1, 1)
