"""The guarded command line: each verb ends as ``faults.endings`` says."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from faults.endings import end_on_sigterm, exit_codes


class Guarded(click.Group):
    """A group whose verbs end with the exit codes of ``faults.endings``. A verb returns its code; None means 0. ``program``: its name, printed before each sentence."""

    def __init__(self, *others: Any, program: str, **more: Any) -> None:
        super().__init__(*others, **more)
        self.program = program

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        # A name or path may contain characters outside the terminal's encoding.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        with self._guarded():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        # On SIGTERM, let the verb clean up first.
        end_on_sigterm()
        with self._guarded():
            code = super().invoke(ctx)
        raise click.exceptions.Exit(code or 0)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        with exit_codes(self.program):
            try:
                yield
            except click.Abort as error:
                raise KeyboardInterrupt from error
