"""A rulebook with any key removed, renamed or given another value is a rulebook or one line that names the key."""

import contextlib
import tomllib
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from rules.rulebooks import RulebookError, load_rulebook
from tests.cells import each_cell
from tests.rules.rulebooks.own_files import refusal, shipped_text, written


def _places(table: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every key in a file, tables and leaves."""
    below = [place for key, value in table.items() if isinstance(value, dict) for place in _places(value, (*path, key))]
    return [(*path, key) for key in table] + below


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    return str(value)


# each example writes its file anew, so the folder may be shared
ON_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
BASE = tomllib.loads(shipped_text("naspa-2014"))
KNOWN = {key for place in _places(BASE) for key in place} | {"extends"}
OPTIONAL = {"assumed"}
OPTIONAL_PLACES = {("windows", name) for name in BASE["windows"]} - {("windows", "out_play"), ("windows", "recount")} | {
    ("grace",),
    ("late",),
    ("late", "both_absent"),
    ("infractions",),
    ("minutes",),
    ("minutes", "clock_hit_in_error"),
    ("minutes", "wrong_board"),
    ("end",),
    ("end", "six_zeros"),
    ("end", "resignation"),
    ("six_zeros",),
    ("concession",),
    ("review",),
    ("restart",),
    ("second_opinion",),
    ("first_word",),
}
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAY_BE_EMPTY = {("minutes",)}
WRONG = st.one_of(
    st.just([]), st.just({}), st.floats(), NAMES.map(lambda name: {name: 1}), st.integers(max_value=-1), st.just("\n"), st.dates()
)


def _write_changed(folder: Path, place: tuple[str, ...], *, rename: str | None = None, value: Any = None) -> str:
    """Write the 2014 rulebook with the key at ``place`` removed, renamed or given another value."""
    whole = tomllib.loads(shipped_text("naspa-2014"))
    table = whole
    for step in place[:-1]:
        table = table[step]
    old = table.pop(place[-1])
    if rename is not None:
        table[rename] = old
    if value is not None:
        table[place[-1]] = value
    return written(folder, "".join(f"{_toml(key)} = {_toml(each)}\n" for key, each in whole.items()))


def test_a_file_without_one_of_its_keys_is_refused(tmp_path: Path) -> None:
    for cell in each_cell([each for each in _places(BASE) if each[-1] not in OPTIONAL and each not in OPTIONAL_PLACES]):
        with cell as place:
            assert place[-1] in str(refusal(_write_changed(tmp_path, place))) or place[-1] == "windows"


@ON_ONE_FOLDER
@example(place=("concession",), name="#")
@given(place=st.sampled_from(_places(BASE)), name=NAMES.filter(lambda name: name not in KNOWN))
def test_a_key_renamed_to_an_unknown_one_is_refused_in_one_line(place: tuple[str, ...], name: str, tmp_path: Path) -> None:
    assert "\n" not in str(refusal(_write_changed(tmp_path, place, rename=name)))


@ON_ONE_FOLDER
@given(place=st.sampled_from(_places(BASE)), name=st.sampled_from(sorted(KNOWN)))
def test_a_key_renamed_to_another_known_one_gives_a_rulebook_or_a_rulebook_error_and_nothing_else(
    place: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    with contextlib.suppress(RulebookError):
        assert load_rulebook(_write_changed(tmp_path, place, rename=name)).id == "naspa-2014"


@ON_ONE_FOLDER
@given(place=st.sampled_from(_places(BASE)), value=WRONG)
def test_a_value_of_the_wrong_kind_gives_a_rulebook_error_that_names_its_key(place: tuple[str, ...], value: Any, tmp_path: Path) -> None:
    assume(value != {} or place not in MAY_BE_EMPTY)
    said = str(refusal(_write_changed(tmp_path, place, value=value)))
    assert place[-1] in said
    assert "\n" not in said
