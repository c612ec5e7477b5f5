"""What a page itself reserves for text and data mining.

- The header and the meta element `tdm-reservation: 1`, and the address of a licence in `tdm-policy` (W3C, TDM
  Reservation Protocol, final community group report, 6.2 and 6.3).
- `noai` and `noimageai` among the words for robots, in a meta element or in `X-Robots-Tag`.
"""

from collections.abc import Collection, Mapping

RESERVATION, POLICY = "tdm-reservation", "tdm-policy"
IMAGES = "noimageai"  # of images, which nobody reads here
LONGEST = 2000  # characters of a policy's address; chosen, not measured


def reserved_by(meta: Collection[str], robots: Collection[str], headers: Mapping[str, str]) -> str:
    """All that reserves the page, as one text; "" for nothing. `meta`: words of its meta elements; `robots`: those for
    robots, from headers, too.
    """
    said = [f"header {RESERVATION}"] if "1" in _values(headers.get(RESERVATION, "")) else []
    if f"{RESERVATION}=1" in meta:
        said.append(f"meta {RESERVATION}")
    policies = [word.partition("=")[2] for word in meta if word.startswith(f"{POLICY}=")]
    policy = next((each for each in (headers.get(POLICY, "").strip(), *sorted(policies)) if is_policy(each)), "")
    if said and policy:
        said.append(f"{POLICY} {policy}")
    return ", ".join([*said, *(word for word in ("noai", IMAGES) if word in robots)])


def is_for_texts(reserved: str) -> bool:
    """Whether this reserves more than images."""
    return reserved not in ("", IMAGES)


def _values(header: str) -> list[str]:
    """The values of a header that was sent once or several times."""
    return [value.strip() for value in header.split(",")]


def is_policy(address: str) -> bool:
    """Whether a text is the address of a policy that can be shown."""
    return address.isprintable() and len(address) <= LONGEST and address.startswith(("http://", "https://", "/"))
