"""The query of a proof, and where in the ledger it is answered (PROOFS.md, 5 and 7)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from . import shapes
from .export import Export, created_of
from .ijson import canonical_json, read_json
from .refusal import Refusal, other_answer, unusable


def _as_of(value: Any, what: str) -> None:
    if isinstance(value, str):
        shapes.instant(value, what)
    else:
        shapes.integer(value, what, -1)


def _positive(value: Any, what: str) -> None:
    shapes.integer(value, what, 1)


AS_OF = {"asOf": _as_of}
DAYS = {"dateFrom": shapes.day, "dateTo": shapes.day, "billingPeriod": shapes.month}
ROWS = {**DAYS, "status": shapes.text, "merchantSlug": shapes.text, "feeType": shapes.text}
PAGE = {"page": _positive, "pageSize": _positive}
SETTLED = {"status": shapes.text, "billingPeriod": shapes.month, "merchantId": shapes.text}

# The required members of each action, and its optional ones beside asOf.
QUERIES: dict[str, tuple[dict[str, shapes.Check], dict[str, shapes.Check]]] = {
    "get_revenue": ({}, DAYS),
    "list_fee_ledger": (PAGE, ROWS),
    "export_revenue_csv": ({}, {**ROWS, "cursor": shapes.text}),
    "list_invoices": (PAGE, {"status": shapes.text, "billingPeriod": shapes.month}),
    "get_invoice": ({"invoiceId": shapes.text}, {}),
    "list_settlements": (PAGE, SETTLED),
    "get_settlement": ({"settlementId": shapes.text}, {}),
    "list_rebates": (PAGE, SETTLED),
}


def check_query(value: Any, what: str) -> None:
    action = shapes.obj(value, what).get("action")
    if not isinstance(action, str) or action not in QUERIES:
        raise unusable(f"action of {what} is unknown")
    required, optional = QUERIES[action]
    shapes.members(value, what, {"action": shapes.text, **required}, {**optional, **AS_OF})


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


def cursor(query: dict[str, Any], position: int, row: dict[str, Any]) -> str:
    """The one that continues after the row."""
    parts = [position, row["created_at"], row["id"], _query_digest(query)]
    return shapes.base64url_text(canonical_json(parts)).decode("ascii")


def read_cursor(query: dict[str, Any]) -> tuple[int, str, str]:
    """Position of the ledger, and `created_at` and `id` of the row to continue after."""
    parts = shapes.array(read_json(shapes.base64url_bytes(query["cursor"], "the cursor"), "the cursor"), "the cursor")
    if len(parts) != 4 or parts[3] != _query_digest(query):
        raise unusable("the cursor is not one of the query")
    position, created_at, row_id, _ = parts
    shapes.integer(position, "the position of the cursor", -1)
    return position, shapes.instant(created_at, "the cursor"), shapes.text(row_id, "the cursor")


def verify_cursor(expected: str | None, cursor_text: Any) -> None:
    """The position in it is not compared: it can be that of an event of another stream, before the next one of the ledger."""
    if expected is None and cursor_text is None:
        return
    if expected is None or not isinstance(cursor_text, str) or _continuation(cursor_text) != _continuation(expected):
        raise other_answer("the cursor does not continue after the last row")


def _continuation(cursor_text: str) -> Any:
    """All of a cursor but the position; null of what is none."""
    try:
        parts = read_json(shapes.base64url_bytes(cursor_text, "the cursor"), "the cursor")
    except Refusal:
        return None
    return parts[1:] if isinstance(parts, list) else None


def _query_digest(query: dict[str, Any]) -> str:
    narrowed = {name: value for name, value in query.items() if name not in ("action", "cursor")}
    return sha256(canonical_json(narrowed)).hexdigest()[:16]
