"""Organisers' files: what each format says, and every problem by its line. TILECLOCK_MUTATIONS=200000 spoils that many files."""

import csv
import io
import json
import os
import random
import re
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hall.desk.tiles.folded import seats_of
from hall.desk.web.api import ExportedSide, TableMeasures, exported_round
from hall.event.model import BYE, Event, Pairing, Player, TableAssignment, TablePlace, remarks
from hall.event.parsing import MAX, Problem, UnreadableEvent, text_of
from hall.event.reading import contents_of, read_event
from hall.results.book import ResultBook
from hall.store.events import make_store, read_stored, round_of, set_round, write_event
from rules.side import BySide
from tests.examples import examples

CONFIG = """# an event
division a a.t
config event_name = 'Club; night'
config tables{'A'} = [11, 12..13]
perl {
  division b b.t; system("rm -rf /");
}
perl unlink "a.t"
"""
A = """Ångström, Bo:AA000001 1800 2 0 3; 400 50; board 2 0 1; p12 1 0 2; password secret
O'Neil, Ann              1700.5+2 1 3 4; 350 410; board 2 1 2; p12 2 1 3

# a comment
Lee, Kim                 1600 4 2 1; 1 2; board 1; team Red Sox
Roe, Di                  0 3 00 2; 5 6
"""
NEWT = """newt={"config":{"tables":{"A":[5,"6"]},},divisions:[{name:'a',maxr:1,players:[undefined,
{"id":1,"name":"Lee, \\u004bim",rating:1600,"scores":[300],"pairings":[2,0],"etc":{"board":[2],"p12":[2]}},
{"id":2,"name":7,"rating":0,"scores":[400],"pairings":[1],"etc":{"p12":[1]}},]}]};
"""


Files: TypeAlias = Mapping[str, str | bytes]


def outcome(files: Files, known: Event | None = None) -> Event | tuple[Problem, ...]:
    try:
        return read_event({name: text.encode() if isinstance(text, str) else text for name, text in files.items()}, known)
    except UnreadableEvent as error:
        return error.problems


def event(known: Event | None = None, **files: str | bytes) -> Event:
    """Read files whose names have ``_`` where theirs have a dot."""
    found = outcome({name.replace("_", "."): text for name, text in files.items()}, known)
    assert isinstance(found, Event), found
    return found


def test_tsh_gives_players_pairings_boards_tables_and_runs_nothing() -> None:
    found = event(config_tsh=CONFIG, a_t=A.encode("iso-8859-1"))
    assert (found.players[0], found.players[2].team) == (Player("A", 1, "Ångström, Bo", "1800", "AA000001"), "Red Sox")
    assert found.divisions == frozenset("A")
    assert found.round(1) == (Pairing("A", 1, 1, 2, True, 2, scores=(400, 350)), Pairing("A", 1, 3, 4, False, 1, scores=(1, 5)))
    assert found.round(2) == (Pairing("A", 2, 1, BYE, scores=(50, None)), Pairing("A", 2, 2, 3, True, 1, scores=(410, 2)))
    # Player 3 goes first in round 3: the other's list says "second".
    assert found.round(3)[1] == Pairing("A", 3, 3, 1, True, 1)
    assert ([found.table_of(each) for each in found.round(1)], "secret" in repr(found)) == ([12, 11], False)


def test_our_csv_comes_with_any_separator_line_end_and_encoding() -> None:
    players = "\ufeffdivision;number;name;rating\r\nA;1;Zoë;1500\r\nA;2;Max;\r\n"
    pairings = "Division,Round,Player1,Score1,Player2,Score2,Table\rA,1,zoë,400,2,390,7\rA,2,Max,50,bye,,\r"
    places: dict[str, Any] = {"boards_csv": "board\ttable\n1\t3\n", "floor_csv": "table,x,y\n7,0,40\n"}
    found = event(players_csv=players, a_pairings_csv=pairings.encode("iso-8859-1"), **places)
    assert found.players == (Player("A", 1, "Zoë", "1500"), Player("A", 2, "Max"))
    assert found.pairings == (Pairing("A", 1, 1, 2, True, table=7, scores=(400, 390)), Pairing("A", 2, 2, BYE, scores=(50, None)))
    assert (found.tables, found.floor) == ((TableAssignment("A", 1, 3),), (TablePlace(7, 0, 40),))


def test_a_later_file_replaces_only_what_it_has_and_one_with_problems_nothing() -> None:
    first = event(players_csv="name\nAnn\nBo\nCy\nDi\n", one_csv="round,player1,player2,table\n1,1,2,4\n1,3,4,5\n2,1,3,4\n")
    second = event(first, next_csv="round,player1,player2,table\n2,1,4,9\n")
    assert (second.players, second.round(1)) == (first.players, first.round(1))
    assert second.round(2) == (Pairing("A", 2, 1, 4, True, table=9),)
    # What contradicts an earlier import has the new file's line.
    half = event(p_csv="name,division\nAnn,A\nBo,A\nCy,B\nDi,B\n", q_csv="division,round,player1,player2,table\nA,1,1,2,4\n")
    at_table, spelt = "other pairing at table 4 in round 1, found A 1-2", 'other spelling of division A, found "a"'
    for known, file, said in [(half, "r.csv", at_table), (Event((Player("a", 1, "Ann"),)), "A.t", spelt)]:
        with pytest.raises(UnreadableEvent, match=re.escape(f"{file}, line 3: expected no {said} (imported earlier). ")):
            read_event({file: b"#\n\nAnn 1;" if file == "A.t" else b"division,round,player1,player2,table\n\nB,1,2,1,4\n"}, known)
    # Every problem has its line, and nothing is taken.
    players = "name,number,rating\nAnn,1,x\n,2,5\nBo,1,5\n"
    found = outcome({"players.csv": players, "p.csv": "round,player1,player2\n0,1,Eve\n", "floor.csv": "table,x,y\n0,1,-1\n"})
    assert isinstance(found, tuple)
    assert [each.line for each in found] == [3, 4, 2, 2, 2, 2]
    assert len(outcome({"a.t": "x\n" * 5000})) == 100  # type: ignore[arg-type]


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert len(contents_of([path])[str(path)]) == 8_000_001
    assert len(contents_of([Path("/dev/zero")])["/dev/zero"]) == 8_000_001


