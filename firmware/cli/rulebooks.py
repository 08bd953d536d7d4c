"""``tileclock rulebooks``: list the rulebooks, and explain one clause by clause."""

from __future__ import annotations

import click


@click.group(invoke_without_command=True)
@click.pass_context
def rulebooks(ctx: click.Context) -> None:
    """List the rulebooks, or explain one.

    For your own rulebook, copy a shipped one, or write a file that "extends" one; give its path instead of an ID.
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
