"""mosquitto's configuration and access list for a hall, and both as files in the hall's folder (docs/spec/wire.md, "Who may do what" and "Limits")."""

import grp
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

from appliance.records.files import PUBLIC, write_whole
from hall.errors import HallError
from hall.keys.files import LISTENER, HallFiles, identity_in, read_holder
from hall.link.connection import LinkPlan, Refused, tls_context
from hall.settings import BrokerSettings, Settings
from wire.topics import Topics, is_device, is_station

LARGEST_PACKET: Final = 160_000
"""The most bytes of an MQTT packet."""
_MESSAGES: Final = (
    "# Devices publish again what they have; the listener asks for the rows that it misses.",
    "persistence false",
    f"max_packet_size {LARGEST_PACKET}",
    "max_inflight_messages 20",
    # What all devices of a hall keep here, several times over: above it the broker drops the newest.
    "max_queued_messages 20000",
    f"max_queued_bytes {64 * 1024 * 1024}",
    "# Small messages leave at once.",
    "set_tcp_nodelay true",
)
_DESK: Final = "desk-"
_WATCHING: Final = f"{LISTENER}-"


def configuration(files: HallFiles, acl: Path, port: int, host: str = "", user: str = "") -> str:
    """Return mosquitto.conf.

    Args:
        acl: the path of its access list.
        port: where the broker listens.
        host: the address to listen on; empty: all.
        user: the user that mosquitto becomes when it is started by root; empty: its own.
    """
    lines = (
        f"listener {port} {host}".rstrip(),
        *([f"user {user}"] if user else []),
        f"cafile {files.broker.ca}",
        f"certfile {files.broker.certificate}",
        f"keyfile {files.broker.key}",
        f"crlfile {files.revocations}",
        "tls_version tlsv1.3",
        "require_certificate true",
        "use_identity_as_username true",
        "# Otherwise a device could end another one's connection by taking its client id.",
        "use_username_as_clientid true",
        "allow_anonymous false",
        f"acl_file {acl}",
        *_MESSAGES,
        "log_dest stderr",
        *(f"log_type {each}" for each in ("error", "warning", "notice", "information")),
        "log_timestamp_format %Y-%m-%dT%H:%M:%S",
    )
    return "\n".join(lines) + "\n"


def access_list(files: HallFiles) -> str:
    """Return mosquitto's access list: whatever it does not grant is refused. Clocks need no entry: patterns give each certificate's name its own topics."""
    topics, names = Topics(files.authority.hall), files.names
    reported, addressed = topics.of_device, topics.to_device
    listens = (addressed("+", "want"), addressed("+", "time"))
    blocks = [
        *(_at_the_desk(topics, listener, *listens) for listener in (LISTENER, *filter(is_watching, names))),
        *(_at_the_desk(topics, desk, addressed("+", "order")) for desk in filter(is_desk, names)),
        *(
            _block(f"user {station}", *(f"topic read {reported('+', what)}" for what in ("up", "state", "beat", "ack/+")))
            for station in filter(is_station, names)
        ),
        _block(
            f"pattern write {reported('%u', '#')}",
            f"pattern write {addressed('+', 'verdict/%u')}",
            f"pattern read {addressed('%u', '#')}",
        ),
    ]
    return "\n".join(blocks)


def is_desk(name: str) -> bool:
    return name.startswith(_DESK) and len(name) > len(_DESK)


def is_watching(name: str) -> bool:
    return name.startswith(_WATCHING) and len(name) > len(_WATCHING)


def _at_the_desk(topics: Topics, name: str, *written: str) -> str:
    """Return what a user may do that reads all devices, writes the topics ``written``, and is no device itself."""
    return _block(
        f"user {name}",
        f"topic read {topics.of_device('+', '#')}",
        *(f"topic write {topic}" for topic in written),
        # The patterns hold for every certificate; what is denied to a user comes first.
        f"topic deny {topics.of_device(name, '#')}",
        f"topic deny {topics.to_device('+', f'verdict/{name}')}",
    )


def _block(*lines: str) -> str:
    return "\n".join(lines) + "\n"


CONFIGURATION: Final = "mosquitto.conf"
_LINKED: Final = Path("/etc/mosquitto/conf.d/tilehall.conf")
"""Where `tilehall init` says to link it."""
_GROUP: Final = "mosquitto"
"""Debian's: mosquitto reads its key as this user."""


def write_configuration(files: HallFiles, port: int) -> None:
    write_whole(files.folder / CONFIGURATION, configuration(files, _acl(files), port).encode(), PUBLIC)
    write_access_list(files)
    with suppress(LookupError, PermissionError):
        shutil.chown(files.broker.key, group=grp.getgrnam(_GROUP).gr_name)
        files.broker.key.chmod(0o640)


def write_access_list(files: HallFiles) -> None:
    write_whole(_acl(files), access_list(files).encode(), PUBLIC)


def broker_can_read_its_key(files: HallFiles) -> bool:
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
    return files.folder / "acl"


def plan_of(folder: Path, broker: BrokerSettings, socket: Path = Path()) -> LinkPlan:
    """Return the plan of a connection with the certificate in ``folder``; raises ``HallError`` if it has no usable one."""
    files = identity_in(folder)
    holder = read_holder(files.certificate)
    # Without an address: a listener or a desk on the broker's own machine. A link looks for the broker.
    host = broker.host or "127.0.0.1"
    plan = LinkPlan(holder.hall, host, broker.port, files.ca, files.certificate, files.key, holder.name, socket, holder.last_day)
    try:
        tls_context(plan)
    except Refused as refused:
        raise HallError(
            where=folder,
            expected="ca.pem, certificate.pem and key.pem that belong together",
            found=refused.found,
            remedy="On the hall's own machine run `tilehall init` first; a device enrols at its hall. Or check the folder in the settings",
        ) from refused
    return plan


def link_plan(settings: Settings) -> LinkPlan:
    """Return the plan of a device's link; raises ``HallError`` if the folder has no device's certificate."""
    folder = Path(settings.link.folder)
    plan = plan_of(folder, settings.broker, Path(settings.link.socket))
    if not is_device(plan.device):
        raise HallError(
            where=settings.link.folder,
            expected="the certificate of a clock or a station",
            found=f"that of {plan.device}",
            remedy="Enrol this device",
        )
    return plan._replace(
        host=settings.broker.host,
        renew_at=read_holder(plan.certificate).renew_at,
        enrol_port=settings.enrol.port,
        look_from=settings.broker.look_from,
    )
