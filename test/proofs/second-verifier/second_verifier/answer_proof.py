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
from .queries import check_query, verify_as_of
from .refusal import other_answer, unusable
from .tree_heads import TREE_HEAD, subtrees_of, verify_checkpoint, verify_subtrees, verify_tree_head


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
    "query": check_query,
    "bodyDigest": shapes.sha256,
    "projections": _projections,
    "keyId": shapes.text,
}
BESIDE = {
    "signature": shapes.text,
    "key": read_key,
    "checkpoint": lambda value, what: value is None or shapes.obj(value, what),
    "subtreeRoots": shapes.obj,
}


def verify_answer(export_data: bytes, answer_data: bytes, keys_data: bytes, held_data: bytes | None = None) -> list[str]:
    """Lines for the reader. Raises the first Refusal; files are read before anything is verified."""
    keys = read_keys(keys_data)
    body = shapes.obj(read_json(answer_data, "the answer"), "the answer")
    proof = shapes.members(body.pop("proof", None), "the proof", {**SIGNED, **BESIDE}, {"openings": _openings})
    held = None if held_data is None else read_json(held_data, "the held checkpoint")
    if key_id(read_key(proof["key"], "key of the proof")) != proof["keyId"]:
        raise unusable("the key of the proof has not its keyId")

    statement = {name: proof[name] for name in SIGNED}
    verify_signature("tidemark-proof-v1", statement, proof["signature"], keys, "the proof")
    checkpoints = []
    if proof["checkpoint"] is not None:
        checkpoints.append(("the checkpoint of the proof", proof["checkpoint"]))
    if held is not None:
        checkpoints.append(("the held checkpoint", held))
    for what, checkpoint in checkpoints:
        verify_checkpoint(checkpoint, keys, what)
        if checkpoint["instance"] != proof["instance"]:
            raise unusable(f"{what} is of another instance than the proof")
    if proof["checkpoint"] is not None and proof["checkpoint"]["size"] > proof["size"]:
        raise unusable("the checkpoint of the proof is later than the proof")

    subtrees = subtrees_of(proof["subtreeRoots"], proof["size"])
    verify_subtrees(subtrees, proof["root"])
    if body_digest(body) != proof["bodyDigest"]:
        raise other_answer("the answer is not the one that was signed")

    export = read_export(export_data)
    verify_tree_head(export, proof, "the proof", subtrees)
    for what, checkpoint in checkpoints:
        verify_tree_head(export, checkpoint, what)
    query = proof["query"]
    verify_as_of(query, export.events, proof["size"])

    expected = answer(fold(export.events[: proof["size"]]), query, proof["position"])
    if body_digest(expected) != proof["bodyDigest"]:
        raise other_answer("the events yield another answer")
    notes = verify_personal_texts(expected, body, proof.get("openings", {}))
    return [f"verified: {query['action']} of {proof['size']} events, up to position {proof['position']}", *notes]


