"""What mypy has to know of `in_c/`, which is used through `semantic.compiled.loops`."""

SOURCE: str
