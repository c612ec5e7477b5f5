"""The weights of `semantic.parsing.own_blocks`, made by `python -m benchmarks.own_text --write` from pages of WCXB 1.0
(Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark; only numbers learned
from them are here) and of archived webs.

1,024 times the log odds that a mark adds (`OF_MARKS`), and that each value of a feature adds (`TABLES`). In steps of
`Page.blocks`, what is added for a block that its host repeats, and for one that it does not, where that is known.
"""

OF_MARKS = {
    "title": -280,
    "h1": 178,
    "h2": 859,
    "h4": 406,
    "p": 663,
    "li": 555,
    "td": 888,
    "dl": -322,
    "pre": 821,
    "quote": 799,
    "caption": -1178,
    "nav": -880,
    "footer": -1053,
    "header": -467,
    "aside": -912,
    "form": -1072,
    "button": -1357,
    "article": 386,
    "main": -16,
    "said_nav": -434,
    "said_foot": -885,
    "said_side": -129,
    "said_head": -412,
    "comment": -854,
    "asks": -1172,
    "toc": 709,
    "unseen": -72,
}
TABLES = {
    "links": (-1360, -1564, -1774, -2085, -2037, -2179, -2190, -2020),
    "size": (0, -235, -323, -661, -779, -201, 193, 315, 612, 744, 520, -185),
    "free_before": (-282, -360, -150, -28, -123, -197, 87, 228, 179, 252, 308, 222, -135),
    "free_after": (-1376, -298, 296, -160, -150, -166, 52, 334, 367, 457, 486, 251, -94),
    "after_h1": (330, -782, 452),
    "place": (166, 421, 505, 433, 170, -136, -559, -1000),
    "group_share": (-626, -398, -396, -171, -9, 412, 1187),
    "group_count": (0, -685, -526, -56, 101, 265, 481, 143, 278),
    "page_free": (0, 0, 0, 0, 0, -179, -633, -962, 708, 525, 336, 509, -12, 94, -29, -357),
    "in_header": (173, -682, 293, 215),
    "in_footer": (387, -896, 665, -157),
    "in_comment": (-439, -735, -61, 380, 685, 238, 54, -122),
}
REPEATED, NOT_REPEATED = -16, 0
