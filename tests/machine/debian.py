"""Debian, from whichever mirror this machine itself is set up with: roots by mmdebstrap, and single packages by apt.

Needs root, for a root's files belong to their users, and mmdebstrap.
"""

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.machine.cache import made, scratch

PUBLIC: Final = "http://deb.debian.org/debian/"
KEYS: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"

_CONF: Final = """
Dir::State "{here}/state";
Dir::State::status "{here}/status";
Dir::Cache "{here}/cache";
Dir::Etc::sourcelist "{here}/sources.list";
Dir::Etc::sourceparts "-";
APT::Architecture "{arch}";
APT::Architectures {{ "{arch}"; }};
APT::Sandbox::User "root";
"""


def mirror() -> str:
    """Return the mirror of Debian's packages that this machine's own apt asks, or the public one where apt has none."""
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    answer = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
    return next((uri for uri in answer if re.search(r"/debian/?$", uri)), PUBLIC)


def root_tar(suite: str, packages: Sequence[str], arch: str = "amd64") -> Path:
    """Return a tar of a small Debian root (``bookworm``, ``trixie``) that has ``packages``; a first one takes a minute."""

    def make(tar: Path) -> None:
        include = f"--include={','.join(packages)}" if packages else "--include=apt"
        source = f"deb [signed-by={KEYS}] {mirror()} {suite} main"
        run("mmdebstrap", "--quiet", "--variant=minbase", f"--arch={arch}", include, suite, str(tar), source)

    return made(f"root-{suite}-{arch}", ".tar", [suite, arch, *sorted(packages)], make)


def tree(kind: str, tar: Path, inputs: Sequence[str | bytes], edit: Callable[[Path], None]) -> Path:
    """Return a folder with the root of ``tar`` after ``edit``, which goes by ``inputs`` alone. Copy it, or boot it with a volatile overlay."""

    def make(root: Path) -> None:
        unpack(tar, root)
        edit(root)

    return made(kind, "", [tar.name, *inputs], make)


def unpack(tar: Path, root: Path) -> None:
    """Unpack a root's tar into the new folder ``root``; device nodes are left out, for the kernel makes them."""
    root.mkdir()
    run("tar", "--extract", "--numeric-owner", "--exclude=./dev/*", "--file", str(tar), "--directory", str(root))


def fetched(suites: Sequence[str], target: str, wanted: Callable[[str], bool], into: Path, arch: str = "amd64") -> list[Path]:
    """Download what installing ``target`` from the first suite would bring, of that the packages that are ``wanted``.

    The first of ``suites`` is preferred (``trixie-backports``), the others complete it.
    """
    with scratch() as here:
        # An apt of its own: this machine's lists stay as they are.
        for each in ("state/lists/partial", "cache/archives/partial"):
            (here / each).mkdir(parents=True)
        (here / "status").touch()
        (here / "sources.list").write_text("".join(f"deb [signed-by={KEYS}] {mirror()} {suite} main\n" for suite in suites))
        (here / "apt.conf").write_text(_CONF.format(here=here, arch=arch))
        asking = {**os.environ, "APT_CONFIG": str(here / "apt.conf")}
        run("apt-get", "--quiet", "--quiet", "update", env=asking)
        plan = ["apt-get", "--simulate", "--no-install-recommends", "--target-release", suites[0], "install", target]
        said = subprocess.run(plan, env=asking, capture_output=True, text=True, check=True).stdout
        names = [name for name in re.findall(r"^Inst (\S+)", said, re.MULTILINE) if wanted(name)]
        into.mkdir(parents=True, exist_ok=True)
        run("apt-get", "--quiet", "--quiet", "--target-release", suites[0], "download", *names, env=asking, cwd=into)
    return sorted(into.glob("*.deb"))


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
    """Run a program; its words go with the error if it fails."""
    done = subprocess.run(command, env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
