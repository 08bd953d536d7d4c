"""``tilelexicon --help`` and ``alphabets``."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from lexicon.alphabet import alphabets, load_alphabet
from lexicon.cli.main import main
from tests.cells import each_cell
from tests.lexicon.cli.program import PAIR, invoke, refusal, run


def test_every_verb_explains_itself() -> None:
    for cell in each_cell(sorted(main.commands)):
        with cell as verb:
            done = invoke(verb, "--help")
            assert done.exit_code == 0
            assert len(done.stdout.splitlines()) > 4


def test_help_names_every_verb_and_the_first_thing_to_try() -> None:
    done = invoke("--help")
    assert "tilelexicon build words.txt" in done.stdout
    assert [verb for verb in main.commands if f"\n  {verb} " not in done.stdout] == []


def test_alone_it_prints_help() -> None:
    done = run()
    assert b"Usage: tilelexicon [OPTIONS] COMMAND [ARGS]..." in done.stdout + done.stderr


def test_version_is_that_of_the_package() -> None:
    assert invoke("--version").stdout == f"tilelexicon, version {version('tileclock')}\n"


def test_help_loads_no_library_that_only_some_verb_needs() -> None:
    script = "import sys, lexicon.cli.main; print({'rich', 'pydantic', 'lexicon.build', 'lexicon.formats'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"set()\n"


def test_all_are_listed_with_their_source() -> None:
    lines = invoke("alphabets").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(alphabets())
    assert all(load_alphabet(line.split()[0]).source in line for line in lines)


@pytest.mark.parametrize("alphabet_id", alphabets())
def test_each_shows_its_tiles_in_order_and_what_is_typed_for_them(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    head, tiles, *typed = invoke("alphabets", alphabet_id).stdout.split("\n\n")
    assert alphabet.source in head
    assert [tuple(line.split()[:4]) for line in tiles.splitlines()[1:]] == [
        (str(number), tile.text, str(tile.score), str(tile.count)) for number, tile in enumerate(alphabet.tiles, 1)
    ]
    assert {line.split()[1] for line in tiles.splitlines() if "always" in line} == {tile.text for tile in alphabet.tiles if tile.always}
    shown = [tuple(line.split()) for line in "".join(typed).splitlines()[1:]]
    assert shown == [(text, *stands_for) for text, stands_for in alphabet.typed.items()]


def test_an_alphabet_of_ones_own_is_shown_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    assert "Pair (pair): made up" in invoke("alphabets", tmp_path / "pair.toml").stdout
    (tmp_path / "bad.toml").write_text("tiles = 1", encoding="utf-8")
    refusal("alphabets", tmp_path / "bad.toml", where=re.compile("bad.toml"))


def test_an_unknown_one_is_refused_with_those_that_are_known() -> None:
    refusal("alphabets", "englisch", expected=re.compile(", ".join(alphabets())), found='"englisch"')
