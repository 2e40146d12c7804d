"""Reading I-JSON (RFC 7493) and writing canonical JSON (RFC 8785), as far as PROOFS.md, 1, needs them."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from .refusal import unusable

MAX_LEVELS = 64

SURROGATE = re.compile("[\ud800-\udfff]")

# Python escapes exactly what RFC 8785 (3.2.2.2) does, in the same way. `json.dumps` would make an encoder for each text.
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def utf16(text: str) -> bytes:
    """The order of texts, and of the names of members, is that of their UTF-16 code units."""
    return text.encode("utf-16-be")


def read_json(data: bytes, what: str) -> Any:
    """The value of a JSON text in UTF-8. Raises a refusal for what other readers could read differently."""
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_no_constant,
        )
    # UnicodeDecodeError and JSONDecodeError are ValueErrors.
    except (ValueError, RecursionError) as error:
        raise unusable(f"{what} is no I-JSON: {error}") from error
    _check(value, what, 0)
    return value


def canonical_json(value: Any) -> bytes:
    return _written(value).encode("utf-8")


def written_number(value: int | float) -> str:
    """A number as ECMAScript writes it (ECMA-262, Number::toString), for which Python's repr has the shortest digits."""
    if value == 0:
        return "0"
    sign, digits, exponent = _decimal(repr(float(value)))
    point = len(digits) + exponent
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    mantissa = digits[0] if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _decimal(text: str) -> tuple[str, str, int]:
    """Sign, digits without zeros at either end, and the power of ten of the last digit."""
    sign = "-" if text.startswith("-") else ""
    mantissa, _, power = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).rstrip("0")
    exponent = int(power or "0") - len(fraction) + len(whole + fraction) - len(digits)
    return sign, digits.lstrip("0"), exponent


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_written(name)}:{_written(value[name])}" for name in sorted(value, key=utf16)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return written_number(value)
    return _encoded(value)


def _object(members: list[tuple[str, Any]]) -> dict:
    value = dict(members)
    if len(value) != len(members):
        raise ValueError("a name twice in an object")
    return value


def _number(text: str) -> int | float:
    value = float(text)
    if not isfinite(value) or written_number(value) != text:
        raise ValueError(f"the number {text[:40]}")
    return int(value) if value.is_integer() else value


def _no_constant(text: str) -> None:
    raise ValueError(text)


def _check(value: Any, what: str, level: int) -> None:
    if isinstance(value, str):
        if SURROGATE.search(value):
            raise unusable(f"{what} has a lone surrogate")
    elif isinstance(value, (dict, list)):
        if level == MAX_LEVELS:
            raise unusable(f"{what} has more than {MAX_LEVELS} levels of nesting")
        for name in value if isinstance(value, dict) else ():
            _check(name, what, level)
        for item in value.values() if isinstance(value, dict) else value:
            _check(item, what, level + 1)
