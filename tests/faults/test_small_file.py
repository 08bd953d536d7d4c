"""A fault that people make in a TOML file is shown with its line, and with the right form."""

import pytest

from faults.errors import TileclockError
from faults.small_file import toml_in
from kiosk.texts import load_texts
from tests.errors import with_fields


def said(text: str) -> TileclockError:
    with pytest.raises(TileclockError) as raised:
        toml_in("mine.toml", text.encode(), TileclockError)
    return raised.value


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("name = “club”", 'name = "club"'),
        ("name = „Café“ # ours", 'name = "Café" # ours'),
        ("name = \u2018club\u2019", "name = 'club'"),
        ("“name” = 5", '"name" = 5'),
        ("sound = yes", "sound = true"),
        ("sound = OFF;", "sound = false"),
        ("table = 012", "table = 12"),
        ("hold = -05", "hold = -5"),
        ("factor = 1,5", "factor = 1.5"),
        ("factor = .5", "factor = 0.5"),
        ("lexicon = /usr/share/x.dwg", 'lexicon = "/usr/share/x.dwg"'),
        ("time = 25:00", 'time = "25:00"'),
        ('folder = "C:\\dir"', "folder = 'C:\\dir'"),
        ("name = 'it's'", 'name = "it\'s"'),
        ('name = "club', 'name = "club"'),
        ("table\t12", "table = 12"),
        ("Table: 12,", "Table = 12"),
        ("table = 12\u00a0", "table = 12 "),
    ],
)
def test_the_line_is_shown_with_its_right_form(line: str, right: str) -> None:
    error = said(f"# mine\n{line}\nother = 1\n")
    assert error.expected == "TOML in UTF-8"
    assert error.found.endswith(f": {line.replace(chr(9), ' ').replace(chr(160), '')}")
    assert error.remedy == f"Write {right}"
    assert toml_in("mine.toml", f"# mine\n{right}\n".encode(), TileclockError)


@pytest.mark.parametrize(
    "line", ["rows = [1 2]", "a = {b = 1,", "key with blank = 1", "[table", "x =", "= 5", "x = [1,", "x = " + "y" * 90]
)
def test_a_line_that_may_mean_anything_is_shown_alone(line: str) -> None:
    error = said(f"a = 1\n{line}")
    assert error.found.endswith(f": {line[:60]}")
    assert error.remedy == "Correct the line"


def test_a_line_that_is_right_in_itself_is_not_written_anew() -> None:
    error = said("a = 1\na = 2\n\n")
    assert (error.found, error.remedy) == ("a fault: Cannot overwrite a value (at line 2, column 6): a = 2", "Correct the line")


def test_the_right_form_is_said_in_the_language_of_the_screen() -> None:
    error = said("name = “club”")
    assert load_texts("fr").render(error.sentences).endswith('name = “club”. Écrivez name = "club".')
    assert load_texts("es").render(error.sentences).endswith('name = “club”. Escriba name = "club".')


def test_letters_of_another_kind_are_told_with_their_line_and_dots_are_bounded_but_in_comments() -> None:
    with pytest.raises(TileclockError, check=with_fields(found="letters of another kind in line 2")):
        toml_in("mine.toml", b"a = 1\nb = '\xe9'\n", TileclockError)
    assert "dots in a line" in said(f"{'a.' * 2_000}a = 1").found
    assert toml_in("mine.toml", f"# {'.' * 2_000}\na = 1".encode(), TileclockError) == {"a": 1}
