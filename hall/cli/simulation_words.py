"""The figures of a simulation in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def in_words(found: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of ``hall.simulate.measure``, one a line."""
    yield f"{found['tables']} tables, {found['seconds']} s, {found['presses']} presses, {found['rows']} rows."
    yield f"Lost: {found['lost']}. Doubled: {found['doubled']}."
    yield f"From a press to its row at the listener: {_spread(found['press_to_row_ms'])}."
    yield f"A remote reading and the clock's own are apart: {_spread(found['remote_clock_ms'])}."
    yield f"{found['messages_per_s']} messages a second; {found['bytes_per_table_s']} bytes a second for each table."
    for name in ("broker", "listener", "link"):
        used = found[name]
        yield f"The {name} used {used['cores'] * 100:.1f} % of a core and {used['rss_mb']:.1f} MiB."


def _spread(values: dict[str, Any]) -> str:
    if not values["count"]:
        return "nothing was measured"
    return f"p50 {values['p50']:.1f} ms, p99 {values['p99']:.1f} ms, at most {values['max']:.1f} ms ({values['count']} values)"
