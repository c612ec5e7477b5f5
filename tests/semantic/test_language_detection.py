"""In which language a page is written, whatever its template declares."""

import pytest
from miniature import page

from semantic.page import Position
from semantic.parsing.page_kind import written_language

SPANISH = "Para instalar el paquete se puede usar la orden que se describe en la página, pero no es el único modo. "
ENGLISH = "To install the package it is best to use the command that is described on this page, as for others. "


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (SPANISH * 3, "en", "es"),
        (ENGLISH * 3, "en", "en"),
        (ENGLISH * 3, "zh", "en"),
        ("Для установки пакета используйте команду. " * 3, "en", "ru"),
        ("Для установки пакета используйте команду. " * 3, "uk", "uk"),
        ("安装软件包 " * 9, "en", "zh"),
        ("ls -l /etc", "en", "en"),
        ("ls -l /etc", "zh", None),
        ("ls -l /etc", None, None),
    ],
)
def test_the_text_tells_before_the_template(text, declared, language):
    assert written_language(page((Position.OTHER, text), language=declared)) == language
