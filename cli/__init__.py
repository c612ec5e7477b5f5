"""Words typed -> one frozen Settings -> use case -> exit code. The only place that wires concrete classes."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # matrices of a crawl are small, and sums must not depend on how they are cut
