"""Words typed -> one frozen Settings -> use case -> exit code. The only place that wires concrete classes."""
