"""The settings of ``tilehall``, their defaults, and the files that they come from.

The hall's name and the device's id stand in the certificate, so there is no setting for them.
"""

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from appliance import settings as layers
from appliance.settings import ANY_PATH, BOOT_FOLDERS, Layers
from faults.validation import Table

Caps: TypeAlias = Annotated[str, Meta(pattern=r"\A([0-9]{1,4}(,[0-9]{1,4})*)?\Z", description="numbers from 0 to 9999, such as 200,350")]
_HOST = "a name or an address, without a port"


class BrokerSettings(Table, frozen=True):
    """The hall's broker."""

    host: Annotated[str, Meta(pattern=r"\A[0-9A-Za-z.:_-]{0,253}\Z", description=_HOST)] = ""
    """Its name or address. Empty: a device looks for the broker that announces itself; the listener takes this machine's."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 8883
    """Its port."""
    look_from: str = ""
    """The one address of this machine from which a device looks for the broker; empty: all."""


class LinkSettings(Table, frozen=True):
    """The link of a clock or a station."""

    socket: str = "/run/tileclock/hall.sock"
    """The local socket of the device's program; that of a station is `/run/tilekiosk/hall.sock`."""
    folder: str = "/var/lib/tilehall/link"
    """The folder with `ca.pem`, `certificate.pem` and `key.pem`, which enrolment fills."""


class EnrolSettings(Table, frozen=True):
    """How a clock or a station asks its hall for a certificate. `tilehall token` writes this table, for the boot partition."""

    port: Annotated[int, Meta(ge=0, le=65535)] = 8884
    """The hall's port for it, on the broker's machine; 0, at the hall: any that is free."""
    hall: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z", description="64 digits 0 to 9 and a to f, or nothing")] = ""
    """The fingerprint of the hall: the SHA-256 of its CA certificate. Empty: the director compares digits."""
    token: Annotated[str, Meta(pattern=r"\A([0-9a-f]{32})?\Z", description="32 digits 0 to 9 and a to f, or nothing")] = ""
    """Admits one device, once, without the director."""


class AdmissionSettings(Table, frozen=True):
    """The enrolment's service, on the hall's own machine."""

    folder: str = "/etc/tilehall"
    """The folder of the hall's keys."""
    socket: str = "/run/tilehall-admissions/socket"
    """The local socket of `tilehall admit`."""
    address: str = ""
    """The one address of this machine to serve and announce; empty: all."""


class ListenSettings(Table, frozen=True):
    """The listener, on the hall's own machine."""

    folder: str = "/etc/tilehall/names/listener"
    """The folder with the listener's `ca.pem`, `certificate.pem` and `key.pem`, which `tilehall init` makes."""
    store: str = "/var/lib/tilehall/hall.db"
    """The file with the rows of all devices; or the URL of a PostgreSQL database, `postgresql://user@host/database`, which several halls may share."""
    http: Annotated[int, Meta(ge=0, le=65535)] = 9812
    """The port of `/picture.json` and `/metrics`, on the loopback only; 0: any that is free."""


class OrderSettings(Table, frozen=True):
    """Orders from the command line, on the hall's own machine."""

    folder: str = "/etc/tilehall/names/desk-order"
    """The folder with the `ca.pem`, `certificate.pem` and `key.pem` of `tilehall order`, which `tilehall init` makes."""
    key: str = "/etc/tilehall/director.pem"
    """The director's key, which `tilehall init` encrypts with the passphrase."""
    book: str = "/var/lib/tilehall/orders.db"
    """The file in which each order is kept before it is sent."""


class DeskSettings(Table, frozen=True):
    """The director's desk, which is the listener with pages."""

    port: Annotated[int, Meta(ge=0, le=65535)] = 8420
    """The port of its pages; 0: any that is free."""
    address: Annotated[str, Meta(pattern=r"\A[0-9A-Fa-f.:]{2,45}\Z", description="an address of this machine, such as 0.0.0.0 for all")] = (
        "127.0.0.1"
    )
    """The address at which the pages are served; another one than the loopback needs the certificate that `tilehall https` issues."""
    folder: str = "/etc/tilehall/names/desk-1"
    """The folder with the desk's `ca.pem`, `certificate.pem` and `key.pem`, and with `https.pem` and `https.key` of its pages."""
    accounts: str = "/var/lib/tilehall/accounts.json"
    """The file of `tilehall account`."""
    store: str = "/var/lib/tilehall/desk.db"
    """The desk's own file: its log, who goes to a call, which desk gives the orders; or the URL of a PostgreSQL that several desks share."""
    login: bool = True
    """Whether everybody logs in. False: whoever is at this machine sees all pages, and sends nothing; for trials, and on the loopback only."""
    spread_cap: Caps = ""
    """How many points of spread a game counts in the standings at most, such as `"350"`, or by round, such as `"200,350"`, where the last one counts for later rounds too: TSH's `spread_cap`. Empty: all of them."""
    standings_spread_cap: Caps = ""
    """The same for the order alone: TSH's `standings_spread_cap`."""
    results_folder: str = ""
    """The folder into which the desk writes the results whenever they change, as `tilehall results watch` does; empty: none."""
    results_as: Literal["tsh", "tsh-queue", "csv", "coco", "standings", "naspa", "tourney", "tou", "tou-woogles"] = "tsh-queue"
    """The [format](tournament-files.md#results-for-other-programs) of what is written there."""


class Settings(Table, frozen=True):
    broker: BrokerSettings = BrokerSettings()
    enrol: EnrolSettings = EnrolSettings()
    admissions: AdmissionSettings = AdmissionSettings()
    link: LinkSettings = LinkSettings()
    listen: ListenSettings = ListenSettings()
    order: OrderSettings = OrderSettings()
    desk: DeskSettings = DeskSettings()


SYSTEM_FILE: Final = Path("/etc/tileclock/hall.toml")
BOOT_FILES: Final = tuple(folder / "tilehall.toml" for folder in BOOT_FOLDERS)
"""The first that exists."""
Layered: TypeAlias = layers.Layered[Settings]
LAYERS: Final = Layers(
    Settings,
    lambda: ((SYSTEM_FILE,), BOOT_FILES),
    paths={
        **dict.fromkeys(
            (
                "admissions.folder",
                "admissions.socket",
                "link.socket",
                "link.folder",
                "listen.folder",
                "desk.folder",
                "desk.accounts",
                "desk.results_folder",
                "order.folder",
                "order.key",
                "order.book",
            ),
            ANY_PATH,
        ),
        "listen.store": lambda text: bool(text) and "://" not in text,
    },
)
