import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from tests.errors import refused

VECTORS = Path(__file__).parent / "vectors"
BEGIN = '{"t": "0", "do": "new_game", "edition": 5, "rulebook": "naspa-2017"}'
SHOW = '{"t": "900", "do": "show"}'


def replay(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["replay", str(path), *options])


def script(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "script.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
    return path


def faces(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line, parse_float=Decimal) for line in result.stdout.splitlines()]


def _agrees(found: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and _agrees(found[key], value) for key, value in expected.items())
    return type(found) is type(expected) and bool(found == expected)


@pytest.mark.parametrize("name", ["games", "late", "edition5"])
def test_the_worked_examples_print_what_is_expected_line_by_line(name: str) -> None:
    result = replay(VECTORS / f"{name}.jsonl")
    expected = [json.loads(line, parse_float=Decimal) for line in (VECTORS / f"{name}.expected.jsonl").read_text("utf-8").splitlines()]
    assert result.exit_code == 0
    shown = faces(result)
    assert len(shown) == len(expected)
    assert [(found, wanted) for found, wanted in zip(shown, expected, strict=True) if not _agrees(found, wanted)] == []


def test_the_worked_examples_of_this_edition_refuse_the_lines_that_they_mark_and_no_others() -> None:
    path = VECTORS / "edition5.jsonl"
    rows = path.read_text("utf-8").splitlines()
    marked = [number + 1 for number, row in enumerate(rows, 1) if row == "// Refused:"]
    refused = [int(line.removeprefix(f"{path}:").split(":")[0]) for line in replay(path).stderr.splitlines()]
    assert refused == marked


def test_a_face_has_at_least_the_keys_of_the_format(tmp_path: Path) -> None:
    path = script(tmp_path, BEGIN, '{"t": "1.50", "do": "window", "name": "mixing"}', '{"t": "2.250", "do": "show"}')
    [face] = faces(replay(path))
    keys = "t phase running turn reason loser lost_turn left right window holder draw elapsed called"
    assert face.keys() >= set(keys.split())
    assert face["left"].keys() >= {"reading", "used_ns", "penalty", "credit", "points"}
    assert (face["t"], face["window"]) == ("2.250", {"name": "mixing", "reading": "0:10", "expired": False})


def test_a_refused_event_is_named_on_standard_error_and_the_run_goes_on(tmp_path: Path) -> None:
    path = script(tmp_path, BEGIN, '{"t": "1", "do": "release"}', '{"t": "2", "do": "press", "side": "left"}', SHOW)
    result = replay(path)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"{path}:2: release, ")
    assert len(result.stderr.splitlines()) == 1
    assert faces(result)[0]["running"] == "right"


def test_under_strict_a_refusal_ends_with_two_after_everything_was_shown(tmp_path: Path) -> None:
    result = replay(script(tmp_path, BEGIN, '{"t": "1", "do": "release"}', SHOW), "--strict")
    assert result.exit_code == 2
    assert len(faces(result)) == 1
    assert replay(script(tmp_path, BEGIN, SHOW), "--strict").exit_code == 0


EDGES = [
    '{"t": "5.000", "do": "edge", "button": "left", "down": true}',
    '{"t": "5.001", "do": "edge", "button": "left", "down": false}',
    '{"t": "5.002", "do": "edge", "button": "left", "down": true}',
    '{"t": "5.100", "do": "edge", "button": "left", "down": false}',
]


def test_edges_with_bounce_play(tmp_path: Path) -> None:
    result = replay(script(tmp_path, BEGIN, *EDGES, '{"t": "7", "do": "show"}'))
    face = faces(result)[0]
    assert (face["running"], face["right"]["used_ns"]) == ("right", 2_000_000_000)


def test_a_gesture_that_means_nothing_is_no_refusal(tmp_path: Path) -> None:
    ended = '{"t": "1", "do": "end", "reason": "x"}'
    result = replay(script(tmp_path, BEGIN, ended, *EDGES, '{"t": "7", "do": "show"}'), "--strict")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_long_press_acts_before_the_next_line_though_no_edge_comes(tmp_path: Path) -> None:
    lines = ['{"t": "1", "do": "press", "side": "right"}', '{"t": "5", "do": "edge", "button": "centre", "down": true}']
    shows = ['{"t": "6.999999999", "do": "show"}', '{"t": "7", "do": "show"}']
    assert [face["phase"] for face in faces(replay(script(tmp_path, BEGIN, *lines, *shows)))] == ["neutral", "adjudication"]


def test_a_malformed_line_ends_with_two_and_its_file_and_line_in_one_sentence(tmp_path: Path) -> None:
    path = script(tmp_path, BEGIN, '{"t": "0.5", "do": "press", "side": "right"}', '{"t": "0.5", "do": "show"}', "press", SHOW)
    result = replay(path)
    refused(result, where=f"{path}:4")
    assert len(faces(result)) == 1
    other = replay(script(tmp_path, BEGIN.replace("5", "1")))
    sentence = f"{path}:1: new_game: edition: expected 5, found 1: this file was written for another edition of the events"
    assert (other.exit_code, sentence in other.stderr) == (2, True)


def test_a_first_line_without_an_edition_is_read_as_this_one_and_said_to_be(tmp_path: Path) -> None:
    bare = '{"t": "0", "do": "new_game", "rulebook": "naspa-2017"}'
    path = script(tmp_path, "// remark", bare, '{"t": "0", "do": "end", "reason": "x"}', bare, SHOW)
    result = replay(path, "--strict")
    assert (result.exit_code, faces(result)[0]["phase"]) == (0, "ready")
    assert result.stderr == f"{path}:2: new_game names no edition of the events: read as edition 5\n"
    assert replay(script(tmp_path, BEGIN, SHOW)).stderr == ""


def test_a_file_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        refused(replay(path), where=str(path))


def test_a_script_can_come_from_standard_input() -> None:
    result = CliRunner().invoke(main, ["replay", "-"], input=f"// a comment\n\n{BEGIN}\n{SHOW}\n")
    assert (result.exit_code, faces(result)[0]["phase"]) == (0, "ready")


def test_a_rulebook_of_the_directors_own_that_is_broken_is_said_with_the_line(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("regulation = nonsense")
    path = script(tmp_path, json.dumps({"t": "0", "do": "new_game", "rulebook": str(own)}))
    refused(replay(path), where=re.compile(rf"^{re.escape(str(path))}:1\b"))
