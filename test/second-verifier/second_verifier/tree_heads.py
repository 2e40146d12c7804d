"""Tree heads, checkpoints, and comparing them with an export (PROOFS.md, 3 and 4)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import shapes
from .export import Event, Export, read_event
from .keys import verify_signature
from .merkle import chain_head, joined_root, perfect_sizes, subtree_level, tree_root
from .refusal import BAD_SIGNATURE, EVENTS_DIFFER, HISTORY_ENDS, Refusal, unusable

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
    "at": shapes.text,
    "migratedFrom": _migrated_from,
    "keyId": shapes.text,
}


def check_checkpoint(value: Any, what: str) -> dict[str, Any]:
    return shapes.members(value, what, {**CHECKPOINT, "signature": shapes.signature})


def verify_checkpoint(checkpoint: dict[str, Any], keys: dict[str, bytes], what: str, instance: str) -> None:
    """Its signature, and that it is of the instance."""
    statement = {name: checkpoint[name] for name in CHECKPOINT}
    verify_signature("tidemark-checkpoint-v1", statement, checkpoint["signature"], keys, what)
    if checkpoint["instance"] != instance:
        raise unusable(f"{what} is of another instance")


def check_subtree_roots(value: Any, what: str) -> None:
    shapes.members(value, what, {"level": shapes.integer, "roots": shapes.base64_bytes, "remainder": shapes.base64_bytes})


def verified_subtrees(value: dict[str, Any], head: dict[str, Any]) -> list[tuple[int, bytes]]:
    """The roots of the perfect subtrees of a tree head, each with its number of leaves, from the left to the right."""
    size, level = head["size"], subtree_level(head["size"])
    whole, remainder = [1 << level] * (size >> level), perfect_sizes(size - (size >> level << level))
    roots = [shapes.base64_bytes(value[name], name) for name in ("roots", "remainder")]
    lengths = [len(whole) * HASH_BYTES, len(remainder) * HASH_BYTES]
    if value["level"] == level and [len(each) for each in roots] == lengths:
        joined = b"".join(roots)
        hashes = [joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)]
        subtrees = list(zip(whole + remainder, hashes))
        if joined_root(subtrees).hex() == head["root"]:
            return subtrees
    raise Refusal(BAD_SIGNATURE, "subtreeRoots do not yield the root that was signed")


def verify_tree_heads(
    export: Export, heads: list[tuple[str, dict[str, Any]]], subtrees: list[tuple[int, bytes]]
) -> list[Event]:
    """The events of the longest tree head, once the first of the export are those of each. Subtrees locate a difference."""
    is_expected = export.foreign_line is not None or any(head["size"] > 0 for _, head in heads)
    if is_expected and not export.is_export:
        raise unusable("the export has no events")
    for what, head in sorted(heads, key=lambda named: named[1]["size"]):
        size = head["size"]
        different = _first_difference(export, subtrees)
        if size > len(export.lines):
            if export.is_whole and (different is not None or export.digests_differ):
                raise Refusal(EVENTS_DIFFER, f"an event of {what} is missing; {_described(different)}")
            raise Refusal(HISTORY_ENDS, f"the export ends after {len(export.lines)} events, {what} is of {size}")
        position = export.positions[size - 1] if size > 0 else -1
        actual = (chain_head(export.digests[:size]).hex(), tree_root(export.leaves[:size]).hex(), position)
        if actual != (head["head"], head["root"], head["position"]):
            raise Refusal(EVENTS_DIFFER, f"the events are not those of {what}; {_described(different)}")
    if export.foreign_line is not None:
        line = export.foreign_line
        raise Refusal(EVENTS_DIFFER, f"line {line} of the export is neither the next event nor the digest line of those before it")
    signed = max(head["size"] for _, head in heads)
    try:
        return [read_event(line, f"the event of index {index}") for index, line in enumerate(export.lines[:signed])]
    except Refusal as refusal:
        raise Refusal(EVENTS_DIFFER, str(refusal)) from refusal


def _first_difference(export: Export, subtrees: list[tuple[int, bytes]]) -> int | None:
    """The index of the first event of the first subtree that is whole in the export and has another root."""
    start = 0
    for leaves, root in subtrees:
        end = start + leaves
        if end > len(export.leaves):
            return None
        if tree_root(export.leaves[start:end]) != root:
            return start
        start = end
    return None


def _described(difference: int | None) -> str:
    return "where is not known" if difference is None else f"they match before the event of index {difference}"
