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
NAME = re.compile(r"``([A-Za-z_][\w.]*)(?:\(\))?``")


def trees(folder: str) -> Iterator[tuple[str, ast.Module]]:
    for file in sorted((ROOT / folder).rglob("*.py")):
        yield ".".join(file.relative_to(ROOT).with_suffix("").parts), ast.parse(file.read_text("utf-8"))


def names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a piece of code uses or defines, and the words of its texts: keys, options, columns."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name):
            yield from name.split(".")
        case ast.Constant(value=str(text)) if len(text) < 300:
            yield from re.findall(r"\w+", text)


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def without_docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return (node for node in ast.walk(tree) if id(node) not in spoken or not isinstance(node, ast.Constant))


def test_each_name_in_double_backquotes_exists() -> None:
    product = dict(each for folder in PRODUCT for each in trees(folder))
    known = {*dir(builtins), *keyword.kwlist, *(part for module in product for part in module.split("."))}
    known |= {name for tree in product.values() for node in without_docstrings(tree) for name in names(node)}
    cited = {
        (module, cited)
        for module, tree in product.items()
        if module not in OTHER_PROGRAMS
        for text in docstrings(tree)
        for cited in NAME.findall(text)
    }
    assert len(cited) > 500
    assert [each for each in sorted(cited) if each[1] not in NO_NAMES and not known.issuperset(each[1].split("."))] == []
