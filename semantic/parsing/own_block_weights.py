"""The weights of `semantic.parsing.own_blocks`, made by `python -m benchmarks.own_text --write` from pages of WCXB 1.0
(Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark; only numbers learned
from them are here) and of archived webs.

1,024 times the log odds that each mark adds, in the order of `MARKS`, and that each value of a feature adds; in steps
of `Page.blocks`, what is added for a block that its host repeats, and for one that it does not, where that is known.
"""

BITS = (
    -280,
    178,
    859,
    406,
    663,
    555,
    888,
    -322,
    821,
    799,
    -1178,
    -880,
    -1053,
    -467,
    -912,
    -1072,
    -1357,
    386,
    -16,
    -434,
    -885,
    -129,
    -412,
    -854,
    -1172,
    709,
    -72,
)
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
