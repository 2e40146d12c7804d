"""The data of the events that are not of fees (PROOFS.md, 6)."""

from __future__ import annotations

from functools import partial
from typing import Any

from . import shapes
from .amounts import amount
from .shapes import Check

Members = dict[str, Check]


def _texts(*names: str) -> Members:
    return dict.fromkeys(names, shapes.text)


def _amounts(*names: str) -> Members:
    return dict.fromkeys(names, amount)


def _integers(*names: str) -> Members:
    return dict.fromkeys(names, partial(shapes.integer, least=-shapes.MAX_SAFE_INTEGER))


def _object(members: Members) -> Check:
    return lambda value, what: shapes.members(value, what, members)


def _or_null(check: Check) -> Check:
    return lambda value, what: None if value is None else check(value, what)


def _array_of(check: Check) -> Check:
    def check_all(value: Any, what: str) -> None:
        for item in shapes.array(value, what):
            check(item, f"an item of {what}")

    return check_all


PERSONAL_TEXT = _or_null(_object(_texts("subject", "ciphertext")))
DONE = _texts("at", "by")
MONTH = {"billingPeriod": shapes.month}
OF_INVOICE = {**_texts("invoiceId"), **MONTH, **DONE}
OF_SETTLEMENT = {**_texts("settlementId", "merchantId"), **MONTH, **DONE}
OF_REBATE = {**_texts("rebateId"), **DONE}
RULE = {**_texts("ruleId"), **_integers("ruleVersion")}
INVOICE_LINES = _array_of(
    _object(
        {
            **_texts("merchantId", "merchantName", "merchantSlug", "feeType"),
            **_amounts("totalFee", "totalGross"),
            **_integers("feeCount"),
        }
    )
)
SETTLEMENT_LINES = _array_of(
    _object({**MONTH, **_amounts("grossCollected", "feesCollected"), **_integers("feeCount")})
)

FORMS: dict[str, Members] = {
    "MerchantNamed": {**_texts("merchant_id", "name", "slug"), **DONE},
    "MerchantSlugTaken": _texts("slug", "merchant_id"),
    "InvoicePeriodReserved": {**_texts("invoiceId"), **MONTH},
    "InvoicePeriodReleased": {**_texts("invoiceId"), **MONTH},
    "InvoiceNumberAssigned": {**_texts("invoiceId", "number"), **_integers("sequence")},
    "RebateRuleSet": {
        **_texts("ruleId"),
        **_integers("version"),
        "tiers": _array_of(_object(_amounts("from", "rate"))),
        **DONE,
    },
    "InvoiceGenerated": {
        **OF_INVOICE,
        **_texts("currency", "timeZone", "periodStart", "periodEnd", "contentHash"),
        **_amounts("totalFee", "totalGross"),
        **_integers("ledgerPosition", "feeCount"),
        "replacesInvoiceId": _or_null(shapes.text),
        "lines": INVOICE_LINES,
        "drafted": _or_null(_object({**_texts("digest"), **_integers("parts")})),
        "reversedBefore": _object({**_integers("feeCount"), **_amounts("totalFee")}),
    },
    "InvoiceLinesDrafted": {
        **_texts("invoiceId", "digest"),
        **MONTH,
        **_integers("part"),
        "lines": INVOICE_LINES,
    },
    "InvoiceFinalizationStarted": {**OF_INVOICE, **_texts("issuedOn")},
    "InvoiceFinalized": {**OF_INVOICE, **_texts("number")},
    "InvoiceVoided": {**OF_INVOICE, "reason": PERSONAL_TEXT},
    "SettlementGenerated": {
        **OF_SETTLEMENT,
        **_texts("merchantName", "currency"),
        **_amounts("grossCollected", "feesCollected", "rebateApplied", "carriedIn", "netAmount"),
        **_integers("feeCount", "ledgerPosition"),
        "lines": SETTLEMENT_LINES,
        "carriedFrom": _array_of(shapes.text),
        "rule": _or_null(_object(RULE)),
    },
    "SettlementCarried": OF_SETTLEMENT,
    "SettlementPaid": {
        **OF_SETTLEMENT,
        **_texts("paidAt"),
        "reference": PERSONAL_TEXT,
        "rebateIds": _array_of(shapes.text),
    },
    "SettlementVoided": {**OF_SETTLEMENT, "reason": PERSONAL_TEXT, "rebateIds": _array_of(shapes.text)},
    "RebateAccrued": {
        **OF_REBATE,
        **_texts("merchantId", "merchantName", "currency"),
        **MONTH,
        **_amounts("basisFee", "rate", "amount"),
        **RULE,
    },
    "RebateApplied": {**OF_REBATE, **_texts("settlementId")},
    "RebateVoided": OF_REBATE,
}
