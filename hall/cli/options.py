"""Settings as options of ``tilehall``."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from appliance.cli.options import Option, Verb, options_of


def with_settings(options: Sequence[Option]) -> Callable[[Verb], Verb]:
    """Return a decorator that adds ``options`` and passes a verb the settings as ``layered``."""

    def load(given: Mapping[str, Any], file: Path | None) -> Any:
        from hall.settings import LAYERS

        return LAYERS.load(given, file)

    return options_of(options, load, "/etc/tileclock/hall.toml")


BROKER_OPTIONS: Final[tuple[Option, ...]] = (
    ("--host", "broker.host", str, "The broker's name or address."),
    ("--port", "broker.port", int, "The broker's port."),
)
