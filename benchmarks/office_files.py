"""Small office files written by hand, for tests and for the bench of bad input."""

import io
import zipfile
from collections.abc import Mapping


def packed(parts: Mapping[str, str | bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these parts."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", how) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return held.getvalue()


def open_document(content: str) -> bytes:
    """A text in the format OpenDocument, whose part of content is this XML."""
    return packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = f'<Relationship Id="1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
_LINK = f'<Relationship Id="l" Type="{_OFFICE}/hyperlink" Target="http://fuzz.example/a" TargetMode="External"/>'
_PARTS: list[dict[str, str | bytes]] = [
    {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f"<Relationships>{_MAIN}</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="w" xmlns:r="{_OFFICE}"><w:p><w:pPr>'
        '<w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>绿茶</w:t></w:r>'
        '<w:hyperlink r:id="l"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p></w:document>',
        "word/_rels/document.xml.rels": f"<Relationships>{_LINK}</Relationships>",
    },
    {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="x.opf"/></c>',
        "x.opf": '<p><title>T</title><item id="a" href="a.xhtml"/><itemref idref="a"/></p>',
        "a.xhtml": '<html><body><h1>绿茶</h1><p>some <a href="http://fuzz.example/b">text</a></p></body></html>',
    },
    {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": '<o:text xmlns:o="o" xmlns:t="t"><t:h t:outline-level="2">绿茶</t:h><t:p>some '
        '<t:a t:href="/c">text</t:a><t:note><t:note-body><t:p>a note</t:p></t:note-body></t:note></t:p></o:text>',
    },
]
SAMPLES = [packed(parts, zipfile.ZIP_STORED) for parts in _PARTS]  # not deflated, so that a mutation meets the XML
