"""The weights of `semantic.parsing.own_blocks`.

Made by `python -m benchmarks.page_blocks --wcxb FOLDER --write` from pages of WCXB 1.0 (Murrough Foley, CC-BY-4.0,
https://github.com/Murrough-Foley/web-content-extraction-benchmark), of which only numbers learned from them are here,
and of archived webs.

1,024 times the log odds that a mark adds (`OF_MARKS`), and that each value of a feature adds (`TABLES`). `REPEATED`, in
steps of `Page.blocks`, is what is added for a block that its host repeats.
"""

OF_MARKS = {
    "title": -253,
    "h1": 234,
    "h2": 899,
    "h4": 414,
    "p": 688,
    "li": 565,
    "td": 922,
    "dl": -321,
    "pre": 832,
    "quote": 800,
    "caption": -1156,
    "nav": -941,
    "footer": -1070,
    "header": -523,
    "aside": -928,
    "form": -1069,
    "button": -1343,
    "article": 362,
    "main": -41,
    "said_nav": -414,
    "said_foot": -829,
    "said_side": -95,
    "said_head": -448,
    "comment": -800,
    "asks": -1222,
    "toc": 1157,
    "unseen": -115,
}
TABLES = {
    "links": (-1451, -1673, -1872, -2174, -2144, -2297, -2272, -2123),
    "size": (0, -240, -315, -695, -767, -217, 170, 313, 618, 743, 560, -168),
    "free_before": (-254, -359, -153, -23, -173, -188, 83, 239, 184, 252, 313, 217, -138),
    "free_after": (-1351, -296, 292, -170, -199, -163, 58, 345, 373, 460, 489, 257, -95),
    "after_h1": (355, -821, 466),
    "place": (179, 430, 495, 431, 185, -127, -566, -1027),
    "group_share": (-589, -399, -395, -152, -41, 399, 1178),
    "group_count": (0, -695, -509, -60, 97, 227, 496, 157, 285),
    "page_free": (0, 0, 0, 0, 0, -180, -631, -994, 271, 465, 467, 618, 82, 168, 41, -306),
    "in_header": (148, -629, 375, 106),
    "in_footer": (450, -931, 620, -139),
    "in_comment": (-291, -774, -72, 338, 658, 196, 79, -135),
}
REPEATED = -16