@pytest.mark.parametrize(
    "config", [b"division a a.t\n", b"\xef\xbb\xbfDivision a A.T\rconfig x=1", "division a é.t".encode(), b"division a \xe9.t", b"division a a b.t\r\n", b"encoding cp1250\ndivision a \xb3.t"]
)  # fmt: skip
def test_a_configuration_brings_its_divisions_from_beside_it(tmp_path: Path, config: bytes) -> None:
    (tmp_path / "CONFIG.TSH").write_bytes(config)
    for name in ("a.t", "é.t", "ł.t", "a b.t"):
        (tmp_path / name).write_text("Ann 1 0; 50\n")
    given = [tmp_path / "CONFIG.TSH", tmp_path / "." / ".." / tmp_path.name / "CONFIG.TSH"]
    assert read_event(contents_of(given)).players == (Player("A", 1, "Ann", "1"),)
    # A file that is given by another path besides has the path beside the configuration.
    assert next(iter(contents_of([tmp_path / ".." / tmp_path.name / "a.t", given[0]]))) == str(given[0])
    with pytest.raises(UnreadableEvent) as raised:
        contents_of([tmp_path / "none.csv"])
    assert raised.value.problems[0].found == "no such file or directory"


TWO = "Ann 1500 2; 400; board 1\nBo 1400 1; 300; board 1\n"
JS = """{"config":{"tables":{}},"divisions":[{"name":"A","players":[undefined,
{"id":1,"name":"Ann","rating":1500,"pairings":[2],"scores":[400],"etc":{"board":[1]}},
{"id":2,"name":"Bo","rating":1400,"pairings":[1],"scores":[300],"etc":{"board":[1]}}]}]}"""
MARK = "\ufeff"
ARCHIVED = (
    f"config tables{{OPEN}} = [5]\n#begin_file name=A.T\n{TWO}#end_file name=A.T\n#begin_file name=\"'x y.t'\"\nCy 1 0; 50\n#end_file\n"
)


