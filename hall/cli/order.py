"""``tilehall order``: the director's orders from the command line."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from appliance.cli.options import Option, Verb, read_secret
from hall.cli.listen import HTTP_OPTION
from hall.cli.options import BROKER_OPTIONS, with_settings
from hall.errors import HallError

if TYPE_CHECKING:
    from hall.orders.sender import Act, OrderTarget
    from hall.settings import Layered, Settings

_OPTIONS: Final[tuple[Option, ...]] = (
    *BROKER_OPTIONS,
    HTTP_OPTION,
    ("--folder", "order.folder", str, "The folder with ca.pem, certificate.pem and key.pem of a desk."),
    ("--key", "order.key", str, "The director's key."),
    ("--book", "order.book", str, "The file in which orders are kept."),
)


@click.group()
def order() -> None:
    """Give the director's orders to clocks: a notice, the request to stop, table and names, the next game, settings, an update.

    An order goes to the clocks at `--table 12` or `--table 1-20`, to `--device NAME`, or to `--all`. It is sent once, signed
    with the director's key; the command asks for its passphrase (without a terminal, it reads a line of standard input). Each clock accepts or refuses it. Exit code: 0 if all have
    accepted, 1 if one has refused or is silent, 2 if nothing was sent. No order starts, resumes or sets a clock, or ends a game.
    """


def _to_clocks(verb: Verb) -> Verb:
    """Return ``verb`` with the settings as ``layered`` and a choice of clocks as ``choice``."""

    @functools.wraps(verb)
    def choosing(tables: tuple[str, ...], names: tuple[str, ...], *, everyone: bool, **values: Any) -> Any:
        return verb(choice=(tables, names, everyone), **values)

    for option in (
        click.option("--all", "everyone", is_flag=True, help="To all clocks."),
        click.option("--device", "names", multiple=True, metavar="NAME", help="To this clock: its name or id; may be repeated."),
        click.option("--table", "tables", multiple=True, metavar="N|N-M", help="To the clocks at these tables; may be repeated."),
    ):
        choosing = option(choosing)
    return with_settings(_OPTIONS)(choosing)


_Choice = tuple[tuple[str, ...], tuple[str, ...], bool]


@order.command()
@_to_clocks
@click.argument("text")
@click.option("--seconds", type=click.IntRange(5, 600), default=60, show_default=True, help="How long the clock shows it.")
def notice(layered: Layered, choice: _Choice, text: str, seconds: int) -> int:
    """Show TEXT, a line of up to 120 characters, on the face. It covers nothing."""
    return _order(layered.settings, choice, lambda _: {"do": "notice", "text": text, "seconds": seconds})


@order.command()
@_to_clocks
@click.argument("text", default="")
def stop(layered: Layered, choice: _Choice, text: str) -> int:
    """Ask the players to stop their clock, with TEXT, large on the face. Without TEXT each clock says *Please wait* in its own language.

    The clock records the instant, so that the director can give back the time since then at the table. A clock with `freeze = "hard"` stops itself.
    """
    return _order(layered.settings, choice, lambda _: {"do": "stop", "text": text})


@order.command()
@_to_clocks
def clear(layered: Layered, choice: _Choice) -> int:
    """Withdraw the notice and the request to stop. No clock starts."""
    return _order(layered.settings, choice, lambda _: {"do": "clear"})


@order.command()
@_to_clocks
@click.argument("number", type=click.IntRange(1, 999))
@click.option("--names", "players", nargs=2, metavar="LEFT RIGHT", help="Who plays; without it, the names stay.")
@click.option("--lexicon", help="The SHA-256 of the word list for this table.")
def assign(layered: Layered, choice: _Choice, number: int, players: tuple[str, str] | None, lexicon: str | None) -> int:
    """Give one clock the table NUMBER, and the players' names. Between games only."""

    def made(clock: OrderTarget) -> Act:
        left, right = players or (clock.names.left, clock.names.right)
        return {"do": "assign", "table": number, "left": left, "right": right, "lexicon": lexicon}

    return _order(layered.settings, choice, made, one=True)


