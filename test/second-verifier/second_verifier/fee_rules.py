"""The rules that the events of each fee keep (PROOFS.md, 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from . import shapes
from .amounts import AMOUNT, amount, written_amount
from .export import Event
from .refusal import inconsistent, unusable

REPEATED = (
    "id",
    "fee_type",
    "fee_amount",
    "gross_amount",
    "billing_period",
    "day",
    "created_at",
    "merchant_id",
    "merchant_name",
    "merchant_slug",
)
# The status that each type leads to from which one; no fee has a status before it is recorded.
TRANSITIONS = {
    "FeeCollected": ("pending", "collected"),
    "FeeWaived": ("pending", "waived"),
    "FeeReversed": ("collected", "reversed"),
}
ADJUSTMENT = "~reversal"
# The first and last day that a fee may have.
FIRST_DAY = "1970-01-01"
LAST_DAY = "2999-12-31"


@dataclass(frozen=True)
class Fee:
    """After an event of it."""

    revision: int
    status: str
    repeated: tuple[str, ...]


class FeeRules:
    def __init__(self, is_whole: bool) -> None:
        """`is_whole`: whether all events of the streams are given; otherwise any of them may be left out."""
        self._is_whole = is_whole
        self._fees: dict[str, Fee] = {}

    def check(self, event: Event) -> None:
        """Of the events of fees in the order of the ledger, whose types and versions are known."""
        _check_form(event)
        before = self._fees.get(event.stream)
        rule = self._broken_rule(event, before)
        if rule is not None:
            raise inconsistent(event, rule, "fees")
        status = event.data["collection_status"] if event.type == "FeeRecorded" else TRANSITIONS[event.type][1]
        self._fees[event.stream] = Fee(event.revision, status, _repeated(event.data))

    def _broken_rule(self, event: Event, before: Fee | None) -> str | None:
        data = event.data
        if event.stream != f"fee-{data['id']}" or data["id"].endswith(ADJUSTMENT):
            return "stream"
        if not _is_in_its_month(data):
            return "period"
        following = 0 if before is None else before.revision + 1
        if event.revision < following or (self._is_whole and event.revision > following):
            return "revision"
        if not _may_follow(event, before, event.revision == following):
            return "transition"
        if before is not None and before.repeated != _repeated(data):
            return "members"
        if event.type == "FeeReversed" and not _is_adjusted(data, data["adjustment"]):
            return "adjustment"
        if not _is_of_day(data) or (data.get("adjustment") is not None and event.type == "FeeReversed" and not _is_of_day(data["adjustment"])):
            return "day"
        return None


def _may_follow(event: Event, before: Fee | None, is_next: bool) -> bool:
    if event.type == "FeeRecorded":
        return before is None and is_next
    # When events between are not given, the status is unknown.
    return not is_next or (before is not None and before.status == TRANSITIONS[event.type][0])


def _repeated(data: dict[str, Any]) -> tuple[str, ...]:
    return tuple(data[name] for name in REPEATED)


def _is_in_its_month(data: dict[str, Any]) -> bool:
    return data["billing_period"] == data["day"][:7]


def _is_of_day(data: dict[str, Any]) -> bool:
    try:
        day, created = (date.fromisoformat(text) for text in (data["day"], data["created_at"][:10]))
    except ValueError:
        return False
    return abs(day.toordinal() - created.toordinal()) <= 1


def _is_adjusted(fee: dict[str, Any], adjustment: dict[str, Any] | None) -> bool:
    if adjustment is None:
        return True
    expected = {name: fee[name] for name in ("fee_type", "merchant_id", "merchant_name", "merchant_slug")}
    expected["id"] = fee["id"] + ADJUSTMENT
    for name in ("fee_amount", "gross_amount"):
        expected[name] = written_amount(-amount(fee[name], name))
    return all(adjustment[name] == value for name, value in expected.items()) and _is_in_its_month(adjustment)


def _check_form(event: Event) -> None:
    what = f"the {event.type} at position {event.position}"
    _check_members(event.data, what)
    if event.type == "FeeRecorded" and event.data.get("collection_status") not in ("pending", "collected"):
        raise unusable(f"collection_status of {what} is not one that a fee is recorded with")
    if event.type == "FeeReversed":
        if "adjustment" not in event.data:
            raise unusable(f"{what} has no adjustment")
        if event.data["adjustment"] is not None:
            _check_members(event.data["adjustment"], f"the adjustment of {what}")


def _check_members(data: Any, what: str) -> None:
    shapes.obj(data, what)
    for name in REPEATED:
        shapes.text(data.get(name), f"{name} of {what}")
    for name in ("fee_amount", "gross_amount"):
        if not AMOUNT.fullmatch(data[name]):
            raise unusable(f"{name} of {what} is no amount")
    shapes.day(data["day"], f"day of {what}")
    if not FIRST_DAY <= data["day"] <= LAST_DAY:
        raise unusable(f"day of {what} is before {FIRST_DAY} or after {LAST_DAY}")
    shapes.instant(data["created_at"], f"created_at of {what}")
