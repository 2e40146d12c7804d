"""The lines of an export (PROOFS.md, 2)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from . import shapes
from .ijson import canonical_json, read_json
from .merkle import leaf_hash
from .refusal import Refusal, unusable

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
EVENTS_OF_GROUP = 256


@dataclass(frozen=True)
class Event:
    position: int
    stream: str
    revision: int
    type: str
    version: int
    data: dict[str, Any]
    created: str

    @property
    def category(self) -> str:
        return self.stream.partition("-")[0]


@dataclass(frozen=True)
class Export:
    """The lines of events as they are, the SHA-256 of each and the hash of its leaf. They are parsed when they are proven."""

    lines: list[bytes]
    digests: list[bytes]
    leaves: list[bytes]
    # Null where there is no position.
    positions: list[int | None]
    # The number of the first line that is neither the next event nor the digest line of a group, from 1.
    foreign_line: int | None
    # Whether one of the foreign lines is a digest line.
    digests_differ: bool
    # Whether any line begins like one of an export: without, it is another file.
    is_export: bool
    # Whether the last line has its line feed.
    is_whole: bool


def read_export(data: bytes) -> Export:
    lines = data.split(b"\n")
    is_whole = lines[-1] == b""
    if is_whole:
        lines.pop()
    events: list[bytes] = []
    digests: list[bytes] = []
    positions: list[int | None] = []
    foreign: list[int] = []
    digests_differ = False
    # Index of the first event of the group, and the position of the last event.
    start, last = 0, -1
    for number, line in enumerate(lines, 1):
        if line.startswith(b'{"digests":{'):
            if start == len(events) or line != digest_line(start, positions[start:], digests[start:]):
                foreign.append(number)
                digests_differ = True
            start = len(events)
            continue
        if len(events) - start == EVENTS_OF_GROUP:
            start = len(events)
        position = _position(line)
        if position is None or position <= last:
            foreign.append(number)
        last = last if position is None else position
        events.append(line)
        positions.append(position)
        digests.append(sha256(line).digest())
    leaves = [leaf_hash(digest) for digest in digests]
    is_export = any(line.startswith((b'{"created":', b'{"digests":{')) for line in lines)
    foreign_line = foreign[0] if foreign else None
    return Export(events, digests, leaves, positions, foreign_line, digests_differ, is_export, is_whole)


def digest_line(start: int, positions: list[int | None], digests: list[bytes]) -> bytes:
    sha256s = b64encode(b"".join(digests)).decode("ascii")
    return canonical_json({"digests": {"start": start, "positions": positions, "sha256": sha256s}})


def created_of(line: bytes) -> Any:
    return _member(line, "created")


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
    return Event(
        value["position"],
        value["stream"],
        value["revision"],
        value["type"],
        version,
        value["data"],
        value["created"],
    )


# Many cases verify the same export with one line changed.
@lru_cache(maxsize=4096)
def _position(line: bytes) -> int | None:
    position = _member(line, "position")
    is_integer = isinstance(position, int) and not isinstance(position, bool)
    return position if is_integer and abs(position) <= shapes.MAX_SAFE_INTEGER else None


def _member(line: bytes, name: str) -> Any:
    """Of a line that nothing has proven yet; null when it is no I-JSON, or has no such member."""
    try:
        value = read_json(line, "a line")
    except Refusal:
        return None
    return value.get(name) if isinstance(value, dict) else None


def _ledger_stream(value: Any, what: str) -> None:
    category, dash, _ = shapes.text(value, what).partition("-")
    if not dash or category not in CATEGORIES:
        raise unusable(f"{what} is no stream of the ledger")