def packed(**files: str | bytes) -> bytes:
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(content := io.BytesIO(), "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("x_", "x/").replace("_", "."), text)
    return content.getvalue()


AS_TWO, AT_FIVE, PASSED = (["A Ann-Bo None", "2 players", "1 remarks"], ["A Ann-Bo 5", "2 players", "0 remarks"], ["A Ann-Bo None", "2 players", "2 remarks"])  # fmt: skip
CONFIGURED, TFILES = "division A a.t\nconfig tables", "division A a.t\nconfig tfile_encoding = "


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        *(({"tourney.js": f"{head}{JS}{tail}"}, AS_TWO) for head, tail in [("", ""), ("// a\n/* b */ newt = ", ";\n// c"), ("window.newt=", ""), ('"use strict";\nexport const newt=/**/', ";")]),
        ({"tourney.js": NEWT}, ["A 7-Lee, Kim 6", "A Lee, Kim-0 None", *AT_FIVE[1:]]),
        ({"event.json": JS.replace("undefined", "null")}, AS_TWO),
        ({"A.T": TWO}, AS_TWO),
        ({"a.t": MARK * 2 + TWO.replace("\n", "\r" + MARK)}, AS_TWO),
        *(({name: f"{MARK}{word} A {said}\rconfig tables{{a}}=[5]", "A.T": TWO}, AT_FIVE) for name, word, said in [("config.tsh", "division", "a.t"), ("CONFIG.TSH", "Division", ".\\a.t"), ("config.tsh", "DIVISION", "./A.t ")]),
        ({"config.tsh": "division A my file.t", "my file.t": TWO}, AS_TWO),
        ({"config.tsh": "division A-1 a.t\nconfig tables = [5]", "a.t": TWO}, ["A1 Ann-Bo 5", *AT_FIVE[1:]]),
        ({"event.txt": f"# tsh archive file\ndivision Open a.t\nDivision b 'x y.t'\n{ARCHIVED}"}, ["B Cy-0 None", "OPEN Ann-Bo 5", "3 players", "0 remarks"]),
        ({"event.zip": packed(config_tsh="division A a.t\nperl $x = '{'\nconfig tables{A}=[5]", a_t=TWO)}, AT_FIVE),
        ({"event.zip": packed(a_t=TWO, note_doc="x")}, PASSED),
        ({"config.tsh": f"{CONFIGURED}{{A}} = [0..5]", "a.t": TWO}, [*AS_TWO]),
        *(({"config.tsh": f"{CONFIGURED}{{A}} = {value}", "a.t": TWO}, AT_FIVE) for value in ["[5]", "['5','6'] ;", "[qw/5 6/]", '["5".."7",]', "[9]\nCONFIG tables{'a'} = [5]"]),
        *(({"config.tsh": CONFIGURED + value, "a.t": TWO}, PASSED) for value in ["{A} = ['A1']", "{A} = [map {$_} 5]", "{A} = [1..999999]", "{B} = [5]"]),
        *(({"tourney.js": JS.replace('"tables":{}', f'"tables":{said}')}, PASSED) for said in ['{"A":["A1"]}', "[5]"]),
        ({"config.tsh": CONFIGURED + "{A} = [7]", "a.t": TWO, "boards.csv": "division,board,table\na,1,5\n"}, AT_FIVE),
        ({"z.js": JS.replace('"tables":{}', '"tables":{"A":[7]}'), "a.csv": "board,table\n1,5\n"}, AT_FIVE),
        ({"a.t": "Ann 1437+21 2 2 0; 400 # 9999; board 1".replace("#", "00") + " # c; # 12\nBo 1 1 1; 300 9999; board -; p12 1.5\n"}, [*AS_TWO[:1], "A Ann-Bo None", "A Ann-0 None", *AS_TWO[1:]]),
        ({"a.t": "Ann 1500 2 00; 400 390 380\nBo 1400 1; 300\n"}, [*AS_TWO[:2], "3 remarks"]),
        ({"p.csv": "name,member\nAnn,AA000001\nAnn,AA000002\n", "q.csv": "division,round,player1,player2,table\na,1,AA000002,ann:AA000001,5\n"}, ["A Ann-Ann 5", *AT_FIVE[1:]]),
        ({"p.csv": "name\n'=Ann\nBo\n", "q.csv": "round,player1,player2,table\n1,'=Ann,Bo,5\n"}, ["A =Ann-Bo 5", *AT_FIVE[1:]]),
        ({"a.txt": f"#division a # open\n{TWO}"}, AS_TWO),
        ({"a.t": b"Pat O\x92Neil 1; \nZo\xc3\xab 1\nZo\xeb X 1\n"}, ["3 players", "0 remarks"]),
        *(({"config.tsh": f"{TFILES}{said}", "a.t": TWO.replace("Ann", "Łąć").encode(codec)}, ["A Łąć-Bo None", *AS_TWO[1:]]) for said, codec in [("'windows-1250';", "cp1250"), ('"CP1250";\rconfig realm = "thai"', "cp1250"), ("'iso-8859-2'", "latin2"), ("'isolatin2'", "latin2"), ("'utf8'", "utf-8-sig"), ("'cp1250'", "utf-8-sig"), ("undef", "utf-8")]),
        *(({"config.tsh": f"{said}division A a.t\n", "a.t": TWO.replace("Ann", "สม").encode(codec)}, ["A สม-Bo None", *AS_TWO[1:]]) for said, codec in [("config realm = 'Thai'\n", "cp874"), ("config realm = 'pol'\n", "utf-8")]),
        ({"e.txt": b"encoding cp1250\ndivision A a.t\n#begin_file name=a.t\n\xb3 1 2; ; board 1\nBo 1 1; ; board 1\n#end_file"}, ["A ł-Bo None", *AS_TWO[1:]]),
        *(({"config.tsh": f"{TFILES}{said}", "a.t": TWO}, f"config.tsh, line 2: expected an encoding such as 'utf8', 'iso-8859-2' or 'windows-1250', found \"{said}\". Save the .t files") for said in ["'klingon'", "utf8", "'utf-16'", "'cp37'", "'rot13'", "q(utf8)"]),
        *(({"config.tsh": f"{TFILES}'{codec}'", "a.t": b"Ann 1;\r\n" + bytes([byte]) + b" 1;\n"}, f"a.t, line 2: expected text in {codec}, as its configuration says, found the byte {byte:02X}. Save the file in that encoding, or correct the configuration.") for codec, byte in [("utf-8", 0xB3), ("iso8859-2", 0x85), ("cp874", 0xFF)]),
        ({"prizes.csv": "prize#,division,player,name\n1,A,9,Ann (#9) 4-0\n"}, "prizes.csv, line 1: expected players, pairings, boards or a floor plan, found a list of prizes. Leave this file out."),
        ({"p.csv": "name,member\nAnn,1\nAnn,1\n"}, 'p.csv, line 3: expected each player once in division A, found "Ann". Delete the line; of two people of one name write the numbers.'),
        *(({"p.csv": text}, f"p.csv{said}") for text, said in [("name,rating\nLee, Ann,1500\n", ", line 2: expected at most 2 cells, found 3. Put a text with the separator"), ("board,table,round\n1,5,1\n", ", line 1: expected one of these sets of columns: player1, player2, round;"), ("name\n", ": expected at least one line below the names of the columns, found none."), ('name\n"Lee, Ann" (1)\n', """, line 2: expected a table as CSV, found ',' expected after '"'. Close the quotation mark, or double one that is within a text.""")]),
        ({"a.t": "Ann 1;\nAnn 2;\n", "q.csv": "round,player1,player2\n1,Ann,\n"}, 'q.csv, line 2: expected a player of division A, by name or number, found "Ann", which are players 1, 2. Write the player\'s number.'),
        ({"p.csv": 'name\nAnn\n"Bye, Kristian"\n', "q.csv": 'round,player1,player2,table\n1,Ann,"bye, kristian",5\n2,Ann,\n'}, ["A Ann-Bye, Kristian 5", "A Ann-0 None", *AT_FIVE[1:]]),
        *(({"a.t": f"Ann 1;\n{name} 2;\n", "q.csv": "round,player1,player2\n1,Ann,BYE\n"}, f'q.csv, line 2: expected a bye, or player 2 ("{name}"), found "bye", which may be either. Leave player2 empty for a bye') for name in ["Bye, Kristian", "Ann Bye"]),
        ({"a.t": "Ann 1;\nBye 0;\n", "q.csv": "round,player1,player2\n1,Ann,BYE\n"}, ["A Ann-0 None", "2 players", "0 remarks"]),
        ({"a.t": TWO, "q.csv": "round,player1,player2,table\n1,1,2,7\n1,2,1,8\n"}, "q.csv, line 3: expected each player of division A once in round 1, found player 2 again (line 2), player 1 again (line 2). Delete one of the lines, or correct it."),
        ({"a.t": TWO, "q.csv": "division,board,table\nB,1,5\n"}, 'q.csv, line 2: expected a division with players, found "B". Import its players first'),
        ({"a.t": TWO, "t.js": JS}, 't.js: expected the pairings of division A in round 1 in one file, found them in "a.t" too. Leave one of the files out.'),
        ({"a.t": "An\u200bn 1;\n"}, 'a.t, line 1: expected a name of 1 to 100 printable characters, found "An<U+200B>n".'),
        ({"a.t": "Ann 1 2; 4OO # late\nBo 1 1; 3\n"}, 'a.t, line 1: expected at most 200 scores from -99999 to 99999, found "4OO".'),
        *(({"a.t": f"Ann 1500{said}\nBo 1400 1;#\n"}, expected) for said, expected in [(" 2 # for 3", AS_TWO), (" 2 #late", AS_TWO), (" 2; 400 # late", AS_TWO), (" 2; 400# 3; 4", PASSED), (" # 2; 400", "a.t, line 2: expected that players 2 and 1 meet in round 1, found that player 1 has no opponent.")]),
        ({"a.t": "Ann 7 #1 1500 2; 4 # 5; team #\nBo 1400 1; 3; team Red # Sox\n"}, ["A Ann 7 #1-Bo None", *PASSED[1:]]),
        ({"config.tsh": "divison A a.t"}, 'config.tsh, line 1: expected a line of TSH, such as: division A a.t, found "divison A a.t". Correct it, or put # in front of it.'),
        ({"config.tsh": "division A a.t\nDivision B A.T", "a.t": TWO}, "config.tsh, line 2: expected each division and each file once"),
        ({"config.tsh": "division A a.t\nperl {\ndivision B b.t", "a.t": TWO}, "config.tsh, line 2: expected the brace that closes this block of Perl, found none. Close the block, or delete it."),
        ({"e.txt": "division A a.t\n#begin_file name=a.t\nAnn x\n#end_file\n"}, 'e.txt/a.t, line 3: expected name, rating, opponents; scores, found "Ann x".'),
        ({"e.txt": "division A a.t\n#begin_file name=a.t\nAnn 1"}, "e.txt, line 2: expected #end_file name=a.t after it, found none."),
        ({"e.zip": b"PK\x03\x04"}, "e.zip: expected a whole zip, packed by deflate and without a password, found a damaged or another one. Unpack it, and import its files."),
        *(({"e.zip": packed(**held)}, f"e.zip: expected {said}") for held, said in [({"x_doc": "x"}, "1 to 200 files of an event in it, of 8 MB at most, found none."), ({"p_csv": "name\nAnn", "p.csv": "name\nBo"}, "each file in it once, found two of one name.")]),
        *(({"t.js": f"newt={text};"}, f"t.js, line {said}.") for text, said in [(JS + ";\n\nnewt={}", '5: expected newt={...}, found "newt"'), (JS.replace("undefined,", "undefined,7,"), '1: expected players with an id from 1 to 10000, found "7"'), (JS.replace('"Bo",', '"Bo","name":"Di",'), '3: expected each key of an object once, found "name"'), ('{"divisions":[{"players":[]}]}', "1: expected at least one player, found none. Leave this file out")]),
        ({"a.t": "Ann 1 2; 0\nBo 1 3; 0\nCy 1 2 9; 0\n"}, "a.t, line 1: expected that players 1 and 2 meet in round 1, found that player 2 has player 3."),
        ({"t.js": JS.replace('"pairings":[2]', '"pairings":[1]')}, "t.js, line 2: expected another player as the opponent of player 1 in round 1, found this player. Write 0 for a bye, or correct it."),
        ({"t.js": JS.replace('"pairings":[2]', '"pairings":[-1]')}, 't.js, line 2: expected at most 200 opponents from 0 to 10000, found "-1".'),
        *(({"p.csv": "name,division\nAnn,A\nBo,A\nCy,B\nDi,B\n", "q.csv": "round,player1,player2,table,division\n1,1,2,4,A\n" + same, "r.csv": "round,player1,player2,table,division\n1,1,2,4,B\n"}, said) for same, said in [("", "r.csv, line 2: expected no other pairing at table 4 in round 1, found A 1-2 (q.csv, line 2). Correct one of them, and import both files together."), ("1,1,2,4,B\n", "q.csv, line 3: expected each table once in round 1, found table 4 again (line 2).")]),
        ({"p.csv": "name,division\nAnn,A-1\nBo,A-1\nAnn,A1\nBo,A1\n", "q.csv": "round,division,player1,player2,board,judge\n1,a-1,1,2,3\n1,A1,Bo,Ann,3\n", "b.csv": "division,board,table\nA-1,3,5\nA1,3,6\n"}, ["A-1 Ann-Bo 5", "A1 Bo-Ann 6", "4 players", "1 remarks"]),
        *(({f"{name}.csv": content}, f"{name}.csv: expected at most {said}, found more.") for name, content, said in [("big", b"name\n" + b"a" * 8_000_000, "8 MB"), ("long", b"\n" * 200_000, "100000 lines")]),
        ({"wide.csv": "name\nAnn\n".encode("utf-16")}, "wide.csv: expected text in UTF-8 or Windows-1252, found UTF-16. Save it as UTF-8."),
        ({"picture.csv": b"\x89PNG\x00\x01"}, "picture.csv: expected text, found a file of another kind."),
        ({"players.xlsx": b"PK"}, "players.xlsx: expected config.tsh, *.t, *.js, *.json, *.csv, *.tsv, *.txt or *.zip, found another ending."),
        ({"empty.csv": b""}, "empty.csv, line 1: expected one of these sets of columns: player1, player2, round; table, x, y; board, table; name, found nothing."),
        ({"players.csv": b"division,name\n" + b"A" * 99 + b",Ann\n"}, "players.csv, line 2: expected a division of 1 to 20 printable characters"),
        ({"results.txt": b"\n"}, "results.txt: expected #division A, then one player a line, found none."),
        *(({f"{name}.js": text}, f"{name}.js, line 1: expected {said}.") for name, text, said in [("deep", b"newt=" + b"[" * 100_000, "at most 60 levels, found more"), ("digits", b"newt=[" + b"9" * 10_000 + b"]", "newt={config, divisions}, found no divisions")]),
        ({"evil.js": b"\n// newt\nalert(" + b"1" * 53 + b")"}, f'evil.js, line 3: expected newt={{...}}, found "alert({"1" * 53})"'),
        ({"config.tsh": b"division a ../../../etc/passwd\n"}, "config.tsh, line 1: expected the file of division A beside config.tsh"),
    ],
)  # fmt: skip
def test_what_programs_of_organisers_write_is_read_or_refused_with_file_line_and_what_to_do(
    files: Files, expected: list[str] | str
) -> None:
    found = outcome(files)
    if isinstance(found, tuple):
        assert found[0].sentence.startswith(str(expected))
        return
    names = {(each.division, each.number): each.name for each in found.players}
    pairs = [(each.division, names[each.division, each.first], names.get((each.division, each.second), 0), found.table_of(each)) for each in found.pairings]  # fmt: skip
    assert [*("{} {}-{} {}".format(*each) for each in pairs), f"{len(names)} players", f"{len(remarks(found))} remarks"] == expected


