"""Organisers' files: what each format says, and every problem by its line."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hall.event.model import BYE, Event, FloorPlan, Pairing, Player, TableAssignment, TablePlace
from hall.event.parsing import MAX, Problem, UnreadableEvent
from hall.event.reading import contents_of, read_event
from tests.examples import examples

CONFIG = """# an event
division a a.t
config max_rounds = 3
config event_name = 'Club; night'
config tables{'A'} = [11, 12..13]
perl {
  division b b.t
  system("rm -rf /");
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


def problems(**files: str) -> list[tuple[int, str, str]]:
    with pytest.raises(UnreadableEvent) as raised:
        event(None, **files)
    return [(each.line, each.expected, each.found) for each in raised.value.problems]


def event(known: Event | None = None, **files: str | bytes) -> Event:
    """Read files whose names have ``_`` where theirs have a dot."""
    return read_event({name.replace("_", "."): text.encode() if isinstance(text, str) else text for name, text in files.items()}, known)


def test_tsh_gives_players_pairings_boards_tables_and_runs_nothing() -> None:
    found = event(config_tsh=CONFIG, a_t=A.encode("iso-8859-1"))
    assert (found.players[0], found.players[2].team) == (Player("A", 1, "Ångström, Bo", 1800, "AA000001"), "Red Sox")
    assert {each.division for each in found.players} == {"A"}
    assert found.round(1) == (Pairing("A", 1, 1, 2, True, 2, scores=(400, 350)), Pairing("A", 1, 3, 4, False, 1, scores=(1, 5)))
    assert found.round(2) == (Pairing("A", 2, 1, BYE, scores=(50, None)), Pairing("A", 2, 2, 3, True, 1, scores=(410, 2)))
    # Player 3 goes first in round 3: the other's list says "second".
    assert found.round(3)[1] == Pairing("A", 3, 3, 1, True, 1)
    assert [found.table_of(each) for each in found.round(1)] == [12, 11]
    assert "secret" not in repr(found)


def test_tourney_js_is_read_without_running_it() -> None:
    found = event(tourney_js=NEWT)
    assert found.players == (Player("A", 1, "Lee, Kim", 1600), Player("A", 2, "7", 0))
    assert found.pairings == (Pairing("A", 1, 2, 1, True, 2, scores=(400, 300)), Pairing("A", 2, 1, BYE))
    assert found.table_of(found.pairings[0]) == 6


def test_naspa_text_has_its_divisions() -> None:
    found = event(results_txt="#division A\nLast, First:AA000000 1800 2; 300\nTwo, B 5 1; 301\n#division B\nSolo, C 9 0; 50\n")
    assert [(each.division, each.name, each.member) for each in found.players] == [
        ("A", "Last, First", "AA000000"), ("A", "Two, B", ""), ("B", "Solo, C", ""),
    ]  # fmt: skip
    assert found.pairings == (Pairing("A", 1, 1, 2, scores=(300, 301)), Pairing("B", 1, 1, BYE, scores=(50, None)))


def test_our_csv_comes_with_any_separator_line_end_and_encoding() -> None:
    players = "\ufeffdivision;number;name;rating\r\nA;1;Zoë;1500\r\nA;2;Max;\r\n"
    pairings = "Division,Round,Player1,Score1,Player2,Score2,Table\rA,1,zoë,400,2,390,7\rA,2,Max,50,bye,,\r"
    places: dict[str, Any] = {"boards_csv": "board\ttable\n1\t3\n", "floor_csv": "table,x,y\n7,0,40\n"}
    found = event(players_csv=players, a_pairings_csv=pairings.encode("iso-8859-1"), **places)
    assert found.players == (Player("A", 1, "Zoë", 1500), Player("A", 2, "Max"))
    assert found.pairings == (Pairing("A", 1, 1, 2, True, table=7, scores=(400, 390)), Pairing("A", 2, 2, BYE, scores=(50, None)))
    assert (found.tables, found.floor) == ((TableAssignment("A", 1, 3),), FloorPlan((TablePlace(7, 0, 40),)))


def test_a_later_file_replaces_only_what_it_has() -> None:
    first = event(players_csv="name\nAnn\nBo\nCy\nDi\n", one_csv="round,player1,player2,table\n1,1,2,4\n1,3,4,5\n2,1,3,4\n")
    second = event(first, next_csv="round,player1,player2,table\n2,1,4,9\n")
    assert (second.players, second.round(1)) == (first.players, first.round(1))
    assert second.round(2) == (Pairing("A", 2, 1, 4, True, table=9),)


def test_every_problem_has_its_line_and_nothing_is_taken() -> None:
    assert problems(
        players_csv="name,number,rating\nAnn,1,x\n,2,5\nBo,1,5\nCy\x07,3,5\n",
        p_csv="round,player1,player2\n0,1,Eve\n",
        floor_csv="table,x,y\n0,1,-1\n",
    ) == [
        (2, "a table from 1 to 999", '"0"'),
        (2, "a place down from 0 to 9999", '"-1"'),
        (2, "a rating from 0 to 999999", '"x"'),
        (3, "a name of 1 to 40 printable characters", "nothing"),
        (4, "each player once in division A", "player 1"),
        (5, "a name of 1 to 40 printable characters", '"Cy"'),
        (2, "a round from 1 to 200", '"0"'),
        (2, "a player of division A, by name or number", '"Eve"'),
    ]


def test_pairings_that_contradict_each_other_are_named_on_both_lists() -> None:
    assert problems(a_t="Ann 1 2; 0\nBo 1 3; 0\nCy 1 2 9; 0\n") == [
        (1, "that players 1 and 2 meet in round 1", "that player 2 has player 3"),
        (3, "an opponent of round 2 among the players 1 to 3", "9"),
    ]
    assert problems(tourney_js='newt={"divisions":[{"name":"A","players":[null,\n{"id":1,"name":"Ann","pairings":[1]}]}]}') == [
        (2, "an opponent of round 1 among the players 1 to 1", "1")
    ]
    files = {"players_csv": "name\nAnn\nBo\nCy\nDi\n", "p_csv": "round,player1,player2,table\n1,1,2,4\n1,3,4,4\n"}
    assert problems(**files) == [(0, "one pairing at table 4 in round 1", "A 1-2, A 3-4")]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("big.csv", b"name\n" + b"a" * 8_000_000, "at most 8 MB"),
        ("long.csv", b"\n" * 200_000, "at most 100,000 lines"),
        ("wide.csv", "name\nAnn\n".encode("utf-16"), "text in UTF-8 or ISO-8859-1"),
        ("picture.csv", b"\x89PNG\x00\x01", "text"),
        ("players.xlsx", b"PK", "config.tsh, *.t, *.js, *.csv or *.txt"),
        ("empty.csv", b"", "one of these sets of columns: player1, player2, round; table, x, y; board, table; name"),
        ("players.csv", b"division,name\n" + b"A" * 99 + b",Ann\n", "a division of 1 to 20 printable characters"),
        ("results.txt", b"\n", "#division A, then one player a line"),
        ("evil.js", b"alert(1)", "newt={...};"),
        ("deep.js", b"newt=" + b"[" * 100_000, "at most 60 levels"),
        ("digits.js", b"newt=[" + b"9" * 10_000 + b"]", "numbers of at most 9 digits"),
        ("config.tsh", b"division a ../../../etc/passwd\n", "the file of division A beside config.tsh"),
    ],
)
def test_what_is_no_such_file_is_refused(name: str, content: bytes, expected: str) -> None:
    with pytest.raises(UnreadableEvent) as raised:
        read_event({name: content})
    assert [each.expected for each in raised.value.problems] == [expected]


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert len(contents_of([path])[str(path)]) == 8_000_001
    assert len(contents_of([Path("/dev/zero")])["/dev/zero"]) == 8_000_001


