"""The digest of a body, and the personal texts that it leaves out (PROOFS.md, 5)."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any

from .ijson import canonical_json
from .refusal import other_answer, unusable
from . import shapes

PERSONAL = ("voidReason", "reason", "reference")
LEFT_OUT = {*PERSONAL, *(f"{name}Erased" for name in PERSONAL)}


def body_digest(body: dict[str, Any]) -> str:
    content = {name: value for name, value in body.items() if name != "cursor"}
    return sha256(canonical_json(_without_personal(content))).hexdigest()


def _without_personal(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: None if name in LEFT_OUT else _without_personal(member) for name, member in value.items()}
    return [_without_personal(item) for item in value] if isinstance(value, list) else value


def verify_personal_texts(expected: Any, body: Any, openings: dict[str, str]) -> list[str]:
    """What is not proven, as lines for the reader. The two have the same digest, and so the same shape."""
    notes: list[str] = []
    unused = set(openings)
    _compare(expected, body, openings, unused, notes, "the answer")
    if unused:
        raise other_answer(f"no text of the answer needs the opening of {min(unused)}")
    return notes


def _compare(expected: Any, body: Any, openings: dict[str, str], unused: set[str], notes: list[str], where: str) -> None:
    if isinstance(expected, dict):
        for name, value in expected.items():
            path = f"{where}.{name}"
            if name in PERSONAL:
                _verify_text(value, body[name], body[f"{name}Erased"], openings, unused, notes, path)
            elif name not in LEFT_OUT:
                _compare(value, body[name], openings, unused, notes, path)
    elif isinstance(expected, list):
        for index, (value, item) in enumerate(zip(expected, body)):
            _compare(value, item, openings, unused, notes, f"{where}[{index}]")


def _verify_text(
    recorded: Any, text: Any, erased: Any, openings: dict[str, str], unused: set[str], notes: list[str], path: str
) -> None:
    if recorded is None:
        if text is not None or erased is not False:
            raise other_answer(f"{path} was never recorded")
        return
    version, commitment = _ciphertext(recorded, path)
    if text is None and erased is True:
        notes.append(f"{path} was erased")
        return
    if not isinstance(text, str) or erased is not False:
        raise other_answer(f"{path} is neither a text nor erased")
    if version == "v1":
        notes.append(f"{path} is not proven: it was recorded without a commitment")
        return
    if commitment not in openings:
        raise other_answer(f"{path} has no opening")
    opening = shapes.base64url_bytes(openings[commitment], f"the opening of {path}", 32)
    if shapes.base64url_text(hmac.digest(opening, text.encode("utf-8"), "sha256")).decode() != commitment:
        raise other_answer(f"{path} is not the text that was recorded")
    unused.discard(commitment)


def _ciphertext(recorded: Any, path: str) -> tuple[str, str]:
    """Its version, and its commitment, which is empty in the first version."""
    parts = recorded.get("ciphertext", "").split(".") if isinstance(recorded, dict) else []
    if parts[:1] == ["v1"] and len(parts) == 3:
        return "v1", ""
    if parts[:1] == ["v2"] and len(parts) == 4:
        shapes.base64url_bytes(parts[3], f"the commitment of {path}", 32)
        return "v2", parts[3]
    raise unusable(f"the event of {path} has no ciphertext of a known version")
