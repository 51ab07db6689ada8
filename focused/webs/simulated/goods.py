"""Things a shop presents: brand, model and a list of attributes, each shop with its own words for them.

A thing is the same in every shop that has it. Look-alikes (printers, monitors, players, phones beside cameras or
notebooks) are described in the same way by other attributes, some of which they share.
"""

from __future__ import annotations

from typing import NamedTuple

from focused.webs.simulated.dice import Stream

POOL = 1_200  # things of a kind; a shop has some of them
BRANDS = (
    "Lumetra", "Oriel", "Kestrel", "Novacore", "Halden", "Pentara", "Zephyr", "Mirafax", "Ostrava", "Quill",
    "Tarn", "Veridian", "Solano", "Brevik", "Cadmus", "Ember",
)  # fmt: skip

Attribute = tuple[str, str]  # names for it, parted by bars; values, parted by bars; a digit stands for {}

CAMERAS: tuple[Attribute, ...] = (
    ("Effective pixels|Resolution|Megapixels", "{} megapixels|{} MP|{} million pixels"),
    ("Sensor|Image sensor|Sensor type", "CMOS 1/2.{}|CCD 1/1.{}|full frame CMOS|four thirds CMOS"),
    ("Optical zoom|Zoom", "{}x|none|{}x with stabiliser"),
    ("Lens|Focal length", "{} - 105 mm|{} - 200 mm|fixed {} mm"),
    ("Aperture|Maximum aperture", "f/1.{}|f/2.{}|f/3.{}"),
    ("Shutter speed|Shutter", "30 - 1/{}000 s|15 - 1/{}000 s"),
    ("ISO range|Sensitivity", "100 - {}00|200 - {}00"),
    ("Display|LCD screen", "{} inch TFT|{} inch OLED, tilting"),
    ("Viewfinder", "optical|electronic|none"),
    ("Flash|Built-in flash", "yes|no|hot-shoe only"),
    ("Video|Movie mode", "1080p at {} frames|4K at {} frames|720p"),
    ("Storage|Memory card", "SD|SDHC|CompactFlash|{} MB internal"),
    ("Battery|Power", "lithium-ion, {}0 shots|{} x AA"),
    ("Dimensions|Size", "1{}0 x 7{} x 5{} mm|9{} x 6{} x 3{} mm"),
    ("Weight", "{}5 g|{}30 g"),
)
PRINTERS: tuple[Attribute, ...] = (
    ("Print technology|Technology", "inkjet|laser|dye sublimation"),
    ("Resolution|Print resolution", "{}00 dpi|1{}00 x 1200 dpi"),
    ("Print speed|Speed", "{} pages per minute|{} ppm mono"),
    ("Paper sizes|Paper", "A4, A5, letter|A3, A4|10 x 15 cm"),
    ("Paper tray|Input capacity", "{}50 sheets|{}0 sheets"),
    ("Cartridges|Ink", "{} separate|1 tri-colour|toner, {}000 pages"),
    ("Display|LCD screen", "{} inch TFT|2 lines|none"),
    ("Memory card|Card slots", "SD|SDHC, CompactFlash|none"),
    ("Interface|Connections", "USB|USB, wireless|USB, ethernet"),
    ("Memory", "{} MB|{}6 MB"),
    ("Power consumption|Power", "{} W|{}0 W printing"),
    ("Dimensions|Size", "4{}0 x 3{}0 x 1{}0 mm"),
    ("Weight", "{} kg|1{} kg"),
)
NOTEBOOKS: tuple[Attribute, ...] = (
    ("Processor|CPU", "dual core {}.2 GHz|quad core {}.6 GHz|single core 1.{} GHz"),
    ("Memory|RAM", "{} GB DDR|{}12 MB"),
    ("Hard disk|Storage", "{}0 GB SATA|{}20 GB solid state"),
    ("Display|Screen size", "1{} inch|1{}.4 inch wide"),
    ("Resolution|Screen resolution", "1280 x {}00|1920 x 1{}00"),
    ("Graphics|Graphics card", "integrated|dedicated, {}12 MB"),
    ("Optical drive", "DVD writer|none|combo drive {}x"),
    ("Wireless|Networking", "802.11 b/g|802.11 n, ethernet|ethernet"),
    ("Ports|Connections", "{} USB, VGA|{} USB, HDMI"),
    ("Keyboard", "{}6 keys|8{} keys, backlit"),
    ("Operating system", "none|preinstalled, release {}"),
    ("Battery|Battery life", "{} cells, {} hours|up to {} hours"),
    ("Dimensions|Size", "3{}0 x 2{}0 x 2{} mm"),
    ("Weight", "1.{} kg|2.{} kg"),
)
MONITORS: tuple[Attribute, ...] = (
    ("Display|Screen size", "1{} inch|2{} inch wide"),
    ("Resolution|Screen resolution", "1280 x {}00|1920 x 1{}00"),
    ("Panel|Panel type", "TN|IPS|VA"),
    ("Contrast|Contrast ratio", "{}00:1|{}000:1"),
    ("Brightness", "{}00 cd/m2|2{}0 cd/m2"),
    ("Response time", "{} ms"),
    ("Viewing angle", "1{}0 degrees"),
    ("Ports|Connections", "VGA|VGA, DVI|HDMI, {} USB"),
    ("Speakers", "{} W|none"),
    ("Stand", "tilt|tilt, height {}0 mm"),
    ("Power consumption|Power", "{}0 W|2{} W"),
    ("Dimensions|Size", "4{}0 x 3{}0 x 1{}0 mm"),
    ("Weight", "{} kg|{}.5 kg"),
)
PLAYERS: tuple[Attribute, ...] = (
    ("Capacity|Storage", "{} GB flash|{}0 GB disk"),
    ("Formats|Audio formats", "MP3, WMA|MP3, AAC, WAV|MP3, Ogg"),
    ("Display|LCD screen", "{} inch TFT|{} lines|none"),
    ("Tuner|Radio", "FM, {}0 presets|none"),
    ("Headphones|Earphones", "{} mW, in-ear|2x{} mW"),
    ("Equaliser", "{} bands|none"),
    ("Recording|Recorder", "voice|line in, {}20 kbit/s|none"),
    ("Interface|Connections", "USB|USB, wireless"),
    ("Memory card|Card slots", "SD|none"),
    ("Battery|Playing time", "{}0 hours|up to 1{} hours"),
    ("Dimensions|Size", "8{} x 4{} x 1{} mm"),
    ("Weight", "{}5 g|{}0 g"),
)
PHONES: tuple[Attribute, ...] = (
    ("Network|Bands", "GSM 900/1800|quad band|UMTS, {} bands"),
    ("Talk time", "{} hours|up to {}.5 hours"),
    ("Stand-by|Standby time", "{}00 hours|{}50 hours"),
    ("Form|Design", "clamshell|slider|candy bar"),
    ("Display|LCD screen", "{} inch TFT|{}0 x 1{}0, colour"),
    ("Ringtones|Ring tones", "polyphonic, {}4 voices|MP3"),
    ("Messaging", "SMS, MMS|SMS, MMS, e-mail"),
    ("Phone book|Contacts", "{}00 entries|{}000 entries"),
    ("Camera", "{} MP|VGA|none"),
    ("Connections|Interface", "infrared|Bluetooth, USB|USB"),
    ("Memory card|Card slots", "SD|none"),
    ("Dimensions|Size", "1{}0 x 4{} x 1{} mm"),
    ("Weight", "{}5 g|1{}0 g"),
)
ACCESSORIES: tuple[Attribute, ...] = (
    ("Type", "bag|tripod|charger|cable|case|memory card"),
    ("Material", "leather|aluminium|nylon|plastic"),
    ("Colour", "black|grey|silver|red"),
    ("Fits|Suitable for", "all models|series {}|up to 1{} inch"),
    ("Warranty", "{} months|1 year"),
    ("Weight", "{}0 g|{}5 g"),
)
KINDS = {
    "cameras": CAMERAS,
    "printers": PRINTERS,
    "notebooks": NOTEBOOKS,
    "monitors": MONITORS,
    "accessories": ACCESSORIES,
    "players": PLAYERS,
    "phones": PHONES,
}


