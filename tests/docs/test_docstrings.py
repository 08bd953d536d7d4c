"""Each name in double backquotes in a docstring exists: a rename that forgets one is found."""

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("appliance", "faults", "firmware", "game", "hall", "hardware", "kiosk", "lexicon", "records", "rules", "tools", "wire")
OTHER_PROGRAMS = {"lexicon.formats.quackle", "lexicon.formats.zyzzyva"}
"""They cite another program's source by its names."""
NO_NAMES = {"cryptography", "sha256sum", "GPIO5", "GPIO17", "HHHH", "TCHO", "TCHL", "TCLK", "TKSK", "kind.MEMBER", "left_x", "right_x"}
"""Libraries and commands that are only spoken of, bytes, and examples."""
NAMED = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.FunctionDef: "name",
    ast.ClassDef: "name",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.alias: "name",
}
"""The field of each node that has a name."""
NAME = re.compile(r"``([A-Za-z_][\w.]*)(?:\(\))?``")


def trees(folder: str) -> Iterator[tuple[str, ast.Module]]:
    for file in sorted((ROOT / folder).rglob("*.py")):
        yield ".".join(file.relative_to(ROOT).with_suffix("").parts), ast.parse(file.read_text("utf-8"))


def read(tree: ast.Module) -> tuple[set[str], list[str]]:
    """Return the names that a module uses or defines with the words of its texts (keys, options, columns), and its docstrings."""
    names, docstrings, expressions = set[str](), list[str](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            expressions.add(id(node.value))
        elif (field := NAMED.get(type(node))) is not None:
            names.update((getattr(node, field) or "").split("."))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in expressions:
                docstrings.append(node.value)
            elif len(node.value) < 300:
                names.update(re.findall(r"\w+", node.value))
    return names, docstrings


def test_each_name_in_double_backquotes_exists() -> None:
    product = {module: read(tree) for folder in PRODUCT for module, tree in trees(folder)}
    known = {*dir(builtins), *keyword.kwlist, *(part for module in product for part in module.split("."))}
    known = known.union(*(names for names, _ in product.values()))
    cited = {
        (module, cited)
        for module, (_, docstrings) in product.items()
        if module not in OTHER_PROGRAMS
        for text in docstrings
        for cited in NAME.findall(text)
    }
    assert len(cited) > 500
    assert [each for each in sorted(cited) if each[1] not in NO_NAMES and not known.issuperset(each[1].split("."))] == []
