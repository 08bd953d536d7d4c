"""A package source in a folder, as apt reads it: small packages, their index, and a signature of a key that is made for it."""

import hashlib
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.machine.debian import run

_USER: Final = "test@localhost"


def write_package(folder: Path, name: str, version: str, *, file: str = "") -> Path:
    """Write a package whose one file, ``/usr/share/NAME``, has ``file`` in it, or the version."""
    tree = folder / f".{name}"
    (tree / "DEBIAN").mkdir(parents=True, exist_ok=True)
    (tree / "usr/share").mkdir(parents=True, exist_ok=True)
    (tree / "usr/share" / name).write_text(file or version, encoding="utf-8")
    (tree / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: Nobody <{_USER}>\nDescription: {name}\n", encoding="utf-8"
    )
    deb = folder / f"{name}_{version}_all.deb"
    # Owned by whoever runs the test, who need not be root.
    run("dpkg-deb", "-Znone", "--build", str(tree), str(deb))
    return deb


def publish(folder: Path, keys: Path | None = None) -> None:
    """Write the index of the packages in ``folder``; with the folder of ``keys``, sign it."""
    entries = [_entry(deb) for deb in sorted(folder.glob("*.deb"))]
    index = "\n".join(entries).encode()
    (folder / "Packages").write_bytes(index)
    for old in ("Release", "InRelease"):
        (folder / old).unlink(missing_ok=True)
    release = f"Date: {datetime.now(UTC):%a, %d %b %Y %H:%M:%S} UTC\nSHA256:\n {hashlib.sha256(index).hexdigest()} {len(index)} Packages\n"
    (folder / "Release").write_text(release, encoding="utf-8")
    if keys is not None:
        _gpg(keys, "--clearsign", "--output", str(folder / "InRelease"), str(folder / "Release"))


def make_key(keys: Path) -> Path:
    """Make a key in the new folder ``keys``; return its public half, as ``signed-by=`` takes it."""
    keys.mkdir(mode=0o700)
    _gpg(keys, "--passphrase", "", "--quick-generate-key", _USER, "ed25519", "sign", "never")
    _gpg(keys, "--output", str(keys / "public.gpg"), "--export", _USER)
    return keys / "public.gpg"


def _entry(deb: Path) -> str:
    control = subprocess.run(["dpkg-deb", "--field", str(deb)], capture_output=True, text=True, check=True).stdout
    found = deb.read_bytes()
    return f"{control}Filename: ./{deb.name}\nSize: {len(found)}\nSHA256: {hashlib.sha256(found).hexdigest()}\n"


def _gpg(keys: Path, *words: str) -> None:
    environment = {**os.environ, "GNUPGHOME": str(keys)}
    run("gpg", "--batch", "--yes", "--quiet", "--pinentry-mode", "loopback", *words, env=environment)
    # It starts an agent, which goes on after the test.
    run("gpgconf", "--kill", "gpg-agent", env=environment)