REPORT = "*M13.10.2019 Club night\n*A\nAnn Smith  2 405 +1 380\n*** END OF FILE ***\n"
GIVEN_AS = "expected players or pairings, found"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        *(({name: REPORT}, f"{name}, line 1: {GIVEN_AS} a report for ratings (TOU). Import the files that its program keeps: TSH's, tourney.js or CSV.") for name in ("event.tou", "a.t", "r.txt", "p.csv")),
        *(({name: f"# mine\n{first}\n"}, f"{name}, line 2: {GIVEN_AS} a configuration of TSH. Call it config.tsh, and import it with its .t files.") for name, first in [("a.t", "division A a.t"), ("config.txt", "config max_rounds = 7"), ("c.csv", "config x = 1, 2")]),
        ({"config.tsh": "division A lists/", "a.t": TWO}, 'config.tsh, line 1: expected the file of division A beside config.tsh, found the folder "lists/" without the name of a file. Write the name of the file, and put it beside.'),
        *(({"e.zip": packed(**{f"x_{at}/{name}_{kind}": "x" for at in "ab"})}, f'e.zip: expected one event in it, found 2, such as "x/a/{name}.{kind}" and "x/b/{name}.{kind}". Unpack it, and import the files of one.') for name, kind in [("config", "tsh"), ("tourney", "js")]),
        ({"p.csv": "name\nAnn\n", "q.csv": "round,player1,player2\n1,Ann,1\n"}, "q.csv, line 2: expected two different players, found"),
    ],
)  # fmt: skip
def test_a_file_that_is_something_else_is_called_that_with_what_to_do(files: Files, said: str) -> None:
    found = outcome(files)
    assert isinstance(found, tuple)
    assert [each.sentence for each in found if not each.sentence.startswith(said)] == []


def test_older_configurations_that_tsh_keeps_in_a_folder_beside_are_passed_over(tmp_path: Path) -> None:
    found = event(
        event_zip=packed(
            x_config_tsh="division A a.t", x_a_t=TWO, **{"x_old/1575.tsh": "division B b.t", "x_index.html": "", "x_logo.png": ""}
        )
    )
    assert (found.divisions, found.passed) == (
        frozenset("A"),
        (
            'event.zip: these files are passed over, because only those beside the configuration are read: "x/old/1575.tsh".',
            'event.zip: these files are passed over, because no file of an event ends so: "x/index.html", "x/logo.png".',
        ),
    )
    with pytest.raises(
        UnreadableEvent,
        match=re.escape(f"{tmp_path}: expected a file, found a folder. Name the file in it, such as {tmp_path}/config.tsh."),
    ):
        contents_of([tmp_path])


