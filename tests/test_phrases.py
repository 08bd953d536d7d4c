import ast
import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import grimp
import pytest
from msgspec import inspect

from appliance.errors import Diagnosis, PinUnavailable
from appliance.texts import Texts
from faults.errors import Phrase, TileclockError, as_phrase, in_a_row, reason
from faults.validation import Table, faults_in
from hardware.boards.board import File
from hardware.boards.board import allowed as boards_allowed
from kiosk.settings import Settings
from kiosk.texts import load_texts
from lexicon.alphabet import Alphabet
from lexicon.alphabet import allowed as tiles_allowed
from lexicon.errors import LexiconError, NotALexicon
from records.log import NotLogged
from rules.rulebooks import load_rulebook, shipped_ids
from rules.rulebooks.load import allowed as rules_allowed
from rules.rulebooks.schema import RulebookSource

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("appliance", "faults", "game", "hardware", "kiosk", "lexicon", "records", "rules")
STATION: Final = "kiosk.shell.assemble"
NOT_SHOWN: Final = {
    "appliance.errors": "makes findings of its callers' words",
    "appliance.display": "without a display nothing is shown",
    "appliance.lock": "`config pin`",
    "hardware.boards.pis": "names a Pi for `pinout`",
    "hardware.electrics": "`doctor`, with the station stopped",
    "hardware.buttons.self_test": "`doctor`, with the station stopped",
    "hardware.buttons.watch": "`doctor`, with the station stopped",
    "kiosk.doctor.parts": "`doctor`, with the station stopped",
    "lexicon.dawg": "building a lexicon, and listing its words",
    "records.device_test": "the journal, and the log, which is English",
    "rules.duration": "the clock's scripts",
}
"""Modules below which errors reach a command line or the service log only, and why."""
MAKERS: Final = {
    *("Diagnosis", "Phrase", "counted", "problem_of"),
    *("ok", "note", "fail", "error_finding"),
    *("_known", "_same", "inconsistent_header", "Appliance", "Chain", "check_wall"),
}
"""Besides the errors: what makes words for a screen, or passes them on."""


def read_words() -> Iterator[tuple[str, ast.expr]]:
    makers = {*MAKERS, *_errors(TileclockError), *_errors(LexiconError)}
    for module, tree in _shown_modules().items():
        for words in Words(tree, makers).read():
            yield f"{module}:{words.lineno}", words


@cache
def station_modules() -> frozenset[str]:
    return frozenset({STATION, *grimp.build_graph(*PACKAGES, cache_dir=None).find_upstream_modules(STATION)})


