"""A director's whole round in a real browser: import, names, play, a call, the end, the exports. The clocks, links, broker and desk are
the real programs; only the pins are a mock board's.
"""

import csv
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from firmware.journal.recovery import recover
from game.history import Fate
from game.journal.row import Kind
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.firmware.shell.rig import rows_in
from tests.hall.desk.playing import RunningDesk, choose, director_account, directors_desk, directors_key
from tests.hall.desk.web.browsing import logged_in, window
from tests.hall.joined import CALL_NS, JoinedHall, PlayedClock, joined_hall
from tests.hall.present import present
from tests.installed import require
from tests.processes import until

pytestmark = pytest.mark.waits(50)

NS: Final = 1_000_000_000
A_SECOND_NS: Final = 1_300_000_000
"""How long a button is held for what takes a second."""
SCRIPT, FORMULA = "<img src=x onerror=window.hurt=1>", "=cmd|'/c calc'!A1"
PLAYERS: Final = ("Ann Abel", SCRIPT, FORMULA, "Dmitri Dubois", "Eve Evans", "Fatou Fischer", "Gil García", "Hanna Hughes")
QUICK: Final = """extends = "naspa-2017-collins-5"
id = "quick"
title = "Quick"
summary = "Four seconds a side, so that overtime comes."
[regulation]
time = "0:04"
clause = "2017 III.A.3"
"""


@dataclass
class Round:
    """A hall of four tables, its desk, and the director's browser."""

    clocks: dict[int, PlayedClock]
    desk: RunningDesk
    page: Page
    folder: Path

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.desk.address}{path}")
        return self.page


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Round]:
    require("mosquitto")
    folder = tmp_path_factory.mktemp("round")
    (folder / "quick.toml").write_text(QUICK)
    settings: dict[int, dict[str, Any]] = {1: {"rulebook": str(folder / "quick.toml")}, 2: {}, 3: {}, 4: {"hall__freeze": "hard"}}
    with ExitStack() as stack:
        joined: JoinedHall = stack.enter_context(joined_hall(folder / "joined"))
        clocks = {table: stack.enter_context(joined.clock(f"clock {table}", table, **own)) for table, own in settings.items()}
        desk = stack.enter_context(directors_desk(joined, director_account(joined, folder)))
        context = stack.enter_context(window(browser))
        page = logged_in(context, desk.address)
        found = Round(clocks, desk, page, folder)
        _import(found)
        _name(found)
        _play(found)
        _call(found)
        _finish(found)
        yield found


def _import(played: Round) -> None:
    (played.folder / "players.csv").write_text("\n".join(["name", *PLAYERS]), encoding="utf-8")
    wrong = played.folder / "wrong.csv"
    wrong.write_text("round,player1,player2,table\n1,1,2,1\n1,Nobody,3,2\n", encoding="utf-8")
    right = played.folder / "round-1.csv"
    right.write_text("round,player1,player2,table\n1,1,2,1\n1,3,4,2\n1,5,6,3\n1,7,8,4\n", encoding="utf-8")
    page = played.go("/event")
    page.set_input_files("#files", [str(played.folder / "players.csv"), str(wrong)])
    page.click("text=Import >> nth=-1")
    page.wait_for_selector(".problem")
    assert "wrong.csv, line 3: expected a player of division A, by name or number" in page.inner_text(".problem")
    assert page.locator(".figures dd").first.inner_text() == "0"
    page.set_input_files("#files", [str(played.folder / "players.csv"), str(right)])
    page.click("text=Import >> nth=-1")
    page.wait_for_selector(".rounds")
    assert [each.inner_text() for each in page.locator(".figures dd").all()] == ["8", "1", "1", "1"]


def _name(played: Round) -> None:
    page = played.go("/assign")

    def ready() -> bool:
        page.reload()
        return page.locator("[name=clock]:not(:disabled)").count() == 4 and page.locator(f'input[value="{FORMULA}"]').count() == 1

    until(ready, "all clocks with the names of the import")
    page.click("#all")
    page.click("text=Send table and names to the chosen clocks")
    page.wait_for_selector("[data-complete=true]")
    answers = page.locator(".matrix .cell").all_inner_texts()
    assert [each.split()[-1] for each in answers] == ["accepted"] * 4
    # As the clocks report them.
    page = played.go("/")
    for name in PLAYERS:
        page.locator(".player", has_text=name).wait_for()


def _knows_the_start(clock: PlayedClock) -> bool:
    return any(body["what"] == "round" and body["answer"] == "accepted" for body in clock.bodies(Kind.PROPOSAL))


