"""The index of NASPA 2017 under "Time frame", entry by entry: each stands in docs/spec/rules.md, and the clock has what stands there."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from firmware.table_menu.pages import first_page, rows_behind
from rules.duration import NS, parse_instant, reading
from rules.rulebooks import WINDOW_NAMES, load_rulebook
from tests.cells import each_cell
from tests.firmware.gestures.trains import setup
from tests.firmware.saying import check, play

INDEX: Final = (
    # The heading in the index (s), its entry, and the entry in docs/spec/rules.md.
    (5, "hold/challenge upon returning from outside the playing area", "hold or challenge after returning to the table"),
    (5, "hold/challenge when fast-bagged", "hold or challenge when fast-bagged"),
    (10, "maximum time to mix tiles", "mix tiles"),
    (15, "choose in overdraw", "choose in overdraw"),
    (15, "draw replacement tiles", "draw replacement tiles"),
    (20, "find disconnected play at end of game", "find a disconnected play at the end"),
    (20, "hold/challenge if clock is not started after a play", "hold or challenge if the clock was not started"),
    (20, "neutralize on out play", "neutralise on the out play"),
    (60, "choose in improper exchange", "choose in an improper exchange, in a late underdraw"),
    (60, "choose in late game underdraw", "choose in an improper exchange, in a late underdraw"),
    (60, "delaying opponent draw while tracking tiles", "delaying the draw by tracking"),
    (60, "every three errors", "every three errors"),
    (60, "if start clock in error", "clock started in error"),
    (60, "irregularity after challenge", "irregularity after a challenge"),
    (60, "to initiate a recount", "start a recount"),
    (60, "warning before terminating a recount", "warning before ending a recount"),
    (300, "minimum between rounds", "least time between rounds"),
    (300, "round start to latecomer clock start", "round's start to latecomer's clock"),
    (600, "between unscheduled rounds", "between unscheduled rounds"),
    (600, "maximum overtime", "most overtime"),
    (1500, "latecomer clock start to game forfeit", "latecomer's clock to forfeit"),
    (1500, "overtime", "overtime"),
)
RULES: Final = Path(__file__).parents[2] / "docs" / "spec" / "rules.md"
BOOK: Final = load_rulebook("naspa-2017")


class Entry(NamedTuple):
    name: str
    length_s: int
    on_clock: str
    how: str

    @property
    def windows(self) -> list[str]:
        return [name for name in re.findall(r"`(\w+)`", self.on_clock) if name in WINDOW_NAMES]

    @property
    def rows(self) -> list[str]:
        return re.findall(r"row ([A-Z][a-z]+(?: [a-z]+)*)", self.how)


def _entries() -> list[Entry]:
    section = RULES.read_text("utf-8").split("### The index of 2017, entry by entry")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    return [Entry(name, _seconds(length), on_clock, how) for name, length, on_clock, how in rows]


def _seconds(length: str) -> int:
    count, unit = length.split()[:2]
    return int(count) * {"s": 1, "min": 60}[unit]


ENTRIES: Final = _entries()


def test_the_contract_has_every_entry_of_the_index_with_its_length_and_no_other() -> None:
    assert {(name, seconds) for seconds, _, name in INDEX} == {(entry.name, entry.length_s) for entry in ENTRIES}


def test_each_window_lasts_as_long_as_the_entry_says() -> None:
    timed = [entry for entry in ENTRIES if entry.windows]
    assert len(timed) == 13
    for cell in each_cell(timed, lambda entry: entry.name):
        with cell as entry:
            # The least time between rounds is the director's to announce, in place of the 10 minutes.
            length = 600 if entry.name == "least time between rounds" else entry.length_s
            assert [BOOK.windows[name] for name in entry.windows] == [length * NS]


def test_players_start_each_entry_that_is_theirs_by_a_row_that_names_its_length() -> None:
    # In every phase that has time frames, as the players read them.
    offered = []
    for lines in ((), ("0 press right", "4 neutralise"), ("0 press right", "4 end reason=x")):
        history, at, table = play("naspa-2017", *lines).history, parse_instant("10"), setup()
        rows = (*first_page(history, table, at), *rows_behind(("frames",), history, table, at))
        offered += [row.message.said(table.texts) for row in rows]
    theirs = [entry for entry in ENTRIES if entry.rows]
    assert len(theirs) == 12
    for cell in each_cell(theirs, lambda entry: entry.name):
        with cell as entry:
            for row in entry.rows:
                length = "" if row == "One minute" else f" {reading(BOOK.windows[entry.windows[0]])}"
                # The row of an out play says whose it is before its length.
                assert any(text.startswith(row) and f":{length}" in text for text in offered), row


def test_the_director_warns_before_ending_a_recount() -> None:
    check("0 press right, 4 end reason=x, 5 window name=recount_warning by=director > 6 over - left, recount_warning 0:59")
