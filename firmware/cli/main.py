"""``tileclock``: the command and its verbs; here those that only show something: the settings, the wiring, the rulebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from appliance.cli.config import add_machine_verbs, print_settings
from appliance.cli.docs import docs
from faults.guard import Guarded, printable
from firmware.cli.demo import demo
from firmware.cli.journal import journal
from firmware.cli.options import SETTINGS, settings_options
from firmware.cli.replay import replay
from firmware.cli.run import doctor, run
from hardware.boards.kinds import CLOCK
from hardware.pinout_command import boot_files_command, pinout_command

if TYPE_CHECKING:
    from firmware.settings import Layered


@click.group(invoke_without_command=True)
@settings_options
@click.option("--changed", is_flag=True, help="Print only what differs from the defaults, with its file or option.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings in force as dotted TOML.

    Order: defaults, what the director's desk has ordered, /etc/tileclock/clock.toml, tileclock.toml on the boot partition, options; later ones win.
    Rulebooks, board and language are checked as by `tileclock run`, with the same error messages.
    """
    from firmware.settings.places import dump, require_usable

    require_usable(layered)
    print_settings(dump(layered, changed=changed))


add_machine_verbs(config, SETTINGS)


@config.command()
def code() -> None:
    """Make the settings line for the code of the director's door: 4 to 12 presses, L for left and R for right.

    Type the code twice; it is not shown. Without a terminal, it is read from a line of standard input. The code itself is not stored.
    """
    from appliance.cli.options import read_secret
    from appliance.lock import hashed
    from firmware.gestures.director_presses import code_of, parse_code

    line = hashed(code_of(parse_code(read_secret("Code"))))
    click.echo(
        "Put this line below [director] into tileclock.toml on the boot partition, which has the last word, or into /etc/tileclock/clock.toml:",
        err=True,
    )
    click.echo(f'code = "{line}"')


pinout: Final = pinout_command(CLOCK, lambda: SETTINGS.in_force().settings.board.file)
boot_files: Final = boot_files_command(CLOCK, lambda: SETTINGS.in_force().settings.board.file)


@click.group(invoke_without_command=True)
@click.pass_context
def rulebooks(ctx: click.Context) -> None:
    """List the rulebooks, or explain one.

    For your own rulebook, copy a shipped one, or write a file that "extends" one; check it, and give its path instead of an ID.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_rulebooks)


@rulebooks.command("list")
def list_rulebooks() -> None:
    """List the shipped rulebooks, the default first."""
    from rules.rulebooks import DEFAULT_RULEBOOK, load_source, shipped_ids

    width = max(len(each) for each in shipped_ids())
    for each in shipped_ids():
        source = load_source(each)
        click.echo(f"{each:<{width}}  {source.title}{' (the default)' if each == DEFAULT_RULEBOOK else ''}")
        click.echo(f"{'':<{width}}  {source.summary}")


@rulebooks.command()
@click.argument("rulebook", metavar="ID|PATH")
def show(rulebook: str) -> None:
    """Explain one rulebook: each value with its clause, and the assumptions where its source is silent."""
    from rules.rulebooks import explain, load_source

    for line in explain(load_source(rulebook)):
        click.echo(line)


@rulebooks.command()
@click.argument("file", type=click.Path())
def check(file: str) -> int:
    """Check your own rulebook: every fault with its line, or the sentences that it means. Exit code: 1 if something is wrong."""
    from rules.rulebooks import check_file, explain, load_source

    faults = check_file(file)
    for line in map(str, faults) if faults else explain(load_source(file)):
        click.echo(printable(line))
    return 1 if faults else 0


@click.group(cls=Guarded, program="tileclock", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tileclock", prog_name="tileclock")
def main() -> None:
    """Tileclock: a tournament clock for Scrabble.

    \b
    Try it, with keyboard or mouse:   tileclock demo
    Is this machine fit for it?       tileclock doctor
    How is it wired?                  tileclock pinout
    Put it on a table:                tileclock run
    What does a rulebook ask?         tileclock rulebooks show naspa-2017
    What happened in a game?          tileclock journal show

    A player's button starts the other player's clock: always. Both buttons at once stop it. Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are


for verb in (boot_files, config, demo, docs, doctor, journal, pinout, replay, rulebooks, run):
    main.add_command(verb)


if __name__ == "__main__":
    # Also when this file is run instead of the package.
    main(prog_name="tileclock")
