"""A rulebook in words, and the verb that prints it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.main import main
from rules.rulebooks import RulebookError, explain, load_source, shipped_ids
from rules.rulebooks.schema import Rule
from tests.cells import each_cell
from tests.errors import refused


def _rules(rulebook_id: str) -> list[Rule]:
    source = load_source(rulebook_id)
    tables = [getattr(source, name) for name in type(source).model_fields]
    return [table for table in tables if isinstance(table, Rule)] + list(source.windows.values())


@pytest.mark.parametrize("rulebook_id", shipped_ids())
def test_the_explanation_names_the_clause_of_every_value_and_what_it_is_assumed_from(rulebook_id: str) -> None:
    lines = explain(load_source(rulebook_id))
    for rule in _rules(rulebook_id):
        assumed = f"; assumed: as in {rule.assumed}" if rule.assumed else ""
        assert any(line.endswith(f"[{rule.clause}{assumed}]") for line in lines), rule


SAID = [
    ("naspa-2012", "At reading -10:00 the game is over"),
    ("naspa-2012", "Overdraw: 1 min to choose"),
    ("naspa-2014", "recount is started by itself when the game ends. [2014 V.I]"),
    ("naspa-2017", "recount is started by hand, when the players agree on the score. [2017 V.I]"),
    ("naspa-2017", "Each side has 25:00 for all its turns together. [2017 III.A.3]"),
    ("naspa-2017", "Play acceptable: the challenger loses the turn; no points"),
    ("naspa-2017", "When that time is up, the game is over. [2017 V.E]"),
    ("naspa-2017-collins-10", "the challenger keeps the turn; 10 points for each word challenged"),
    ("naspa-2017-collins-10", "All other values are those of naspa-2017."),
    ("nzasp-2022", "Overtime has no limit. [NZ 8.4]"),
    ("nzasp-2022", "forfeits when all the time is used. [NZ 4.2]"),
    ("nzasp-2022", "A challenge may not be withdrawn"),
    ("naspa-2017", "Either player may concede a challenge without a look-up. [2017 IV.I.3.5]"),
    ("naspa-2014", "reviewed by another judge, and by a third where the two differ. [2014 IV.K]"),
    ("nzasp-2022", "A word judge's ruling may be reviewed once, by a referee. [NZ 6.15.3]"),
    ("nzasp-2022", "the out player may start the opponent's clock, and the game goes on. [NZ 8.2, 8.2.1]"),
    ("naspa-2017", "has seen a new tile, if there is one; at once where a player delays this. [2017 IV.J.1.o]"),
    (
        "naspa-2017-collins-5",
        "the clock may start as soon as the player whose clock it is has all tiles back on the rack. [2017 VI.B.1]",
    ),
    ("nzasp-2022", "tiles are uncovered or back on the racks, an unacceptable play is off the board. [NZ 6.13.6]"),
    ("club", "the challenger keeps the turn; no points"),
]


def test_the_explanation_says_in_words_what_sets_a_rulebook_apart() -> None:
    for cell in each_cell(SAID):
        with cell as (rulebook_id, told):
            assert told in "\n".join(explain(load_source(rulebook_id)))


def test_a_rulebook_without_a_recount_says_nothing_of_one() -> None:
    assert "recount" not in "\n".join(explain(load_source("nzasp-2022")))


@pytest.mark.parametrize("arguments", [[], ["list"]])
def test_the_verb_lists_every_rulebook_and_marks_the_default(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["rulebooks", *arguments])
    assert result.exit_code == 0
    assert all(any(line.startswith(f"{each} ") for line in result.stdout.splitlines()) for each in shipped_ids())
    assert [line.split()[0] for line in result.stdout.splitlines() if line.endswith("(the default)")] == ["naspa-2017"]


def test_the_verb_shows_the_explanation_of_a_shipped_rulebook() -> None:
    result = CliRunner().invoke(main, ["rulebooks", "show", "club"])
    assert (result.exit_code, result.stdout.splitlines()) == (0, list(explain(load_source("club"))))


def test_the_verb_shows_a_file_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('extends = "club"\nid = "ours"\ntitle = "Our rules"\nsummary = "Made at home."\n')
    result = CliRunner().invoke(main, ["rulebooks", "show", str(file)])
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "ours · Our rules")


def test_an_unknown_rulebook_is_one_sentence_on_standard_error_and_exit_2() -> None:
    result = CliRunner().invoke(main, ["rulebooks", "show", "clubb"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert isinstance(refused(result, found='"clubb"', remedy="Did you mean club?"), RulebookError)


def test_a_rulebook_without_a_minute_for_infractions_says_nothing_of_one() -> None:
    assert "infractions" not in "\n".join(explain(load_source("nzasp-2022")))
    assert "After every 3 minor infractions" in "\n".join(explain(load_source("naspa-2012")))


def test_a_rulebook_that_knows_no_conceding_says_nothing_of_it() -> None:
    assert "concede" not in "\n".join(explain(load_source("nzasp-2022")))
