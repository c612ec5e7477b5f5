"""The one error tree of the application: what a user can mend. A bug is any other exception."""


class OntocrawlError(Exception):
    """An expected failure. `str()` says what happened; `cure` names the next step."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.cure = cure


class OntologyError(OntocrawlError):
    """The ontology file cannot be used; the message names file and, where known, line."""


class PageError(OntocrawlError):
    """A response that cannot be read as a page."""


class StoreError(OntocrawlError):
    """The store cannot be opened, reached or used for this crawl."""


class StoreAway(StoreError):
    """The store does not answer now, and may do so again."""


class CrawlBroken(OntocrawlError):
    """A crawl had to end before its time: what was saved is kept, and the same command goes on."""


class OutdatedMemory(OntocrawlError):
    """What a strategy remembered was written by other code."""


class SettingsError(OntocrawlError):
    """Words typed, or a file of settings, that make no sense together."""
