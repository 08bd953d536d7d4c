"""Writing the settings that the director's desk orders, beside the loop."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from appliance.log import get_logger
from appliance.records.io_errors import describe_io_error

if TYPE_CHECKING:
    from firmware.settings.desk_file import DeskFile
    from wire.desk_settings import SettingValue


class SettingsWriter:
    """Writes settings in their order in a thread of its own: a card that hangs delays neither picture nor heartbeat, nor the first press of a game."""

    def __init__(self, desk: DeskFile) -> None:
        self._desk = desk
        # Its thread starts with the first settings. The end of the program waits for it.
        self._thread = ThreadPoolExecutor(1, "settings")

    def write(self, settings: Mapping[str, SettingValue]) -> None:
        """Have ``settings`` written soon. A failure is logged: they are in force until the clock stops."""
        self._thread.submit(self._written, dict(settings))

    def _written(self, settings: Mapping[str, SettingValue]) -> None:
        try:
            self._desk.keep(settings)
        except OSError as error:
            get_logger().warning("the settings of the director's desk are not written", why=str(describe_io_error(error)))
