"""``hall.toml``: whom a clock trusts, or a station's credential (docs/spec/wire.md, "Certificates and enrolment"). The device's own program reads it."""

from __future__ import annotations

import json

from wire.topics import is_station


def trust_text(device: str, hall: str, hall_key: str, director_key: str, credential: str) -> str:
    """Return the file of a device.

    Args:
        device: its id: a clock's file has the keys, a station's the credential.
        hall: the hall's name.
        hall_key: the hall's public key in base64.
        director_key: the director's public key in base64.
        credential: a station's, as JSON.
    """
    if not is_station(device):
        return _lines(hall=hall, hall_key=hall_key, director_key=director_key)
    signed = json.loads(credential)
    return f"{_lines(hall=hall)}\n[credential]\n{_lines(body=signed['body'], signature=signed['signature'])}"


def _lines(**values: str) -> str:
    # A JSON string in ASCII is a basic string of TOML.
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
