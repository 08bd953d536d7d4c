"""``tilehall``: the command and its verbs."""

from __future__ import annotations

import click

from appliance.cli.guard import Guarded
from hall.cli.account import account
from hall.cli.admit import admissions, admit, devices, token
from hall.cli.demo import demo
from hall.cli.desk import desk
from hall.cli.enrol import enrol, find, renew
from hall.cli.event import event
from hall.cli.https import https
from hall.cli.init import init
from hall.cli.link import link
from hall.cli.listen import listen
from hall.cli.order import order
from hall.cli.revoke import revoke
from hall.cli.simulate import simulate
from hall.cli.verify import heads, verify
from hall.cli.watch import status, watch


@click.group(cls=Guarded, program="tilehall", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tileclock", prog_name="tilehall")
def main() -> None:
    """Tilehall: clocks and stations of one hall on a network that can be pulled out at any time.

    \b
    Try a whole hall here:         tilehall demo
    Make a hall and its broker:    tilehall init HALL
    A device asks to come in:      tilehall enrol tileclock
    The director lets it in:       tilehall admit 1234-5678
    Files for sixty cards:         tilehall token cards --tables 1-60
    Beside a clock or a station:   tilehall link
    On the hall's own machine:     tilehall listen
    The same, with pages:          tilehall desk
    Who plays, who calls?          tilehall watch
    Is anything wrong?             tilehall status
    All tables, please stop:       tilehall order stop --all
    What do its rows prove?        tilehall verify
    What does this machine bear?   tilehall simulate --tables 100
    A device is lost:              tilehall revoke ID
    Who may log in at the desk:    tilehall account add NAME --role director
    The desk has another name:     tilehall https --host NAME

    The table's journal is the truth; the network is a convenience. Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are


for verb in (
    account,
    admissions,
    admit,
    demo,
    desk,
    devices,
    enrol,
    event,
    find,
    heads,
    https,
    init,
    link,
    listen,
    order,
    renew,
    revoke,
    simulate,
    status,
    token,
    verify,
    watch,
):
    main.add_command(verb)


if __name__ == "__main__":
    # Also when this file is run instead of the package.
    main(prog_name="tilehall")
