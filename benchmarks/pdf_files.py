"""Small PDF files written by hand, for tests and for the bench of bad input."""

import io
import zlib

from pypdf import PdfReader, PdfWriter


def pdf(*contents: str, title: str = "", notes: str = "", packed: bool = False) -> bytes:
    """A file whose pages have these contents (PDF operators). /F1 is Helvetica, /F2 its bold, /F3 a Chinese font.

    `notes`: annotations of every page.
    """
    chinese = b"<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font"
    chinese += b"/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 0"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>",
        chinese + b">>/FontDescriptor<</Type/FontDescriptor/FontName/STSong-Light/Flags 6>>>>]>>",
        b"<</Title(%s)>>" % title.encode("latin-1"),
    ]
    kids = []
    for content in contents:
        raw = content.encode("latin-1")
        data = zlib.compress(raw, 9) if packed else raw
        filtered = b"/Filter/FlateDecode" if packed else b""
        objects.append(b"<</Length %d%s>>stream\n" % (len(data), filtered) + data + b"\nendstream")
        fonts = b"/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>"
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]%s/Contents %d 0 R/Annots[%s]>>"
            % (fonts, len(objects), notes.encode("latin-1"))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
    return _file(objects)


def line(text: str, size: float, y: float, x: float = 72, font: str = "F1") -> str:
    """Operators that write a line; a Chinese one by its characters' numbers."""
    written = f"<{text.encode('utf-16-be').hex()}>" if font == "F3" else f"({text})"
    return f"BT /{font} {size} Tf {x} {y} Td {written} Tj ET\n"


def link(address: str, left: float, bottom: float, right: float, top: float) -> str:
    """An annotation that leads to an address."""
    return f"<</Type/Annot/Subtype/Link/Rect[{left} {bottom} {right} {top}]/A<</S/URI/URI({address})>>>>"


def locked(body: bytes, password: str) -> bytes:
    """The file, encrypted."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(body)))
    writer.encrypt(password, "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _file(objects: list[bytes]) -> bytes:
    out, places = b"%PDF-1.7\n", []
    for number, held in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    return (
        out
        + head
        + table
        + b"trailer\n<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (
            len(objects) + 1,
            len(out),
        )
    )
