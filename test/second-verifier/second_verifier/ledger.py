"""What the events yield: the rows of fees, the names of merchants, invoices, settlements and rebates (PROOFS.md, 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

from . import shapes
from .export import Event
from .fee_rules import FeeRules
from .forms import FORMS
from .invoice_rules import InvoiceRules
from .refusal import unusable
from .settlement_rules import SettlementRules

ROW = (
    "id",
    "fee_type",
    "collection_status",
    "fee_amount",
    "gross_amount",
    "billing_period",
    "created_at",
    "merchant_id",
    "merchant_name",
    "merchant_slug",
)
INVOICE = (
    "invoiceId",
    "billingPeriod",
    "currency",
    "feeCount",
    "totalFee",
    "totalGross",
    "periodStart",
    "periodEnd",
    "timeZone",
    "ledgerPosition",
    "replacesInvoiceId",
    "contentHash",
)


@dataclass
class Invoice:
    shown: dict[str, Any]
    lines: list[dict[str, Any]]
    drafted: dict[str, Any] | None
    reversed_before: dict[str, Any]
    history: list[dict[str, Any]]
    version: int = 1


@dataclass
class Ledger:
    """A personal text in it is the one of the event: null, or an object of its ciphertext."""

    # The first 16 hex digits of the digest of its first event.
    id: str = ""
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    days: dict[str, str] = field(default_factory=dict)
    # The positions of the events that made rows collected and reversed.
    collected_at: dict[str, int] = field(default_factory=dict)
    reversed_at: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    invoices: dict[str, Invoice] = field(default_factory=dict)
    drafts: dict[tuple[str, int], list[dict[str, Any]]] = field(default_factory=dict)
    settlements: dict[str, dict[str, Any]] = field(default_factory=dict)
    rebates: dict[str, dict[str, Any]] = field(default_factory=dict)


def fold(events: Iterable[Event], ledger_id: str) -> Ledger:
    """Of all events of a ledger, whose forms and rules are checked."""
    ledger = Ledger(ledger_id)
    rules = {"fee": FeeRules(is_whole=True), "invoice": InvoiceRules(), "settlement": SettlementRules()}
    for event in events:
        if event.version != 1:
            raise unusable(f"the event at position {event.position} has the unknown version {event.version}")
        apply = CHANGES.get((event.category, event.type))
        if apply is None:
            raise unusable(f"the event at position {event.position} has the unknown type {event.type}")
        if event.category != "fee":
            shapes.members(event.data, f"data of the {event.type} at position {event.position}", FORMS[event.type])
        if event.category in rules:
            rules[event.category].check(event)
        apply(ledger, event)
    return ledger


def _nothing(_ledger: Ledger, _event: Event) -> None:
    """The event changes no answer."""


def _fee_recorded(ledger: Ledger, event: Event) -> None:
    _add_row(ledger, event, event.data, event.data["collection_status"])
    ledger.names[event.data["merchant_id"]] = event.data["merchant_name"]


def _fee_reversed(ledger: Ledger, event: Event) -> None:
    if event.data["adjustment"] is None:
        _set_status(ledger, event, event.data["id"], "reversed")
    else:
        _add_row(ledger, event, event.data["adjustment"], "collected")


def _fee_becomes(status: str) -> Callable[[Ledger, Event], None]:
    def change(ledger: Ledger, event: Event) -> None:
        _set_status(ledger, event, event.data["id"], status)

    return change


def _merchant_named(ledger: Ledger, event: Event) -> None:
    ledger.names[event.data["merchant_id"]] = event.data["name"]


def _invoice_generated(ledger: Ledger, event: Event) -> None:
    data = event.data
    shown = {
        **{name: data[name] for name in INVOICE},
        "status": "draft",
        "createdAt": data["at"],
        "createdBy": data["by"],
        **dict.fromkeys(("number", "finalizedAt", "finalizedBy", "voidedAt", "voidedBy", "voidReason")),
    }
    history = [_history("generated", data)]
    ledger.invoices[data["invoiceId"]] = Invoice(shown, data["lines"], data["drafted"], data["reversedBefore"], history)


def _invoice_lines_drafted(ledger: Ledger, event: Event) -> None:
    ledger.drafts[event.stream, event.data["part"]] = event.data["lines"]


def _invoice_finalized(ledger: Ledger, event: Event) -> None:
    data = event.data
    changed = {"status": "finalized", "number": data["number"], "finalizedAt": data["at"], "finalizedBy": data["by"]}
    _change_invoice(ledger, data, changed, _history("finalized", data))


def _invoice_voided(ledger: Ledger, event: Event) -> None:
    data = event.data
    changed = {"status": "void", "voidedAt": data["at"], "voidedBy": data["by"], "voidReason": data["reason"]}
    _change_invoice(ledger, data, changed, _history("voided", data, data["reason"]))


def _settlement_generated(ledger: Ledger, event: Event) -> None:
    data = event.data
    ledger.settlements[data["settlementId"]] = {
        **_without(data, "rule", "at", "by"),
        "status": "pending",
        "createdAt": data["at"],
        "createdBy": data["by"],
        **dict.fromkeys(("paidAt", "paidBy", "reference", "voidedAt", "voidedBy", "voidReason")),
        "version": 1,
    }


def _settlement_carried(ledger: Ledger, event: Event) -> None:
    _change_settlement(ledger, event.data, {"status": "carried"})


def _settlement_paid(ledger: Ledger, event: Event) -> None:
    data = event.data
    changed = {"status": "paid", "paidAt": data["paidAt"], "paidBy": data["by"], "reference": data["reference"]}
    _change_settlement(ledger, data, changed)
    for rebate in data["rebateIds"]:
        ledger.rebates[rebate]["status"] = "paid"


def _settlement_voided(ledger: Ledger, event: Event) -> None:
    data = event.data
    changed = {"status": "void", "voidedAt": data["at"], "voidedBy": data["by"], "voidReason": data["reason"]}
    _change_settlement(ledger, data, changed)
    for rebate in data["rebateIds"]:
        ledger.rebates[rebate].update(status="accrued", settlementId=None)


def _rebate_accrued(ledger: Ledger, event: Event) -> None:
    data = event.data
    ledger.rebates[data["rebateId"]] = {
        **_without(data, "at", "by"),
        "status": "accrued",
        "settlementId": None,
        "createdAt": data["at"],
    }


def _rebate_applied(ledger: Ledger, event: Event) -> None:
    ledger.rebates[event.data["rebateId"]].update(status="applied", settlementId=event.data["settlementId"])


def _rebate_voided(ledger: Ledger, event: Event) -> None:
    ledger.rebates[event.data["rebateId"]]["status"] = "void"


CHANGES: dict[tuple[str, str], Callable[[Ledger, Event], None]] = {
    ("fee", "FeeRecorded"): _fee_recorded,
    ("fee", "FeeCollected"): _fee_becomes("collected"),
    ("fee", "FeeWaived"): _fee_becomes("waived"),
    ("fee", "FeeReversed"): _fee_reversed,
    ("merchant", "MerchantNamed"): _merchant_named,
    ("invoice", "InvoiceGenerated"): _invoice_generated,
    ("invoice", "InvoiceLinesDrafted"): _invoice_lines_drafted,
    ("invoice", "InvoiceFinalizationStarted"): _nothing,
    ("invoice", "InvoiceFinalized"): _invoice_finalized,
    ("invoice", "InvoiceVoided"): _invoice_voided,
    ("settlement", "SettlementGenerated"): _settlement_generated,
    ("settlement", "SettlementCarried"): _settlement_carried,
    ("settlement", "SettlementPaid"): _settlement_paid,
    ("settlement", "SettlementVoided"): _settlement_voided,
    ("settlement", "RebateAccrued"): _rebate_accrued,
    ("settlement", "RebateApplied"): _rebate_applied,
    ("settlement", "RebateVoided"): _rebate_voided,
    ("invoicePeriod", "InvoicePeriodReserved"): _nothing,
    ("invoicePeriod", "InvoicePeriodReleased"): _nothing,
    ("invoiceNumber", "InvoiceNumberAssigned"): _nothing,
    ("merchantSlug", "MerchantSlugTaken"): _nothing,
    ("rebateRule", "RebateRuleSet"): _nothing,
}


def _add_row(ledger: Ledger, event: Event, data: dict[str, Any], status: Any) -> None:
    row = {**{name: data[name] for name in ROW if name != "collection_status"}, "collection_status": status}
    ledger.rows[row["id"]] = row
    ledger.days[row["id"]] = data["day"]
    _set_status(ledger, event, row["id"], status)


def _set_status(ledger: Ledger, event: Event, row_id: str, status: str) -> None:
    ledger.rows[row_id]["collection_status"] = status
    if status == "collected":
        ledger.collected_at[row_id] = event.position
    elif status == "reversed":
        ledger.reversed_at[row_id] = event.position


def _change_invoice(ledger: Ledger, data: dict[str, Any], changed: dict[str, Any], history: dict[str, Any]) -> None:
    invoice = ledger.invoices[data["invoiceId"]]
    invoice.shown.update(changed)
    invoice.history.append(history)
    invoice.version += 1


def _change_settlement(ledger: Ledger, data: dict[str, Any], changed: dict[str, Any]) -> None:
    settlement = ledger.settlements[data["settlementId"]]
    settlement.update(changed, version=settlement["version"] + 1)


def _history(event: str, data: dict[str, Any], reason: Any = None) -> dict[str, Any]:
    return {"event": event, "at": data["at"], "by": data["by"], "reason": reason}


def _without(data: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in names}
