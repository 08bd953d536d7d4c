import importlib.util
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest
from msgspec import Struct

from appliance.errors import SettingsError
from appliance.settings import Layers
from appliance.texts import languages
from faults.validation import Table
from firmware.cli.main import main as tileclock
from firmware.settings import LAYERS as CLOCK_LAYERS
from firmware.settings import Settings as ClockSettings
from firmware.texts import load_texts as clock_texts
from hall.cli.main import main as tilehall
from hall.settings import LAYERS as HALL_LAYERS
from hall.settings import Settings as HallSettings
from kiosk.cli.main import main as tilekiosk
from kiosk.settings import LAYERS as STATION_LAYERS
from kiosk.settings import Settings as StationSettings
from kiosk.texts import load_texts as station_texts
from lexicon.cli.main import main as tilelexicon
from rules.rulebooks.load import load_rulebook
from tests.in_process import ran

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = (
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "lexicon" / "FORMAT.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "tools" / "wiring").glob("*.md")),
)
_FENCE: Final = re.compile(r"^ *(`{3,})(\S*)[^\n]*\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK: Final = re.compile(r"\]\(([^()\s]+)\)")
_HEADING: Final = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


class Code(Struct, frozen=True):
    language: str
    text: str
    line: int


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def fences(text: str) -> Iterator[Code]:
    for match in _FENCE.finditer(text):
        yield Code(match[2], match[3], text.count("\n", 0, match.start()) + 2)


def prose(text: str) -> str:
    """Return the page without its fenced blocks; lines keep their numbers."""
    return _FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)


def spans(text: str) -> Iterator[Code]:
    plain = prose(text)
    for match in _SPAN.finditer(plain):
        yield Code("", match[1], plain.count("\n", 0, match.start()) + 1)


def links(text: str) -> list[str]:
    return _LINK.findall(_SPAN.sub("", prose(text)))