def test_what_two_players_lists_say_differently_is_open_and_named() -> None:
    lists = "Ann 1 2 2; ; board 5 3; p12 1 2\n\nBo 1 1 1; ; board 6; p12 1 2\nCy 1 4; ; board 2; p12 2\nDi 1 3; ; p12 1\n"
    found = event(a_t=lists)
    assert found.pairings == (Pairing("A", 1, 1, 2), Pairing("A", 1, 4, 3, True, 2), Pairing("A", 2, 1, 2, board=3))
    both = "a.t, line 1: players 1 and 2 (line 3)"
    assert found.passed == (
        f"{both} have different boards in round 1, 5 / 6: this pairing has none.",
        f"{both} both go first in round 1: who goes first is open.",
        f"{both} both go second in round 2: who goes first is open.",
    )


KEEP = "passed over. Boards keep the tables of an earlier import; a boards CSV can say them."
LABELS = "no plain numbers from 1 to 999"


@pytest.mark.parametrize(
    ("lines", "tables", "said"),
    [
        # A later line replaces all tables, those of a division, or that of a board; what is emptied has none.
        ("{A} = [3,4]\nconfig tables = {A=>[5..6], B=>[qw(7)]}", {"A": [5, 6], "B": [7]}, ""),
        ('{A} = [3,4]\nconfig tables = {"A",[5,6],"B",[7]};', {"A": [5, 6], "B": [7]}, ""),
        ("{'A'} = [3,4]\nconfig tables{a}[1] = 9 ;", {"A": [3, 9]}, ""),
        ("{A} = [(3,4),(8..9)]\nconfig tables{B} = [undef, 0, 7]", {"A": [3, 4, 8, 9], "B": [0, 0, 7]}, ""),
        ("{A} = [3,4]\nconfig tables{B} = [7]\nconfig tables{A} = []", {"B": [7]}, ""),
        ("{A} = [3,4]\nconfig tables{A} = undef", {}, ""),
        *(("{A} = [3,4]\nconfig tables = " + said, {}, "") for said in ["{}", "undef;", "[]"]),
        # TSH numbers the tables itself.
        ("{A} = [3,4]\nconfig table_method = 'consecutive'", {"A": [1, 2], "B": [3]}, "line 3: the tables are passed over: as in TSH, their numbers go on from division to division."),
        ("{A} = [3,4]\nconfig realm = 'ABSP'\nconfig table_method = undef", {"A": [3, 4]}, ""),
        ("{A} = [3,4]\nconfig table_method = $x", {"A": [3, 4]}, 'line 4: only Perl knows the value "$x", which is passed over: the lines with tables stand.'),
        # What is passed over is named, with what stands.
        ("{A} = [3,4]\nconfig tables{A} = [map { $_+1 } 1..4]", {}, f'line 4: the tables of division A are {LABELS} ("[map {{ $_+1 }} 1..4]") and are {KEEP}'),
        ("{A} = [3,4]\nconfig tables = {A=>[map {$_} 3]}\nconfig tables{B}=[7]", {"B": [7]}, f'line 4: the tables of division A are {LABELS} ("{{A=>[map {{$_}} 3]}}") and are {KEEP}'),
        ("{A} = [3,4]\nconfig tables{A}[1] = $x", {}, f'line 4: the tables of division A are {LABELS} ("3, $x") and are {KEEP}'),
        ("{A} = [3,4]\nconfig tables{a}[1] = 9 # moved", {}, f'line 4: the tables of division A are {LABELS} ("3, 9 # moved") and are {KEEP}'),
        ("{A} = [3,4]\nconfig tables{A} = [5, qw(6]]", {}, f'line 4: the tables of division A are {LABELS} ("[5, qw(6]]") and are {KEEP}'),
        ("{A} = [3,4]\nconfig tables = {A=>[5], b=>[7]}", {"A": [5]}, 'line 4: the tables of division "b" are passed over: config.tsh has no such division.'),
        ("= {A=>[map {$_} 3]}\nconfig tables{A}[1] = 9", {}, "line 4: this line is passed over, because it does not fit the lines before it: what the other lines say of tables stands."),
        ("{A} = [3,4]\nconfig tables{$x} = [1]", {"A": [3, 4]}, "line 4: this line is passed over, because only Perl knows what it names: what the other lines say of tables stands."),
        ("{A} = [3,4]\nconfig tables{c} = [1]", {"A": [3, 4]}, 'line 4: the tables of division "C" are passed over: config.tsh has no such division.'),
        ("{A} = [3,4]\nconfig tables = [1..3]", {}, f"line 4: one list of tables for the divisions A, B is passed over, as by TSH{KEEP[11:]}"),
        ("= [1..3]\nconfig tables{A} = [3,4]", {}, "line 4: this line is passed over, because it does not fit the lines before it: what the other lines say of tables stands."),
        ("{A} = [3,4]\nperl $this->{tables}{A} = [5];", {"A": [3, 4]}, "line 4: this line of Perl is passed over: what the lines of TSH say of tables and divisions stands."),
    ],
)  # fmt: skip
def test_a_later_line_of_tables_counts_as_in_tsh_or_is_named_with_what_stands(
    lines: str, tables: Mapping[str, list[int]], said: str
) -> None:
    config = f"division a a.t\ndivision b b.t\nconfig tables{lines}\n"
    files: dict[str, Any] = {"config_tsh": config, "a_t": "P 1;\n" * 4, "b_t": "P 1;\n" * 3}
    found = event(**files)
    assert {(each.division, each.board): each.table for each in found.tables} == {(division, board): table for division, numbers in tables.items() for board, table in enumerate(numbers, 1) if table}  # fmt: skip
    assert found.passed[:1] == ((f"config.tsh, {said}",) if said else ())
    # What is passed over leaves the tables that were there; what is emptied does not.
    again = event(event(config_tsh=config.partition("config")[0] + "config tables{A} = [11]", a_t=files["a_t"], b_t=files["b_t"]), **files)
    assert again.tables == (found.tables if KEEP[11:] not in "".join(found.passed) else (TableAssignment("A", 1, 11), *found.tables))


