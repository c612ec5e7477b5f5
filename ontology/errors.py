"""The application's tree of errors that a user can fix. Any other exception is a bug."""

from typing import Self

from ontology.messages import Message, message


class OntocrawlError(Exception):
    """An expected failure. `str()`: what happened. `cure`: the next step.

    Both may be messages (`ontology.messages`).
    """

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.cure = cure

    @property
    def message(self) -> str:
        """What happened, as it was given: a message where it was one."""
        given: str = self.args[0]
        return given


class OntologyError(OntocrawlError):
    """The ontology file cannot be used; the message names the file and, if known, the line."""


class StoreError(OntocrawlError):
    """The store cannot be opened, reached or used for this crawl."""


class NoStore(StoreError):
    """Nothing is where a store was named."""


class StoreAway(StoreError):
    """The store does not answer now, but may do so later."""


class CrawlBroken(OntocrawlError):
    """A crawl had to end early. What was saved is kept, and the same command goes on."""

    @classmethod
    def by(cls, error: OntocrawlError) -> Self:
        """What is said where this error ends a crawl that has begun: no mistake in what was typed."""
        cure = error.cure if isinstance(error.cure, Message) else message(error.cure)
        return cls(error.message, message("{cure}; the same command goes on", cure=cure))


class OutdatedMemory(OntocrawlError):
    """A strategy's memory was written by another version of the code."""


class SettingsError(OntocrawlError):
    """Options, or a file of settings, that are invalid or contradict each other."""
