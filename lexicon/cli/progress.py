"""A progress bar for builds, only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lexicon.wordtext import OnProgress, no_progress


@contextmanager
def progress() -> Iterator[OnProgress]:
    """Show progress on standard error until the block ends, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = TextColumn("{task.description:<9}"), BarColumn(), TextColumn("{task.fields[figure]}")
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=None, figure="")

        def watch(what: str, done: int, of: int) -> None:
            # Reading counts bytes, with a known total; the other steps count words.
            figure = f"{100 * done // of} %" if of else f"{done:,} words"
            bar.update(task, description=what, completed=done, total=of or None, figure=figure)

        yield watch
