"""A director's PIN as the settings keep it, made once for all tests: that takes time on purpose."""

from appliance.lock import hashed

KEPT_PIN = hashed("2468")
