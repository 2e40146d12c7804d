"""Checks of what was read: the members of an object, and the texts of which this page says the form."""

from __future__ import annotations

import base64
import re
from typing import Any, Callable

from .refusal import unusable

HASH = re.compile("[0-9a-f]{64}")
INSTANT = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", re.ASCII)
MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])", re.ASCII)
UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)

# Of a double, 2^53 - 1.
MAX_SAFE_INTEGER = 9_007_199_254_740_991

Check = Callable[[Any, str], Any]


def integer(value: Any, what: str, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MAX_SAFE_INTEGER:
        raise unusable(f"{what} is no integer from {least} on, below 2^53")
    return value


def text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise unusable(f"{what} is no text")
    return value


def matching(pattern: re.Pattern[str], name: str) -> Check:
    def check(value: Any, what: str) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise unusable(f"{what} is no {name}")
        return value

    return check


def signature(value: Any, what: str) -> None:
    base64url_bytes(value, what, 64)


sha256 = matching(HASH, "SHA-256 in lower-case hex")
instant = matching(INSTANT, "instant")
day = matching(DAY, "day")
month = matching(MONTH, "month")
uuid = matching(UUID, "UUID")


def obj(value: Any, what: str) -> dict:
    if not isinstance(value, dict):
        raise unusable(f"{what} is no object")
    return value


def array(value: Any, what: str) -> list:
    if not isinstance(value, list):
        raise unusable(f"{what} is no array")
    return value


def exactly(expected: Any) -> Check:
    def check(value: Any, what: str) -> Any:
        # In Python, True == 1.
        if type(value) is not type(expected) or value != expected:
            raise unusable(f"{what} is not {expected}")
        return value

    return check


def members(value: Any, what: str, required: dict[str, Check], optional: dict[str, Check] | None = None) -> dict:
    """The object itself, which has all of the required members and none beside the optional ones."""
    checks = {**required, **(optional or {})}
    for name in obj(value, what):
        if name not in checks:
            raise unusable(f"{what} has the unknown member {name}")
    for name in required:
        if name not in value:
            raise unusable(f"{what} has no {name}")
    for name in value:
        checks[name](value[name], f"{name} of {what}")
    return value


def base64_bytes(value: Any, what: str, length: int | None = None) -> bytes:
    """base64 with padding (RFC 4648, 4); only the one text that these bytes are written as."""
    return _decoded(value, what, length, base64.b64encode, lambda data: base64.b64decode(data, validate=True))


def base64url_bytes(value: Any, what: str, length: int | None = None) -> bytes:
    """base64url without padding (RFC 4648, 5); only the one text that these bytes are written as."""
    return _decoded(value, what, length, base64url_text, lambda data: base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)))


def base64url_text(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _decoded(value: Any, what: str, length: int | None, write: Callable, read: Callable) -> bytes:
    try:
        data = read(text(value, what))
    except ValueError as error:
        raise unusable(f"{what} is not well encoded") from error
    if write(data).decode("ascii") != value or length not in (None, len(data)):
        raise unusable(f"{what} is not well encoded")
    return data
