"""The query of a proof, and where in the ledger it is answered (PROOFS.md, 5 and 7)."""

from __future__ import annotations

import re
from calendar import monthrange
from hashlib import sha256
from typing import Any

from . import shapes
from .export import Export, created_of
from .ijson import canonical_json, read_json
from .refusal import Refusal, other_answer, unusable


def _day(value: Any, what: str) -> str:
    shapes.day(value, what)
    if int(value[8:]) > monthrange(int(value[:4]), int(value[5:7]))[1]:
        raise unusable(f"{what} is no day that exists")
    return value


def _as_of(value: Any, what: str) -> None:
    if not isinstance(value, str):
        shapes.integer(value, what, -1)
        return
    day = _day(shapes.instant(value, what)[:10], what)
    if not "1970-01-01" < day < "2999-12-31":
        raise unusable(f"{what} is out of range")


def _positive(value: Any, what: str) -> None:
    shapes.integer(value, what, 1)


def _page_size(value: Any, what: str) -> None:
    if shapes.integer(value, what, 1) > MAX_PAGE_SIZE:
        raise unusable(f"{what} is more than {MAX_PAGE_SIZE}")


def _short_text(value: Any, what: str) -> None:
    if len(shapes.text(value, what)) > 512:
        raise unusable(f"{what} is too long")


def _one_of(*values: str) -> shapes.Check:
    return shapes.matching(re.compile("|".join(values)), "status of what is listed")


MAX_PAGE_SIZE = 200
SLUG = shapes.matching(re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"), "slug")
IDENTIFIER = shapes.matching(re.compile("[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}"), "identifier")
UUID = shapes.matching(
    re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12}"), "UUID"
)

AS_OF = {"asOf": _as_of}
DAYS = {"dateFrom": _day, "dateTo": _day, "billingPeriod": shapes.month}
FEE_STATUS = _one_of("pending", "collected", "waived", "reversed")
ROWS = {**DAYS, "status": FEE_STATUS, "merchantSlug": SLUG, "feeType": SLUG}
PAGE = {"page": _positive, "pageSize": _page_size}
INVOICES = {"status": _one_of("draft", "finalized", "void"), "billingPeriod": shapes.month}
OF_MERCHANT = {"billingPeriod": shapes.month, "merchantId": IDENTIFIER}
SETTLEMENTS = {"status": _one_of("pending", "paid", "carried", "void"), **OF_MERCHANT}
REBATES = {"status": _one_of("accrued", "applied", "paid", "void"), **OF_MERCHANT}

# The required members of each action, and its optional ones beside asOf.
QUERIES: dict[str, tuple[dict[str, shapes.Check], dict[str, shapes.Check]]] = {
    "get_revenue": ({}, DAYS),
    "list_fee_ledger": (PAGE, ROWS),
    "export_revenue_csv": ({}, {**ROWS, "cursor": _short_text}),
    "list_invoices": (PAGE, INVOICES),
    "get_invoice": ({"invoiceId": UUID}, {}),
    "list_settlements": (PAGE, SETTLEMENTS),
    "get_settlement": ({"settlementId": UUID}, {}),
    "list_rebates": (PAGE, REBATES),
}


def check_query(value: Any, what: str) -> None:
    action = shapes.obj(value, what).get("action")
    if not isinstance(action, str) or action not in QUERIES:
        raise unusable(f"action of {what} is unknown")
    required, optional = QUERIES[action]
    shapes.members(value, what, {"action": shapes.text, **required}, {**optional, **AS_OF})
    if value.get("dateFrom", "") > value.get("dateTo", "9"):
        raise unusable(f"dateFrom of {what} is after dateTo")
    if "cursor" in value:
        read_cursor(value)


def verify_as_of(query: dict[str, Any], export: Export, size: int) -> None:
    """That the query is answered after exactly `size` of the events."""
    as_of = query.get("asOf")
    if as_of is None and "cursor" in query:
        as_of = read_cursor(query)[0]
    if as_of is None:
        return
    if isinstance(as_of, str):
        is_within = [_is_until(created_of(line), as_of) for line in export.lines[: size + 1]]
    else:
        is_within = [position <= as_of for position in export.positions[: size + 1]]
    if is_within[:size] != [True] * size or any(is_within[size:]):
        raise other_answer("the position of the proof is not that of asOf")


def _is_until(created: Any, instant: str) -> bool:
    return isinstance(created, str) and created <= instant


def cursor(query: dict[str, Any], position: int, row: dict[str, Any], ledger_id: str) -> str:
    """The one that continues after the row."""
    parts = [position, row["created_at"], row["id"], _query_digest(query), ledger_id]
    return shapes.base64url_text(canonical_json(parts)).decode("ascii")


def read_cursor(query: dict[str, Any]) -> tuple[int, str, str, str]:
    """Position of the ledger, `created_at` and `id` of the row to continue after, and the id of the ledger."""
    parts = _cursor_parts(query["cursor"])
    if parts is None or len(parts) != 5 or parts[3] != _query_digest(query):
        raise unusable("the cursor is not one of the query")
    position, created_at, row_id, _, ledger_id = parts
    shapes.integer(position, "the position of the cursor")
    shapes.instant(created_at, "created_at of the cursor")
    shapes.text(row_id, "id of the cursor")
    shapes.text(ledger_id, "the ledger of the cursor")
    return position, created_at, row_id, ledger_id


def verify_cursor(expected: str | None, cursor_text: Any, export: Export, size: int) -> None:
    """The position in it can be that of an event outside the ledger, before the next one of it."""
    parts = _cursor_parts(cursor_text)
    if expected is None or parts is None or parts[1:] != _cursor_parts(expected)[1:]:
        raise other_answer("the cursor does not continue after the last row")
    around = export.positions[size - 1 : size + 1]
    if not _is_position(parts[0]) or [position <= parts[0] for position in around] != [True, False][: len(around)]:
        raise other_answer("the position of the cursor is not that of the answer")


def _cursor_parts(cursor_text: Any) -> list | None:
    """None for anything but the canonical JSON of an array that is not empty."""
    try:
        text = shapes.base64url_bytes(cursor_text, "the cursor")
        parts = read_json(text, "the cursor")
    except Refusal:
        return None
    return parts if isinstance(parts, list) and parts and canonical_json(parts) == text else None


def _is_position(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _query_digest(query: dict[str, Any]) -> str:
    narrowed = {name: value for name, value in query.items() if name not in ("action", "cursor")}
    return sha256(canonical_json(narrowed)).hexdigest()[:16]
