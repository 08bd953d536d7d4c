"""The script of ``tileclock-update.service``, with the real apt and dpkg in folders of its own: what it installs, what it never does, and what it completes."""

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from tests.installed import require
from tests.machine.debian import run
from tests.machine.package_source import make_key, publish, write_package
from tests.systemd.laid import UNITS

_CONF: Final = """
Dir::State "{0}/state"; Dir::State::status "{0}/disk/var/lib/dpkg/status"; Dir::Cache "{0}/cache"; Dir::Log "{0}/log";
Dir::Etc::sourcelist "{0}/sources.list"; Dir::Etc::sourceparts "/dev/null"; Dir::Etc::preferences "{0}/preferences"; Dir::Etc::preferencesparts "/dev/null";
Dir::Etc::trusted "/dev/null"; Dir::Etc::trustedparts "/dev/null"; Dir::Etc::main "/dev/null"; Dir::Etc::parts "/dev/null";
APT::Sandbox::User ""; DPkg::Post-Invoke {{}}; #clear DPkg::Pre-Install-Pkgs;
"""
NEW: Final = {"tileclock": "2.0", "tileclock-common": "2.0", "tilekiosk": "2.0", "owners": "2.0"}
OLD: Final = {"tileclock": "1.0", "tileclock-common": "1.0", "owners": "1.0"}


class Updated(Struct, frozen=True, dict=True):
    folder: Path
    key: Path

    def at(self, path: str) -> Path:
        return self.folder / path

    @property
    def environment(self) -> dict[str, str]:
        here = str(self.folder)
        return {
            "PATH": f"{here}/bin:{os.environ['PATH']}:/usr/sbin:/sbin",
            "HOME": here,
            "APT_CONFIG": f"{here}/apt.conf",
            "DPKG_ADMINDIR": f"{here}/disk/var/lib/dpkg",
            "RUNTIME_DIRECTORY": f"{here}/run",
            "STATE_DIRECTORY": f"{here}/lib",
        }

    def dpkg(self, *words: str) -> None:
        run("dpkg", *words, env=self.environment)

    def offer(self, packages: dict[str, str], *, signed: bool = True, name: str = "source") -> None:
        source = self.at(name)
        source.mkdir(exist_ok=True)
        for old in source.glob("*.deb"):
            old.unlink()
        for package, version in packages.items():
            write_package(source, package, version)
        publish(source, self.at("keys") if signed else None)
        line = f"deb [signed-by={self.key}] file:{source} ./\n"
        sources = self.at("sources.list")
        sources.write_text(sources.read_text() + line if sources.exists() and line not in sources.read_text() else line)

    def update(self, *, asked: bool = True) -> str:
        """Run the script, and return what came of it; empty: it tells nothing."""
        outcome = self.at("run/outcome")
        outcome.unlink(missing_ok=True)
        self.at("called").unlink(missing_ok=True)
        if asked:
            self.at("request").touch()
        done = subprocess.run(
            [UNITS / "data/update", self.at("request")], env=self.environment, capture_output=True, text=True, check=False, cwd=self.folder
        )
        self.at("said").write_text(done.stdout + done.stderr)
        reported = outcome.read_text().strip() if outcome.exists() else ""
        assert (done.returncode != 0) == (reported == "failed"), done.stdout + done.stderr
        assert not self.at("request").exists()
        return reported

    @property
    def packages(self) -> dict[str, str]:
        shown = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Package} ${Version} ${db:Status-Status}\n"],
            env=self.environment, capture_output=True, text=True, check=False,
        ).stdout  # fmt: skip
        found = dict(line.removesuffix(" installed").split() for line in shown.splitlines() if line.endswith(" installed"))
        assert {name: self.at(f"disk/usr/share/{name}").read_text() for name in found} == found
        return found

    @property
    def called(self) -> list[str]:
        return self.at("called").read_text().splitlines() if self.at("called").exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Updated:
    for each in ("apt-get", "dpkg", "gpg"):
        require(each)
    for folder in ("bin", "run", "lib", "old", "state/lists/partial", "cache/archives/partial", "log", "disk/var/lib/dpkg/updates", "disk/var/lib/dpkg/info"):  # fmt: skip
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "disk/var/lib/dpkg/status").touch()
    (tmp_path / "apt.conf").write_text(_CONF.format(tmp_path))
    (tmp_path / ".dpkg.cfg").write_text(f"root={tmp_path}/disk\nforce-not-root\nforce-bad-path\nlog={tmp_path}/dpkg.log\n")
    systemctl = tmp_path / "bin/systemctl"
    systemctl.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/called\n')
    systemctl.chmod(0o755)
    here = Updated(tmp_path, make_key(tmp_path / "keys"))
    here.dpkg("--install", *(str(write_package(tmp_path / "old", name, version)) for name, version in OLD.items()))
    assert here.packages == OLD
    return here


