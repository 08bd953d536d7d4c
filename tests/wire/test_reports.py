"""Reports: version 1, exact types, and keys of later releases ignored."""

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from wire.reports import MAX_ROWS, DeviceBeat, OpenCall, RowBatch

HASH = "ab" * 32
BATCH: dict[str, Any] = {
    "v": 1,
    "epoch": "0011223344556677",
    "first": 1,
    "last": 1,
    "previous": "0" * 64,
    "rows": [[HASH, [1, "boot", None]]],
}
BEAT: dict[str, Any] = {
    "v": 1, "nonce": "0f" * 16, "boot": "b", "epoch": None, "seq": 0, "head": "0" * 64, "signed": None, "lexicon": None, "power": "ok",
    "lag": 0, "dropped": 0, "sent": 5, "echo": {"v": 1, "t1": 1, "t2": 2, "t3": 3, "t4": 4},
}  # fmt: skip


def test_a_batch_keeps_the_fields_as_they_were_hashed() -> None:
    batch = RowBatch.model_validate_json(json.dumps({**BATCH, "first": 7, "last": 7, "rows": [[HASH, [7, None, "a"]]]}))
    assert batch.rows == [(HASH, [7, None, "a"])]


def test_a_row_that_is_too_large_goes_as_its_hash() -> None:
    assert RowBatch.model_validate({**BATCH, "rows": [[HASH, None]]}).rows == [(HASH, None)]


def test_a_key_of_a_later_release_is_ignored() -> None:
    assert DeviceBeat.model_validate({**BEAT, "humidity": 40}) == DeviceBeat.model_validate(BEAT)


def test_from_is_a_key_of_a_call() -> None:
    assert '"from":"players"' in OpenCall(since=1, boot="b", table=12).model_dump_json(by_alias=True)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RowBatch, {**BATCH, "v": 2}),
        (RowBatch, {**BATCH, "first": "1"}),
        (RowBatch, {**BATCH, "epoch": "short"}),
        (RowBatch, {**BATCH, "rows": []}),
        (RowBatch, {**BATCH, "rows": [[HASH, None]] * (MAX_ROWS + 1)}),
        (RowBatch, {**BATCH, "rows": [["hash", None]]}),
        (DeviceBeat, {**BEAT, "seq": -1}),
        (DeviceBeat, {**BEAT, "sent": 1 << 63}),
        (DeviceBeat, {**BEAT, "boot": "two\nlines"}),
        (DeviceBeat, {**BEAT, "power": "perhaps"}),
        (DeviceBeat, {**BEAT, "update": "perhaps"}),
    ],
)
def test_a_message_that_does_not_fit_is_refused(model: type[BaseModel], message: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(message)
