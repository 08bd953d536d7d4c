"""The Debian packages as ``make deb`` builds them, and roots of Debian to install them in, cached by what went into them."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import root_tar, run, unpack
from tests.machine.python import PACKAGES

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = (
    *PACKAGES,
    "docs",
    "tools",
    "tests/firmware",
    "tests/kiosk",
    "systemd",
    ".ci/common",
    ".ci/deb",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
)
HIGHER: Final = "99.0"
ADMINISTRATION: Final = ("systemd-sysv", "dbus", "udev", "kmod")
"""What any machine has, beside what our packages ask for."""
ENVIRONMENT: Final = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "QEMU_CPU": "cortex-a72",
}
"""With the processor of a Pi 4, where one is emulated: qemu's default, with every extension there is, is many times slower."""
Suite: TypeAlias = Literal["bookworm", "trixie"]


def packages(suite: Suite, arch: str = "amd64") -> Path:
    """Return a cached folder with the packages of the tree as it is now; building them takes a minute, and lintian must have nothing to say."""

    def make(folder: Path) -> None:
        run(str(ROOT / ".ci/deb"), env=_asked(suite, arch, folder), cwd=ROOT)

    return made(f"debs-{suite}-{arch}", "", [suite, arch, of_files(ROOT / each for each in SOURCES)], make)


def higher(folder: Path) -> Path:
    """Return a cached folder with the packages of ``folder`` in a version that is higher, and in nothing else another: what is tried is the upgrade."""

    def make(raised: Path) -> None:
        raised.mkdir()
        for deb in folder.glob("*.deb"):
            name, version, arch = deb.name.split("_")
            with scratch() as work:
                run("dpkg-deb", "--raw-extract", str(deb), str(work / name))
                control = work / name / "DEBIAN/control"
                control.write_text(control.read_text(encoding="utf-8").replace(version, HIGHER), encoding="utf-8")
                run("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(work / name), str(raised / f"{name}_{HIGHER}_{arch}"))

    return made("debs-higher", "", [folder.name, HIGHER], make)


def of_commit(commit: str, suite: Suite) -> Path:
    """Return a cached folder with the packages of an earlier commit, as that commit's own script builds them."""

    def make(folder: Path) -> None:
        with scratch() as work:
            # A working tree, for the script asks git what belongs to it and how old it is.
            run("git", "worktree", "add", "--detach", str(work / "tree"), commit, cwd=ROOT)
            try:
                (work / "tree/.venv").symlink_to(ROOT / ".venv")
                run(str(work / "tree/.ci/deb"), env=_asked(suite, "amd64", folder), cwd=work / "tree")
            finally:
                run("git", "worktree", "remove", "--force", str(work / "tree"), cwd=ROOT)

    return made(f"debs-of-commit-{suite}", "", [suite, commit], make)


def _asked(suite: Suite, arch: str, folder: Path) -> dict[str, str]:
    without_version = {name: value for name, value in os.environ.items() if name != "VERSION"}
    return without_version | {"SUITE": suite, "ARCH": arch, "DIST": str(folder)}


def files(folder: Path, names: Sequence[str] = ()) -> list[Path]:
    return [deb for deb in sorted(folder.glob("*.deb")) if not names or deb.name.split("_")[0] in names]


def asked_for(folder: Path, names: Sequence[str] = ()) -> list[str]:
    """Return what the packages in ``folder`` (those of these ``names``, or all) depend on and do not bring themselves; of a choice, the first."""
    ours = {deb.name.split("_")[0] for deb in files(folder, names)}
    named: set[str] = set()
    for deb in files(folder, names):
        depends = subprocess.run(["dpkg-deb", "--field", str(deb), "Depends"], capture_output=True, text=True, check=True).stdout
        named |= {match[0] for each in depends.split(",") if (match := re.match(r"[a-z0-9][a-z0-9+.-]+", each.strip()))}
    return sorted(named - ours)


_ENTER: Final = """
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/run"
exec chroot "$0" /usr/bin/env -i "$@"
"""


class Debian(Struct, frozen=True):
    """A root of Debian in a folder, in which commands are run without a network and without questions."""

    path: Path

    def command(self, *command: str) -> list[str]:
        """Return what runs a command in here as root, with no variable of this machine's; what it starts ends with it."""
        enter = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "/bin/sh", "-ec", _ENTER, str(self.path)]
        return [*enter, *(f"{name}={value}" for name, value in ENVIRONMENT.items()), *command]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def apt(self, *words: str) -> str:
        """Run apt, which must succeed, and return all it said. It reaches no mirror: what it needs is there, or it fails."""
        done = self.run("apt-get", "--yes", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def install(self, folder: Path, names: Sequence[str] = ()) -> str:
        """Install, or upgrade to, the packages in a folder of this machine (those of these ``names``, or all), and return the output."""
        (self.path / "packages").mkdir(exist_ok=True)
        debs = files(folder, names)
        run("cp", *map(str, debs), str(self.path / "packages"))
        try:
            return self.apt("install", *(f"/packages/{deb.name}" for deb in debs))
        finally:
            run("rm", "-r", str(self.path / "packages"))

    def at(self, path: str) -> Path:
        return self.path / path.lstrip("/")


@contextmanager
def debian(suite: Suite, arch: str = "amd64") -> Iterator[Debian]:
    """Give a fresh root with what our packages ask for by name, and no more; gone afterwards."""
    tar = root_tar(suite, [*asked_for(packages(suite, arch)), *ADMINISTRATION], arch)
    with scratch() as work:
        unpack(tar, work / "root")
        yield Debian(work / "root")


@contextmanager
def copy_of(root: Debian) -> Iterator[Debian]:
    with scratch() as work:
        run("cp", "--archive", "--reflink=auto", str(root.path), str(work / "root"))
        yield Debian(work / "root")
