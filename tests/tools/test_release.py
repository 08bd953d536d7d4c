"""``.ci/release`` in a small project whose packages and cards take no time to build: what it puts together, its real checksums and signature, and what it refuses."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.installed import require

ROOT: Final = Path(__file__).resolve().parents[2]
NUMBER: Final = "7.3.1"
CHANGELOG: Final = f"""# Changelog

## {NUMBER} - 2027-02-03

### Fixed

- The clock [shows](docs/screens.md#left) what it should.

## 7.3.0 - 2027-01-09

- Older.
"""
DEB: Final = """#!/bin/sh
set -e
cd "$DIST"
version=$VERSION+deb13
for name in tileclock tilekiosk tileclock-common tileclock-appliance; do
    arch=$ARCH
    [ $name != tileclock-appliance ] || arch=all
    mkdir -p tree/DEBIAN tree/usr/share/doc/$name/html
    echo "<p>of $name" >tree/usr/share/doc/$name/html/index.html
    printf 'Package: %s\\nVersion: %s\\nArchitecture: %s\\nMaintainer: t <t@localhost>\\nDescription: t\\n' $name $version $arch >tree/DEBIAN/control
    dpkg-deb -Znone --root-owner-group --build tree ${name}_${version}_$arch.deb >/dev/null
    rm -r tree
done
echo wheel >tileclock-$VERSION-py3-none-any.whl
"""
IMAGE: Final = """#!/bin/sh
set -e
cd "$DIST"
ls "$DEBS"/${PROGRAM}_*_arm64.deb >$PROGRAM-arm64.img
echo card of $PROGRAM >$PROGRAM-arm64.img.zst
"""
NO_TOOLS: Final = "#!/bin/sh\necho 'Missing Debian packages for a card: mmdebstrap.' >&2\nexit 3\n"


def git(folder: Path, *words: str) -> str:
    own = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=all")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    git(folder, "init", "--quiet")
    files = {
        "appliance/version.py": f'VERSION: Final = "{NUMBER}"\n',
        "CHANGELOG.md": CHANGELOG,
        "systemd/debian/control": "Maintainer: All of us <t@localhost>\n",
        ".gitignore": "dist/\n",
        ".ci/deb": DEB,
        ".ci/image": IMAGE,
        **{name: (ROOT / name).read_text("utf-8") for name in (".ci/release", ".ci/packages")},
    }
    commit(folder, files)
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    require("ssh-keygen")
    file = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)
    return file


def release(project: Path, **chosen: str) -> subprocess.CompletedProcess[str]:
    asked = {"PATH": os.environ["PATH"], "HOME": str(project), "SUITES": "trixie", **chosen}
    return subprocess.run([project / ".ci/release"], env=asked, capture_output=True, text=True, check=False)


def made(project: Path, **chosen: str) -> Path:
    done = release(project, **chosen)
    assert done.returncode == 0, done.stdout + done.stderr
    return project / f"dist/tileclock-{NUMBER}"


def checked(folder: Path) -> bool:
    """Run what the text of the release says, as its reader does."""
    (command,) = re.findall(r"^## Check\n\n```\n(.*)\n```$", (folder / "RELEASE.md").read_text("utf-8"), re.MULTILINE)
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=False).returncode == 0


def test_its_reader_finds_a_change_of_a_file_or_of_the_checksums_and_needs_only_what_was_downloaded(project: Path, key: Path) -> None:
    folder = made(project, KEY=str(key))
    (folder / f"tileclock-{NUMBER}-docs.tar.gz").unlink()
    assert checked(folder)
    sums = folder / "SHA256SUMS"
    before = sums.read_text("utf-8")
    sums.write_text(before + f"{'0' * 64}  another\n", encoding="utf-8")
    assert not checked(folder)
    sums.write_text(before, encoding="utf-8")
    with (folder / "tilekiosk-arm64.img.zst").open("a") as file:
        file.write("more")
    assert not checked(folder)


def test_the_text_names_each_file_and_has_this_versions_changes_alone(project: Path) -> None:
    folder = made(project)
    text = (folder / "RELEASE.md").read_text("utf-8")
    assert text.startswith(f"# Tileclock {NUMBER} - 2027-02-03\n")
    assert git(project, "rev-parse", "HEAD") in text
    listed = set(re.findall(r"^\| `(.*)` \|", text, re.MULTILINE))
    assert listed == {file.name for file in folder.iterdir()} - {"RELEASE.md", "SHA256SUMS"}
    assert f"tileclock-appliance_{NUMBER}+deb13_all.deb" in listed
    assert {f"{name}-arm64.img.zst" for name in ("tileclock", "tilekiosk")} <= listed
    assert "- The clock shows what it should." in text
    assert "Older" not in text


def test_a_second_build_of_a_commit_has_the_same_checksums(project: Path) -> None:
    sums = made(project) / "SHA256SUMS"
    before = sums.read_bytes()
    made(project)
    assert sums.read_bytes() == before


def test_without_a_key_it_says_so_and_is_not_signed(project: Path) -> None:
    done = release(project)
    assert (done.returncode, "is not signed" in done.stdout, "no address for reports" in done.stdout) == (0, True, True)
    folder = project / f"dist/tileclock-{NUMBER}"
    assert not (folder / "SHA256SUMS.sig").exists()
    assert "This release is not signed." in (folder / "RELEASE.md").read_text("utf-8")
    assert checked(folder)


def test_without_the_tools_for_a_card_it_is_made_without_cards_and_says_so(project: Path) -> None:
    commit(project, {".ci/image": NO_TOOLS})
    done = release(project)
    assert (done.returncode, "Missing Debian packages" in done.stderr, "no card images" in done.stdout) == (0, True, True)
    folder = project / f"dist/tileclock-{NUMBER}"
    assert not list(folder.glob("*.img*"))
    assert "this release has none" in (folder / "RELEASE.md").read_text("utf-8")


def changed(project: Path) -> None:
    (project / "a note").touch()


def tagged(project: Path) -> None:
    git(project, "tag", f"v{NUMBER}", "HEAD~")


def with_file(path: str, text: str) -> Callable[[Path], None]:
    return lambda project: commit(project, {path: text})


REFUSED: Final[dict[str, tuple[Callable[[Path], None], str]]] = {
    "a change that is not committed": (changed, "Expected a checkout without changes, found 1 "),
    "changes without a version": (with_file("CHANGELOG.md", "# C\n\n## Unreleased\n\n" + CHANGELOG), 'found "## Unreleased"'),
    "another version than the programs'": (with_file("appliance/version.py", 'VERSION = "7.4.0"\n'), 'Expected "## 7.4.0 - DATE"'),
    "no changelog's heading": (with_file("CHANGELOG.md", "# C\n"), 'found ""'),
    "a version that was another commit": (tagged, f"found that v{NUMBER} is commit "),
    "packages that differ": (with_file(".ci/deb", DEB + "echo $ARCH >>tileclock-$VERSION-py3-none-any.whl\n"), "not reproducible"),
}


@pytest.mark.parametrize(("spoil", "why"), REFUSED.values(), ids=REFUSED)
def test_it_refuses_in_one_sentence(project: Path, spoil: Callable[[Path], None], why: str) -> None:
    commit(project, {"later": ""})
    spoil(project)
    done = release(project)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stdout + done.stderr
    assert why in done.stderr


def test_a_key_without_its_public_half_is_refused_before_anything_is_built(project: Path, tmp_path: Path) -> None:
    done = release(project, KEY=str(tmp_path / "none"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{tmp_path}/none.pub, found none" in done.stderr
    assert not (project / "dist").exists()


def test_a_demonstration_of_packages_that_are_not_there_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for debs in (tmp_path, tmp_path / "none"):
        done = subprocess.run([ROOT / ".ci/demo"], env={**os.environ, "DEBS": str(debs)}, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert f" in {debs}, found none: " in done.stderr
