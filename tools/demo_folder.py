"""The output of a headless demo: a folder with pictures and a transcript."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from faults.errors import TileclockError, reason


class DemoError(TileclockError, OSError):
    """A headless demo cannot be played, or its output cannot be written."""


class DemoFolder:
    """The folder; created if missing.

    Args:
        say: takes each line of the transcript.

    Raises:
        DemoError: the folder cannot be created or written to; so do all methods.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self._say = say
        self._lines: list[str] = []
        with self._writing():
            folder.mkdir(parents=True, exist_ok=True)
        self.write_transcript()

    def add(self, line: str) -> None:
        self._lines.append(line)
        self._say(line)

    def picture(self, name: str, snapshot: Callable[[Path], object]) -> None:
        """Let ``snapshot`` write the picture ``name``."""
        with self._writing():
            snapshot(self.folder / f"{name}.png")

    def write(self, name: str, text: str) -> None:
        with self._writing():
            (self.folder / name).write_text(text, encoding="utf-8")

    def write_transcript(self) -> None:
        """Write ``transcript.txt``."""
        self.write("transcript.txt", "".join(f"{line}\n" for line in self._lines))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DemoError(
                where=self.folder, expected="a folder that can be written to", found=reason(error), remedy="Choose another with --output"
            ) from error
