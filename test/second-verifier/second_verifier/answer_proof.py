"""Verification of an answer and its proof with an export of the ledger (PROOFS.md, 5)."""

from __future__ import annotations

from typing import Any

from . import shapes
from .answers import answer
from .bodies import body_digest, verify_personal_texts
from .export import read_export
from .ijson import read_json
from .keys import key_id, read_key, read_keys, verify_signature
from .ledger import fold
from .queries import check_query, verify_as_of, verify_cursor
from .refusal import BAD_SIGNATURE, Refusal, other_answer
from .tree_heads import (
    TREE_HEAD,
    check_checkpoint,
    check_subtree_roots,
    verified_subtrees,
    verify_checkpoint,
    verify_tree_heads,
)


def _projections(value: Any, what: str) -> None:
    for name, version in shapes.obj(value, what).items():
        shapes.integer(version, f"{name} of {what}")


def _openings(value: Any, what: str) -> None:
    for commitment, opening in shapes.obj(value, what).items():
        shapes.base64url_bytes(commitment, f"a commitment of {what}", 32)
        shapes.base64url_bytes(opening, f"an opening of {what}", 32)


SIGNED = {
    **TREE_HEAD,
    "version": shapes.exactly(1),
    "instance": shapes.text,
    "timeZone": shapes.text,
    "query": shapes.obj,
    "bodyDigest": shapes.sha256,
    "projections": _projections,
    "keyId": shapes.text,
}
BESIDE = {
    "signature": shapes.signature,
    "key": read_key,
    "checkpoint": lambda value, what: value is None or check_checkpoint(value, what),
    "subtreeRoots": check_subtree_roots,
}


def verify_answer(export_data: bytes, answer_data: bytes, keys_data: bytes, held_data: bytes | None = None) -> list[str]:
    """Lines for the reader. Raises the first Refusal, in the order of the page."""
    keys = read_keys(keys_data)
    body, proof = _parts(shapes.obj(read_json(answer_data, "the answer"), "the answer"))
    shapes.members(proof, "the proof", {**SIGNED, **BESIDE}, {"openings": _openings})
    checkpoints = _checkpoints(proof, held_data)

    if key_id(read_key(proof["key"], "key of the proof")) != proof["keyId"]:
        raise Refusal(BAD_SIGNATURE, "the key of the proof has not its keyId")
    verify_signature("tidemark-proof-v1", {name: proof[name] for name in SIGNED}, proof["signature"], keys, "the proof")
    for what, checkpoint in checkpoints:
        verify_checkpoint(checkpoint, keys, what, proof["instance"])
    subtrees = verified_subtrees(proof["subtreeRoots"], proof)
    if body is not None and body_digest(body) != proof["bodyDigest"]:
        raise other_answer("the answer is not the one that was signed")
    query = proof["query"]
    check_query(query, "the query of the proof")

    export = read_export(export_data)
    events = verify_tree_heads(export, [("the proof", proof), *checkpoints], subtrees)
    verify_as_of(query, export, proof["size"])
    ledger_id = export.digests[0].hex()[:16] if proof["size"] > 0 else ""
    expected = answer(fold(events[: proof["size"]], ledger_id), query, proof)
    if body_digest(expected) != proof["bodyDigest"]:
        raise other_answer("the events yield another answer")
    notes = ["without an answer, only its digest is proven"] if body is None else []
    if body is not None:
        if "cursor" in expected or "cursor" in body:
            verify_cursor(expected.get("cursor"), body.get("cursor"), export, proof["size"])
        notes += verify_personal_texts(expected, body, proof.get("openings", {}))
    later = len(export.lines) - max(head["size"] for _, head in [("the proof", proof), *checkpoints])
    if later > 0:
        notes.append(f"nothing that is signed covers the last {later} events")
    return [f"verified: {query['action']} of {proof['size']} events, up to position {proof['position']}", *notes]


def _parts(value: dict[str, Any]) -> tuple[dict[str, Any] | None, Any]:
    """The body, which is None for a proof alone, and the proof."""
    if "proof" not in value:
        return None, value
    return {name: member for name, member in value.items() if name != "proof"}, value["proof"]


def _checkpoints(proof: dict[str, Any], held_data: bytes | None) -> list[tuple[str, dict[str, Any]]]:
    checkpoints = []
    if held_data is not None:
        what = "the held checkpoint"
        checkpoints.append((what, check_checkpoint(read_json(held_data, what), what)))
    if proof["checkpoint"] is not None:
        checkpoints.append(("the checkpoint of the proof", proof["checkpoint"]))
    return checkpoints
