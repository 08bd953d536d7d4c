"""The emulated machine of these tests: Debian's own kernel with simulated pins, Debian's own Python, and the clock as it is installed."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from tests.machine.cache import made, of_files
from tests.machine.debian import root_tar
from tests.machine.figures import Figures, told
from tests.machine.guest import Disk, Guest
from tests.machine.image import ext4, root_image
from tests.machine.initramfs import initramfs
from tests.machine.kernel import backports_kernel
from tests.machine.python import ROOT, SUITE, checkout, install, libraries, project_wheel

INSIDE: Final = ROOT / "tests" / "kernel" / "inside"
BOOT_S: Final = 120
BROKER: Final = ROOT / "tools" / "trial_broker.py"
"""The only one of the developers' tools that the scenarios use."""
CONTACTS: Final = ROOT / "tests" / "rules" / "contacts_model.py"
ANSWER_S: Final = 1500
"""A game takes a minute on an idle machine, and ten on a busy one."""

Ask: TypeAlias = Callable[..., dict[str, Any]]


pytest_configure, figures = told("the emulated machine")


@pytest.fixture(scope="session")
def guest(figures: Figures) -> Iterator[Guest]:
    kernel = backports_kernel()
    figures.add(f"Linux {kernel.release}, gpio-sim, one emulated core")
    first = initramfs(kernel, ["gpio-sim", "i2c-dev", "i2c-stub chip_addr=0x70,0x71"])
    # One core: with two, an interrupt's thread may lie on the one that the emulator does not run for seconds, and all edges that come meanwhile are one.
    with Guest(
        kernel.image, first, [Disk(_root()), Disk(_parts()), Disk(checkout())], init="/tileclock-init", steady=True, cores=1
    ) as guest:
        yield guest
        guest.ask({"do": "end"}, BOOT_S)
        guest.wait(BOOT_S)


@pytest.fixture(scope="session")
def ask(guest: Guest) -> Ask:
    def ask(do: str, **how: Any) -> dict[str, Any]:
        answer = guest.ask({"do": do, **how}, ANSWER_S)
        if "failed" in answer:
            pytest.fail(f"{do} failed inside:\n{answer['failed']}\nthe console ends:\n{guest.console[-2000:]}")
        return answer

    return ask


def _root() -> Path:
    init = (INSIDE / "init").read_bytes()

    def edit(root: Path) -> None:
        (root / "tileclock-init").write_bytes(init)
        (root / "tileclock-init").chmod(0o755)

    return root_image("kernel-root", root_tar(SUITE, ["python3", "mosquitto"]), [init], edit, mib=600)


def _parts() -> Path:
    """Return a disk with the libraries, the project as it is installed from its wheel, and what is asked for inside."""
    library, wheel = libraries("old-pi"), project_wheel()

    def make(image: Path) -> None:
        parts = image.with_suffix("")
        shutil.copytree(library, parts, symlinks=True)
        install(wheel, parts)
        shutil.copytree(INSIDE, parts / "tests" / "kernel" / "inside")
        (parts / "tools").mkdir()
        shutil.copy(BROKER, parts / "tools")
        (parts / "tests" / "rules").mkdir()
        shutil.copy(CONTACTS, parts / "tests" / "rules")
        ext4(parts, image, mib=600)

    return made("kernel-parts", ".ext4", [library.name, wheel.parent.name, of_files([INSIDE, BROKER, CONTACTS])], make)
