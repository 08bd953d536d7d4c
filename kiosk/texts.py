"""The station's texts in each language: data, checked on loading."""

from appliance.texts import MASTER, Texts, load_part

__all__ = ["Texts", "load_texts"]


def load_texts(language: str = MASTER) -> Texts:
    """Raises TextsError: no such language, or its file lacks a key or has other placeholders."""
    return load_part("station", language)
