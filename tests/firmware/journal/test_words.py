"""Rows of the hall in words, as the desk's table page and ``tileclock journal show`` have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from appliance.records.chain import ChainLink
from game.journal.row import Kind, Row, encode
from game.journal.words import row_words


def _said(kind: Kind, fields: Mapping[str, Any]) -> str:
    row = Row(kind, 1, None, 0, 0, "boot", "2026-07-03T11:00:00Z", encode(fields))
    return next(row_words([ChainLink(1, row, "")])).what


def test_a_message_of_the_hall_names_what_it_wanted_its_sender_and_the_answer() -> None:
    accepted = {"id": "8c68", "issuer": "desk-1", "what": "notice", "answer": "accepted", "text": "Round 3 at 14:00"}
    assert _said(Kind.PROPOSAL, accepted) == 'from desk-1: notice "Round 3 at 14:00", accepted'
    refused = {"id": "8c69", "issuer": "B", "what": "verdict", "answer": "other_challenge", "number": 4}
    assert _said(Kind.PROPOSAL, refused) == "from B: verdict, refused (other challenge)"
    settings = {"issuer": "desk-1", "what": "settings", "answer": "accepted", "settings": {"language": "fr", "led.brightness": 40}}
    assert _said(Kind.PROPOSAL, settings) == "from desk-1: settings language = fr, led.brightness = 40, accepted"
    update = {"issuer": "desk-1", "what": "update", "answer": "no_updates"}
    assert _said(Kind.PROPOSAL, update) == "from desk-1: update of the software, refused (no updates)"
    unread = {"id": "8c70", "issuer": "desk-1", "answer": "malformed", "count": 12}
    setup = {"rulebook": "naspa-2017", "left_seconds": 1200, "right_seconds": 1200}
    for times, words in (({}, "20:00 each"), ({"right_seconds": 90}, "left 20:00, right 1:30"), ({"left_seconds": None}, "right 20:00")):
        offered = {"issuer": "desk-1", "what": "setup", "answer": "accepted", "setup": setup | times}
        assert _said(Kind.PROPOSAL, offered) == f"from desk-1: set-up of the next game naspa-2017, {words}, accepted"
    for ago, words in (
        (100, "start of the round, 100 s ago"),
        (-300, "start of the round, in 300 s"),
        (None, "start of the round, none set"),
    ):
        began = {"issuer": "desk-1", "what": "round", "answer": "accepted", "round": {"ago_s": ago}}
        assert _said(Kind.PROPOSAL, began) == f"from desk-1: {words}, accepted"
    assert _said(Kind.PROPOSAL, unread) == "from desk-1: message, refused (malformed), 12 times"


def test_an_assignment_names_the_table_the_players_and_the_list() -> None:
    place = {"table": 7, "left": "Ann", "right": "Bo", "lexicon": "0123456789abcdef" * 4}
    assert _said(Kind.ASSIGNED, place) == "assigned: table 7, left Ann, right Bo, word list 0123456789abcdef"
    assert _said(Kind.ASSIGNED, {"table": None, "left": "", "right": "", "lexicon": None}) == "assigned: no table"


def test_a_time_frame_says_how_long_ago_it_began_and_how_long_a_break_is() -> None:
    assert _said(Kind.EVENT, {"do": "window", "name": "missed_press", "ago": 10}) == "window missed_press 10 s ago"
    assert _said(Kind.EVENT, {"do": "window", "name": "between_rounds", "seconds": 300}) == "window between_rounds seconds 300"
