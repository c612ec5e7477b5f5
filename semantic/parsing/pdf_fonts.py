"""Fonts of a PDF file by whose codes no character is known, and the encodings that a PDF names and does not contain.

A font that is not embedded, and has no table of its characters (`/ToUnicode`), may name a CMap that every reader is
expected to know (ISO 32000-1, table 118). For Unicode and for the national character sets such a CMap is what Python
calls a codec. `Identity-H` is none: its codes are numbers of glyphs.
"""

import re
from collections.abc import Mapping
from typing import Any

_CHARACTER_SETS = {
    "gb18030": "GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K GBT-EUC GBTpc-EUC",
    "cp950": "B5 B5pc ETen-B5 ETenms-B5 ETHK-B5",
    "big5hkscs": "HKscs-B5 HKdla-B5 HKdlb-B5 HKgccs-B5 HKm314-B5 HKm471-B5",
    "cp932": "90ms-RKSJ 90msp-RKSJ 90pv-RKSJ 83pv-RKSJ Add-RKSJ Ext-RKSJ RKSJ",
    "euc_jp": "EUC",
    "cp949": "KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC",
    "johab": "KSC-Johab",
}
_FORMS = {"UCS2": "utf-16-be", "UCS2-HW": "utf-16-be", "UTF16": "utf-16-be", "UTF8": "utf-8", "UTF32": "utf-32-be"}
_UNICODE = ["UniGB", "UniCNS", "UniJIS", "UniJISPro", "UniJIS2004", "UniJISX0213", "UniKS", "UniAKR"]
CODECS: Mapping[str, str] = {  # the codec of each CMap, by its name as an object of the file
    f"/{name}-{direction}": codec
    for names, codec in [
        *((names.split(), codec) for codec, names in _CHARACTER_SETS.items()),
        *(([f"{script}-{form}" for script in _UNICODE], codec) for form, codec in _FORMS.items()),
    ]
    for name in names
    for direction in "HV"
}
_MACHINE_NAME = re.compile(r"/(?:[A-Za-z]{1,2}|cid|glyph|index)[-_]?\d+$")  # of a glyph: says its number only
_RANGES = re.compile(rb"begincodespacerange(.{0,1000}?)endcodespacerange", re.DOTALL)
_CODE = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>")
_MOST_NAMES = 256  # codes of a simple font


def why_illegible(font: Mapping[str, Any]) -> str:
    """Name and encoding of a font whose codes stand for no known characters; "" for all others."""
    if not _is_missing(font.get("/ToUnicode")):
        return ""
    name, encoding = str(font.get("/BaseFont", "/?"))[1:], resolved(font.get("/Encoding"))
    if font.get("/Subtype") == "/Type0":
        return "" if isinstance(encoding, str) and encoding in CODECS else f"{name} {_cmap_name(encoding)}".strip()
    return name if isinstance(encoding, dict) and _has_machine_names(encoding) else ""


def plain_encoding(font: Mapping[str, Any]) -> str:
    """The name that stands for a CMap which the file contains; "" where the font has none, or one of single bytes."""
    encoding = resolved(font.get("/Encoding"))
    if font.get("/Subtype") != "/Type0" or not isinstance(encoding, dict):
        return ""
    names = (str(encoding.get(key, "")) for key in ("/CMapName", "/UseCMap"))
    known = next((name for name in names if name in CODECS), "")
    return known or ("" if _is_of_single_bytes(encoding) else "/Identity-H")


def _is_of_single_bytes(cmap: Any) -> bool:
    """Whether all codes of a CMap have one byte (ISO 32000-1, 9.7.5.4)."""
    try:
        ranges = _RANGES.findall(cmap.get_data())
    except (AttributeError, ValueError, TypeError, KeyError):
        return False
    codes = [code for found in ranges for code in _CODE.findall(found)]
    return bool(codes) and max(map(len, codes)) <= 2


def _cmap_name(encoding: Any) -> str:
    return str(encoding.get("/CMapName", "") if isinstance(encoding, dict) else encoding or "").lstrip("/")


def _has_machine_names(encoding: Mapping[str, Any]) -> bool:
    differences = encoding.get("/Differences")
    names = [name for name in list(differences or ())[:_MOST_NAMES] if isinstance(name, str)]
    return 2 * sum(bool(_MACHINE_NAME.match(name)) for name in names) > len(names)


def _is_missing(value: Any) -> bool:
    value = resolved(value)
    return value is None or type(value).__name__ == "NullObject"


def resolved(value: Any) -> Any:
    """What a reference leads to; any other value as it is."""
    return value.get_object() if hasattr(value, "get_object") else value
