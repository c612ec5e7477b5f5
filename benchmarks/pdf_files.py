"""Small PDF files written by hand, for tests and for the bench of bad input."""

import io
import zlib

from pypdf import PdfReader, PdfWriter

_CHINESE = (
    b"<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font"
    b"/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 0>>"
    b"/FontDescriptor<</Type/FontDescriptor/FontName/STSong-Light/Flags 6>>>>]>>"
)


def pdf(*contents: str, title: str = "", notes: str = "", packed: bool = False) -> bytes:
    """A file whose pages have these contents (PDF operators). /F1 is Helvetica, /F2 its bold, /F3 a Chinese font.

    `notes`: annotations of every page.
    """
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%s>>"
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", font % b"", font % b"-Bold", _CHINESE]
    objects.append(b"<</Title(%s)>>" % title.encode("latin-1"))
    kids = []
    for content in contents:
        raw = content.encode("latin-1")
        data, filtered = (zlib.compress(raw, 9), b"/Filter/FlateDecode") if packed else (raw, b"")
        objects.append(b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), filtered, data))
        fonts = b"/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>"
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]%s/Contents %d 0 R/Annots[%s]>>"
        objects.append(page % (fonts, len(objects), notes.encode("latin-1")))
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
    out, table = b"%PDF-1.7\n", b"0000000000 65535 f \n"
    for number, held in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    end = b"xref\n0 %d\n%strailer\n<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF"
    return out + end % (len(objects) + 1, table, len(objects) + 1, len(out))


def line(text: str, size: float, y: float, x: float = 72, font: str = "F1") -> str:
    """Operators that write a line; a Chinese one by its characters' numbers."""
    written = f"<{text.encode('utf-16-be').hex()}>" if font == "F3" else f"({text})"
    return f"BT /{font} {size} Tf {x} {y} Td {written} Tj ET\n"


def link(address: str, left: float, bottom: float, right: float, top: float) -> str:
    """An annotation that leads to an address."""
    return f"<</Type/Annot/Subtype/Link/Rect[{left} {bottom} {right} {top}]/A<</S/URI/URI({address})>>>>"


def locked(body: bytes, password: str) -> bytes:
    """The file, encrypted."""
    writer, out = PdfWriter(clone_from=PdfReader(io.BytesIO(body))), io.BytesIO()
    writer.encrypt(password, "owner", algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()