def test_the_only_division_may_have_one_list_and_only_what_tsh_takes_is_a_setting() -> None:
    found = event(config_tsh="division a a.t\nconfig tables = [1..3]\nconfig tables[1] = 9\nconfig Tables = [5]", a_t="P 1;\n" * 4)
    assert [each.table for each in found.tables] == [1, 9, 3]
    found = event(config_tsh="division a a.t\nconfig tfile_encoding = 'none'\nconfig tfile_encoding = 'utf8'", a_t="P 1;\n")
    assert (found.passed, len(found.players)) == ((), 1)
    for line in ("config tables", "config tables{A} [5]", "config max_rounds 3"):
        refused = outcome({"config.tsh": f"division a a.t\n{line}", "a.t": "P 1;\n"})
        assert isinstance(refused, tuple)
        assert refused[0].sentence.startswith(f'config.tsh, line 2: expected a line of TSH, such as: division A a.t, found "{line}".')


def test_boards_that_share_a_table_and_long_names_are_imported_and_told() -> None:
    name = "Adams, Ann & Baker, Bo (School of the Fields)"
    lines = f"{name} 1 2; ; board 1\nBo 1 1; ; board 1\nCy 1 4; ; board 2\nDi 1 3; ; board 2\n"
    found = event(config_tsh=f"{CONFIGURED}{{A}} = [1,1,2]", a_t=lines)
    assert remarks(found) == [
        "Table 1 is that of several boards (A 1, A 2): no clock gets their names. A boards CSV can give each a table of its own.",
        "2 pairings have no table: import boards, or pairings with their tables.",
        f'Division A, player 1: clocks show "Adams, Ann & Baker, Bo (School of the..." for "{name}".',
    ]
    found = event(found, boards_csv="board,table\n1,1\n2,2\n", next_csv=f'round,player1,player2\n2,"{name}",Cy\n')
    seats = seats_of(found, 1)
    assert (seats[1].names.left, seats[2].names.left, len(remarks(found))) == ("Adams, Ann & Baker, Bo (School of the...", "Cy", 2)
    sides = BySide(ExportedSide(name=seats[1].names.left, used_ms=7), ExportedSide(name="Bo", used_ms=9))
    exported = exported_round("h", found, ResultBook(), 1, {1: TableMeasures(1, True, "", sides)}).games[0]
    assert [(each.name, each.used_ms) for each in exported.players] == [(name, 7), ("Bo", 9)]


def test_a_boards_csv_decides_until_another_one_and_a_stored_event_keeps_that(tmp_path: Path) -> None:
    place = tmp_path / "hall.db"
    make_store(place)
    sevens = {"tourney_js": JS.replace('"tables":{}', '"tables":{"A":[7]}')}
    for files, table in [(sevens, 7), ({"b_csv": "board,table\n1,5\n"}, 5), (sevens, 5), ({"b_csv": "board,table\n1,6\n"}, 6)]:
        write_event(place, "h", event(read_stored(place, "h").event, **files))
        found = read_stored(place, "h").event
        assert (found.table_of(found.pairings[0]), len(found.tables)) == (table, 1)
    said = "its tables of division A are passed over, because a boards CSV has said them"
    assert any(said in each for each in remarks(event(found, **sevens)))
    # Scores, boards and who goes first are kept as they were read.
    write_event(place, "h", stored := event(a_t="Ann 1 2; 400; board 3; p12 2\nBo 1 1; 350; board 3; p12 1\n"))
    assert read_stored(place, "h").event.pairings == stored.pairings
    assert stored.pairings[0].scores == (350, 400)


def test_the_current_round_is_the_first_open_one_of_all_divisions(tmp_path: Path) -> None:
    place = tmp_path / "hall.db"
    make_store(place)

    def after(a: str, b: str) -> int:
        """Import two divisions, each a word of rounds: ``s`` scored, ``h`` half, ``o`` open."""
        codes = [{"s": "400", "h": "400", "o": "00"}, {"s": "3", "h": "00", "o": "00"}]
        texts = ["".join(f"P 1 {f'{2 - at} ' * len(word)}; {' '.join(code[each] for each in word)}\n" for at, code in enumerate(codes)) for word in (a, b)]  # fmt: skip
        return write_event(place, "h", event(read_stored(place, "h").event, a_t=texts[0], b_t=texts[1]))

    imports = [("sss", "s"), ("sssh", "so"), ("ssss", "ss"), ("sssso", "sso"), ("sssso", "sss"), ("sssss", "ssso")]
    assert [after(*each) for each in imports] == [1, 2, 2, 3, 5, 4]
    # What had its scores stays over, also when a file comes without them; a director's choice stays.
    assert after("sssoo", "sss") == 4
    set_round(place, "h", 5)
    assert after("sssso", "ssso") == 5


def test_tables_that_go_on_from_division_to_division_end_with_the_last_number_of_a_table() -> None:
    config = "division a a.t\ndivision b b.t\nconfig table_method = 'consecutive'\n"
    found = event(config_tsh=config, a_t="P 1;\n" * 1990, b_t="P 1;\n" * 20)
    assert found.tables[-1] == TableAssignment("B", 4, 999)


WRITTEN_RATINGS = "1500 111121312 1437+21 1700.5 0 1500P (1500) 1500? ~1490 1,500 1500/12 - -- ? unr Unrated n/a NC"


@pytest.mark.parametrize("rating", WRITTEN_RATINGS.split())
def test_any_text_is_a_rating_in_every_format_and_refuses_nobody(rating: str, tmp_path: Path) -> None:
    csv_text = f'name,number,rating\n"Lee, Ann",1,"{rating}"\nBo,2,\n'
    script = JS.replace("1500", f'"{rating}"').replace('"Ann"', '"Lee, Ann"')
    lines = [f"Lee, Ann {rating} {rounds}\nBo {rating} 1 1; 300\n" for rounds in ("2 2; 400", "2 2", "2 2;; board 1")]
    files = [*({"a.t": each} for each in lines), {"r.txt": f"#division A\n{lines[0]}"}, {"t.js": script}, {"p.csv": csv_text}]
    for each in files:
        found = outcome(each)
        assert isinstance(found, Event), (each, found)
        assert [(player.name, player.rating) for player in found.players][:1] == [("Lee, Ann", rating)], each
        assert {(pairing.first, pairing.second) for pairing in found.pairings} == (set() if "p.csv" in each else {(1, 2)}), each
    make_store(tmp_path / "hall.db")
    write_event(tmp_path / "hall.db", "h", stored := event(p_csv=csv_text))
    assert read_stored(tmp_path / "hall.db", "h").event.players == stored.players


