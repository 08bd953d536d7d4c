"""``tilekiosk run``: the station as a program. It starts without the command line's library, which takes a tenth of a start."""

from appliance.clocks import Clocks
from appliance.log import get_logger
from appliance.process import fast_startup
from appliance.program import run_program
from appliance.settings import settings_outcome
from faults.endings import end_on_sigterm, exit_codes
from kiosk.settings import Layered, last_good
from kiosk.shell.assemble import assembled
from kiosk.shell.loop import Loop


def main() -> None:
    """Run the station with the settings of this machine's files."""
    end_on_sigterm()
    with exit_codes("tilekiosk"):
        _run_machines_own()


@fast_startup
def _run_machines_own() -> None:
    run(last_good().take({}))


def run(layered: Layered) -> None:
    def report_ready(loop: Loop) -> None:
        context, log = loop.station.flow.context, get_logger()
        (log.info if layered.refused is None else log.error)("the settings are read", found=settings_outcome(layered))
        log.info(
            "the station is ready", lexicon=None if context.lexicon is None else context.lexicon.short_hash, rulebook=context.rulebook.id
        )
        if context.trouble is not None:
            log.warning("nothing is judged", why=str(context.trouble.what))

    run_program("tilekiosk", lambda watched: assembled(layered, Clocks(), watched), report_ready, "TILEKIOSK_POWEROFF")
