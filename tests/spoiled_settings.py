"""A machine whose settings files are good, to be spoiled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import Result

from tests.programs import CLOCK, STATION, Program

OURS = 'id = "ours"\nextends = "club"\ntitle = "Ours"\nsummary = "As in our club."\n'
BOARDS = {
    CLOCK.name: 'title = "Ours"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n',
    STATION.name: 'title = "Ours"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n',
}
LOST = [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
"""What a failing card leaves of the settings file (None: no file), and the message about it."""


@dataclass(frozen=True)
class Machine:
    """A machine whose boot partition has good settings, a rulebook and a board of its own."""

    program: Program
    file: Path

    @property
    def good(self) -> str:
        """The text of the good settings: five of them."""
        return (
            'rulebook = "ours.toml"\n[screen]\nkind = "none"\n[board]\nfile = "board.toml"\npins = "mock"\n'
            f'[{self.program.record}]\npath = "record.db"\n'
        )

    @property
    def folder(self) -> Path:
        return self.file.parent

    @property
    def files(self) -> dict[str, str]:
        """The good files' texts by name."""
        return {self.file.name: self.good, "ours.toml": OURS, "board.toml": BOARDS[self.program.name]}

    def restore(self) -> None:
        for name, text in self.files.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def spoil(self, text: str | None = "x") -> None:
        if text is None:
            self.file.unlink()
        else:
            self.file.write_text(text, encoding="utf-8")

    def take(self) -> Result:
        done = self.program.run("config", "take")
        assert (done.exit_code, done.stderr) == (0, "")
        return done


def machine_of(program: Program, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Machine:
    """Return the machine of ``program`` in ``folder``, with good files."""
    machine = Machine(program, program.own_places(monkeypatch, folder))
    machine.restore()
    return machine
