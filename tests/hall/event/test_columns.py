"""Headings of organisers' tables: each synonym is read as its field, and what is not read is named."""

import pytest

from hall.event.model import Event, Pairing, Player, TableAssignment, TablePlace, remarks
from hall.event.parsing import UnreadableEvent
from hall.event.reading import read_event
from hall.event.table_files import HEADINGS

KNOWN = read_event({"p.csv": b"division,number,name,member\nB,3,Lee,\nB,4,Ann,\nB,5,Ann,\n"})


def read(text: str, name: str = "t.csv", known: Event | None = None) -> Event:
    return read_event({name: text.encode()}, known)


def problems(text: str, name: str = "t.csv", known: Event | None = None) -> list[str]:
    with pytest.raises(UnreadableEvent) as raised:
        read(text, name, known)
    return [each.sentence for each in raised.value.problems]


OF_A_PLAYER = {"division": "C", "number": "9", "rating": "77", "member": "M1", "team": "Reds"}
OF_A_PAIRING = {"round": "2", "division": "b", "board": "6", "table": "7", "score1": "-8", "score2": "9"}


@pytest.mark.parametrize("field", OF_A_PLAYER)
def test_each_heading_of_a_player_is_read_as_its_field(field: str) -> None:
    player = {"division": "A", "number": 1, "rating": "", "member": "", "team": ""}
    for heading in HEADINGS[field]:
        found = read(f"{heading},Name\n{OF_A_PLAYER[field]},Ann\n").players
        expected: dict[str, object] = player | {field: OF_A_PLAYER[field]} | ({"number": 9} if field == "number" else {})
        assert [{name: getattr(each, name) for name in expected} for each in found] == [expected], heading


@pytest.mark.parametrize("field", OF_A_PAIRING)
def test_each_heading_of_a_pairing_is_read_as_its_field(field: str) -> None:
    usual = {"division": "division", "round": "round", "table": "table", "board": "board", "score1": "score1", "score2": "score2"}
    for heading in HEADINGS[field]:
        row = {(heading if each == field else usual[each]): said for each, said in OF_A_PAIRING.items()}
        found = read(f"{','.join(row)},player1,player2\n{','.join(row.values())},Lee,4\n", known=KNOWN)
        assert found.pairings == (Pairing("B", 2, 3, 4, True, 6, 7, (-8, 9)),), heading


@pytest.mark.parametrize(("one", "two", "ordered"), [("player1", "player2", True), ("winner", "opponent", False)])
def test_each_heading_of_two_players_is_read_as_first_and_second_or_as_winner_and_opponent(one: str, two: str, *, ordered: bool) -> None:
    assert len(HEADINGS[two]) > 3
    for at in range(max(len(HEADINGS[one]), len(HEADINGS[two]))):
        pair = HEADINGS[one][at % len(HEADINGS[one])], HEADINGS[two][at % len(HEADINGS[two])]
        assert read(f"{pair[1]};{pair[0]};Div;Rd\n4;Lee;B;1\n", known=KNOWN).pairings == (Pairing("B", 1, 3, 4, ordered),), pair
    for which, field in (("1", "number1"), ("2", "number2")):
        for heading in HEADINGS[field]:
            other = "2" if which == "1" else "1"
            text = f"round,division,player {which},{heading},player {other}\n1,B,Ann,5,Lee\n"
            first, second = (5, 3) if which == "1" else (3, 5)
            assert read(text, known=KNOWN).pairings == (Pairing("B", 1, first, second, True),), heading


@pytest.mark.parametrize(
    ("head", "line", "name"),
    [
        *(("player name", "Ann Lee", "Ann Lee"), ("NOM_COMPLET", "Ann Lee", "Ann Lee"), ("username", "ann_7", "ann_7"), ("Joueur", "Ann Lee", "Ann Lee"), ("Nombre", "Ann", "Ann")),
        *((head, "Ann,Lee", "Lee, Ann") for head in ["First Name,Last Name", "Prénom,Nom", "Nombre,Apellidos"]),
        *((f"Player,{head}", "1,Lee,Ann", "Lee, Ann") for head in ["Surname,Given name", "NOM,PRE\u0301NOM", "Apellido,Nombre de pila"]),
        ("Player,Name,First name,Last name", "1,Ann Lee,Ann,Lee", "Ann Lee"),
        ("First name,Last name", ",Lee", "Lee"),
    ],
)  # fmt: skip
def test_a_name_is_whole_or_in_two_columns_and_never_the_players_number(head: str, line: str, name: str) -> None:
    assert [each.name for each in read(f"{head}\n{line}\n").players] == [name]


def test_a_list_that_calls_its_people_by_numbers_is_refused() -> None:
    said = 'found "1". Name the column of the names name, or correct it.'
    assert problems("Player,Club\n1,Reds\nBo,Reds\n") == [f"t.csv, line 2: expected a name with letters, {said}"]


SHEET = "Table,Player,#,Player,#,Score\n7,Lee,3,Ann,5,\n8,Ann,4,bye,,\n"