def is_below(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def _shown_modules() -> dict[str, ast.Module]:
    """Return the modules that the running station imports, and whose words can be shown."""
    shown = (each for each in sorted(station_modules()) if not any(is_below(each, hidden) for hidden in NOT_SHOWN))
    return {each: ast.parse(_file(each).read_text(encoding="utf-8")) for each in shown}


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    package = path / "__init__.py"
    return package if package.exists() else path.with_suffix(".py")


def all_trees() -> Iterator[ast.Module]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield ast.parse(path.read_text(encoding="utf-8"))


def _errors(root: type[Exception]) -> Iterator[str]:
    yield root.__name__
    for each in root.__subclasses__():
        yield from _errors(each)


class Words:
    def __init__(self, tree: ast.Module, makers: set[str]) -> None:
        """Read ``tree``; calls of ``makers`` have words."""
        self._tree, self._makers = tree, makers
        self._assigned: dict[str, list[ast.expr]] = {}
        self._returned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        self._assigned.setdefault(target.id, []).append(node.value)
            elif isinstance(node, ast.FunctionDef):
                returns = (each.value for each in ast.walk(node) if isinstance(each, ast.Return))
                self._returned[node.name] = [each for each in returns if each is not None]

    def read(self) -> Iterator[ast.expr]:
        """Yield every piece of text, as it is written: a constant, or an f-string, which no other language can have."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and (name := _name(node)) in self._makers:
                for said in _said(name, node):
                    yield from self._texts(said, frozenset())

    def _texts(self, said: ast.expr, seen: frozenset[str]) -> Iterator[ast.expr]:
        if isinstance(said, ast.JoinedStr) or (isinstance(said, ast.Constant) and isinstance(said.value, str)):
            yield said
            return
        name, within = self._behind(said)
        if name not in seen:
            for each in within:
                yield from self._texts(each, seen | {name} if name else seen)

    def _behind(self, said: ast.expr) -> tuple[str, list[ast.expr]]:
        """Return what an expression can be, and the name that says so, if it is one."""
        match said:
            case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
                return "", [one, other]
            case ast.BoolOp(values=values) | ast.Tuple(elts=values) | ast.Dict(values=values):
                return "", values
            case ast.Subscript(value=whole) | ast.Call(func=ast.Attribute(value=whole, attr="get")):
                return "", [whole]
            case ast.Name(name):
                return name, self._assigned.get(name, [])
            case ast.Call(func=ast.Name(name)) if name not in self._makers:
                return name, self._returned.get(name, [])
            case _:
                return "", []


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.IfExp):
        return call.func.body.id if isinstance(call.func.body, ast.Name) else ""
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _said(name: str, call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments that are words; where an error is, and a phrase's values, are data."""
    match name:
        case "Phrase" | "Message" | "Appliance":
            yield call.args[0]
        case "counted":
            one, several = ast.literal_eval(call.args[1]), ast.literal_eval(call.args[2]) if call.args[2:] else None
            yield from (ast.copy_location(ast.Constant(each), call) for each in (f"1 {one}", f"{{count}} {several or one + 's'}"))
        case "PydanticCustomError":
            yield call.args[1]
        case _:
            yield from call.args
            yield from (each.value for each in call.keywords if each.arg in {"expected", "found", "remedy", "problem"})


REPLACED: Final = {"no such key", "do not go together", "not in the allowed form", "not one printable line"}
"""Names of our validators' faults: their error says what is allowed instead."""
BLANK: Final = re.compile(r"\{\w*(:[^}]*)?\}|[\W_]")


def _unknown(said: str, known: Mapping[str, str]) -> Iterator[str]:
    """Yield the pieces of ``said`` without words in another language. One of braces and signs alone needs none."""
    phrase = as_phrase(said)
    if phrase.template not in known and BLANK.sub("", phrase.template):
        yield phrase.template
    for value in phrase.values.values():
        if isinstance(value, Phrase):
            yield from _unknown(value, known)


def _phrases() -> Mapping[str, str]:
    """Return the phrases of one language: ``tests/languages`` shows that the others have the same."""
    return load_texts("fr").phrases


def test_every_shipped_rulebook_has_a_title_in_the_other_languages() -> None:
    assert _titles() - set(_phrases()) == set()


def test_what_the_station_s_errors_and_findings_are_made_of_has_words_in_the_other_languages() -> None:
    known, places, wrong = _phrases(), 0, []
    for place, words in read_words():
        places += 1
        match words:
            case ast.Constant(str(text)) if text not in REPLACED:
                wrong += [f"{place} {each!r}" for each in _unknown(text, known)]
            case ast.JoinedStr(values=values) if any(isinstance(each, ast.Constant) and BLANK.sub("", str(each.value)) for each in values):
                wrong.append(f"{place} {ast.unparse(words)}: a phrase, so that other languages can have it")
    assert places > 400
    assert wrong == []


def test_the_reader_finds_words_behind_names_choices_tables_and_functions() -> None:
    code = """
REMEDY = "in a name"
TABLE = {"key": "in a table"}
def kind(size): return "of a function" if size else f"of {size}"
def check(size):
    found = "by an assignment"
    raise Damaged(expected=kind(size), found=found or TABLE[size], remedy=REMEDY, where="a place")
(ok if size else note)("a name", "a finding")
counted(size, "touch", "touches")
"""
    texts = [ast.unparse(words) for words in Words(ast.parse(code), {"Damaged", "ok", "counted"}).read()]
    named = ["in a name", "in a table", "of a function", "by an assignment", "a name", "a finding", "1 touch", "{count} touches"]
    assert sorted(texts) == sorted([*map(repr, named), "f'of {size}'"])


def test_what_is_not_shown_exists_and_is_imported() -> None:
    assert [hidden for hidden in NOT_SHOWN if not any(is_below(each, hidden) for each in station_modules())] == []


def test_what_the_system_says_of_a_file_has_words() -> None:
    numbers = (
        *(errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG),
        *(errno.EIO, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
        *(errno.EBUSY, errno.ENODEV, errno.ENXIO, errno.ESTALE, errno.ETIMEDOUT, errno.EINVAL),
    )
    said = {reason(OSError(number, os.strerror(number))) for number in numbers}
    assert sorted(said - set(_phrases())) == []


WRONG: Final[tuple[Any, ...]] = (None, 1, -1, 10**9, 1.5, "x", "", "x" * 600, True, [], ["x"], {}, {"x": 1})


@pytest.mark.parametrize(
    ("kind", "allowed"), [(Settings, lambda _: None), (File, boards_allowed), (RulebookSource, rules_allowed), (Alphabet, tiles_allowed)]
)
def test_what_a_key_of_a_file_may_hold_has_words(kind: type[Table], allowed: Callable[[Sequence[str]], str | None]) -> None:
    known, wrong, seen = _phrases(), set(), 0
    for path in _keys(inspect.type_info(kind), ()):
        for value in WRONG:
            content = value
            for key in reversed(path):
                content = [content] if key == _FIRST else {key: content}
            for fault in faults_in(content, kind, allowed):
                wrong |= {*_unknown(fault.fields["expected"], known), *_unknown(fault.fields["remedy"], known)}
                seen += 1
    assert seen > 100
    assert wrong == set()


_FIRST: Final = "0"


def _keys(kind: inspect.Type, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key of a table; in a table of tables, that of one; in a list of tables, that of the first."""
    match kind:
        case inspect.StructType():
            for field in kind.fields:
                yield (*path, field.name)
                yield from _keys(field.type, (*path, field.name))
        case inspect.UnionType():
            for each in kind.types:
                yield from _keys(each, path)
        case inspect.DictType():
            yield from _keys(kind.value_type, (*path, getattr(kind.key_type, "values", ("left",))[0]))
        case inspect.ListType() | inspect.VarTupleType():
            yield from _keys(kind.item_type, (*path, _FIRST))


def _titles() -> set[str]:
    return {str(load_rulebook(each).title) for each in shipped_ids()}


def test_no_phrase_is_left_that_nothing_says() -> None:
    strings = {
        node.value for tree in all_trees() for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    counts = {words.value for _, words in read_words() if isinstance(words, ast.Constant)}
    system = {reason(OSError(number, os.strerror(number))) for number in range(1, 134)}
    validation = {
        *("a valid string", "a valid integer", "a valid number", "a valid boolean", "a valid tuple"),
        *("greater than or equal to {ge}", "less than or equal to {le}"),
    }
    assert sorted(set(_phrases()) - strings - counts - system - validation - _titles()) == []


def test_an_error_also_of_the_lexicon_is_rendered_in_the_language_of_the_texts_and_its_values_are_data() -> None:
    pin = Phrase("{pin} for {user}", pin="GPIO5", user="none")
    error = PinUnavailable(where="board station", expected=pin, found="permission denied", remedy="Check its wire and its pin")
    assert str(error) == "board station: expected GPIO5 for none, found permission denied. Check its wire and its pin."
    assert load_texts("en").render(error.sentences) == str(error)
    assert load_texts("fr").render(error.sentences) == (
        "board station\u00a0: attendu\u00a0: GPIO5 pour none\u00a0; trouvé\u00a0: permission refusée. Vérifiez son fil et sa broche."
    )
    unlogged = NotLogged(where="/x.db", expected="to write the log", found="the disk is full", remedy="Free some space")
    assert (
        load_texts("es")
        .say("judge.notice.unlogged", why=unlogged.sentences)
        .endswith("No se puede escribir en el registro: /x.db: el disco está lleno. Libere espacio.")
    )
    unread = NotALexicon(
        where="/x.dawg", expected="a lexicon file", found=Phrase("only its first {size} bytes", size=12), remedy="Copy it again"
    )
    assert str(unread) == "/x.dawg: expected a lexicon file, found only its first 12 bytes. Copy it again."
    assert str(Diagnosis.of(unread)) == str(unread)
    assert load_texts("fr").render(Diagnosis.of(unread).sentences) == (
        "/x.dawg\u00a0: attendu\u00a0: un fichier de dictionnaire\u00a0; trouvé\u00a0: seulement ses 12 premiers octets. Copiez-le de nouveau."
    )
    found = Diagnosis(as_phrase('expected a name, found {"a": 1}'), "Correct it")
    assert str(found) == 'expected a name, found {"a": 1}. Correct it.'
    assert load_texts("fr").render(found.sentences) == 'expected a name, found {"a": 1}. Corrigez-la.'


def test_a_question_ends_as_its_language_has_it_and_what_has_no_words_stays_english() -> None:
    texts = Texts("xx", {}, {"Did you mean {name}?": "{name}, maybe?", "so": "thus"})
    asked = Diagnosis("so", Phrase("Did you mean {name}?", name="so")).sentences
    assert texts.render(in_a_row(asked, Phrase("As it is."))) == "thus. so, maybe? As it is."
