"""The consequence of a verdict in at most three sentences: lost turn, points, who starts whose clock and when. No word of the play is in them."""

from __future__ import annotations

from appliance.texts import Texts
from kiosk.challenge.consequence import Consequence, Role
from rules.rulebooks.model import RestartRule
from rules.side import Side


def following(consequence: Consequence, challenger: Side, texts: Texts) -> tuple[str, ...]:
    """Return ``consequence`` for the two players in front of the screen."""
    lines: list[str] = []
    if not consequence.acceptable:
        lines.append(texts.say("verdict.off_board"))
    if consequence.on_turn is None:
        lines.append(texts.say("verdict.game_over"))
    elif consequence.turn_lost_by is not None:
        lines.append(texts.say(f"turn.{_side(consequence.turn_lost_by, challenger)}"))
    else:
        lines.append(texts.say("verdict.stands"))
    if consequence.points_to is not None:
        lines.append(
            texts.say(f"points.{_direction(consequence)}.{_side(consequence.points_to, challenger)}", points=abs(consequence.points))
        )
    # A player's own button starts the other player's clock, whoever is on turn.
    start = "verdict.no_clock" if consequence.on_turn is None else f"start.{_side(consequence.on_turn, challenger).other}"
    lines.append(texts.say(start))
    return tuple(lines)


def before(consequence: Consequence, texts: Texts) -> str | None:
    """Return the rulebook's condition for restarting the clock (2014 IV.J; 2017 IV.J.1.o, VI.B.1; NZ 6.13.6); None: it has none."""
    rule = consequence.restart
    if rule is None:
        return None
    if not rule.seated:
        return texts.say("restart.reracked")
    needs = ", ".join(texts.say(f"restart.need.{need}") for need in _needs(rule, acceptable=consequence.acceptable))
    return texts.say("restart.first_or_late" if rule.delay else "restart.first", needs=needs)


def by_role(consequence: Consequence, texts: Texts) -> tuple[str, ...]:
    """Return ``consequence`` in terms of roles: for players at their table, not left and right of this screen."""
    over, to = consequence.on_turn is None, consequence.points_to
    return (
        texts.say("verdict.game_over" if over else f"judge.lost.{consequence.turn_lost_by or 'nobody'}"),
        *(() if to is None else (texts.say(f"judge.points.{_direction(consequence)}.{to}", points=abs(consequence.points)),)),
        texts.say("verdict.no_clock" if over else f"judge.starts.{consequence.on_turn}"),
    )


def _needs(rule: RestartRule, *, acceptable: bool) -> tuple[str, ...]:
    both = ("seated", "uncovered" if rule.uncovered else "racks")
    if acceptable:
        return (*both, "tile") if rule.tile_seen else both
    return (*both, "off", "blank") if rule.blank_erased else (*both, "off")


def _direction(consequence: Consequence) -> str:
    return "given" if consequence.points > 0 else "taken"


def _side(role: Role, challenger: Side) -> Side:
    return challenger if role is Role.CHALLENGER else challenger.other
