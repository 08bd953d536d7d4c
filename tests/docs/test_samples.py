"""Code in the pages works: TOML loads with the programs' own models, commands name verbs, options and make targets that exist, Python runs."""

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest
from pydantic import BaseModel, ValidationError

from firmware.cli.main import main as tileclock
from firmware.settings.model import Settings as ClockSettings
from hall.cli.main import main as tilehall
from hall.settings import Settings as HallSettings
from kiosk.cli.main import main as tilekiosk
from kiosk.settings.model import Settings as StationSettings
from lexicon.cli.main import main as tilelexicon
from rules.rulebooks.load import load_rulebook
from tests.docs.pages import PAGES, ROOT, fences, name, spans

PROGRAMS: Final[dict[str, click.Command]] = {
    "tileclock": tileclock,
    "tilehall": tilehall,
    "tilekiosk": tilekiosk,
    "tilelexicon": tilelexicon,
}
MODELS: Final[tuple[type[BaseModel], ...]] = (ClockSettings, HallSettings, StationSettings)
TARGETS: Final = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
SHELL: Final = ("", "sh", "console")


def _samples(language: str) -> list[tuple[str, str]]:
    """Return all blocks in ``language``, each with its page and line."""
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
        values = tomllib.loads(text.replace("...", ""))
        faults = [fault for model in MODELS if (fault := _fault(model, values))]
        assert len(faults) < len(MODELS), "\n".join([where, *faults])


def test_python_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = _samples("python")
    assert samples
    for where, text in samples:
        (tmp_path / "sample.py").write_text(text, "utf-8")
        runpy.run_path(str(tmp_path / "sample.py"))
        assert capsys.readouterr().out, where


def test_commands_name_what_there_is() -> None:
    commands = [(f"{name(page)}:{line}", command) for page in PAGES for line, command in _commands(page)]
    assert len(commands) > 100
    assert [f"{where}: {command}: {why}" for where, command in commands for why in _faults(command.split())] == []


def test_a_command_that_there_is_not_is_seen() -> None:
    for command in ("make no-such-target", "tileclock no-such-verb", "tilekiosk run --no-such-option", "tileclock journal list|forget"):
        assert list(_faults(command.split())), command


def _fault(model: type[BaseModel], values: dict[str, Any]) -> str:
    try:
        model.model_validate(values)
    except ValidationError as error:
        return f"{model.__module__}: {error}"
    return ""


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