@order.command()
@_to_clocks
@click.argument("rulebook")
@click.option("--left", metavar="M:SS", help="Time of the left side; without it, the rulebook's.")
@click.option("--right", metavar="M:SS", help="Time of the right side; without it, the rulebook's.")
def setup(layered: Layered, choice: _Choice, rulebook: str, left: str | None, right: str | None) -> int:
    """Offer RULEBOOK (its id) and times for the next game; the players begin it. Between games only."""
    made = {"do": "setup", "rulebook": rulebook, "left_seconds": _seconds("--left", left), "right_seconds": _seconds("--right", right)}
    return _order(layered.settings, choice, lambda _: made)


@order.command()
@_to_clocks
@click.option("--language", metavar="LANGUAGE", help="The language of the screen, such as fr.")
@click.option("--led-brightness", type=click.IntRange(0, 100), help="The brightness of the LED displays, in percent.")
@click.option("--buzzer/--no-buzzer", "buzzer_enabled", default=None, help="Sound the buzzer, or not.")
@click.option(
    "--choose-rulebook/--no-choose-rulebook",
    "players_choose_rulebook",
    default=None,
    help="Whether the players' menu offers the rulebooks for the next game.",
)
@click.option("--results", type=click.Choice(("paper", "clock")), help="Where players sign results: on a slip, or on the clock.")
def settings(layered: Layered, choice: _Choice, **changes: Any) -> int:
    """Change settings that touch no time and no rule; what is not given stays. Between games only.

    A clock keeps them on its card and takes them up at once. It refuses what its own settings files set.
    """
    made = {key: each for key, each in changes.items() if each is not None}
    if not made:
        raise click.UsageError("name at least one setting to change.")
    return _order(layered.settings, choice, lambda _: {"do": "settings", **made})


@order.command()
@_to_clocks
def update(layered: Layered, choice: _Choice) -> int:
    """Have clocks install what their own package sources offer. Between games only.

    The order carries no software, and names none. Only a clock whose own settings allow it (`hall.updates`) takes the order; it restarts within minutes.
    """
    return _order(layered.settings, choice, lambda _: {"do": "update"})


def _order(settings: Settings, choice: _Choice, made: Callable[[OrderTarget], Act], *, one: bool = False) -> int:
    """Send what ``made`` makes to the clocks chosen; ``one``: it may only be one. Return the exit code."""
    from hall.broker import plan_of
    from hall.keys.files import unlock_director
    from hall.orders.sender import OrderState, chosen, delivered, lines, tables_of
    from hall.status import read_picture

    tables, names, everyone = choice
    plan = plan_of(Path(settings.order.folder), settings.broker)
    numbers = tables_of(tables)
    clocks = chosen(read_picture(settings.listen.http).devices, numbers, names, everyone=everyone)
    if one and len(clocks) > 1:
        raise HallError(
            expected="one clock", found=f"{len(clocks)}: {', '.join(each.title for each in clocks)}", remedy="Name it with --device"
        )
    key = unlock_director(Path(settings.order.key), read_secret("passphrase of the director", again=False).encode())
    orders = delivered(plan, Path(settings.order.book), key, {clock.id: made(clock) for clock in clocks}, clocks)
    empty = sorted(set(numbers) - {each.table for each in clocks})
    for table in empty:
        click.echo(f"Table {table}: the hall knows no clock there.")
    for line in lines(clocks, orders):
        click.echo(line)
    return int(bool(empty) or any(each.state is not OrderState.ACCEPTED for each in orders))


def _seconds(option: str, given: str | None) -> int | None:
    if given is None:
        return None
    match = re.fullmatch(r"(\d{1,3}):([0-5]\d)", given)
    if match is None:
        raise click.BadParameter(f"expected minutes and seconds such as 25:00, found {given!r}.", param_hint=option)
    return int(match[1]) * 60 + int(match[2])
