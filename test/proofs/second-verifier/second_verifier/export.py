"""The lines of an export (PROOFS.md, 2)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from . import shapes
from .ijson import canonical_json, read_json
from .merkle import leaf_hash
from .refusal import unusable

CATEGORIES = (
    "fee",
    "invoice",
    "invoicePeriod",
    "invoiceNumber",
    "merchant",
    "merchantSlug",
    "settlement",
    "rebateRule",
)
EVENTS_PER_DIGEST_LINE = 256


@dataclass(frozen=True)
class Event:
    position: int
    stream: str
    type: str
    version: int
    data: dict[str, Any]
    created: str

    @property
    def category(self) -> str:
        return self.stream.partition("-")[0]


@dataclass(frozen=True)
class Export:
    """All events, and for each the SHA-256 of its line and the hash of its leaf."""

    events: list[Event]
    digests: list[bytes]
    leaves: list[bytes]


def read_export(data: bytes) -> Export:
    if data and not data.endswith(b"\n"):
        raise unusable("the last line of the export is not whole")
    events: list[Event] = []
    digests: list[bytes] = []
    described = 0
    lines = data.split(b"\n")[:-1]
    for index, line in enumerate(lines):
        what = f"line {index + 1} of the export"
        if not line.startswith(b'{"digests":'):
            event = read_event(line, what)
            if events and events[-1].position >= event.position:
                raise unusable(f"the position in {what} does not ascend")
            events.append(event)
            digests.append(sha256(line).digest())
            continue
        at_end = index == len(lines) - 1
        start = max(len(events) - 1, 0) // EVENTS_PER_DIGEST_LINE * EVENTS_PER_DIGEST_LINE
        if start < described or len(events) == described or not (at_end or len(events) % EVENTS_PER_DIGEST_LINE == 0):
            raise unusable(f"{what} is a digest line at a place where there is none")
        if line != digest_line(start, [event.position for event in events[start:]], digests[start:]):
            raise unusable(f"{what} is not the digest line of the events before it")
        described = len(events)
    return Export(events, digests, [leaf_hash(digest) for digest in digests])


def digest_line(start: int, positions: list[int], digests: list[bytes]) -> bytes:
    sha256s = b64encode(b"".join(digests)).decode("ascii")
    return canonical_json({"digests": {"start": start, "positions": positions, "sha256": sha256s}})


def read_event(line: bytes, what: str) -> Event:
    value = shapes.members(
        read_json(line, what),
        what,
        {
            "position": shapes.integer,
            "stream": _ledger_stream,
            "revision": shapes.integer,
            "id": shapes.uuid,
            "type": shapes.text,
            "data": shapes.obj,
            "metadata": shapes.obj,
            "created": shapes.instant,
        },
    )
    if canonical_json(value) != line:
        raise unusable(f"{what} is no canonical JSON")
    version = shapes.integer(value["metadata"].get("v"), f"metadata.v of {what}")
    return Event(value["position"], value["stream"], value["type"], version, value["data"], value["created"])


def _ledger_stream(value: Any, what: str) -> None:
    category, dash, _ = shapes.text(value, what).partition("-")
    if not dash or category not in CATEGORIES:
        raise unusable(f"{what} is no stream of the ledger")
