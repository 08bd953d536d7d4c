"""The tables of docs/spec/events.md, "Own button" and "Bar", are those that the clock plays by."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.gestures.meaning import BAR, OWN_BUTTON, Row
from firmware.texts import load_texts

CALLS: Final = {
    "hold": "hold",
    "released": "release",
    "accept": "release",
    "i_challenge": "challenge",
    "out_play": "did you play out",
    "challenge": "challenge",
    "next_game": "next game",
    "": "-",
}
"""What the page has in its column of the held press."""


PAGE: Final = (Path(__file__).parents[3] / "docs" / "spec" / "events.md").read_text(encoding="utf-8")


def table(title: str) -> Iterator[list[str]]:
    """Yield the rows of the first table below a title, without the backquotes of names; a row without a phase is of the one above."""
    lines = PAGE.partition(f"\n### {title}\n")[2].partition("\n| --- ")[2].partition("\n\n")[0].splitlines()[1:]
    phase = ""
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        phase = cells[0].replace("`", "") or phase
        yield [phase, *cells[1:]]


def said(cell: str) -> str:
    """Return what the page says in a cell, as the row of the clock does: the event, or the sentence that says why there is none."""
    return cell.removeprefix("nothing: ").split("`")[1] if "`" in cell else ""


def short(row: Row) -> str:
    texts = load_texts()
    return texts.say(f"answer.{row.says}").replace("\u00a0", " ") if row.says else row.short


def test_the_own_buttons_rows() -> None:
    rows = {(phase, who.split(";")[0]): (said(short), held) for phase, who, short, held in table("Own button")}
    assert list(rows) == list(OWN_BUTTON)
    for place, row in OWN_BUTTON.items():
        does, held = rows[place]
        assert does.lower() == short(row).lower(), place
        assert CALLS[row.held] in held.lower(), place


def test_the_bars_rows() -> None:
    rows = {phase.removesuffix(" (also pending)"): (does, second) for phase, does, _, second in table("Bar")}
    assert list(rows) == [place for place in BAR if place != "neutral, no turn yet"]
    for place, (does, second) in rows.items():
        assert said(does).lower() == short(BAR[place]).lower(), place
        assert CALLS[BAR[place].held] in second.lower(), place