def test_a_configuration_brings_its_divisions_from_beside_it(tmp_path: Path) -> None:
    (tmp_path / "config.tsh").write_text("division a a.t\n")
    (tmp_path / "a.t").write_text("Ann 1 0; 50\n")
    assert read_event(contents_of([tmp_path / "config.tsh"])).players == (Player("A", 1, "Ann", 1),)
    with pytest.raises(UnreadableEvent) as raised:
        contents_of([tmp_path / "none.csv"])
    assert raised.value.problems[0].found == "no such file or directory"


def test_a_file_of_another_kind_has_at_most_a_hundred_problems_and_json_may_be_one_whole_line() -> None:
    assert len(problems(a_t="x\n" * 5000)) == 100
    players = [None, *({"id": number, "name": f"P{number}", "pairings": [0]} for number in range(1, 501))]
    text = "newt=" + json.dumps({"config": {}, "divisions": [{"name": "A", "players": players}]}) + ";\n"
    assert len(event(tourney_js=text).players) == 500


PLAYERS = "division,number,name,rating\nA,1,Ann,1500\nA,2,Bo,\n"
PAIRINGS = "Division,Round,Player1,Score1,Player2,Score2,Table\nA,1,Ann,400,Bo,390,7\n"
FLOOR = "table,x,y\n1,0,0\n2,10,0\n"
SAMPLES = {
    "config.tsh": CONFIG, "a.t": A, "tourney.js": NEWT, "results.txt": f"#division A\n{A}", "players.csv": PLAYERS, "pairings.csv": PAIRINGS, "floor.csv": FLOOR,
}  # fmt: skip
PIECES = st.sampled_from(
    [b";", b",", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"-1", b"0", b"00", b"9" * 30, b"9" * 5000,
     b"undefined", b"\\u0000line", b"newt=", b"division a a.t\n", b"..", b"1e999", b"NaN", b"#division", b"\xe2\x80\xae", b"<script>", b"tables{'A'} = [1..999999]"]
)  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn) -> dict[str, bytes]:
    files = {}
    for name in draw(st.lists(st.sampled_from(sorted(SAMPLES)), min_size=1, max_size=4, unique=True)):
        content = SAMPLES[name].encode()
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(content)))
            end = min(len(content), start + draw(st.integers(0, 12)))
            content = content[:start] + draw(PIECES | st.binary(max_size=8)) + content[end:]
        files[name] = content
    return files


def read(files: dict[str, bytes]) -> Event | tuple[Problem, ...]:
    try:
        return read_event(files)
    except UnreadableEvent as error:
        return error.problems


@settings(max_examples=examples(400), deadline=None)
@given(spoiled())
def test_spoiled_files_give_an_event_or_problems_with_their_lines(files: dict[str, bytes]) -> None:
    found = read(files)
    if isinstance(found, Event):
        assert all(player.name.isprintable() for player in found.players)
        return
    assert 0 < len(found) <= MAX * (len(files) + 1)
    for each in found:
        lines = len(files.get(each.file, b"").replace(b"\r", b"\n").split(b"\n"))
        assert 0 <= each.line <= lines
        assert each.sentence.isprintable()


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_under_any_name(name: str, content: bytes) -> None:
    assert read({name: content})
