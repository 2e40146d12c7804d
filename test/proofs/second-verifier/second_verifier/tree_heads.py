"""Tree heads, checkpoints, and comparing them with an export (PROOFS.md, 3 and 4)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import shapes
from .export import Export
from .keys import verify_signature
from .merkle import chain_head, joined_root, perfect_sizes, subtree_level, tree_root
from .refusal import EVENTS_DIFFER, HISTORY_ENDS, Refusal, unusable

HASH_BYTES = sha256().digest_size

TREE_HEAD = {
    "size": shapes.integer,
    "position": lambda value, what: shapes.integer(value, what, -1),
    "head": shapes.sha256,
    "root": shapes.sha256,
}


def _migrated_from(value: Any, what: str) -> None:
    if value is not None:
        shapes.members(value, what, TREE_HEAD)


CHECKPOINT = {
    **TREE_HEAD,
    "version": shapes.exactly(1),
    "instance": shapes.text,
    "at": shapes.instant,
    "migratedFrom": _migrated_from,
    "keyId": shapes.text,
}


def verify_checkpoint(value: Any, keys: dict[str, bytes], what: str) -> dict[str, Any]:
    """The checkpoint, whose signature is right."""
    checkpoint = shapes.members(value, what, {**CHECKPOINT, "signature": shapes.text})
    statement = {name: checkpoint[name] for name in CHECKPOINT}
    verify_signature("tidemark-checkpoint-v1", statement, checkpoint["signature"], keys, what)
    return checkpoint


def subtrees_of(value: Any, size: int) -> list[tuple[int, bytes]]:
    """The subtree roots of a proof, each with its number of leaves, from the left to the right."""
    what = "subtreeRoots"
    shapes.members(value, what, {"level": shapes.integer, "roots": shapes.text, "remainder": shapes.text})
    level = subtree_level(size)
    if value["level"] != level:
        raise unusable(f"level of {what} is not {level}")
    sizes = [1 << level] * (size >> level)
    remainder = perfect_sizes(size - (size >> level << level))
    roots = shapes.base64_bytes(value["roots"], f"roots of {what}", len(sizes) * HASH_BYTES)
    roots += shapes.base64_bytes(value["remainder"], f"remainder of {what}", len(remainder) * HASH_BYTES)
    return [
        (leaves, roots[index * HASH_BYTES : (index + 1) * HASH_BYTES]) for index, leaves in enumerate(sizes + remainder)
    ]


def verify_subtrees(subtrees: list[tuple[int, bytes]], root: str) -> None:
    if joined_root(subtrees).hex() != root:
        raise unusable("subtreeRoots do not yield the root of the proof")


def verify_tree_head(export: Export, head: dict[str, Any], what: str, subtrees: list[tuple[int, bytes]] = ()) -> None:
    """That the first events of the export are those of the tree head. The subtrees, where there are some, locate a
    difference."""
    size = head["size"]
    different = _first_difference(export, subtrees)
    if different is not None:
        raise Refusal(EVENTS_DIFFER, f"the events are not those of {what}: the first difference is from position {different} on")
    if size > len(export.events):
        raise Refusal(HISTORY_ENDS, f"the export ends after {len(export.events)} events, {what} is of {size}")
    position = export.events[size - 1].position if size > 0 else -1
    actual = (chain_head(export.digests[:size]).hex(), tree_root(export.leaves[:size]).hex(), position)
    if actual != (head["head"], head["root"], head["position"]):
        raise Refusal(EVENTS_DIFFER, f"the events are not those of {what}")


def _first_difference(export: Export, subtrees: list[tuple[int, bytes]]) -> int | None:
    """The position of the first event of the first subtree that is whole in the export and has another root."""
    start = 0
    for leaves, root in subtrees:
        end = start + leaves
        if end > len(export.leaves):
            return None
        if tree_root(export.leaves[start:end]) != root:
            return export.events[start].position
        start = end
    return None
