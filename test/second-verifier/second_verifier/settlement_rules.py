"""The rules that the settlements and rebates of each merchant keep (PROOFS.md, 6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .export import Event
from .refusal import inconsistent

# The statuses that each change of a settlement may follow, and the one that it leads to.
CHANGES = {
    "SettlementCarried": (("pending",), "carried"),
    "SettlementPaid": (("pending",), "paid"),
    "SettlementVoided": (("pending", "carried"), "void"),
}
WITHOUT_MERCHANT = ("RebateApplied", "RebateVoided")


@dataclass
class Settlement:
    stream: str
    merchant: str
    period: str
    status: str = "pending"


@dataclass
class Rebate:
    stream: str
    status: str = "accrued"
    settlement: str | None = None


class SettlementRules:
    def __init__(self) -> None:
        self._events: Counter[str] = Counter()
        self._settlements: dict[str, Settlement] = {}
        self._rebates: dict[str, Rebate] = {}

    def check(self, event: Event) -> None:
        """Of all events of streams of settlements, in the order of the ledger, which have the form of their type."""
        rule = self._followed(event)
        if rule is not None:
            raise inconsistent(event, rule, "settlements")
        self._events[event.stream] += 1

    def _followed(self, event: Event) -> str | None:
        """Follows the event, and returns the rule that it breaks, if it does."""
        if event.type not in WITHOUT_MERCHANT and not event.stream.endswith(f"-{event.data['merchantId']}"):
            return "stream"
        if event.revision != self._events[event.stream]:
            return "revision"
        if event.type in CHANGES:
            return self._changed(event)
        is_allowed = {
            "SettlementGenerated": self._generated,
            "RebateAccrued": self._accrued,
            "RebateApplied": self._applied,
            "RebateVoided": self._voided,
        }[event.type](event)
        return None if is_allowed else "transition"

    def _generated(self, event: Event) -> bool:
        data = event.data
        settlement = Settlement(event.stream, data["merchantId"], data["billingPeriod"])
        return self._settlements.setdefault(data["settlementId"], settlement) is settlement

    def _accrued(self, event: Event) -> bool:
        rebate = Rebate(event.stream)
        return self._rebates.setdefault(event.data["rebateId"], rebate) is rebate

    def _applied(self, event: Event) -> bool:
        rebate = self._rebate(event, event.data["rebateId"])
        settlement = self._settlement(event)
        if rebate is None or rebate.status != "accrued" or settlement is None or settlement.status != "pending":
            return False
        rebate.status, rebate.settlement = "applied", event.data["settlementId"]
        return True

    def _voided(self, event: Event) -> bool:
        rebate = self._rebate(event, event.data["rebateId"])
        if rebate is None or rebate.status != "accrued":
            return False
        rebate.status = "void"
        return True

    def _changed(self, event: Event) -> str | None:
        data = event.data
        before, after = CHANGES[event.type]
        settlement = self._settlement(event)
        if settlement is None or settlement.status not in before:
            return "transition"
        if (settlement.merchant, settlement.period) != (data["merchantId"], data["billingPeriod"]):
            return "members"
        settlement.status = after
        for rebate_id in data.get("rebateIds", ()):
            rebate = self._rebate(event, rebate_id)
            if rebate is None or rebate.status != "applied":
                return "rebates"
            if after == "paid":
                rebate.status = "paid"
            elif rebate.settlement == data["settlementId"]:
                rebate.status, rebate.settlement = "accrued", None
            else:
                return "rebates"
        return None

    def _settlement(self, event: Event) -> Settlement | None:
        settlement = self._settlements.get(event.data["settlementId"])
        return settlement if settlement is not None and settlement.stream == event.stream else None

    def _rebate(self, event: Event, rebate_id: str) -> Rebate | None:
        rebate = self._rebates.get(rebate_id)
        return rebate if rebate is not None and rebate.stream == event.stream else None
