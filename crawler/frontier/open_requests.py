"""The requests that are under way: their links, and how many each host has."""

from collections import Counter

from crawler.frontier.priority_queue import ROBOTS_RANK, Entry
from semantic.urls import host_of


class OpenRequests:
    """By address; of a robots.txt as the frontier names it. `hosts`: those with open requests, and how many."""

    def __init__(self) -> None:
        self.hosts: Counter[str] = Counter()
        self._entries: dict[str, Entry] = {}
        self._robots = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, url: str) -> bool:
        return url in self._entries

    @property
    def page_urls(self) -> list[str]:
        """Those that are not for a robots.txt."""
        return [url for url, entry in self._entries.items() if entry.rank != ROBOTS_RANK]

    @property
    def pages(self) -> int:
        """How many are not for a robots.txt."""
        return len(self._entries) - self._robots

    def start(self, entry: Entry) -> None:
        """It is asked for."""
        self._entries[entry.url] = entry
        self.hosts[host_of(entry.url)] += 1
        self._robots += entry.rank == ROBOTS_RANK

    def finish(self, url: str) -> Entry:
        """Its answer came."""
        entry = self._entries.pop(url)
        host = host_of(url)
        self.hosts[host] -= 1
        if not self.hosts[host]:
            del self.hosts[host]
        self._robots -= entry.rank == ROBOTS_RANK
        return entry
