from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image
from pypdf import PdfReader

from appliance.texts import MASTER, languages, load_part
from rules.rulebooks import OvertimeBand, Rulebook, load_rulebook, shipped_ids
from tests.examples import sampled
from tools import moving
from tools.clock_demo import headless as clock_demo
from tools.sheets.content import A4, A6, SHEETS, words
from tools.sheets.draw import SHIPPED, SheetError, pdf
from tools.station_demo import headless as station_demo

MM = 72 / 25.4
SIZES = {"player": A6, "director": A4, "sign": A4}
OWN = """
extends = "wespa-2021"
id = "own"
title = "Our club"
summary = "Other values than any shipped rulebook."
[regulation]
time = "23:00"
clause = "1"
[challenge]
acceptable_loses_turn = false
points_a_word = 7
clause = "2"
[windows.out_play]
seconds = 37
clause = "3"
"""
SAID = {"player": ("23:00", "37 s"), "director": ("23:00", "37 s"), "sign": ()}


def own(folder: Path) -> Rulebook:
    file = folder / "own.toml"
    file.write_text(OWN, "utf-8")
    return load_rulebook(str(file))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", SHEETS)
def test_each_sheet_is_one_page_of_its_size_with_the_rulebooks_values(name: str, language: str, tmp_path: Path) -> None:
    for book in (own(tmp_path), *map(load_rulebook, sampled(SHIPPED, 4))):
        (page,) = PdfReader(BytesIO(pdf(name, book, language))).pages
        assert [float(page.mediabox.width) / MM, float(page.mediabox.height) / MM] == pytest.approx(SIZES[name], abs=0.1)
        text = " ".join(page.extract_text().split())
        expected = [*SAID[name], load_part("sheets", language).say("rule.cost_word", points=7)]
        assert [value for value in expected if value in text] == (expected if book.id == "own" else [])


def leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every single value of a rulebook with its path."""
    match value:
        case Struct():
            for name in value.__struct_fields__:
                yield from leaves(getattr(value, name), (*path, name))
        case Mapping():
            for name, each in value.items():
                yield from leaves(each, (*path, str(name)))
        case _:
            yield path, value


def with_leaf(value: Any, path: tuple[str, ...], leaf: object) -> Any:
    """Return ``value`` with another single value at ``path``."""
    if not path:
        return leaf
    name, *rest = path
    if isinstance(value, Mapping):
        return {**value, name: with_leaf(value[name], tuple(rest), leaf)}
    return replace(value, **{name: with_leaf(getattr(value, name), tuple(rest), leaf)})


def test_no_value_in_which_shipped_rulebooks_differ_is_missing_on_the_sheets() -> None:
    # Every other language has the same places for values.
    said, books = words(MASTER), [load_rulebook(name) for name in shipped_ids()]
    values = [dict(leaves(book)) for book in books]
    differ = {path for path in set().union(*values) if len({repr(each[path]) for each in values if path in each}) > 1}
    printed = {
        path
        for (book, of_book), other, path in product(zip(books, values, strict=True), values, differ)
        if path in of_book and path in other and of_book[path] != other[path]
        for changed in (with_leaf(book, path, other[path]),)
        if any(SHEETS[name](said, book) != SHEETS[name](said, changed) for name in ("player", "director"))
    }
    assert differ - printed == {("id",)}


def test_a_sheet_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    book = own(tmp_path)
    bands = tuple(OvertimeBand(minute * 60, 10, 60) for minute in range(99))
    with pytest.raises(SheetError, match="expected one page, found more"):
        pdf("player", replace(book, overtime=replace(book.overtime, bands=bands)), "en")


def test_the_moving_pictures_move_and_are_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A quarter of the pixels is drawn, written and read in a third of the time.
    monkeypatch.setattr(moving, "WIDTH", moving.WIDTH // 2)
    monkeypatch.setattr(clock_demo, "SIZE", (480, 320))
    monkeypatch.setattr(station_demo, "SIZE", (800, 480))
    files = {moving.game: tmp_path / "game.webp", moving.challenge: tmp_path / "challenge.webp"}
    for make, file in files.items():
        make(file)
        with Image.open(file) as picture:
            assert picture.n_frames > 20  # type: ignore[attr-defined]  # of a picture that moves
        with Image.open(moving.still_of(file)) as still:
            assert still.n_frames == 1  # type: ignore[attr-defined]
    assert sum(file.stat().st_size for file in files.values()) < 900_000


def test_a_lost_challenge_that_costs_the_turn_and_points_says_both(tmp_path: Path) -> None:
    book = own(tmp_path)
    both = replace(book, challenge=replace(book.challenge, acceptable_loses_turn=True))
    (page,) = PdfReader(BytesIO(pdf("player", both, "en"))).pages
    assert "the turn + 7 points a word" in " ".join(page.extract_text().split())
