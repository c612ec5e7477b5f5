"""The weights of `semantic.parsing.own_blocks`, made by `python -m benchmarks.own_text --write` from pages of WCXB 1.0
(Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark; only numbers learned
from them are here) and of archived webs.

1,024 times the log odds that each mark adds, in the order of `MARKS`, and that each value of a feature adds; in steps
of `Page.blocks`, what is added for a block that its host repeats, and for one that it does not, where that is known.
"""

BITS = (
    -26,
    381,
    868,
    462,
    690,
    535,
    963,
    -245,
    886,
    481,
    -550,
    -899,
    -976,
    -504,
    -555,
    -949,
    -1283,
    609,
    -188,
    -221,
    -979,
    -368,
    -456,
    -649,
    -126,
    -1355,
    -356,
    -172,
    353,
    819,
    59,
)
TABLES = {
    "density": (-1813, -2086, -2118, -2379, -2155, -2333, -2240, -2125),
    "size": (0, -48, -5, -440, -621, -29, 226, 163, 393, 370, 160, -195),
    "signs": (-219, -36, -4, 152, 185, -103),
    "density_before": (14, 145, 207, 38, 91, 92, -210, -285, -118),
    "free_before": (14, -118, -25, -23, -119, -178, 22, 91, -4, 116, 197, 64, -62),
    "density_after": (-781, 194, 238, 21, 165, 299, 130, -193, -99),
    "free_after": (-781, -99, 394, -147, -180, -242, -20, 213, 129, 372, 302, 108, -75),
    "after_h1": (180, -656, 450),
    "place": (106, 380, 527, 390, 115, -113, -552, -880),
    "path_share": (-156, -87, -82, -211, -302, 333, 479),
    "path_count": (0, -653, -101, 3, 157, 57, 331, -105, 287),
    "path_density": (81, 277, -43, -158, -189, 134, -105, -23),
    "path_mean": (63, -168, -202, -146, 26, 156, 43, 0, 15, -20, 87, 121),
    "outer_share": (-519, -313, -382, -105, 219, 185, 889),
    "outer_count": (0, -63, -309, -19, -83, 230, 45, -94, 268),
    "outer_density": (65, 36, -111, -69, -164, -25, 477, -235),
    "outer_mean": (-95, -54, 14, -455, -193, -196, 152, 398, 19, 150, 202, 32),
    "page_density": (-660, 92, -104, -205, -241, 746, 347, 0),
    "page_free": (0, 0, 0, 0, 0, 0, -189, -767, 271, 493, 91, 250, 80, 166, -106, -313),
    "in_header": (92, -530, 387, 25),
    "in_footer": (321, -759, 629, -217),
    "in_comment": (-175, -551, 18, 59, 808, 26, -88, -123),
}
REPEATED, NOT_REPEATED = -48, 8
