"""Signals that end a program, sent to a real one."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from appliance.program import Inbox
from appliance.process import termination_signals
inbox = Inbox()
with termination_signals() as asked:
    asked(lambda: inbox.put("asked to leave"), outlives_session=sys.argv[1] == "outlives")
    print("ready", flush=True)
    print(*inbox.wait(None), flush=True)
"""


BUSY = """
import subprocess, sys
from appliance.program import Inbox
from appliance.process import exit_on_signals, termination_signals
inbox = Inbox()
with termination_signals() as asked:
    if sys.argv[1] == "at the start":
        print("ready", flush=True)
        with exit_on_signals():
            # Where it comes while that is being started, that stays behind: it is not to hold our end of the pipe.
            subprocess.run(["sleep", "5"], stdout=subprocess.DEVNULL)
    with exit_on_signals():
        pass
    print("ready", flush=True)
    asked(lambda: inbox.put("asked to leave"), outlives_session=False)
    print(*inbox.wait(None), flush=True)
"""


def program(word: str, text: str = PROGRAM) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", text, word], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def said_by(process: subprocess.Popen[str]) -> tuple[str, int]:
    said, _ = process.communicate(timeout=60)
    return said, process.returncode


@pytest.mark.parametrize("each", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_is_an_input_and_the_program_ends_by_itself(each: signal.Signals) -> None:
    process = program("ends")
    process.send_signal(each)
    assert said_by(process) == ("asked to leave\n", 0)


def test_a_program_that_outlives_its_session_goes_on_until_it_is_asked_otherwise() -> None:
    process = program("outlives")
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)
    process.send_signal(signal.SIGTERM)
    assert said_by(process) == ("asked to leave\n", 0)


@pytest.mark.parametrize("each", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_while_the_program_has_no_inputs_yet_a_signal_ends_it_where_it_is(each: signal.Signals) -> None:
    process = program("at the start", BUSY)
    process.send_signal(each)
    assert said_by(process) == ("", 0)


def test_after_that_a_signal_is_an_input_as_before() -> None:
    process = program("later", BUSY)
    process.send_signal(signal.SIGTERM)
    assert said_by(process) == ("asked to leave\n", 0)
