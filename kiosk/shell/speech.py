"""The station's voice: it says to both players what is news on each page, while the director's door is closed."""

from string import digits

from appliance.log import get_logger
from appliance.texts import voice_of
from faults.errors import TileclockError
from hardware.tones import Tones
from hardware.voice import Voice
from kiosk.face.page import Page
from kiosk.face.speech import Moment, news
from kiosk.station import Station
from kiosk.texts import load_texts
from rules.side import BySide


class Speech:
    def __init__(self, tones: Tones, voice: Voice, *, verdict: bool) -> None:
        self._tones, self._voice, self._verdict = tones, voice, verdict
        self._last: Moment | None = None

    def open(self, station: Station) -> None:
        try:
            self._tones.open()
        except TileclockError as error:
            get_logger().error("the station does not speak", why=str(error))
        else:
            self._voice.prepare(voice_of(station.flow.language), (*digits, *station.flow.context.alphabet))

    def show(self, station: Station, page: Page) -> None:
        if not station.door.is_closed:
            self._last = None
            return
        before, self._last = self._last, Moment(station.flow, page)
        language = station.flow.language
        if before is not None and (clips := news(before, self._last, load_texts(language), verdict=self._verdict)):
            self._voice.say(BySide.both(value=True), voice_of(language), clips)
