"""The appliance's root: Debian with one program's packages, and what their Depends pull in; its units as shipped, enabled by the packages themselves.

Not shipped in it: the kernel's modules (a Pi's kernel has its own), the pins' label in the settings, a list of words for the station, and ``inside``.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from tests.kernel.inside.simulated import LABEL
from tests.machine.cache import made, of_files
from tests.machine.debian import root_tar, tree
from tests.machine.image import ext4
from tests.machine.kernel import backports_kernel
from tests.machine.python import ROOT
from tests.packaged.packages import ADMINISTRATION, Debian, Suite, asked_for

Program: TypeAlias = Literal["tileclock", "tilekiosk"]
SHARED: Final = ("tileclock-common", "tileclock-appliance")
INSIDE: Final = (Path(__file__).parent / "inside", ROOT / "tests/kernel/inside")
OURS: Final = "opt/glass"
"""Where ``inside`` lies inside."""
AGENT: Final = "glass-agent.service"
MODULES: Final = (
    *("drm", "virtio-gpu", "bochs"),
    *("virtio_input", "evdev", "uinput", "hid-generic", "hid-multitouch", "usbhid"),
    *("usbserial", "cdc_acm", "vfat", "nls_cp437", "nls_ascii"),
)
"""Panels, touch and keyboards, the serial adaptors that the packages load, and the file system of a boot partition: udev and systemd load them, as on a Pi."""
MIB: Final = 1536
STATION: Final[Mapping[str, object]] = MappingProxyType({"flow.verdict_s": 120, "flow.idle_s": 600})
"""A station's settings beside its lexicon: a slow machine has time to photograph each page before it clears itself."""
LEXICON: Final = "usr/lib/tileclock/lib/python3*/site-packages/lexicon/practice/practice.dawg"


def root(programs: tuple[Program, ...], debs: Path, suite: Suite = "trixie") -> Path:
    """Return a cached folder with the root: to be painted from (``painted``), not to be written to. The kernel is the same in both suites."""
    kernel, names = backports_kernel(), (*programs, *SHARED)

    def edit(path: Path) -> None:
        inside = Debian(path)
        inside.install(debs, names)
        kernel.install(path, MODULES)
        _done(inside, "depmod", kernel.release)
        for folder in INSIDE:
            shutil.copytree(folder, path / OURS / folder.relative_to(ROOT), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(INSIDE[0] / AGENT, path / "usr/lib/systemd/system")
        _settle(path)
        _done(inside, "systemctl", "enable", AGENT)
        _done(inside, "systemctl", "mask", "apt-daily.timer", "apt-daily-upgrade.timer")

    inputs = [debs.name, *programs, kernel.folder.name, of_files([*INSIDE, Path(__file__)])]
    return tree("glass-tree", root_tar(suite, [*asked_for(debs, names), *ADMINISTRATION]), inputs, edit)


def image(programs: tuple[Program, ...], debs: Path, suite: Suite = "trixie") -> Path:
    folder = root(programs, debs, suite)
    return made("glass-root", ".ext4", [folder.name, str(MIB)], lambda file: ext4(folder, file, MIB, "root"))


def _settle(path: Path) -> None:
    """What a machine has of its own once somebody has set it up: an id, and settings."""
    # systemd would take a new /etc for a first boot, and go over everything.
    for stamp in ("etc/.updated", "var/.updated"):
        (path / stamp).touch()
    (path / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    (path / "etc/hostname").write_text("tileclock\n")
    (path / "etc/tileclock").mkdir(exist_ok=True)
    # Without a table's heading: keys of any kind can be added (``Machine.configure``).
    (path / "etc/tileclock/clock.toml").write_text(f'board.chip = "{LABEL}"\n')
    lexicon = next(path.glob(LEXICON), None)
    if lexicon is not None:
        lines = [f'lexicon.path = "/{lexicon.relative_to(path)}"', *(f"{key} = {value}" for key, value in STATION.items())]
        (path / "etc/tileclock/station.toml").write_text("\n".join([*lines, ""]))


def _done(inside: Debian, *command: str) -> None:
    done = inside.run(*command)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
