"""The command line: typed words become one frozen Settings, a use case runs, its exit code is returned.

This is the only package that chooses concrete classes.
"""

import os

# the matrices of a crawl are small, and sums must not depend on how they are split between threads
os.environ["OPENBLAS_NUM_THREADS"] = "1"
