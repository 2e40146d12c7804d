"""The answer that a ledger yields to a query (PROOFS.md, 7).

A personal text in it is the one of the event, so `voidReason` and the like are null or an object of its ciphertext;
`voidReasonErased` and the like are null. The digest of a body is blind to both.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Callable, Iterable

from .amounts import amount, written_amount
from .csv_export import csv_of
from .fee_rules import FIRST_DAY, LAST_DAY
from .ijson import canonical_json, utf16
from .ledger import INVOICE, Invoice, Ledger
from .queries import cursor, read_cursor
from .refusal import other_answer

MAX_CSV_ROWS = 10_000

Row = dict[str, Any]


def answer(ledger: Ledger, query: dict[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    return ANSWERS[query["action"]](ledger, query, proof)


def _revenue(ledger: Ledger, query: dict[str, Any], _proof: dict[str, Any]) -> dict[str, Any]:
    rows = _rows_of_days(ledger, query)
    summary = [
        {
            "fee_type": fee_type,
            "collection_status": status,
            "count": len(group),
            "total_fee": _sum(row["fee_amount"] for row in group),
            "total_gross": _sum(row["gross_amount"] for row in group),
        }
        for (fee_type, status), group in _grouped(rows, "fee_type", "collection_status")
    ]
    by_merchant = [
        {
            "merchant_id": merchant,
            "merchant_name": ledger.names[merchant],
            "fee_count": len(group),
            "collected": _sum(row["fee_amount"] for row in group if row["collection_status"] == "collected"),
            "pending": _sum(row["fee_amount"] for row in group if row["collection_status"] == "pending"),
        }
        for (merchant,), group in _grouped(rows, "merchant_id")
    ]
    return {"summary": summary, "byMerchant": by_merchant}


def _fee_ledger(ledger: Ledger, query: dict[str, Any], _proof: dict[str, Any]) -> dict[str, Any]:
    return _page(_listed_rows(ledger, query), query)


def _revenue_csv(ledger: Ledger, query: dict[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    rows = _listed_rows(ledger, query)
    if "cursor" in query:
        _, created_at, row_id, ledger_id = read_cursor(query)
        if ledger_id != ledger.id:
            raise other_answer("the cursor of the query is one of another ledger")
        rows = [row for row in rows if _newest_first(row) < (utf16(created_at), utf16(row_id))]
    part = rows[:MAX_CSV_ROWS]
    body = {"csv": csv_of(part), "rowCount": len(part), "truncated": len(part) < len(rows)}
    return {**body, "cursor": cursor(query, proof["position"], part[-1], ledger.id)} if body["truncated"] else body


def _invoices(ledger: Ledger, query: dict[str, Any], _proof: dict[str, Any]) -> dict[str, Any]:
    rows = [_invoice_row(invoice) for invoice in ledger.invoices.values()]
    rows = _selected(rows, query, status="status", billingPeriod="billingPeriod")
    rows.sort(key=lambda row: [utf16(row[name]) for name in ("billingPeriod", "createdAt", "invoiceId")], reverse=True)
    return _page(rows, query)


def _invoice(ledger: Ledger, query: dict[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    invoice = ledger.invoices.get(query["invoiceId"])
    if invoice is None:
        raise other_answer("the events have no such invoice")
    row = _invoice_row(invoice)
    lines = _lines(ledger, invoice)
    content = {**{name: row[name] for name in INVOICE if name != "contentHash"}, "lines": lines}
    if sha256(canonical_json(content)).hexdigest() != row["contentHash"]:
        raise other_answer("the content of the invoice is not that of its contentHash")
    return {
        "invoice": {
            **row,
            "lines": lines,
            "history": [{**entry, "reasonErased": None} for entry in invoice.history],
            **_since_the_invoice(ledger, invoice, proof["projections"].get("fees", 0)),
        }
    }


def _settlements(ledger: Ledger, query: dict[str, Any], _proof: dict[str, Any]) -> dict[str, Any]:
    rows = [_settlement_row(settlement) for settlement in ledger.settlements.values()]
    return _page(_newest_periods_first(_selected_of_merchants(rows, query)), query)


def _settlement(ledger: Ledger, query: dict[str, Any], _proof: dict[str, Any]) -> dict[str, Any]:
    settlement = ledger.settlements.get(query["settlementId"])
    if settlement is None:
        raise other_answer("the events have no such settlement")
    return {"settlement": _settlement_row(settlement)}


def _rebates(ledger: Ledger, query: dict[str, Any], _proof: dict[str, Any]) -> dict[str, Any]:
    return _page(_newest_periods_first(_selected_of_merchants(list(ledger.rebates.values()), query)), query)


ANSWERS: dict[str, Callable[[Ledger, dict[str, Any], dict[str, Any]], dict[str, Any]]] = {
    "get_revenue": _revenue,
    "list_fee_ledger": _fee_ledger,
    "export_revenue_csv": _revenue_csv,
    "list_invoices": _invoices,
    "get_invoice": _invoice,
    "list_settlements": _settlements,
    "get_settlement": _settlement,
    "list_rebates": _rebates,
}


def _rows_of_days(ledger: Ledger, query: dict[str, Any]) -> list[Row]:
    month = query.get("billingPeriod")
    # No month has a day after its 31st, and days are compared as texts.
    first = max(query.get("dateFrom", FIRST_DAY), FIRST_DAY if month is None else f"{month}-01")
    last = min(query.get("dateTo", LAST_DAY), LAST_DAY if month is None else f"{month}-31")
    return [row for row in ledger.rows.values() if first <= ledger.days[row["id"]] <= last]


def _listed_rows(ledger: Ledger, query: dict[str, Any]) -> list[Row]:
    rows = _rows_of_days(ledger, query)
    rows = _selected(rows, query, status="collection_status", merchantSlug="merchant_slug", feeType="fee_type")
    return sorted(rows, key=_newest_first, reverse=True)


def _newest_first(row: Row) -> tuple[bytes, bytes]:
    return utf16(row["created_at"]), utf16(row["id"])


def _selected(rows: list[Row], query: dict[str, Any], **members: str) -> list[Row]:
    """The rows whose members have the values that the query gives for them."""
    return [row for row in rows if all(row[member] == query[name] for name, member in members.items() if name in query)]


def _selected_of_merchants(rows: list[Row], query: dict[str, Any]) -> list[Row]:
    return _selected(rows, query, status="status", billingPeriod="billingPeriod", merchantId="merchantId")


def _newest_periods_first(rows: list[Row]) -> list[Row]:
    # The rows are in the order of their first events, and the sort is stable.
    return sorted(rows[::-1], key=lambda row: (utf16(row["billingPeriod"]), utf16(row["createdAt"])), reverse=True)


def _page(rows: list[Row], query: dict[str, Any]) -> dict[str, Any]:
    page, page_size = query["page"], query["pageSize"]
    start = (page - 1) * page_size
    return {"rows": rows[start : start + page_size], "total": len(rows), "page": page, "pageSize": page_size}


def _grouped(rows: list[Row], *names: str) -> list[tuple[tuple[str, ...], list[Row]]]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return sorted(groups.items(), key=lambda group: [utf16(value) for value in group[0]])


def _sum(amounts: Iterable[str]) -> str:
    return written_amount(sum(amount(value, "an amount") for value in amounts))


def _invoice_row(invoice: Invoice) -> Row:
    return {**invoice.shown, "voidReasonErased": None, "version": invoice.version}


def _settlement_row(settlement: Row) -> Row:
    return {**settlement, "referenceErased": None, "voidReasonErased": None}


def _lines(ledger: Ledger, invoice: Invoice) -> list[dict[str, Any]]:
    drafted: list[dict[str, Any]] = []
    if invoice.drafted is not None:
        stream = f"invoice-{invoice.shown['invoiceId']}-lines-{invoice.drafted['digest']}"
        for part in range(invoice.drafted["parts"]):
            drafted += ledger.drafts[stream, part]
    return drafted + invoice.lines


def _since_the_invoice(ledger: Ledger, invoice: Invoice, fees_version: int) -> dict[str, Any]:
    names = ("uninvoicedFeeCount", "uninvoicedFee", "reversedFeeCount", "reversedFee")
    if invoice.shown["status"] == "void":
        return dict.fromkeys(names)
    rows = [row for row in ledger.rows.values() if row["billing_period"] == invoice.shown["billingPeriod"]]
    collected_count, collected = _counted(row for row in rows if row["collection_status"] == "collected")
    reversed_rows = [row for row in rows if row["collection_status"] == "reversed"]
    if fees_version < 3:
        reversed_count, reversed_fee = _counted(reversed_rows)
        reversed_count -= invoice.reversed_before["feeCount"]
        reversed_fee -= amount(invoice.reversed_before["totalFee"], "reversedBefore of an invoice")
    else:
        drafted = invoice.shown["ledgerPosition"]
        reversed_count, reversed_fee = _counted(
            row
            for row in reversed_rows
            if row["id"] in ledger.collected_at
            and ledger.collected_at[row["id"]] <= drafted < ledger.reversed_at[row["id"]]
        )
    uninvoiced_count = collected_count + reversed_count - invoice.shown["feeCount"]
    uninvoiced = collected + reversed_fee - amount(invoice.shown["totalFee"], "totalFee of an invoice")
    values = (uninvoiced_count, written_amount(uninvoiced), reversed_count, written_amount(reversed_fee))
    return dict(zip(names, values))


def _counted(rows: Iterable[Row]) -> tuple[int, int]:
    fees = [amount(row["fee_amount"], "an amount") for row in rows]
    return len(fees), sum(fees)