def test_what_tsh_takes_for_a_rating_stays_one_behind_a_name_that_ends_like_a_rating() -> None:
    found = event(a_t="Team 3000+ 0 2; 400\nBo 1400 1; 300\nClub - 120\n")
    assert event(a_t="77 1500 2; 400\nBo 1400 1; 300\n").players[0] == Player("A", 1, "77", "1500")
    assert [(each.name, each.rating) for each in found.players] == [("Team 3000+", "0"), ("Bo", "1400"), ("Club -", "120")]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a.t": "Ann 1 2 3 2x; 5\nBo 1 1 0 1; 5\nCy 1 0 1 0; 5\n"}, 'a.t, line 1: expected name, rating, opponents; scores, found "Ann 1 2 3 2x".'),
        ({"a.t": "Ann 1 2 2 0; 5 4OO\nBo 1 1 0 1; 5\n"}, 'a.t, line 1: expected at most 200 scores from -99999 to 99999, found "4OO".'),
        # TSH itself takes this for a player called Ann 1 2 x.
        ({"a.t": "Ann 1 2 x 2; 5\nBo 1 1 0 1; 5\nCy 1 0 1 0; 5\n"}, "a.t, line 2: expected that players 2 and 1 meet in round 1, found that player 1 has no opponent. Correct it."),
        ({"a.t": "Ann 1 1; 5\nBo 1 1; 5\n"}, "a.t, line 1: expected another player as the opponent of player 1 in round 1, found this player. Write 0 for a bye, or correct it."),
        ({"t.js": JS.replace('"id":1', '"id":"x"')}, 't.js, line 2: expected players with an id from 1 to 10000, found "x". Correct it.'),
    ],
)  # fmt: skip
def test_one_bad_field_of_a_player_brings_no_problem_with_the_opponents(files: Files, said: str) -> None:
    found = outcome(files)
    assert isinstance(found, tuple)
    assert [each.sentence for each in found] == [said]


LINE = re.compile(r"(.+?\S)\s+(\d+(?:[.+]\d+)*)\s*([\d\s]*);\s*([-\d\s]*)((?:;[^;]*)*)")
"""A player's line, as TSH itself takes it."""


def as_javascript(value: Any) -> str:
    """Return a value as TSH writes it: a text that looks like a number without quotes, ``00`` as undefined."""
    if isinstance(value, list):
        return f"[{','.join(map(as_javascript, value))}]"
    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{as_javascript(each)}' for key, each in value.items()) + "}"
    if value in {None, "00"} or re.fullmatch(r"-?(?:\d+|\d*\.\d+)", value):
        return "undefined" if value in {None, "00"} else str(value)
    return '"' + re.sub(r'(["\\\n])', r"\\\1", value) + '"'


def newt_of(text: str) -> str:
    """Return the players of a ``.t`` file as ``tourney.js``."""
    players: list[Any] = [None]
    for name, rating, opponents, scores, extras in (found.groups() for found in map(LINE.fullmatch, text.splitlines()) if found):
        etc: dict[str, Any] = {key: words for key, *words in map(str.split, extras.split(";")[1:])} | {"note": ["a\nb"]}
        rounds = {"pairings": opponents.split(), "scores": scores.split()}
        players.append({"id": str(len(players)), "name": re.sub(r",\s*", ", ", name), "rating": rating, "etc": etc, **rounds})
    return f"newt={as_javascript({'config': {'tables': {'A': ['3', '4', '5']}}, 'divisions': [{'name': 'A', 'players': players}]})};\n"


NAMES, RATINGS = ["Ann", "O'Neil,Bo", "Zoë", 'Di "x"', "L\\e", "Lee:AA000001"], ["1500", "0", "1437+21", "1700.5", "0+0+0"]
SCORES = st.lists(st.sampled_from(["400", "-5", "0", "00", "9999"]), max_size=3)
ROW = st.tuples(st.sampled_from(NAMES), st.sampled_from(RATINGS), SCORES, st.sampled_from(["", "Red Sox", "7"]))


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(ROW, min_size=6, max_size=6))
def test_both_forms_of_an_event_of_tsh_are_the_same_event(players: list[tuple[str, str, list[str], str]]) -> None:
    rounds = [f"{(at ^ 1) + 1} 0 {(at + 3) % 6 + 1}" for at in range(6)]
    lines = [f"{name} {rating} {rounds[at]}; {' '.join(scores)}; team {team}; excwins .5; note a b; board {at // 2 + 1} -; p12 {at % 2 + 1}\n" for at, (name, rating, scores, team) in enumerate(players)]  # fmt: skip
    script, config = event(tourney_js=newt_of("".join(lines))), event(config_tsh=f"{CONFIGURED}{{A}} = [3..5]", a_t="".join(lines))
    assert config == script
    assert (len(config.players), len(config.pairings), round_of(config)) == (6, 12, round_of(script))


TABLES = "config max_rounds = 3\nconfig tables{'A'} = [11, 12..13]\n"
FILES = int(os.environ.get("TILECLOCK_MUTATIONS", "1500"))
PIECES = [
    *(b";", b",", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"-1", b" 0", b" 00", b"9" * 30, b" # ", b"#"),
    *(b"undefined", b"\\u0000line", b"newt=", b"division a a.t\n", b"..", b"1e999", b"NaN", b"#division", b"\xe2\x80\xae", b"tables{'A'} = [1..999999]"),
    *(b"#begin_file name=a.t\n", b"#end_file\n", b"perl {\n", b"9999", b" 2", b"config", b"null", b"//", b"/*", b"\x92", b"Ann", b".5", b"team ", b"config tfile_encoding = 'cp1250'\n"),
]  # fmt: skip
SCRIPT = JS.replace("undefined", "null").replace("300", "9999").replace("1500", '"1437+21"')
LISTS = A.replace("4 2 1; 1 2; board 1", "4 2 1; 1 2 00; board 1")
PLAYERS = "division,number,name,rating\nA,1,Ann,1500\nA,2,Bo,\nA,3,Cy,\n"
SAMPLES = {
    "a.t": LISTS,
    "results.txt": f"#division A\n{LISTS}#division B\nSole 1 0; 50\n",
    "tourney.js": f"// by hand\nnewt={SCRIPT};\n",
    "players.csv": PLAYERS,
    "boards.csv": "board;table\n1;5\n2;6\n",
    "pairings.csv": "Division,Round,Player1,Score1,Player2,Score2,Table\nA,1,Ann,400,Bo,390,7\nA,1,3,50,bye,,\nA,2,2,,Cy,,7\n",
    "config.tsh": f"division a a.t\n{TABLES}perl {{\n  division b b.t\n}}\n",
    "event.zip": f"division a a.t\n{TABLES}",
    "event.txt": f"# tsh archive file\ndivision a a.t\n{TABLES}#begin_file name=a.t\n{LISTS}#end_file\n",
}
BESIDE = {key: {"players.csv": PLAYERS.encode()} for key in ("pairings.csv", "boards.csv")} | {"config.tsh": {"a.t": LISTS.encode()}}


