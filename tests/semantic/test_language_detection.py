"""In which language a page is written, whatever its template declares."""

import pytest
from miniature import page

from semantic.page import Position
from semantic.parsing.page_kind import written_language

SPANISH = "Para instalar el paquete se puede usar la orden que se describe en la página, pero no es el único modo. "
ENGLISH = "To install the package it is best to use the command that is described on this page, as for others. "
CHINESE = "绿茶和乌龙茶都是茶叶。普洱茶可以存放多年。春天采摘的茶叶最好，乌龙茶半发酵，绿茶不发酵。"
QUOTED = (
    "茶商在信里写道：“お茶の木は春に新しい葉を出しますので、その葉をすぐに摘んでください。”后来的人常常引用这句话。"
)
JAPANESE = "消色トナーにおいては近赤外線を照射すると消色し、画像処理装置が提案されている。"
KANJI = "東京都庁観光案内所の営業時間、入場料金、交通機関及び周辺施設の一覧表は次の頁"
KOREAN = "녹차와 우롱차는 모두 차나무 잎으로 만든다. 봄에 딴 잎이 가장 좋다고 한다. "
CODE = "for key, value in table.items(): print(key, value) if value else None\n"


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (JAPANESE * 3, "zh", "ja"),
        (KANJI * 3, "ja", "ja"),
        (CHINESE * 3 + QUOTED + CHINESE * 3, None, "zh"),
        (CHINESE * 4 + KOREAN, "ko", "zh"),
        (KOREAN * 3, "zh", "ko"),
        (KOREAN * 3 + "綠茶烏龍茶", None, "ko"),
        ("綠茶和烏龍茶都是茶葉。普洱茶可以存放多年。" * 3, "en", "zh"),
        ("呢啲綠茶係喺春天採摘嘅，飲落好香，佢哋話唔好加糖。" * 3, None, "zh"),
        (CHINESE * 3 + CODE * 10, "en", "zh"),
        (CHINESE * 3 + CODE * 10, None, "zh"),
        (ENGLISH * 6 + CHINESE * 2, "en", "en"),
        (ENGLISH * 6 + CHINESE * 2, None, "en"),
        (ENGLISH * 6 + CHINESE * 2, "zh", "zh"),
        (ENGLISH * 3 + "茶", None, "en"),
        ("12 345 6.7 " * 40, None, None),
        ("12 345 6.7 " * 40, "fr", "fr"),
        (
            "Trà xanh là một trong các loại trà được làm từ lá và không qua quá trình lên men như trà đen. " * 3,
            None,
            "vi",
        ),
        ("Teh hijau adalah teh yang dibuat dari daun dan tidak melalui proses ini untuk itu. " * 4, None, "id"),
        (
            "Le thé vert est une boisson que les gens boivent dans des tasses avec du lait et pas de sucre. " * 3,
            "zh",
            "fr",
        ),
        ("Grønn te er laget av blader som ikke er fermentert, og det er en av de mest brukte. " * 4, "nb", "nb"),
        ("हरी चाय पत्तियों से बनती है और सबसे अच्छी वसंत में होती है। " * 3, "en", "hi"),
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