def anchors(text: str) -> set[str]:
    """Return the names of a page's headings in links, as code hosts and MyST make them."""
    titles = (heading.replace("`", "") for heading in _HEADING.findall(prose(text)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_each_link_leads_to_a_file_and_a_heading_that_are_there() -> None:
    found = [(page, link) for page in PAGES for link in links(page.read_text("utf-8"))]
    assert len(found) > 100
    assert [f"{name(page)}: {link}" for page, link in found if _is_broken(page, link)] == []


def test_each_unit_names_a_page_of_the_site_that_the_packages_bring() -> None:
    named = {
        line
        for file in (ROOT / "systemd").rglob("*")
        if file.is_file()
        for line in re.findall(r"^Documentation=(.*)", file.read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 3
    pages = [re.fullmatch(r"file:///usr/share/doc/tile[a-z-]+/html/(docs/.+)\.html", each) for each in named]
    assert all(page and (ROOT / f"{page[1]}.md").exists() for page in pages), named


@pytest.mark.parametrize("program", [tileclock, tilekiosk, tilehall], ids=lambda program: str(program.callback.__module__))
def test_docs_names_the_first_site_that_is_there(program: click.Group, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("appliance.cli.config.SITES", (tmp_path / "none.html", tmp_path / "the site.html"))
    assert ran(program, "docs").returncode == 2
    (tmp_path / "the site.html").touch()
    assert ran(program, "docs").stdout == f"{tmp_path.as_uri()}/the%20site.html\n"


_NEXT: Final = re.compile(r"\n\s*\n|\n(?= *(?:[-*|]|\d+\.) )")
"""Where a paragraph ends: at an empty line, or before an item or a row."""
LONGEST: Final = 120


def test_no_paragraph_is_too_long_to_read() -> None:
    found = {(name(page), part[:60]): len(part.split()) for page in PAGES for part in _NEXT.split(prose(page.read_text("utf-8")))}
    assert max(found.values()) > LONGEST // 2
    assert {where: words for where, words in found.items() if words > LONGEST} == {}


@pytest.mark.parametrize("language", [each for each in languages() if (ROOT / "docs" / each).is_dir()])
def test_a_translated_page_quotes_the_programs_own_texts_and_says_that_it_is_unread(language: str) -> None:
    said = {text for load in (clock_texts, station_texts) for text in load(language).by_key.values()}
    said |= set(tomllib.loads((ROOT / "languages" / language / "desk-phrases.toml").read_text("utf-8")).values())
    for page in sorted((ROOT / "docs" / language).glob("*.md")):
        note, *quoted = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", prose(page.read_text("utf-8")))
        assert f"(../{page.name})" in note
        titles = {re.sub(r"[\s:]+$", "", text.split("{")[0]) for text in said}
        assert {quote for quote in quoted if quote not in titles} == set(), page
        if language == "fr":
            assert re.findall(r"[^|] [:;?!»]|« ", page.read_text("utf-8")) == [], "a no-break space belongs here"


ORIGINALS: Final = ("directing.md", "desk.md", "building.md")


@pytest.mark.parametrize("folder", [page.parent for page in sorted((ROOT / "docs").glob("*/building.md"))], ids=lambda folder: folder.name)
def test_a_translated_guide_leaves_out_no_heading_row_option_setting_or_link(folder: Path) -> None:
    for original in ((ROOT / "docs" / each) for each in ORIGINALS):
        translated = set(_facts(folder / original.name))
        assert [fact for fact in _facts(original) if fact not in translated] == [], original


def _facts(page: Path) -> list[str]:
    """Return what no translation changes: how many headings and rows there are, options of commands, keys of settings, files that links lead to."""
    text = page.read_text("utf-8")
    counts = (f"{len(re.findall(pattern, text, re.MULTILINE))} {what}" for pattern, what in ((r"^#+ ", "headings"), (r"^ *\|", "rows")))
    keys = re.findall(r"^ *(\[[\w.]+\]|\w+(?= = ))", "".join(code.text for code in fences(text) if code.language == "toml"), re.MULTILINE)
    files = (Path(link.partition("#")[0]).name for link in links(text) if not link.startswith(("http", "#")) and not link.endswith(".png"))
    return [*counts, *re.findall(r"(?<=[ `])--?[a-z][a-z-]*", _code(page)), *keys, *(each for each in files if each != page.name)]


def _is_broken(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    if path.startswith(("https://", "http://")):
        return False
    target = page.parent / path if path else page
    return not target.exists() or bool(anchor and anchor not in anchors(target.read_text("utf-8")))


FOLDERS: Final = "appliance|docs|faults|firmware|game|hall|hardware|kiosk|languages|lexicon|records|rules|systemd|tests|tools|wire|\\.ci"
FILE: Final = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./*-]*")
BARE_MODULE: Final = re.compile(r"(?<![\w/.*-])[\w/]+\.py\b")
MODULE: Final = re.compile(r"\bpython3? -m ([a-z_.]+)")
HISTORY: Final = "CHANGELOG.md"


def _code(page: Path) -> str:
    text = page.read_text("utf-8")
    return "\n".join(code.text for code in (*spans(text), *fences(text)))


def test_each_file_that_a_page_names_and_each_module_that_it_starts_is_there() -> None:
    named = {(name(page), match.rstrip(".")) for page in PAGES if page.name != HISTORY for match in FILE.findall(_code(page))}
    assert len(named) > 50
    assert [f"{page}: {file}" for page, file in sorted(named) if not list(ROOT.glob(file.rstrip("/")))] == []
    # Beside another that is named whole, a module's own name is enough.
    modules = {(name(page), match) for page in PAGES if page.name != HISTORY for match in BARE_MODULE.findall(_code(page))}
    there = [f"/{path.relative_to(ROOT)}" for folder in FOLDERS.split("|") for path in (ROOT / folder.replace("\\", "")).rglob("*.py")]
    assert [f"{page}: {file}" for page, file in sorted(modules) if not any(path.endswith(f"/{file}") for path in there)] == []
    started = {(name(page), module) for page in PAGES for module in MODULE.findall(_code(page))}
    assert started
    assert [f"{page}: {module}" for page, module in sorted(started) if importlib.util.find_spec(module) is None] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8").splitlines()
    pages = (page.relative_to(ROOT / "docs").with_suffix("") for page in (ROOT / "docs").rglob("*.md"))
    assert [str(page) for page in pages if str(page) not in (*index, "index")] == []


def _keys(table: Table) -> Iterator[str]:
    for key in table.__struct_fields__:
        value = getattr(table, key)
        yield from _keys(value) if isinstance(value, Table) else (key,)


def test_every_setting_is_in_the_reference_with_its_meaning() -> None:
    script = ROOT / "docs" / "settings_reference.py"
    # The build's own: it fails where a setting has no docstring.
    printed = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True
    )
    rows = [line for line in printed.stdout.splitlines() if line.startswith("| `") and not line.endswith("|  |")]
    for model in (ClockSettings, HallSettings, StationSettings):
        for key in _keys(model()):
            assert any(row.startswith(f"| `{key}` |") for row in rows), f"{model.__module__}: {key}"


PROGRAMS: Final[dict[str, click.Command]] = {
    "tileclock": tileclock,
    "tilehall": tilehall,
    "tilekiosk": tilekiosk,
    "tilelexicon": tilelexicon,
}
LAYERS: Final = (CLOCK_LAYERS, HALL_LAYERS, STATION_LAYERS)
TARGETS: Final = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
SHELL: Final = ("", "sh", "console")


def _samples(language: str) -> list[tuple[str, str]]:
    return [
        (f"{name(page)}:{code.line}", code.text) for page in PAGES for code in fences(page.read_text("utf-8")) if code.language == language
    ]


def test_toml_loads_with_the_real_models(tmp_path: Path) -> None:
    samples = _samples("toml")
    assert samples
    for where, text in samples:
        if "extends" in tomllib.loads(text):
            (tmp_path / "own.toml").write_text(text, "utf-8")
            assert load_rulebook(str(tmp_path / "own.toml")).id, where
            continue
        # Dots stand for what a reader fills in.
        (tmp_path / "settings.toml").write_text(text.replace("...", ""), "utf-8")
        faults = [fault for layers in LAYERS if (fault := _fault(layers, tmp_path / "settings.toml"))]
        assert len(faults) < len(LAYERS), "\n".join([where, *faults])


def test_python_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = _samples("python")
    assert samples
    for where, text in samples:
        (tmp_path / "sample.py").write_text(text, "utf-8")
        runpy.run_path(str(tmp_path / "sample.py"))
        assert capsys.readouterr().out, where


def test_commands_name_what_there_is_and_one_that_there_is_not_is_seen() -> None:
    commands = [(f"{name(page)}:{line}", command) for page in PAGES for line, command in _commands(page)]
    assert len(commands) > 100
    assert [f"{where}: {command}: {why}" for where, command in commands for why in _faults(command.split())] == []
    for command in ("make no-such-target", "tileclock no-such-verb", "tilekiosk run --no-such-option", "tileclock journal list|forget"):
        assert list(_faults(command.split())), command


def _fault(layers: Layers[Any], file: Path) -> str:
    try:
        layers.load({}, file)
    except SettingsError as error:
        return str(error)
    return ""


def _commands(page: Path) -> Iterator[tuple[int, str]]:
    text = page.read_text("utf-8")
    lines = [(code.line, code.text) for code in spans(text)]
    for code in fences(text):
        if code.language in SHELL:
            lines += [(code.line + offset, line) for offset, line in enumerate(code.text.splitlines())]
    for number, line in lines:
        for part in re.split(r" && | \| |; ", re.split(r"(?:^| +)#", line)[0]):
            command = re.sub(r"^(?:sudo (?:-u \w+ )?)?(?:[A-Z]+=\S+ )*(?:\.venv/bin/)?", "", re.sub(r"[\[\]]", "", part.strip()))
            if command.split(" ")[0] in ("make", *PROGRAMS) and " " in command:
                yield number, command


def _faults(words: list[str]) -> Iterator[str]:
    program, *rest = words
    if program == "make":
        yield from (f"no target {word}" for word in rest if "=" not in word and word not in TARGETS)
        return
    command = PROGRAMS[program]
    for word in rest:
        if word.startswith("-"):
            options = {option for param in command.params for option in (*param.opts, *param.secondary_opts)} | {
                "--help",
                "-h",
                "--version",
            }
            if word.split("=")[0].rstrip(",") not in options:
                yield f"no option {word}"
        elif isinstance(command, click.Group):
            verbs = word.split("|")
            yield from (f"no verb {verb}" for verb in verbs if verb not in command.commands)
            if len(verbs) > 1 or verbs[0] not in command.commands:
                return
            command = command.commands[verbs[0]]
