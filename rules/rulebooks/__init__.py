"""Rulebooks: codes of rules as data. TOML files contain each value with its clause; the core gets the values as one frozen ``Rulebook``."""

from rules.rulebooks.explain import explain
from rules.rulebooks.load import DEFAULT_RULEBOOK, RulebookError, check_file, load_rulebook, load_source, parse_rulebook, shipped_ids
from rules.rulebooks.model import WINDOW_NAMES, ChallengeRule, OvertimeBand, OvertimeLimit, OvertimeRule, ReviewBy, Rulebook
from rules.rulebooks.schema import RulebookSource

__all__ = [
    "DEFAULT_RULEBOOK",
    "WINDOW_NAMES",
    "ChallengeRule",
    "OvertimeBand",
    "OvertimeLimit",
    "OvertimeRule",
    "ReviewBy",
    "Rulebook",
    "RulebookError",
    "RulebookSource",
    "check_file",
    "explain",
    "load_rulebook",
    "load_source",
    "parse_rulebook",
    "shipped_ids",
]