def test_newer_versions_of_our_packages_that_are_there_are_installed_and_nothing_else(machine: Updated) -> None:
    machine.offer(NEW)
    assert machine.update() == "installed", machine.at("said").read_text()
    assert machine.packages == {"tileclock": "2.0", "tileclock-common": "2.0", "owners": "1.0"}
    assert machine.called == ["stop tileclock.service", "--no-block try-restart tilehall-link@tileclock.service"]
    assert not machine.at("lib/begun").exists()
    assert machine.update() == "nothing"
    assert machine.called == ["stop tileclock.service"]


def test_a_source_that_is_not_signed_is_not_believed_whatever_apts_settings_say(machine: Updated) -> None:
    machine.offer(NEW, signed=False)
    with machine.at("apt.conf").open("a") as settings:
        settings.write('Acquire::AllowInsecureRepositories "1"; APT::Get::AllowUnauthenticated "1";\n')
    assert machine.update() == "failed"
    assert machine.packages == OLD


def test_a_source_that_is_signed_by_another_key_is_not_believed(machine: Updated) -> None:
    machine.offer(NEW)
    machine.at("keys").rename(machine.at("first"))
    make_key(machine.at("keys"))
    assert machine.update() == "failed"
    assert machine.packages == OLD


def test_no_older_version_is_installed_even_where_a_preference_asks_for_it(machine: Updated) -> None:
    machine.offer({"tileclock": "0.9"})
    assert machine.update() == "nothing"
    machine.at("preferences").write_text(
        "Package: *\nPin: origin *\nPin-Priority: 1001\n\nPackage: tileclock\nPin: version 0.9\nPin-Priority: 1001\n"
    )
    assert machine.update() == "failed"
    assert "downgrade" in machine.at("said").read_text()
    assert machine.packages == OLD


def test_a_source_out_of_reach_hinders_no_other_and_is_told_where_nothing_was_installed(machine: Updated) -> None:
    machine.offer(NEW, name="gone")
    machine.offer({})
    run("rm", "-r", str(machine.at("gone")))
    assert machine.update() == "failed"
    machine.offer({"tileclock": "2.0"})
    assert machine.update() == "installed", machine.at("said").read_text()
    assert machine.packages == {**OLD, "tileclock": "2.0"}


def test_a_request_that_the_clock_has_withdrawn_does_nothing(machine: Updated) -> None:
    machine.offer(NEW)
    assert machine.update(asked=False) == ""
    assert (machine.called, machine.packages) == ([], OLD)


def test_a_package_that_was_unpacked_when_the_power_went_is_completed_at_the_boot_without_a_source(machine: Updated) -> None:
    machine.dpkg("--unpack", str(write_package(machine.at("old"), "tileclock", "2.0")))
    assert "tileclock" not in machine.packages
    machine.at("lib/begun").touch()
    assert machine.update(asked=False) == "installed", machine.at("said").read_text()
    assert machine.packages == {**OLD, "tileclock": "2.0"}
    # The clock has not been started yet.
    assert "stop tileclock.service" not in machine.called
    assert not machine.at("lib/begun").exists()


@pytest.mark.parametrize("asked", [False, True])
def test_a_package_of_which_half_the_files_were_there_is_installed_again(machine: Updated, asked: bool) -> None:
    machine.offer(NEW)
    assert machine.update() == "installed"
    # As dpkg leaves it while it replaces the files.
    status = machine.at("disk/var/lib/dpkg/status")
    head, entry = status.read_text().split("Package: tileclock-common\n")
    entry = entry.replace("install ok installed", "install reinstreq half-installed", 1).replace("Version: 2.0", "Version: 1.0", 1)
    status.write_text(f"{head}Package: tileclock-common\n{entry}")
    machine.at("disk/usr/share/tileclock-common").write_text("half")
    machine.at("lib/begun").touch()
    assert machine.update(asked=asked) == "installed", machine.at("said").read_text()
    assert machine.packages["tileclock-common"] == "2.0"
    assert not machine.at("lib/begun").exists()


def test_what_cannot_be_completed_is_tried_again_at_the_next_boot(machine: Updated) -> None:
    machine.offer({})
    status = machine.at("disk/var/lib/dpkg/status")
    whole, half = (f"Package: tileclock\nStatus: install {state}" for state in ("ok installed", "reinstreq half-installed"))
    status.write_text(status.read_text().replace(whole, half))
    machine.at("lib/begun").touch()
    assert machine.update(asked=False) == "failed"
    assert machine.at("lib/begun").exists()
