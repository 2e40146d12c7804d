"""Exact decimals (PROOFS.md, 1): an amount is held as an integer of 10^-18."""

from __future__ import annotations

import re
from typing import Any

from .refusal import unusable

DECIMALS = 18
# As of fees; a sum of amounts can have more digits.
AMOUNT = re.compile(r"-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?", re.ASCII)
DECIMAL = re.compile(r"(-?)(0|[1-9]\d*)(?:\.(\d{1,18}))?", re.ASCII)


def amount(value: Any, what: str) -> int:
    match = DECIMAL.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise unusable(f"{what} is no amount")
    units = int(match[2] + (match[3] or "").ljust(DECIMALS, "0"))
    return -units if match[1] else units


def written_amount(units: int) -> str:
    """With at least 2 decimals and no trailing zeros after the second."""
    whole, fraction = divmod(abs(units), 10**DECIMALS)
    decimals = str(fraction).rjust(DECIMALS, "0").rstrip("0").ljust(2, "0")
    return f"{'-' if units < 0 else ''}{whole}.{decimals}"
