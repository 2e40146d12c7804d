"""Verification of the events of one merchant (PROOFS.md, 8)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import shapes
from .export import read_event
from .ijson import read_json
from .keys import read_keys
from .merkle import leaf_hash, root_of_path
from .refusal import EVENTS_DIFFER, Refusal, other_answer, unusable
from .tree_heads import verify_checkpoint


def _hashes(value: Any, what: str) -> None:
    for item in shapes.array(value, what):
        shapes.sha256(item, f"a hash of {what}")


MERCHANT_PROOF = {
    "version": shapes.exactly(1),
    "merchantId": shapes.text,
    "billingPeriod": lambda value, what: value is None or shapes.month(value, what),
    "checkpoint": shapes.obj,
    "events": shapes.array,
}
PROVEN_EVENT = {"line": shapes.text, "leafIndex": shapes.integer, "auditPath": _hashes}


def verify_merchant(proof_data: bytes, keys_data: bytes, held_data: bytes | None = None) -> list[str]:
    """Lines for the reader. Raises the first Refusal."""
    keys = read_keys(keys_data)
    proof = shapes.members(read_json(proof_data, "the file"), "the file", MERCHANT_PROOF)
    for index, entry in enumerate(proof["events"]):
        shapes.members(entry, f"event {index + 1}", PROVEN_EVENT)
    checkpoint = verify_checkpoint(proof["checkpoint"], keys, "the checkpoint")
    notes = [] if held_data is None else _compare(checkpoint, held_data, keys)
    last_index = -1
    for index, entry in enumerate(proof["events"]):
        what = f"event {index + 1}"
        if entry["leafIndex"] <= last_index:
            raise unusable(f"the leaf index of {what} does not ascend")
        last_index = entry["leafIndex"]
        line = entry["line"].encode("utf-8")
        path = [bytes.fromhex(item) for item in entry["auditPath"]]
        root = root_of_path(leaf_hash(sha256(line).digest()), last_index, checkpoint["size"], path)
        if root is None or root.hex() != checkpoint["root"]:
            raise Refusal(EVENTS_DIFFER, f"the audit path of {what} does not lead to the root of the checkpoint")
        event = read_event(line, what)
        period = proof["billingPeriod"]
        if event.category != "fee" or event.data.get("merchant_id") != proof["merchantId"]:
            raise other_answer(f"{what} is no event of the merchant")
        if period is not None and event.data.get("billing_period") != period:
            raise other_answer(f"{what} is of another month")
    return [f"verified: {len(proof['events'])} events of {proof['merchantId']}", *notes]


def _compare(checkpoint: dict[str, Any], held_data: bytes, keys: dict[str, bytes]) -> list[str]:
    held = verify_checkpoint(read_json(held_data, "the held checkpoint"), keys, "the held checkpoint")
    if held["instance"] != checkpoint["instance"]:
        raise unusable("the held checkpoint is of another instance")
    if held["size"] != checkpoint["size"]:
        return ["the held checkpoint is of another size, and was not compared"]
    if any(held[name] != checkpoint[name] for name in ("position", "head", "root")):
        raise Refusal(EVENTS_DIFFER, "the held checkpoint is of another history")
    return []
