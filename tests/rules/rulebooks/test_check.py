from __future__ import annotations

from pathlib import Path

from appliance.finding import State
from rules.rulebooks.load import check_rulebooks


def test_the_shipped_rulebooks_are_sound() -> None:
    (finding,) = check_rulebooks("naspa-2017", ())
    assert finding.state is State.OK
    assert finding.found.startswith("9 shipped, 0 own; the settings name ")


def test_each_rulebook_that_cannot_be_used_is_a_failure_of_its_own(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("no_such_key = 1\n")
    findings = list(check_rulebooks("naspa-1999", (str(own),)))
    assert [finding.name for finding in findings] == ["rulebook naspa-1999", f"rulebook {own}"]
    assert {finding.state for finding in findings} == {State.FAIL}
    assert 'found "naspa-1999"' in findings[0].found
    assert "no_such_key" in findings[1].found
