"""A whole hall on this machine: from a press to its row at the listener, remote readings, an outage, and what each program needs."""

import json
import subprocess
import sys
from typing import Any

from tests.benchmarks.figures import Figures
from tests.installed import require

_PLAY_S = 600


def _simulated(*arguments: str) -> tuple[int, dict[str, Any]]:
    require("mosquitto")
    words = [sys.executable, "-m", "hall.cli", "simulate", "--json", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def _spread(values: dict[str, Any]) -> str:
    return f"p50 {values['p50']} ms, p99 {values['p99']} ms, at most {values['max']} ms"


def test_a_thousand_tables_in_play(figures: Figures) -> None:
    code, found = _simulated("--tables", "1000", "--seconds", str(_PLAY_S))
    delay, cores = found["press_to_row_ms"], found["broker"]["cores"] + found["listener"]["cores"]
    figures.add(
        "1,000 tables for 10 minutes: from a press to its row at the listener", _spread(delay), "p99 250 ms", held=delay["p99"] <= 250
    )
    figures.add("rows lost, doubled", f"{found['lost']}, {found['doubled']} of {found['rows']}", "0, 0", held=code == 0)
    figures.add("messages at the listener", f"{found['messages_per_s']} a second")
    figures.add("bytes of messages", f"{found['bytes_per_table']} a table, {found['bytes_per_table_s']} a second")
    figures.add("broker and listener", f"{cores:.2f} of a core", "below 1", held=cores < 1)
    link = found["link"]
    figures.add("memory of one link", f"{link['rss_mb']} MiB", "below 25 MB", held=link["rss_mb"] * 1.048576 < 25)
    figures.add("a link in play", f"{link['cores'] * 100:.2f} % of a core", "below 1 %", held=link["cores"] < 0.01)
    assert (code, found["journals_complete"]) == (0, True)
    assert delay["p99"] <= 250
    assert cores < 1


def test_remote_readings_through_5_to_113_ms_of_delay_each_way(figures: Figures) -> None:
    code, found = _simulated("--tables", "200", "--seconds", "300", "--delay", "5:113")
    apart = found["remote_clock_ms"]
    figures.add("a remote reading and the clock's own, 5 to 113 ms each way", _spread(apart), "p99 50 ms", held=apart["p99"] <= 50)
    assert code == 0
    assert apart["p99"] <= 50


def test_an_outage_of_every_link(figures: Figures) -> None:
    code, found = _simulated("--tables", "300", "--seconds", "240", "--outage", "60")
    figures.add(
        "60 s without any link: rows lost, doubled", f"{found['lost']}, {found['doubled']} of {found['rows']}", "0, 0", held=code == 0
    )
    assert code == 0
