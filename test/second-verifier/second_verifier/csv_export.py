"""The CSV of fees (PROOFS.md, 7; RFC 4180)."""

from __future__ import annotations

import re
from typing import Any

from .amounts import AMOUNT

HEADER = (
    "id",
    "fee_type",
    "collection_status",
    "fee_amount",
    "gross_amount",
    "billing_period",
    "created_at",
    "merchant_slug",
    "merchant_name",
)
# WhiteSpace and LineTerminator of ECMA-262.
WHITE_SPACE = "\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# Spreadsheets run such a cell as a formula.
FORMULA = re.compile(f"[{WHITE_SPACE}]*[=+\\-@＝＋－＠]|[\t\r]")
QUOTED = re.compile('[",]|\r\n')


def csv_of(rows: list[dict[str, Any]]) -> str:
    return "".join(",".join(cells) + "\r\n" for cells in [HEADER, *([_cell(row[name]) for name in HEADER] for row in rows)])


def _cell(text: str) -> str:
    if FORMULA.match(text) and not AMOUNT.fullmatch(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if QUOTED.search(text) else text
