"""The broker's files in the folder of a hall: mosquitto.conf and the access list."""

from __future__ import annotations

import grp
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

from appliance.records.files import PUBLIC, write_whole
from hall.broker.config import BrokerCertificates, HallPlan, access_list, configuration, is_desk, is_watching
from hall.keys.files import HallFiles
from wire.topics import is_station

CONFIGURATION: Final = "mosquitto.conf"
_LINKED: Final = Path("/etc/mosquitto/conf.d/tilehall.conf")
"""Where `tilehall init` says to link it."""
_ACL: Final = "acl"
_GROUP: Final = "mosquitto"
"""Debian's: mosquitto reads its key as this user."""
_GROUP_MAY_READ: Final = 0o640


def plan_of(files: HallFiles) -> HallPlan:
    """Return what the broker has to know of the hall."""
    broker = files.broker
    tls = BrokerCertificates(broker.ca, broker.certificate, broker.key, files.revocations)
    names = files.names
    return HallPlan(
        files.authority.hall, tls, tuple(filter(is_station, names)), tuple(filter(is_desk, names)), tuple(filter(is_watching, names))
    )


def write_configuration(files: HallFiles, port: int) -> None:
    """Write mosquitto's configuration, and give its group the broker's key where we may."""
    write_whole(files.folder / CONFIGURATION, configuration(plan_of(files), _acl(files), port).encode(), PUBLIC)
    write_access_list(files)
    with suppress(LookupError, PermissionError):
        shutil.chown(files.broker.key, group=grp.getgrnam(_GROUP).gr_name)
        files.broker.key.chmod(_GROUP_MAY_READ)


def write_access_list(files: HallFiles) -> None:
    """Write the access list for the names of now; the broker reads it again on a reload."""
    write_whole(_acl(files), access_list(plan_of(files)).encode(), PUBLIC)


def broker_can_read_its_key(files: HallFiles) -> bool:
    """Return whether Debian's mosquitto can read the broker's key."""
    try:
        group = grp.getgrnam(_GROUP).gr_gid
    except KeyError:
        return False
    return os.stat(files.broker.key).st_gid == group  # noqa: PTH116 - the group alone matters


def restart_broker(files: HallFiles, linked: Path = _LINKED) -> bool:
    """Restart the broker, if it is this machine's service with the hall's configuration; return whether it has been."""
    ours = linked.resolve() == (files.folder / CONFIGURATION).resolve()
    if not ours or not Path("/run/systemd/system").is_dir() or os.geteuid() != 0:
        return False
    command = ("systemctl", "restart", "mosquitto.service")
    # Debian's own path: a revocation must not run another program of this name.
    done = subprocess.run(command, check=False, stderr=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"})  # noqa: S603 - nothing of it is input
    return done.returncode == 0


def _acl(files: HallFiles) -> Path:
    return files.folder / _ACL
