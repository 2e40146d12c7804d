"""The rules that the events of each invoice keep (PROOFS.md, 6)."""

from __future__ import annotations

from collections import Counter

from .export import Event
from .refusal import inconsistent

# The statuses that each type may follow, and the one that it leads to; an invoice is being finalized before it is finalized.
TRANSITIONS = {
    "InvoiceGenerated": ((None,), "draft"),
    "InvoiceFinalizationStarted": (("draft",), "finalizing"),
    "InvoiceFinalized": (("finalizing",), "finalized"),
    "InvoiceVoided": (("draft", "finalized"), "void"),
}


class InvoiceRules:
    def __init__(self) -> None:
        self._events: Counter[str] = Counter()
        # By stream.
        self._statuses: dict[str, str] = {}
        self._periods: dict[str, str] = {}

    def check(self, event: Event) -> None:
        """Of all events of streams of invoices, in the order of the ledger, which have the form of their type."""
        rule = self._broken_rule(event)
        if rule is not None:
            raise inconsistent(event, rule, "invoices")
        self._events[event.stream] += 1
        if event.type != "InvoiceLinesDrafted":
            self._statuses[event.stream] = TRANSITIONS[event.type][1]
            self._periods[event.stream] = event.data["billingPeriod"]

    def _broken_rule(self, event: Event) -> str | None:
        data, stream = event.data, event.stream
        are_lines = event.type == "InvoiceLinesDrafted"
        if stream != (_lines_stream(data["invoiceId"], data["digest"]) if are_lines else f"invoice-{data['invoiceId']}"):
            return "stream"
        if event.revision != self._events[stream]:
            return "revision"
        if are_lines:
            return None if data["part"] == event.revision else "lines"
        if self._statuses.get(stream) not in TRANSITIONS[event.type][0]:
            return "transition"
        if self._periods.get(stream, data["billingPeriod"]) != data["billingPeriod"]:
            return "members"
        drafted = data["drafted"] if event.type == "InvoiceGenerated" else None
        if drafted is not None and self._events[_lines_stream(data["invoiceId"], drafted["digest"])] != drafted["parts"]:
            return "lines"
        return None


def _lines_stream(invoice: str, digest: str) -> str:
    return f"invoice-{invoice}-lines-{digest}"
