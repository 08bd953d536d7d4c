"""``tilelexicon bench``: measures a list on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from lexicon.cli.options import lexicon_argument
from lexicon.cli.output import print_figures


@click.command()
@lexicon_argument
def bench(path: Path) -> None:
    """Measure X.dawg on this machine: opening, look-ups, verifying, memory.

    Hits are words spread over the whole list; misses are the same words with one tile changed. Each figure is the median of five rounds. The file is in the
    system's cache after the first read.
    """
    from lexicon.bench import measure

    found = measure(path)
    grown = "not reported by this system" if found.anonymous_bytes is None else f"{found.anonymous_bytes // 1024:,} KiB"
    hundredths = 100 * found.size // found.words
    print_figures(
        [
            ("words", f"{found.words:,}"),
            ("size", f"{found.size:,} bytes, {hundredths // 100}.{hundredths % 100:02d} a word"),
            ("open", f"{found.open_ns // 1000:,} µs"),
            ("memory used by opening", grown),
            ("first look-up", f"{found.first_ns / 1000:,.1f} µs"),
            ("verify", f"{found.verify_ns // 1_000_000:,} ms"),
            ("look-up, a word of the list", f"{found.hit_ns:,} ns, of {found.hits:,}"),
            ("look-up, one tile changed", f"{found.miss_ns:,} ns, of {found.misses:,}" if found.misses else "every change is a word"),
        ]
    )
