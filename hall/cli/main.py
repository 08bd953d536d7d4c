"""``tilehall``: the command and its verbs."""

from __future__ import annotations

import click

from appliance.cli.docs import docs
from faults.guard import Guarded
from hall.cli.admit import admissions, admit, devices, revoke, token
from hall.cli.desk import account, desk
from hall.cli.device import enrol, find, link, renew
from hall.cli.event import event
from hall.cli.init import https, init
from hall.cli.listen import listen, status, watch
from hall.cli.order import order
from hall.cli.trial import demo, simulate
from hall.cli.verify import verify


@click.group(cls=Guarded, program="tilehall", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tileclock", prog_name="tilehall")
def main() -> None:
    """Tilehall: connects the clocks and stations of one hall. Play goes on when the network fails.

    \b
    Try a whole hall here:         tilehall demo
    Create a hall and its broker:  tilehall init HALL
    Enrol a device:                tilehall enrol tileclock
    Admit that device:             tilehall admit 1234-5678
    Make files for sixty cards:    tilehall token cards --tables 1-60
    Run beside a clock or station: tilehall link
    Run on the hall's machine:     tilehall listen
    The same, with web pages:      tilehall desk
    Show the hall live:            tilehall watch
    Check for problems:            tilehall status
    Ask all tables to stop:        tilehall order stop --all
    Check what the rows prove:     tilehall verify
    Measure this machine:          tilehall simulate --tables 100
    Revoke a lost device:          tilehall revoke ID
    Make a desk account:           tilehall account add NAME --role director
    Issue a desk certificate:      tilehall https --host NAME

    The table's journal is authoritative; the network is a convenience. Add --help to a verb for its options.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are


for verb in (
    account,
    admissions,
    admit,
    demo,
    desk,
    devices,
    docs,
    enrol,
    event,
    find,
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
