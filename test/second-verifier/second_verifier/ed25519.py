"""Verification of Ed25519 signatures (RFC 8032, section 5.1), in extended coordinates (5.1.4). Not in constant time: nothing
here is secret."""

from __future__ import annotations

import hashlib
from functools import lru_cache

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)

# X, Y, Z, T with x = X/Z, y = Y/Z, x * y = T/Z.
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


@lru_cache(maxsize=1024)
def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether it is the signature of the message; a public key has 32 bytes, a signature 64 (5.1.7)."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key = _decode(public_key)
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    x, y, z, t = key
    # R = [S]B - [k]A, compared in its encoded form.
    return _encode(_sum_of_multiples(scalar, BASE, challenge, (P - x, y, z, P - t))) == signature[:32]


def _sum_of_multiples(m: int, a: Point, n: int, b: Point) -> Point:
    """[m]a + [n]b, bit by bit from the highest, with one doubling for both."""
    addends = (None, a, b, _add(a, b))
    result = NEUTRAL
    for bit in range(255, -1, -1):
        result = _add(result, result)
        addend = addends[(m >> bit & 1) | (n >> bit & 1) << 1]
        if addend is not None:
            result = _add(result, addend)
    return result


def _add(a: Point, b: Point) -> Point:
    e1 = (a[1] - a[0]) * (b[1] - b[0]) % P
    e2 = (a[1] + a[0]) * (b[1] + b[0]) % P
    e3 = 2 * a[3] * b[3] * D % P
    e4 = 2 * a[2] * b[2] % P
    e, f, g, h = e2 - e1, e4 - e3, e4 + e3, e2 + e1
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _encode(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> Point | None:
    """The point of 32 bytes, or None (5.1.3)."""
    encoded = int.from_bytes(data, "little")
    sign, y = encoded >> 255, encoded & (1 << 255) - 1
    x = _recover_x(y, sign) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def _recover_x(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * SQRT_MINUS_1 % P
    if (x * x - square) % P != 0:
        return None
    return x if x & 1 == sign else P - x


BASE = _decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