class Thing(NamedTuple):
    brand: str
    model: str
    price: int
    rows: list[tuple[str, str]]  # attribute and value


class Goods:
    def __init__(self, seed: int) -> None:
        self._dice = Stream(seed, "goods")

    def brand(self, kind: str, number: int) -> int:
        """Which brand makes it: the first ones make most."""
        draw = self._dice.unit(self._key(kind, number))
        return int(draw * draw * len(BRANDS))

    def model(self, kind: str, number: int) -> str:
        bits = self._dice.at(self._key(kind, number))
        return f"{'ADEGKMPSTX'[bits % 10]}{'' if bits & 16 else '-'}{100 + number}"

    def thing(self, kind: str, number: int, words: int) -> Thing:
        """A thing in the words of a shop, which also leaves out an attribute now and then."""
        key = self._key(kind, number)
        numbers = self._dice.bits(key, 2 * len(KINDS[kind]) + 1).tolist()
        rows = [
            (_pick(names, words + nth), _value(values, bits))
            for nth, ((names, values), bits) in enumerate(zip(KINDS[kind], numbers, strict=False))
            if (numbers[len(KINDS[kind]) + nth] + words) % 12
        ]
        return Thing(BRANDS[self.brand(kind, number)], self.model(kind, number), 20 + numbers[-1] % 1500, rows)

    @staticmethod
    def _key(kind: str, number: int) -> int:
        return number * len(KINDS) + list(KINDS).index(kind)


def _pick(choices: str, bits: int) -> str:
    found = choices.split("|")
    return found[bits % len(found)]


def _value(values: str, bits: int) -> str:
    """One of the values, its gaps filled with digits."""
    start, *rest = _pick(values, bits >> 8).split("{}")
    return start + "".join(f"{1 + (bits >> (16 + 4 * gap)) % 9}{part}" for gap, part in enumerate(rest))
