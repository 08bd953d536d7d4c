"""Where a crash record stands: in memory, in a folder of the user's own, and never in one that another user made."""

import os
import re
from pathlib import Path

import pytest

from appliance.crash.record import crash_folder
from appliance.errors import NoCrashFolder
from tests.errors import with_fields


def test_the_services_own_folder_comes_first_then_the_sessions_then_the_shared_one(tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("run", "session", "shared")}
    for place in places.values():
        place.mkdir()
    both = {"RUNTIME_DIRECTORY": f"{places['run']}:/run/more", "XDG_RUNTIME_DIR": str(places["session"])}
    assert crash_folder("clock", both, places["shared"]) == places["run"] / "crash"
    assert crash_folder("clock", {"XDG_RUNTIME_DIR": both["XDG_RUNTIME_DIR"]}, places["shared"]) == places["session"] / "clock"
    own = crash_folder("clock", {}, places["shared"])
    assert own == places["shared"] / f"clock-{os.geteuid()}"
    assert own.stat().st_mode & 0o777 == 0o700
    assert crash_folder("clock", {}, places["shared"]) == own


def _open_to_others(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def _link(folder: Path) -> None:
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir(0o700)
    folder.symlink_to(elsewhere)


@pytest.mark.parametrize("made", [_open_to_others, _link, Path.touch])
def test_what_is_no_folder_of_this_user_alone_is_not_used(tmp_path: Path, made: object) -> None:
    assert callable(made)
    made(tmp_path / f"clock-{os.geteuid()}")
    with pytest.raises(NoCrashFolder, check=with_fields(found=re.compile("not a private folder of this user"))):
        crash_folder("clock", {}, tmp_path)


def test_where_there_is_no_place_each_is_named_with_its_reason(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(NoCrashFolder) as found:
        crash_folder("clock", {"RUNTIME_DIRECTORY": str(gone), "XDG_RUNTIME_DIR": "not/absolute"}, gone)
    assert str(found.value).count("no such file or directory") == 2
    assert "expected an absolute path" in str(found.value)
