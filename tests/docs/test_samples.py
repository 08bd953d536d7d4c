"""Code in the pages works: TOML loads with the programs' own models, commands name verbs, options and make targets that exist, Python runs."""

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from pydantic import BaseModel, ValidationError

from firmware.cli.main import main as tileclock
from firmware.settings.model import Settings as ClockSettings
from kiosk.cli.main import main as tilekiosk
from kiosk.settings.model import Settings as StationSettings
from lexicon.cli.main import main as tilelexicon
from rules.rulebooks.load import load_rulebook
from tests.docs.pages import PAGES, ROOT, fences, name, spans

PROGRAMS: Final[dict[str, click.Command]] = {"tileclock": tileclock, "tilekiosk": tilekiosk, "tilelexicon": tilelexicon}
MODELS: Final[tuple[type[BaseModel], ...]] = (ClockSettings, StationSettings)
TARGETS: Final = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
SHELL: Final = ("", "sh", "console")


def _samples(language: str) -> list[tuple[Path, str, int]]:
    return [(page, code.text, code.line) for page in PAGES for code in fences(page.read_text("utf-8")) if code.language == language]


def _label(value: object) -> str | None:
    return name(value) if isinstance(value, Path) else str(value) if isinstance(value, int) else ""


@pytest.mark.parametrize(("page", "text", "line"), _samples("toml"), ids=_label)
def test_toml_loads_with_the_real_models(page: Path, text: str, line: int, tmp_path: Path) -> None:
    if "extends" in tomllib.loads(text):
        (tmp_path / "own.toml").write_text(text, "utf-8")
        assert load_rulebook(str(tmp_path / "own.toml")).id
        return
    # Dots stand for what a reader fills in.
    values = tomllib.loads(text.replace("...", ""))
    faults = []
    for model in MODELS:
        try:
            model.model_validate(values)
        except ValidationError as error:
            faults.append(f"{model.__module__}: {error}")
    assert len(faults) < len(MODELS), "\n".join([f"{name(page)}:{line}", *faults])


@pytest.mark.parametrize(("page", "text", "line"), _samples("python"), ids=_label)
def test_python_runs(page: Path, text: str, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sample.py").write_text(text, "utf-8")
    runpy.run_path(str(tmp_path / "sample.py"))
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_name_what_there_is(page: Path) -> None:
    wrong = [f"line {line}: {command}: {why}" for line, command in _commands(page) for why in _faults(command.split())]
    assert wrong == []


def test_commands_are_found_and_wrong_ones_are_seen() -> None:
    assert sum(1 for page in PAGES for _ in _commands(page)) > 100
    for command in ("make no-such-target", "tileclock no-such-verb", "tilekiosk run --no-such-option", "tileclock journal list|forget"):
        assert list(_faults(command.split())), command


def _commands(page: Path) -> Iterator[tuple[int, str]]:
    """Yield every command of ours on a page, with its line."""
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
