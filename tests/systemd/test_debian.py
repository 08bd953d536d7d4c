"""The packaging data agree with the project: without building anything."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DEBIAN: Final = ROOT / "systemd/debian"
LOCKED: Final = re.compile(r"^([a-z0-9-]+)==(\S+)((?: \\\n +--hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def wanted() -> dict[str, str]:
    """Return the libraries of a clock on a Pi, by name, with their pinned versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = [each.split("==") for each in (*project["dependencies"], *project["optional-dependencies"]["pi"])]
    return {name.lower().replace("_", "-"): version for name, version in pinned}


def from_debian() -> dict[str, str]:
    """Return the libraries that Debian serves, with its packages."""
    lines = (DEBIAN / "from-debian.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def locked() -> dict[str, str]:
    """Return the libraries of the private environment with their versions."""
    return {name: version for name, version, _ in LOCKED.findall((DEBIAN / "wheels.txt").read_text(encoding="utf-8"))}


def test_every_library_is_either_debians_or_locked_in_the_version_of_the_project() -> None:
    assert {name: version for name, version in wanted().items() if name not in from_debian()} == {
        name: version for name, version in locked().items() if name in wanted()
    }
    assert not locked().keys() & from_debian().keys()


def test_every_line_of_the_lock_is_a_version_with_checksums() -> None:
    text = (DEBIAN / "wheels.txt").read_text(encoding="utf-8")
    assert text.count("==") == len(locked())


def test_what_is_debians_is_asked_for_by_the_shared_package() -> None:
    control = (DEBIAN / "control").read_text(encoding="utf-8")
    shared = control.split("Package: tileclock-common")[1].split("\n\n")[0]
    assert [package for package in from_debian().values() if f"{package}," not in shared] == []


def test_what_sdl_loads_for_a_bare_panel_is_asked_for_by_the_shared_package() -> None:
    shared = (DEBIAN / "control").read_text(encoding="utf-8").split("Package: tileclock-common")[1].split("\n\n")[0]
    assert {"libegl1", "libgles2", "libgl1-mesa-dri"} <= set(re.findall(r"[a-z0-9-]+(?=,)", shared))


def test_every_shipped_library_has_its_licence_told() -> None:
    copyrights = (DEBIAN / "copyright").read_text(encoding="utf-8")
    told = {match.rstrip("-").replace("_", "-") for match in re.findall(r"^Files: wheels/(\S+)\*", copyrights, re.MULTILINE)}
    assert told == locked().keys() - {"setuptools"}


def test_no_script_of_the_packages_starts_or_restarts_a_service() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in DEBIAN.iterdir() if path.suffix in (".postinst", ".prerm", ".postrm"))
    assert not re.search(r"(?:invoke|systemctl(?: --system)?) (?:try-)?(?:re)?start", scripts)
    calls = re.findall(r"^\tdh_installsystemd .*$", (DEBIAN / "rules").read_text(encoding="utf-8"), re.MULTILINE)
    assert [call for call in calls if "--no-start --no-stop-on-upgrade" not in call] == []
