"""Ends that somebody makes: a resignation or a forfeit names who loses (2017 I.B, V.K.2)."""

import pytest

from tests.firmware.saying import play


@pytest.mark.parametrize("reason", ["resignation", "forfeit"])
def test_a_resignation_and_a_forfeit_name_their_loser_and_keep_the_penalties_as_they_stand(reason: str) -> None:
    told = play("naspa-2017", "0 press right", "1570 press left", "1580 neutralise")
    over = told.then(f"1590 end reason={reason} loser=right")
    face = over.face("1600")
    assert (face["phase"], face["reason"], face["loser"]) == ("over", reason, "right")
    assert (face["left"]["penalty"], face["right"]["penalty"]) == (20, 0)
    assert over.then("1610 reopen reason=x").face("1610")["loser"] is None
    assert told.then(f"1590 end reason={reason}").refused


def test_any_other_end_has_no_loser() -> None:
    told = play("naspa-2017", "0 press right")
    assert told.then("5 end reason=x").face("5")["loser"] is None
    assert told.then("5 end reason=x loser=left").refused