def _play(played: Round) -> None:
    def all_know() -> bool:
        # A clock whose offset is not known yet is not sent the start: its players are asked instead.
        page = played.go("/round")
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        page.fill("[name=minutes]", "0")
        page.click("text=Set >> nth=0")
        page.wait_for_selector("text=Has lasted")
        with suppress(AssertionError):
            for clock in played.clocks.values():
                until(partial(_knows_the_start, clock), "the start of the round", patience_s=10)
        return all(map(_knows_the_start, played.clocks.values()))

    until(all_know, "the start of the round at all tables")
    for clock in played.clocks.values():
        clock.press("right")
        clock.until("running")
    overtime, adjudicated, held, _ = played.clocks.values()
    # Table 2: a challenge, and its verdict. Table 3: a hold, accepted by a press.
    for clock in (adjudicated, held):
        clock.press("left")
    adjudicated.press("centre", CALL_NS)
    adjudicated.until("adjudication")
    adjudicated.press("centre")
    adjudicated.press("centre", A_SECOND_NS)
    until(lambda: adjudicated.game.phase.value != "adjudication", "the verdict")
    held.press("left", A_SECOND_NS)
    held.until("hold")
    held.press("right")
    # Table 1: the left side has four seconds.
    until(lambda: overtime.game.remaining(Side.LEFT, overtime.loop._clock.table.instant(time.monotonic_ns())) < -NS, "overtime")
    page = played.go("/")
    tile = page.locator('#needs .tile[data-need="overtime"]')
    tile.wait_for()
    assert "10" in tile.locator(".penalty").first.inner_text()
    assert page.locator(".player", has_text=SCRIPT).count() >= 1
    assert page.evaluate("window.hurt") is None


def _call(played: Round) -> None:
    clock, page = played.clocks[3], played.page
    with directors_key(clock):
        # As the players do by their own menu.
        choose(clock, "Call for the director", "Yes: the players call", "Do it")
    played.go("/calls")
    page.locator(".waiting", has_text="Table 3").wait_for()
    page.click(".waiting button")
    page.wait_for_selector(".taken")
    # The key answers the call.
    with directors_key(clock):
        choose(clock, "Give or take time", "RIGHT", "+1:00", "OK: +1:00", "At the end of the game", "director's ruling", "Do it")
    page.locator("text=No calls.").wait_for()
    played.go("/table/3")
    page.locator("section[aria-labelledby=adjusted-title] li").wait_for()


def _finish(played: Round) -> None:
    # At all tables at once: a finger takes its time in the menu.
    with ThreadPoolExecutor() as tables:
        list(tables.map(_end, played.clocks.values()))
    page = played.go("/round")
    until(lambda: page.locator("dt", has_text=re.compile("^Over$")).locator("+ dd").inner_text() == "4", "that all games are over")


def _end(clock: PlayedClock) -> None:
    with directors_key(clock):
        choose(clock, "End the game", "director's ruling", "Do it")
    clock.until("over")


def test_the_exports_are_what_each_clocks_journal_says(played: Round) -> None:
    page = played.go("/event")
    with page.expect_download() as csv_file:
        page.click("text=CSV")
    with page.expect_download() as json_file:
        page.click("text=JSON")
    assert (csv_file.value.suggested_filename, json_file.value.suggested_filename) == ("round-1.csv", "round-1.json")
    with csv_file.value.path().open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    games = json.loads(json_file.value.path().read_text(encoding="utf-8"))["games"]
    assert [line["Player1"] for line in lines] == ["Ann Abel", f"'{FORMULA}", "Eve Evans", "Gil García"]
    for number, (line, game) in enumerate(zip(lines, games, strict=True), 1):
        said = own_account(played.clocks[number])
        assert (game["table"], game["over"], game["journal"]) == (number, True, said["journal"])
        assert (line["table"], line["over"], line["journal"]) == (str(number), "1", said["journal"])
        for place, side in enumerate(Side, 1):
            measured = {name: value for name, value in game["players"][place - 1].items() if name not in ("name", "score")}
            assert measured == said[side], number
            assert {name: int(line[f"{name}{place}"]) for name in measured} == said[side], number
    # What the round was for is among them.
    assert games[0]["players"][0]["overtime_ms"] > 1000
    assert games[0]["players"][0]["penalty"] == 10
    assert sum(player["challenges"] for player in games[1]["players"]) == 1
    assert sum(player["holds"] for player in games[2]["players"]) == 1


def own_account(clock: PlayedClock) -> dict[Any, Any]:
    """Return each side's account of the last game, and the hash of its last row."""
    recovered = present(recover(clock.journal, load_rulebook))
    assert recovered.history is not None
    history = recovered.history
    game = history.game_at(history.at)
    counts: Counter[tuple[str, Side | None]] = Counter()
    for link in history:
        name = type(link.event).__name__
        if link.fate is Fate.VALID and name in ("Hold", "Challenge"):
            counts[name, link.game.holder if name == "Hold" else link.game.challenger] += 1
    rows = [each for each in rows_in(clock.journal) if each.row.game == recovered.game and each.row.kind != Kind.BOOT]
    accounts = {
        side: {
            "used_ms": game.used.of(side) // 1_000_000,
            "overtime_ms": max(0, -game.remaining(side, history.at)) // 1_000_000,
            "penalty": game.penalty(side, history.at),
            "holds": counts["Hold", side],
            "challenges": counts["Challenge", side],
        }
        for side in Side
    }
    return {"journal": rows[-1].hash, **accounts}
