"""The table of clauses is whole: each has a test that exists or a reason, and it names the same clauses as docs/spec/rules.md and the programs."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from tests.cells import each_cell

ROOT = Path(__file__).parent.parent
CLAUSES: list[dict[str, Any]] = tomllib.loads((ROOT / "tests" / "clauses.toml").read_text("utf-8"))["clauses"]
RULEBOOKS = sorted((ROOT / "rules" / "rulebooks").glob("*.toml"))
CONTRACT = (ROOT / "docs" / "spec" / "rules.md").read_text("utf-8")
CODE = re.compile(r"(2012|2014|2017|NZ|WESPA) (.+)")
NUMBER = r"(?:[IVX]+(?:\.\w+)*(?:-\d+)?|(?!20\d\d )\d+(?:\.\d+)*)"
IN_TEXT = re.compile(rf"\b(2012|2014|2017|NZ|WESPA) ({NUMBER}(?:, {NUMBER})*)(?!\w)")
CITED = re.compile(r"# ((?:2012|2014|2017|NZ|WESPA) \S+)$", re.MULTILINE)


def _numbers(clause: str) -> set[str]:
    """Return each clause with its code: ``"2017 IV.B.1, IV.L, NZ 3.2"`` is three. A source without numbers stands as its own first words."""
    numbers, code = set(), ""
    for part in clause.split(":", maxsplit=1)[0].split(", "):
        coded = CODE.fullmatch(part)
        if coded is None and not code:
            return {clause.split(":", maxsplit=1)[0]}
        code, number = (coded[1], coded[2]) if coded is not None else (code, part)
        numbers.add(f"{code} {number}")
    return numbers


@cache
def _functions(file: Path) -> set[str]:
    return {node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}


def _in_rulebooks(table: Any) -> set[str]:
    if not isinstance(table, dict):
        return set()
    clause = table.get("clause", {})
    own = [clause] if isinstance(clause, str) else clause.values()
    return set().union(*map(_numbers, own), *(_in_rulebooks(inner) for inner in table.values()))


def _cited(text: str) -> set[str]:
    """Return the clauses that ``text`` cites, each with its code; and a source without numbers as it stands there, marked as code."""
    coded = {f"{code} {number}" for code, numbers in IN_TEXT.findall(text) for number in numbers.split(", ")}
    return coded | set(re.findall(r"`(general rules, [^`]+)`", text))


BY_CLAUSE = CONTRACT.split("\n## Clause by clause\n")[1].split("\n## ")[0]
TABLED = set().union(*(_numbers(entry["clause"]) for entry in CLAUSES))


def test_each_clause_has_what_it_asks_and_either_tests_or_a_reason_for_none() -> None:
    for cell in each_cell(CLAUSES, lambda entry: f"{entry.get('clause')}: {entry.get('asks')}"):
        with cell as entry:
            assert entry.keys() in ({"clause", "asks", "tests"}, {"clause", "asks", "not_here"})
            assert all(entry.values())
            assert entry["asks"].endswith(".")


def test_each_test_that_is_named_exists() -> None:
    for cell in each_cell(sorted({test for entry in CLAUSES for test in entry.get("tests", ())})):
        with cell as test:
            file, _, function = test.partition("::")
            assert function.startswith("test_")
            assert function in _functions(ROOT / file)


def test_the_table_and_the_contract_name_the_same_clauses() -> None:
    cited = _cited(CONTRACT)
    assert len(cited) > 50
    assert cited == TABLED, f"only in docs/spec/rules.md: {sorted(cited - TABLED)}; only in tests/clauses.toml: {sorted(TABLED - cited)}"


def test_every_clause_of_the_contract_stands_in_its_table_of_clauses_with_what_does_it() -> None:
    # The first of 2017 IV.B.7-9, which stand there together.
    assert _cited(CONTRACT) - _cited(BY_CLAUSE) == {"2017 IV.B.7"}
    for cell in each_cell([line.strip("| ").split(" | ") for line in BY_CLAUSE.splitlines() if line.startswith("| ")][2:]):
        with cell as (_, touches, does):
            assert touches
            assert does


def test_each_row_that_does_a_clause_is_a_row_of_the_table_menu() -> None:
    menu = tomllib.loads((ROOT / "languages" / "en" / "clock.toml").read_text("utf-8"))["table_menu"]
    texts = [*menu["row"].values(), *menu["frame"].values()]
    named = re.findall(r"rows? ([A-Z][a-z]+(?: [a-z]+)*(?:, [A-Z][a-z]+(?: [a-z]+)*)*)", BY_CLAUSE)
    assert len(named) > 20
    for cell in each_cell(sorted({row for names in named for row in names.split(", ")})):
        with cell as row:
            assert any(text == row or re.match(rf"{row}\b", text) for text in texts), row


def test_every_clause_that_a_rulebook_or_a_reason_of_the_menu_cites_is_in_the_table() -> None:
    for cell in each_cell(RULEBOOKS, lambda file: file.stem):
        with cell as file:
            named = _in_rulebooks(tomllib.loads(file.read_text("utf-8")))
            assert named
            assert named <= TABLED
    cited = set(CITED.findall((ROOT / "firmware" / "texts" / "reasons.toml").read_text("utf-8")))
    assert cited
    assert cited <= TABLED