def test_rows_of_two_players_take_the_round_of_the_files_name_and_the_number_of_two_namesakes() -> None:
    text = SHEET.replace("Table,", "Section,Table,").replace("\n7", "\nb,7").replace("\n8", "\nB,8")
    for name in ("round-3.csv", "x.zip/B rd 03 (final).csv", "2026 ronda_3.csv", "R3.CSV"):
        found = read(text, name, KNOWN)
        assert found.pairings == (Pairing("B", 3, 3, 5, True, table=7), Pairing("B", 3, 4, 0, table=8)), name
    assert [each for each in remarks(found) if name in each] == [
        f'{name}, line 1: the column "Score" is passed over, because it does not say of which player it is.',
        f"{name}: by the file's name this is round 3.",
    ]
    for name in ("t.csv", "tour-2026.csv", "round-1-of-3 round 2.csv", "tourney3.csv"):
        assert problems(text, name, KNOWN) == [
            f"{name}: expected a column round, or a name of the file such as round-3.csv, found neither. Correct it."
        ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("t.csv", f'{sep}\r\nName;Club, "old";Rating\r\nLee;x;7\r\n') for sep in ("sep=;", '"SEP=;"', "\ufeffsep=;")),
        ("t.csv", "sep=|\nName|Rating\nLee|7\n"),
        ("t.csv", "sep=\t\n\nRating\tName\n7\tLee\n"),
        *((name, "Rating\tName, Club\tNAME\n7\tx\tLee\n") for name in ("t.tsv", "T.TXT")),
    ],
)  # fmt: skip
def test_a_table_is_read_with_the_separator_that_it_names_and_from_a_text_file(name: str, text: str) -> None:
    assert read(text, name).players == (Player("A", 1, "Lee", "7"),)


def test_lines_below_a_named_separator_keep_their_numbers() -> None:
    assert problems("sep=;\nname;number\nLee;3\nAnn;x\n") == [
        't.csv, line 4: expected a number from 1 to 10000 as number, found "x". Correct it.'
    ]


def test_columns_that_are_not_read_never_matter_and_are_named() -> None:
    text = f"Class,Rating,Email,Ratng,Name,email,Player Name,rating,Table,Notes\n2,1500,a@b.c,x,Ann,d@e.f,Ann Lee,1400,7,{'x' * 5000}\n"
    found = read(text)
    assert found.players == (Player("A", 1, "Ann", "1500"),)
    assert remarks(found) == [
        (
            't.csv, line 1: the columns "Class", "Email", "Ratng", "email", "Notes" are passed over, because no file of an event has a column of that name; '
            'the column "Player Name" is passed over, because "Name" is taken for the same; '
            'the column "rating" is passed over, because "Rating" is taken for the same; '
            'the column "Table" is passed over, because players have no such column.'
        )
    ]
    found, unknown = read("Name,Ratng,Judge\nAnn,7,x\n"), "because no file of an event has a column of that name"
    assert remarks(found) == [f't.csv, line 1: the columns "Ratng", "Judge" are passed over, {unknown}; "Ratng" is nearest to "rating".']
    many = [f"extra {number}" for number in range(30)]
    (said,) = remarks(read(f"Name,{','.join(many)}\nAnn\n"))
    assert f'"extra 18", "extra 19" and 10 more are passed over, {unknown}' in said
    assert read("Name,Prize\nAnn,2\n").players == (Player("A", 1, "Ann"),)
    assert [each.division for each in read("Name,Class\nAnn,1\nBo,2\n").players] == ["A", "A"]


def test_a_table_without_the_columns_that_it_needs_is_refused_with_the_nearest_ones() -> None:
    sets = "t.csv, line 1: expected one of these sets of columns: player1, player2, round; table, x, y; board, table; name, found"
    assert problems("Roud,Palyer1,Player2\n1,Lee,4\n") == [
        f'{sets} "Roud, Palyer1, Player2". Write "round" for "Roud", "player1" for "Palyer1" in the first line.'
    ]
    assert problems("a,b\n1,2\n") == [f'{sets} "a, b". Name the columns in the first line.']
    assert problems("Round,Name\n1,Ann\n") == [f'{sets} "Round, Name". Name the columns in the first line.']


def test_boards_and_floor_plan_have_synonyms_too() -> None:
    assert read("Mesa,Tablero,div\n9,1,B\n", known=KNOWN).tables == (TableAssignment("B", 1, 9),)
    assert read("Y,X,Mesa\n1,2,9\n").floor == (TablePlace(9, 2, 1),)


def test_pairings_name_people_with_either_part_of_the_name_first() -> None:
    known = read('name\n"O\'Neil, Ann"\nBo Lee\n')
    assert read("round,player1,player2\n1,bo lee,ann o'neil\n", known=known).pairings == (Pairing("A", 1, 2, 1, True),)


def test_one_bad_field_brings_one_problem_not_one_for_each_line_that_follows_from_it() -> None:
    rows = "".join(f"{number},Lee,{name}\n" for number, name in enumerate(["Bo", "Eve", "Eve", "Eve", "Bo"], 1))
    files = {"p.csv": b"name,number\nLee,x\nBo,2\n", "q.csv": f"round,player1,player2\n{rows}".encode()}
    with pytest.raises(UnreadableEvent) as raised:
        read_event(files)
    assert [each.sentence for each in raised.value.problems] == [
        'p.csv, line 2: expected a number from 1 to 10000 as number, found "x". Correct it.',
        'q.csv, line 3: expected a player of division A, by name or number, found "Eve" (also in line 4, 5).',
    ]
    (said,) = problems(f"round,player1,player2\n{rows * 3}")
    expected = 't.csv, line 2: expected a division with players, found "A" (also in line 3, 4, 5, 6, 7 and 9 more). Import its players'
    assert said.startswith(expected)