def mutated(content: bytes, choose: random.Random) -> bytes:
    for _ in range(choose.randrange(5)):
        start = choose.randrange(len(content) + 1)
        end = min(len(content), start + choose.choice([0, 0, 1, 2, 12, 60]))
        middle = choose.choice([choose.choice(PIECES), b"", choose.randbytes(3), content[start:end] * 2])
        content = content[:start] + middle + content[end:]
    return content


def lists_of(text: str) -> tuple[int, int, int]:
    """Count players, opponents and scores of the lines of a ``.t`` file, as TSH's own expression has them."""
    lines = [each for each in map(str.strip, re.split(r"[\r\n]", text)) if each and not each.startswith("#")]
    lines = [re.sub(r"^([^;]*?\S\s+\d[\d.+]*\s*(?=#(\s|$|[^;]*[^;\s\d]\s*(;|$)))|[^;]*;[^;#]*)#.*", r"\1", each) for each in lines]
    # Before an opponent from 1 to 99, or none, other texts are a rating too.
    rating = r"\d+(?:[.+]\d+)*|(?:[^\w\s:#;]?(?:\d{3,}|\d,\d{3})[^\s;]*|[-?*]+)(?=\s+0*[1-9]\d?(?!\d)|\s*(?:;|$))"
    found = [re.fullmatch(rf"(.*?\S)\s+({rating})((?:\s+\d+)*)\s*(?:;([^;]*).*)?", each) for each in lines]
    words = [(each[3].split(), (each[4] or "").split()) for each in found if each]
    scores = sum(not re.fullmatch("00|0*9999", each) for _, own in words for each in own)
    return len(lines), sum(each != "00" for own, _ in words for each in own), scores


def counts(found: Event) -> tuple[int, int, int]:
    lost = sum("has no opponent and is passed over" in each for each in remarks(found))
    scores = sum(each is not None for pairing in found.pairings for each in pairing.scores)
    return len(found.players), sum(1 + (each.second != BYE) for each in found.pairings), scores + lost


def of_newt(text: str) -> tuple[int, int, int] | None:
    """Count by Python's own reader; None: only JavaScript reads it."""
    try:
        whole = json.loads(re.sub(r"^// by hand\s*newt=|;\s*$", "", text))
    except ValueError:
        return None
    players = [player for division in whole["divisions"] for player in division["players"] if player is not None]
    lists = [[each for each in player.get(key) or () if each not in {None, 9999}] for key in ("pairings", "scores") for player in players]
    half = len(players)
    return half, sum(map(len, lists[:half])), sum(map(len, lists[half:]))


def rows(text: str) -> int:
    separator = max(",;\t", key=text.lstrip("\r\n").partition("\n")[0].count)
    return sum(any(map(str.strip, row)) for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)) - 1


def is_whole(name: str, text: str, found: Event) -> bool:
    """Return whether an event has all that its file has, or a sentence about it."""
    if name in {"a.t", "results.txt", "tourney.js"}:
        return (of_newt(text) if name == "tourney.js" else lists_of(text)) in {None, counts(found)}
    if name.endswith(".csv"):
        return rows(text) == {"players.csv": len(found.players), "pairings.csv": len(found.pairings)}.get(name, len(found.tables))
    if name != "event.txt":
        return is_told(text, found, lists_of(LISTS))
    inner, lines = re.compile(r"(?ms)^[ \t]*#begin_file\b[^\n]*\bname=\S[^\n]*$(.*?)^[ \t]*#end_file\b"), re.sub(r"\r\n?", "\n", text)
    lists = lists_of("\n".join(inner.findall(lines)))
    return is_told(inner.sub("", lines), found, lists) or "no division names" in "".join(remarks(found))


EMPTY = re.compile(r"tables[^\r\n]*?=\s*(\[[\s,0']*\]|undef|\{\s*\}|\[\s*[2-9]\d*\s*\.\.\s*1?\d\b)")


def is_told(config: str, found: Event, lists: tuple[int, int, int]) -> bool:
    lines = [each.strip() for each in re.split(r"[\r\n]", re.sub(r"(?ms)^\s*perl[^\r\n]*\{\s*$.*?\}\s*?$", "", config))]
    tables = any(re.match(r"(?i:config)\s+tables\b", each) for each in lines)
    return counts(found) == lists and (
        not tables or bool(found.tables) or "passed over" in "".join(remarks(found)) or EMPTY.search(config) is not None
    )


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_spoiled_file_gives_all_that_it_has_or_says_what_is_wrong(name: str) -> None:
    read = refused = 0
    for number in range(-(-FILES // len(SAMPLES))):
        choose = random.Random(f"{name} {number}")  # noqa: S311 - no secret
        content = mutated(SAMPLES[name].encode(), choose) if number % 20 else choose.randbytes(number % 300)
        files: dict[str, bytes] = BESIDE.get(name, {}) | {name: content}
        if name == "event.zip":
            whole = packed(x_config_tsh=content, x_a_t=LISTS)
            # Every other one is spoiled as a whole.
            files = {name: mutated(whole, choose) if number % 2 else whole}
        found = outcome(files)
        if isinstance(found, tuple):
            refused += 1
            assert 0 < len(found) <= MAX * (len(files) + 1)
            for each in found:
                assert 0 <= each.line <= 1 + max(len(re.split(b"[\r\n]", part)) for part in files.values()), (number, each)
                assert each.sentence.isprintable(), (number, each)
        else:
            read += 1
            assert all(each.name.isprintable() for each in found.players)
            assert (name == "event.zip" and number % 2) or is_whole(name, text_of(name, content), found), (number, content, found)
    print(f"{name}: {read} read, {refused} refused")  # noqa: T201 - the count of a long run
    assert min(read, refused) > 0


def test_what_tsh_alone_knows_of_a_player_is_kept_but_no_password() -> None:
    told = "; rprov 3 400 350; off 50; penalty 0 -10; password secret; board 1 2; p12 1 2; team Red; note a\\;b c\\\\; empty"
    kept = "note a\\;b c\\\\; off 50; penalty 0 -10; rprov 3 400 350"
    found = event(a_t=f"Ann 1500 2 2; 400 410{told}\nBo 1400 1 1; 390 300\n")
    assert [each.extras for each in found.players] == [kept, ""]
    etc = {"off": [50], "penalty": [0, -10], "rprov": [3, 400, 350], "note": ["a;b c\\"], "password": ["secret"], "two words": [1]}
    script = f"newt={json.dumps({'divisions': [{'name': 'A', 'players': [None, {'id': 1, 'name': 'Ann', 'rating': 1500, 'etc': etc}]}]})};"
    assert event(tourney_js=script).players[0].extras == kept
