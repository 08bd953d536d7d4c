"""A real PostgreSQL: Debian's, started as an ordinary user in a folder of its own, on a socket; with a streaming replica on request."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.processes import PATIENCE_S, until

USER = "tilehall"
PORT = 5432
"""Of the socket's name only: nothing listens on the network."""


def programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    on_path = shutil.which("postgres")
    if not found and on_path is None:
        pytest.skip("PostgreSQL is missing: sudo apt install postgresql")
    return (found[-1] if found else Path(str(on_path))).parent


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder, self._programs = folder, programs()
        self._server: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}&port={PORT}"

    def make(self) -> None:
        self.run("initdb", "-D", "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C")
        with (self.folder / "data" / "postgresql.conf").open("a", encoding="ascii") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nport = {PORT}\nmax_connections = 200\n")

    def replicate(self, primary: Cluster) -> None:
        self.run("pg_basebackup", "-D", "data", "-R", "-X", "stream", "-c", "fast", "-d", primary.url("").replace("/?", "/postgres?"))
        with (self.folder / "data" / "postgresql.conf").open("a", encoding="ascii") as file:
            file.write(f"unix_socket_directories = '{self.folder}'\n")

    def start(self) -> None:
        command = self._as_user([str(self._programs / "postgres"), "-D", "data"])
        self._server = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        until(self.answers, "PostgreSQL does not answer")

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        assert self._server is not None
        os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait(PATIENCE_S)
        # Its own children have sessions of their own; they end when they find the postmaster gone.
        until(lambda: not self._children(), "the server's processes end")
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(PATIENCE_S)

    def new_database(self, name: str) -> str:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            self._as_user([str(self._programs / program), *words]), cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    def _children(self) -> list[str]:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cwd").resolve() == self.folder / "data":
                    found.append(process.name)
            except OSError:
                continue
        return found

    @staticmethod
    def _as_user(command: list[str]) -> list[str]:
        # PostgreSQL refuses root.
        return ["setpriv", f"--reuid={_user()}", f"--regid={_user()}", "--clear-groups", *command] if os.geteuid() == 0 else command


def _user() -> int:
    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        return pwd.getpwnam("nobody").pw_uid


@contextmanager
def cluster(of: Cluster | None = None) -> Iterator[Cluster]:
    """Run a new cluster, or a replica of one.

    Not below pytest's own folder, where another user cannot enter, and whose name may be too long for a socket.
    """
    programs()
    folder = Path(tempfile.mkdtemp(prefix="tilehall-"))
    try:
        if os.geteuid() == 0:
            os.chown(folder, _user(), -1)
        server = Cluster(folder)
        if of is None:
            server.make()
        else:
            server.replicate(of)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
