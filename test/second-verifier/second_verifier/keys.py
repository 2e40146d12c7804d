"""The public keys that the reader trusts, and signed statements (PROOFS.md, 4)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import ed25519, shapes
from .ijson import canonical_json, read_json
from .refusal import BAD_SIGNATURE, Refusal, unusable

JWK = {"kty": shapes.exactly("OKP"), "crv": shapes.exactly("Ed25519"), "x": shapes.text}


def read_key(value: Any, what: str) -> bytes:
    """The 32 bytes of a key of the three members that its thumbprint covers."""
    return shapes.base64url_bytes(shapes.members(value, what, JWK)["x"], f"x of {what}", 32)


def key_id(key: bytes) -> str:
    """The thumbprint of RFC 7638."""
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": shapes.base64url_text(key).decode("ascii")}
    return shapes.base64url_text(sha256(canonical_json(jwk)).digest()).decode("ascii")


def read_keys(data: bytes) -> dict[str, bytes]:
    """The keys by their ids."""
    value = shapes.members(read_json(data, "the file of keys"), "the file of keys", {"keys": shapes.array})
    keys: dict[str, bytes] = {}
    for index, jwk in enumerate(value["keys"]):
        what = f"key {index + 1}"
        others = {"kid": shapes.text, "alg": shapes.exactly("EdDSA"), "use": shapes.exactly("sig")}
        shapes.members(jwk, what, JWK, others)
        key = read_key({name: jwk[name] for name in JWK}, what)
        if jwk.get("kid", key_id(key)) != key_id(key):
            raise unusable(f"kid of {what} is not its thumbprint")
        keys[key_id(key)] = key
    if not keys:
        raise unusable("the file of keys has none")
    return keys


def verify_signature(kind: str, statement: dict[str, Any], signature: str, keys: dict[str, bytes], what: str) -> None:
    """`kind` is the name of the kind of statement; `statement` has the `keyId`."""
    key = keys.get(statement["keyId"])
    if key is None:
        raise Refusal(BAD_SIGNATURE, f"{what} is signed with the key {statement['keyId']}, which is not among the trusted ones")
    message = kind.encode("ascii") + b"\n" + canonical_json(statement)
    if not ed25519.verify(key, message, shapes.base64url_bytes(signature, f"the signature of {what}", 64)):
        raise Refusal(BAD_SIGNATURE, f"the signature of {what} is wrong")
