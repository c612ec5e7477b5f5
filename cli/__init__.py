"""Words typed -> one frozen Settings -> use case -> exit code. The only place that wires concrete classes."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices of a crawl are small: a second thread only waits for work
