"""Verification of the events of one merchant (PROOFS.md, 8)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import shapes
from .export import read_event
from .fee_rules import FeeRules
from .ijson import read_json
from .keys import read_keys
from .ledger import CHANGES
from .merkle import leaf_hash, root_of_path
from .refusal import EVENTS_DIFFER, Refusal, other_answer, unusable
from .tree_heads import check_checkpoint, verify_checkpoint


def _hashes(value: Any, what: str) -> None:
    for item in shapes.array(value, what):
        shapes.sha256(item, f"a hash of {what}")


MERCHANT_PROOF = {
    "version": shapes.exactly(1),
    "merchantId": shapes.text,
    "billingPeriod": lambda value, what: value is None or shapes.text(value, what),
    "checkpoint": check_checkpoint,
    "events": shapes.array,
}
PROVEN_EVENT = {"line": shapes.text, "leafIndex": shapes.integer, "auditPath": _hashes}


def verify_merchant(proof_data: bytes, keys_data: bytes, held_data: bytes | None = None) -> list[str]:
    """Lines for the reader. Raises the first Refusal."""
    keys = read_keys(keys_data)
    proof = shapes.members(read_json(proof_data, "the file"), "the file", MERCHANT_PROOF)
    for index, entry in enumerate(proof["events"]):
        shapes.members(entry, f"event {index + 1}", PROVEN_EVENT)
    checkpoint = proof["checkpoint"]
    held = None if held_data is None else check_checkpoint(read_json(held_data, "the held checkpoint"), "the held checkpoint")
    verify_checkpoint(checkpoint, keys, "the checkpoint", checkpoint["instance"])
    if held is not None:
        _compare(checkpoint, held, keys)
    fee_rules = FeeRules(is_whole=False)
    last_index = -1
    for index, entry in enumerate(proof["events"]):
        what = f"event {index + 1}"
        if entry["leafIndex"] <= last_index:
            raise Refusal(EVENTS_DIFFER, f"the leaf index of {what} does not ascend")
        last_index = entry["leafIndex"]
        line = entry["line"].encode("utf-8")
        path = [bytes.fromhex(item) for item in entry["auditPath"]]
        root = root_of_path(leaf_hash(sha256(line).digest()), last_index, checkpoint["size"], path)
        if root is None or root.hex() != checkpoint["root"]:
            raise Refusal(EVENTS_DIFFER, f"the audit path of {what} does not lead to the root of the checkpoint")
        try:
            event = read_event(line, what)
        except Refusal as refusal:
            raise other_answer(f"{what} is no event of a fee: {refusal}") from refusal
        period = proof["billingPeriod"]
        if event.category != "fee":
            raise other_answer(f"{what} is no event of a fee")
        if (event.category, event.type) not in CHANGES or event.version != 1:
            raise unusable(f"{what} has an unknown type or version")
        if event.data.get("merchant_id") != proof["merchantId"]:
            raise other_answer(f"{what} is no event of the merchant")
        if period is not None and event.data.get("billing_period") != period:
            raise other_answer(f"{what} is of another month")
        fee_rules.check(event)
    return [f"verified: {len(proof['events'])} events of {proof['merchantId']}"]


def _compare(checkpoint: dict[str, Any], held: dict[str, Any], keys: dict[str, bytes]) -> None:
    verify_checkpoint(held, keys, "the held checkpoint", checkpoint["instance"])
    if held["size"] != checkpoint["size"]:
        raise unusable("the held checkpoint is of another size, and cannot be compared")
    if any(held[name] != checkpoint[name] for name in ("position", "head", "root")):
        raise Refusal(EVENTS_DIFFER, "the held checkpoint is of another history")
