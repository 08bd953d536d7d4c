"""How far a build has come, on a terminal; nothing where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lexicon.wordtext import Watch, unwatched


@contextmanager
def progress() -> Iterator[Watch]:
    """Show on standard error what the watch is told, until the block ends; only if it is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield unwatched
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = TextColumn("{task.description:<9}"), BarColumn(), TextColumn("{task.fields[figure]}")
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=None, figure="")

        def watch(what: str, done: int, of: int) -> None:
            # Only the text is read in bytes, whose number is known; the rest is counted in words.
            figure = f"{100 * done // of} %" if of else f"{done:,} words"
            bar.update(task, description=what, completed=done, total=of or None, figure=figure)

        yield watch
